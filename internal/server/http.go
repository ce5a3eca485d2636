package server

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// maxHeaderBytes is how large the header of a request may be. Go makes of many short fields
// some twenty times their size.
const maxHeaderBytes = 16 << 10

// httpTransport is the streamable HTTP transport.
type httpTransport struct {
	handler  http.Handler
	mcp      *mcpserver.StreamableHTTPServer
	sessions *sessionIDs     // nil without sessions
	streams  context.Context // of requests that only end when they are told to
	stop     context.CancelFunc
	calls    limiter    // of requests being read or answered
	room     *wire.Room // for their messages

	sessionStreams sessionStreams
	levels         recent[mcp.LoggingLevel] // that sessions asked for
	farewell       func()                   // tells clients once that the server stops
}

func (s *Server) newHTTPTransport() *httpTransport {
	t := &httpTransport{calls: limiter{limit: int64(s.options.MaxInFlight)}, room: wire.NewRoom(s.options.MaxInFlightBytes)}
	t.streams, t.stop = context.WithCancel(context.Background())
	t.farewell = sync.OnceFunc(t.tellStop)
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
	mux.HandleFunc("GET /healthz", health)
	mux.HandleFunc("GET /readyz", t.ready)
	guarded := func(h http.Handler) http.Handler {
		return &guard{origins: newNames(s.options.AllowedOrigins), hosts: newNames(s.options.AllowedHosts), next: h}
	}
	private := func(h http.Handler) http.Handler { return guarded(newAuth(s.options.Tokens, h)) }
	mux.Handle("/mcp", m.count(&patient{
		limit:   int64(s.options.MaxMessageBytes),
		timeout: s.options.BodyTimeout,
		next:    private(&wireHandler{server: s, transport: t}),
	}))
	for path, h := range map[string]http.Handler{
		"/metrics":         m.handler(),
		"/schemas":         http.HandlerFunc(s.listSchemas),
		"/schemas/{id...}": http.HandlerFunc(s.schemaFile),
	} {
		mux.Handle("GET "+path, private(h))
		mux.Handle("OPTIONS "+path, guarded(methodNotAllowed("GET, HEAD"))) // guard answers preflights
	}
	if s.options.Inspector != nil {
		mux.Handle("/inspector", guarded(s.options.Inspector))
		mux.Handle("/inspector/", guarded(s.options.Inspector))
	}
	t.handler = mux
	return t
}

// Handler serves the streamable HTTP transport at /mcp, and beside it
//
//	/healthz, /readyz   whether the process lives, whether it takes requests
//	/metrics            figures for Prometheus
//	/schemas            what list_schemas answers
//	/schemas/{id}       the bytes of a schema's file
//	/inspector          Options.Inspector, if there is one
//
// It answers 401 where there are tokens and the request bears none of them, 403 to a
// foreign Host or Origin, 404 to a session that is not there and 400 to none where one is
// needed, 408 to a body that doesn't come, 413 to a body beyond the limit, 415 to one that
// is not application/json, 429 beyond the limits of requests, their bytes and sessions.
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

// ListenAndServe is Serve on a TCP address such as "127.0.0.1:3000". An address without
// host, ":3000", means the loopback interface; name 0.0.0.0 or [::] to be reachable from
// elsewhere, which without a token is ErrPublicAddress unless Options.Insecure is set.
func (s *Server) ListenAndServe(ctx context.Context, addr string) error {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	if host == "" {
		host = "127.0.0.1"
	}
	addr = net.JoinHostPort(host, port)
	if err := s.checkExposure(addr); err != nil {
		return err
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	return s.Serve(ctx, listener)
}

// Serve serves the HTTP transport on the listener, which it closes, until ctx ends; with
// Options.TLS as HTTPS. Whether the listener may be public is the caller's decision. Then
// it takes no new requests, ends the streams, and waits for the calls under way as long as
// the drain limit. Result nil, ErrDrain, or the error of the listener. A Server that has
// served can't serve HTTP again.
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	base, cancelRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelRequests()
	server := &http.Server{
		Handler:           s.Handler(),
		ReadHeaderTimeout: s.options.HeaderTimeout,
		IdleTimeout:       s.options.IdleTimeout,
		// Counts from the header on. Long answers and streams set their own.
		WriteTimeout:   s.options.BodyTimeout + s.options.WriteTimeout,
		MaxHeaderBytes: maxHeaderBytes,
		TLSConfig:      s.options.TLS,
		ErrorLog:       slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		BaseContext:    func(net.Listener) context.Context { return base },
	}
	s.log.LogAttrs(ctx, slog.LevelInfo, "serving", slog.String("transport", "http"),
		slog.String("address", listener.Addr().String()), slog.Bool("tls", s.options.TLS != nil),
		slog.Bool("token", len(s.options.Tokens) > 0), slog.Int("schemas", s.registry.Len()))
	served := make(chan error, 1)
	go func() {
		if s.options.TLS != nil {
			served <- server.ServeTLS(listener, "", "")
			return
		}
		served <- server.Serve(listener)
	}()
	select {
	case err := <-served:
		s.Close()
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}
	err := s.shutdown(server)
	cancelRequests()
	if end := <-served; err == nil && !errors.Is(end, http.ErrServerClosed) {
		err = fmt.Errorf("serving HTTP: %w", end)
	}
	return err
}

// shutdown ends an HTTP server within the drain limit.
func (s *Server) shutdown(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.options.DrainTimeout)
	defer cancel()
	begun := make(chan struct{})
	closing := make(chan struct{})
	closed := make(chan struct{})
	// Streams end after the listener, so that who sees one end finds nobody to call again.
	server.RegisterOnShutdown(func() { close(begun) })
	go func() {
		defer close(closed)
		<-begun
		// A stream may still open while the server shuts down, so close more than once.
		tick := time.NewTicker(10 * time.Millisecond)
		defer tick.Stop()
		for {
			s.Close()
			select {
			case <-tick.C:
			case <-closing:
				return
			}
		}
	}()
	err := server.Shutdown(ctx)
	close(closing)
	<-closed
	if err != nil {
		// The error of closing what is left adds nothing to this one.
		_ = server.Close()
		if errors.Is(err, context.DeadlineExceeded) {
			return ErrDrain
		}
		return fmt.Errorf("stopping HTTP: %w", err)
	}
	return nil
}
