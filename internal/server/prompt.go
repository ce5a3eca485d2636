package server

import (
	"context"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/example"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// promptEmit is the name of the prompt.
const promptEmit = "emit"

// addPrompt registers the prompt that tells a model how to send one message.
func (s *Server) addPrompt() {
	s.MCP().AddPrompt(mcp.NewPrompt(promptEmit,
		mcp.WithPromptTitle("Emit a message"),
		mcp.WithPromptDescription("How to send one valid message of a schema, with the schema and an example."),
		mcp.WithArgument(argSchemaID, mcp.ArgumentDescription("The id of the schema, as list_schemas gives it."), mcp.RequiredArgument()),
	), s.prompt)
}

// prompt answers prompts/get.
func (s *Server) prompt(ctx context.Context, r mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	id := r.Params.Arguments[argSchemaID]
	if !s.echo.Knows(id) {
		failure := &wire.Error{Code: wire.CodeInvalidParams, Message: "there is no schema with this id; list_schemas has all ids"}
		if id == "" {
			failure.Message = `the argument "schema_id" is missing; list_schemas has all ids`
		}
		return nil, wire.Fail(ctx, failure)
	}
	return &mcp.GetPromptResult{
		Description: "How to send one message of the schema " + id,
		Messages:    []mcp.PromptMessage{mcp.NewPromptMessage(mcp.RoleUser, mcp.NewTextContent(s.promptText(id)))},
	}, nil
}

// promptText tells how to send a message of a schema that exists.
func (s *Server) promptText(id string) string {
	var b strings.Builder
	b.WriteString("Send one message of the schema " + id + ": call the tool " + toolEcho + " with schema_id \"" + id + "\" and the message as payload.")
	schema, ok := s.registry.Lookup(id)
	if !ok { // echo.Schemaless
		b.WriteString(" The payload may be any JSON value; it is returned unchanged.\n\nAn example of the arguments:\n\n")
		b.WriteString(`{"schema_id":"` + echo.Schemaless + `","payload":{"note":"anything"}}` + "\n")
		return b.String()
	}
	if s.isTyped(schema.Tool) {
		b.WriteString(" Or call the tool " + schema.Tool + " with the message as its arguments.")
	}
	b.WriteString(" Send the JSON value itself, not a string that holds it, and only members that the schema knows." +
		" If the answer is an error, repair what error.details lists, each at the JSON Pointer in path, and call again.\n")
	if schema.Description != "" {
		b.WriteString("\nWhat the message is: " + schema.Description + "\n")
	}
	b.WriteString("\nThe JSON Schema:\n\n" + strings.TrimSpace(string(inputSchema(schema))) + "\n")
	if payload, ok := example.Of(schema); ok {
		b.WriteString("\nA payload that is valid:\n\n" + string(payload) + "\n")
	} else {
		b.WriteString("\nNo example could be made of this schema: read it with care.\n")
	}
	return b.String()
}
