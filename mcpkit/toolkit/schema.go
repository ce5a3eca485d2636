package toolkit

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/runtimeschema"
)

// The sides of a tool.
const (
	sideInput  = "input"
	sideOutput = "output"
)

// side is the schema of one side of a tool, and the check that goes with it.
type side struct {
	// text is the schema that clients are told, nil for none.
	text json.RawMessage
	// schema checks. It is nil where nothing is checked.
	schema *jsonrt.Schema
}

var rawMessage = reflect.TypeFor[json.RawMessage]()

// newInput finds the schema of the arguments.
func (s *Server) newInput(t reflect.Type, d *definition) (*side, error) {
	switch {
	case d.inputSchema != nil:
		return newSide(d, sideInput, d.inputSchema)
	case t == rawMessage:
		return nil, d.errorAt(sideInput, "", "json.RawMessage says nothing about the arguments: give their schema with InputSchema")
	}
	return s.sideOf(t, d, sideInput)
}

// sideOf is the side with the schema of a Go type.
func (s *Server) sideOf(t reflect.Type, d *definition, name string) (*side, error) {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if schema := s.types[t]; schema != nil {
		text, err := finish(d, name, []byte(cmp.Or(schema.Bundle, schema.Source)))
		if err != nil {
			return nil, err
		}
		return &side{text: text, schema: schema}, nil
	}
	text, err := reflectSchema(t, d, name)
	if err != nil {
		return nil, err
	}
	return newSide(d, name, text)
}

// newSide compiles a schema.
func newSide(d *definition, name string, schema []byte) (*side, error) {
	compiled, err := compile(d, name, schema)
	if err != nil {
		return nil, err
	}
	text, err := finish(d, name, schema)
	if err != nil {
		return nil, err
	}
	return &side{text: text, schema: compiled}, nil
}

// compile makes a schema that checks.
func compile(d *definition, name string, schema []byte) (*jsonrt.Schema, error) {
	check, err := runtimeschema.Compile(schema)
	if fault := new(runtimeschema.SchemaError); errors.As(err, &fault) {
		return nil, d.errorAt(name, fault.Pointer, "%s", fault.Message)
	}
	if err != nil {
		return nil, err
	}
	return &jsonrt.Schema{ID: d.name + " " + name, Source: string(schema), Check: check.Run}, nil
}

// finish makes the text of a schema, which can be read, what clients expect: they look for "type"
// at the root, and some for "properties" of arguments. Both are added where the schema says so
// in other words, or leaves it open.
func finish(d *definition, name string, schema []byte) (json.RawMessage, error) {
	var t jsontape.Tape
	if err := t.Parse(schema, jsontape.Options{}); err != nil {
		return nil, d.errorAt(name, "", "the schema is not JSON: %v", err)
	}
	root := schemaText{&t}
	objects := root.objectsOnly(0, nil)
	var missing []byte
	switch kind := t.Tokens[0].Kind; {
	case kind == jsontape.False:
		return nil, d.errorAt(name, "", "the schema false allows nothing: no call could succeed")
	case name == sideInput && kind == jsontape.True:
		return json.RawMessage(`{"type":"object","properties":{}}`), nil
	case name == sideInput && root.excludesObjects():
		return nil, d.errorAt(name, "/type", `the root must have "type":"object": arguments are always an object`)
	case name == sideOutput && !objects && !d.anyRoot:
		return nil, d.errorAt(name, "", `the root must have "type":"object", as clients before protocol version 2026-07-28 expect: put the value into a member, or allow it with AnyRoot`)
	case kind != jsontape.Object:
		return bytes.Clone(schema), nil
	case (name == sideInput || objects) && t.Member(0, "type") < 0:
		missing = append(missing, `"type":"object"`...)
	}
	if name == sideInput {
		if i := t.Member(0, "type"); i > 0 && t.Tokens[i].Kind == jsontape.Array {
			return nil, d.errorAt(name, "/type", `"type" at the root must be the string "object": clients take no list there`)
		}
		if t.Member(0, "properties") < 0 {
			if missing != nil {
				missing = append(missing, ',')
			}
			missing = append(missing, `"properties":{}`...)
		}
	}
	if missing == nil {
		return bytes.Clone(schema), nil
	}
	if t.Len(0) > 0 {
		missing = append(missing, ',')
	}
	at := t.Tokens[0].Start + 1
	return json.RawMessage(string(schema[:at]) + string(missing) + string(schema[at:])), nil
}

// schemaText is the text of a schema.
type schemaText struct{ t *jsontape.Tape }

// excludesObjects reports whether the root has a type that no object has.
func (s schemaText) excludesObjects() bool {
	i := s.t.Member(0, "type")
	return s.t.Tokens[0].Kind == jsontape.Object && i > 0 && !s.hasType(i, "object")
}

// hasType reports whether the value of "type" at token i names a type.
func (s schemaText) hasType(i int, name string) bool {
	switch s.t.Tokens[i].Kind {
	case jsontape.String:
		return s.t.Str(i) == name
	case jsontape.Array:
		for c := i + 1; c < s.t.Next(i); c = s.t.Next(c) {
			if s.t.Tokens[c].Kind == jsontape.String && s.t.Str(c) == name {
				return true
			}
		}
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.Object:
	}
	return false
}

// objectsOnly reports whether the schema at token i, as far as it can be seen, allows nothing but
// objects. seen are the schemas that lead to this one.
func (s schemaText) objectsOnly(i int, seen []int) bool {
	t := s.t
	if t.Tokens[i].Kind != jsontape.Object || slices.Contains(seen, i) {
		return false
	}
	seen = append(seen, i)
	if k := t.Member(i, "type"); k > 0 && t.Tokens[k].Kind == jsontape.String && t.Str(k) == "object" {
		return true
	}
	if k := t.Member(i, "const"); k > 0 && t.Tokens[k].Kind == jsontape.Object {
		return true
	}
	if k := t.Member(i, "$ref"); k > 0 && t.Tokens[k].Kind == jsontape.String {
		if target := s.find(t.Str(k)); target >= 0 && s.objectsOnly(target, seen) {
			return true
		}
	}
	if k := t.Member(i, "allOf"); k > 0 && t.Tokens[k].Kind == jsontape.Array {
		for c := k + 1; c < t.Next(k); c = t.Next(c) {
			if s.objectsOnly(c, seen) {
				return true
			}
		}
	}
	for _, keyword := range []string{"anyOf", "oneOf"} {
		k := t.Member(i, keyword)
		if k < 0 || t.Tokens[k].Kind != jsontape.Array {
			continue
		}
		all := true
		for c := k + 1; c < t.Next(k); c = t.Next(c) {
			all = all && s.objectsOnly(c, seen)
		}
		if all {
			return true
		}
	}
	return false
}

// find is the token of the schema that a reference to a place in this text leads to, -1 if there
// is none.
func (s schemaText) find(reference string) int {
	return runtimeschema.Find(s.t, reference)
}

// quoted quotes text of an author for a message.
func quoted(s string) string { return string(jsontape.AppendQuoted(nil, s)) }
