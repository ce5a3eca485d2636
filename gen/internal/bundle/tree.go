package bundle

import (
	"maps"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// object is a JSON object whose members are in order. Values are *object, []any or raw.
type object struct {
	names  []string
	values map[string]any
}

// raw is the text of a value that is no object and no array.
type raw string

func newObject() *object { return &object{values: map[string]any{}} }

// tree reads the value at token i.
func tree(t *jsontape.Tape, i int) any {
	switch t.Tokens[i].Kind {
	case jsontape.Object:
		o := newObject()
		for k := i + 1; k < t.Next(i); k = t.Next(k + 1) {
			o.set(t.Str(k), tree(t, k+1))
		}
		return o
	case jsontape.Array:
		list := []any{}
		for k := i + 1; k < t.Next(i); k = t.Next(k) {
			list = append(list, tree(t, k))
		}
		return list
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.String:
	}
	return raw(t.Bytes(i))
}

// set adds a member or replaces its value.
func (o *object) set(name string, value any) {
	if _, ok := o.values[name]; !ok {
		o.names = append(o.names, name)
	}
	o.values[name] = value
}

// copied is an object with the same members.
func (o *object) copied() *object {
	return &object{slices.Clone(o.names), maps.Clone(o.values)}
}

// sub is a member that is an object, nil if there is none.
func (o *object) sub(name string) *object {
	s, _ := o.values[name].(*object)
	return s
}

// list is a member that is an array, nil if there is none.
func (o *object) list(name string) []any {
	l, _ := o.values[name].([]any)
	return l
}

// print appends the text of a value.
func print(b *strings.Builder, v any) {
	switch v := v.(type) {
	case raw:
		b.WriteString(string(v))
	case []any:
		b.WriteByte('[')
		for i, e := range v {
			if i > 0 {
				b.WriteByte(',')
			}
			print(b, e)
		}
		b.WriteByte(']')
	case *object:
		b.WriteByte('{')
		for i, name := range v.names {
			if i > 0 {
				b.WriteByte(',')
			}
			b.Write(jsontape.AppendQuoted(nil, name))
			b.WriteByte(':')
			print(b, v.values[name])
		}
		b.WriteByte('}')
	}
}

// size is about how many bytes print appends. It stops counting beyond most.
func size(v any, most int) int {
	n := 2
	switch v := v.(type) {
	case raw:
		return len(v)
	case []any:
		for i := 0; i < len(v) && n <= most; i++ {
			n += 1 + size(v[i], most-n)
		}
	case *object:
		for i := 0; i < len(v.names) && n <= most; i++ {
			n += len(v.names[i]) + 4 + size(v.values[v.names[i]], most-n)
		}
	}
	return n
}

// quoted is a string as a value.
func quoted(s string) raw { return raw(jsontape.AppendQuoted(nil, s)) }

// pointerOf is the pointer of a reference "#…", "" where it is none.
func pointerOf(ref raw) string {
	text := string(jsontape.AppendUnquoted(nil, []byte(ref)))
	pointer, ok := strings.CutPrefix(text, "#")
	if !ok {
		return ""
	}
	pointer, ok = unescape(pointer)
	if !ok {
		return ""
	}
	return pointer
}

// unescapeToken is the name that a part of a pointer stands for. (RFC 6901, section 4)
func unescapeToken(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~1", "/"), "~0", "~")
}

// escapeToken is a name as a part of a pointer.
func escapeToken(name string) string {
	return string(jsontape.AppendPointerToken(nil, name))[1:]
}

// at is the value that a reference "#…" leads to.
func at(root any, ref raw) (any, bool) {
	text := string(jsontape.AppendUnquoted(nil, []byte(ref)))
	pointer := pointerOf(ref)
	if text != "#" && (pointer == "" || pointer[0] != '/') {
		return nil, false
	}
	value := root
	for _, name := range strings.Split(pointer, "/")[1:] {
		name = unescapeToken(name)
		o, ok := value.(*object)
		if list, isList := value.([]any); isList {
			i := index(name)
			if i < 0 || i >= len(list) {
				return nil, false
			}
			value = list[i]
			continue
		}
		if !ok {
			return nil, false
		}
		if value, ok = o.values[name]; !ok {
			return nil, false
		}
	}
	return value, true
}
