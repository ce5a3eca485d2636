package server_test

import (
	"bufio"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestMemoryOfOptions: what a server may take follows its limits, is less than 512 MiB by
// default and stays a number whatever the options say.
func TestMemoryOfOptions(t *testing.T) {
	t.Parallel()
	usual := transport.Options{}.Memory()
	require.Less(t, usual, int64(512<<20))
	require.Greater(t, usual, int64(16*transport.DefaultMaxMessageBytes))
	for name, o := range map[string]transport.Options{
		"messages": {MaxMessageBytes: 2 * transport.DefaultMaxMessageBytes},
		"depth":    {MaxDepth: 2 * transport.DefaultMaxDepth},
		"requests": {MaxInFlight: 2 * transport.DefaultMaxInFlight},
		"bytes":    {MaxInFlightBytes: 8 * transport.DefaultMaxMessageBytes},
	} {
		require.Greater(t, o.Memory(), usual, name)
	}
	const most = 1<<63 - 1
	greatest := transport.Options{MaxMessageBytes: most, MaxDepth: most, MaxInFlight: most, MaxInFlightBytes: most}
	ceilings := transport.Options{
		MaxMessageBytes: transport.MaxMessageBytesCeiling, MaxDepth: transport.MaxDepthCeiling,
		MaxInFlight: transport.MaxInFlightCeiling, MaxInFlightBytes: transport.MaxInFlightBytesCeiling,
	}
	require.Equal(t, ceilings.Memory(), greatest.Memory())
}

// TestIdleSessions: a session that nobody uses for an hour does not count any more, one that
// is used does.
func TestIdleSessions(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := server.New(testRegistry(), transport.Options{MaxSessions: 1}, server.Tools{})
		defer s.Close()
		post := func(session, message string) (status int, id string) {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", strings.NewReader(message))
			r.Header.Set("Content-Type", "application/json")
			r.Header.Set("Mcp-Session-Id", session)
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			return w.Code, w.Header().Get("Mcp-Session-Id")
		}
		status, first := post("", initialize)
		require.Equal(t, http.StatusOK, status)
		for range 3 {
			time.Sleep(59 * time.Minute)
			status, _ = post("", initialize)
			require.Equal(t, http.StatusTooManyRequests, status)
			status, _ = post(first, ping)
			require.Equal(t, http.StatusOK, status)
		}
		time.Sleep(time.Hour)
		status, _ = post("", initialize)
		require.Equal(t, http.StatusOK, status)
		status, _ = post(first, ping)
		require.Equal(t, http.StatusOK, status, "it does not count, but has not ended")
	})
}

// TestHeaderIsSmall: Go makes of many short header fields some twenty times their size,
// before anybody has looked at the request.
func TestHeaderIsSmall(t *testing.T) {
	t.Parallel()
	addr, stop := serveOn(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	defer stop()
	for fields, want := range map[int]string{1000: "HTTP/1.1 200 OK", 10_000: "HTTP/1.1 431 "} {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err)
		require.NoError(t, conn.SetDeadline(time.Now().Add(patience)))
		_, _ = io.WriteString(conn, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n"+strings.Repeat("a: b\r\n", fields)+"\r\n") // or it breaks off
		line, err := bufio.NewReader(conn).ReadString('\n')
		require.NoError(t, err, fields)
		require.True(t, strings.HasPrefix(line, want), "%d fields: %s", fields, line)
		require.NoError(t, conn.Close())
	}
}
