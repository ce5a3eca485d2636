package echomcp

import "github.com/zenlix/echo-mcp/mcpkit/client"

// Result is a message that an agent has emitted: SchemaID is the id of its schema, and Payload the
// message, JSON, byte for byte as the agent sent it.
type Result = client.Emitted

// Code says what kind of failure a result tells of. The set is closed.
type Code = client.Code

// The codes of failures.
const (
	// CodeInvalidRequest: arguments were missing, wrong or not JSON, a limit was exceeded, or a
	// member name of the payload was repeated.
	CodeInvalidRequest = client.CodeInvalidRequest
	// CodeSchemaNotFound: the server has no schema with the id.
	CodeSchemaNotFound = client.CodeSchemaNotFound
	// CodeSchemaValidationFailed: the payload does not satisfy its schema; Details say where.
	CodeSchemaValidationFailed = client.CodeSchemaValidationFailed
	// CodeInvalidSchemaDefinition: a schema can't be compiled. Only the command dev says it, while
	// an author changes schemas; those of other servers are compiled before.
	CodeInvalidSchemaDefinition = client.CodeInvalidSchemaDefinition
	// CodeInternalError: the server failed.
	CodeInternalError = client.CodeInternalError
)

// CallError is the error of a call that was refused. It has the Code and the Message of the failure,
// the SchemaID of the payload, "" where it is not known, and as Details the faults of the payload,
// in document order.
type CallError = client.CallError

// ErrNoEnvelope means that a result comes from another tool than echo or emit_….
var ErrNoEnvelope = client.ErrNoEnvelope

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
//
// A program that only reads results imports mcpkit/client instead, which has the same as
// [client.ParseEmitted] and links no server.
func ParseResult(result any) (Result, error) { return client.ParseEmitted(result) }
