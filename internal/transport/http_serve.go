package transport

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"time"
)

// http2 bounds what one connection of HTTP/2 may take.
func http2() *http.HTTP2Config {
	return &http.HTTP2Config{
		MaxConcurrentStreams:          64,
		MaxReadFrameSize:              64 << 10,
		MaxReceiveBufferPerConnection: 512 << 10,
		MaxReceiveBufferPerStream:     256 << 10,
	}
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
	config.SetMultipathTCP(false) // refuseNew has no effect on its listeners
	listener, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return fmt.Errorf("listening: %w", err)
	}
	return s.Serve(ctx, listener)
}

// Serve serves the HTTP transport on the listener, which it closes, until ctx ends; with
// Options.TLS as HTTPS. Whether the listener may be public is the caller's decision. Then
// /readyz says that the server stops, and its answers that their connections close, for as
// long as Options.LameDuck; then it takes no new connections, ends the streams, and waits for
// the calls under way as long as Options.DrainTimeout. Result nil, ErrDrain, or the error of
// the listener. A Server that has served can't serve HTTP again. On Linux no connection is
// lost with the listener if that is of plain TCP: net.ListenConfig makes such a one after
// SetMultipathTCP(false).
func (s *Server) Serve(ctx context.Context, listener net.Listener) error {
	base, cancelRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelRequests()
	connections := s.http().connections
	connections.Listener = listener
	server := &http.Server{
		Handler:                      s.Handler(),
		DisableGeneralOptionsHandler: true, // its answers have none of our headers
		ReadHeaderTimeout:            s.options.HeaderTimeout,
		IdleTimeout:                  s.options.IdleTimeout,
		WriteTimeout:                 s.options.WriteTimeout, // bodies, long answers and streams set their own
		MaxHeaderBytes:               maxHeaderBytes,
		TLSConfig:                    s.options.TLS,
		HTTP2:                        http2(),
		ErrorLog:                     slog.NewLogLogger(s.log.Handler(), slog.LevelWarn),
		BaseContext:                  func(net.Listener) context.Context { return base },
		ConnContext:                  connections.newContext,
		ConnState:                    connections.setState,
	}
	s.logServing(ctx, listener.Addr())
	if s.options.Listening != nil {
		s.options.Listening(listener.Addr())
	}
	served := make(chan error, 1)
	go func() {
		if s.options.TLS != nil {
			served <- server.ServeTLS(connections, "", "")
			return
		}
		served <- server.Serve(connections)
	}()
	select {
	case err := <-served:
		s.Close()
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
	}
	s.handOver()
	s.http().draining.Store(true)
	connections.draining.Store(true)
	s.lameDuck()
	connections.stop()
	end := <-served
	err := s.stop(server)
	if err == nil && !errors.Is(end, errStopped) {
		err = fmt.Errorf("serving HTTP: %w", end)
	}
	return err
}

// logServing says where the server is found.
func (s *Server) logServing(ctx context.Context, addr net.Addr) {
	site := siteURL(addr, s.options.TLS != nil)
	about := []slog.Attr{slog.String("transport", "http"), slog.String("address", addr.String()), slog.String("mcp", site+"/mcp")}
	if s.options.Inspector != nil {
		about = append(about, slog.String("inspector", site+"/inspector"))
	}
	s.log.LogAttrs(ctx, s.servingLevel(), "serving", append(about, slog.Bool("tls", s.options.TLS != nil),
		slog.Bool("token", len(s.options.Tokens) > 0), slog.Bool("oauth", s.options.OAuth != nil), slog.Int("schemas", s.app.Schemas))...)
}

// servingLevel is the level at which the log says where the server is found. With HandOver that is
// nothing to people: clients are elsewhere, and it says so after each change.
func (s *Server) servingLevel() slog.Level {
	if s.options.HandOver {
		return slog.LevelDebug
	}
	return slog.LevelInfo
}

// siteURL is the URL at which this machine reaches a server that listens on addr: all
// addresses, 0.0.0.0 and [::], are localhost.
func siteURL(addr net.Addr, secure bool) string {
	site := url.URL{Scheme: "http", Host: addr.String()}
	if secure {
		site.Scheme = "https"
	}
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsUnspecified() {
		site.Host = net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
	}
	return site.String()
}

const (
	stopStep = 10 * time.Millisecond // between two looks at what is left
	// stopQuiet is how long a connection has to be silent until it is closed.
	stopQuiet = 500 * time.Millisecond
)

// lameDuck goes on serving for a while, while clients and balancers learn that they should
// go elsewhere.
func (s *Server) lameDuck() {
	if s.options.LameDuck > 0 {
		time.Sleep(s.options.LameDuck)
		return
	}
	// Clients that were asked to close their connections come again with new ones: nobody is
	// there when there was nobody for some looks.
	nobody := 0
	for end := time.Now().Add(DefaultLameDuck); time.Now().Before(end) && nobody < 10; time.Sleep(stopStep) {
		nobody++
		if s.http().connections.count() > 0 {
			nobody = 0
		}
	}
}

// stop ends an HTTP server that takes no new connections any more, within the drain limit.
// Nothing that was sent is lost: a connection is closed by the answer that says so, or when
// it was silent for a while; net/http's own Shutdown would throw away what arrives while it
// runs. Only to clients of HTTP/2 it can say goodbye properly. Streams end now: who sees one
// end finds nobody to call again.
func (s *Server) stop(server *http.Server) error {
	ctx, cancel := context.WithTimeout(context.Background(), s.options.DrainTimeout)
	defer cancel()
	connections := s.http().connections
	connections.closeSilent(stopQuiet) // before the streams end
	closed := make(chan struct{})
	defer func() { <-closed }()
	closing, stopClosing := context.WithCancel(context.Background())
	defer stopClosing()
	go func() {
		defer close(closed)
		for { // a stream may still open, so more than once
			s.Close()
			if pause(closing, stopStep) != nil {
				return
			}
		}
	}()
	for connections.closeSilent(stopQuiet).h1 > 0 && pause(ctx, stopStep) == nil { //nolint:revive // it does all
	}
	err := server.Shutdown(ctx)
	if err == nil {
		return nil
	}
	working := connections.closeSilent(0).working
	connections.draining.Store(false)
	_ = server.Close() // the error of closing what is left adds nothing to this one
	switch {
	case !errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("stopping HTTP: %w", err)
	case working:
		return ErrDrain
	}
	return nil // who was left had asked for nothing
}

// pause waits, and returns an error if ctx ends before.
func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// ConnectionLimit is the most that Options.MaxConnections can be: how many files the system
// lets this process have, less some for other things than connections.
func ConnectionLimit() int { return max(1, fileLimit()-otherFiles) }

// otherFiles is how many files are not for connections: the program's own, and those that are
// just closing.
const otherFiles = 64
