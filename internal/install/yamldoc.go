package install

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"go.yaml.in/yaml/v4"
)

// document is a text of YAML with what the parser knows of its places.
type document struct {
	text []byte
	// root is the value, nil where there are only comments.
	root *yaml.Node
	// nodes are all nodes in the order of the text.
	nodes []*yaml.Node
	// starts are where the lines start, and at the end where the text ends.
	starts []int
	// newline and unit are how lines end and how much deeper each level is.
	newline string
	unit    int
}

// parseYAML reads a text that holds one document. Repeated names are refused: an edit would
// have to guess which of the two counts.
func parseYAML(text []byte) (*document, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("not YAML: it is not written in UTF-8" + correct)
	}
	rest := strings.ReplaceAll(string(text), "\r\n", "\n")
	if strings.ContainsAny(rest, "\r\u0085\u2028\u2029") { // line ends of YAML 1.1, section 4.1.4
		return nil, &unsafeError{"it has line ends other than those of Unix and Windows"}
	}
	d := &document{text: text, newline: newlineOf(text), unit: 2, starts: []int{0}}
	for i, c := range text {
		if c == '\n' && i+1 < len(text) {
			d.starts = append(d.starts, i+1)
		}
	}
	if len(text) > 0 {
		d.starts = append(d.starts, len(text))
	}
	dec := yaml.NewDecoder(bytes.NewReader(text))
	var node, second yaml.Node
	err := dec.Decode(&node)
	if errors.Is(err, io.EOF) {
		return d, nil
	}
	if err == nil {
		if err = dec.Decode(&second); err == nil {
			return nil, &unsafeError{"it holds more than one document of YAML"}
		}
	}
	if !errors.Is(err, io.EOF) {
		if bytes.HasPrefix(text, []byte("%")) { // a version of YAML, say, that the parser doesn't know
			return nil, &unsafeError{"it begins with a directive (%)"}
		}
		if line := d.tab(); line > 0 {
			return nil, fmt.Errorf("not YAML: line %d is indented with a tab, where YAML takes only spaces%s", line, correct)
		}
		return nil, notYAML(err)
	}
	d.root = node.Content[0]
	return d, d.walk(d.root)
}

// notYAML is a fault of the parser in a person's words.
func notYAML(err error) error {
	var at *yaml.LoadError
	switch {
	case !errors.As(err, &at):
		return fmt.Errorf("not YAML: %w%s", err, correct)
	case at.Mark.Line > 0:
		return fmt.Errorf("not YAML: line %d: %s%s", at.Mark.Line, at.Message, correct)
	}
	return errors.New("not YAML: " + at.Message + correct)
}

// tab is the number of the first line that is indented with a tab, or 0.
func (d *document) tab() int {
	for i := range d.count() {
		line := d.text[d.starts[i]:d.starts[i+1]]
		if bytes.HasPrefix(bytes.TrimLeft(line, " "), []byte("\t")) {
			return i + 1
		}
	}
	return 0
}

// walk lists the nodes below one, checks their names, and measures the indentation.
func (d *document) walk(n *yaml.Node) error {
	d.nodes = append(d.nodes, n)
	seen := map[string]bool{}
	for i, child := range n.Content {
		if n.Kind == yaml.MappingNode && i%2 == 0 && child.Kind != yaml.ScalarNode {
			return &unsafeError{fmt.Sprintf("line %d has a name that is not a text", child.Line)}
		}
		if n.Kind == yaml.MappingNode && i%2 == 0 {
			if seen[child.Value] {
				return fmt.Errorf("line %d: the member name %q is repeated; delete one of the two", child.Line, child.Value)
			}
			seen[child.Value] = true
			if n == d.root && len(seen) == 1 {
				d.unit = 0 // until a deeper member says how much
			}
			value := n.Content[i+1]
			if d.unit == 0 && value.Kind == yaml.MappingNode && value.Line > child.Line {
				d.unit = value.Column - child.Column
			}
		}
		if err := d.walk(child); err != nil {
			return err
		}
	}
	if n == d.root && d.unit <= 0 {
		d.unit = 2
	}
	return nil
}

// lookup finds a key of a mapping and its value; both are nil where it is missing.
func lookup(mapping *yaml.Node, name string) (key, value *yaml.Node) {
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if k := mapping.Content[i]; k.Kind == yaml.ScalarNode && k.Value == name {
			return k, mapping.Content[i+1]
		}
	}
	return nil, nil
}

// isEmpty says whether there is no value, or one without members.
func isEmpty(n *yaml.Node) bool {
	return n == nil || n.Kind == yaml.ScalarNode && n.Tag == "!!null" || n.Kind == yaml.MappingNode && len(n.Content) == 0
}

// editable refuses a value that is no mapping with each member on a line of its own.
func (d *document) editable(n *yaml.Node) error {
	switch {
	case n.Kind == yaml.AliasNode:
		return &unsafeError{fmt.Sprintf("line %d refers to another part of the file (*%s)", n.Line, n.Value)}
	case n.Kind != yaml.MappingNode:
		return errUnsafe
	case n.Style&yaml.FlowStyle != 0:
		return &unsafeError{fmt.Sprintf("line %d is written in braces", n.Line)}
	}
	for i := 0; i < len(n.Content); i += 2 {
		key := n.Content[i]
		before := d.text[d.starts[key.Line-1]:d.offset(key)]
		if len(bytes.Trim(before, " ")) > 0 || key.Column != n.Content[0].Column {
			return &unsafeError{fmt.Sprintf("line %d has more than a name before its value", key.Line)}
		}
	}
	return nil
}

// indentOf is how far the members of a mapping stand from the margin.
func indentOf(mapping *yaml.Node) int { return mapping.Content[0].Column - 1 }

// count is the number of lines.
func (d *document) count() int { return len(d.starts) - 1 }

// offset is where a node starts; the parser counts characters.
func (d *document) offset(n *yaml.Node) int {
	at := d.starts[n.Line-1]
	for range n.Column - 1 {
		_, size := utf8.DecodeRune(d.text[at:])
		at += size
	}
	return at
}

// ended is the text with a line end after its last line.
func (d *document) ended() []byte {
	if len(d.text) == 0 || bytes.HasSuffix(d.text, []byte("\n")) {
		return d.text
	}
	return append(bytes.Clone(d.text), d.newline...)
}

// insert puts members before a line, or at the end.
func (d *document) insert(line int, members []member, indent int) []byte {
	text := d.ended()
	at := len(text)
	if line < d.count() {
		at = d.starts[line]
	}
	return splice(text, []edit{{span{at, at}, d.block(members, indent)}})
}

// end is the line after the last one of a mapping. Comments that stand as far from the
// margin as its members belong to it.
func (d *document) end(mapping *yaml.Node) int {
	return d.last(d.after(mapping), indentOf(mapping))
}

// lines are those of a member of a mapping, with the comments that stand deeper.
func (d *document) lines(mapping, key *yaml.Node) span {
	i := slices.Index(mapping.Content, key)
	after := d.after(mapping)
	if i+2 < len(mapping.Content) {
		after = mapping.Content[i+2].Line - 1
	}
	return span{d.starts[key.Line-1], d.starts[d.last(after, key.Column)]}
}

// after is the line of the next node after all of a mapping, or the one after the text.
func (d *document) after(n *yaml.Node) int {
	for len(n.Content) > 0 {
		n = n.Content[len(n.Content)-1]
	}
	if i := slices.Index(d.nodes, n); i+1 < len(d.nodes) {
		return d.nodes[i+1].Line - 1
	}
	return d.count()
}

// last goes back from a line over empty ones and over comments that stand less deep.
func (d *document) last(line, indent int) int {
	for ; line > 0; line-- {
		text := d.text[d.starts[line-1]:d.starts[line]]
		content := bytes.TrimLeft(text, " ")
		comment := bytes.HasPrefix(content, []byte("#")) && len(text)-len(content) < indent
		if len(bytes.TrimSpace(content)) > 0 && !comment {
			break
		}
	}
	return line
}
