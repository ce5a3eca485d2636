package install

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/tailscale/hujson"
)

// jsonFile is a file of JSON, with comments and commas before closing brackets where lax is
// set. Member by member the new text goes where it belongs; the rest is copied.
type jsonFile struct{ lax bool }

func (jsonFile) empty(any) bool { return false }

// orObject gives a file without a value, be it empty or only comments, an empty object. The
// comments stay before it.
func orObject(text []byte, lax bool) ([]byte, error) {
	v, err := hujson.Parse(slices.Concat(text, []byte("\n{}")))
	object, ok := v.Value.(*hujson.Object)
	if err != nil || !ok || len(object.Members) > 0 || v.StartOffset != len(text)+1 {
		return text, nil //nolint:nilerr // it holds a value; decode says what is wrong with it
	}
	if len(bytes.TrimSpace(text)) == 0 {
		return []byte("{}\n"), nil
	}
	if !lax {
		return nil, errors.New("not JSON: it holds only comments, which this client can't read; delete them")
	}
	newline := newlineOf(text)
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(bytes.Clone(text), newline...)
	}
	return append(bytes.Clone(text), "{}"+newline...), nil
}

// decode reads a file whose root is an object. Repeated names are refused: an edit would
// have to guess which of the two counts.
func (f jsonFile) decode(text []byte) (map[string]any, error) {
	text, err := orObject(text, f.lax)
	if err != nil {
		return nil, err
	}
	v, err := hujson.Parse(bytes.Clone(text)) // Standardize writes over what was parsed
	if err != nil {
		return nil, errors.New("not JSON: " + strings.TrimPrefix(err.Error(), "hujson: ") + correct)
	}
	if !f.lax && !v.IsStandard() {
		return nil, errors.New("not JSON: it has comments or commas before closing brackets, which this client can't read" + correct)
	}
	for value := range v.All() {
		obj, ok := value.Value.(*hujson.Object)
		if !ok {
			continue
		}
		seen := map[string]bool{}
		for _, m := range obj.Members {
			key := m.Name.Value.(hujson.Literal).String()
			if seen[key] {
				return nil, fmt.Errorf("the member name %q is repeated; delete one of the two", key)
			}
			seen[key] = true
		}
	}
	v.Standardize()
	dec := json.NewDecoder(bytes.NewReader(v.Pack()))
	dec.UseNumber()
	var root any
	if err := dec.Decode(&root); err != nil {
		return nil, fmt.Errorf("not JSON: %w%s", err, correct)
	}
	object, ok := root.(map[string]any)
	if !ok {
		return nil, errors.New("it holds no object" + correct)
	}
	return object, nil
}

// change makes the edit: unwanted members go, others get their new value, missing ones are
// inserted at the end of their object.
func (f jsonFile) change(text []byte, path []string, has map[string]any, want []member, drop []string) ([]byte, error) {
	text, err := orObject(text, f.lax)
	if err != nil {
		return nil, err
	}
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	pointer := pointerTo(path)
	type op struct {
		Op    string `json:"op"`
		Path  string `json:"path"`
		Value any    `json:"value,omitempty"`
	}
	var ops []op
	for _, name := range drop {
		if _, ok := has[name]; ok {
			ops = append(ops, op{"remove", pointer + "/" + name, nil})
		}
	}
	var missing []member
	for _, m := range want {
		old, ok := has[m.name]
		switch {
		case !ok:
			missing = append(missing, m)
		case !reflect.DeepEqual(old, m.data()):
			ops = append(ops, op{"replace", pointer + "/" + m.name, m.value})
		}
	}
	patch, err := json.Marshal(ops)
	if err != nil {
		return nil, err
	}
	if len(ops) > 0 {
		if err := v.Patch(patch); err != nil {
			return nil, err
		}
		text = v.Pack()
	}
	// The deepest object that is there takes the rest, as one member each or, where the
	// entry or its section is missing, as a single one with everything inside.
	depth := len(path)
	for v.Find(pointerTo(path[:depth])) == nil {
		depth--
	}
	for _, m := range nested(path[depth:], missing) {
		if text, err = insert(text, path[:depth], m); err != nil {
			return nil, err
		}
	}
	return text, nil
}

// pointerTo is the JSON Pointer of a path (RFC 6901, section 3).
func pointerTo(path []string) string {
	pointer := ""
	for _, name := range path {
		pointer += "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	return pointer
}

// MarshalJSON implements json.Marshaler.
func (o object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	b.WriteByte('{')
	for i, m := range o {
		if i > 0 {
			b.WriteByte(',')
		}
		if err := enc.Encode(m.name); err != nil {
			return nil, err
		}
		b.WriteByte(':')
		if err := enc.Encode(m.value); err != nil {
			return nil, err
		}
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// insert puts a member at the end of the object at path, in the style of its surroundings:
// with their indentation and line ends, on one line where the object stands on one, and
// with a comma after it where the last member had one.
func insert(text []byte, path []string, m member) ([]byte, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	top, at := &v, &v
	for _, name := range path {
		obj := at.Value.(*hujson.Object)
		for i := range obj.Members {
			if obj.Members[i].Name.Value.(hujson.Literal).String() == name {
				at = &obj.Members[i].Value
				break
			}
		}
	}
	obj := at.Value.(*hujson.Object)
	open, closing := at.StartOffset, at.EndOffset-1
	unit := indentOfFirst(text, top.Value.(*hujson.Object))
	if unit == "" {
		unit = "  "
	}
	outer := lineIndent(text, open)
	inner := indentOfFirst(text, obj)
	if inner == "" {
		inner = outer + unit
	}
	oneLine := len(obj.Members) > 0 && !bytes.ContainsRune(text[open:closing], '\n')

	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if !oneLine {
		enc.SetIndent(inner, unit)
	}
	if err := enc.Encode(m.value); err != nil {
		return nil, err
	}
	name, err := json.Marshal(m.name)
	if err != nil {
		return nil, err
	}
	line := string(name) + ": " + strings.TrimRight(b.String(), "\n")

	// The comma follows the last value; the member follows what comments come after it.
	last, comma, trailing := open+1, "", ""
	if n := len(obj.Members); n > 0 {
		value := obj.Members[n-1].Value
		last = value.EndOffset
		if value.AfterExtra == nil { // so hujson says that no comma follows
			comma = ","
		} else {
			trailing = ","
		}
	}
	rest := text[last:closing]
	comments := bytes.TrimRight(rest, " \t\r\n")
	lead, tail := "\n"+inner, "\n"+outer
	if oneLine {
		lead, tail = " ", string(rest[len(comments):])
	}
	added := lead + line + trailing + tail
	if bytes.Contains(text, []byte("\r\n")) {
		added = strings.ReplaceAll(added, "\n", "\r\n")
	}
	var out []byte
	out = append(out, text[:last]...)
	out = append(out, comma...)
	out = append(out, comments...)
	out = append(out, added...)
	return append(out, text[closing:]...), nil
}

// cut takes a member out, with its comma or, at the end, the one before.
func (jsonFile) cut(text []byte, path []string) ([]byte, error) {
	v, err := hujson.Parse(text)
	if err != nil {
		return nil, err
	}
	value := v.Find(pointerTo(path[:len(path)-1]))
	if value == nil {
		return nil, errUnsafe
	}
	members := value.Value.(*hujson.Object).Members
	i := slices.IndexFunc(members, func(m hujson.ObjectMember) bool {
		return m.Name.Value.(hujson.Literal).String() == path[len(path)-1]
	})
	if i < 0 {
		return nil, errUnsafe
	}
	comma := func(m hujson.ObjectMember) int { return m.Value.EndOffset + len(m.Value.AfterExtra) }
	last := i == len(members)-1
	start, end := members[i].Name.StartOffset, members[i].Value.EndOffset
	if !last || members[i].Value.AfterExtra != nil {
		end = comma(members[i]) + 1
	}
	// The space before goes with the member, unless a line comment needs its line end.
	before := len(bytes.TrimRight(text[:start], " \t\r\n"))
	after := bytes.TrimLeft(text[end:], " \t\r")
	if !bytes.Contains(text[before:start], []byte("\n")) || bytes.HasPrefix(after, []byte("\n")) {
		start = before
	}
	head := text[:start]
	if last && i > 0 && members[i].Value.AfterExtra == nil {
		at := comma(members[i-1])
		head = slices.Concat(text[:at], text[at+1:start])
	}
	out := slices.Concat(head, text[end:])
	if len(members) > 1 {
		return out, nil
	}
	open, closing := value.StartOffset, value.EndOffset-1-(len(text)-len(out))
	if len(bytes.TrimSpace(out[open+1:closing])) == 0 {
		out = slices.Concat(out[:open+1], out[closing:])
	}
	return out, nil
}

// lineIndent is the white space at the start of the line of an offset.
func lineIndent(text []byte, offset int) string {
	line := text[bytes.LastIndexByte(text[:offset], '\n')+1 : offset]
	return string(line[:len(line)-len(bytes.TrimLeft(line, " \t"))])
}

// indentOfFirst is the indentation of an object's first member, or "" where it stands on
// the line of the brace.
func indentOfFirst(text []byte, obj *hujson.Object) string {
	if len(obj.Members) == 0 {
		return ""
	}
	at := obj.Members[0].Name.StartOffset
	indent := lineIndent(text, at)
	if start := at - len(indent); start == 0 || text[start-1] != '\n' {
		return ""
	}
	return indent
}
