package transport

import (
	"context"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/oauth"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// maxHeaderBytes is how large the header of a request may be. Go makes of many short fields
// some twenty times their size.
const maxHeaderBytes = 16 << 10

// httpTransport is the streamable HTTP transport.
type httpTransport struct {
	handler     http.Handler
	mcp         *mcpserver.StreamableHTTPServer
	sessions    *sessionIDs     // nil without sessions
	streams     context.Context // of requests that only end when they are told to
	stop        context.CancelFunc
	draining    atomic.Bool  // the server is going to stop
	calls       limiter      // of requests being answered
	room        *wire.Room   // for their messages
	connections *connections // of Serve
	transfers   *transfers   // of messages and answers

	sessionStreams sessionStreams
	levels         recent[mcp.LoggingLevel] // that sessions asked for
	uninitialized  recent[bool]             // sessions that began here: true until they are ready
	farewell       func()                   // tells clients once that the server stops
}

func (s *Server) newHTTPTransport() *httpTransport {
	t := &httpTransport{
		calls:       limiter{limit: int64(s.options.MaxInFlight)},
		room:        wire.NewRoom(s.options.MaxInFlightBytes),
		connections: newConnections(s.options.MaxConnections),
		transfers: &transfers{
			bodyLimit:   s.options.MaxConnections,
			smallLimit:  smallBody * int64(s.options.MaxInFlight),
			answerLimit: s.options.MaxInFlightBytes,
		},
		sessionStreams: sessionStreams{limit: max(1, s.options.MaxConnections/2), interval: s.options.KeepAlive},
	}
	t.streams, t.stop = context.WithCancel(context.Background())
	t.farewell = sync.OnceFunc(func() { t.tellStop(s.stopMessage()) })
	options := []mcpserver.StreamableHTTPOption{
		mcpserver.WithStreamableHTTPLogger(slog.New(messagesOnly{s.log.Handler()})),
		mcpserver.WithDisableLocalhostProtection(true), // guard does more
	}
	if s.options.Stateless {
		// Without sessions nobody listens for what a server sends of its own accord.
		options = append(options, mcpserver.WithStateLess(true), mcpserver.WithDisableStreaming(true))
	} else {
		t.sessions = &sessionIDs{}
		options = append(options, mcpserver.WithSessionIdManagerResolver(t.sessions))
	}
	t.mcp = mcpserver.NewStreamableHTTPServer(s.mcp, options...)
	m := s.newMetrics(t)
	s.metrics.Store(m)

	mux := http.NewServeMux()
	mux.Handle("/healthz", readOnly(http.HandlerFunc(health)))
	mux.Handle("/readyz", readOnly(http.HandlerFunc(t.ready)))
	guarded := func(h http.Handler) http.Handler {
		return &guard{origins: newNames(s.options.AllowedOrigins), hosts: newNames(s.options.AllowedHosts), next: h}
	}
	private := func(h http.Handler) http.Handler {
		return &auth{tokens: &s.tokens, oauth: s.options.OAuth, log: s.log, next: h}
	}
	endpoint := m.count(guarded(private(&wireHandler{server: s, transport: t})))
	mux.Handle("/mcp", endpoint)
	mux.Handle("/mcp/{$}", endpoint)
	page := func(path string, h http.Handler) {
		mux.Handle(path, guarded(readOnly(private(h)))) // guard answers preflights
	}
	page("/metrics", m.handler())
	for path, h := range s.app.Pages {
		page(path, h)
	}
	if s.options.OAuth != nil {
		mux.Handle(oauth.WellKnown, resourceMetadata{s.options.OAuth})
		mux.Handle(oauth.WellKnown+"/", resourceMetadata{s.options.OAuth})
	}
	mux.Handle("/{$}", guarded(http.HandlerFunc(s.root)))
	mux.Handle("/", guarded(http.HandlerFunc(s.unknown)))
	if s.options.Inspector != nil {
		mux.Handle("/inspector", guarded(s.options.Inspector))
		mux.Handle("/inspector/", guarded(s.options.Inspector))
	}
	t.handler = &front{
		transport: t,
		pace: pace{
			bytes:  max(1, int64(s.options.MinBodyRate)*s.options.BodyTimeout.Milliseconds()/1000),
			period: s.options.BodyTimeout,
			write:  s.options.WriteTimeout,
		},
		limit: int64(s.options.MaxMessageBytes),
		next:  mux,
	}
	return t
}

// Handler serves the streamable HTTP transport at /mcp, and beside it
//
//	/healthz, /readyz   whether the process lives, whether it takes requests
//	/metrics            figures for Prometheus
//	App.Pages           such as the schemas
//	/inspector          Options.Inspector, if there is one
//	/.well-known/oauth-protected-resource and below
//	                    the metadata of Options.OAuth, if there is one
//	/                   where these are; a browser is led to /inspector
//
// /mcp/ is /mcp. HEAD is answered as GET is, without a body.
//
// It answers 401 where there are tokens and the request bears none of them, 403 to a
// foreign Host or Origin and to an access token that lacks a scope, 404 to a session that is not there and 400 to none where one is
// needed, 405 to a method that a path doesn't have, 406 to GET /mcp from a client that takes no
// stream of events, 408 to a body that doesn't come or comes too slowly, 413 to a body beyond the limit, 415 to one that
// is not application/json, 429 beyond the limits of requests, their bytes and sessions, 503
// where the authorization server can't be asked.
// /healthz and /readyz are open to everybody, /inspector needs no token. Who uses the
// handler without Serve or ListenAndServe ends its sessions with Close, and limits the time
// of answers that are not tool results.
func (s *Server) Handler() http.Handler { return s.http().handler }

// Close ends the streams and sessions of the HTTP transport. Clients that asked for notices
// are told on their streams.
func (s *Server) Close() {
	t := s.http()
	t.stop()
	t.farewell()
	// Without a server of its own this ends the sessions, and can't fail.
	_ = t.mcp.Shutdown(context.Background())
}
