package streamable_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/fakeserver"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

func scripted(t *testing.T, script string) http.Handler {
	t.Helper()
	handler, err := fakeserver.HTTP(script)
	require.NoError(t, err)
	return handler
}

// TestHostile: what a session over HTTP makes of servers that go wrong.
func TestHostile(t *testing.T) {
	t.Parallel()
	list := func(script string, o client.Options) ([]client.Tool, error) {
		session := connect(t, serve(t, scripted(t, script)), o)
		return session.Tools(t.Context())
	}
	_, err := list("repeated cursor", client.Options{})
	var page *client.PageError
	require.ErrorAs(t, err, &page)
	require.True(t, page.Repeated)

	tools, err := list("pages", client.Options{})
	require.NoError(t, err)
	require.Len(t, tools, 3)

	tools, err = list("giant schema", client.Options{})
	require.NoError(t, err)
	require.Greater(t, len(tools[0].InputSchema), 20<<20)

	tools, err = list("deep schema", client.Options{})
	require.NoError(t, err)
	require.Equal(t, 20_000, strings.Count(string(tools[0].InputSchema), "{"))
	require.Equal(t, "flat", tools[1].Name)

	tools, err = list("same $id", client.Options{})
	require.NoError(t, err)
	require.Len(t, tools, 2)

	for _, script := range []string{"wrong id", "no id", "error, null id", "neither"} {
		before := time.Now()
		_, err = list(script, client.Options{})
		require.Error(t, err, script)
		require.Less(t, time.Since(before), 20*time.Second, "the answer is there, though it is none: %s", script)
	}

	_, err = list("death", client.Options{Timeout: 20 * time.Second})
	var lost *streamable.UnreachableError
	require.ErrorAs(t, err, &lost)

	for _, script := range []string{"slow", "silent list"} {
		_, err = list(script, client.Options{Timeout: 300 * time.Millisecond})
		var timeout *client.TimeoutError
		require.ErrorAs(t, err, &timeout, script)
	}

	session := connect(t, serve(t, scripted(t, "refuses")), client.Options{})
	_, err = session.CallTool(t.Context(), "b", nil)
	var refused *client.Error
	require.ErrorAs(t, err, &refused)
	require.Equal(t, -32602, refused.Code)
	require.JSONEq(t, `{"have":["a"]}`, string(refused.Data))

	session = connect(t, serve(t, scripted(t, "tool fails")), client.Options{})
	result, err := session.CallTool(t.Context(), "a", json.RawMessage(`{}`))
	require.NoError(t, err, "a tool that fails is no error of the protocol")
	require.True(t, result.IsError)
}

// TestLateReply: the reply to a call that was given up resolves no other.
func TestLateReply(t *testing.T) {
	t.Parallel()
	session := connect(t, serve(t, scripted(t, "late reply")), client.Options{Timeout: 300 * time.Millisecond})
	_, err := session.CallTool(t.Context(), "a", nil)
	var timeout *client.TimeoutError
	require.ErrorAs(t, err, &timeout)
	result, err := session.CallTool(t.Context(), "a", nil)
	require.NoError(t, err)
	require.Equal(t, "in time", result.Text())
}
