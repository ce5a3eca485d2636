//go:build unix

package stdio_test

import (
	"encoding/json"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/fakeserver"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
)

// pid is the process that a message names.
func pid(t *testing.T, message string) int {
	t.Helper()
	var m struct{ PID int }
	require.NoError(t, json.Unmarshal([]byte(message), &m))
	require.NotZero(t, m.PID, message)
	return m.PID
}

// gone waits until a process has ended. A zombie has not: it would still have its number.
func gone(t *testing.T, pid int) {
	t.Helper()
	require.Eventually(t, func() bool { return syscall.Kill(pid, 0) == syscall.ESRCH }, long, 5*time.Millisecond)
}

// TestCloseEndsAll: Close first asks, then insists, and leaves no process behind.
func TestCloseEndsAll(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		command     []string
		news        int
		least, most time.Duration
	}{
		{fakeserver.Command("decent"), 0, 0, 2 * time.Second},
		{fakeserver.Command("stays"), 0, 2 * time.Second, long}, // SIGTERM ends it
		{[]string{os.Args[0], "helper", "ignores SIGTERM"}, 1, 4 * time.Second, long},
		{[]string{os.Args[0], "helper", "has a child"}, 2, 2 * time.Second, long},
	} {
		transport, h := open(t, c.command, stdio.Options{}, large)
		for range c.news {
			await(t, h.any)
		}
		before := time.Now()
		require.NoError(t, transport.Close())
		took := time.Since(before)
		require.GreaterOrEqual(t, took, c.least, c.command)
		require.Less(t, took, c.most, c.command)
		for _, message := range h.messages {
			gone(t, pid(t, message))
		}
	}
}

// TestDeathWithAChild: who started the server is told that it has ended, though another process
// holds its standard output; and that one ends too.
func TestDeathWithAChild(t *testing.T) {
	t.Parallel()
	_, h := open(t, []string{os.Args[0], "helper", "has a child", "and ends"}, stdio.Options{}, large)
	var exit *stdio.ExitError
	require.ErrorAs(t, await(t, h.lost), &exit)
	require.Equal(t, 7, exit.Status)
	require.NotEmpty(t, h.messages)
	gone(t, pid(t, h.messages[0]))
}

func TestKilled(t *testing.T) {
	t.Parallel()
	_, h := open(t, []string{os.Args[0], "helper", "ignores SIGTERM"}, stdio.Options{}, large)
	await(t, h.any)
	require.NoError(t, syscall.Kill(pid(t, h.messages[0]), syscall.SIGKILL))
	var exit *stdio.ExitError
	require.ErrorAs(t, await(t, h.lost), &exit)
	require.Equal(t, -1, exit.Status)
	require.Equal(t, "killed", exit.Signal)
	require.Contains(t, exit.Error(), "was ended by a signal (killed)")
}
