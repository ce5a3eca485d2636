package server_test

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// testCertificate is a certificate for 127.0.0.1.
func testCertificate() tls.Certificate {
	donor := httptest.NewTLSServer(http.NotFoundHandler())
	defer donor.Close()
	return donor.TLS.Certificates[0]
}

// TestHalfOpen: connections that wait for their client keep nobody out, whatever they wait
// for: the oldest of them are closed.
func TestHalfOpen(t *testing.T) {
	t.Parallel()
	const limit = 32
	hello := "\x16\x03\x01\x02\x00\x01" // the first bytes of a handshake
	header := "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n"
	for name, f := range map[string]struct {
		sent, answer string
		tls          bool
	}{
		"nothing":                   {},
		"a part of a handshake":     {sent: hello, tls: true},
		"nothing of a handshake":    {tls: true},
		"a part of a header":        {sent: header},
		"a part of a body":          {sent: header + "\r\n{"},
		"a body that is not wanted": {sent: "GET /healthz HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\n{"},
		"idle after an answer":      {sent: "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", answer: "HTTP/1.1 200 OK\r\n"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			o := transport.Options{Stateless: true, MaxConnections: limit, MaxInFlight: 4}
			scheme := "http://"
			if f.tls {
				o.TLS = &tls.Config{Certificates: []tls.Certificate{testCertificate()}, MinVersion: tls.VersionTLS12}
				scheme = "https://"
			}
			addr, stop := serveOn(t, server.New(testRegistry(), o, server.Tools{}))
			defer stop()
			transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it is ours
			defer transport.CloseIdleConnections()
			var open []net.Conn
			defer func() {
				for _, conn := range open {
					conn.Close()
				}
			}()
			for i := range 5 * limit {
				conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
				require.NoError(t, err)
				open = append(open, conn)
				_, err = io.WriteString(conn, f.sent)
				require.NoError(t, err)
				if f.answer != "" {
					require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
					got := make([]byte, len(f.answer))
					_, err := io.ReadFull(conn, got)
					require.NoError(t, err)
					require.Equal(t, f.answer, string(got))
				}
				if i%limit > 0 {
					continue
				}
				request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, scheme+addr+"/mcp", strings.NewReader(echoCall(1, "any", "1.0")))
				require.NoError(t, err)
				request.Header.Set("Content-Type", "application/json")
				request.Close = true
				r, err := transport.RoundTrip(request)
				require.NoError(t, err)
				body, err := io.ReadAll(r.Body)
				require.NoError(t, err)
				require.NoError(t, r.Body.Close())
				require.Equal(t, http.StatusOK, r.StatusCode, string(body))
			}
			require.NoError(t, open[0].SetDeadline(time.Now().Add(patience)))
			_, err := io.Copy(io.Discard, open[0])
			require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "the oldest was closed")
		})
	}
}

// TestWorkGoesOn: at the limit of connections, those on which the server works stay, and new
// ones wait.
func TestWorkGoesOn(t *testing.T) {
	t.Parallel()
	r := newSlow()
	addr, stop := serveOn(t, server.New(r.Registry, transport.Options{Stateless: true, MaxConnections: 2}, server.Tools{}))
	defer stop()
	c := &httpClient{url: "http://" + addr + "/mcp"}
	answers := make(chan response, 3)
	for range 2 {
		go func() { answers <- c.post(t, echoCall(1, "slow", "1.0"), nil) }()
		<-r.entered
	}
	third := make(chan response, 1)
	go func() { third <- c.at("/healthz").get(t, nil) }()
	select {
	case <-third:
		require.Fail(t, "there was no room")
	case <-time.After(100 * time.Millisecond):
	}
	close(r.release)
	for range 2 {
		require.Equal(t, http.StatusOK, (<-answers).status)
	}
	require.Equal(t, http.StatusOK, (<-third).status)
}

// TestHalfBodies: who sends slowly holds no place in flight.
func TestHalfBodies(t *testing.T) {
	t.Parallel()
	addr, stop := serveOn(t, server.New(testRegistry(), transport.Options{Stateless: true, MaxInFlight: 1}, server.Tools{}))
	defer stop()
	c := &httpClient{url: "http://" + addr + "/mcp"}
	for range 20 {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\nExpect: 100-continue\r\n\r\n{")
		require.NoError(t, err)
		_, err = io.ReadFull(conn, make([]byte, len("HTTP/1.1 100 Continue\r\n"))) // now the body is being read
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, c.post(t, ping, nil).status)
		require.Equal(t, http.StatusOK, c.at("/readyz").get(t, nil).status)
	}
}

// TestHalfAnswers: who takes the answer slowly holds no place in flight.
func TestHalfAnswers(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local port
	require.NoError(t, err)
	s := server.New(testRegistry(), transport.Options{Stateless: true, MaxInFlight: 1}, server.Tools{})
	addr, stop := serveListener(t, s, smallBuffers{listener})
	defer stop()
	c := &httpClient{url: "http://" + addr + "/mcp"}
	message := echoCall(1, "any", `"`+strings.Repeat("x", 2_000_000)+`"`)
	for range 4 {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err)
		defer conn.Close()
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10))
		_, err = io.WriteString(conn, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "+
			strconv.Itoa(len(message))+"\r\n\r\n"+message)
		require.NoError(t, err)
		_, err = io.ReadFull(conn, make([]byte, 12)) // the answer has begun
		require.NoError(t, err)
		require.Equal(t, http.StatusOK, c.post(t, ping, nil).status)
	}
}

// TestPace: a body that trickles is ended, and its client told; one that comes slowly, but at
// the least pace, may take as long as it needs.
func TestPace(t *testing.T) {
	t.Parallel()
	const period = 2 * time.Second
	addr, stop := serveOn(t, server.New(testRegistry(), transport.Options{Stateless: true, BodyTimeout: period, MinBodyRate: 1000, WriteTimeout: time.Second}, server.Tools{}))
	t.Cleanup(stop)
	start := func(t *testing.T, path string, size int) net.Conn {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
		_, err = io.WriteString(conn, "POST "+path+" HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "+strconv.Itoa(size)+"\r\n\r\n")
		require.NoError(t, err)
		return conn
	}
	for _, path := range []string{"/mcp", "/healthz"} { // where the body is wanted, and where not
		t.Run("trickling to "+path, func(t *testing.T) {
			t.Parallel()
			conn := start(t, path, 1000)
			defer conn.Close()
			ended := make(chan string, 1)
			go func() {
				answer, _ := io.ReadAll(conn) // it may end with a reset
				ended <- string(answer)
			}()
			for {
				select {
				case answer := <-ended:
					if path == "/mcp" {
						require.Contains(t, answer, "HTTP/1.1 408 Request Timeout\r\n")
						require.Contains(t, answer, "send at least 1000 bytes a second")
					}
					return
				case <-time.After(period / 20):
					_, _ = io.WriteString(conn, "{") // once it is over nobody takes it
				}
			}
		})
	}
	t.Run("slow", func(t *testing.T) {
		t.Parallel()
		message := echoCall(1, "any", `"`+strings.Repeat("x", 50_000)+`"`)
		conn := start(t, "/mcp", len(message))
		defer conn.Close()
		for rest := message; rest != ""; {
			n := min(len(rest), 2000)
			_, err := io.WriteString(conn, rest[:n])
			require.NoError(t, err)
			rest = rest[n:]
			time.Sleep(period / 16)
		}
		status := make([]byte, len("HTTP/1.1 200 OK"))
		_, err := io.ReadFull(conn, status)
		require.NoError(t, err)
		require.Equal(t, "HTTP/1.1 200 OK", string(status))
	})
}

// TestStreamLimits: streams are counted, for each session and in all.
func TestStreamLimits(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{MaxConnections: 20}, server.Tools{})) // so 10 streams
	var open []*http.Response
	defer func() {
		for _, r := range open {
			r.Body.Close()
		}
	}()
	listen := func(c *httpClient) int {
		r, err := c.start(t.Context(), http.MethodGet, "", nil)
		require.NoError(t, err)
		open = append(open, r)
		return r.StatusCode
	}
	for range 8 {
		require.Equal(t, http.StatusOK, listen(c))
	}
	for range 20 {
		require.Equal(t, http.StatusTooManyRequests, listen(c))
	}
	other := *c
	other.session = c.post(t, initialize, nil).header.Get("Mcp-Session-Id")
	require.Equal(t, http.StatusOK, listen(&other))
	require.Equal(t, http.StatusOK, listen(&other))
	require.Equal(t, http.StatusTooManyRequests, listen(&other))
	modern := map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Session-Id": "", "Mcp-Method": "subscriptions/listen"}
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	subscribe := `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{},` + meta + `}}`
	refused := c.post(t, subscribe, modern)
	require.Equal(t, http.StatusTooManyRequests, refused.status, "a stream, too: %s", refused.body)
	require.Contains(t, refused.body, `"id":7,`)
	require.Contains(t, c.at("/metrics").get(t, nil).body, "\necho_mcp_streams 10\n")
	open[0].Body.Close()
	require.Eventually(t, func() bool { return c.post(t, subscribe, modern).status == http.StatusOK }, patience, time.Millisecond)
}

// TestStuck: /readyz says so when no place in flight comes free for a while, and again when
// one did.
func TestStuck(t *testing.T) {
	t.Parallel()
	r := newSlow()
	c := startHTTP(t, server.New(r.Registry, transport.Options{MaxInFlight: 1}, server.Tools{}))
	got := make(chan response, 1)
	go func() { got <- c.post(t, echoCall(1, "slow", `[1.0]`), nil) }()
	<-r.entered
	require.Equal(t, http.StatusOK, c.at("/readyz").get(t, nil).status, "busy for a moment")
	require.Eventually(t, func() bool { return c.at("/readyz").get(t, nil).status == http.StatusServiceUnavailable }, patience, 50*time.Millisecond)
	require.Equal(t, "busy\n", c.at("/readyz").get(t, nil).body)
	require.Equal(t, http.StatusOK, c.at("/healthz").get(t, nil).status)
	close(r.release)
	require.Equal(t, http.StatusOK, (<-got).status)
	require.Equal(t, http.StatusOK, c.at("/readyz").get(t, nil).status)
}
