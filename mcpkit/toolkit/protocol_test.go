package toolkit_test

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// TestM35Stdio: stdio ends with its input, after every answer; blank lines and notifications get none.
func TestM35Stdio(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "ping", constant("pong"))
	for input, want := range map[string]int{
		"": 0, "\n\n": 0, strings.Repeat(" \r\n\t\n", 2): 0, `{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n": 0, request(recent, "1", "ping", ""): 1,
		"\n" + request(recent, "1", "tools/call", call("ping", `{}`)) + "\n\n" + request(recent, "2", "ping", "") + "\n": 2,
	} {
		var out bytes.Buffer
		require.NoError(t, s.ServeStdio(t.Context(), strings.NewReader(input), &out))
		require.Equal(t, want, strings.Count(out.String(), "\n"), "answers to %q", input)
	}
}

// TestM36HTTP: messages are posted, a notification is accepted with an empty body, and what is neither
// POST nor about a stream is refused.
func TestM36HTTP(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	c := dialHTTP(t, s, recent)
	r := c.post(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "")
	require.Equal(t, [2]any{http.StatusAccepted, ""}, [2]any{r.status, r.body}, "the answer to a notification")
	put, err := http.NewRequestWithContext(t.Context(), http.MethodPut, c.url, http.NoBody)
	require.NoError(t, err)
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(put)
	require.NoError(t, err)
	require.NoError(t, answer.Body.Close())
	require.Equal(t, http.StatusMethodNotAllowed, answer.StatusCode)
}

// TestM37ToolsAlone: a server of tools is its tools, and needs nothing else.
func TestM37ToolsAlone(t *testing.T) {
	t.Parallel()
	s := toolkit.New(toolkit.Info{}, toolkit.Options{})
	require.NoError(t, errors.Join(toolkit.Tool(s, "one", "", constant("1")), toolkit.Tool(s, "two", "", constant("2"))))
	tools, err := toolkit.TestPair(t, s).Tools()
	require.NoError(t, err)
	require.Equal(t, [2]string{"one", "two"}, [2]string{tools[0].Name, tools[1].Name})
}

// TestM46CrashingTools: an error and a panic of a tool are results with isError, and the session goes on.
func TestM46CrashingTools(t *testing.T) {
	t.Parallel()
	s, log := newServer(t, toolkit.Options{})
	add(t, s, "boom", boom)
	add(t, s, "fails", func(context.Context, none) (string, error) { return "", errors.New("no books today") })
	add(t, s, "ping", constant("pong"))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for tool, want := range map[string]string{"boom": "the tool failed for a reason that is in the log of the server", "fails": "no books today"} {
			a := c.ask(t, "tools/call", call(tool, `{}`))
			require.Equal(t, want, a.text(t))
			require.True(t, a.Result.IsError, "a crash is a result")
		}
		require.Equal(t, "pong", c.ask(t, "tools/call", call("ping", `{}`)).text(t))
	})
	require.NotContains(t, log.String(), "secret of a caller")
}

// TestM49Methods: an unknown method is the error -32601, a message without one -32600.
func TestM49Methods(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	everywhere(t, s, func(t *testing.T, c client, version string) {
		for _, method := range []string{"no/such", "tools", "tools/", "rpc.discover", "Ping", "notifications/initialized"} {
			require.Equal(t, -32601, c.ask(t, method, "").Error.Code, method)
		}
	})
	require.Contains(t, string(s.Handle(t.Context(), []byte(`{"jsonrpc":"2.0","id":1}`))), `"id":1,"error":{"code":-32600,"message":"the member \"method\" is missing"`)
}

// TestVersionsAreNegotiated: a client gets the version that it asks for, and the newest that has a handshake
// where it asks for one that there is not.
func TestVersionsAreNegotiated(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	for asked, want := range map[string]string{
		"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
		"1999-01-01": "2025-11-25", "2026-07-28": "2025-11-25", "nonsense": "2025-11-25",
	} {
		answer := s.Handle(t.Context(), []byte(request(recent, "1", "initialize", strings.Replace(initialize, recent, asked, 1))))
		require.Contains(t, string(answer), `"result":{"protocolVersion":"`+want+`"`)
	}
}

// TestWhatIsAbsent: a server asks nothing of its client, and what only a client has, or nobody, is an error.
func TestWhatIsAbsent(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "ping", constant("pong"))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for _, method := range []string{"sampling/createMessage", "elicitation/create", "roots/list", "tasks/list", "resources/subscribe", "completion/complete"} {
			require.Equal(t, -32601, c.ask(t, method, "").Error.Code, "absent: "+method)
		}
	})
	c := dialStdio(t, s, recent)
	c.send(t, `{"jsonrpc":"2.0","id":1,"result":{"roots":[]}}`) // nobody asked for that
	require.Equal(t, "pong", c.ask(t, "tools/call", call("ping", `{}`)).text(t))
}

// TestM56Ping: ping is answered, before and after the handshake; 2026-07-28 has none.
func TestM56Ping(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	require.Equal(t, `{"jsonrpc":"2.0","id":"p","result":{}}`, string(s.Handle(t.Context(), []byte(request(recent, `"p"`, "ping", "")))))
	everywhere(t, s, func(t *testing.T, c client, version string) {
		a := c.ask(t, "ping", "")
		if version == modern {
			require.Equal(t, -32601, a.Error.Code)
			return
		}
		require.Nil(t, a.Error)
	})
}
