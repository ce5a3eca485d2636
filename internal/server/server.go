// Package server binds the echo protocol to mcp-go: the three tools, the stdio transport
// and streamable HTTP. How payloads get past mcp-go unchanged is told in package wire.
package server

import (
	"cmp"
	"context"
	"crypto/tls"
	"encoding/json"
	"log/slog"
	"net/http"
	"runtime"
	"runtime/debug"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/logs"
	"github.com/zenlix/echo-mcp/internal/oauth"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// Defaults of Options.
const (
	DefaultMaxMessageBytes = wire.DefaultMaxBytes
	DefaultMaxDepth        = jsontape.DefaultMaxDepth
	DefaultDrainTimeout    = 10 * time.Second
	DefaultHeaderTimeout   = 10 * time.Second
	DefaultBodyTimeout     = 10 * time.Second
	DefaultMinBodyRate     = 4 << 10
	DefaultIdleTimeout     = 2 * time.Minute
	DefaultWriteTimeout    = 30 * time.Second
	DefaultLameDuck        = time.Second
	DefaultMaxInFlight     = 256
	DefaultMaxSessions     = 10_000
	DefaultMaxConnections  = 2048
)

// Ceilings of Options: more would not serve anybody and can end the process, by its stack or
// by its memory. More than a ceiling means the ceiling.
const (
	MaxMessageBytesCeiling  = 1 << 30
	MaxDepthCeiling         = wire.MaxDepthCeiling
	MaxInFlightCeiling      = 1 << 16
	MaxInFlightBytesCeiling = 1 << 40
	MaxSessionsCeiling      = 1_000_000
	MaxConnectionsCeiling   = 1 << 20
	MinBodyRateCeiling      = 1 << 30
	TimeoutCeiling          = 24 * time.Hour
	LameDuckCeiling         = time.Hour
)

// Options configures a Server. The zero value means the defaults, and no number and no time
// is more than its ceiling.
type Options struct {
	// Info is who the server says it is: name, title, version, description, website and icons,
	// of which the icons are told only where a client asks who the server is. Without a name it
	// is Echo MCP, whatever the other fields say but the version. Without a version that is
	// "dev".
	Info mcp.Implementation
	// Instructions are what initialize tells a model about the server. "" means a text that
	// says how to use the tools.
	Instructions string
	// MaxMessageBytes is how large one message may be: a line on stdio, a body on HTTP. 0
	// means DefaultMaxMessageBytes. The caller of a larger one is told so.
	MaxMessageBytes int
	// MaxDepth is how deep the arrays and objects of a payload may nest. 0 means
	// DefaultMaxDepth.
	MaxDepth int
	// KeepJSONStrings is echo.Options.KeepJSONStrings. By default a string that its schema
	// refuses and that holds JSON is unwrapped, and MetaUnwrapped says so.
	KeepJSONStrings bool
	// TypedTools adds a tool for every schema that allows nothing but objects. Its input
	// schema is the schema, its arguments are the payload. By default there are none.
	TypedTools bool
	// NoText leaves the text block, which repeats the envelope, out of answers that succeed.
	// By default it is there, for clients that don't read structured content; failures keep
	// it always. A call may ask for the other: "none" or "full" in its _meta, under
	// wire.MetaText.
	NoText bool
	// Logger gets ids, sizes and outcomes, never a payload, and not more than one record a
	// second with the same message after the first hundred. A handler that blocks blocks
	// requests. nil logs nothing.
	Logger *slog.Logger
	// AllowedOrigins are origins, such as "https://app.example", whose pages may use the
	// HTTP transport. Loopback origins need no entry on a loopback connection, nor does the
	// server's own origin. Empty allows no other origin; "*" allows all.
	AllowedOrigins []string
	// AllowedHosts are names that the Host header may have besides loopback names and IP
	// addresses: "mcp.example", or "mcp.example:8080" for this port only. Empty allows no
	// other; "*" allows all.
	AllowedHosts []string
	// Tokens are the bearer tokens of which every HTTP request must have one. Empty asks
	// for none.
	Tokens []string
	// OAuth makes the HTTP transport a protected resource: every request needs an access token
	// that it accepts, or one of Tokens, and a session belongs to the subject that opened it.
	// nil means that there are no access tokens.
	OAuth *oauth.Resource
	// Insecure lets ListenAndServe listen without Tokens and OAuth where other machines reach it.
	Insecure bool
	// TLS makes the HTTP transport HTTPS. It holds the certificate. nil is plain HTTP.
	TLS *tls.Config
	// Stateless makes the HTTP transport give out no session ids, so that each request may
	// reach another process. Clients can't cancel a request then but by closing it, and get
	// no log messages.
	Stateless bool
	// HeaderTimeout is how long a client may take to send the header of an HTTP request, and
	// for the handshake of TLS, IdleTimeout how long a connection is kept without a request. 0
	// means DefaultHeaderTimeout, DefaultIdleTimeout. Both hold for Serve and ListenAndServe.
	HeaderTimeout, IdleTimeout time.Duration
	// BodyTimeout and MinBodyRate are how fast the body has to come: in each BodyTimeout at
	// least as much as MinBodyRate bytes a second make, or all that is left. A body may take
	// as long as it needs at that pace. 0 means DefaultBodyTimeout and DefaultMinBodyRate.
	BodyTimeout time.Duration
	MinBodyRate int
	// WriteTimeout is how long a client may take to read an answer over HTTP, or each MiB of
	// a long one. 0 means DefaultWriteTimeout.
	WriteTimeout time.Duration
	// MaxInFlight is how many HTTP requests may be dealt with at a time, from when they are
	// there to when their answer is; beyond it the answer is 429. 0 means DefaultMaxInFlight.
	MaxInFlight int
	// MaxConnections is how many connections Serve and ListenAndServe keep at a time. Beyond
	// it one that waits for its client's request makes room for the new one. Half as many
	// streams may be open, eight for each session; beyond it the answer is 429. 0 means
	// DefaultMaxConnections. There are never more than the system lets the process have,
	// see ConnectionLimit.
	MaxConnections int
	// MaxInFlightBytes is how many bytes the messages of these requests may have together, those
	// of at most 64 KiB left out; beyond it the answer to a larger one is 429.
	// 0 means four times MaxMessageBytes; there is always room for the largest message.
	MaxInFlightBytes int64
	// MaxSessions is how many HTTP sessions may be kept; beyond it initialize and the streams
	// of sessions that are not kept are answered 429. Idle sessions are kept for an hour. 0 means
	// DefaultMaxSessions.
	MaxSessions int
	// Inspector serves /inspector and what is below; it sees the whole path. Nobody needs a
	// token for it, as a browser can't send one when it opens a page: it must hold nothing
	// but the page, which then asks for the token. nil means there is none.
	Inspector http.Handler
	// LameDuck is how long an HTTP server that has to stop still takes new connections, while
	// it says at /readyz that it stops and asks its clients to close their connections. 0
	// means DefaultLameDuck, or as long as there are connections if that is less.
	LameDuck time.Duration
	// DrainTimeout is how long a server that has to stop waits then for the calls under way.
	// 0 means DefaultDrainTimeout.
	DrainTimeout time.Duration
}

// Server serves one registry of schemas over any number of connections. Its methods may be
// used at the same time.
type Server struct {
	options  Options
	log      *slog.Logger
	ration   *ration
	registry jsonrt.Registry
	echo     *echo.Service
	mcp      *mcpserver.MCPServer
	parser   wire.Parser
	tokens   tokens
	// streaming is how many sessions mcp-go keeps.
	streaming atomic.Int64

	http    func() *httpTransport   // made at the first use of HTTP
	metrics atomic.Pointer[metrics] // nil without HTTP
	typed   map[string]string       // tool to schema id
}

// withDefaults puts the defaults in for what is not said.
func (o Options) withDefaults() Options {
	if o.Info.Name == "" {
		o.Info = echoMCP(o.Info.Version)
	}
	o.Info.Version = cmp.Or(o.Info.Version, "dev")
	o.Instructions = cmp.Or(o.Instructions, instructionsFor(o))
	for option, values := range map[*int]struct{ otherwise, ceiling int }{
		&o.MaxMessageBytes: {DefaultMaxMessageBytes, MaxMessageBytesCeiling},
		&o.MaxDepth:        {DefaultMaxDepth, MaxDepthCeiling},
		&o.MaxInFlight:     {DefaultMaxInFlight, MaxInFlightCeiling},
		&o.MaxSessions:     {DefaultMaxSessions, MaxSessionsCeiling},
		&o.MaxConnections:  {DefaultMaxConnections, min(MaxConnectionsCeiling, ConnectionLimit())},
		&o.MinBodyRate:     {DefaultMinBodyRate, MinBodyRateCeiling},
	} {
		if *option <= 0 {
			*option = values.otherwise
		}
		*option = min(*option, values.ceiling)
	}
	if o.MaxInFlightBytes <= 0 {
		o.MaxInFlightBytes = 4 * int64(o.MaxMessageBytes)
	}
	o.MaxInFlightBytes = min(max(o.MaxInFlightBytes, int64(o.MaxMessageBytes)), MaxInFlightBytesCeiling)
	for option, otherwise := range map[*time.Duration]time.Duration{
		&o.DrainTimeout:  DefaultDrainTimeout,
		&o.HeaderTimeout: DefaultHeaderTimeout,
		&o.BodyTimeout:   DefaultBodyTimeout,
		&o.IdleTimeout:   DefaultIdleTimeout,
		&o.WriteTimeout:  DefaultWriteTimeout,
	} {
		if *option <= 0 {
			*option = otherwise
		}
		*option = min(*option, TimeoutCeiling)
	}
	o.LameDuck = min(o.LameDuck, LameDuckCeiling)
	return o
}

// New makes a server for the schemas of the registry.
func New(registry jsonrt.Registry, options Options) *Server {
	options = options.withDefaults()
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	options.Logger = slog.New(logs.Limit(options.Logger.Handler()))
	s := &Server{
		options:  options,
		log:      options.Logger,
		ration:   newRation(options),
		registry: registry,
		echo: echo.New(registry, echo.Options{
			MaxDepth:        options.MaxDepth,
			KeepJSONStrings: options.KeepJSONStrings,
		}),
	}
	s.tokens.set(options.Tokens)
	hooks := &mcpserver.Hooks{}
	s.requestHooks(hooks)
	s.sessionHooks(hooks)
	s.resourceHooks(hooks)
	s.loggingHooks(hooks)
	s.iconHooks(hooks)
	s.mcp = mcpserver.NewMCPServer(options.Info.Name, options.Info.Version,
		mcpserver.WithTitle(options.Info.Title),
		mcpserver.WithDescription(options.Info.Description),
		mcpserver.WithWebsiteURL(options.Info.WebsiteURL),
		mcpserver.WithInstructions(options.Instructions),
		mcpserver.WithToolCapabilities(false), // the tools never change
		mcpserver.WithPromptCapabilities(false),
		mcpserver.WithCompletions(),
		mcpserver.WithPromptCompletionProvider(completer{s}),
		mcpserver.WithResourceCompletionProvider(completer{s}),
		mcpserver.WithPaginationLimit(pageSize),
		mcpserver.WithCacheHints(listsFresh.Milliseconds(), cacheScope(options)),
		mcpserver.WithHooks(hooks),
	)
	s.parser = wire.Parser{MaxDepth: options.MaxDepth, WholeArguments: s.isTyped, Unchecked: echo.Schemaless}
	if !options.Stateless {
		mcpserver.WithLogging()(s.mcp)
	}
	s.http = sync.OnceValue(s.newHTTPTransport)
	s.addTools()
	if options.TypedTools {
		s.addTypedTools()
	}
	s.addResources()
	s.addPrompt()
	return s
}

// dispatch lets mcp-go handle a message and returns its answer as a document, nil if there
// is none.
func (s *Server) dispatch(ctx context.Context, m *wire.Message) (doc []byte) {
	defer func() {
		if r := recover(); r != nil {
			s.logPanic(ctx, r)
			doc = s.internalError(m)
		}
	}()
	answer := s.mcp.HandleMessage(wire.NewContext(ctx, m), m.Forward)
	if answer == nil {
		return nil
	}
	doc, err := json.Marshal(answer)
	if err != nil {
		s.log.LogAttrs(ctx, slog.LevelError, "an answer can't be encoded", slog.String("method", m.Method), slog.Any("error", err))
		return s.internalError(m)
	}
	return doc
}

// internalError is the answer to a request that the server failed on; nil for other
// messages.
func (s *Server) internalError(m *wire.Message) []byte {
	if m.Kind != wire.Request {
		return nil
	}
	r := wire.Refusal{Code: wire.CodeInternalError, ID: m.ID, Message: "internal error"}
	return r.AppendTo(nil)
}

// logPanic logs a recovered panic. Its value may hold a caller's data: only what the Go
// run time says itself is logged, and the stack.
func (s *Server) logPanic(ctx context.Context, value any) {
	what := slog.Attr{}
	if err, ok := value.(runtime.Error); ok {
		what = slog.String("error", err.Error())
	}
	s.log.LogAttrs(ctx, slog.LevelError, "panic", what, slog.String("stack", string(debug.Stack())))
}

// logRefusal logs that a message was not dealt with.
func (s *Server) logRefusal(ctx context.Context, r *wire.Refusal, bytes int) {
	s.log.LogAttrs(ctx, slog.LevelInfo, "message refused", slog.Int("code", r.Code), slog.Int("bytes", bytes))
}

// logIgnored logs that a message which wants no answer was not dealt with.
func (s *Server) logIgnored(ctx context.Context, bytes int) {
	s.log.LogAttrs(ctx, slog.LevelInfo, "message ignored", slog.Int("bytes", bytes))
}

// tooLarge words that a message exceeds the size limit.
func (s *Server) tooLarge() string {
	return "larger than " + strconv.Itoa(s.options.MaxMessageBytes) + " bytes, the limit of this server"
}

// listsFresh is how long a client of protocol 2026-07-28 need not ask again for a list or a
// resource. Nothing changes while a process runs; the time is for what replaces it.
// (https://modelcontextprotocol.io/specification/2026-07-28/server/utilities/caching)
const listsFresh = time.Hour

// cacheScope says whether a cache may share lists and resources between callers. All callers
// get the same, but only those with a token where tokens are asked for.
func cacheScope(o Options) mcp.CacheScope {
	if len(o.Tokens) > 0 || o.OAuth != nil {
		return mcp.CacheScopePrivate
	}
	return mcp.CacheScopePublic
}

// pageSize is how many tools, resources or templates are on one page of a list.
const pageSize = 100

// instructionsFor is what initialize tells a model about the server.
func instructionsFor(o Options) string {
	if o.TypedTools {
		return instructions + ` The tools emit_… do the same for one schema each: their arguments are the payload.`
	}
	return instructions
}

const instructions = `Emit structured messages through tool results. ` +
	`Call list_schemas to see which messages there are and get_schema for the JSON Schema of one. ` +
	`Then call echo with schema_id and payload: the payload, a JSON value and mostly an object, is validated and returned unchanged. ` +
	`If it is refused, error.details says for each fault where it is (a JSON Pointer) and what is wrong: repair the payload and call echo again. ` +
	`The schema __schemaless__ accepts anything.`
