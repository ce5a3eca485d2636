package types

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
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
	for _, n := range b.named {
		if n.name != "" {
			continue
		}
		f := n.members[0].File
		isRoot := n.members[0].Pointer == "" && len(n.members) == 1 && !strings.Contains(f.Name, "/")
		if n.kinds.One() && (siblings[place(n)] > 1 || isRoot) {
			n.suffix = kindWord(n.kinds)
			if n.shape == shapeSum {
				n.suffix = "Variant"
			}
		}
		byFile[f] = append(byFile[f], n)
	}
	for f, list := range byFile {
		slices.SortFunc(list, func(a, b *named) int { return cmp.Compare(a.key, b.key) })
		inner, tries := innerNames(list)
		for i, n := range list {
			n.name = f.GoPrefix() + "_" + inner[i]
			b.typeOverride(n, tries[i])
		}
	}
}

// innerNames names the types of one file. Of each it tries longer and longer names; all that
// share one move on to the next, except the one that is a definition of that name.
func innerNames(list []*named) (result []string, tries []int) {
	result, tries = make([]string, len(list)), make([]int, len(list))
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
			again = true
			keeps := -1
			for _, i := range group {
				if tries[i] > 0 || !list[i].isDefinition() {
					continue
				}
				if keeps >= 0 {
					keeps = -1
					break
				}
				keeps = i
			}
			for _, i := range group {
				if i != keeps {
					tries[i]++
				}
			}
		}
		if !again {
			return result, tries
		}
	}
}

// isDefinition reports whether the type is that of a definition.
func (n *named) isDefinition() bool {
	if len(n.members) != 1 || n.suffix != "" {
		return false
	}
	steps := pointerSteps(n.members[0].Pointer)
	return len(steps) >= 2 && load.Known(steps[len(steps)-2]).Go == load.GoDefinitions
}

// fewest is the number of words that a name has at first, where the place gives as many;
// longest is the number of letters that more words may lead to.
const (
	fewest  = 3
	longest = 80
)

// innerName is the name of a type within its file, the longer the higher try is: first its
// words are written in full, then it gets those of more parents, then the kinds of value. What
// is left gets a hash of all that the type depends on.
func innerName(n *named, try int) string {
	var parts []string
	exhausted := 1 // the try from which on the words are all in use
	for _, m := range tellingMembers(n.members) {
		words := allWords(m)
		if len(words) == 0 && (n.suffix == "" || try > 0) {
			words = []word{{text: rootWord}}
		}
		at := firstWord(words)
		exhausted = max(exhausted, 1+at)
		var part strings.Builder
		for _, w := range words[max(0, at-max(0, try-1)):] {
			if try == 0 {
				part.WriteString(w.text)
			} else {
				part.WriteString(cmp.Or(w.full, w.text))
			}
		}
		parts = append(parts, part.String())
	}
	name := strings.Join(parts, "And") + n.suffix
	if len(parts) > 1 && len(name) > longest {
		name = parts[0] + "Combined" + n.suffix
	}
	switch {
	case try == 0:
		return name
	case try > exhausted+1 || len(name) > longest:
		h := fnv.New32a()
		h.Write([]byte(n.key))
		return fmt.Sprintf("%s_%08x", innerName(n, 0), h.Sum32())
	case try > exhausted:
		return name + kindWord(n.kinds)
	}
	return name
}

// tellingMembers are the members by which a type is named: not those that stand around another
// one, as what is common to all branches of a union does.
func tellingMembers(members []*load.Schema) []*load.Schema {
	return slices.DeleteFunc(slices.Clone(members), func(m *load.Schema) bool {
		return slices.ContainsFunc(members, func(inner *load.Schema) bool {
			return inner.File == m.File && strings.HasPrefix(inner.Pointer, m.Pointer+"/")
		})
	})
}

// kindWord is the word for a set of kinds of value.
func kindWord(k kinds) string {
	var word string
	for _, w := range words(k) {
		word += names.Exported(w)
	}
	return word
}

// word is one step of a place. full is what it is where text, which can be empty, is not
// enough to tell places apart. An outer one stands before what names the place and is only
// used for that.
type word struct {
	text, full string
	outer      bool
}

// firstWord is the index of the word with which a name starts at first.
func firstWord(words []word) int {
	shown, at := 0, len(words)
	for i, w := range slices.Backward(words) {
		if w.outer || shown == fewest {
			break
		}
		if w.text != "" {
			shown++
		}
		at = i
	}
	return at
}

// definitionWords are the words for the key of a definition. Where it is a path or URL, the
// last segment names it.
func definitionWords(key string) []word {
	segments := strings.FieldsFunc(strings.TrimSuffix(key, ".json"), func(r rune) bool { return r == '/' || r == '#' })
	if len(segments) == 0 {
		return []word{{text: names.Exported(key)}}
	}
	var list []word
	for i, segment := range segments {
		list = append(list, word{text: names.Exported(segment), outer: i < len(segments)-1})
	}
	return list
}

// allWords are the words for a place in a schema, the innermost last; none for the root of a
// message.
func allWords(s *load.Schema) []word {
	t := &s.File.Tape
	var words []word
	add := func(text string) { words = append(words, word{text: text}) }
	if strings.Contains(s.File.Name, "/") {
		add(names.Exported(strings.TrimSuffix(path.Base(s.File.Name), ".json")))
	}
	tok := 0
	steps := pointerSteps(s.Pointer)
	for i := 0; i < len(steps); i++ {
		keyword := steps[i]
		tok = step(t, tok, keyword)
		if tok < 0 {
			add(names.Exported(keyword))
			return words
		}
		k := load.Known(keyword)
		key := ""
		keys := k.Shape.Keys()
		if k.Go == load.GoItems && t.Tokens[tok].Kind == jsontape.Array {
			keys = 1
		}
		for ; keys > 0 && i+1 < len(steps); keys-- {
			i++
			key = steps[i]
			tok = step(t, tok, key)
			if tok < 0 {
				add(names.Exported(key))
				return words
			}
		}
		if k.Go == load.GoDefinitions {
			for i := range words {
				words[i].outer = true
			}
			if own := goName(s.File, tok); own != "" {
				add(own)
			} else {
				words = append(words, definitionWords(key)...)
			}
			continue
		}
		if own := goName(s.File, tok); own != "" {
			add(own)
			continue
		}
		switch {
		case k.Go == load.GoProperties:
			words = append(words, word{text: names.Exported(key), full: names.Spelled(key)})
		case k.Go == load.GoPatterns, k.Go == load.GoOthers, k.Check == load.CheckUnevaluatedMembers:
			add("Value")
		case k.Go == load.GoItems, k.Go == load.GoPrefixItems, k.Go == load.GoAdditionalItems, k.Check == load.CheckUnevaluatedItems, k.Check == load.CheckContains:
			add("Item" + key)
		case k.Go == load.GoAll:
			words = append(words, word{full: names.Exported(keyword) + key})
		case k.Go == load.GoUnion:
			position := names.Exported(keyword) + key
			branch := branchWord(t, tok)
			words = append(words, word{text: cmp.Or(branch, position), full: position + branch})
		case k.Go == load.GoMaybe && key != "":
			add("With" + names.Exported(key))
		default:
			add(names.Exported(keyword))
		}
	}
	return words
}

// rootWord is the word for the root of a schema.
const rootWord = "Root"

// branchLabel is the word for a branch of a union: that of the definition that it refers to,
// or its own.
func branchLabel(s *load.Schema) string {
	words := allWords(s)
	for _, w := range slices.Backward(words) {
		if w.text != "" {
			return w.text
		}
	}
	return rootWord
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
			if c := t.Member(m+1, "enum"); c >= 0 {
				if list := facts.Strings(t, c); 0 < len(list) && len(list) <= 3 {
					return names.Exported(strings.Join(list, " "))
				}
			}
		}
	}
	if required := t.Member(tok, "required"); required >= 0 {
		if list := facts.Strings(t, required); 0 < len(list) && len(list) <= 2 {
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

// unescape decodes one step of a pointer (RFC 6901, section 4).
var unescape = strings.NewReplacer("~1", "/", "~0", "~")

func pointerSteps(pointer string) []string {
	if pointer == "" {
		return nil
	}
	steps := strings.Split(pointer[1:], "/")
	for i, s := range steps {
		steps[i] = unescape.Replace(s)
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
	for e := range facts.Elements(t, tok) {
		if index == 0 {
			return e
		}
		index--
	}
	return -1
}
