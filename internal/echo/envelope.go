package echo

import "encoding/json"

// ListEnvelope is the answer of list_schemas, or a failure.
type ListEnvelope struct {
	Schemas []SchemaInfo `json:"schemas,omitempty" jsonschema_description:"The schemas, __schemaless__ first, then by id."`
	OK      *bool        `json:"ok,omitempty" jsonschema_description:"false when the call failed; error says why."`
	Error   *Error       `json:"error,omitempty"`
}

// SchemaInfo is one schema in a list.
type SchemaInfo struct {
	SchemaID    string `json:"schema_id" jsonschema_description:"The id that get_schema and echo take."`
	Title       string `json:"title,omitempty"`
	Description string `json:"description,omitempty"`
	Builtin     bool   `json:"builtin" jsonschema_description:"Always true: schemas are compiled into the server."`
}

// GetEnvelope is the answer of get_schema, or a failure.
type GetEnvelope struct {
	SchemaID    string          `json:"schema_id,omitempty"`
	Description string          `json:"description,omitempty"`
	Builtin     bool            `json:"builtin,omitempty"`
	Schema      json.RawMessage `json:"schema,omitempty" jsonschema_description:"The JSON Schema, member for member as its author wrote it; null for __schemaless__."`
	OK          *bool           `json:"ok,omitempty" jsonschema_description:"false when the call failed; error says why."`
	Error       *Error          `json:"error,omitempty"`
}

// EchoEnvelope is the answer of echo, or a failure.
type EchoEnvelope struct {
	OK       bool            `json:"ok" jsonschema_description:"Whether the payload was accepted."`
	SchemaID string          `json:"schema_id,omitempty"`
	Payload  json.RawMessage `json:"payload,omitempty" jsonschema_description:"The payload, byte for byte as it was sent; of a string that was unwrapped, the JSON that it held."`
	Error    *Error          `json:"error,omitempty"`
}

// Error says why a call failed.
type Error struct {
	Code     Code     `json:"code" jsonschema:"enum=INVALID_REQUEST,enum=SCHEMA_NOT_FOUND,enum=SCHEMA_VALIDATION_FAILED,enum=INVALID_SCHEMA_DEFINITION,enum=INTERNAL_ERROR"`
	Message  string   `json:"message" jsonschema_description:"What is wrong and what to do about it."`
	SchemaID string   `json:"schema_id,omitempty"`
	Details  []Detail `json:"details,omitempty" jsonschema_description:"The faults of the payload, in document order."`
}

// Detail is one fault of a payload. It is jsonrt.Detail with words for readers of the
// schema.
type Detail struct {
	Path       string `json:"path" jsonschema_description:"JSON Pointer (RFC 6901) to the member of the payload; empty for the payload itself."`
	Message    string `json:"message"`
	Keyword    string `json:"keyword" jsonschema_description:"The JSON Schema keyword that was not met."`
	SchemaPath string `json:"schema_path" jsonschema_description:"Where in the schema that keyword stands."`
}
