// Package server binds the echo protocol to MCP: the three tools, typed tools, resources and the
// prompt. Package transport serves them; how payloads get past mcp-go unchanged is told in package
// wire.
package server

import (
	"cmp"
	"net/http"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// Tools configures the tools of a Server. The zero value means the defaults.
type Tools struct {
	// KeepJSONStrings is echo.Options.KeepJSONStrings. By default a string that its schema
	// refuses and that holds JSON is unwrapped, and MetaUnwrapped says so.
	KeepJSONStrings bool
	// Typed adds a tool for every schema that allows nothing but objects. Its input schema is the
	// schema, its arguments are the payload. By default there are none.
	Typed bool
	// NoText leaves the text block, which repeats the envelope, out of answers that succeed.
	// By default it is there, for clients that don't read structured content; failures keep
	// it always. A call may ask for the other: "none" or "full" in its _meta, under
	// wire.MetaText.
	NoText bool
	// Faults gives the faults of schemas that keep the server from answering: as long as it gives
	// any, every call fails with INVALID_SCHEMA_DEFINITION and this text. nil means that there
	// never are any: schemas with faults can't be compiled. It is for package dev, where a server
	// goes on while its schemas are being changed.
	Faults func() string
}

// Server serves one registry of schemas.
type Server struct {
	*transport.Server

	tools    Tools
	registry jsonrt.Registry
	echo     *echo.Service
	typed    map[string]string // tool to schema id
}

// New makes a server for the schemas of the registry. Without a name in Options.Info it says that
// it is Echo MCP, whatever the other fields say but the version; without Options.Instructions it
// has some about its tools.
func New(registry jsonrt.Registry, options transport.Options, tools Tools) *Server {
	if options.Info.Name == "" {
		options.Info = echoMCP(options.Info.Version)
	}
	options.Instructions = cmp.Or(options.Instructions, instructionsFor(tools))
	s := &Server{
		tools:    tools,
		registry: registry,
	}
	s.Server = transport.New(transport.App{
		Options: []mcpserver.ServerOption{
			mcpserver.WithPromptCapabilities(options.HandOver && !options.Stateless), // nothing changes while this server lives
			mcpserver.WithCompletions(),
			mcpserver.WithPromptCompletionProvider(completer{s}),
			mcpserver.WithResourceCompletionProvider(completer{s}),
		},
		WholeArguments: s.isTyped,
		Unchecked:      echo.Schemaless,
		HasResource: func(uri string) bool {
			_, ok := s.schemaAt(uri)
			return ok
		},
		Subscriptions: true,
		Pages: map[string]http.Handler{
			"/schemas":         http.HandlerFunc(s.listSchemas),
			"/schemas/{id...}": http.HandlerFunc(s.schemaFile),
		},
		About:   "The schemas are at /schemas.",
		Schemas: registry.Len(),
	}, options)
	s.echo = echo.New(registry, echo.Options{MaxDepth: s.Options().MaxDepth, KeepJSONStrings: tools.KeepJSONStrings})
	s.addTools()
	if tools.Typed {
		s.addTypedTools()
	}
	s.addResources()
	s.addPrompt()
	return s
}

// instructionsFor is what initialize tells a model about the server.
func instructionsFor(tools Tools) string {
	if tools.Typed {
		return instructions + ` The tools emit_… do the same for one schema each: their arguments are the payload.`
	}
	return instructions
}

const instructions = `Emit structured messages through tool results. ` +
	`Call list_schemas to see which messages there are and get_schema for the JSON Schema of one. ` +
	`Then call echo with schema_id and payload: the payload, a JSON value and mostly an object, is validated and returned unchanged. ` +
	`If it is refused, error.details says for each fault where it is (a JSON Pointer) and what is wrong: repair the payload and call echo again. ` +
	`The schema __schemaless__ accepts anything.`
