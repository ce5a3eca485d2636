package server

import (
	"encoding/json"
	"reflect"

	"github.com/invopop/jsonschema"
)

// listInput are the arguments of list_schemas: none.
type listInput struct{}

// getInput are the arguments of get_schema.
type getInput struct {
	SchemaID string `json:"schema_id" jsonschema:"minLength=1" jsonschema_description:"The id of the schema, as list_schemas gives it."`
}

// echoInput are the arguments of echo. The payload has every type and so is not constrained:
// the schema that schema_id names says what it must be.
type echoInput struct {
	SchemaID string          `json:"schema_id" jsonschema:"minLength=1" jsonschema_description:"The id of the schema that the payload satisfies, as list_schemas gives it; __schemaless__ for any payload."`
	Payload  json.RawMessage `json:"payload" jsonschema_description:"The message itself, as a JSON value that satisfies the schema: for most schemas an object such as {\"stage\":\"build\"}, not a string that holds JSON. It is returned unchanged."`
}

// anyType are all types of JSON value, object first. A property that may be anything says so:
// clients that choose by a property's type how to send a value send a string where there is
// none, and OpenAI's strict mode refuses a catalogue with such a property. OpenAI's API also
// refuses a catalogue in which an array says nothing of its items, so they are named as anything.
var anyType = []string{"object", "array", "string", "number", "boolean", "null"}

// anyValue reflects json.RawMessage, which holds any value, and nothing else.
func anyValue(t reflect.Type) *jsonschema.Schema {
	if t != reflect.TypeFor[json.RawMessage]() {
		return nil
	}
	return &jsonschema.Schema{Extras: map[string]any{"type": anyType, "items": map[string]any{}}}
}

// mustReflect reflects the JSON Schema of an envelope's type. The schema is written out in
// place and names no dialect: some clients know one dialect only, and this one uses nothing
// in which they differ. Members beyond those described are allowed, as the server ignores
// them. It panics on a type that can't be reflected, which is a mistake in this package.
func mustReflect(v any) json.RawMessage {
	reflector := jsonschema.Reflector{
		Anonymous:                 true,
		AllowAdditionalProperties: true,
		DoNotReference:            true,
		ExpandedStruct:            true,
		Mapper:                    anyValue,
	}
	schema := reflector.Reflect(v)
	schema.Version = ""
	if schema.Properties == nil {
		schema.Properties = jsonschema.NewProperties()
	}
	text, err := json.Marshal(schema)
	if err != nil {
		panic("reflecting a schema: " + err.Error()) //nolint:forbidigo // the type is one of this package
	}
	return text
}
