package streamable_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

// streams is a server whose streams break off: what it writes to the nth GET, and the headers of
// all requests.
type streams struct {
	post string
	gets []func(w http.ResponseWriter, r *http.Request)

	mu   sync.Mutex
	seen []string // method and Last-Event-ID
}

func (s *streams) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	_, _ = io.Copy(io.Discard, r.Body)
	s.mu.Lock()
	n := 0
	for _, one := range s.seen {
		if one[:3] == "GET" {
			n++
		}
	}
	s.seen = append(s.seen, r.Method+" "+r.Header.Get("Last-Event-ID"))
	s.mu.Unlock()
	switch r.Method {
	case http.MethodPost:
		events(s.post)(w, r)
	case http.MethodGet:
		s.gets[min(n, len(s.gets)-1)](w, r)
	}
}

// asked is what was asked.
func (s *streams) asked() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return append([]string(nil), s.seen...)
}

// events answers with a stream that ends in good order.
func events(text string) http.HandlerFunc { return answering(200, "text/event-stream", text) }

// breaking answers with a stream that breaks off.
func breaking(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		events(text)(w, r)
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler) //nolint:forbidigo // that breaks it off
	}
}

func note(n int) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":%d}}`, n)
}

// TestResumedAnswer: a stream that ends before the reply is resumed after the last event that came,
// when the server says, and again after errors that pass.
func TestResumedAnswer(t *testing.T) {
	t.Parallel()
	s := &streams{
		post: "id: a\nretry: 20\n\nid: b\ndata: " + note(1) + "\n\nid: c\ndata: cut off",
		gets: []func(http.ResponseWriter, *http.Request){
			answering(503, "text/plain", "later"),
			breaking("id: d\ndata: " + note(2) + "\n\n"),
			events("id: e\n\n"),
			events("data: " + reply + "\n\n"),
		},
	}
	transport, h := opened(t, serve(t, s), nil, 1<<20)
	m := request("tools/call")
	m.Version = "2025-11-25"
	require.NoError(t, transport.Send(t.Context(), m))
	require.Equal(t, []string{note(1), note(2), reply}, h.messages)
	require.Equal(t, []string{"POST ", "GET b", "GET b", "GET d", "GET e"}, s.asked())

	// What can't be resumed is an error at once.
	s = &streams{post: "retry: 10\nid: a\n\n", gets: []func(http.ResponseWriter, *http.Request){answering(405, "text/plain", "no")}}
	transport, _ = opened(t, serve(t, s), nil, 1<<20)
	var status *streamable.HTTPError
	err := transport.Send(t.Context(), m)
	require.ErrorAs(t, err, &status)
	require.ErrorContains(t, err, "the event stream ended before the reply and can't be resumed: ")
	require.Equal(t, []string{"POST ", "GET a"}, s.asked())

	// Nor can any since 2026-07-28.
	s = &streams{post: "retry: 10\nid: a\n\n"}
	transport, _ = opened(t, serve(t, s), nil, 1<<20)
	m.Version = "2026-07-28"
	require.ErrorContains(t, transport.Send(t.Context(), m), "the event stream ended before the reply")
	require.Equal(t, []string{"POST "}, s.asked())
}

// TestListening: once the session has begun, what belongs to no request comes on a stream of its
// own, which is opened again from where it broke off.
func TestListening(t *testing.T) {
	t.Parallel()
	s := &streams{gets: []func(http.ResponseWriter, *http.Request){
		breaking("retry: 10\nid: a\ndata: " + note(1) + "\n\n"),
		answering(502, "text/plain", "no"),
		events("id: b\ndata: " + note(2) + "\n\n"),
		func(w http.ResponseWriter, r *http.Request) {
			events("data: "+note(3)+"\n\n")(w, r)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		},
	}}
	transport, h := opened(t, serve(t, s), nil, 1<<20)
	m := notification("notifications/initialized")
	m.Version = "2025-11-25"
	require.NoError(t, transport.Send(t.Context(), m))
	for n := range 3 {
		require.Equal(t, note(n+1), h.await(t))
	}
	require.Equal(t, []string{"POST ", "GET ", "GET a", "GET a", "GET b"}, s.asked())
	before := time.Now()
	require.NoError(t, transport.Close())
	require.Less(t, time.Since(before), long)

	// A server that does not offer it is asked once, and one of 2026-07-28 never.
	for version, asked := range map[string]int{"2025-11-25": 2, "2026-07-28": 1} {
		s = &streams{gets: []func(http.ResponseWriter, *http.Request){answering(405, "text/plain", "no")}}
		transport, _ = opened(t, serve(t, s), nil, 1<<20)
		m.Version = version
		require.NoError(t, transport.Send(t.Context(), m))
		require.Eventually(t, func() bool { return len(s.asked()) == asked }, long, time.Millisecond)
		require.NoError(t, transport.Close(), "it waits for what goes on")
		require.Len(t, s.asked(), asked)
	}
}

// TestProgressBeforeResult: over a session, what a stream holds before the reply is handed on.
func TestProgressBeforeResult(t *testing.T) {
	t.Parallel()
	handler := scripted(t, "notifications")
	var mu sync.Mutex
	var methods []string
	session := connect(t, serve(t, handler), client.Options{OnNotification: func(method string, _ json.RawMessage) {
		mu.Lock()
		defer mu.Unlock()
		methods = append(methods, method)
	}})
	tools, err := session.Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, tools, 1)
	mu.Lock()
	defer mu.Unlock()
	require.Equal(t, []string{"notifications/message", "notifications/progress"}, methods)
}
