//go:build unix

package lint_test

import (
	"net"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/lint"
)

// TestNoOrphans: what a server has started ends with it, though it would run on.
func TestNoOrphans(t *testing.T) {
	t.Parallel()
	_, err := overStdio(t, "child", 3*time.Second)
	var unreachable *lint.UnreachableError
	require.ErrorAs(t, err, &unreachable)
	_, address, found := strings.Cut(unreachable.Stderr, "child at ")
	require.True(t, found, unreachable.Stderr)
	require.Eventually(t, func() bool {
		connection, err := net.Dial("tcp", strings.TrimSpace(address)) //nolint:noctx // on this machine
		if err == nil {
			_ = connection.Close()
		}
		return err != nil
	}, 30*time.Second, 10*time.Millisecond)
}
