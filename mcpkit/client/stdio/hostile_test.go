package stdio_test

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/fakeserver"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
)

// connect is a session with a scripted server, which keeps what OnStray got.
func connect(t *testing.T, script string, o client.Options) (*client.Session, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var strays []string
	o.OnStray = func(err error) {
		mu.Lock()
		defer mu.Unlock()
		strays = append(strays, err.Error())
	}
	session, err := client.Connect(t.Context(), stdio.New(fakeserver.Command(script), stdio.Options{}), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	return session, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return append([]string(nil), strays...)
	}
}

const short = 300 * time.Millisecond

// TestHostile: what a session makes of a program that goes wrong.
func TestHostile(t *testing.T) {
	t.Parallel()
	list := func(script string, o client.Options) ([]client.Tool, error) {
		session, _ := connect(t, script, o)
		return session.Tools(t.Context())
	}
	for script, want := range map[string]int{"decent": 1, "pages": 3, "noise": 1, "stderr": 1, "giant schema": 1, "same $id": 2, "notifications": 1} {
		tools, err := list(script, client.Options{})
		require.NoError(t, err, script)
		require.Len(t, tools, want, script)
	}
	tools, err := list("deep schema", client.Options{})
	require.NoError(t, err)
	require.Equal(t, 20_000, strings.Count(string(tools[0].InputSchema), "{"))

	var page *client.PageError
	_, err = list("repeated cursor", client.Options{})
	require.ErrorAs(t, err, &page)
	require.True(t, page.Repeated)
	_, err = list("endless pages", client.Options{MaxPages: 50})
	require.ErrorAs(t, err, &page)
	require.False(t, page.Repeated)

	var exit *stdio.ExitError
	_, err = list("death", client.Options{})
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 3, exit.Status)
	require.Equal(t, "out of luck", exit.Stderr)

	for _, script := range []string{"slow", "silent list"} {
		var timeout *client.TimeoutError
		_, err = list(script, client.Options{Timeout: short})
		require.ErrorAs(t, err, &timeout, script)
	}
}

// TestDeathResolvesAllCalls: those that wait when the server ends are told at once, with its status.
func TestDeathResolvesAllCalls(t *testing.T) {
	t.Parallel()
	session, _ := connect(t, `{"x": {}, "tools/call": {"stderr": "out of luck\n", "exit": 3}}`, client.Options{Timeout: -1})
	const calls = 20
	failed := make(chan error, calls)
	for range calls {
		go func() {
			_, err := session.Request(t.Context(), "x", nil)
			failed <- err
		}()
	}
	_, err := session.CallTool(t.Context(), "a", nil)
	var exit *stdio.ExitError
	require.ErrorAs(t, err, &exit)
	for range calls {
		require.ErrorAs(t, await(t, failed), &exit)
		require.Equal(t, 3, exit.Status)
	}
}

// TestReplies: a reply that belongs to nothing resolves no call, and is told of.
func TestReplies(t *testing.T) {
	t.Parallel()
	for script, reason := range map[string]string{
		"wrong id": `"id":99`, "no id": `"result":{"tools":[]}`,
	} {
		session, strays := connect(t, script, client.Options{Timeout: short})
		_, err := session.Tools(t.Context())
		var timeout *client.TimeoutError
		require.ErrorAs(t, err, &timeout, script)
		require.Len(t, strays(), 1, script)
		require.Contains(t, strings.ReplaceAll(strays()[0], `\"`, `"`), reason)
		require.Equal(t, strays()[0], timeout.Stray.Error(), "the reason why nothing came")
	}
	var rejected *client.Error
	session, _ := connect(t, "error, null id", client.Options{})
	_, err := session.Tools(t.Context())
	require.ErrorAs(t, err, &rejected, "no other request can be meant")
	require.Equal(t, -32700, rejected.Code)

	var protocol *client.ProtocolError
	session, _ = connect(t, "neither", client.Options{})
	_, err = session.Tools(t.Context())
	require.ErrorAs(t, err, &protocol)

	session, strays := connect(t, "late reply", client.Options{})
	ctx, cancel := context.WithTimeout(t.Context(), short)
	defer cancel()
	_, err = session.CallTool(ctx, "a", nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
	result, err := session.CallTool(t.Context(), "a", nil)
	require.NoError(t, err)
	require.Equal(t, "in time", result.Text(), "the late reply came before it")
	require.Len(t, strays(), 1)
	require.Contains(t, strays()[0], "late")
}

// TestHandshake: what a server is sent, in this order; a notification is not waited for; what the
// server asks is answered.
func TestHandshake(t *testing.T) {
	t.Parallel()
	log := filepath.Join(t.TempDir(), "log")
	transport := stdio.New(fakeserver.Command("asks"), stdio.Options{Env: append(os.Environ(), "FAKE_LOG="+log)})
	session, err := client.Connect(t.Context(), transport, client.Options{Name: "me", Version: "7"})
	require.NoError(t, err)
	_, err = session.Tools(t.Context())
	require.NoError(t, err)
	var text []byte
	require.Eventually(t, func() bool {
		text, err = os.ReadFile(log)
		return err == nil && strings.Count(string(text), "\n") == 5
	}, long, 5*time.Millisecond, "two answers are on their way")
	require.NoError(t, session.Close())
	var methods []string
	answers := map[string]bool{}
	for line := range strings.Lines(string(text)) {
		var m struct {
			ID     json.RawMessage
			Method string
			Result json.RawMessage
			Error  *struct{ Code int }
		}
		require.NoError(t, json.Unmarshal([]byte(line), &m))
		switch {
		case m.Method != "":
			methods = append(methods, m.Method+" "+string(m.ID))
		case m.Error != nil:
			require.Equal(t, -32601, m.Error.Code)
			answers[string(m.ID)] = false
		default:
			answers[string(m.ID)] = true
		}
	}
	require.Equal(t, []string{"initialize 1", "notifications/initialized ", "tools/list 2"}, methods)
	require.Equal(t, map[string]bool{`"s1"`: true, `"s2"`: false}, answers, "ping is answered, sampling is refused")
}
