package server_test

import (
	"bufio"
	"context"
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

	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// cancelled is a context that has ended.
func cancelled(t *testing.T) (context.Context, context.CancelFunc) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx, cancel
}

// TestBusy: beyond the limit a request is told when to come again, and what was under way
// is answered.
func TestBusy(t *testing.T) {
	t.Parallel()
	r := newSlow()
	c := startHTTP(t, server.New(r.Registry, transport.Options{MaxInFlight: 1}, server.Tools{}))
	got := make(chan response, 1)
	go func() { got <- c.post(t, echoCall(1, "slow", `[1.0]`), nil) }()
	<-r.entered
	refused := c.post(t, ping, nil)
	require.Equal(t, http.StatusTooManyRequests, refused.status)
	require.Equal(t, "1", refused.header.Get("Retry-After"))
	require.Equal(t, `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"the server is busy: try again after 1 second"}}`, refused.body)
	require.Equal(t, http.StatusOK, c.at("/healthz").get(t, nil).status, "probes have no part in it")
	require.Contains(t, c.at("/metrics").get(t, nil).body, "\necho_mcp_requests_in_flight 1\n")
	close(r.release)
	require.NoError(t, rawclient.CheckEcho([]byte((<-got).body), "slow", []byte(`[1.0]`)))
	require.Equal(t, http.StatusOK, c.post(t, ping, nil).status)
}

// TestNoRoom: large messages beyond what may be held are told to come again, under their own
// id, while small ones are answered; an answer makes room.
func TestNoRoom(t *testing.T) {
	t.Parallel()
	r := newSlow()
	large := `"` + strings.Repeat("x", 100_000) + `"`
	c := startHTTP(t, server.New(r.Registry, transport.Options{MaxMessageBytes: 150_000, MaxInFlightBytes: 1}, server.Tools{}))
	got := make(chan response, 1)
	go func() { got <- c.post(t, echoCall(1, "slow", large), nil) }()
	<-r.entered
	require.Contains(t, c.at("/metrics").get(t, nil).body, "\necho_mcp_bytes_in_flight 100")
	refused := c.post(t, echoCall(7, "any", large), nil)
	require.Equal(t, http.StatusTooManyRequests, refused.status)
	require.Equal(t, "1", refused.header.Get("Retry-After"))
	require.Equal(t, `{"jsonrpc":"2.0","id":7,"error":{"code":-32000,"message":"the server is busy with large messages: try again after 1 second"}}`, refused.body)
	require.Equal(t, http.StatusOK, c.post(t, ping, nil).status)
	close(r.release)
	require.NoError(t, rawclient.CheckEcho([]byte((<-got).body), "slow", []byte(large)))
	require.Eventually(t, func() bool { // the answer is there a moment before the room is
		return c.post(t, echoCall(7, "slow", large), nil).status == http.StatusOK
	}, patience, time.Millisecond)
}

func TestMaxSessions(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{MaxSessions: 2}, server.Tools{})) // has the first
	second := c.post(t, initialize, nil)
	require.Equal(t, http.StatusOK, second.status)

	refused := c.post(t, initialize, nil)
	require.Equal(t, http.StatusTooManyRequests, refused.status)
	require.Equal(t, "1", refused.header.Get("Retry-After"))
	require.Contains(t, refused.body, `"id":"init","error":{"code":-32000`)
	require.Equal(t, http.StatusTooManyRequests, c.get(t, nil).status, "a stream")
	require.Equal(t, http.StatusOK, c.post(t, ping, nil).status, "sessions that exist go on")

	ended := c.do(t, t.Context(), http.MethodDelete, "", map[string]string{"Mcp-Session-Id": second.header.Get("Mcp-Session-Id")})
	require.Equal(t, http.StatusOK, ended.status)
	require.Equal(t, http.StatusOK, c.post(t, initialize, nil).status)
}

// TestStateless: no session is given out or asked for, and none is kept.
func TestStateless(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{Stateless: true, MaxSessions: 1}, server.Tools{})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	defer s.Close()
	c := &httpClient{url: ts.URL + "/mcp"}
	for range 3 {
		r := c.post(t, initialize, nil)
		require.Equal(t, http.StatusOK, r.status)
		require.Empty(t, r.header.Get("Mcp-Session-Id"))
	}
	require.Equal(t, http.StatusAccepted, c.post(t, initialized, nil).status)
	for _, session := range []string{"", "mcp-session-6ba7b810-9dad-11d1-80b4-00c04fd430c8", "anything"} {
		r := c.post(t, echoCall(1, "any", `[1.0]`), map[string]string{"Mcp-Session-Id": session})
		require.NoError(t, rawclient.CheckEcho([]byte(r.body), "any", []byte(`[1.0]`)))
	}
	require.Equal(t, http.StatusMethodNotAllowed, c.get(t, nil).status, "there is no stream to listen on")
	require.Contains(t, c.at("/metrics").get(t, nil).body, "\necho_mcp_sessions 0\n")
}

// TestTimeouts: who doesn't send, or doesn't go, holds nothing for long.
func TestTimeouts(t *testing.T) {
	t.Parallel()
	const limit = 200 * time.Millisecond
	addr, stop := serveOn(t, server.New(testRegistry(), transport.Options{HeaderTimeout: limit, BodyTimeout: limit, IdleTimeout: limit}, server.Tools{}))
	defer stop()
	const header = "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: "
	for name, c := range map[string]struct{ sent, answer string }{
		"header": {header, ""},
		"body":   {header + "1000\r\n\r\n{", "HTTP/1.1 408 Request Timeout\r\n"},
		"idle":   {"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", "HTTP/1.1 200 OK\r\n"},
	} {
		start := time.Now()                // the server's time begins when it accepts
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err, name)
		require.NoError(t, conn.SetDeadline(start.Add(patience)))
		_, err = io.WriteString(conn, c.sent)
		require.NoError(t, err, name)
		answer, err := io.ReadAll(conn) // until the server ends the connection
		require.NoError(t, err, name)
		require.NoError(t, conn.Close())
		require.True(t, strings.HasPrefix(string(answer), c.answer), "%s: %s", name, answer)
		require.GreaterOrEqual(t, time.Since(start), limit, name)
		require.Less(t, time.Since(start), patience, name)
	}
}

// TestEndedSession: of a session that was ended, or never was one, nothing is left to
// listen to or to end.
func TestEndedSession(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	ended := c.session
	require.Equal(t, http.StatusOK, c.do(t, t.Context(), http.MethodDelete, "", nil).status)
	for _, session := range []string{ended, "made-up", ""} {
		for method, message := range map[string]string{http.MethodGet: "", http.MethodDelete: "", http.MethodPost: ping} {
			if method == http.MethodDelete && session == ended {
				continue // TestHTTPDelete
			}
			ctx, cancel := context.WithTimeout(t.Context(), patience) // a stream has no end
			r := c.do(t, ctx, method, message, map[string]string{"Mcp-Session-Id": session})
			cancel()
			status := http.StatusNotFound
			if session == "" {
				status = http.StatusBadRequest
			}
			require.Equal(t, status, r.status, "%s %q: %s", method, session, r.body)
			require.Contains(t, strings.ToLower(r.body), "session")
		}
	}
	require.Contains(t, c.at("/metrics").get(t, nil).body, "\necho_mcp_sessions 0\n")
}

// TestRefusedUnread: who is refused for another reason than its message can send that to the
// end and then finds the answer, and the connection goes on. What is too large is cut off.
func TestRefusedUnread(t *testing.T) {
	t.Parallel()
	const token, limit = "correct-horse-battery-staple", 8 << 20
	r := newSlow()
	addr, stop := serveOn(t, server.New(r.Registry, transport.Options{
		Stateless: true, Tokens: []string{token}, MaxInFlight: 1, MaxMessageBytes: limit,
	}, server.Tools{}))
	defer stop()
	post := func(header, schema string, size int) string {
		message := echoCall(1, schema, `"`+strings.Repeat("x", size)+`"`)
		return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: " + strconv.Itoa(len(message)) + "\r\n" + header + "\r\n" + message
	}
	const authorized, isJSON = "Authorization: Bearer " + token + "\r\n", "Content-Type: application/json\r\n"
	dial := func() (*net.TCPConn, *bufio.Reader) {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
		return conn.(*net.TCPConn), bufio.NewReader(conn)
	}
	status := func(answers *bufio.Reader) int {
		resp, err := http.ReadResponse(answers, nil)
		require.NoError(t, err)
		_, err = io.Copy(io.Discard, resp.Body)
		require.NoError(t, err)
		return resp.StatusCode
	}

	under, underAnswers := dial() // takes the one place that there is
	_, err := io.WriteString(under, post(authorized+isJSON, "slow", 1))
	require.NoError(t, err)
	<-r.entered
	for want, header := range map[int]string{
		http.StatusUnauthorized:         isJSON,
		http.StatusForbidden:            authorized + isJSON + "Origin: https://foreign.example\r\n",
		http.StatusUnsupportedMediaType: authorized,
		http.StatusTooManyRequests:      authorized + isJSON,
	} {
		conn, answers := dial()
		for range 2 {
			_, err := io.WriteString(conn, post(header, "any", 5_000_000))
			require.NoError(t, err, want)
			require.Equal(t, want, status(answers))
		}
		_, _ = io.WriteString(conn, post(header, "any", 50_000_000)) // breaks off
		require.NoError(t, conn.Close())

		conn, answers = dial()
		waits := post(header+"Expect: 100-continue\r\n", "any", 5_000_000)
		_, err = io.WriteString(conn, waits[:strings.Index(waits, "\r\n\r\n")+4])
		require.NoError(t, err)
		require.Equal(t, want, status(answers), "at once")
		require.NoError(t, conn.Close())
	}
	close(r.release)
	require.Equal(t, http.StatusOK, status(underAnswers))
	require.NoError(t, under.Close())
}

// smallBuffers accepts connections that hold but a few unread answers: by default it takes
// megabytes until a server notices that nobody reads.
type smallBuffers struct{ net.Listener }

func (l smallBuffers) Accept() (net.Conn, error) {
	conn, err := l.Listener.Accept()
	if err == nil {
		err = conn.(*net.TCPConn).SetWriteBuffer(4 << 10)
	}
	return conn, err
}

// TestSlowReaders: who sends requests and does not read the answers is left, whatever was
// asked.
func TestSlowReaders(t *testing.T) {
	t.Parallel()
	const limit = 100 * time.Millisecond
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 100_000)) })
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local port
	require.NoError(t, err)
	s := server.New(testRegistry(), transport.Options{Stateless: true, BodyTimeout: limit, WriteTimeout: limit, Inspector: page}, server.Tools{})
	addr, stop := serveListener(t, s, smallBuffers{listener})
	defer stop()
	post := func(message string) string {
		return "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: " + strconv.Itoa(len(message)) + "\r\n\r\n" + message
	}
	for name, request := range map[string]string{
		"a page":        "GET /inspector HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"probes":        "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
		"short answers": post(ping),
		"refusals":      post(`{}`),
		"long answers":  post(echoCall(1, "any", `"`+strings.Repeat("x", 100_000)+`"`)),
	} {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err, name)
		require.NoError(t, conn.(*net.TCPConn).SetReadBuffer(4<<10), name)
		require.NoError(t, conn.SetDeadline(time.Now().Add(patience)), name)
		many := strings.Repeat(request, 1+64<<10/len(request))
		for err == nil {
			_, err = io.WriteString(conn, many)
		}
		require.NotErrorIs(t, err, os.ErrDeadlineExceeded, "%s: the server still waits", name)
		require.NoError(t, conn.Close(), name)
	}
}
