package types

import (
	"maps"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// kinds is a set of kinds of JSON value.
type kinds uint8

const (
	null kinds = 1 << iota
	boolean
	integer  // numbers without a fractional part
	fraction // the other numbers
	text
	array
	object

	number   = integer | fraction
	anything = null | boolean | number | text | array | object
)

// one reports whether the set is exactly one JSON type; integer counts as a number.
func (k kinds) one() bool {
	return k != 0 && (k&^number == 0 || k&(k-1) == 0)
}

// kindNames gives the kinds of each name that the keyword type knows.
var kindNames = map[string]kinds{
	"any": anything, "null": null, "boolean": boolean, "integer": integer, "number": number, "string": text, "array": array, "object": object,
}

// words names the kinds as JSON Schema does, for comments.
func (k kinds) words() []string {
	var words []string
	for _, name := range []string{"null", "boolean", "string", "array", "object"} {
		if k&kindNames[name] != 0 {
			words = append(words, name)
		}
	}
	if k&fraction != 0 {
		words = append(words, "number")
	} else if k&integer != 0 {
		words = append(words, "integer")
	}
	return words
}

// reachable lists every schema that can be applied from the messages, in a fixed order.
func reachable(messages ...*load.Message) []*load.Schema {
	var list []*load.Schema
	seen := map[*load.Schema]bool{}
	var visit func(*load.Schema)
	visit = func(s *load.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		list = append(list, s)
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if !k.Applies() {
				continue
			}
			visit(k.Target)
			for _, sub := range k.Schemas {
				visit(sub)
			}
		}
		for _, name := range slices.Sorted(maps.Keys(s.Resource.Dynamic)) {
			visit(s.Resource.Dynamic[name])
		}
	}
	for _, m := range messages {
		visit(m.Schema)
	}
	return list
}

// possibleKinds works out, for every schema, which kinds a valid value can have. It errs on
// the side of more: it starts from all kinds and takes away what type, enum, const and the
// references and branches rule out, until nothing changes. The result is the greatest fixed
// point, so it does not depend on the order of the schemas.
func possibleKinds(list []*load.Schema, fixed map[*load.Keyword]bool) map[*load.Schema]kinds {
	possible := make(map[*load.Schema]kinds, len(list))
	for _, s := range list {
		possible[s] = anything
	}
	for changed := true; changed; {
		changed = false
		// Backwards, because subschemas mostly come after the schema that they belong to.
		for i := len(list) - 1; i >= 0; i-- {
			if k := narrowed(list[i], possible, fixed); k != possible[list[i]] {
				possible[list[i]] = k
				changed = true
			}
		}
	}
	return possible
}

// narrowed is one step of possibleKinds for one schema.
func narrowed(s *load.Schema, possible map[*load.Schema]kinds, fixed map[*load.Keyword]bool) kinds {
	if s.Bool != nil {
		if *s.Bool {
			return anything
		}
		return 0
	}
	of := func(s *load.Schema) kinds {
		if k, known := possible[s]; known {
			return k
		}
		return anything
	}
	result := anything
	for i := range s.Keywords {
		k := &s.Keywords[i]
		switch k.Go {
		case load.GoKind:
			result &= typeKinds(&s.File.Tape, k.Value)
		case load.GoConst:
			result &= valueKind(&s.File.Tape, k.Value)
		case load.GoEnum:
			result &= enumKinds(&s.File.Tape, k.Value)
		case load.GoRef, load.GoDynamicRef:
			if k.Target != nil && (k.Go == load.GoRef || fixed[k]) {
				result &= of(k.Target)
			}
		case load.GoAll:
			for _, sub := range k.Schemas {
				result &= of(sub)
			}
		case load.GoUnion:
			allowed := kinds(0)
			for _, sub := range k.Schemas {
				allowed |= of(sub)
			}
			result &= allowed
		default: // the others rule out no kind
		}
	}
	return result
}

// fixedReferences are the dynamic references that lead to the same schema in every dynamic
// scope of every message that reaches them.
func fixedReferences(g *load.Graph) map[*load.Keyword]bool {
	fixed := map[*load.Keyword]bool{}
	for _, m := range g.Messages {
		for k, is := range fixedWithin(reachable(m)) {
			before, known := fixed[k]
			fixed[k] = is && (before || !known)
		}
	}
	return fixed
}

// fixedWithin is fixedReferences for what one message reaches: a reference is fixed if its
// target is no dynamic anchor, or the only one of its name.
func fixedWithin(list []*load.Schema) map[*load.Keyword]bool {
	anchors := map[string]map[*load.Schema]bool{}
	note := func(name string, s *load.Schema) {
		if anchors[name] == nil {
			anchors[name] = map[*load.Schema]bool{}
		}
		anchors[name][s] = true
	}
	for _, s := range list {
		for name, target := range s.Resource.Dynamic {
			note(name, target)
		}
		if root := s.Resource.Root; root.IsRecursive() {
			note(load.RecursiveAnchor, root)
		}
	}
	fixed := map[*load.Keyword]bool{}
	for _, s := range list {
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if k.Target != nil && k.Go == load.GoDynamicRef {
				name := s.DynamicName(k)
				fixed[k] = name == "" || len(anchors[name]) == 1
			}
		}
	}
	return fixed
}

func typeKinds(t *jsontape.Tape, v int) kinds {
	if t.Tokens[v].Kind == jsontape.String {
		return kindNames[t.Str(v)]
	}
	allowed := kinds(0)
	for e := range elements(t, v) {
		allowed |= kindNames[t.Str(e)]
	}
	return allowed
}

func enumKinds(t *jsontape.Tape, v int) kinds {
	allowed := kinds(0)
	for e := range elements(t, v) {
		allowed |= valueKind(t, e)
	}
	return allowed
}

func valueKind(t *jsontape.Tape, v int) kinds {
	switch t.Tokens[v].Kind {
	case jsontape.Null:
		return null
	case jsontape.False, jsontape.True:
		return boolean
	case jsontape.Number:
		if jsonrt.IsInteger(t.Bytes(v)) {
			return integer
		}
		return fraction
	case jsontape.String:
		return text
	case jsontape.Array:
		return array
	case jsontape.Object:
		return object
	case jsontape.Invalid:
	}
	return anything
}

// elements gives the tokens of an array's elements; nothing for a value of another kind.
func elements(t *jsontape.Tape, v int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		if t.Tokens[v].Kind != jsontape.Array {
			return
		}
		for e := v + 1; e < t.Next(v); e = t.Next(e) {
			if !yield(e) {
				return
			}
		}
	}
}
