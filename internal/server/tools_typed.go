package server

import (
	"cmp"
	"context"
	"encoding/json"
	"log/slog"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// addTypedTools registers a tool for every schema that has one, save those that APIs of models
// would refuse, and the whole catalogue with them: the log says which and why.
func (s *Server) addTypedTools() {
	s.typed = make(map[string]string)
	output := mustReflect(echo.EchoEnvelope{})
	for _, schema := range s.registry.Schemas() {
		if schema.Tool == "" {
			continue
		}
		if reasons := modelapi.Check(schema.Tool, inputSchema(schema)); len(reasons) > 0 {
			s.Log().LogAttrs(context.Background(), slog.LevelWarn, "a typed tool is left out: APIs of models would refuse it",
				slog.String("tool", schema.Tool), slog.String("schema_id", schema.ID), slog.String("reason", strings.Join(reasons, "; ")))
			continue
		}
		s.typed[schema.Tool] = schema.ID
		title := cmp.Or(schema.Title, schema.ID)
		s.addTool(schema.Tool, title, typedDescription(schema), inputSchema(schema), output, s.emitTyped(schema))
	}
}

// TypedTool is the typed tool of a schema as it would be offered; Name is "" where it has none.
func TypedTool(schema *jsonrt.Schema) modelapi.Tool {
	return modelapi.Tool{Name: schema.Tool, Description: typedDescription(schema), Input: inputSchema(schema)}
}

// typedDescription is what the description of a schema's tool says.
func typedDescription(schema *jsonrt.Schema) string {
	text := "Emits one message of the schema " + schema.ID + ": the arguments are the message. It is returned unchanged, byte for byte."
	if schema.Description != "" {
		return schema.Description + "\n\n" + text
	}
	return text
}

// inputSchema is the schema as a tool's input schema.
func inputSchema(schema *jsonrt.Schema) json.RawMessage {
	return json.RawMessage(cmp.Or(schema.Bundle, schema.Source))
}

// isTyped reports whether the arguments of a tool are the payload.
func (s *Server) isTyped(tool string) bool {
	_, ok := s.typed[tool]
	return ok
}

// emitTyped answers the calls of a schema's tool.
func (s *Server) emitTyped(schema *jsonrt.Schema) toolFunc {
	return func(ctx context.Context, call *wire.Call) (string, echo.Answer) {
		answer := s.echoPayload(ctx, schema.ID, call)
		if answer.Code == echo.CodeSchemaValidationFailed {
			if name := wrapped(call.Payload.Text, string(inputSchema(schema))); name != "" {
				answer = answer.WithHint("the arguments are the message itself: send the members of " + quote(name) + " directly")
			}
		}
		return schema.ID, answer
	}
}
