package client

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/envelope"
)

// Emitted is a message that an agent has emitted by the tools of an echo server.
type Emitted struct {
	// SchemaID is the id of its schema.
	SchemaID string
	// Payload is the message: JSON, byte for byte as the agent sent it.
	Payload json.RawMessage
}

// Code says what kind of failure an echo server tells of. The set is closed.
type Code string

// The codes of failures.
const (
	// CodeInvalidRequest: arguments were missing, wrong or not JSON, a limit was exceeded, or a
	// member name of the payload was repeated.
	CodeInvalidRequest Code = "INVALID_REQUEST"
	// CodeSchemaNotFound: the server has no schema with the id.
	CodeSchemaNotFound Code = "SCHEMA_NOT_FOUND"
	// CodeSchemaValidationFailed: the payload does not satisfy its schema; Details say where.
	CodeSchemaValidationFailed Code = "SCHEMA_VALIDATION_FAILED"
	// CodeInvalidSchemaDefinition: a schema can't be compiled. Only the command dev says it, while
	// an author changes schemas; those of other servers are compiled before.
	CodeInvalidSchemaDefinition Code = "INVALID_SCHEMA_DEFINITION"
	// CodeInternalError: the server failed.
	CodeInternalError Code = "INTERNAL_ERROR"
)

// CallError says that an echo server has refused a payload.
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
var ErrNoEnvelope = envelope.ErrNone

// ParseEmitted reads the result of a call of the tool echo, or of a typed tool emit_…, of an echo
// server. result is a *[Result], the JSON of a result as []byte or json.RawMessage, or what another
// client in Go has made of it: anything that json.Marshal encodes as a result again.
//
// A call that was refused is a *[CallError]. What is no result of these tools is an error that wraps
// [ErrNoEnvelope].
func ParseEmitted(result any) (Emitted, error) {
	var raw []byte
	switch r := result.(type) {
	case *Result:
		raw = r.Raw
	case []byte:
		raw = r
	case json.RawMessage:
		raw = r
	default:
		var err error
		if raw, err = json.Marshal(result); err != nil {
			return Emitted{}, fmt.Errorf("%w: %w", ErrNoEnvelope, err)
		}
	}
	e, err := envelope.FromResult(raw)
	if err != nil {
		return Emitted{}, err
	}
	if r := e.Refusal; r != nil {
		return Emitted{}, &CallError{Code(r.Code), r.Message, r.SchemaID, r.Details}
	}
	return Emitted{e.SchemaID, e.Payload}, nil
}

// Echo sends a message to an echo server by its tool echo and gives the message that comes back: the
// server has validated it, and it was validated and decoded here. A message that the server refuses
// is a *[CallError], one that is no JSON document an *[InputError]; see [Session.CallTool] for the
// other errors.
func Echo[T jsonrt.Message](ctx context.Context, s *Session, message T) (T, error) {
	var back T
	arguments := jsontape.AppendQuoted([]byte(`{"schema_id":`), message.SchemaID())
	arguments, err := message.AppendJSON(append(arguments, `,"payload":`...))
	if err != nil {
		return back, &InputError{"tools/call", err}
	}
	result, err := s.CallTool(ctx, "echo", append(arguments, '}'))
	if err != nil {
		return back, err
	}
	emitted, err := ParseEmitted(result)
	if err != nil {
		return back, err
	}
	if emitted.SchemaID != message.SchemaID() {
		return back, &ProtocolError{"tools/call", fmt.Sprintf("a message of the schema %q came back as one of %q", message.SchemaID(), emitted.SchemaID)}
	}
	// UnmarshalJSON of a generated type validates.
	if err := json.Unmarshal(emitted.Payload, &back); err != nil {
		return back, fmt.Errorf("the message that came back: %w", err)
	}
	return back, nil
}

// Messages decodes a stream of results of an echo server's tools. R is what [ParseEmitted] reads:
// *Result, json.RawMessage … The messages have the types that the registry decodes to:
//
//	for m, err := range client.Messages(generated.Registry, results) {
//		switch m := m.(type) {
//		case generated.ReportOutlineV1:
//		case generated.WorkflowStageV1:
//		}
//	}
//
// A result that holds no message gives a nil message and an error, and the stream goes on: one of
// ParseEmitted, or what [jsonrt.Registry.Decode] says of a message that the registry does not know
// or take.
func Messages[R any](registry jsonrt.Registry, results iter.Seq[R]) iter.Seq2[jsonrt.Message, error] {
	return func(yield func(jsonrt.Message, error) bool) {
		for r := range results {
			var m jsonrt.Message
			emitted, err := ParseEmitted(r)
			if err == nil {
				m, err = registry.Decode(emitted.SchemaID, emitted.Payload)
			}
			if !yield(m, err) {
				return
			}
		}
	}
}
