package dev

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// httpFront is between clients over HTTP and the servers that come and go, which listen on ports of
// their own. A session is accepted by every server, so that it survives them.
type httpFront struct {
	mu      sync.Mutex
	current *httpServer
	first   chan struct{} // closed when there is a server
	all     sync.WaitGroup
	servers map[*httpServer]struct{}
	died    func(error)
}

// httpServer is a server on a port.
type httpServer struct {
	*child
	address   chan string // gets the address
	host      string
	transport *http.Transport
	busy      int // requests that have no answer yet, guarded by httpFront.mu
	leaving   bool
}

func newHTTPFront(died func(error)) *httpFront {
	return &httpFront{first: make(chan struct{}), servers: map[*httpServer]struct{}{}, died: died}
}

// serve takes requests until ctx ends.
func (f *httpFront) serve(ctx context.Context, listener net.Listener, stderr io.Writer) error {
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.Out.URL.Scheme, r.Out.URL.Host = "http", "server" // RoundTrip knows which
			r.Out.Host = r.In.Host
		},
		Transport:     f,
		FlushInterval: -1,
		ErrorLog:      log.New(io.Discard, "", 0), //nolint:forbidigo // of requests that their clients gave up
		ErrorHandler: func(w http.ResponseWriter, _ *http.Request, err error) {
			refusal := wire.Refusal{Code: wire.CodeInternalError, ID: []byte("null"), Message: "the server does not answer: " + err.Error() + "; the terminal of dev says more"}
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(http.StatusBadGateway)
			_, _ = w.Write(refusal.AppendTo(nil))
		},
	}
	s := &http.Server{Handler: proxy, ReadHeaderTimeout: 10 * time.Second, ErrorLog: log.New(stderr, "", 0)} //nolint:forbidigo // as net/http wants it
	go func() {
		<-ctx.Done()
		_ = s.Close()
	}()
	if err := s.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	return nil
}

// RoundTrip sends a request to the server that is there. A stream goes on at the next one.
func (f *httpFront) RoundTrip(r *http.Request) (*http.Response, error) {
	streams, err := opensStream(r)
	if err != nil {
		return nil, err
	}
	s, response, err := f.send(r)
	if err == nil && streams && isStream(response) {
		response.Body = f.lasting(r, s, response.Body)
	}
	return response, err
}

// send sends a request to the server that is there, and tells which that is.
func (f *httpFront) send(r *http.Request) (*httpServer, *http.Response, error) {
	select {
	case <-f.first:
	case <-r.Context().Done():
		return nil, nil, r.Context().Err()
	}
	f.mu.Lock()
	s := f.current
	s.busy++
	f.mu.Unlock()
	defer func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		s.busy--
		f.dismiss(s)
	}()
	r.URL.Host = s.host
	response, err := s.transport.RoundTrip(r)
	return s, response, err
}

// dismiss lets a server end that another one has replaced, once it has begun to answer all that it
// was asked: it answers to the end. The caller holds mu.
func (f *httpFront) dismiss(s *httpServer) {
	if s.leaving && s.busy == 0 {
		s.retire()
	}
}

// start starts a server.
func (f *httpFront) start(ctx context.Context, program string, args []string, stderr io.Writer) (server, error) {
	s := &httpServer{address: make(chan string, 1), transport: &http.Transport{DisableCompression: true, MaxIdleConnsPerHost: 64}}
	args = append(args[:len(args):len(args)], "--http", "127.0.0.1:0", "--lame-duck", "1ms")
	c, err := startChild(program, args, stderr, func(stdout io.Reader) {
		line, _ := bufio.NewReader(stdout).ReadString('\n')
		s.address <- strings.TrimSpace(line)
		_, _ = io.Copy(io.Discard, stdout)
	})
	if err != nil {
		return nil, err
	}
	s.child = c
	timeout := time.NewTimer(greetTime)
	defer timeout.Stop()
	select {
	case s.host = <-s.address:
	case <-timeout.C:
	case <-ctx.Done():
	}
	if _, _, err := net.SplitHostPort(s.host); err != nil {
		s.kill()
		<-s.Done()
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return nil, fmt.Errorf("the server did not start (%w): dev needs a program that calls echomcp.Main", ending(s.Err()))
	}
	f.mu.Lock()
	f.servers[s] = struct{}{}
	f.mu.Unlock()
	f.all.Go(func() { f.bury(s) })
	return s, nil
}

// swap lets a new server answer from now on.
func (f *httpFront) swap(_ context.Context, fresh server) error {
	s := fresh.(*httpServer)
	f.mu.Lock()
	defer f.mu.Unlock()
	old := f.current
	if f.current = s; old == nil {
		close(f.first)
		return nil
	}
	old.leaving = true
	f.dismiss(old)
	return nil
}

// bury waits for the end of a server.
func (f *httpFront) bury(s *httpServer) {
	<-s.Done()
	s.transport.CloseIdleConnections()
	f.mu.Lock()
	delete(f.servers, s)
	current := f.current == s
	f.mu.Unlock()
	if current && !s.expected.Load() {
		f.died(ending(s.Err()))
	}
}

// stop ends all servers, within the limit.
func (f *httpFront) stop(limit time.Duration) {
	f.mu.Lock()
	var servers []*httpServer
	for s := range f.servers {
		servers = append(servers, s)
	}
	f.mu.Unlock()
	for _, s := range servers {
		f.all.Go(func() { s.stop(limit) })
	}
	f.all.Wait()
}

// mcpURL is where clients find the front.
func mcpURL(listener net.Listener) string {
	return (&url.URL{Scheme: "http", Host: listener.Addr().String(), Path: "/mcp"}).String()
}
