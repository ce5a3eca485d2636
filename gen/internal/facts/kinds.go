package facts

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Kinds is a set of kinds of JSON value. Numbers with and without a fractional part are told apart.
type Kinds uint8

// The kinds of an instance.
const (
	Null Kinds = 1 << iota
	Boolean
	Integer  // numbers without a fractional part
	Fraction // the other numbers
	String
	Array
	Object

	Number = Integer | Fraction
	Any    = Null | Boolean | Number | String | Array | Object
)

// kindNames are the kinds by the names that the keyword type has for them, in the order in which
// people are told of them.
var kindNames = []struct {
	kinds Kinds
	name  string
}{
	{Null, "null"},
	{Boolean, "boolean"},
	{Number, "number"},
	{Integer, "integer"},
	{String, "string"},
	{Array, "array"},
	{Object, "object"},
}

// KindsNamed are the kinds of a name that the keyword type knows; draft 3 has one for all.
func KindsNamed(name string) Kinds {
	if name == "any" {
		return Any
	}
	for _, known := range kindNames {
		if known.name == name {
			return known.kinds
		}
	}
	return 0
}

// Names lists the kinds by their JSON Schema names.
func (k Kinds) Names() []string {
	var names []string
	for _, known := range kindNames {
		if known.kinds&k == known.kinds && !(known.kinds == Integer && k&Fraction != 0) {
			names = append(names, known.name)
		}
	}
	return names
}

// One reports whether the set is exactly one JSON type; integer counts as a number.
func (k Kinds) One() bool {
	return k != 0 && (k&^Number == 0 || k&(k-1) == 0)
}

// TypeKinds are the kinds that the value of the keyword type at token v allows.
func TypeKinds(t *jsontape.Tape, v int) Kinds {
	if t.Tokens[v].Kind == jsontape.String {
		return KindsNamed(t.Str(v))
	}
	allowed := Kinds(0)
	for e := range Elements(t, v) {
		allowed |= KindsNamed(t.Str(e))
	}
	return allowed
}

// EnumKinds are the kinds of the values that the enum at token v lists.
func EnumKinds(t *jsontape.Tape, v int) Kinds {
	allowed := Kinds(0)
	for e := range Elements(t, v) {
		allowed |= KindOf(t, e)
	}
	return allowed
}

// KindOf is the kind of the value at token v.
func KindOf(t *jsontape.Tape, v int) Kinds {
	switch t.Tokens[v].Kind {
	case jsontape.Null:
		return Null
	case jsontape.False, jsontape.True:
		return Boolean
	case jsontape.Number:
		if jsonrt.IsInteger(t.Bytes(v)) {
			return Integer
		}
		return Fraction
	case jsontape.String:
		return String
	case jsontape.Array:
		return Array
	case jsontape.Object:
		return Object
	case jsontape.Invalid:
	}
	return Any
}

// Elements gives the tokens of an array's elements; nothing for a value of another kind.
func Elements(t *jsontape.Tape, v int) func(yield func(int) bool) {
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

// possibleKinds works out, for every schema, which kinds a valid value can have. It errs on
// the side of more: it starts from all kinds and takes away what type, enum, const and the
// references and branches rule out, until nothing changes. The result is the greatest fixed
// point, so it does not depend on the order of the schemas.
func possibleKinds(list []*load.Schema, fixed map[*load.Keyword]bool) map[*load.Schema]Kinds {
	possible := make(map[*load.Schema]Kinds, len(list))
	for _, s := range list {
		possible[s] = Any
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
func narrowed(s *load.Schema, possible map[*load.Schema]Kinds, fixed map[*load.Keyword]bool) Kinds {
	if s.Bool != nil {
		if *s.Bool {
			return Any
		}
		return 0
	}
	of := func(s *load.Schema) Kinds {
		if k, known := possible[s]; known {
			return k
		}
		return Any
	}
	result := Any
	for i := range s.Keywords {
		k := &s.Keywords[i]
		switch k.Go {
		case load.GoKind:
			result &= TypeKinds(&s.File.Tape, k.Value)
		case load.GoConst:
			result &= KindOf(&s.File.Tape, k.Value)
		case load.GoEnum:
			result &= EnumKinds(&s.File.Tape, k.Value)
		case load.GoRef, load.GoDynamicRef:
			if k.Target != nil && (k.Go == load.GoRef || fixed[k]) {
				result &= of(k.Target)
			}
		case load.GoAll:
			for _, sub := range k.Schemas {
				result &= of(sub)
			}
		case load.GoUnion:
			allowed := Kinds(0)
			for _, sub := range k.Schemas {
				allowed |= of(sub)
			}
			result &= allowed
		default: // the others rule out no kind
		}
	}
	return result
}
