// Package transport serves what an MCP server of mcp-go has over stdio and streamable HTTP: with
// the wire of package wire, which keeps payloads away from mcp-go, and with limits of size, time,
// memory and connections. It knows no tool.
package transport

import (
	"context"
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

	"github.com/zenlix/echo-mcp/internal/logs"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// App is what a Server serves, as far as the transports have to know it. The zero value has
// nothing but what is added to Server.MCP.
type App struct {
	// Options of mcp-go: capabilities, completions.
	Options []mcpserver.ServerOption
	// WholeArguments tells, by its name, whether a tool takes its arguments as one payload. nil
	// means that no tool does.
	WholeArguments func(tool string) bool
	// Unchecked is the id of a schema that accepts every payload: see wire.Parser. "" is none.
	Unchecked string
	// Contents says that what resources and prompts answer is kept away from mcp-go, as results of
	// tools are: see wire.Parser.
	Contents bool
	// Offers reports whether there is anything in a section of what MCP servers offer: SectionTools,
	// SectionResources, SectionPrompts or SectionCompletions. A section with nothing in it is not declared, and its
	// methods are unknown. nil means that mcp-go knows.
	Offers func(section string) bool
	// HasResource reports whether a resource with a URI can be read. nil means that there are no
	// resources.
	HasResource func(uri string) bool
	// Subscriptions says that clients may subscribe to resources, although none ever changes.
	Subscriptions bool
	// Pages are what there is over HTTP beside MCP, by pattern of http.ServeMux. They are for GET
	// and HEAD, and need a token where MCP does. About says what they are, in a sentence for
	// people.
	Pages map[string]http.Handler
	About string
	// Schemas is how many schemas the tools know, for the log and the metrics.
	Schemas int
	// Changes says that the lists may change while clients are connected.
	Changes bool
}

// Server serves an App over any number of connections. Its methods may be used at the same time.
type Server struct {
	app     App
	options Options
	log     *slog.Logger
	ration  *ration
	mcp     *mcpserver.MCPServer
	parser  wire.Parser
	tokens  tokens
	stdio   stdioClients

	http    func() *httpTransport   // made at the first use of HTTP
	metrics atomic.Pointer[metrics] // nil without HTTP
}

// New makes a server. Its tools, resources and prompts are for the caller to add to MCP.
func New(app App, options Options) *Server {
	options = options.withDefaults()
	if options.Logger == nil {
		options.Logger = slog.New(slog.DiscardHandler)
	}
	options.Logger = slog.New(logs.Limit(options.Logger.Handler()))
	app.Changes = app.Changes || options.HandOver
	s := &Server{app: app, options: options, log: options.Logger, ration: newRation(options)}
	s.tokens.set(options.Tokens)
	hooks := &mcpserver.Hooks{}
	s.requestHooks(hooks)
	if app.Changes {
		s.changeHooks(hooks)
	}
	if app.HasResource != nil {
		s.resourceHooks(hooks)
	}
	s.loggingHooks(hooks)
	s.iconHooks(hooks)
	s.pageHooks(hooks)
	s.sectionHooks(hooks)
	s.mcp = mcpserver.NewMCPServer(options.Info.Name, options.Info.Version, append([]mcpserver.ServerOption{
		mcpserver.WithTitle(options.Info.Title),
		mcpserver.WithDescription(options.Info.Description),
		mcpserver.WithWebsiteURL(options.Info.WebsiteURL),
		mcpserver.WithInstructions(options.Instructions),
		mcpserver.WithToolCapabilities(app.Changes && !options.Stateless),
		mcpserver.WithCacheHints(app.fresh().Milliseconds(), cacheScope(options)),
		mcpserver.WithHooks(hooks),
	}, app.Options...)...)
	s.parser = wire.Parser{MaxDepth: options.MaxDepth, WholeArguments: app.WholeArguments, Unchecked: app.Unchecked, Contents: app.Contents}
	if !options.Stateless {
		mcpserver.WithLogging()(s.mcp)
	}
	s.http = sync.OnceValue(s.newHTTPTransport)
	return s
}

// MCP is the server of mcp-go that holds the tools, resources and prompts.
func (s *Server) MCP() *mcpserver.MCPServer { return s.mcp }

// Log is where the server logs: ids, sizes and outcomes.
func (s *Server) Log() *slog.Logger { return s.log }

// dispatch lets mcp-go handle a message and returns its answer as a document, nil if there
// is none.
func (s *Server) dispatch(ctx context.Context, m *wire.Message) (doc []byte) {
	defer func() {
		if r := recover(); r != nil {
			s.LogPanic(ctx, r)
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

// LogPanic logs a recovered panic. Its value may hold a caller's data: only what the Go
// run time says itself is logged, and the stack.
func (s *Server) LogPanic(ctx context.Context, value any) {
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

// logPlaceholder logs that mcp-go's answer has no place for what a handler has answered.
func (s *Server) logPlaceholder(ctx context.Context, err error) {
	s.log.LogAttrs(ctx, slog.LevelError, err.Error())
}

// tooLarge words that a message exceeds the size limit.
func (s *Server) tooLarge() string {
	return "larger than " + strconv.Itoa(s.options.MaxMessageBytes) + " bytes, the limit of this server"
}

// listsFresh is how long a client of protocol 2026-07-28 need not ask again for a list or a
// resource that never changes while the process runs: the time is for what replaces it.
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

// fresh is how long a client need not ask again for lists. Those that change are never fresh: the
// client may have missed the notice.
func (a App) fresh() time.Duration {
	if a.Changes {
		return 0
	}
	return listsFresh
}
