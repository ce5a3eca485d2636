// Package echomcp serves compiled JSON Schemas over MCP: an agent calls the tool echo with a
// schema id and a payload, and gets the payload back, validated and byte for byte as it was
// sent. Whoever watches the result of the tool has a message that a schema vouches for.
//
// The schemas are compiled into a Go package by echo-gen. A server over them is
//
//	func main() { echomcp.Main(messages.Registry) }
//
// which is the whole command line: it serves on stdio and over HTTP, validates files, and adds
// itself to MCP clients. [New] is the server alone, for a program of your own. On the other
// side [ParseResult] reads what the tool returned.
package echomcp

import (
	"context"
	"io"
	"net"
	"net/http"
	"os"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/cli"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// Main is the program echo-mcp over the schemas of a registry: it reads the command line, does
// what it says, and ends the process with its exit code. options are what the flags of serve
// start from; Options.Logger takes the place of the log that flags describe. More than one is a
// mistake, of which only the first counts.
//
// Without arguments the program serves on stdio. Its help tells the rest.
func Main(registry jsonrt.Registry, options ...Options) {
	var o Options
	if len(options) > 0 {
		o = options[0]
	}
	p := cli.Program{Name: o.programName(), Registry: registry, Server: o.transport(), Tools: o.tools(), NoInspector: o.HTTP.NoInspector}
	os.Exit(p.Run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Errors of a server that stops, or does not start.
var (
	// ErrDrain means that requests were still unanswered when Limits.DrainTimeout was over.
	ErrDrain = transport.ErrDrain
	// ErrPublicAddress means that other machines would reach the address and that nobody would
	// need a token: see HTTP.Insecure.
	ErrPublicAddress = transport.ErrPublicAddress
)

// Server serves one registry of schemas over any number of connections. Its methods may be
// used at the same time.
type Server struct{ server *server.Server }

// New makes a server for the schemas of a registry. It starts nothing.
func New(registry jsonrt.Registry, options Options) *Server {
	return &Server{server.New(registry, options.transport(), options.tools())}
}

// ServeStdio reads messages from in, one a line, and writes the answers to out, which is for
// MCP alone: log elsewhere. It returns when in ends and every request read is answered, with
// nil; when ctx ends, after requests had Limits.DrainTimeout to finish, with nil or ErrDrain;
// or with the error of in or out. A read of in that is blocked then stays blocked until in ends
// or is closed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	return s.server.ServeStdio(ctx, in, out)
}

// Connect opens a connection in memory: what is written to it are messages of a client, one a
// line, and what is read are the answers, as on stdio. A client that speaks over a reader and a
// writer can use it. It ends with Close, or with ctx.
func (s *Server) Connect(ctx context.Context) io.ReadWriteCloser {
	return s.server.Connect(ctx)
}

// Handle answers one message of a client, for a transport of your own. It returns the answer, nil for
// a notification and where ctx has ended. What is no JSON is answered with the error -32700 and the id
// null. Each message stands for itself: there is no connection, so that the client gets no
// notifications, and Limits.MessageBytes holds.
func (s *Server) Handle(ctx context.Context, message []byte) []byte {
	return s.server.Handle(ctx, message)
}

// Handler serves MCP (streamable HTTP) at /mcp, probes at /healthz and /readyz, /metrics for
// Prometheus, the schemas at /schemas and /schemas/{id}, and a page for people at /inspector,
// unless HTTP.NoInspector is set. Mount it at the root, or behind http.StripPrefix. Its sessions
// and streams end with Close. The options about connections, HeaderTimeout and IdleTimeout and
// MaxConnections, hold for Serve and ListenAndServe only: set those of your http.Server.
func (s *Server) Handler() http.Handler { return s.server.Handler() }

// ListenAndServe serves Handler on a TCP address such as "127.0.0.1:3000" until ctx ends, and
// then stops as Serve does. An address without a host, ":3000", is the loopback interface's.
// Where other machines reach the address and nobody needs a token it returns ErrPublicAddress,
// unless HTTP.Insecure is set.
func (s *Server) ListenAndServe(ctx context.Context, addr string) error {
	return s.server.ListenAndServe(ctx, addr)
}

// Serve serves Handler on a listener, which it closes, until ctx ends; as HTTPS with HTTP.TLS.
// Then /readyz says that the server stops, for HTTP.LameDuck, and running requests have
// Limits.DrainTimeout to finish. Result nil, ErrDrain, or the error of the listener. A Server
// that has served can't serve HTTP again.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	return s.server.Serve(ctx, listener)
}

// SetTokens replaces HTTP.Tokens: requests that come from now on need one of the new ones. A server
// that began without tokens stays open, and none that began with some becomes so: there SetTokens
// without tokens does nothing.
func (s *Server) SetTokens(tokens []string) { s.server.SetTokens(tokens) }

// Close ends the sessions and streams of Handler. Serve and ListenAndServe do so by themselves.
func (s *Server) Close() { s.server.Close() }
