package load

import (
	"slices"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Shape says what the value of a keyword is, and where in it schemas stand.
type Shape uint8

// The shapes of keyword values. Those up to TextOrValues hold no schema.
const (
	Anything           Shape = iota
	Boolean                  // true or false
	Number                   // a number
	Text                     // a string
	Values                   // an array
	Members                  // an object
	TextOrValues             // a string or an array of strings
	Reference                // a URI reference to a schema
	One                      // a schema
	List                     // an array of schemas
	Map                      // an object of schemas
	OneOrList                // a schema or an array of schemas
	Dependencies             // an object of schemas or lists of names
	DependenciesOrName       // the same, where a name may stand for a list of one
	Types                    // the name of a type, or an array of names and schemas
	MapOfMaps                // an object of objects of schemas; Names holds the outer names
)

// HoldsSchemas reports whether schemas stand inside values of the shape.
func (s Shape) HoldsSchemas() bool { return s >= One }

// Keys is how many names or indexes lead from the keyword to each of its schemas.
func (s Shape) Keys() int {
	switch s {
	case List, Map, Dependencies, DependenciesOrName, Types:
		return 1
	case MapOfMaps:
		return 2
	default:
		return 0
	}
}

// takes reports whether a value of the kind has the shape.
func (s Shape) takes(kind jsontape.Kind) bool {
	is := func(kinds ...jsontape.Kind) bool { return slices.Contains(kinds, kind) }
	switch s {
	case Boolean:
		return is(jsontape.True, jsontape.False)
	case Number:
		return is(jsontape.Number)
	case Text, Reference:
		return is(jsontape.String)
	case Values, List:
		return is(jsontape.Array)
	case Members, Map, Dependencies, DependenciesOrName, MapOfMaps:
		return is(jsontape.Object)
	case TextOrValues, Types:
		return is(jsontape.String, jsontape.Array)
	case One:
		return is(jsontape.True, jsontape.False, jsontape.Object)
	case OneOrList:
		return is(jsontape.True, jsontape.False, jsontape.Object, jsontape.Array)
	case Anything:
	}
	return true
}

// fits reports whether the value at token tok has the shape, what stands inside it included where
// that tells the shape from another one of the same keyword.
func (s Shape) fits(t *jsontape.Tape, tok int) bool {
	kind := t.Tokens[tok].Kind
	if !s.takes(kind) {
		return false
	}
	var inside []jsontape.Kind
	switch {
	case s == TextOrValues && kind == jsontape.Array:
		inside = []jsontape.Kind{jsontape.String}
	case s == Types && kind == jsontape.Array:
		inside = []jsontape.Kind{jsontape.String, jsontape.Object}
	case s == Dependencies:
		inside = []jsontape.Kind{jsontape.Object, jsontape.True, jsontape.False, jsontape.Array}
	case s == DependenciesOrName:
		inside = []jsontape.Kind{jsontape.Object, jsontape.True, jsontape.False, jsontape.Array, jsontape.String}
	default:
		return true
	}
	for at := tok + 1; at < t.Next(tok); at = t.Next(at) {
		if kind == jsontape.Object {
			at++ // behind the name
		}
		if !slices.Contains(inside, t.Tokens[at].Kind) {
			return false
		}
	}
	return true
}

// subschemas reads the schemas inside a keyword's value. A value of another shape is left to
// the meta-schema check.
func (l *loader) subschemas(s *Schema, k *Keyword) {
	f, t := s.File, &s.File.Tape
	base := s.Pointer + string(jsontape.AppendPointerToken(nil, k.Name))
	kind := t.Tokens[k.Value].Kind
	one := func(tok int, pointer string) {
		k.Schemas = append(k.Schemas, l.schema(f, tok, pointer, s.Resource, s.Dialect))
	}
	isSchema := func(kind jsontape.Kind) bool {
		return kind == jsontape.Object || kind == jsontape.True || kind == jsontape.False
	}
	switch k.Shape {
	case Anything, Boolean, Number, Text, Values, Members, TextOrValues, Reference:
	case One:
		if isSchema(kind) {
			one(k.Value, base)
		}
	case OneOrList, List:
		if kind == jsontape.Array {
			end, i := t.Next(k.Value), 0
			for tok := k.Value + 1; tok < end; tok, i = t.Next(tok), i+1 {
				if isSchema(t.Tokens[tok].Kind) {
					one(tok, base+"/"+strconv.Itoa(i))
				}
			}
		} else if k.Shape == OneOrList && isSchema(kind) {
			one(k.Value, base)
		}
	case Map, Dependencies, DependenciesOrName:
		if kind != jsontape.Object {
			return
		}
		end := t.Next(k.Value)
		for key := k.Value + 1; key < end; key = t.Next(key + 1) {
			name := t.Str(key)
			switch kind := t.Tokens[key+1].Kind; {
			case isSchema(kind):
				k.Names = append(k.Names, name)
				one(key+1, base+string(jsontape.AppendPointerToken(nil, name)))
			case k.Shape == Dependencies && kind == jsontape.Array, k.Shape == DependenciesOrName && (kind == jsontape.Array || kind == jsontape.String):
				k.Names = append(k.Names, name)
				k.Schemas = append(k.Schemas, nil)
			}
		}
	case MapOfMaps:
		for key := k.Value + 1; kind == jsontape.Object && key < t.Next(k.Value); key = t.Next(key + 1) {
			if t.Tokens[key+1].Kind != jsontape.Object {
				continue
			}
			at := base + string(jsontape.AppendPointerToken(nil, t.Str(key)))
			for value := key + 2; value < t.Next(key+1); value = t.Next(value + 1) {
				if isSchema(t.Tokens[value+1].Kind) {
					k.Names = append(k.Names, t.Str(key))
					one(value+1, at+string(jsontape.AppendPointerToken(nil, t.Str(value))))
				}
			}
		}
	case Types:
		if kind == jsontape.Array {
			end, i := t.Next(k.Value), 0
			for tok := k.Value + 1; tok < end; tok, i = t.Next(tok), i+1 {
				k.Schemas = append(k.Schemas, l.typeSchema(s, tok, base+"/"+strconv.Itoa(i)))
			}
		} else {
			k.Schemas = append(k.Schemas, l.typeSchema(s, k.Value, base))
		}
		if !slices.ContainsFunc(k.Schemas, func(s *Schema) bool { return t.Tokens[s.Tok].Kind == jsontape.Object }) && k.Name == typeNames.Name {
			k.Spec, k.Schemas = typeNames, nil
		}
	}
}

// typeNames is what type is where it holds names alone.
var typeNames = Known("type")

// typeSchema is what stands among the names of types in draft 3: a schema, or a name, which is
// short for the schema that allows this type.
func (l *loader) typeSchema(s *Schema, tok int, pointer string) *Schema {
	if s.File.Tape.Tokens[tok].Kind == jsontape.Object {
		return l.schema(s.File, tok, pointer, s.Resource, s.Dialect)
	}
	return &Schema{
		File: s.File, Tok: tok, Pointer: pointer, Dialect: s.Dialect, Resource: s.Resource,
		Keywords: []Keyword{{Spec: typeNames, Key: tok, Value: tok}},
	}
}
