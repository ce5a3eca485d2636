package server_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestKeepAliveInterval: the least time-out of a proxy in common use is 30 seconds.
func TestKeepAliveInterval(t *testing.T) {
	require.GreaterOrEqual(t, transport.DefaultKeepAlive, 15*time.Second)
	require.LessOrEqual(t, transport.DefaultKeepAlive, 25*time.Second)
}

// comments reads a stream until it has had so many comments, and returns what else came.
func comments(t *testing.T, stream *bufio.Reader, n int) (other string) {
	t.Helper()
	for n > 0 {
		line, err := stream.ReadString('\n')
		require.NoError(t, err)
		if line == ": keep-alive\n" {
			n--
			line, err = stream.ReadString('\n')
			require.NoError(t, err)
			require.Equal(t, "\n", line, "a comment ends with a blank line")
			continue
		}
		other += line
	}
	return other
}

func requireStreamHeader(t *testing.T, h http.Header) {
	t.Helper()
	require.Equal(t, "text/event-stream", h.Get("Content-Type"))
	require.Equal(t, "no-store", h.Get("Cache-Control"))
	require.Equal(t, "no", h.Get("X-Accel-Buffering"))
}

// TestKeepAlive: a stream that a client has opened with GET is never silent for long, and
// nothing of that is an event.
func TestKeepAlive(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{WriteTimeout: 50 * time.Millisecond, KeepAlive: 20 * time.Millisecond}, server.Tools{})
	c := startHTTP(t, s)
	r, err := c.start(t.Context(), http.MethodGet, "", nil)
	require.NoError(t, err)
	defer r.Body.Close()
	requireStreamHeader(t, r.Header)
	stream := bufio.NewReader(r.Body)
	require.Empty(t, comments(t, stream, 10))
	s.Notify("notifications/test", nil)
	other := ""
	for !strings.HasSuffix(other, "\n\n") {
		other += comments(t, stream, 1)
	}
	require.Equal(t, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/test\"}\n\n", other)
	s.Close()
	rest, err := io.ReadAll(stream)
	require.NoError(t, err)
	require.Empty(t, strings.ReplaceAll(string(rest), ": keep-alive\n\n", ""))
}

// TestKeepAliveAtOnce: the first comment doesn't wait, so that no proxy waits for it.
func TestKeepAliveAtOnce(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{KeepAlive: time.Hour}, server.Tools{})
	c := startHTTP(t, s)
	r, err := c.start(t.Context(), http.MethodGet, "", nil)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Empty(t, comments(t, bufio.NewReader(r.Body), 1))
}

// TestKeepAliveInAnswer: so it is with the answer to a call that became a stream and waits.
func TestKeepAliveInAnswer(t *testing.T) {
	t.Parallel()
	registry := newSlow()
	s := server.New(registry.Registry, transport.Options{KeepAlive: 20 * time.Millisecond}, server.Tools{})
	s.NotifyInCalls("notifications/test", nil)
	c := startHTTP(t, s)
	r, err := c.start(t.Context(), http.MethodPost, string(rawclient.Echo(`1`, "slow", []byte(`[1.0]`))), nil)
	require.NoError(t, err)
	defer r.Body.Close()
	requireStreamHeader(t, r.Header)
	stream := bufio.NewReader(r.Body)
	begin := comments(t, stream, 5)
	close(registry.release)
	rest, err := io.ReadAll(stream)
	require.NoError(t, err)
	events := readEvents(t, begin+string(rest))
	require.Len(t, events, 2)
	require.NoError(t, rawclient.CheckEcho([]byte(events[1]), "slow", []byte(`[1.0]`)))
}

// TestKeepAliveListen: every stream of events has the headers, subscriptions/listen too.
func TestKeepAliveListen(t *testing.T) {
	t.Parallel()
	message, header := modern(`1`, "subscriptions/listen", `"notifications":{}`)
	requireStreamHeader(t, startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{})).post(t, message, header).header)
}

// TestKeepAliveEnds: a stream whose client is gone is not kept.
func TestKeepAliveEnds(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{KeepAlive: 5 * time.Millisecond}, server.Tools{})
	c := startHTTP(t, s)
	ctx, leave := context.WithCancel(t.Context())
	defer leave()
	r, err := c.start(ctx, http.MethodGet, "", nil)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Empty(t, comments(t, bufio.NewReader(r.Body), 2))
	require.Equal(t, 1, s.OpenStreams())
	leave()
	require.Eventually(t, func() bool { return s.OpenStreams() == 0 }, patience, time.Millisecond)
}
