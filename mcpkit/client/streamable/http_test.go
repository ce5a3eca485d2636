package streamable_test

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/fakeserver"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

const long = 30 * time.Second

// heard is what a transport has told.
type heard struct {
	mu       sync.Mutex
	messages []string
	any      chan string
}

// opened is an open transport, closed with the test.
func opened(t *testing.T, url string, header http.Header, most int) (*streamable.Transport, *heard) {
	t.Helper()
	h := &heard{any: make(chan string, 1000)}
	transport := open(t, url, header)
	require.NoError(t, transport.Open(t.Context(), client.Handler{
		Receive: func(message []byte) {
			h.mu.Lock()
			defer h.mu.Unlock()
			h.messages = append(h.messages, string(message))
			h.any <- string(message)
		},
		Lost: func(error) {}, Stray: func(error) {}, MaxMessageBytes: most,
	}))
	t.Cleanup(func() { require.NoError(t, transport.Close()) })
	return transport, h
}

func (h *heard) await(t *testing.T) string {
	t.Helper()
	select {
	case message := <-h.any:
		return message
	case <-time.After(long):
		require.Fail(t, "nothing came")
		return ""
	}
}

func request(method string) client.Outgoing {
	return client.Outgoing{Message: []byte(`{"jsonrpc":"2.0","id":7,"method":"` + method + `"}`), ID: "7", Method: method}
}

func notification(method string) client.Outgoing {
	return client.Outgoing{Message: []byte(`{"jsonrpc":"2.0","method":"` + method + `"}`), Method: method}
}

const reply = `{"jsonrpc":"2.0","id":7,"result":{}}`

// answering answers each POST with these bytes.
func answering(status int, contentType, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if contentType != "" {
			w.Header().Set("Content-Type", contentType)
		} else {
			w.Header()["Content-Type"] = nil
		}
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// TestAnswers: JSON and events, and what is neither.
func TestAnswers(t *testing.T) {
	t.Parallel()
	const note = `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}`
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		want    []string
		fault   string // of AnswerError or UnreachableError, after "with " or ": "
	}{
		"JSON":                  {answering(200, "application/json; charset=utf-8", reply), []string{reply}, ""},
		"events":                {answering(200, "text/event-stream", ": x\n\nid: 1\ndata: "+note+"\n\ndata: "+reply+"\n\ndata: "+note+"\n\n"), []string{note, reply}, ""},
		"202 and JSON":          {answering(202, "application/json", reply), []string{reply}, ""},
		"a rejection":           {answering(400, "application/json", `{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}}`), []string{`{"jsonrpc":"2.0","id":7,"error":{"code":-32602,"message":"no"}}`}, ""},
		"a wrong id":            {answering(200, "application/json", `{"jsonrpc":"2.0","id":8,"result":{}}`), []string{`{"jsonrpc":"2.0","id":8,"result":{}}`}, `JSON that is no reply to the request: {"jsonrpc":"2.0","id":8,"result":{}}`},
		"an id that is a text":  {answering(200, "application/json", `{"jsonrpc":"2.0","id":"7","result":{}}`), []string{`{"jsonrpc":"2.0","id":"7","result":{}}`}, `JSON that is no reply to the request: {"jsonrpc":"2.0","id":"7","result":{}}`},
		"no JSON":               {answering(200, "application/json", "<html>"), []string{"<html>"}, "JSON that is no reply to the request: <html>"},
		"a page":                {answering(200, "text/html; charset=utf-8", "<html>\x1b[31m"+strings.Repeat("x", 1000)), nil, "the content type text/html; charset=utf-8, neither JSON nor an event stream: <html>\\x1b[31m" + strings.Repeat("x", 289) + "…"},
		"no content type":       {answering(200, "", "hello"), nil, "no content type, neither JSON nor an event stream: hello"},
		"an empty body":         {answering(200, "application/json", ""), nil, "status 200 and an empty body, which is no reply to the request"},
		"202 and an empty body": {answering(202, "", ""), nil, "status 202 and an empty body, which is no reply to the request"},
		"204":                   {answering(204, "", ""), nil, "status 204 and an empty body, which is no reply to the request"},
		"events without reply":  {answering(200, "text/event-stream", "data: "+note+"\n\n"), []string{note}, "the event stream ended before the reply"},
		"events cut off":        {answering(200, "text/event-stream", "data: "+reply+"\n"), nil, "the event stream ended before the reply"},
	} {
		transport, h := opened(t, serve(t, c.handler), nil, 1<<20)
		err := transport.Send(t.Context(), request("ping"))
		if c.fault == "" {
			require.NoError(t, err, name)
		} else {
			require.Error(t, err, name)
			require.True(t, strings.HasSuffix(err.Error(), "answered with "+c.fault) || strings.HasSuffix(err.Error(), ": "+c.fault), err.Error())
		}
		require.Equal(t, c.want, h.messages, name)
	}
}

// TestCancelling: since 2026-07-28 the end of a request's stream cancels it, and no notification is
// posted beside that (basic/patterns/cancellation); before, one is.
func TestCancelling(t *testing.T) {
	t.Parallel()
	for version, want := range map[string][]string{
		"2025-11-25": {"tools/call", "the end of tools/call", "notifications/cancelled"},
		"2026-07-28": {"tools/call", "the end of tools/call"},
	} {
		seen := make(chan string, len(want)+1)
		transport, _ := opened(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var m struct{ Method string }
			_ = json.NewDecoder(r.Body).Decode(&m)
			seen <- m.Method
			if m.Method == "tools/call" {
				<-r.Context().Done()
				seen <- "the end of " + m.Method
				return
			}
			w.WriteHeader(http.StatusAccepted)
		})), nil, 1<<20)
		m, cancelled := request("tools/call"), notification("notifications/cancelled")
		m.Version, cancelled.Version = version, version
		ctx, cancel := context.WithCancel(t.Context())
		sent := make(chan error, 1)
		go func() { sent <- transport.Send(ctx, m) }()
		got := []string{<-seen}
		cancel()
		require.ErrorIs(t, <-sent, context.Canceled)
		got = append(got, <-seen)
		require.NoError(t, transport.Send(t.Context(), cancelled))
		for len(seen) > 0 {
			got = append(got, <-seen)
		}
		require.Equal(t, want, got, version)
	}
}

// TestNotificationIsTaken: whatever a server says to a notification, 2xx means that it took it.
func TestNotificationIsTaken(t *testing.T) {
	t.Parallel()
	for _, handler := range []http.HandlerFunc{
		answering(202, "", ""), answering(204, "", ""), answering(200, "", ""), answering(200, "application/json", ""),
		answering(200, "text/plain", "Accepted"), answering(202, "text/event-stream", ""),
	} {
		transport, _ := opened(t, serve(t, handler), nil, 1<<20)
		require.NoError(t, transport.Send(t.Context(), notification("notifications/initialized")))
	}
	transport, _ := opened(t, serve(t, answering(500, "text/plain", "no")), nil, 1<<20)
	require.Error(t, transport.Send(t.Context(), notification("notifications/initialized")))
}

// TestStatus: any other status is an error with the status and the body, and what to do.
func TestStatus(t *testing.T) {
	t.Parallel()
	send := func(handler http.HandlerFunc, header http.Header) *streamable.HTTPError {
		transport, _ := opened(t, serve(t, handler), header, 1<<20)
		err := transport.Send(t.Context(), request("ping"))
		var status *streamable.HTTPError
		require.ErrorAs(t, err, &status)
		require.NotContains(t, err.Error(), "s3cret-token")
		return status
	}
	e := send(answering(500, "text/plain", strings.Repeat("x", 5000)+"\x1b"), nil)
	require.Equal(t, 500, e.Status)
	require.Equal(t, strings.Repeat("x", 2000)+"…", e.Body)
	require.Contains(t, e.Error(), " answered with status 500 Internal Server Error; its body: xxx")

	// A server that shows what it was sent shows the token too.
	e = send(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("WWW-Authenticate", `Bearer resource_metadata="https://example.com/x"`)
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, "you sent %v, %s", r.Header, strings.TrimPrefix(r.Header.Get("Authorization"), "Bearer "))
	}, http.Header{"Authorization": {"Bearer s3cret-token"}})
	require.Contains(t, e.Error(), `401 Unauthorized: it wants a token; send one in the header Authorization, as "Authorization: Bearer TOKEN" (it asks for Bearer resource_metadata="https://example.com/x")`)
	require.Contains(t, e.Body, "Authorization:[[a header of yours]]")

	// Wherever it is cut.
	for before := range 30 {
		for _, status := range []int{200, 400} {
			transport, _ := opened(t, serve(t, answering(status, "text/plain", strings.Repeat("x", 275+before)+strings.Repeat("s3cret-token", 500))), http.Header{"X-Key": {"s3cret-token"}}, 1<<20)
			err := transport.Send(t.Context(), request("ping"))
			require.ErrorContains(t, err, "xxx")
			require.NotContains(t, err.Error(), "s3")
		}
	}
	// A body that never ends is not waited for.
	e = send(func(w http.ResponseWriter, r *http.Request) {
		w.WriteHeader(http.StatusForbidden)
		_, _ = io.WriteString(w, "no")
		_ = http.NewResponseController(w).Flush()
		<-r.Context().Done()
	}, nil)
	require.Equal(t, "no", e.Body)

	e = send(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Retry-After", "7")
		w.WriteHeader(http.StatusTooManyRequests)
	}, nil)
	require.Equal(t, "7", e.RetryAfter)
	require.Contains(t, e.Error(), "429 Too Many Requests: try again after 7 seconds")
	require.Contains(t, send(answering(404, "text/plain", ""), nil).Error(), "no MCP server is there; most are at a path such as /mcp")
}

// TestSecretsInTheAddress: what stands in the user or the query of a URL is never shown.
func TestSecretsInTheAddress(t *testing.T) {
	t.Parallel()
	base, err := url.Parse(serve(t, answering(500, "text/plain", "no")))
	require.NoError(t, err)
	base.User, base.RawQuery, base.Path = url.UserPassword("me", "s3cret"), "key=s3cret", "/mcp"
	transport, _ := opened(t, base.String(), nil, 1<<20)
	require.EqualError(t, transport.Send(t.Context(), request("ping")), "the server at http://"+base.Host+"/mcp answered with status 500 Internal Server Error; its body: no")
	base.Host = "127.0.0.1:1"
	transport, _ = opened(t, base.String(), nil, 1<<20)
	require.EqualError(t, transport.Send(t.Context(), request("ping")), "can't reach the server at http://127.0.0.1:1/mcp: connection refused; is the server running, and at this port?")
	for _, address := range []string{"", "localhost:8080/mcp", "ftp://example.com", "http://", "me:s3cret@example.com/?key=s3cret", "http://me:s3cret@example.com:x/?key=s3cret"} {
		_, err := streamable.New(address, streamable.Options{})
		require.ErrorContains(t, err, "is no address of a server: write it with scheme and host, as in https://example.com/mcp")
		require.NotContains(t, err.Error(), "s3cret")
	}
	for name, value := range map[string]string{"A B": "s3cret", "X": "s3cret\nY: z", "": "s3cret"} {
		_, err := streamable.New("http://localhost", streamable.Options{Header: http.Header{name: {value}}})
		require.Error(t, err)
		require.NotContains(t, err.Error(), "s3cret")
	}
}

// TestHeaders: what each request carries, before and since 2026-07-28.
func TestHeaders(t *testing.T) {
	t.Parallel()
	seen := make(chan *http.Request, 10)
	u := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen <- r
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Mcp-Session-Id", "session-1")
		if r.Method == http.MethodGet {
			w.WriteHeader(http.StatusMethodNotAllowed)
			return
		}
		_, _ = io.WriteString(w, reply)
	}))
	transport, _ := opened(t, u, http.Header{"X-Key": {"a", "b"}, "accept": {"text/html"}, "Mcp-Session-Id": {"mine"}, "Host": {"example.com"}}, 1<<20)
	send := func(m client.Outgoing) http.Header {
		require.NoError(t, transport.Send(t.Context(), m))
		r := <-seen
		require.Equal(t, "example.com", r.Host)
		require.Equal(t, []string{"a", "b"}, r.Header.Values("X-Key"))
		require.Equal(t, []string{"application/json, text/event-stream"}, r.Header.Values("Accept"))
		require.Equal(t, "application/json", r.Header.Get("Content-Type"))
		require.Equal(t, "gzip", r.Header.Get("Accept-Encoding"))
		return r.Header
	}
	h := send(request("initialize"))
	require.Empty(t, h.Get("Mcp-Session-Id"))
	require.Empty(t, h.Get("Mcp-Protocol-Version"))
	m := request("tools/call")
	m.Name, m.Version = "héllo", "2025-11-25"
	h = send(m)
	require.Equal(t, "session-1", h.Get("Mcp-Session-Id"))
	require.Equal(t, "2025-11-25", h.Get("Mcp-Protocol-Version"))
	require.NotContains(t, h, "Mcp-Method", "that came with 2026-07-28")
	require.NotContains(t, h, "Mcp-Name")
	m.Version = "2026-07-28"
	for name, want := range map[string]string{
		"get_weather": "get_weather", "héllo": "=?base64?aMOpbGxv?=", " x": "=?base64?IHg=?=", "=?base64?eA==?=": "=?base64?PT9iYXNlNjQ/ZUE9PT89?=", "a b": "a b", "a\nb": "=?base64?YQpi?=",
	} {
		m.Name = name
		h = send(m)
		require.Equal(t, "2026-07-28", h.Get("Mcp-Protocol-Version"))
		require.Equal(t, "tools/call", h.Get("Mcp-Method"))
		require.Equal(t, want, h.Get("Mcp-Name"))
		require.Empty(t, h.Get("Mcp-Session-Id"), "it has no sessions")
	}
	require.NoError(t, transport.Close())
	r := <-seen
	require.Equal(t, http.MethodDelete, r.Method)
	require.Equal(t, "session-1", r.Header.Get("Mcp-Session-Id"))
	require.Equal(t, []string{"a", "b"}, r.Header.Values("X-Key"))
	require.Error(t, transport.Send(t.Context(), request("ping")), "it is closed")
}

// TestRedirects: headers go to the server's own origin only, and a message is never dropped.
func TestRedirects(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var leaked []string
	elsewhere := serve(t, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		leaked = append(leaked, r.Method)
	}))
	own := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		switch status, where, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/"); {
		case where == "own":
			http.Redirect(w, r, "/mcp/", map[string]int{"307": 307, "308": 308, "302": 302}[status])
		case where == "elsewhere":
			http.Redirect(w, r, elsewhere+"/mcp?x=1", http.StatusTemporaryRedirect)
		case where == "loop":
			http.Redirect(w, r, r.URL.Path, http.StatusTemporaryRedirect)
		case r.Header.Get("Authorization") == "Bearer token" && len(body) > 0:
			answering(200, "application/json", reply)(w, r)
		}
	}))
	for _, status := range []string{"307", "308"} {
		transport, h := opened(t, own+"/"+status+"/own", http.Header{"Authorization": {"Bearer token"}}, 1<<20)
		require.NoError(t, transport.Send(t.Context(), request("ping")))
		require.Equal(t, []string{reply}, h.messages)
	}
	for path, location := range map[string]string{"/302/own": own + "/mcp/", "/307/elsewhere": elsewhere + "/mcp", "/307/loop": own + "/307/loop"} {
		transport, _ := opened(t, own+path, http.Header{"Authorization": {"Bearer token"}}, 1<<20)
		err := transport.Send(t.Context(), request("ping"))
		var status *streamable.HTTPError
		require.ErrorAs(t, err, &status)
		require.Equal(t, location, status.Location)
		require.Contains(t, err.Error(), ": it has moved to "+location+"; if you trust that address, use it instead")
	}
	require.Empty(t, leaked)
}

// TestUnreachable: each way not to get an answer, in plain words.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local listener
	require.NoError(t, err)
	t.Cleanup(func() { _ = listener.Close() })
	says := make(chan string, 10)
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			_, _ = c.Read(make([]byte, 10))
			_, _ = io.WriteString(c, <-says)
			_ = c.Close()
		}
	}()
	at := "http://" + listener.Addr().String()
	for _, c := range []struct{ says, url, reason string }{
		{"", at, "it ended the connection without an answer"},
		{"SSH-2.0-OpenSSH\r\n\r\n", at, "what answers there does not speak HTTP"},
		{"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{", at, "the connection broke off in the middle of the answer"},
		{"HTTP/1.1 400 Bad Request\r\n\r\n", strings.Replace(at, "http:", "https:", 1), "it does not speak https; try http://"},
		{"-", "http://no.such.host.invalid/mcp", "there is no host no.such.host.invalid"},
	} {
		if c.says != "-" {
			says <- c.says
		}
		transport, _ := opened(t, c.url, nil, 1<<20)
		err := transport.Send(t.Context(), request("ping"))
		var lost *streamable.UnreachableError
		require.ErrorAs(t, err, &lost, c.reason)
		require.Equal(t, c.reason, lost.Reason)
	}
}

// TestLimits: of a message in JSON, of one that is packed small, and of an event.
func TestLimits(t *testing.T) {
	t.Parallel()
	const limit = 1000
	fits := `{"jsonrpc":"2.0","id":7,"result":"` + strings.Repeat("x", limit-len(`{"jsonrpc":"2.0","id":7,"result":""}`)) + `"}`
	packed := func(body string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			require.Equal(t, "gzip", r.Header.Get("Accept-Encoding"))
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Content-Encoding", "gzip")
			z := gzip.NewWriter(w)
			_, _ = io.WriteString(z, body)
			_ = z.Close()
		}
	}
	for _, answer := range []func(body string) http.HandlerFunc{
		func(body string) http.HandlerFunc { return answering(200, "application/json", body) },
		func(body string) http.HandlerFunc { return answering(200, "text/event-stream", "data: "+body+"\n\n") },
		packed,
	} {
		transport, h := opened(t, serve(t, answer(fits)), nil, limit)
		require.NoError(t, transport.Send(t.Context(), request("ping")))
		require.Equal(t, []string{fits}, h.messages)

		transport, h = opened(t, serve(t, answer(fits+" ")), nil, limit)
		var tooLarge *streamable.TooLargeError
		require.ErrorAs(t, transport.Send(t.Context(), request("ping")), &tooLarge)
		require.Equal(t, limit, tooLarge.Limit)
		require.Empty(t, h.messages)
	}
}

// TestSlow: a server that answers a byte a second, or never, is waited for as long as ctx says.
func TestSlow(t *testing.T) {
	t.Parallel()
	for _, script := range []string{"slow", "silent list"} {
		handler, err := fakeserver.HTTP(script)
		require.NoError(t, err)
		transport, _ := opened(t, serve(t, handler), nil, 1<<20)
		ctx, cancel := context.WithTimeout(t.Context(), 300*time.Millisecond)
		before := time.Now()
		require.ErrorIs(t, transport.Send(ctx, request("tools/list")), context.DeadlineExceeded)
		require.Less(t, time.Since(before), long)
		cancel()
		// Close doesn't wait for an answer either.
		waiting := make(chan error)
		go func() { waiting <- transport.Send(t.Context(), request("tools/list")) }()
		time.Sleep(50 * time.Millisecond)
		require.NoError(t, transport.Close())
		require.Error(t, <-waiting)
	}
}

// TestSessionLost: status 404 for a session begins a new one, and calls go on.
func TestSessionLost(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	session, calls := 0, 0
	u := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		mu.Lock()
		defer mu.Unlock()
		var m struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		id := fmt.Sprintf("session-%d", session)
		switch {
		case r.Method != http.MethodPost:
			w.WriteHeader(http.StatusMethodNotAllowed)
		case m.Method == "initialize":
			session++
			w.Header().Set("Mcp-Session-Id", fmt.Sprintf("session-%d", session))
			answering(200, "application/json", `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"protocolVersion":"2025-11-25","capabilities":{},"serverInfo":{"name":"x","version":"1"}}}`)(w, r)
		case r.Header.Get("Mcp-Session-Id") != id:
			w.WriteHeader(http.StatusNotFound)
		case m.ID == nil:
			w.WriteHeader(http.StatusAccepted)
		default:
			if calls++; calls == 2 {
				session += 10 // it forgets all
				w.WriteHeader(http.StatusNotFound)
				return
			}
			answering(200, "application/json", `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":{"call":`+fmt.Sprint(calls)+`}}`)(w, r)
		}
	}))
	s := connect(t, u, client.Options{Protocol: "2025-11-25"})
	for _, want := range []string{`{"call":1}`, `{"call":3}`, `{"call":4}`} {
		result, err := s.Request(t.Context(), "x", nil)
		require.NoError(t, err)
		require.Equal(t, want, string(result))
	}
	require.Equal(t, 12, session)

	transport, _ := opened(t, u, nil, 1<<20)
	require.NoError(t, transport.Send(t.Context(), request("initialize")))
	mu.Lock()
	session += 10
	mu.Unlock()
	require.ErrorIs(t, transport.Send(t.Context(), request("x")), client.ErrSessionLost)
	require.ErrorIs(t, transport.Send(t.Context(), request("x")), client.ErrSessionLost, "until it is initialised again")
}
