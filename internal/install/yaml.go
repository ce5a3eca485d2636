package install

import (
	"errors"
	"fmt"
	"reflect"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// yamlFile is a file of YAML. It is edited line by line, at the positions that the parser
// gives: in block style each member has lines of its own. What stands in braces is refused.
type yamlFile struct{}

// empty: a key with nothing after it is how people leave a mapping without members.
func (yamlFile) empty(value any) bool { return value == nil }

func (yamlFile) decode(text []byte) (map[string]any, error) {
	doc, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	if isEmpty(doc.root) {
		return map[string]any{}, nil
	}
	if doc.root.Kind != yaml.MappingNode {
		return nil, errors.New("it holds no mapping of names to values" + correct)
	}
	var root any
	if err := doc.root.Decode(&root); err != nil {
		return nil, notYAML(err)
	}
	return named(root).(map[string]any), nil
}

// named gives every mapping names that are strings, whatever its keys are.
func named(value any) any {
	switch v := value.(type) {
	case map[string]any:
		for key, item := range v {
			v[key] = named(item)
		}
	case map[any]any:
		out := map[string]any{}
		for key, item := range v {
			out[fmt.Sprint(key)] = named(item)
		}
		return out
	case []any:
		for i, item := range v {
			v[i] = named(item)
		}
	}
	return value
}

func (yamlFile) change(text []byte, path []string, has map[string]any, want []member, drop []string) ([]byte, error) {
	doc, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	if isEmpty(doc.root) {
		return doc.insert(doc.count(), nested(path, want), 0), nil
	}
	at := doc.root
	for depth, name := range path {
		if err := doc.editable(at); err != nil {
			return nil, err
		}
		key, value := lookup(at, name)
		if key == nil {
			return doc.insert(doc.end(at), nested(path[depth:], want), indentOf(at)), nil
		}
		if isEmpty(value) {
			return doc.fill(key, value, nested(path[depth+1:], want))
		}
		at = value
	}
	if err := doc.editable(at); err != nil {
		return nil, err
	}
	return doc.replace(at, has, want, drop), nil
}

// replace writes the members that are wanted over their lines, takes those away that are
// not, and puts the missing ones at the end.
func (d *document) replace(at *yaml.Node, has map[string]any, want []member, drop []string) []byte {
	var edits []edit
	var missing []member
	for _, m := range want {
		key, value := lookup(at, m.name)
		switch {
		case key == nil:
			missing = append(missing, m)
		case !reflect.DeepEqual(has[m.name], m.data()):
			comment := value.LineComment
			if comment == "" {
				comment = key.LineComment
			}
			if comment != "" {
				comment = " " + comment
			}
			line := strings.Repeat(" ", indentOf(at)) + yamlScalar(m.name) + ": " + inline(m.value, yamlScalar) + comment + d.newline
			edits = append(edits, edit{d.lines(at, key), line})
		}
	}
	for _, name := range drop {
		if key, _ := lookup(at, name); key != nil {
			edits = append(edits, edit{d.lines(at, key), ""})
		}
	}
	end := d.end(at)
	edits = append(edits, edit{span{d.starts[end], d.starts[end]}, d.block(missing, indentOf(at))})
	return splice(d.ended(), edits)
}

// fill gives members to a key that has none: "key:" or "key: {}".
func (d *document) fill(key, value *yaml.Node, members []member) ([]byte, error) {
	line := key.Line
	var edits []edit
	if value.Value != "" || value.Kind == yaml.MappingNode {
		start := d.offset(value)
		nothing := emptyValue.Find(d.text[start:])
		if nothing == nil || value.Anchor != "" {
			return nil, errUnsafe
		}
		line = value.Line
		before := len(strings.TrimRight(string(d.text[:start]), " "))
		edits = append(edits, edit{span{before, start + len(nothing)}, ""})
	}
	at := d.starts[line]
	edits = append(edits, edit{span{at, at}, d.block(members, key.Column-1+d.unit)})
	return splice(d.ended(), edits), nil
}

var emptyValue = regexp.MustCompile(`^(\{ *\}|~|null|Null|NULL)`)

func (yamlFile) cut(text []byte, path []string) ([]byte, error) {
	doc, err := parseYAML(text)
	if err != nil {
		return nil, err
	}
	at := doc.root
	var parent, key *yaml.Node
	for i, name := range path {
		if i > 0 {
			_, at = lookup(at, path[i-1])
			parent = key
		}
		if at == nil {
			return nil, errUnsafe
		}
		if err := doc.editable(at); err != nil {
			return nil, err
		}
		if key, _ = lookup(at, name); key == nil {
			return nil, errUnsafe // it comes from elsewhere, by "<<"
		}
	}
	edits := []edit{{doc.lines(at, key), ""}}
	if len(at.Content) == 2 {
		start := doc.offset(parent)
		colon := keyAndColon.Find(doc.text[start:])
		if colon == nil {
			return nil, errUnsafe
		}
		start += len(colon)
		edits = append(edits, edit{span{start, start}, " {}"})
	}
	return splice(text, edits), nil
}

var keyAndColon = regexp.MustCompile(`^("[^"\\\n]*"|'[^'\n]*'|[^"'#: \n]+) *:`)

// block writes members, each on a line of its own.
func (d *document) block(members []member, indent int) string {
	var b strings.Builder
	for _, m := range members {
		b.WriteString(strings.Repeat(" ", indent) + yamlScalar(m.name) + ":")
		if inner, ok := m.value.(object); ok {
			b.WriteString(d.newline + d.block(inner, indent+d.unit))
			continue
		}
		b.WriteString(" " + inline(m.value, yamlScalar) + d.newline)
	}
	return b.String()
}

// bare are texts that need no quotes, unless they stand for something else, as true does.
var bare = regexp.MustCompile(`^[A-Za-z/][A-Za-z0-9/._-]*$`)

func yamlScalar(text string) string {
	var value any
	if bare.MatchString(text) && yaml.Unmarshal([]byte(text), &value) == nil && value == any(text) {
		return text
	}
	return quote(text)
}
