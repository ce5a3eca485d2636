package protocol_test

import (
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/protocol"
)

// TestM54Versions: the versions of both sides are those that mcp-go negotiates for the servers.
func TestM54Versions(t *testing.T) {
	t.Parallel()
	require.Equal(t, mcp.ValidProtocolVersions, protocol.Versions(), "mcp-go has other versions: see what changed, then take them over here")
	require.Equal(t, mcp.LATEST_LEGACY_PROTOCOL_VERSION, protocol.InputErrors)
	require.True(t, mcp.IsModernProtocol(protocol.Stateless))
}
