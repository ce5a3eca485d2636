package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

func TestHTTPRequests(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	for _, f := range []struct {
		name, method, message string
		header                map[string]string
		status                int
		says                  string
	}{
		{"charset", "POST", ping, map[string]string{"Content-Type": "application/json; charset=utf-8"}, 200, `"result":{}`},
		{"no content type", "POST", ping, map[string]string{"Content-Type": ""}, 415, `"code":-32600`},
		{"text", "POST", ping, map[string]string{"Content-Type": "text/plain"}, 415, `application/json`},
		{"form", "POST", ping, map[string]string{"Content-Type": "application/x-www-form-urlencoded"}, 415, `application/json`},
		{"not JSON", "POST", `not json`, nil, 400, `"id":null,"error":{"code":-32700`},
		{"nothing", "POST", ``, nil, 400, `"code":-32700`},
		{"METHOD", "POST", `{"jsonrpc":"2.0","id":1,"method":"tools/list","METHOD":"ping"}`, nil, 400, `"id":1,"error":{"code":-32600`},
		{"notification", "POST", initialized, nil, 202, ``},
		{"response to nothing", "POST", `{"jsonrpc":"2.0","id":1,"result":{}}`, nil, 202, ``},
		{"error response to nothing", "POST", `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, nil, 202, ``},
		{"no session", "POST", ping, map[string]string{"Mcp-Session-Id": ""}, 400, `"id":"ping","error":{"code":-32600,"message":"the header Mcp-Session-Id is missing`},
		{"malformed session", "POST", ping, map[string]string{"Mcp-Session-Id": "x"}, 404, `"id":"ping","error":{"code":-32600,"message":"there is no session`},
		{"compressed", "POST", ping, map[string]string{"Content-Encoding": "gzip"}, 415, `must not be compressed`},
		{"not compressed", "POST", ping, map[string]string{"Content-Encoding": "identity"}, 200, `"result"`},
		{"unknown protocol version", "POST", ping, map[string]string{"Mcp-Protocol-Version": "1999-01-01"}, 400, `version`},
		{"no protocol version", "POST", ping, map[string]string{"Mcp-Protocol-Version": ""}, 200, `"result"`},
		{"no accept", "POST", ping, map[string]string{"Accept": ""}, 200, `"result"`},
		{"PUT", "PUT", ping, nil, 405, ``},
		{"PATCH", "PATCH", ping, nil, 405, ``},
		{"HEAD", "HEAD", ``, nil, 200, ``},
	} {
		r := c.do(t, t.Context(), f.method, f.message, f.header)
		require.Equal(t, f.status, r.status, "%s: %s", f.name, r.body)
		require.Contains(t, r.body, f.says, f.name)
	}
	r, err := http.Get(strings.TrimSuffix(c.url, "/mcp") + "/other") //nolint:noctx // a local server
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	require.Equal(t, http.StatusNotFound, r.StatusCode)
}

func TestHTTPTooLarge(t *testing.T) {
	t.Parallel()
	const limit = 100_000
	c := startHTTP(t, server.New(testRegistry(), transport.Options{MaxMessageBytes: limit}, server.Tools{}))
	message := func(size int) string {
		empty := echoCall(5, "any", `""`)
		return echoCall(5, "any", `"`+strings.Repeat("x", size-len(empty))+`"`)
	}
	require.Equal(t, http.StatusOK, c.post(t, message(limit), nil).status)
	for _, size := range []int{limit + 1, 3 * limit, 20 * limit} {
		r := c.post(t, message(size), nil)
		require.Equal(t, http.StatusRequestEntityTooLarge, r.status)
		a := read(t, r.body)
		require.Equal(t, `5`, string(a.ID))
		require.Equal(t, -32600, a.Error.Code)
		require.Contains(t, a.Error.Message, "larger than 100000 bytes, the limit of this server")
	}
	r := c.post(t, `{"jsonrpc":"2.0","method":"ping","params":{"x":"`+strings.Repeat("x", limit)+`"},"id":"last"}`, nil)
	require.Equal(t, `"last"`, string(read(t, r.body).ID))
	require.Contains(t, c.ask(t, ping), `"result"`)
}

// TestHTTPSlowBody: a body may come in pieces.
func TestHTTPSlowBody(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	body, pieces := io.Pipe()
	go func() {
		for _, b := range []byte(echoCall(1, "any", `[1.0]`)) {
			_, _ = pieces.Write([]byte{b})
		}
		_ = pieces.Close()
	}()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, body)
	require.NoError(t, err)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Mcp-Session-Id", c.session)
	r, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer r.Body.Close()
	answer, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.NoError(t, rawclient.CheckEcho(answer, "any", []byte(`[1.0]`)))
}

// pretty has every kind of line break between its tokens.
const pretty = "{\n  \"a\": 1,\r\n  \"b\": [\n    1.0\r  ]\n}"

// TestHTTPPretty: in a JSON body line breaks are like any other byte.
func TestHTTPPretty(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	for _, schema := range []string{echo.Schemaless, "any"} {
		require.NoError(t, rawclient.CheckEcho([]byte(c.ask(t, echoCall(1, schema, pretty))), schema, []byte(pretty)))
	}
}

// TestHTTPStream: when something is sent before the answer the response is a stream of
// events, and the payload still exact, save for CR, which no event can carry.
func TestHTTPStream(t *testing.T) {
	t.Parallel()
	for _, payload := range append([]string{pretty}, exact...) {
		payload = strings.ReplaceAll(payload, "\r", "")
		r := newSlow()
		s := server.New(r.Registry, transport.Options{}, server.Tools{})
		s.NotifyInCalls("notifications/test", map[string]any{"x": 1})
		c := startHTTP(t, s)
		got := make(chan response, 1)
		go func() {
			got <- c.post(t, string(rawclient.Echo(`9007199254740993`, "slow", []byte(payload))), nil)
		}()
		if payload == `{"a":1,"a":2}` {
			close(r.release)
			events := readEvents(t, (<-got).body)
			require.True(t, read(t, events[len(events)-1]).Result.IsError)
			continue
		}
		<-r.entered
		close(r.release)
		stream := <-got
		require.Equal(t, "text/event-stream", stream.header.Get("Content-Type"))
		events := readEvents(t, stream.body)
		require.NotEmpty(t, events)
		answer := events[len(events)-1]
		require.NoError(t, rawclient.CheckEcho([]byte(answer), "slow", []byte(payload)), "%.200s", payload)
		require.True(t, strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":9007199254740993,`))
		// mcp-go v1.2.1 may lose a notification that is followed by the answer at once.
		for _, notification := range events[:len(events)-1] {
			require.Equal(t, `{"jsonrpc":"2.0","method":"notifications/test","params":{"x":1}}`, notification)
		}
	}
}

// readEvents reads a body as the specification of server-sent events says.
func readEvents(t *testing.T, body string) (events []string) {
	t.Helper()
	var data []string
	body = strings.ReplaceAll(strings.ReplaceAll(body, "\r\n", "\n"), "\r", "\n")
	require.True(t, strings.HasSuffix(body, "\n\n"))
	for _, line := range strings.Split(body, "\n") {
		field, value, _ := strings.Cut(line, ":")
		switch {
		case line == "" && data != nil:
			events = append(events, strings.Join(data, "\n"))
			data = nil
		case field == "data":
			data = append(data, strings.TrimPrefix(value, " "))
		}
	}
	return events
}

// TestHTTPSessionStream: GET opens a stream on which notifications come at once.
func TestHTTPSessionStream(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{}, server.Tools{})
	c := startHTTP(t, s)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, err := c.start(ctx, http.MethodGet, "", nil)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Equal(t, "text/event-stream", r.Header.Get("Content-Type"))
	s.Notify("notifications/test", map[string]any{"x": 1})
	stream := bufio.NewReader(r.Body)
	for _, line := range []string{": keep-alive\n", "\n", "event: message\n"} {
		got, err := stream.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, line, got)
	}
}

// TestHTTPDelete: an ended session is answered 404, others go on.
func TestHTTPDelete(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{}, server.Tools{})
	c := startHTTP(t, s)
	other := *c
	other.session = c.post(t, initialize, nil).header.Get("Mcp-Session-Id")
	require.NotEqual(t, c.session, other.session)
	require.Equal(t, http.StatusOK, c.do(t, t.Context(), http.MethodDelete, "", nil).status)
	require.Equal(t, http.StatusNotFound, c.post(t, ping, nil).status)
	require.Equal(t, http.StatusNotFound, c.do(t, t.Context(), http.MethodDelete, "", nil).status, "it is gone")
	require.Equal(t, http.StatusOK, other.post(t, ping, nil).status)
}

// TestHTTPCancel: notifications/cancelled, posted beside the call, ends it without an
// answer; another session's does nothing.
func TestHTTPCancel(t *testing.T) {
	t.Parallel()
	r := newSlow()
	c := startHTTP(t, server.New(r.Registry, transport.Options{}, server.Tools{}))
	other := *c
	other.session = c.post(t, initialize, nil).header.Get("Mcp-Session-Id")
	cancel := `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":22}}`
	for _, who := range []struct {
		client *httpClient
		status int
		body   string
	}{{&other, http.StatusOK, `"result"`}, {c, http.StatusAccepted, ``}} {
		got := make(chan response, 1)
		go func() { got <- c.post(t, echoCall(22, "slow", "1"), nil) }()
		<-r.entered
		require.Equal(t, http.StatusAccepted, who.client.post(t, cancel, nil).status)
		r.release <- struct{}{}
		answer := <-got
		require.Equal(t, who.status, answer.status)
		require.Contains(t, answer.body, who.body)
		require.Equal(t, who.body == "", answer.body == "")
	}
}

// TestHTTPGone: a client that leaves harms nobody.
func TestHTTPGone(t *testing.T) {
	t.Parallel()
	r := newSlow()
	c := startHTTP(t, server.New(r.Registry, transport.Options{}, server.Tools{}))
	ctx, leave := context.WithCancel(t.Context())
	gone := make(chan error, 1)
	go func() {
		_, err := c.start(ctx, http.MethodPost, echoCall(1, "slow", "1"), nil) //nolint:bodyclose // there is none
		gone <- err
	}()
	<-r.entered
	leave()
	require.ErrorIs(t, <-gone, context.Canceled)
	close(r.release)
	require.Contains(t, c.ask(t, ping), `"result"`)
}

func TestHTTPConcurrent(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	var callers sync.WaitGroup
	for i := range 100 {
		callers.Go(func() {
			payload := fmt.Sprintf(`{"n": %d.0,"x":"%s"}`, i, strings.Repeat("y", i*100))
			r, err := c.start(t.Context(), http.MethodPost, echoCall(1, "any", payload), nil)
			if err != nil {
				t.Error(err)
				return
			}
			defer r.Body.Close()
			body, err := io.ReadAll(r.Body)
			if err == nil {
				err = rawclient.CheckEcho(body, "any", []byte(payload))
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
	callers.Wait()
}

// serve starts Serve on a port of its own.
func serve(t *testing.T, ctx context.Context, s *server.Server) (*httpClient, <-chan error) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local listener
	require.NoError(t, err)
	ended := make(chan error, 1)
	go func() { ended <- s.Serve(ctx, listener) }()
	t.Cleanup(http.DefaultClient.CloseIdleConnections)
	c := &httpClient{url: "http://" + listener.Addr().String() + "/mcp"}
	c.session = c.post(t, initialize, nil).header.Get("Mcp-Session-Id")
	return c, ended
}

// TestServeStop: calls under way are answered, streams end, and nothing new begins.
func TestServeStop(t *testing.T) {
	t.Parallel()
	r := newSlow()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c, ended := serve(t, ctx, server.New(r.Registry, transport.Options{}, server.Tools{}))
	stream, err := c.start(t.Context(), http.MethodGet, "", nil)
	require.NoError(t, err)
	defer stream.Body.Close()
	got := make(chan response, 1)
	go func() { got <- c.post(t, echoCall(1, "slow", "[1.0]"), nil) }()
	<-r.entered
	stop()
	_, err = io.ReadAll(stream.Body)
	require.NoError(t, err, "the stream ends")
	_, err = c.start(t.Context(), http.MethodPost, ping, nil) //nolint:bodyclose // there is none
	require.Error(t, err, "nobody listens")
	close(r.release)
	require.NoError(t, rawclient.CheckEcho([]byte((<-got).body), "slow", []byte("[1.0]")))
	require.NoError(t, <-ended)
}

func TestServeStopLimit(t *testing.T) {
	t.Parallel()
	r := newSlow()
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	c, ended := serve(t, ctx, server.New(r.Registry, transport.Options{DrainTimeout: 50 * time.Millisecond}, server.Tools{}))
	gone := make(chan error, 1)
	go func() {
		answer, err := c.start(t.Context(), http.MethodPost, echoCall(1, "slow", "1"), nil)
		if err == nil {
			err = answer.Body.Close()
		}
		gone <- err
	}()
	<-r.entered
	stop()
	require.ErrorIs(t, <-ended, transport.ErrDrain)
	require.Error(t, <-gone)
	close(r.release)
}

func TestListenAndServe(t *testing.T) {
	t.Parallel()
	for _, addr := range []string{"", "nonsense", "127.0.0.1:99999"} {
		require.Error(t, server.New(testRegistry(), transport.Options{}, server.Tools{}).ListenAndServe(t.Context(), addr))
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local listener
	require.NoError(t, err)
	defer taken.Close()
	require.Error(t, server.New(testRegistry(), transport.Options{}, server.Tools{}).ListenAndServe(t.Context(), taken.Addr().String()))

	ctx, stop := context.WithCancel(t.Context())
	stop()
	require.NoError(t, server.New(testRegistry(), transport.Options{}, server.Tools{}).ListenAndServe(ctx, ":0"))
}

// TestServeClosedListener: a listener that fails ends the server.
func TestServeClosedListener(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local listener
	require.NoError(t, err)
	require.NoError(t, listener.Close())
	require.ErrorIs(t, server.New(testRegistry(), transport.Options{}, server.Tools{}).Serve(t.Context(), listener), net.ErrClosed)
}
