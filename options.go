package echomcp

import (
	"cmp"
	"log/slog"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/web"
	"github.com/zenlix/echo-mcp/mcpkit/serve"
)

// Options are the options of a server. The zero value is a server with the defaults.
type Options struct {
	// Info is who the server says it is.
	Info Info
	// Instructions are what a client may tell its model about the server. "" means a text that
	// says how to use the tools.
	Instructions string
	// TypedTools adds a tool for every schema that allows nothing but objects; its arguments are
	// the message. By default there are none.
	TypedTools bool
	// KeepJSONStrings refuses a string that its schema refuses, also where its text is JSON that
	// the schema accepts. By default that text is then the payload.
	KeepJSONStrings bool
	// NoText leaves the text block, which repeats the structured content, out of answers that
	// succeed. By default it is there, for clients that don't read structured content.
	NoText bool
	// Limits bound what messages may be and take.
	Limits Limits
	// HTTP is about the HTTP transport.
	HTTP HTTP
	// Logger gets ids, sizes and outcomes, never a payload or a secret. nil logs nothing; for
	// Main it means the log that its flags describe.
	Logger *slog.Logger
}

// The options that servers of other kinds have too.
type (
	// Info is who a server says it is.
	Info = serve.Info
	// Limits bound what one message may be.
	Limits = serve.Limits
	// HTTP are the options of the HTTP transport.
	HTTP = serve.HTTP
)

// tools gives the options about tools in the words of package server.
func (o Options) tools() server.Tools {
	return server.Tools{Typed: o.TypedTools, KeepJSONStrings: o.KeepJSONStrings, NoText: o.NoText}
}

// transport gives the other options in the words of package transport.
func (o Options) transport() transport.Options {
	so := transport.NewOptions(o.Info, o.Limits, o.HTTP)
	so.Info = o.implementation(so.Info)
	so.Instructions, so.Logger = o.Instructions, o.Logger
	if !o.HTTP.NoInspector {
		so.Inspector = web.Handler(min(cmp.Or(max(o.Limits.MessageBytes, 0), transport.DefaultMaxMessageBytes), transport.MaxMessageBytesCeiling))
	}
	return so
}

// implementation completes who the server says it is. That of this module's own program is up to
// package server.
func (o Options) implementation(about mcp.Implementation) mcp.Implementation {
	if _, _, own := transport.Program(); own && o.Info == (Info{}) {
		return mcp.Implementation{}
	}
	about.Description = cmp.Or(about.Description, server.Description)
	return about
}

// programName is how people call the program.
func (o Options) programName() string {
	name, _, _ := transport.Program()
	return cmp.Or(o.Info.Name, name)
}
