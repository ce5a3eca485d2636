package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// TestNotifications arrive in order, with their exact parameters, before the answer that they
// precede.
func TestNotifications(t *testing.T) {
	const flood = 10_000
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"x": func(c client.Call) (json.RawMessage, error) {
		for i := range flood {
			c.Send(fmt.Appendf(nil, `{"jsonrpc":"2.0","method":"n","params":{ "i":%d }}`, i))
		}
		c.Send([]byte(`{"jsonrpc":"2.0","method":"last"}`))
		return json.RawMessage(`{}`), nil
	}}}
	var got []string
	session := connect(t, s, client.Options{OnNotification: func(method string, params json.RawMessage) {
		got = append(got, method+string(params))
	}})
	_, err := session.Request(t.Context(), "x", nil)
	require.NoError(t, err)
	require.Len(t, got, flood+1)
	for i := range flood {
		require.Equal(t, fmt.Sprintf(`n{ "i":%d }`, i), got[i])
	}
	require.Equal(t, "last", got[flood])
}

// TestProgress reaches the call that it is about, and no other.
func TestProgress(t *testing.T) {
	progress := func(token, rest string) string {
		return `{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":` + token + rest + `}}`
	}
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"tools/call": raw(
			progress("$ID", `,"progress":1,"total":4,"message":"begun"`), progress("99", `,"progress":2`), progress(`"$ID"`, `,"progress":3`),
			progress("$ID", `,"progress":2.5`), progress("null", ``), `{"jsonrpc":"2.0","method":"notifications/progress"}`,
			`{"jsonrpc":"2.0","id":$ID,"result":{}}`, progress("$ID", `,"progress":4`),
		),
	}}
	session := connect(t, s, client.Options{})
	var got []client.Progress
	_, err := session.CallTool(t.Context(), "a", json.RawMessage(`{"b":1}`), client.WithProgress(func(p client.Progress) { got = append(got, p) }))
	require.NoError(t, err)
	require.Equal(t, []client.Progress{{Progress: 1, Total: 4, Message: "begun"}, {Progress: 2.5}}, got)
	require.Equal(t, `{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"a","arguments":{"b":1},"_meta":{"progressToken":2}}}`, s.sent()[2])
}

// ask makes the server send a request and gives what the client answers, and what it reports.
func ask(t *testing.T, s *server, o client.Options, request string) string {
	t.Helper()
	s.answers = map[string]func(client.Call) (json.RawMessage, error){"x": raw(request, `{"jsonrpc":"2.0","id":$ID,"result":{}}`)}
	session := connect(t, s, o)
	_, err := session.Request(t.Context(), "x", nil)
	require.NoError(t, err)
	eventually(t, "an answer", func() bool { return len(s.sent()) == 4 })
	return s.sent()[3]
}

// TestServerRequests: ping and roots are answered; a method that the client does not have is
// refused, loudly.
func TestServerRequests(t *testing.T) {
	roots := []client.Root{{URI: "file:///home/a", Name: "a"}, {URI: "file:///b"}}
	handler := func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
		switch method {
		case "sampling/createMessage":
			return append(append([]byte(`{"asked":`), params...), '}'), nil
		case "elicitation/create":
			return nil, &client.Error{Code: -1, Message: "declined", Data: json.RawMessage(`{"n":1e400}`)}
		case "broken":
			return nil, errors.New("no memory")
		case "nonsense":
			return json.RawMessage(`{`), nil
		}
		return nil, client.ErrNotHandled
	}
	for name, tt := range map[string]struct {
		options         client.Options
		request, answer string
		stray           string
	}{
		"ping":                  {request: `{"jsonrpc":"2.0","id":"a\u0062","method":"ping"}`, answer: `{"jsonrpc":"2.0","id":"a\u0062","result":{}}`},
		"roots":                 {client.Options{Roots: roots}, `{"jsonrpc":"2.0","id":1e2,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":1e2,"result":{"roots":[{"uri":"file:///home/a","name":"a"},{"uri":"file:///b"}]}}`, ""},
		"no roots on offer":     {client.Options{}, `{"jsonrpc":"2.0","id":7,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: roots/list"}}`, `refused, as the client does not have the method "roots/list"`},
		"an empty list":         {client.Options{Roots: []client.Root{}}, `{"jsonrpc":"2.0","id":7,"method":"roots/list"}`, `{"jsonrpc":"2.0","id":7,"result":{"roots":[]}}`, ""},
		"sampling":              {client.Options{}, `{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{}}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: sampling/createMessage"}}`, `the method "sampling/createMessage"`},
		"sampling, handled":     {client.Options{OnRequest: handler}, `{"jsonrpc":"2.0","id":7,"method":"sampling/createMessage","params":{ "n" : 1e400 }}`, `{"jsonrpc":"2.0","id":7,"result":{"asked":{ "n" : 1e400 }}}`, ""},
		"elicitation, declined": {client.Options{OnRequest: handler}, `{"jsonrpc":"2.0","id":7,"method":"elicitation/create"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-1,"message":"declined","data":{"n":1e400}}}`, ""},
		"a handler that fails":  {client.Options{OnRequest: handler}, `{"jsonrpc":"2.0","id":7,"method":"broken"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"no memory"}}`, ""},
		"nonsense":              {client.Options{OnRequest: handler}, `{"jsonrpc":"2.0","id":7,"method":"nonsense"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32603,"message":"the client's own answer is not JSON: byte 1: the document ends inside the object that starts at byte 0: expected a member name in double quotes or '}' after '{'"}}`, ""},
		"not handled":           {client.Options{OnRequest: handler}, `{"jsonrpc":"2.0","id":7,"method":"other"}`, `{"jsonrpc":"2.0","id":7,"error":{"code":-32601,"message":"Method not found: other"}}`, `the method "other"`},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{}
			require.Equal(t, tt.answer, ask(t, s, tt.options, tt.request))
			if tt.stray == "" {
				require.Empty(t, s.reported())
			} else {
				requireStray(t, s, tt.stray)
			}
		})
	}
}

// TestRootsAreOffered: a client says that it has roots, if it has.
func TestRootsAreOffered(t *testing.T) {
	s := &server{}
	connect(t, s, client.Options{Roots: []client.Root{}})
	require.Contains(t, s.sent()[0], `"capabilities":{"roots":{}},`)
	s = &server{}
	connect(t, s, client.Options{Capabilities: json.RawMessage(`{"sampling":{}}`)})
	require.Contains(t, s.sent()[0], `"capabilities":{"sampling":{}},`)
	_, err := client.Connect(t.Context(), s.transport(), client.Options{Roots: []client.Root{{Name: "a"}}})
	require.ErrorContains(t, err, "a root has no URI; write one that begins with file://")
}

// TestServerRequestsEnd: a handler that waits ends with the session, and requests beyond those that
// are answered at a time are dropped, loudly, and not gathered.
func TestServerRequestsEnd(t *testing.T) {
	const flood = 100
	ended := make(chan struct{}, flood)
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"x": func(c client.Call) (json.RawMessage, error) {
		for i := range flood {
			c.Send(fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%d,"method":"wait"}`, i))
		}
		return json.RawMessage(`{}`), nil
	}}}
	session, err := client.Connect(t.Context(), s.transport(), s.reporting(client.Options{OnRequest: func(ctx context.Context, _ string, _ json.RawMessage) (json.RawMessage, error) {
		<-ctx.Done()
		ended <- struct{}{}
		return nil, ctx.Err()
	}}))
	require.NoError(t, err)
	_, err = session.Request(t.Context(), "x", nil)
	require.NoError(t, err)
	require.NoError(t, session.Close())
	require.Len(t, ended, 64)
	require.Len(t, s.reported(), flood-64)
	require.ErrorContains(t, s.reported()[0], "a request of the server was dropped, as 64 others wait to be answered")
}

// TestInputRequired: in the era without a handshake a server asks by its answer; the request is made
// again with what it wants, or fails.
func TestInputRequired(t *testing.T) {
	s := &server{}
	s.answers = map[string]func(client.Call) (json.RawMessage, error){
		"server/discover": result(discovered),
		"tools/call": func(c client.Call) (json.RawMessage, error) {
			var p struct{ InputResponses, RequestState json.RawMessage }
			if err := json.Unmarshal(c.Params, &p); err != nil || p.InputResponses == nil {
				return json.RawMessage(`{"resultType":"input_required","inputRequests":{"a\u0062":{"method":"roots/list"},"c":{"method":"elicitation/create","params":{"message":"who?"}}},"requestState":"s\u0031"}`), err
			}
			return json.RawMessage(`{"content":[{"type":"text","text":"done"}],"structuredContent":` + string(p.InputResponses) + `}`), nil
		},
		"forever": result(`{"resultType":"input_required"}`),
	}
	o := client.Options{Protocol: "2026-07-28", Roots: []client.Root{{URI: "file:///a"}}, OnRequest: func(_ context.Context, _ string, params json.RawMessage) (json.RawMessage, error) {
		return append(append([]byte(`{"for":`), params...), '}'), nil
	}}
	session := connect(t, s, o)
	r, err := session.CallTool(t.Context(), "t", json.RawMessage(`{"n":1e400}`))
	require.NoError(t, err)
	require.Equal(t, "done", r.Text())
	require.Equal(t, `{"a\u0062":{"roots":[{"uri":"file:///a"}]},"c":{"for":{"message":"who?"}}}`, string(r.StructuredContent))
	require.Contains(t, s.sent()[2], `"requestState":"s\u0031","name":"t","arguments":{"n":1e400},"_meta":{`)

	_, err = session.Request(t.Context(), "forever", nil)
	require.ErrorContains(t, err, "forever: the server's reply breaks the protocol: the server asks for input 10 times and does not answer")

	o.OnRequest = nil
	session = connect(t, s, o)
	_, err = session.CallTool(t.Context(), "t", nil)
	var wanting *client.InputRequiredError
	require.ErrorAs(t, err, &wanting)
	require.Equal(t, "elicitation/create", wanting.Wants)
	require.ErrorIs(t, err, client.ErrNotHandled)
	requireStray(t, s, "the server asks for input that the client can't give")
}

// TestSlowHandlers: nothing holds up the answers while a request of the server is being answered.
func TestSlowHandlers(t *testing.T) {
	release := make(chan struct{})
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"x": raw(`{"jsonrpc":"2.0","id":1,"method":"wait"}`, `{"jsonrpc":"2.0","id":$ID,"result":{}}`),
	}}
	session := connect(t, s, client.Options{Timeout: soon, OnRequest: func(context.Context, string, json.RawMessage) (json.RawMessage, error) {
		<-release
		return json.RawMessage(`{}`), nil
	}})
	begun := time.Now()
	_, err := session.Request(t.Context(), "x", nil)
	require.NoError(t, err)
	require.Less(t, time.Since(begun), soon)
	close(release)
}
