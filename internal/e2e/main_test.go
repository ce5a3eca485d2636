package e2e_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/e2e"
	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// binary is the server as it ships, built by TestMain.
var binary string

func TestMain(m *testing.M) {
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "echo-mcp-e2e-")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		binary = filepath.Join(dir, "echo-mcp")
		if err := e2e.Build(context.Background(), "../..", "", binary); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		return m.Run()
	}())
}

// everyWay runs a test on a connection of each kind and each era of the protocol.
func everyWay(t *testing.T, server string, args []string, f func(t *testing.T, conn rawclient.Conn)) {
	for _, era := range []rawclient.Era{rawclient.Handshake, rawclient.Stateless} {
		t.Run("stdio "+string(era), func(t *testing.T) {
			conn, err := rawclient.StartStdio(t.Context(), era, server, append([]string{"serve"}, args...)...)
			require.NoError(t, err)
			f(t, conn)
			require.Empty(t, conn.Extra(), "messages that answer nothing")
			require.NoError(t, conn.Close())
		})
		t.Run("http "+string(era), func(t *testing.T) {
			s, err := rawclient.StartHTTP(t.Context(), server, args...)
			require.NoError(t, err)
			conn, err := rawclient.DialHTTP(t.Context(), era, s.URL)
			require.NoError(t, err)
			f(t, conn)
			require.NoError(t, conn.Close())
			require.NoError(t, s.Stop())
		})
	}
}
