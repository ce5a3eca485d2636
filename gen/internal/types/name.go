package types

import (
	"cmp"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Names of declared types
//
// A message type has the name that its id gives, which holds no underscore. A type inside it
// is called Message_Inner, so that no other message can ever take its name away. Inner comes
// from the place in the schema: the key of the definition, or the names of the members on the
// way down from the root or the definition. Types of shared files are called
// Folder_File_Inner. Where two types of one file would share a name, both get the words of
// more parents.

// nameTypes names all declared types that have no name yet.
func (b *builder) nameTypes() {
	// Types of one place, for several kinds of value, are told apart by the kind.
	siblings := map[string]int{}
	place := func(n *named) string { return n.key[:len(n.key)-1] }
	for _, n := range b.named {
		siblings[place(n)]++
	}
	byFile := map[*load.File][]*named{}
	used := map[*load.File]map[string]bool{}
	for _, n := range b.named {
		f := n.members[0].File
		if used[f] == nil {
			used[f] = map[string]bool{}
		}
		if n.name == "" {
			isRoot := n.members[0].Pointer == "" && len(n.members) == 1 && !strings.Contains(f.Name, "/")
			if n.kinds.one() && (siblings[place(n)] > 1 || isRoot) {
				n.suffix = kindWord(n.kinds)
			}
			byFile[f] = append(byFile[f], n)
		}
	}
	for f, list := range byFile {
		slices.SortFunc(list, func(a, b *named) int { return cmp.Compare(a.key, b.key) })
		inner := innerNames(list)
		for i, n := range list {
			n.name = names.File(f.Name) + "_" + inner[i]
		}
	}
}

// innerNames names the types of one file. Of each it tries longer and longer names; all that
// share one move on to the next.
func innerNames(list []*named) []string {
	tries := make([]int, len(list))
	result := make([]string, len(list))
	for {
		groups := map[string][]int{}
		for i, n := range list {
			result[i] = innerName(n, tries[i])
			groups[result[i]] = append(groups[result[i]], i)
		}
		again := false
		for _, group := range groups {
			if len(group) == 1 {
				continue
			}
			for _, i := range group {
				tries[i]++
				again = true
			}
		}
		if !again {
			return result
		}
	}
}

// fewest is the number of words that a name has at first, where the place gives as many.
const fewest = 3

// innerName is the name of a type within its file, the longer the higher try is. From some
// try on it holds the whole pointer in hexadecimal and is therefore unique.
func innerName(n *named, try int) string {
	var parts []string
	longest := 0
	for _, m := range n.members {
		words := placeWords(m)
		if n.suffix != "" && words[len(words)-1] == rootWord {
			words = words[:len(words)-1]
		}
		longest = max(longest, len(words))
		parts = append(parts, strings.Join(words[max(0, len(words)-fewest-try):], ""))
	}
	name := strings.Join(parts, "And") + n.suffix
	beyond := try - max(0, longest-fewest)
	if beyond > 0 {
		for _, m := range n.members {
			name += names.Exported(m.Pointer)
		}
	}
	if beyond > 1 {
		name = names.Hex(name + n.key)
	}
	return name
}

// kindWord is the word for a set of kinds of value.
func kindWord(k kinds) string {
	var word string
	for _, w := range k.words() {
		word += names.Exported(w)
	}
	return word
}

// placeWords are the words for a place in a schema, the innermost last.
func placeWords(s *load.Schema) []string {
	t := &s.File.Tape
	var words []string
	if strings.Contains(s.File.Name, "/") {
		words = []string{names.Exported(strings.TrimSuffix(path.Base(s.File.Name), ".json"))}
	}
	tok := 0
	steps := pointerSteps(s.Pointer)
	for i := 0; i < len(steps); i++ {
		keyword := steps[i]
		tok = step(t, tok, keyword)
		if tok < 0 {
			return append(words, names.Exported(keyword))
		}
		named := false // the keyword's value is an object or array of schemas
		switch keyword {
		case "properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies", "allOf", "anyOf", "oneOf", "prefixItems":
			named = true
		case "items":
			named = t.Tokens[tok].Kind == jsontape.Array
		}
		key := ""
		if named && i+1 < len(steps) {
			i++
			key = steps[i]
			tok = step(t, tok, key)
			if tok < 0 {
				return append(words, names.Exported(key))
			}
		}
		switch keyword {
		case "$defs", "definitions":
			words = []string{names.Exported(key)}
		case "properties":
			words = append(words, names.Exported(key))
		case "patternProperties", "additionalProperties", "unevaluatedProperties":
			words = append(words, "Value")
		case "items", "prefixItems", "additionalItems", "unevaluatedItems", "contains":
			words = append(words, "Item"+key)
		case "allOf":
		case "anyOf", "oneOf":
			words = append(words, cmp.Or(branchWord(t, tok), names.Exported(keyword)+key))
		case "dependentSchemas", "dependencies":
			words = append(words, "With"+names.Exported(key))
		default:
			words = append(words, names.Exported(keyword))
		}
	}
	if len(words) == 0 {
		return []string{rootWord}
	}
	return words
}

// rootWord is the word for the root of a schema.
const rootWord = "Root"

// branchLabel is the word for a branch of a union: that of the definition that it refers to,
// or its own.
func branchLabel(s *load.Schema) string {
	words := placeWords(s)
	return words[len(words)-1]
}

// branchWord names a branch of anyOf or oneOf by what is in it: a short title, the constant
// by which it is told apart, its type.
func branchWord(t *jsontape.Tape, tok int) string {
	const longest = 32
	if v := t.Member(tok, "title"); v >= 0 && t.Tokens[v].Kind == jsontape.String {
		if title := t.Str(v); len(title) <= longest && len(names.Words(title)) > 0 {
			return names.Exported(title)
		}
	}
	if props := t.Member(tok, "properties"); props >= 0 && t.Tokens[props].Kind == jsontape.Object {
		for m := props + 1; m < t.Next(props); m = t.Next(m + 1) {
			if c := t.Member(m+1, "const"); c >= 0 && t.Tokens[c].Kind == jsontape.String {
				return names.Exported(t.Str(c))
			}
		}
	}
	if required := t.Member(tok, "required"); required >= 0 {
		if list := strs(t, required); 0 < len(list) && len(list) <= 2 {
			word := "With"
			for _, name := range list {
				word += names.Exported(name)
			}
			return word
		}
	}
	if v := t.Member(tok, "type"); v >= 0 && t.Tokens[v].Kind == jsontape.String {
		return names.Exported(t.Str(v))
	}
	return ""
}

func pointerSteps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	steps := strings.Split(pointer[1:], "/")
	for i, s := range steps {
		steps[i] = strings.NewReplacer("~1", "/", "~0", "~").Replace(s)
	}
	return steps
}

// step is the token of a member or element, or -1.
func step(t *jsontape.Tape, tok int, key string) int {
	if t.Tokens[tok].Kind != jsontape.Array {
		return t.Member(tok, key)
	}
	index, err := strconv.Atoi(key)
	if err != nil {
		return -1
	}
	for e := range elements(t, tok) {
		if index == 0 {
			return e
		}
		index--
	}
	return -1
}
