//go:build !race

package server_test

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// serveVariable makes the test binary a server on stdio.
const serveVariable = "ECHO_MCP_TEST_SERVE"

// TestMemory: one echo of 10 MB takes less than 80 MB, all of the process counted, whether
// the payload is validated or not.
func TestMemory(t *testing.T) {
	if os.Getenv(serveVariable) != "" {
		err := server.New(testRegistry(), transport.Options{}, server.Tools{}).ServeStdio(t.Context(), os.Stdin, os.Stdout)
		if err != nil {
			t.Error(err)
		}
		return
	}
	for _, schema := range []string{echo.Schemaless, "any"} {
		t.Run(schema, func(t *testing.T) {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run", "^TestMemory$")
			cmd.Env = append(os.Environ(), serveVariable+"=1")
			in, err := cmd.StdinPipe()
			require.NoError(t, err)
			out, err := cmd.StdoutPipe()
			require.NoError(t, err)
			require.NoError(t, cmd.Start())
			message := echoCall(1, schema, payloadOf(10<<20)) + "\n"
			go func() { _, _ = in.Write([]byte(message)) }()
			answer, err := bufio.NewReader(out).ReadString('\n')
			require.NoError(t, err)
			require.Greater(t, len(answer), 2*len(message)-1000)
			status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid))
			require.NoError(t, err)
			require.NoError(t, in.Close())
			_, _ = io.Copy(io.Discard, out)
			require.NoError(t, cmd.Wait())
			peak := 0
			for line := range strings.Lines(string(status)) {
				if n, err := fmt.Sscanf(line, "VmHWM: %d kB", &peak); n == 1 && err == nil {
					break
				}
			}
			t.Logf("peak %d kB", peak)
			require.Positive(t, peak)
			require.Less(t, peak, 80_000)
		})
	}
}
