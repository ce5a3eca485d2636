//go:build unix

package e2e_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// fullPipe is a pipe into which nothing more fits, and its reader.
func fullPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() { _, _ = r.Close(), w.Close() })
	// Without a time limit a write to a full pipe would not return.
	for piece := 4096; piece > 0; {
		require.NoError(t, w.SetWriteDeadline(time.Now().Add(50*time.Millisecond)))
		if _, err := w.Write(bytes.Repeat([]byte{'\n'}, piece)); err != nil {
			require.ErrorIs(t, err, os.ErrDeadlineExceeded)
			piece /= 64
		}
	}
	require.NoError(t, syscall.SetNonblock(int(w.Fd()), false)) // as the program will find it
	return r, w
}

// TestFullLog: a standard error that nobody reads, and that is full, keeps no request from
// being answered and no signal from ending the server.
func TestFullLog(t *testing.T) {
	const refused = 5000
	t.Run("stdio", func(t *testing.T) {
		log, full := fullPipe(t)
		cmd := exec.CommandContext(t.Context(), binary, "serve", "--log-level", "debug")
		cmd.Stderr = full
		in, err := cmd.StdinPipe()
		require.NoError(t, err)
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		go func() {
			_, _ = io.WriteString(in, strings.Repeat(`{"id":1}`+"\n", refused))
			_, _ = in.Write(append(rawclient.Echo("2", "__schemaless__", []byte(`1.0`)), '\n'))
		}()
		answers := bufio.NewReader(out)
		echoed := 0
		for range refused + 1 {
			line, err := answers.ReadBytes('\n')
			require.NoError(t, err)
			if bytes.Contains(line, []byte(`"payload":1.0`)) {
				echoed++
			}
		}
		require.Equal(t, 1, echoed)

		for lines := bufio.NewReader(log); ; { // who reads it after all finds what was kept
			line, err := lines.ReadString('\n')
			require.NoError(t, err)
			if strings.Contains(line, "message refused") {
				break
			}
		}
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM)) // its input is still open
		require.NoError(t, waitAtMost(cmd, 30*time.Second))
	})
	t.Run("http", func(t *testing.T) {
		_, full := fullPipe(t)
		cmd, url := startHTTP(t, full, "--log-level", "debug", "--stateless")
		conn, err := rawclient.DialHTTP(t.Context(), rawclient.Stateless, url)
		require.NoError(t, err)
		for range refused {
			r, err := conn.Post(t.Context(), []byte(`{"id":1}`), nil)
			require.NoError(t, err)
			require.Equal(t, http.StatusBadRequest, r.Status)
		}
		require.NoError(t, rawclient.CallEcho(t.Context(), conn, "2", "__schemaless__", []byte(`1.0`)))
		require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
		require.NoError(t, waitAtMost(cmd, 30*time.Second))
	})
}

// TestSignalAtTheEnd: a client that closes the server's input and then sends SIGTERM, as
// bridges do, finds that it ended well, however late the signal comes.
func TestSignalAtTheEnd(t *testing.T) {
	_, full := fullPipe(t) // the server waits a second for who reads its log
	cmd := exec.CommandContext(t.Context(), binary, "serve", "--log-level", "debug")
	cmd.Stdin, cmd.Stderr = strings.NewReader(`{"id":1}`), full
	require.NoError(t, cmd.Start())
	time.Sleep(500 * time.Millisecond)
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	require.NoError(t, waitAtMost(cmd, 30*time.Second))
}

// startHTTP starts a server over HTTP that has this standard error, and waits until it can
// be reached.
func startHTTP(t *testing.T, stderr *os.File, args ...string) (cmd *exec.Cmd, url string) {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local port
	require.NoError(t, err)
	addr := listener.Addr().String()
	require.NoError(t, listener.Close())
	cmd = exec.CommandContext(t.Context(), binary, append([]string{"serve", "--http", addr}, args...)...)
	cmd.Stderr, cmd.Env = stderr, withoutLimit()
	require.NoError(t, cmd.Start())
	require.Eventually(t, func() bool {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		return err == nil && conn.Close() == nil
	}, time.Minute, 10*time.Millisecond)
	return cmd, "http://" + addr + "/mcp"
}

// withoutLimit is the environment without a limit of memory for Go.
func withoutLimit() (env []string) {
	for _, variable := range os.Environ() {
		if !strings.HasPrefix(variable, "GOMEMLIMIT=") {
			env = append(env, variable)
		}
	}
	return env
}

// TestNothingIsRead: where a client reads neither answers nor log and goes on sending, a
// signal still ends the server, after the time to drain.
func TestNothingIsRead(t *testing.T) {
	_, full := fullPipe(t)
	_, answers := fullPipe(t)
	cmd := exec.CommandContext(t.Context(), binary, "serve", "--drain-timeout", "100ms")
	cmd.Stderr, cmd.Stdout = full, answers
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	taken := make(chan struct{})
	go func() {
		for i := 0; ; i++ {
			if i == 2000 { // more than a pipe holds: the server reads
				close(taken)
			}
			if _, err := io.WriteString(in, `{"id":1}`+"\n"+`{"jsonrpc":"2.0","id":2,"method":"ping"}`+"\n"); err != nil {
				return
			}
		}
	}()
	<-taken
	require.NoError(t, cmd.Process.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	err = waitAtMost(cmd, 30*time.Second)
	require.True(t, errors.As(err, &exit), "%v", err)
	require.Equal(t, 1, exit.ExitCode(), "it says that requests are unanswered")
}
