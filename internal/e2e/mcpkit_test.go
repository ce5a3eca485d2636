package e2e_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
	mcpkit "github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

// TestMcpkitClient: our own client and our own server give payloads back byte for byte, over each
// transport, in each version of the protocol.
func TestMcpkitClient(t *testing.T) {
	s, err := rawclient.StartHTTP(t.Context(), binary)
	require.NoError(t, err)
	for _, version := range append(mcpkit.Versions(), "") {
		over, err := streamable.New(s.URL, streamable.Options{})
		require.NoError(t, err)
		for name, transport := range map[string]mcpkit.Transport{"stdio": stdio.New([]string{binary}, stdio.Options{}), "http": over} {
			t.Run(name+" "+version, func(t *testing.T) {
				session, err := mcpkit.Connect(t.Context(), transport, mcpkit.Options{Protocol: version})
				require.NoError(t, err)
				tools, err := session.Tools(t.Context())
				require.NoError(t, err)
				require.Len(t, tools, 3)
				for _, payload := range []string{`{"a": [ "<\u00e9>", 1E400, -0.0 ] }`, `"` + strings.Repeat("x", 1_000_000) + `"`} {
					result, err := session.CallTool(t.Context(), "echo", json.RawMessage(`{"schema_id":"__schemaless__","payload":`+payload+`}`))
					require.NoError(t, err)
					require.Equal(t, `{"ok":true,"schema_id":"__schemaless__","payload":`+payload+`}`, result.Text())
				}
				_, err = session.CallTool(t.Context(), "no-such-tool", nil)
				var refused *mcpkit.Error
				require.ErrorAs(t, err, &refused)
				require.NoError(t, session.Close())
			})
		}
	}
	require.NoError(t, s.Stop())
}
