package bundle

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// flatten takes compositions from the root and gives it type and properties.
func (m *modern) flatten(root *object) {
	// A root that is nothing but a reference is what it refers to.
	for range 8 {
		ref, ok := root.values["$ref"].(raw)
		if !ok || slices.ContainsFunc(root.names, func(n string) bool {
			return !slices.Contains([]string{"$ref", "$defs", "definitions", "title", "description", "$comment", "default", "examples"}, n)
		}) {
			break
		}
		target, _ := at(root, ref)
		o, ok := target.(*object)
		if !ok || o == root {
			break
		}
		drop(root, "$ref")
		for _, name := range o.names {
			if _, taken := root.values[name]; !taken {
				root.set(name, o.values[name])
			}
		}
	}
	if slices.ContainsFunc(root.names, func(n string) bool { return slices.Contains(compositions, n) }) {
		m.weaker, m.flat = true, true
		f := m.fields(root, root, 0)
		for _, name := range append([]string{"unevaluatedProperties", "properties", "required"}, compositions...) {
			drop(root, name)
		}
		root.set("properties", f.properties)
		if len(f.required) > 0 {
			required := []any{}
			for _, name := range f.required {
				required = append(required, quoted(name))
			}
			root.set("required", required)
		}
	}
	if m.weaker {
		description := simplified
		if own, ok := root.values["description"].(raw); ok {
			description = string(jsontape.AppendUnquoted(nil, []byte(own))) + "\n\n" + simplified
		}
		root.set("description", quoted(description))
	}
	root.set("type", raw(`"object"`))
	if root.sub("properties") == nil {
		root.set("properties", newObject())
	}
}

// fields is what a schema says of the members of an object.
type fields struct {
	properties *object
	required   []string
	closed     bool // there are no members beside properties
}

// maxFlat is how deep compositions at a root are looked into, and maxLooked how many schemas
// are: there may be 2^n ways to one.
const (
	maxFlat   = 16
	maxLooked = 1000
)

// fields finds the members that a schema and its compositions name: every object that
// satisfies the schema satisfies what is found, too.
func (m *modern) fields(root, s *object, depth int) fields {
	f := fields{properties: newObject()}
	if m.looked++; depth > maxFlat || m.looked > maxLooked {
		return f
	}
	f.closed = s.values["additionalProperties"] == raw("false") && s.sub("patternProperties") == nil
	if p := s.sub("properties"); p != nil {
		for _, name := range p.names {
			f.properties.set(name, p.values[name])
		}
	}
	for _, r := range s.list("required") {
		if text, ok := r.(raw); ok {
			f.required = append(f.required, string(jsontape.AppendUnquoted(nil, []byte(text))))
		}
	}
	var parts []fields
	if ref, ok := s.values["$ref"].(raw); ok {
		if target, _ := at(root, ref); target != nil {
			parts = append(parts, m.branch(root, target, depth))
		}
	}
	for _, part := range s.list("allOf") {
		parts = append(parts, m.branch(root, part, depth))
	}
	for _, name := range []string{"anyOf", "oneOf"} {
		if list := s.list(name); len(list) > 0 {
			parts = append(parts, m.either(root, list, depth))
		}
	}
	for _, p := range parts {
		f = both(f, p)
	}
	return f
}

func (m *modern) branch(root *object, s any, depth int) fields {
	if o, ok := s.(*object); ok {
		return m.fields(root, o, depth+1)
	}
	return fields{properties: newObject()}
}

// both is what holds where a and b do.
func both(a, b fields) fields {
	for _, name := range b.properties.names {
		value := b.properties.values[name]
		if own, ok := a.properties.values[name]; ok {
			var x, y strings.Builder
			print(&x, own)
			print(&y, value)
			if x.String() == y.String() {
				continue
			}
			all := newObject()
			all.set("allOf", []any{own, value})
			value = all
		}
		a.properties.set(name, value)
	}
	for _, name := range b.required {
		if !slices.Contains(a.required, name) {
			a.required = append(a.required, name)
		}
	}
	a.closed = a.closed || b.closed
	return a
}

// either is what holds where at least one of the schemas does: a member is one of what they
// allow it, or anything where one of them does not speak of it.
func (m *modern) either(root *object, list []any, depth int) fields {
	out := fields{properties: newObject(), closed: true}
	var branches []fields
	for i, s := range list {
		b := m.branch(root, s, depth)
		branches = append(branches, b)
		out.closed = out.closed && b.closed
		if i == 0 {
			out.required = slices.Clone(b.required)
		}
		out.required = slices.DeleteFunc(out.required, func(n string) bool { return !slices.Contains(b.required, n) })
	}
	for _, named := range branches {
		for _, name := range named.properties.names {
			if _, done := out.properties.values[name]; !done {
				out.properties.set(name, choice(name, branches))
			}
		}
	}
	return out
}

// choice is what the branches together allow a member to be.
func choice(name string, branches []fields) any {
	options, seen := []any{}, map[string]bool{}
	for _, b := range branches {
		value, ok := b.properties.values[name]
		if !ok && b.closed {
			continue
		}
		if !ok {
			anything := newObject()
			anything.set("type", []any{raw(`"object"`), raw(`"array"`), raw(`"string"`), raw(`"number"`), raw(`"boolean"`), raw(`"null"`)})
			anything.set("items", newObject())
			return anything
		}
		var text strings.Builder
		print(&text, value)
		if !seen[text.String()] {
			seen[text.String()] = true
			options = append(options, value)
		}
	}
	if len(options) == 1 {
		return options[0]
	}
	out := newObject()
	out.set("anyOf", options)
	return out
}

// refs are the references in a schema.
func (m *modern) refs(v any, found []raw) []raw {
	s, ok := v.(*object)
	if !ok {
		return found
	}
	for _, name := range s.names {
		switch value := s.values[name].(type) {
		case raw:
			if name == "$ref" {
				found = append(found, value)
			}
		case []any:
			if load.Known(name).Shape == load.List {
				for _, inner := range value {
					found = m.refs(inner, found)
				}
			}
		case *object:
			if load.Known(name).Shape == load.Map {
				for _, inner := range value.values {
					found = m.refs(inner, found)
				}
			} else if load.Known(name).Shape == load.One {
				found = m.refs(value, found)
			}
		}
	}
	return found
}

// rename says of parameters whose names some API refuses the same by a pattern that nothing but
// the name matches. A parameter that is required stays, for a model must know its name.
func rename(root *object) {
	properties, required := root.sub("properties"), root.list("required")
	for _, name := range slices.Clone(properties.names) {
		if modelapi.TakesProperty(name) || slices.Contains(required, any(quoted(name))) {
			continue
		}
		patterns := root.sub("patternProperties")
		if patterns == nil {
			patterns = newObject()
		}
		patterns, pattern, value := patterns.copied(), "^"+literal.Replace(name)+"$", properties.values[name]
		if other, taken := patterns.values[pattern]; taken {
			all := newObject()
			all.set("allOf", []any{other, value})
			value = all
		}
		patterns.set(pattern, value)
		root.set("patternProperties", patterns)
		drop(properties, name)
	}
}

// literal makes of a name the regular expression that matches it.
var literal = strings.NewReplacer(`\`, `\\`, `^`, `\^`, `$`, `\$`, `.`, `\.`, `*`, `\*`, `+`, `\+`, `?`, `\?`,
	`(`, `\(`, `)`, `\)`, `[`, `\[`, `]`, `\]`, `{`, `\{`, `}`, `\}`, `|`, `\|`)

// maxSpread is how long the text of what a parameter refers to may be to be written in the
// reference's place, in bytes: a model is sent it once for each.
const maxSpread = 2000

// spread writes what a parameter, or each element of one, refers to in the reference's place,
// where that is all that stands there: some clients don't resolve it, and their models don't
// see what the parameter is. References further inside stay, and recursion with them;
// definitions that nothing refers to any more go.
func (m *modern) spread(root *object) {
	if root.sub("properties") == nil {
		return
	}
	properties := root.sub("properties").copied() // a definition may have the same ones
	root.set("properties", properties)
	var written []string
	for _, name := range properties.names {
		if target, ref := referred(root, properties.values[name]); target != nil {
			properties.set(name, target)
			written = append(written, ref)
		}
		parameter := properties.sub(name)
		if parameter == nil {
			continue
		}
		if target, ref := referred(root, parameter.values["items"]); target != nil {
			parameter = parameter.copied() // what it was copied from may be referred to elsewhere
			parameter.set("items", target)
			properties.set(name, parameter)
			written = append(written, ref)
		}
	}
	for _, keyword := range []string{"$defs", "definitions"} {
		if definitions := root.sub(keyword); definitions != nil {
			m.prune(root, definitions, "/"+keyword+"/", written)
			if len(definitions.names) == 0 {
				drop(root, keyword)
			}
		}
	}
}

// prune takes out those definitions that were written in place of references, by these
// pointers, to which nothing that stays refers any more.
func (m *modern) prune(root, definitions *object, prefix string, written []string) {
	gone := map[string]any{}
	for _, pointer := range written {
		if name, ok := definition(pointer, prefix); ok && prefix+escapeToken(name) == pointer {
			gone[name] = definitions.values[name]
		}
	}
	for name := range gone {
		delete(definitions.values, name)
	}
	for refs := m.refs(root, nil); len(refs) > 0; refs = refs[1:] {
		name, ok := definition(pointerOf(refs[0]), prefix)
		if value, isGone := gone[name]; ok && isGone {
			delete(gone, name)
			definitions.values[name] = value
			refs = m.refs(value, refs)
		}
	}
	definitions.names = slices.DeleteFunc(definitions.names, func(n string) bool { return gone[n] != nil })
}

// definition is the name of the definition that a pointer leads to or into.
func definition(pointer, prefix string) (name string, ok bool) {
	rest, ok := strings.CutPrefix(pointer, prefix)
	token, _, _ := strings.Cut(rest, "/")
	return unescapeToken(token), ok
}

// referred is the schema that one refers to that has nothing but $ref, with the pointer to it;
// nil if it isn't one or is too long. Schemas with anchors are none: an anchor stands once.
func referred(root *object, v any) (target *object, pointer string) {
	s, ok := v.(*object)
	if !ok || len(s.names) > 1 {
		return nil, ""
	}
	ref, ok := s.values["$ref"].(raw)
	if !ok {
		return nil, ""
	}
	found, _ := at(root, ref)
	target, ok = found.(*object)
	if !ok || target == root || target.values["$ref"] != nil || somewhere(target, positive, hasAnchor) {
		return nil, ""
	}
	if size(target, maxSpread) > maxSpread {
		return nil, ""
	}
	return target, pointerOf(ref)
}

func hasAnchor(o *object, _ place) bool {
	return o.values["$anchor"] != nil || o.values["$dynamicAnchor"] != nil || o.values["$dynamicRef"] != nil
}

// drop takes a member out.
func drop(o *object, name string) {
	delete(o.values, name)
	o.names = slices.DeleteFunc(o.names, func(n string) bool { return n == name })
}

func unescape(s string) (string, bool) {
	text, err := url.PathUnescape(s)
	return text, err == nil
}

// index is a name as an index into an array, -1 if it is none.
func index(name string) int {
	n, err := strconv.Atoi(name)
	if err != nil {
		return -1
	}
	return n
}
