package e2e_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// TestEndOfInput: every request that was read is answered before the server ends, also the
// last line, which has no line feed.
func TestEndOfInput(t *testing.T) {
	const calls = 300
	lines := []string{
		`{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		``,
	}
	for i := range calls {
		lines = append(lines, string(rawclient.Echo(strconv.Itoa(i+1), "__schemaless__", []byte(strconv.Itoa(i)+`.0`))))
	}
	for _, args := range [][]string{nil, {"serve"}} { // alone, the program serves on stdio
		cmd := exec.CommandContext(t.Context(), binary, args...)
		cmd.Stdin = strings.NewReader(strings.Join(lines, "\n"))
		out, err := cmd.Output()
		require.NoError(t, err)
		answers := bytes.Split(bytes.TrimSpace(out), []byte{'\n'})
		require.Len(t, answers, calls+1)
		require.True(t, bytes.Contains(answers[0], []byte(`"serverInfo"`)), "nothing overtakes initialize")
		for i := range calls {
			require.Contains(t, string(out), `"payload":`+strconv.Itoa(i)+`.0}`)
		}
	}
}

// TestSignals: a signal ends the server well, on stdio also while it waits for input.
func TestSignals(t *testing.T) {
	for _, signal := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
		t.Run("stdio "+signal.String(), func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), binary, "serve")
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			_, err = in.Write(append(rawclient.Handshake.Request("1", "ping", nil), '\n'))
			require.NoError(t, err)
			_, err = out.Read(make([]byte, 1000)) // it is up
			require.NoError(t, err)
			require.NoError(t, cmd.Process.Signal(signal))
			require.NoError(t, waitAtMost(cmd, 10*time.Second))
		})
		t.Run("http "+signal.String(), func(t *testing.T) {
			s, err := rawclient.StartHTTP(t.Context(), binary)
			require.NoError(t, err)
			require.NoError(t, s.Stop())
		})
	}
}

// TestNobodyReads: without a reader of its answers the server ends and says why; without a
// reader of its log it goes on.
func TestNobodyReads(t *testing.T) {
	start := func(t *testing.T) (cmd *exec.Cmd, in io.WriteCloser, out, log io.ReadCloser) {
		cmd = exec.CommandContext(t.Context(), binary, "serve", "--log-level", "debug")
		var err error
		in, err = cmd.StdinPipe()
		require.NoError(t, err)
		out, err = cmd.StdoutPipe()
		require.NoError(t, err)
		log, err = cmd.StderrPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		return cmd, in, out, log
	}
	call := append(rawclient.Echo("1", "__schemaless__", []byte(`1.0`)), '\n')
	t.Run("answers", func(t *testing.T) {
		cmd, in, out, log := start(t)
		require.NoError(t, out.Close())
		_, err := in.Write(call)
		require.NoError(t, err)
		said, err := io.ReadAll(log)
		require.NoError(t, err)
		require.Contains(t, string(said), "echo-mcp: writing answers: ")
		var exit *exec.ExitError
		require.ErrorAs(t, waitAtMost(cmd, 10*time.Second), &exit)
		require.Equal(t, 1, exit.ExitCode())
	})
	t.Run("log", func(t *testing.T) {
		cmd, in, out, log := start(t)
		require.NoError(t, log.Close())
		_, err := in.Write(call) // logs it, too
		require.NoError(t, err)
		require.NoError(t, in.Close())
		answer, err := io.ReadAll(out)
		require.NoError(t, err)
		require.NoError(t, rawclient.CheckEcho(bytes.TrimSpace(answer), "__schemaless__", []byte(`1.0`)))
		require.NoError(t, waitAtMost(cmd, 10*time.Second))
	})
}

func waitAtMost(cmd *exec.Cmd, d time.Duration) error {
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	select {
	case err := <-ended:
		return err
	case <-time.After(d):
		return errors.Join(context.DeadlineExceeded, cmd.Process.Kill(), <-ended)
	}
}

// TestForeignPagesAreRefused: requests of other web pages, or for other hosts, get 403,
// unless they are allowed.
func TestForeignPagesAreRefused(t *testing.T) {
	s, err := rawclient.StartHTTP(t.Context(), binary, "--allowed-origin", "https://app.example", "--allowed-host", "mcp.example")
	require.NoError(t, err)
	conn, err := rawclient.DialHTTP(t.Context(), rawclient.Handshake, s.URL)
	require.NoError(t, err)
	for _, c := range []struct {
		header, value string
		status        int
	}{
		{"Origin", "https://attacker.example", http.StatusForbidden},
		{"Origin", "null", http.StatusForbidden},
		{"Origin", "https://app.example", http.StatusOK},
		{"Host", "attacker.example", http.StatusForbidden},
		{"Host", "mcp.example", http.StatusOK},
	} {
		r, err := conn.Post(t.Context(), conn.Era().Echo("1", "__schemaless__", []byte(`1`)), map[string]string{c.header: c.value})
		require.NoError(t, err)
		require.Equal(t, c.status, r.Status, "%s: %s", c.header, c.value)
	}
	require.NoError(t, s.Stop())
}

// TestLimits: who sends too much or too deep is told so, and the server lives.
func TestLimits(t *testing.T) {
	everyWay(t, binary, []string{"--max-message-bytes", "10000", "--max-depth", "100"}, func(t *testing.T, conn rawclient.Conn) {
		deep := []byte(strings.Repeat("[", 200) + strings.Repeat("]", 200))
		answer, err := conn.Ask(t.Context(), "1", conn.Era().Echo("1", "__schemaless__", deep))
		require.NoError(t, err)
		require.Contains(t, string(answer), `"code":"INVALID_REQUEST"`)
		require.Contains(t, string(answer), "the limit of this server")

		require.NoError(t, rawclient.CallEcho(t.Context(), conn, "2", "__schemaless__", []byte(`1`)))

		long := []byte(`"` + strings.Repeat("x", 20_000) + `"`)
		answer, err = conn.Ask(t.Context(), "3", conn.Era().Echo("3", "__schemaless__", long))
		require.NoError(t, err)
		require.Contains(t, string(answer), "10000 bytes")
		require.NoError(t, rawclient.CallEcho(t.Context(), conn, "4", "__schemaless__", []byte(`1`)))
	})
}
