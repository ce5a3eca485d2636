package toolkit

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"reflect"
	"sync"
	"sync/atomic"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/mcpkit/serve"
)

// What servers of tools have in common with other servers.
type (
	// Info is who a server says it is.
	Info = serve.Info
	// Limits bound what one message may be.
	Limits = serve.Limits
	// HTTP are the options of the HTTP transport.
	HTTP = serve.HTTP
)

// Options are the options of a server. The zero value is a server with the defaults.
type Options struct {
	// Instructions are what a client may tell its model about the server. "" means that there
	// are none.
	Instructions string
	// Types are the schemas of generated types. A tool with such a type takes its schema and its
	// compiled check from there. Empty means that schemas come from Go types and raw schemas.
	Types jsonrt.Registry
	// InputErrors says how a call with wrong arguments is answered. The default goes by the
	// protocol version of the client.
	InputErrors InputErrors
	// PageSize is how many tools, prompts, resources or templates are on a page of a list. Not
	// positive means 100; the ceiling is 100,000.
	PageSize int
	// Limits bound what messages may be and take.
	Limits Limits
	// HTTP is about the HTTP transport. The page at /inspector is not for tools: there is none.
	HTTP HTTP
	// Logger gets names of tools, sizes and outcomes, never arguments or results. nil logs
	// nothing.
	Logger *slog.Logger
}

// InputErrors says how a call with wrong arguments is answered.
type InputErrors int

const (
	// ByVersion answers with a result from protocol version 2025-11-25 on, which asks for that
	// (server/tools, error handling), and with an error before.
	ByVersion InputErrors = iota
	// ToolResult answers with a result whose IsError is set: the model reads it and can repair its
	// call.
	ToolResult
	// RPC answers with the JSON-RPC error -32602, whose data are the faults.
	RPC
)

// Errors of a server that stops, or does not start.
var (
	// ErrDrain means that calls were still unanswered when Limits.DrainTimeout was over.
	ErrDrain = transport.ErrDrain
	// ErrPublicAddress means that other machines would reach the address and that nobody would
	// need a token: see HTTP.Insecure.
	ErrPublicAddress = transport.ErrPublicAddress
)

// Server serves tools, resources and prompts over any number of connections. Its methods may be used at the same time.
type Server struct {
	transport *transport.Server
	inputs    InputErrors
	types     map[reflect.Type]*jsonrt.Schema
	tapes     tapes

	// offers are the sections that have had something in them: they stay, empty or not.
	offers struct{ tools, prompts, resources atomic.Bool }

	mu        sync.Mutex // of what follows, and held while something is added or removed
	tools     map[string]*tool
	prompts   map[string]*prompt
	resources map[string]*resource // by URI
	templates []*resource          // in the order in which they were added
}

// New makes an empty server: [Tool], [Resource] and [Prompt] fill it. It starts nothing. A section
// with nothing in it is not declared to clients, and its methods are unknown.
func New(info Info, options Options) *Server {
	s := &Server{
		inputs: options.InputErrors, types: make(map[reflect.Type]*jsonrt.Schema), tapes: make(tapes, maxTapes),
		tools: make(map[string]*tool), prompts: make(map[string]*prompt), resources: make(map[string]*resource),
	}
	for _, schema := range options.Types.Schemas() {
		if schema.Type != nil {
			s.types[schema.Type] = schema
		}
	}
	o := transport.NewOptions(info, options.Limits, options.HTTP)
	o.Instructions, o.Logger, o.PageSize = options.Instructions, options.Logger, options.PageSize
	s.transport = transport.New(transport.App{
		// Of every tool, as one may be added between the reading of a call and its handling.
		WholeArguments: func(string) bool { return true },
		Contents:       true,
		Offers:         s.offer,
		HasResource:    func(uri string) bool { r, _ := s.resourceAt(uri); return r != nil },
		Changes:        true,
		Options: []mcpserver.ServerOption{
			mcpserver.WithResourceCapabilities(false, !o.Stateless),
			mcpserver.WithPromptCapabilities(!o.Stateless),
		},
	}, o)
	return s
}

// offer reports whether there is, or was, anything in a section.
func (s *Server) offer(section string) bool {
	switch section {
	case transport.SectionTools:
		return s.offers.tools.Load()
	case transport.SectionPrompts:
		return s.offers.prompts.Load()
	case transport.SectionResources:
		return s.offers.resources.Load()
	}
	return false
}

// Remove takes a tool away, and reports whether there was one of that name. Calls under way go on
// to their end; later ones get the error -32602 of a tool that there is not. Clients that are
// connected are told that the list has changed.
func (s *Server) Remove(name string) bool {
	s.mu.Lock()
	_, found := s.tools[name]
	if found {
		delete(s.tools, name)
		s.transport.MCP().DeleteTools(name)
	}
	s.mu.Unlock()
	if found {
		s.transport.ListChanged(transport.SectionTools)
	}
	return found
}

// ServeStdio reads messages from in, one a line, and writes the answers to out, which is for
// MCP alone: log elsewhere. It returns when in ends and every call read is answered, with nil;
// when ctx ends, after calls had Limits.DrainTimeout to finish, with nil or ErrDrain; or with the
// error of in or out. A read of in that is blocked then stays blocked until in ends or is closed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.transport.ServeStdio(ctx, in, out)
}

// Connect opens a connection in memory: what is written to it are messages of a client, one a
// line, and what is read are the answers, as on stdio. A client that speaks over a reader and a
// writer can use it. It ends with Close, or with ctx.
func (s *Server) Connect(ctx context.Context) io.ReadWriteCloser { return s.transport.Connect(ctx) }

// Handle answers one message of a client, for a transport of your own. It returns the answer, nil for
// a notification and where ctx has ended. What is no JSON is answered with the error -32700 and the id
// null. Each message stands for itself: there is no connection, so that the client gets no
// notifications, and Limits.MessageBytes holds.
func (s *Server) Handle(ctx context.Context, message []byte) []byte {
	return s.transport.Handle(ctx, message)
}

// Handler serves MCP (streamable HTTP) at /mcp, probes at /healthz and /readyz, and /metrics for
// Prometheus. Mount it at the root, or behind http.StripPrefix. Its sessions and streams end with
// Close. The options about connections, HeaderTimeout and IdleTimeout and MaxConnections, hold for
// Serve and ListenAndServe only: set those of your http.Server.
func (s *Server) Handler() http.Handler { return s.transport.Handler() }

// ListenAndServe serves Handler on a TCP address such as "127.0.0.1:3000" until ctx ends, and
// then stops as Serve does. An address without a host, ":3000", is the loopback interface's.
// Where other machines reach the address and nobody needs a token it returns ErrPublicAddress,
// unless HTTP.Insecure is set.
func (s *Server) ListenAndServe(ctx context.Context, addr string) error {
	return s.transport.ListenAndServe(ctx, addr)
}

// Serve serves Handler on a listener, which it closes, until ctx ends; as HTTPS with HTTP.TLS.
// Then /readyz says that the server stops, for HTTP.LameDuck, and running calls have
// Limits.DrainTimeout to finish. Result nil, ErrDrain, or the error of the listener. A Server
// that has served can't serve HTTP again.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	return s.transport.Serve(ctx, listener)
}

// SetTokens replaces HTTP.Tokens: requests that come from now on need one of the new ones. A server
// that began without tokens stays open, and none that began with some becomes so: there SetTokens
// without tokens does nothing.
func (s *Server) SetTokens(tokens []string) { s.transport.SetTokens(tokens) }

// Close ends the sessions and streams of Handler. Serve and ListenAndServe do so by themselves.
func (s *Server) Close() { s.transport.Close() }
