package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// TestReplies: only a reply with the id of a request ends it; all else is reported, and the request
// goes on to its answer.
func TestReplies(t *testing.T) {
	const good = `{"jsonrpc":"2.0","id":$ID,"result":{"right":true}}`
	deep := strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000)
	for name, tt := range map[string]struct {
		messages []string
		stray    string // what is reported, "" for nothing
		failure  string // of the request, "" where it gets its answer
	}{
		"the answer":                {messages: []string{good}},
		"another id first":          {messages: []string{`{"jsonrpc":"2.0","id":99,"result":{}}`, good}, stray: `the server has sent a reply to a request that was never made: "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}"`},
		"the id of an older one":    {messages: []string{`{"jsonrpc":"2.0","id":1,"result":{}}`, good}, stray: "a late or repeated reply"},
		"the id as a string":        {messages: []string{`{"jsonrpc":"2.0","id":"$ID","result":{}}`, good}, stray: "never made"},
		"the id as a fraction":      {messages: []string{`{"jsonrpc":"2.0","id":$ID.0,"result":{}}`, good}, stray: "never made"},
		"a negative id":             {messages: []string{`{"jsonrpc":"2.0","id":-$ID,"result":{}}`, good}, stray: "never made"},
		"an id beyond int64":        {messages: []string{`{"jsonrpc":"2.0","id":18446744073709551618,"result":{}}`, good}, stray: "never made"},
		"no id":                     {messages: []string{`{"jsonrpc":"2.0","result":{"wrong":true}}`, good}, stray: "a reply without an id"},
		"a result with the id null": {messages: []string{`{"jsonrpc":"2.0","id":null,"result":{}}`, good}, stray: "a reply without an id"},
		"an error without an id":    {messages: []string{`{"jsonrpc":"2.0","error":{"code":-32700,"message":"Parse error"}}`, good}, stray: "error -32700: Parse error"},
		"an error with the id null": {messages: []string{`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`}, stray: "error -32700: Parse error", failure: "x: error -32700: Parse error"},
		"the answer twice":          {messages: []string{good, good}, stray: "a late or repeated reply"},
		"noise":                     {messages: []string{`Server running on stdio`, good}, stray: `the server has sent what is not JSON (byte 0: expected a value, found "Server"): "Server running on stdio"`},
		"not UTF-8":                 {messages: []string{"{\"id\":\xff}", good}, stray: "not JSON"},
		"a batch":                   {messages: []string{`[` + good + `]`, good}, stray: "a message that is not an object but of type array"},
		"an empty batch":            {messages: []string{`[]`, good}, stray: "not an object"},
		"a number":                  {messages: []string{`7`, good}, stray: "not an object but of type number"},
		"an empty object":           {messages: []string{`{}`, good}, stray: "a reply without an id"},
		"two ids":                   {messages: []string{`{"jsonrpc":"2.0","id":$ID,"id":99,"result":{}}`, good}, stray: `has the member "id" twice`},
		"an id under another name":  {messages: []string{`{"jsonrpc":"2.0","ID":$ID,"result":{}}`, good}, stray: "a reply without an id"},
		"a result and no error":     {messages: []string{`{"jsonrpc":"2.0","id":$ID,"error":null,"result":{"right":true}}`}},
		"an error and no result":    {messages: []string{`{"jsonrpc":"2.0","id":$ID,"result":null,"error":{"code":1,"message":"m"}}`}, failure: "x: error 1: m"},
		"neither":                   {messages: []string{`{"jsonrpc":"2.0","id":$ID}`}, failure: "x: the server's reply breaks the protocol: it has neither a result nor an error: "},
		"both":                      {messages: []string{`{"jsonrpc":"2.0","id":$ID,"result":{},"error":{"code":1,"message":"m"}}`}, failure: "it has both a result and an error"},
		"an error that is a text":   {messages: []string{`{"jsonrpc":"2.0","id":$ID,"error":"out of memory"}`}, failure: `x: error 0: "out of memory"`},
		"an error without a code":   {messages: []string{`{"jsonrpc":"2.0","id":$ID,"error":{"message":"m"}}`}, failure: "x: error 0: m"},
		"an error with a huge code": {messages: []string{`{"jsonrpc":"2.0","id":$ID,"error":{"code":1e400,"message":"m"}}`}, failure: "x: error 0: m"},
		"notifications before it":   {messages: []string{`{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":1}}`, `{"jsonrpc":"2.0","method":"notifications/message"}`, good}},
		"a method that is a number": {messages: []string{`{"jsonrpc":"2.0","method":7}`, good}, stray: "whose method is not a string"},
		"deep noise":                {messages: []string{`{"jsonrpc":"2.0","method":"n","params":` + deep + `}`, good}},
		"without jsonrpc":           {messages: []string{`{"id":$ID,"result":{"right":true}}`}},
		"members in any order":      {messages: []string{"\t{ \"result\" : {\"right\":true} , \"id\" : $ID , \"jsonrpc\" : \"2.0\" } "}},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"x": raw(tt.messages...)}}
			session := connect(t, s, client.Options{})
			r, err := session.Request(t.Context(), "x", nil)
			if tt.failure == "" {
				require.NoError(t, err)
				require.Equal(t, `{"right":true}`, string(r))
			} else {
				require.ErrorContains(t, err, tt.failure)
			}
			if tt.stray == "" {
				require.Empty(t, s.reported())
			} else {
				requireStray(t, s, tt.stray)
			}
		})
	}
}

// TestErrorFields: an error reply is an *Error with all that the server said.
func TestErrorFields(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"tools/call": raw(`{"jsonrpc":"2.0","id":$ID,"error":{"code":-32602,"message":"unknown tool \"a\"","data":{ "n" : 1e400 }}}`),
	}}
	session := connect(t, s, client.Options{})
	_, err := session.CallTool(t.Context(), "a", nil)
	var refused *client.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, &client.Error{Code: -32602, Message: `unknown tool "a"`, Data: json.RawMessage(`{ "n" : 1e400 }`), Method: "tools/call"}, refused)
}

// TestErrorOfNobody: an error without an id fails no request where several wait. It is a reason for
// the time-out of each.
func TestErrorOfNobody(t *testing.T) {
	s := &server{}
	var both sync.WaitGroup
	both.Add(2)
	s.answers = map[string]func(client.Call) (json.RawMessage, error){"x": func(c client.Call) (json.RawMessage, error) {
		both.Done()
		both.Wait()
		c.Send([]byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"Parse error"}}`))
		return nil, client.ErrNoReply
	}}
	session := connect(t, s, client.Options{Timeout: 300 * time.Millisecond})
	var calls sync.WaitGroup
	for range 2 {
		calls.Go(func() {
			_, err := session.Request(t.Context(), "x", nil)
			require.Equal(t, "x", requireTimeout(t, err).Method)
			require.ErrorContains(t, err, "x: no reply within 300ms; meanwhile: error -32700: Parse error")
			var refused *client.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, -32700, refused.Code)
		})
	}
	calls.Wait()
}

// TestIDsNeverRepeat: not under concurrency either, and each request gets its own answer, in
// whatever order answers come.
func TestIDsNeverRepeat(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"x": func(c client.Call) (json.RawMessage, error) { return c.Params, nil },
	}}
	session := connect(t, s, client.Options{})
	var calls sync.WaitGroup
	for i := range 200 {
		calls.Go(func() {
			params := fmt.Sprintf(`{"n":%d}`, i)
			r, err := session.Request(t.Context(), "x", json.RawMessage(params))
			require.NoError(t, err)
			require.Equal(t, params, string(r))
		})
	}
	calls.Wait()
	seen := map[int]bool{}
	for _, m := range s.sent() {
		var read struct{ ID int }
		require.NoError(t, json.Unmarshal([]byte(m), &read))
		require.False(t, read.ID != 0 && seen[read.ID], "the id %d came twice", read.ID)
		seen[read.ID] = true
	}
	require.Len(t, seen, 202) // with that of initialize, and 0 for the notification
}

// TestLateReply: a reply after the time-out ends no other request and is reported.
func TestLateReply(t *testing.T) {
	s := &server{}
	late := make(chan client.Call, 1)
	s.answers = map[string]func(client.Call) (json.RawMessage, error){
		"slow": func(c client.Call) (json.RawMessage, error) { late <- c; return nil, client.ErrNoReply },
		"fast": result(`{"fast":true}`),
	}
	session := connect(t, s, client.Options{Timeout: 100 * time.Millisecond})
	_, err := session.Request(t.Context(), "slow", nil)
	require.Equal(t, "slow", requireTimeout(t, err).Method)
	c := <-late
	c.Send([]byte(`{"jsonrpc":"2.0","id":` + c.ID + `,"result":{"slow":true}}`))
	r, err := session.Request(t.Context(), "fast", nil)
	require.NoError(t, err)
	require.Equal(t, `{"fast":true}`, string(r))
	requireStray(t, s, "a late or repeated reply")
}

// TestTimeout names method, tool and limit, and the reason where something odd came meanwhile.
func TestTimeout(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"tools/call": raw(`{"jsonrpc":"2.0","id":99,"result":{}}`), "x": silent,
	}}
	session := connect(t, s, client.Options{Timeout: 100 * time.Millisecond})
	_, err := session.CallTool(t.Context(), "search", nil)
	require.Equal(t, "tools/call", requireTimeout(t, err).Method)
	require.EqualError(t, err, `tools/call "search": no reply within 100ms; meanwhile: the server has sent a reply to a request that was never made: "{\"jsonrpc\":\"2.0\",\"id\":99,\"result\":{}}"`)
	_, err = session.Request(t.Context(), "x", nil)
	require.EqualError(t, err, "x: no reply within 100ms", "what came before the request is no reason")

	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	_, err = session.Request(ctx, "x", nil)
	timeout := requireTimeout(t, err)
	require.LessOrEqual(t, timeout.Limit, 50*time.Millisecond)
	require.Greater(t, timeout.Limit, time.Duration(0))
}

// TestNoTimeout: a negative time-out is none.
func TestNoTimeout(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"x": func(client.Call) (json.RawMessage, error) {
		time.Sleep(50 * time.Millisecond)
		return json.RawMessage(`{}`), nil
	}}}
	session := connect(t, s, client.Options{Timeout: -1})
	_, err := session.Request(t.Context(), "x", nil)
	require.NoError(t, err)
}

// TestCancel: the server is told, with the id and the reason where there is one; the reply that
// comes nevertheless is dropped and reported.
func TestCancel(t *testing.T) {
	for name, tt := range map[string]struct {
		cause  error
		params string
		text   string
	}{
		"without a reason": {nil, `{"requestId":2}`, "x: context canceled"},
		"with one":         {errors.New("the user went away"), `{"requestId":2,"reason":"the user went away"}`, "x: context canceled: the user went away"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{}
			asked := make(chan client.Call, 1)
			s.answers = map[string]func(client.Call) (json.RawMessage, error){"x": func(c client.Call) (json.RawMessage, error) { asked <- c; return nil, client.ErrNoReply }}
			session := connect(t, s, client.Options{})
			ctx, cancel := context.WithCancelCause(t.Context())
			var call client.Call
			go func() { call = <-asked; cancel(tt.cause) }()
			_, err := session.Request(ctx, "x", nil)
			require.ErrorIs(t, err, context.Canceled)
			if tt.cause != nil {
				require.ErrorIs(t, err, tt.cause)
			}
			require.EqualError(t, err, tt.text)
			eventually(t, "a notification", func() bool { return len(s.sent()) == 4 })
			require.Equal(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":`+tt.params+`}`, s.sent()[3])
			call.Send([]byte(`{"jsonrpc":"2.0","id":2,"result":{}}`))
			requireStray(t, s, "a late or repeated reply")
		})
	}
}

// TestTimeoutCancels: the server is told of a time-out too.
func TestTimeoutCancels(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"x": silent}}
	session, err := client.Connect(t.Context(), s.transport(), client.Options{Timeout: 50 * time.Millisecond})
	require.NoError(t, err)
	_, err = session.Request(t.Context(), "x", nil)
	require.Equal(t, "x", requireTimeout(t, err).Method)
	require.NoError(t, session.Close(), "a program that ends right away has told the server")
	require.Equal(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":2,"reason":"x: no reply within 50ms"}}`, s.sent()[3])
}

// TestEndedContext: nothing is sent for a request whose context has ended before.
func TestEndedContext(t *testing.T) {
	s := &server{}
	session := connect(t, s, client.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := session.Request(ctx, "x", nil)
	require.ErrorIs(t, err, context.Canceled)
	require.Len(t, s.sent(), 2)
}

// TestLost: a server that ends fails the requests that wait, and those that come after.
func TestLost(t *testing.T) {
	died := errors.New("exit status 1")
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"die": func(c client.Call) (json.RawMessage, error) { c.Lose(died); return nil, client.ErrNoReply },
		"end": func(c client.Call) (json.RawMessage, error) { c.Lose(nil); return nil, client.ErrNoReply },
	}}
	session := connect(t, s, client.Options{})
	_, err := session.Request(t.Context(), "die", nil)
	require.ErrorIs(t, err, died)
	require.ErrorIs(t, err, client.ErrLost)
	_, err = session.Tools(t.Context())
	require.EqualError(t, err, "tools/list: the connection to the server has ended: exit status 1")
	require.ErrorIs(t, session.Notify(t.Context(), "n", nil), died)

	session = connect(t, s, client.Options{})
	_, err = session.Request(t.Context(), "end", nil)
	require.EqualError(t, err, "end: the connection to the server has ended")
	require.ErrorIs(t, err, client.ErrLost)
}

// TestClose ends the requests that wait, and a second one does nothing.
func TestClose(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"x": silent}}
	session, err := client.Connect(t.Context(), s.transport(), client.Options{})
	require.NoError(t, err)
	failed := make(chan error, 1)
	go func() {
		_, err := session.Request(context.Background(), "x", nil)
		failed <- err
	}()
	eventually(t, "a request", func() bool { return len(s.sent()) == 3 })
	require.NoError(t, session.Close())
	require.ErrorIs(t, <-failed, client.ErrClosed)
	require.NoError(t, session.Close())
	_, err = session.Request(t.Context(), "x", nil)
	require.EqualError(t, err, "x: the session is closed")
	require.ErrorIs(t, session.Notify(t.Context(), "n", nil), client.ErrClosed)
}

// TestUnreadInput: what can't be sent is not, and the server never hears of it.
func TestUnreadInput(t *testing.T) {
	s := &server{}
	session := connect(t, s, client.Options{})
	for arguments, reason := range map[string]string{
		`{`:             `tools/call: nothing was sent: the arguments are not JSON: byte 1: the document ends inside the object that starts at byte 0: expected a member name in double quotes or '}' after '{'`,
		`{"a":1}{}`:     "not JSON",
		"{}\n{\"id\":1": "not JSON",
		`[1]`:           "the arguments must be a JSON object, not of type array",
		`"a"`:           "not of type string",
		"{\"a\":\xff}":  "not JSON",
	} {
		_, err := session.CallTool(t.Context(), "a", json.RawMessage(arguments))
		var input *client.InputError
		require.ErrorAs(t, err, &input, arguments)
		require.ErrorContains(t, err, reason)
	}
	for params, reason := range map[string]string{
		`]`:           "the parameters are not JSON",
		`[]`:          "the parameters must be a JSON object, not of type array",
		`{"_meta":1}`: "the member _meta of the parameters must be an object, not of type number",
	} {
		_, err := session.Request(t.Context(), "m", json.RawMessage(params))
		require.ErrorContains(t, err, reason)
		require.ErrorContains(t, session.Notify(t.Context(), "m", json.RawMessage(params)), reason)
	}
	require.Len(t, s.sent(), 2)
}
