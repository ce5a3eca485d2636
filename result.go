package echomcp

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// Result is a message that an agent has emitted.
type Result struct {
	// SchemaID is the id of its schema.
	SchemaID string
	// Payload is the message: JSON, byte for byte as the agent sent it.
	Payload json.RawMessage
}

// Code says what kind of failure a result tells of. The set is closed.
type Code string

// The codes of failures.
const (
	// CodeInvalidRequest: arguments were missing, wrong or not JSON, a limit was exceeded, or a
	// member name of the payload was repeated.
	CodeInvalidRequest = Code(echo.CodeInvalidRequest)
	// CodeSchemaNotFound: the server has no schema with the id.
	CodeSchemaNotFound = Code(echo.CodeSchemaNotFound)
	// CodeSchemaValidationFailed: the payload does not satisfy its schema; Details say where.
	CodeSchemaValidationFailed = Code(echo.CodeSchemaValidationFailed)
	// CodeInvalidSchemaDefinition: a schema can't be compiled. Only the command dev says it, while
	// an author changes schemas; those of other servers are compiled before.
	CodeInvalidSchemaDefinition = Code(echo.CodeInvalidSchemaDefinition)
	// CodeInternalError: the server failed.
	CodeInternalError = Code(echo.CodeInternalError)
)

// CallError is the error of a call that was refused.
type CallError struct {
	Code     Code            `json:"code"`
	Message  string          `json:"message"`
	SchemaID string          `json:"schema_id"` // "" where it is not known
	Details  []jsonrt.Detail `json:"details"`   // the faults of the payload, in document order
}

// Error says what is wrong, with each fault on a line of its own.
func (f *CallError) Error() string {
	var b strings.Builder
	b.WriteString(string(f.Code) + ": " + f.Message)
	for _, d := range f.Details {
		b.WriteString("\n" + d.Path + ": " + d.Message)
	}
	return b.String()
}

// ErrNoEnvelope means that a result comes from another tool than echo or emit_….
var ErrNoEnvelope = errors.New("the result is not that of an echo")

// ParseResult reads the result of a call of the tool echo, or of a typed tool emit_…. result is
// the JSON of the result, as []byte or json.RawMessage, or the value that a client in Go has made
// of it: anything that json.Marshal encodes as a result again, such as *mcp.CallToolResult of
// mcp-go or of the official SDK.
//
// A call that was refused is a *[CallError]. What is no result of these tools is an error that wraps
// [ErrNoEnvelope]. From a result to a message it is two lines:
//
//	r, err := echomcp.ParseResult(result)
//	message, err := messages.Decode(r.SchemaID, r.Payload)
func ParseResult(result any) (Result, error) {
	doc, err := resultJSON(result)
	if err != nil {
		return Result{}, fmt.Errorf("%w: %w", ErrNoEnvelope, err)
	}
	var t jsontape.Tape
	if err := t.Parse(doc, jsontape.Options{}); err != nil {
		return Result{}, fmt.Errorf("%w: it is not JSON: %w", ErrNoEnvelope, err)
	}
	if t.Tokens[0].Kind != jsontape.Object {
		return Result{}, fmt.Errorf("%w: it is not an object", ErrNoEnvelope)
	}
	// The text comes first: a client that has made Go values of the structured content may have
	// rounded its numbers, and the text is what it was.
	if content := t.Member(0, "content"); content > 0 && t.Tokens[content].Kind == jsontape.Array {
		for block := content + 1; block < t.Next(content); block = t.Next(block) {
			text := -1
			if t.Tokens[block].Kind == jsontape.Object {
				text = t.Member(block, "text")
			}
			if text < 0 || t.Tokens[text].Kind != jsontape.String {
				continue
			}
			if r, err := parseEnvelope(jsontape.AppendUnquoted(nil, t.Bytes(text))); !errors.Is(err, ErrNoEnvelope) {
				return r, err
			}
		}
	}
	if structured := t.Member(0, "structuredContent"); structured > 0 {
		return parseEnvelope(t.Bytes(structured))
	}
	return Result{}, fmt.Errorf("%w: it has neither structured content nor a text that is an envelope", ErrNoEnvelope)
}

func resultJSON(result any) ([]byte, error) {
	switch r := result.(type) {
	case []byte:
		return r, nil
	case json.RawMessage:
		return r, nil
	}
	return json.Marshal(result)
}

// parseEnvelope reads what an echo answers: {"ok":true,"schema_id":…,"payload":…}, or
// {"ok":false,"error":{…}}.
func parseEnvelope(text []byte) (Result, error) {
	var t jsontape.Tape
	if t.Parse(text, jsontape.Options{MaxDepth: transport.MaxDepthCeiling}) != nil || t.Tokens[0].Kind != jsontape.Object {
		return Result{}, fmt.Errorf("%w: it holds no envelope", ErrNoEnvelope)
	}
	ok, id, payload, failure := t.Member(0, "ok"), t.Member(0, "schema_id"), t.Member(0, "payload"), t.Member(0, "error")
	switch {
	case ok < 0:
	case t.Tokens[ok].Kind == jsontape.True && id > 0 && payload > 0 && t.Tokens[id].Kind == jsontape.String:
		return Result{SchemaID: t.Str(id), Payload: t.Bytes(payload)}, nil
	case t.Tokens[ok].Kind == jsontape.False && failure > 0:
		f := new(CallError)
		if json.Unmarshal(t.Bytes(failure), f) == nil && f.Code != "" {
			return Result{}, f
		}
	}
	return Result{}, fmt.Errorf("%w: it holds no envelope", ErrNoEnvelope)
}
