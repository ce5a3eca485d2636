package server_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/oauth"
	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// at is the client for another path of the same server.
func (c *httpClient) at(path string) *httpClient {
	return &httpClient{url: strings.TrimSuffix(c.url, "/mcp") + path, session: c.session}
}

func (c *httpClient) get(t *testing.T, header map[string]string) response {
	t.Helper()
	return c.do(t, t.Context(), http.MethodGet, "", header)
}

func TestHealth(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{Tokens: []string{token}}, server.Tools{})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	c := &httpClient{url: ts.URL}
	for _, path := range []string{"/healthz", "/readyz"} {
		r := c.at(path).get(t, map[string]string{"Host": "what.ever.a.probe.says"})
		require.Equal(t, http.StatusOK, r.status)
		require.Equal(t, "ok\n", r.body)
		require.Equal(t, http.StatusMethodNotAllowed, c.at(path).post(t, "", nil).status)
	}
	s.Close()
	require.Equal(t, http.StatusOK, c.at("/healthz").get(t, nil).status)
	require.Equal(t, http.StatusServiceUnavailable, c.at("/readyz").get(t, nil).status)
}

func TestSchemaFiles(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	r := c.at("/schemas/"+stageID).get(t, nil)
	require.Equal(t, http.StatusOK, r.status)
	require.Equal(t, stageSource, r.body)
	require.Equal(t, "application/schema+json", r.header.Get("Content-Type"))
	etag := r.header.Get("ETag")
	require.NotEmpty(t, etag)
	r = c.at("/schemas/"+stageID).get(t, map[string]string{"If-None-Match": etag})
	require.Equal(t, http.StatusNotModified, r.status)

	r = c.at("/schemas").get(t, nil)
	require.Equal(t, "application/json", r.header.Get("Content-Type"))
	require.Contains(t, r.body, `"schema_id":"`+stageID+`"`)
	for _, path := range []string{"/schemas/absent", "/schemas/__schemaless__", "/schemas/", "/schemas/..%2F..%2Fgo.mod"} {
		require.Equal(t, http.StatusNotFound, c.at(path).get(t, nil).status, path)
	}
	require.Equal(t, http.StatusForbidden, c.at("/schemas").get(t, map[string]string{"Host": "evil.example"}).status)
}

func TestInspectorHook(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { _, _ = io.WriteString(w, "page at "+r.URL.Path) })
	s := server.New(testRegistry(), transport.Options{Inspector: page, Tokens: []string{token}}, server.Tools{})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	defer s.Close()
	c := &httpClient{url: ts.URL}
	for _, path := range []string{"/inspector", "/inspector/a/b.js"} {
		require.Equal(t, "page at "+path, c.at(path).get(t, nil).body)
		require.Equal(t, http.StatusForbidden, c.at(path).get(t, map[string]string{"Host": "evil.example"}).status)
	}
	require.Equal(t, http.StatusNotFound, startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{})).at("/inspector").get(t, nil).status)
}

const token = "correct-horse-battery-staple"

func TestTokens(t *testing.T) {
	t.Parallel()
	var log syncBuffer
	s := server.New(testRegistry(), transport.Options{
		Tokens: []string{"another-token-of-some-length", token},
		Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	}, server.Tools{})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	defer s.Close()
	c := &httpClient{url: ts.URL + "/mcp"}
	for _, f := range []struct {
		name, header string
		status       int
		challenge    string
	}{
		{"none", "", 401, `Bearer realm="echo-mcp"`},
		{"wrong", "Bearer " + token + "x", 401, `Bearer realm="echo-mcp", error="invalid_token"`},
		{"part", "Bearer " + token[:10], 401, `Bearer realm="echo-mcp", error="invalid_token"`},
		{"empty", "Bearer ", 401, `Bearer realm="echo-mcp", error="invalid_token"`},
		{"basic", "Basic " + token, 401, `Bearer realm="echo-mcp"`},
		{"the token alone", token, 401, `Bearer realm="echo-mcp"`},
		{"right", "Bearer " + token, 200, ""},
		{"other case of the scheme", "bearer " + token, 200, ""},
	} {
		for path, method := range map[string]string{"/mcp": http.MethodPost, "/metrics": http.MethodGet, "/schemas": http.MethodGet} {
			message := ""
			if method == http.MethodPost {
				message = initialize
			}
			r := c.at(path).do(t, t.Context(), method, message, map[string]string{"Authorization": f.header})
			require.Equal(t, f.status, r.status, "%s %s: %s", f.name, path, r.body)
			require.Equal(t, f.challenge, r.header.Get("WWW-Authenticate"), f.name)
			if f.status == http.StatusUnauthorized {
				require.Contains(t, r.body, `"jsonrpc":"2.0","id":null,"error":{"code":-32600`)
			}
		}
	}
	require.NotContains(t, log.String(), token)

	unset := server.New(testRegistry(), transport.Options{Tokens: []string{""}}, server.Tools{})
	defer unset.Close()
	closed := httptest.NewServer(unset.Handler())
	defer closed.Close()
	for _, header := range []string{"", "Bearer", "Bearer ", "bearer  "} {
		r := (&httpClient{url: closed.URL + "/mcp"}).do(t, t.Context(), http.MethodPost, initialize, map[string]string{"Authorization": header})
		require.Equal(t, http.StatusUnauthorized, r.status, "an empty token must open nothing: %q", header)
	}
}

func TestExposure(t *testing.T) {
	t.Parallel()
	ctx, cancel := cancelled(t)
	defer cancel()
	for _, addr := range []string{"0.0.0.0:0", "[::]:0", "192.0.2.1:0"} {
		s := server.New(testRegistry(), transport.Options{}, server.Tools{})
		require.ErrorIs(t, s.ListenAndServe(t.Context(), addr), transport.ErrPublicAddress, addr)
	}
	for _, addr := range []string{"127.0.0.1:0", ":0", "localhost:0"} {
		require.NotErrorIs(t, server.New(testRegistry(), transport.Options{}, server.Tools{}).ListenAndServe(ctx, addr), transport.ErrPublicAddress, addr)
	}
	signIn := oauth.New(readMetadata(t, `{"resource":"https://mcp.example.com","authorization_servers":["https://auth.example.com"]}`), nil, slog.New(slog.DiscardHandler))
	for _, o := range []transport.Options{{Insecure: true}, {Tokens: []string{token}}, {OAuth: signIn}} {
		require.NotErrorIs(t, server.New(testRegistry(), o, server.Tools{}).ListenAndServe(ctx, "0.0.0.0:0"), transport.ErrPublicAddress)
	}
}

// TestTLS: the transport as HTTPS, payloads as exact as ever, also over HTTP/2.
func TestTLS(t *testing.T) {
	t.Parallel()
	// httptest has a certificate for 127.0.0.1.
	donor := httptest.NewTLSServer(http.NotFoundHandler())
	certificate := donor.TLS.Certificates[0]
	roots := x509.NewCertPool()
	roots.AddCert(donor.Certificate())
	donor.Close()

	s := server.New(testRegistry(), transport.Options{Stateless: true, TLS: &tls.Config{Certificates: []tls.Certificate{certificate}, MinVersion: tls.VersionTLS12}}, server.Tools{})
	base, stop := serveOn(t, s)
	defer stop()
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}, ForceAttemptHTTP2: true}
	defer transport.CloseIdleConnections()
	for _, payload := range []string{`[1.0,1E400]`, `"` + strings.Repeat("x", 3<<20) + `"`} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://"+base+"/mcp", strings.NewReader(echoCall(1, "any", payload)))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		r, err := transport.RoundTrip(request)
		require.NoError(t, err)
		body, err := io.ReadAll(r.Body)
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, 2, r.ProtoMajor)
		require.NoError(t, rawclient.CheckEcho(body, "any", []byte(payload)))
	}
}

// serveOn serves on a port of its own and returns its address. stop ends it and waits.
func serveOn(t *testing.T, s *server.Server) (addr string, stop func()) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local port
	require.NoError(t, err)
	return serveListener(t, s, listener)
}

// serveListener is serveOn for a listener.
func serveListener(t *testing.T, s *server.Server, listener net.Listener) (addr string, stop func()) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	return listener.Addr().String(), func() {
		cancel()
		require.NoError(t, <-ended)
	}
}

// TestEveryAnswerHasItsHeaders walks all paths and refusals: no browser guesses at what an
// answer is, and none is kept but where the answer says how.
func TestEveryAnswerHasItsHeaders(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<p>page") })
	r := newSlow()
	c := startHTTP(t, server.New(r.Registry, transport.Options{Inspector: page, MaxInFlight: 1, MaxMessageBytes: 10_000, MaxSessions: 1}, server.Tools{}))
	locked := startStateless(t, server.New(testRegistry(), transport.Options{Stateless: true, Tokens: []string{token}}, server.Tools{}))
	seen := map[int]bool{}
	check := func(c *httpClient, method, path, message string, header map[string]string) {
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		r, err := c.at(path).start(ctx, method, message, header)
		require.NoError(t, err)
		defer r.Body.Close()
		seen[r.StatusCode] = true
		what := method + " " + path + ": " + r.Status
		require.Equal(t, []string{"nosniff"}, r.Header.Values("X-Content-Type-Options"), what)
		require.NotEmpty(t, r.Header.Get("Cache-Control"), what)
		if !strings.HasPrefix(path, "/schemas/") && r.Header.Get("Content-Type") != "text/event-stream" {
			require.Equal(t, "no-store", r.Header.Get("Cache-Control"), what)
		}
	}
	paths := []string{
		"/mcp", "/healthz", "/readyz", "/metrics", "/schemas", "/schemas/any", "/schemas/absent", "/inspector",
		"/inspector/x", "/", "/absent", "//schemas", "/mcp/",
	}
	for _, path := range paths {
		for _, method := range []string{"GET", "HEAD", "POST", "PUT", "DELETE", "OPTIONS", "TRACE"} {
			if strings.HasPrefix(path, "/mcp") && method == "DELETE" {
				continue // at the end
			}
			check(c, method, path, "", nil)
			check(locked, method, path, "", nil)
		}
		check(c, "GET", path, "", map[string]string{"Host": "evil.example"})
		check(c, "GET", path, "", map[string]string{"Origin": "https://evil.example"})
		check(c, "OPTIONS", path, "", map[string]string{"Origin": "http://localhost", "Access-Control-Request-Method": "GET"})
	}
	for _, message := range []string{
		ping, initialized, initialize, "", "{", "[]", `{"jsonrpc":"2.0"}`, `{"jsonrpc":"2.0","id":1,"method":"absent"}`,
		call("1", "absent", `{}`), echoCall(1, "absent", `1`), echoCall(1, "any", `"`+strings.Repeat("x", 10_000)+`"`),
	} {
		check(c, "POST", "/mcp", message, nil)
		check(locked, "POST", "/mcp", message, map[string]string{"Authorization": "Bearer " + token})
	}
	for name, value := range map[string]string{
		"Content-Type": "text/plain", "Content-Encoding": "gzip", "Mcp-Session-Id": "made-up", "Mcp-Protocol-Version": "1999-01-01",
		"Host": "evil.example", "Origin": "https://evil.example",
	} {
		check(c, "POST", "/mcp", ping, map[string]string{name: value})
	}
	bearer := map[string]string{"Authorization": "Bearer " + token}
	bearer["If-None-Match"] = locked.at("/schemas/"+stageID).get(t, bearer).header.Get("ETag")
	check(locked, "GET", "/schemas/"+stageID, "", bearer)
	got := make(chan response, 1)
	go func() { got <- c.post(t, echoCall(1, "slow", `[1.0]`), nil) }()
	<-r.entered
	check(c, "POST", "/mcp", ping, nil)
	close(r.release)
	require.Equal(t, http.StatusOK, (<-got).status)
	check(c, "DELETE", "/mcp", "", nil)
	check(c, "POST", "/mcp", ping, nil)
	for _, status := range []int{200, 202, 204, 304, 400, 401, 403, 404, 405, 413, 415, 429} {
		require.True(t, seen[status], status)
	}
}

// startStateless serves the handler, where no handshake can be done.
func startStateless(t *testing.T, s *server.Server) *httpClient {
	t.Helper()
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		ts.Close()
	})
	return &httpClient{url: ts.URL + "/mcp"}
}

// TestSetTokens: tokens can be exchanged while requests are under way, but what was closed
// doesn't become open by it, nor what was open closed.
func TestSetTokens(t *testing.T) {
	t.Parallel()
	const next = "the-next-token-of-some-length"
	s := server.New(testRegistry(), transport.Options{Stateless: true, Tokens: []string{token}}, server.Tools{})
	c := startStateless(t, s)
	status := func(token string) int {
		return c.post(t, ping, map[string]string{"Authorization": "Bearer " + token}).status
	}
	require.Equal(t, []int{200, 401}, []int{status(token), status(next)})
	s.SetTokens([]string{token, next})
	require.Equal(t, []int{200, 200}, []int{status(token), status(next)})
	s.SetTokens([]string{next})
	require.Equal(t, []int{401, 200}, []int{status(token), status(next)})
	s.SetTokens(nil)
	require.Equal(t, []int{401, 200, 401}, []int{status(token), status(next), status("")})

	open := server.New(testRegistry(), transport.Options{Stateless: true}, server.Tools{})
	open.SetTokens([]string{token})
	require.Equal(t, http.StatusOK, startStateless(t, open).post(t, ping, nil).status)
}
