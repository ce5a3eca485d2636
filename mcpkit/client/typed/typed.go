// Package typed calls tools with Go values: it is what the packages are made of that echo-gen
// writes from the catalogue of a server,
//
//	echo-mcp catalog --json -- COMMAND > github.json
//	echo-gen -catalog github.json -out githubmcp
//
// Arguments are checked before they are sent, and what comes back before it is decoded.
package typed

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// Call calls a tool with in as its arguments, which have the schema input, and gives its structured
// result, which has the schema output and the Go type Out.
//
// The error is an *[InputError] where in is not as the tool's input schema says, so that nothing was
// sent; a *[ToolError] where the tool was called and has failed; an *[OutputError] where what it
// answers is not as its output schema says; or one of those of [client.Session.CallTool].
func Call[Out jsonrt.Message](ctx context.Context, s *client.Session, tool string, in jsonrt.Message, input, output *jsonrt.Schema, options ...client.CallOption) (Out, error) {
	var none Out
	result, err := CallRaw(ctx, s, tool, in, input, options...)
	if err != nil {
		return none, err
	}
	if result.StructuredContent == nil {
		return none, &OutputError{tool, result, errNotStructured}
	}
	m, err := output.Decode(result.StructuredContent)
	if err != nil {
		return none, &OutputError{tool, result, err}
	}
	out, ok := m.(Out)
	if !ok {
		return none, &OutputError{tool, result, fmt.Errorf("it is a %T and not a %T: generate the package anew", m, none)}
	}
	return out, nil
}

// CallRaw is Call for a tool that declares no output schema: it gives the result as it is.
func CallRaw(ctx context.Context, s *client.Session, tool string, in jsonrt.Message, input *jsonrt.Schema, options ...client.CallOption) (*client.Result, error) {
	arguments, err := in.AppendJSON(nil)
	if err == nil {
		err = input.Validate(arguments)
	}
	if err != nil {
		return nil, &InputError{tool, err}
	}
	result, err := s.CallTool(ctx, tool, json.RawMessage(arguments), options...)
	if err != nil {
		return nil, err
	}
	if result.IsError {
		return nil, &ToolError{tool, result}
	}
	return result, nil
}

var errNotStructured = errors.New("it holds no structuredContent")

// InputError says that arguments are not as the tool's input schema asks. Nothing was sent.
type InputError struct {
	// Tool is the name of the tool.
	Tool string
	// Err says what is wrong: a *[jsonrt.ValidationError] with a pointer into the arguments for each
	// fault, or a *[jsonrt.EncodeError] for a Go value that is no JSON.
	Err error
}

func (e *InputError) Error() string {
	return fmt.Sprintf("the tool %s was not called, as it does not take these arguments: %v", e.Tool, e.Err)
}

func (e *InputError) Unwrap() error { return e.Err }

// ToolError says that a tool was called and has failed.
type ToolError struct {
	// Tool is the name of the tool.
	Tool string
	// Result is what it has returned; its text tells why.
	Result *client.Result
}

func (e *ToolError) Error() string {
	text := e.Result.Text()
	if text == "" {
		return fmt.Sprintf("the tool %s has failed, and does not say why", e.Tool)
	}
	return fmt.Sprintf("the tool %s has failed: %s", e.Tool, text)
}

// OutputError says that a tool was called and has answered something else than its output schema
// says: the server breaks its own promise, or has changed since its catalogue was made.
type OutputError struct {
	// Tool is the name of the tool.
	Tool string
	// Result is what it has returned.
	Result *client.Result
	// Err says what is wrong: a *[jsonrt.ValidationError] with a pointer into the structured content
	// for each fault, a *[jsonrt.DecodeError] for a number that its Go type can't hold, or that there
	// is no structured content.
	Err error
}

func (e *OutputError) Error() string {
	return fmt.Sprintf("the answer of the tool %s is not as its output schema says: %v", e.Tool, e.Err)
}

func (e *OutputError) Unwrap() error { return e.Err }
