package server_test

import (
	"bufio"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

const (
	toldFailure = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":{"message":"a call ended in an internal error","tool":"echo","schema_id":"panics"},"level":"error","logger":"echo-mcp"}}`
	toldStop    = `{"jsonrpc":"2.0","method":"notifications/message","params":{"data":{"message":"the server stops and takes no new requests"},"level":"notice","logger":"echo-mcp"}}`
)

// panics is a call that ends in INTERNAL_ERROR.
var panics = echoCall(1, "panics", `"secret"`)

// setLevel asks for log messages.
func setLevel(level string) string {
	return params("logging/setLevel", `{"level":"`+level+`"}`)
}

// stream opens the stream of the session. What next returns is the data of its next event,
// "" at its end.
func (c *httpClient) stream(t *testing.T) (next func() string) {
	t.Helper()
	r, err := c.start(t.Context(), http.MethodGet, "", nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = r.Body.Close() })
	require.Equal(t, "text/event-stream", r.Header.Get("Content-Type"))
	body := bufio.NewReader(r.Body)
	return func() string {
		event, err := body.ReadString('\n')
		for event == ": keep-alive\n" || event == "\n" {
			event, err = body.ReadString('\n')
		}
		if err == io.EOF && event == "" {
			return ""
		}
		require.NoError(t, err)
		require.Equal(t, "event: message\n", event)
		data, err := body.ReadString('\n')
		require.NoError(t, err)
		blank, err := body.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, "\n", blank)
		return strings.TrimSuffix(strings.TrimPrefix(data, "data: "), "\n")
	}
}

func TestSetLevel(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, level := range []string{"debug", "info", "notice", "warning", "error", "critical", "alert", "emergency"} {
			require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, c.ask(t, setLevel(level)))
		}
		require.Equal(t, -32602, read(t, c.ask(t, setLevel("loud"))).Error.Code)
	})
}

// TestNothingIsLoggedOfACall: whatever level a client asks for, a call has its answer and
// nothing else.
func TestNothingIsLoggedOfACall(t *testing.T) {
	t.Parallel()
	c := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
	c.ask(t, initialize)
	c.send(t, initialized)
	c.ask(t, setLevel("debug"))
	for _, message := range []string{
		echoCall(1, "any", `"x"`), echoCall(1, stageID, `{}`), echoCall(1, "absent", `1`), call(`1`, "echo", `{}`),
		call(`1`, "list_schemas", `{}`), params("resources/read", `{"uri":"schema://absent"}`), params("absent", `{}`), `{}`,
	} {
		require.NotContains(t, c.ask(t, message), "notifications/message")
	}
	require.Contains(t, c.ask(t, ping), `"id":"ping"`)
}

// TestFailureIsTold: who asked for it is told of internal errors, with ids only.
func TestFailureIsTold(t *testing.T) {
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		c := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
		c.ask(t, initialize)
		c.send(t, initialized)
		for _, level := range []string{"", "critical", "emergency"} {
			if level != "" {
				c.ask(t, setLevel(level))
			}
			require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, c.ask(t, panics)).Code))
		}
		for _, level := range []string{"error", "warning", "debug"} {
			c.ask(t, setLevel(level))
			require.Equal(t, toldFailure, c.ask(t, panics))
			require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, c.next(t)).Code))
		}
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		s := server.New(testRegistry(), transport.Options{}, server.Tools{})
		c := startHTTP(t, s)
		other := *c
		other.session = c.post(t, initialize, nil).header.Get("Mcp-Session-Id")
		fails := func() {
			r := c.post(t, panics, nil)
			require.Equal(t, "application/json", r.header.Get("Content-Type"))
			require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, r.body).Code))
		}
		fails() // nobody asked
		c.ask(t, setLevel("error"))
		fails() // nobody listens
		older, newer, foreign := c.stream(t), c.stream(t), other.stream(t)
		fails()
		require.Equal(t, toldFailure, newer())
		c.ask(t, setLevel("critical"))
		fails()
		c.ask(t, setLevel("debug"))
		fails()
		require.Equal(t, toldFailure, newer())
		s.Close()
		require.Equal(t, toldStop, newer())
		for name, next := range map[string]func() string{"newer": newer, "older": older, "foreign": foreign} {
			require.Empty(t, next(), "%s: a message goes to one stream of the session it is about", name)
		}
	})
}

// TestTypedFailureIsTold: a schema's own tool is told with the id of the schema.
func TestTypedFailureIsTold(t *testing.T) {
	t.Parallel()
	registry := jsonrt.NewRegistry(&jsonrt.Schema{ID: "panics", Source: `{"type":"object","properties":{}}`, Tool: "emit_panics", Check: func(*jsonrt.Checker, int) bool {
		panic("secret") //nolint:forbidigo // what is tested
	}})
	c := startStdio(t, t.Context(), server.New(registry, transport.Options{}, server.Tools{Typed: true}))
	c.ask(t, initialize)
	c.send(t, initialized)
	c.ask(t, setLevel("error"))
	require.Equal(t, strings.Replace(toldFailure, `"tool":"echo"`, `"tool":"emit_panics"`, 1), c.ask(t, call(`1`, "emit_panics", `{}`)))
	require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, c.next(t)).Code))
}

// TestModernFailureIsTold: since 2026-07-28 who asks for it in the request, on stdio.
func TestModernFailureIsTold(t *testing.T) {
	t.Parallel()
	message, header := modern(`1`, "tools/call", `"name":"echo","arguments":{"schema_id":"panics","payload":1}`)
	asking := func(level string) string {
		return strings.Replace(message, `"_meta":{`, `"_meta":{"io.modelcontextprotocol/logLevel":"`+level+`",`, 1)
	}
	s := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
	for _, quiet := range []string{message, asking("critical")} {
		require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, s.ask(t, quiet)).Code))
	}
	require.Equal(t, toldFailure, s.ask(t, asking("debug")))
	require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, s.next(t)).Code))

	r := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{})).post(t, asking("debug"), header)
	require.Equal(t, "application/json", r.header.Get("Content-Type"))
	require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, r.body).Code))
}

// TestStatelessLogsNothing: where nobody listens, logging is not declared.
func TestStatelessLogsNothing(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{Stateless: true}, server.Tools{})
	c := startStdio(t, t.Context(), s)
	require.NotContains(t, c.ask(t, initialize), `"logging"`)
	c.send(t, initialized)
	require.Equal(t, -32601, read(t, c.ask(t, setLevel("debug"))).Error.Code)
	require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, c.ask(t, panics)).Code))
}

// TestStopIsTold: who asked for notices is told that the server stops.
func TestStopIsTold(t *testing.T) {
	t.Run("stdio", func(t *testing.T) {
		t.Parallel()
		for level, told := range map[string][]string{"": nil, "warning": nil, "notice": {toldStop}, "debug": {toldStop}} {
			ctx, stop := context.WithCancel(t.Context())
			c := startStdio(t, ctx, server.New(testRegistry(), transport.Options{}, server.Tools{}))
			c.ask(t, initialize)
			c.send(t, initialized)
			if level != "" {
				c.ask(t, setLevel(level))
			}
			stop()
			require.NoError(t, c.result(t))
			var lines []string
			for line := range c.lines {
				lines = append(lines, line)
			}
			require.Equal(t, told, lines, level)
		}
	})
	t.Run("http", func(t *testing.T) {
		t.Parallel()
		ctx, stop := context.WithCancel(t.Context())
		defer stop()
		c, ended := serve(t, ctx, server.New(testRegistry(), transport.Options{}, server.Tools{}))
		streams := map[string]func() string{}
		for _, level := range []string{"", "warning", "notice", "debug"} {
			client := httpClient{url: c.url}
			client.session = c.post(t, initialize, nil).header.Get("Mcp-Session-Id")
			if level != "" {
				client.ask(t, setLevel(level))
			}
			streams[level] = client.stream(t)
		}
		stop()
		require.Equal(t, toldStop, streams["notice"]())
		require.Equal(t, toldStop, streams["debug"]())
		for level, next := range streams {
			require.Empty(t, next(), level)
		}
		require.NoError(t, <-ended)
	})
}

// TestEndOfInputIsNotTold: a client that ends the session itself needs no word of it.
func TestEndOfInputIsNotTold(t *testing.T) {
	t.Parallel()
	c := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
	c.ask(t, initialize)
	c.send(t, initialized)
	c.ask(t, setLevel("debug"))
	require.NoError(t, c.in.Close())
	require.NoError(t, c.result(t))
	_, open := <-c.lines
	require.False(t, open)
}

// stuckWriter is a client that has opened a stream and reads nothing of it.
type stuckWriter struct {
	header   http.Header
	opened   chan struct{}
	deadline time.Time
}

func (w *stuckWriter) Header() http.Header { return w.header }

func (w *stuckWriter) WriteHeader(int) {}

// Flush is what mcp-go ends the opening of a stream with.
func (w *stuckWriter) Flush() { close(w.opened) }

func (w *stuckWriter) SetWriteDeadline(t time.Time) error {
	w.deadline = t
	return nil
}

func (w *stuckWriter) Write([]byte) (int, error) {
	if w.deadline.IsZero() {
		w.deadline = time.Now().Add(patience)
	}
	time.Sleep(time.Until(w.deadline))
	return 0, os.ErrDeadlineExceeded
}

// TestStuckStream: a client that does not read its stream holds up neither a call nor the
// end of the server.
func TestStuckStream(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{}, server.Tools{})
	c := startHTTP(t, s)
	c.ask(t, setLevel("debug"))
	get := httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://localhost/mcp", nil)
	get.Header.Set("Mcp-Session-Id", c.session)
	stuck := &stuckWriter{header: http.Header{}, opened: make(chan struct{})}
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		s.Handler().ServeHTTP(stuck, get)
	}()
	<-stuck.opened
	start := time.Now()
	require.Equal(t, "INTERNAL_ERROR", string(readFailure(t, c.ask(t, panics)).Code))
	s.Close()
	<-ended
	require.Less(t, time.Since(start), patience/2)
}
