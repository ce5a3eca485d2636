package server_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/web"
)

// TestIcon: who asks who the server is gets its icon, in both eras. Other answers, which have
// to be small, don't have it.
func TestIcon(t *testing.T) {
	overBoth(t, transport.Options{Info: mcp.Implementation{Version: "1.2.3"}}, func(t *testing.T, c client) {
		ask := func(method, params string) string {
			message, header := modern(`1`, method, params)
			if h, ok := c.(*httpClient); ok {
				return h.post(t, message, header).body
			}
			return c.ask(t, message)
		}
		var a struct {
			Result struct {
				ServerInfo json.RawMessage
				Meta       map[string]json.RawMessage `json:"_meta"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(c.ask(t, initialize)), &a))
		requireIcon(t, a.Result.ServerInfo)
		require.NoError(t, json.Unmarshal([]byte(ask("server/discover", "")), &a))
		requireIcon(t, a.Result.Meta["io.modelcontextprotocol/serverInfo"])
		require.NotContains(t, ask("tools/list", ""), `"icons"`)
		require.NotContains(t, ask("tools/call", `"name":"echo","arguments":{"schema_id":"any","payload":1}`), `"icons"`)
	})
}

func requireIcon(t *testing.T, serverInfo json.RawMessage) {
	t.Helper()
	var info struct {
		Name, Version, Title, WebsiteURL string
		Icons                            []struct {
			Src, MIMEType string
			Sizes         []string
		}
	}
	require.NoError(t, json.Unmarshal(serverInfo, &info), string(serverInfo))
	require.Equal(t, "echo-mcp", info.Name)
	require.Equal(t, "1.2.3", info.Version)
	require.NotEmpty(t, info.Title)
	require.NotEmpty(t, info.WebsiteURL)
	require.Len(t, info.Icons, 1)
	require.Equal(t, "image/svg+xml", info.Icons[0].MIMEType)
	require.Equal(t, []string{"any"}, info.Icons[0].Sizes)
	data, isData := strings.CutPrefix(info.Icons[0].Src, "data:image/svg+xml;base64,")
	require.True(t, isData)
	picture, err := base64.StdEncoding.DecodeString(data)
	require.NoError(t, err)
	require.Equal(t, web.Icon(), string(picture))
}
