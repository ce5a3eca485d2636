// Package example makes an example of a schema: one payload that the compiled check
// accepts. It looks at the schema's text as a person would who needs something to start
// from, and leaves the judgement to the check, so that what it returns is always valid.
//
// It tries a few ways (all members or only the required ones, the author's own examples or
// not, the first branch of an anyOf or the next) and takes the first that is accepted.
// Examples don't depend on time, chance or the order of anything but the schema.
package example

import (
	"cmp"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Limits of the search.
const (
	maxBytes    = 64 << 10 // of an example
	maxDepth    = 24       // of its arrays and objects
	maxOptional = 3        // depth below which optional members are left out
	maxBranches = 4        // branches of an anyOf that are tried
)

// Of makes an example of the schema. ok is false if none was found that the schema accepts.
// The same schema gets the same example every time.
func Of(schema *jsonrt.Schema) (payload []byte, ok bool) {
	var t jsontape.Tape
	if t.Parse([]byte(cmp.Or(schema.Bundle, schema.Source)), jsontape.Options{}) != nil {
		return nil, false
	}
	anchors, resources := findNames(&t)
	for branch := range maxBranches {
		for _, bare := range []bool{false, true} {
			for _, own := range []bool{true, false} {
				m := &maker{t: &t, anchors: anchors, resources: resources, branch: branch, bare: bare, own: own}
				m.value([]int{0}, 0, 0)
				if !m.failed && schema.Validate(m.out) == nil {
					return m.out, true
				}
			}
		}
	}
	return nil, false
}

// maker makes one attempt.
type maker struct {
	t         *jsontape.Tape
	anchors   map[string]int
	resources []int // schemas with an id of their own, in document order
	branch    int   // of every anyOf and oneOf, counted round
	bare      bool  // no optional members
	own       bool  // take what the author gives as example or default

	out    []byte
	failed bool
}

// findNames finds the schemas with a name, by name, and those whose name is an id.
func findNames(t *jsontape.Tape) (anchors map[string]int, resources []int) {
	anchors = map[string]int{}
	for i := range t.Tokens {
		if t.Tokens[i].Kind != jsontape.Object {
			continue
		}
		for _, name := range []string{"$anchor", "$dynamicAnchor", "$id"} {
			if v := t.Member(i, name); v > 0 && t.Tokens[v].Kind == jsontape.String {
				id := t.Str(v)
				anchors[strings.TrimPrefix(id, "#")] = i
				if name == "$id" && !strings.HasPrefix(id, "#") { // an anchor in draft 6 and 7
					resources = append(resources, i)
				}
			}
		}
	}
	return anchors, resources
}

// value appends a value that is to satisfy all the schemas at these tokens. nth tells the
// items of an array apart that must differ.
func (m *maker) value(schemas []int, depth, nth int) {
	if depth > maxDepth || len(m.out) > maxBytes {
		m.failed = true
		return
	}
	all := m.flatten(schemas)
	for _, name := range []string{"const", "enum"} {
		for _, s := range all {
			v := m.t.Member(s, name)
			if name == "enum" && v > 0 {
				v = m.element(v, nth+m.branch)
			}
			if v > 0 {
				m.out = append(m.out, m.t.Bytes(v)...)
				return
			}
		}
	}
	if m.own && m.given(all, nth) {
		return
	}
	switch kind := m.kind(all); kind {
	case "object":
		m.object(all, depth)
	case "array":
		m.array(all, depth)
	case "string":
		m.string(all, nth)
	case "integer", "number":
		m.number(all, nth, kind == "integer")
	case "boolean":
		m.out = append(m.out, []string{"true", "false"}[nth%2]...)
	default:
		m.out = append(m.out, kind...) // null
	}
}

// given appends what the author gives as an example, if anything.
func (m *maker) given(all []int, nth int) bool {
	for _, s := range all {
		if v := m.t.Member(s, "examples"); v > 0 && m.t.Tokens[v].Kind == jsontape.Array && m.t.Len(v) > 0 {
			m.out = append(m.out, m.t.Bytes(m.element(v, nth+m.branch))...)
			return true
		}
		if v := m.t.Member(s, "default"); v > 0 && nth == 0 {
			m.out = append(m.out, m.t.Bytes(v)...)
			return true
		}
	}
	return false
}

// element is the token of an array's nth element, counted round; -1 if there is none.
func (m *maker) element(array, nth int) int {
	if m.t.Tokens[array].Kind != jsontape.Array || m.t.Len(array) == 0 {
		return -1
	}
	i := array + 1
	for range nth % m.t.Len(array) {
		i = m.t.Next(i)
	}
	return i
}

// flatten lists the object schemas that the value has to satisfy: the given ones, what they
// refer to, the parts of their allOf, and a branch each of their anyOf, oneOf and if.
func (m *maker) flatten(schemas []int) []int {
	var all []int
	seen := map[int]bool{}
	var add func(s int)
	add = func(s int) {
		if s < 0 || seen[s] || m.t.Tokens[s].Kind != jsontape.Object {
			m.failed = m.failed || s >= 0 && m.t.Tokens[s].Kind == jsontape.False
			return
		}
		seen[s] = true
		all = append(all, s)
		for _, name := range []string{"$ref", "$dynamicRef", "$recursiveRef"} {
			if v := m.t.Member(s, name); v > 0 && m.t.Tokens[v].Kind == jsontape.String {
				add(m.resolve(s, m.t.Str(v)))
			}
		}
		if v := m.t.Member(s, "allOf"); v > 0 && m.t.Tokens[v].Kind == jsontape.Array {
			for i := v + 1; i < m.t.Next(v); i = m.t.Next(i) {
				add(i)
			}
		}
		for _, name := range []string{"anyOf", "oneOf"} {
			if v := m.t.Member(s, name); v > 0 {
				add(m.element(v, m.branch))
			}
		}
		// Half of the attempts satisfy the if and its then, the others the else.
		if v := m.t.Member(s, "if"); v > 0 {
			if m.branch%2 == 0 {
				add(v)
				add(m.t.Member(s, "then"))
			} else {
				add(m.t.Member(s, "else"))
			}
		}
	}
	for _, s := range schemas {
		add(s)
	}
	return all
}

// resolve finds what a reference in schema s leads to within the text, -1 if that can't be told.
func (m *maker) resolve(s int, ref string) int {
	fragment, ok := strings.CutPrefix(ref, "#")
	if !ok {
		fragment = ref
	}
	if pointer, err := unescape(fragment); err == nil && ok && (pointer == "" || pointer[0] == '/') {
		return m.t.Lookup(m.t.Pointer(m.resource(s)) + pointer)
	}
	if s, known := m.anchors[fragment]; known {
		return s
	}
	return -1
}

// resource is the innermost schema with an id around schema s: pointers in s begin there.
func (m *maker) resource(s int) int {
	innermost := 0
	for _, r := range m.resources {
		if r <= s && s < m.t.Next(r) {
			innermost = r
		}
	}
	return innermost
}

// kind is the type of the value to make: one that all schemas allow, else what their
// keywords are about.
func (m *maker) kind(all []int) string {
	allowed := map[string]int{}
	typed := 0
	var order []string
	for _, s := range all {
		v := m.t.Member(s, "type")
		if v < 0 {
			continue
		}
		typed++
		first, end := v, v+1
		if m.t.Tokens[v].Kind == jsontape.Array {
			first, end = v+1, m.t.Next(v)
		}
		for i := first; i < end; i = m.t.Next(i) {
			name := m.t.Str(i)
			order = append(order, name)
			if allowed[name]++; name == "number" {
				allowed["integer"]++
				order = append(order, "integer")
			}
		}
	}
	for _, name := range order {
		if typed > 0 && allowed[name] >= typed {
			return name
		}
	}
	for _, hint := range hints {
		for _, s := range all {
			if m.t.Member(s, hint.keyword) >= 0 {
				return hint.kind
			}
		}
	}
	return "string"
}

// hints are keywords that tell what type their author had in mind.
var hints = []struct{ keyword, kind string }{
	{"properties", "object"},
	{"required", "object"},
	{"patternProperties", "object"},
	{"minProperties", "object"},
	{"dependentRequired", "object"},
	{"items", "array"},
	{"prefixItems", "array"},
	{"minItems", "array"},
	{"contains", "array"},
	{"uniqueItems", "array"},
	{"pattern", "string"},
	{"format", "string"},
	{"minLength", "string"},
	{"maxLength", "string"},
	{"minimum", "number"},
	{"maximum", "number"},
	{"multipleOf", "number"},
	{"exclusiveMinimum", "number"},
	{"exclusiveMaximum", "number"},
	{"additionalProperties", "object"},
}
