package server

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// The names of the tools.
const (
	toolList = "list_schemas"
	toolGet  = "get_schema"
	toolEcho = "echo"
)

// MetaUnwrapped is the member of a result's _meta that is true where the payload was sent as
// a string and its text, which is JSON, is what was validated and returned. No other result
// has it.
const MetaUnwrapped = "io.github.zenlix.echo-mcp/unwrapped"

// addTools registers the three tools.
func (s *Server) addTools() {
	for _, t := range []struct {
		name, title, description string
		input, output            any
		run                      toolFunc
	}{
		{
			toolList, "List schemas",
			"Lists the message schemas this server knows, with id, title and description. Start here.",
			listInput{},
			echo.ListEnvelope{},
			s.list,
		}, {
			toolGet, "Get a schema",
			"Returns the JSON Schema of one message. Read it before you write a payload for echo.",
			getInput{},
			echo.GetEnvelope{},
			s.get,
		}, {
			toolEcho, "Echo a message",
			"Emits a structured message: validates the payload against the schema and returns it unchanged, byte for byte. " +
				"A payload that is refused comes back as an error whose details say what to repair; __schemaless__ accepts anything.",
			echoInput{},
			echo.EchoEnvelope{},
			s.emit,
		},
	} {
		s.addTool(t.name, t.title, t.description, mustReflect(t.input), mustReflect(t.output), t.run)
	}
}

// maxResultChars is how long a result Claude Code is to show to the model, in characters: "a
// hard ceiling of 500,000" is what its documentation calls the most that a tool may ask for,
// and "up to 500K" its changelog for version 2.1.91, the first that asks. It writes a longer
// result to a file and shows a preview, from 50,000 characters on where a tool says nothing.
// (https://code.claude.com/docs/en/mcp#raise-the-limit-for-a-specific-tool,
// https://github.com/anthropics/claude-code/blob/main/CHANGELOG.md)
const maxResultChars = 500_000

// metaMaxResultChars is the member of a tool's _meta that says so.
const metaMaxResultChars = "anthropic/maxResultSizeChars"

// addTool registers one tool. None of them changes anything anywhere, and the answer of each
// may be long.
func (s *Server) addTool(name, title, description string, input, output json.RawMessage, run toolFunc) {
	s.MCP().AddTool(mcp.Tool{
		Meta:            mcp.NewMetaFromMap(map[string]any{metaMaxResultChars: maxResultChars}),
		Name:            name,
		Title:           title,
		Description:     description,
		RawInputSchema:  input,
		RawOutputSchema: output,
		Annotations: mcp.ToolAnnotation{
			Title:           title,
			ReadOnlyHint:    mcp.ToBoolPtr(true),
			DestructiveHint: mcp.ToBoolPtr(false),
			IdempotentHint:  mcp.ToBoolPtr(true),
			OpenWorldHint:   mcp.ToBoolPtr(false),
		},
	}, s.handler(run))
}

// toolFunc answers a call. id is the schema id that the call names, "" if none. ctx ends when
// the client leaves or cancels.
type toolFunc func(ctx context.Context, call *wire.Call) (id string, answer echo.Answer)

// errNoCall means that a tool was reached past package wire, which no transport does.
var errNoCall = errors.New("the call did not come through the wire")

// handler makes the handler that mcp-go calls. It leaves the envelope with the call and
// returns a result that holds the placeholders for it.
func (s *Server) handler(run toolFunc) mcpserver.ToolHandlerFunc {
	return func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		call := wire.FromContext(ctx)
		if call == nil {
			return nil, errNoCall
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		answer := s.answer(ctx, call, run)
		parts := [3][]byte{answer.Head, answer.Payload, answer.Tail}
		result := &mcp.CallToolResult{IsError: answer.Failed()}
		if answer.Unwrapped {
			result.Meta = mcp.NewMetaFromMap(map[string]any{MetaUnwrapped: true})
		}
		noText := s.tools.NoText && call.Text != "full" || call.Text == "none"
		if noText && !answer.Failed() {
			result.Content, result.StructuredContent = []mcp.Content{}, call.AnswerWithoutText(parts)
			return result, nil
		}
		token := call.Answer(parts)
		result.Content, result.StructuredContent = []mcp.Content{mcp.NewTextContent(token)}, token
		return result, nil
	}
}

// answer runs one call. A panic becomes INTERNAL_ERROR, of which the client is told.
func (s *Server) answer(ctx context.Context, call *wire.Call, run toolFunc) (answer echo.Answer) {
	start := time.Now()
	id := ""
	defer func() {
		panicked := recover()
		if panicked != nil {
			s.LogPanic(ctx, panicked)
			id, answer = s.schemaOf(call), echo.Internal("")
		}
		call.Release()
		if !s.echo.Knows(id) {
			id = "" // logs and labels hold nothing that a caller made up
		}
		took := time.Since(start)
		s.Observe(ctx, transport.Outcome{
			Tool: call.Tool, SchemaID: id, Code: string(answer.Code), PayloadBytes: len(call.Payload.Text), Took: took,
		})
		if panicked != nil {
			s.TellFailure(ctx, call.Tool, id)
		}
	}()
	if s.tools.Faults != nil {
		if faults := s.tools.Faults(); faults != "" {
			return echo.Faulty(faults)
		}
	}
	if call.Fault != "" {
		return echo.Invalid("", call.Fault)
	}
	id, answer = run(ctx, call)
	return answer
}

func (s *Server) list(context.Context, *wire.Call) (string, echo.Answer) { return "", s.echo.List() }

func (s *Server) get(_ context.Context, call *wire.Call) (string, echo.Answer) {
	id, fault := schemaID(call, getArguments)
	if fault != "" {
		return "", echo.Invalid("", fault)
	}
	return id, s.echo.Get(id)
}

func (s *Server) emit(ctx context.Context, call *wire.Call) (string, echo.Answer) {
	id, fault := schemaID(call, echoArguments)
	if fault != "" {
		return "", echo.Invalid("", fault)
	}
	if call.Payload.Kind == jsontape.Invalid {
		return id, echo.Invalid(id, `the argument "payload" is missing: it holds the message itself, null included`+guessed(call, echoArguments, argPayload))
	}
	return id, s.echoPayload(ctx, id, call)
}

// echoPayload echoes the payload of a call.
func (s *Server) echoPayload(ctx context.Context, id string, call *wire.Call) echo.Answer {
	if t, i := call.Tape(); t != nil {
		return s.echo.EchoTape(ctx, id, t, i)
	}
	return s.echo.Echo(ctx, id, call.Payload.Text)
}

// schemaOf is the id of the schema that a call is about, "" if none.
func (s *Server) schemaOf(call *wire.Call) string {
	if id, ok := s.typed[call.Tool]; ok {
		return id
	}
	id, _ := schemaID(call, echoArguments)
	return id
}
