package runtimeschema

import (
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// holds says what the value of a keyword holds.
type holds uint8

const (
	data        holds = iota + 1 // nothing that is a schema
	schemas                      // a schema, or a list of them
	schemasByID                  // schemas by name
)

// keywords are the keywords of all dialects that Compile knows, draft-04 to 2020-12, and the one that
// MCP adds (specification 2026-07-28, "Custom headers from tool parameters").
var keywords = map[string]holds{
	"$schema": data, "$id": data, "id": data, "$ref": data, "$anchor": data, "$dynamicRef": data, "$dynamicAnchor": data,
	"$recursiveRef": data, "$recursiveAnchor": data, "$vocabulary": data, "$comment": data,
	"$defs": schemasByID, "definitions": schemasByID,

	"type": data, "enum": data, "const": data,
	"multipleOf": data, "maximum": data, "exclusiveMaximum": data, "minimum": data, "exclusiveMinimum": data,
	"maxLength": data, "minLength": data, "pattern": data, "format": data,
	"contentEncoding": data, "contentMediaType": data, "contentSchema": schemas,

	"items": schemas, "prefixItems": schemas, "additionalItems": schemas, "unevaluatedItems": schemas, "contains": schemas,
	"maxItems": data, "minItems": data, "uniqueItems": data, "maxContains": data, "minContains": data,

	"properties": schemasByID, "patternProperties": schemasByID, "additionalProperties": schemas, "unevaluatedProperties": schemas,
	"propertyNames": schemas, "maxProperties": data, "minProperties": data, "required": data,
	"dependencies": schemasByID, "dependentSchemas": schemasByID, "dependentRequired": data,

	"allOf": schemas, "anyOf": schemas, "oneOf": schemas, "not": schemas, "if": schemas, "then": schemas, "else": schemas,

	"title": data, "description": data, "default": data, "examples": data, "deprecated": data, "readOnly": data, "writeOnly": data,
	"x-mcp-header": data,
}

// Remark is something about a schema that a person may want to know.
type Remark struct {
	// Pointer leads to the place in the schema.
	Pointer string
	Message string
}

// maxRemarks bounds how many remarks a schema gets.
const maxRemarks = 20

// Remarks tells what of the schema says nothing, so that it is not checked: keywords and formats
// that no dialect has. They come in the order of the text, at most 20 and how many more there are.
func (k *Check) Remarks() []Remark {
	r := remarks{t: k.tape}
	r.schema(0)
	if more := len(r.found) - maxRemarks; more > 0 {
		r.found = append(r.found[:maxRemarks], Remark{Message: "and " + strconv.Itoa(more) + " more keywords or formats that are not checked"})
	}
	return r.found
}

type remarks struct {
	t     *jsontape.Tape
	found []Remark
}

// schema looks at the schema at token s, or at each of a list of them.
func (r *remarks) schema(s int) {
	t := r.t
	if t.Tokens[s].Kind == jsontape.Array {
		for i := s + 1; i < t.Next(s); i = t.Next(i) {
			r.schema(i)
		}
	}
	r.members(s, func(name string, value int) {
		switch keywords[name] {
		case schemas:
			r.schema(value)
		case schemasByID:
			r.members(value, func(_ string, part int) { r.schema(part) })
		case data:
			if name == "format" && t.Tokens[value].Kind == jsontape.String {
				if _, known := formats[t.Str(value)]; !known {
					r.found = append(r.found, Remark{t.Pointer(value), "the format " + quoted(t.Str(value)) + " is not known and not checked"})
				}
			}
		default:
			r.found = append(r.found, Remark{t.Pointer(value), "the keyword " + quoted(name) + " is not known and not checked"})
		}
	})
}

// members calls f for each member of the object at token o.
func (r *remarks) members(o int, f func(name string, value int)) {
	if r.t.Tokens[o].Kind != jsontape.Object {
		return
	}
	for i := o + 1; i < r.t.Next(o); i = r.t.Next(i + 1) {
		f(r.t.Str(i), i+1)
	}
}
