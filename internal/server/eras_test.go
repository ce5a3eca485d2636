package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// modernMeta is what a request of protocol version 2026-07-28 has in _meta.
const modernMeta = `{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`

// modern is a request of protocol version 2026-07-28, and the headers that go with it.
func modern(id, method, params string) (message string, header map[string]string) {
	if params != "" {
		params = "," + params
	}
	message = `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":{"_meta":` + modernMeta + params + `}}`
	header = map[string]string{"Mcp-Protocol-Version": "2026-07-28", "Mcp-Session-Id": "", "Mcp-Method": method}
	if method == "tools/call" {
		header["Mcp-Name"] = "echo"
	}
	return message, header
}

func TestNegotiation(t *testing.T) {
	overBoth(t, transport.Options{Info: mcp.Implementation{Version: "1.2.3"}}, func(t *testing.T, c client) {
		for asked, answered := range map[string]string{
			"2024-11-05": "2024-11-05", "2025-03-26": "2025-03-26", "2025-06-18": "2025-06-18", "2025-11-25": "2025-11-25",
			"1999-01-01": "2025-11-25", "2026-07-28": "2025-11-25",
		} {
			var a struct {
				Result struct {
					ProtocolVersion string
					Capabilities    json.RawMessage
					ServerInfo      map[string]any
					Instructions    string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(c.ask(t, strings.Replace(initialize, "2025-11-25", asked, 1))), &a))
			require.Equal(t, answered, a.Result.ProtocolVersion)
			require.JSONEq(t, `{"tools":{},"resources":{"subscribe":true},"prompts":{},"completions":{},"logging":{}}`, string(a.Result.Capabilities))
			require.Equal(t, "echo-mcp", a.Result.ServerInfo["name"])
			require.Equal(t, "1.2.3", a.Result.ServerInfo["version"])
			for _, member := range []string{"title", "description", "websiteUrl"} {
				require.NotEmpty(t, a.Result.ServerInfo[member])
			}
			require.Contains(t, a.Result.Instructions, "list_schemas")
		}
	})
}

// TestModern: the protocol since 2026-07-28 works without a handshake, beside the older.
func TestModern(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		ask := func(id, method, params string) string {
			message, header := modern(id, method, params)
			if h, ok := c.(*httpClient); ok {
				r := h.post(t, message, header)
				require.Empty(t, r.header.Get("Mcp-Session-Id"))
				return strings.TrimSuffix(r.body, "\n")
			}
			return c.ask(t, message)
		}
		discover := ask(`1`, "server/discover", "")
		require.Contains(t, discover, `"supportedVersions":["2026-07-28","2025-11-25"`)
		capabilities := `{"tools":{},"resources":{},"prompts":{},"completions":{},"logging":{}}`
		if _, ok := c.(*httpClient); ok {
			capabilities = `{"tools":{},"resources":{},"prompts":{},"completions":{}}`
		}
		var d struct {
			Result struct{ Capabilities json.RawMessage }
		}
		require.NoError(t, json.Unmarshal([]byte(discover), &d))
		require.JSONEq(t, capabilities, string(d.Result.Capabilities))
		require.Contains(t, ask(`2`, "resources/subscribe", `"uri":"schema://any"`), `-32601`)
		require.Contains(t, ask(`2`, "tools/list", ""), `"resultType":"complete"`)
		require.Contains(t, ask(`3`, "ping", ""), `-32601`)

		for _, payload := range exact {
			text := ask(`"\u0041"`, "tools/call", `"name":"echo","arguments":{"schema_id":"__schemaless__","payload":`+payload+`}`)
			require.True(t, strings.HasPrefix(text, `{"jsonrpc":"2.0","id":"\u0041","result":{"_meta":{`), "%.200s", text)
			require.Contains(t, text, `"structuredContent":{"ok":true,"schema_id":"__schemaless__","payload":`+payload+`}`)
			require.Equal(t, "complete", read(t, text).Result.ResultType)
		}
		text := ask(`5`, "tools/call", `"name":"echo","arguments":{"schema_id":"nope","payload":1}`)
		require.Equal(t, "SCHEMA_NOT_FOUND", string(readFailure(t, text).Code))
		require.Equal(t, "complete", read(t, text).Result.ResultType)

		require.Contains(t, c.ask(t, ping), `"result":{}`, "the older protocol goes on")
	})
}

// TestListen: there is nothing to listen to, so a subscription ends at once; its id is
// repeated as it was received.
func TestListen(t *testing.T) {
	t.Parallel()
	message, header := modern(`9007199254740993`, "subscriptions/listen",
		`"notifications":{"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["schema://any","schema://absent"]}`)
	acknowledged := `{"jsonrpc":"2.0","method":"notifications/subscriptions/acknowledged","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":9007199254740993},"notifications":{}}}`

	s := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
	require.Equal(t, acknowledged, s.ask(t, message))
	answer := s.next(t)
	require.True(t, strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":9007199254740993,"result":`), answer)
	require.Contains(t, answer, `"io.modelcontextprotocol/subscriptionId":9007199254740993}`)

	h := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	r := h.post(t, message, header)
	require.Equal(t, "text/event-stream", r.header.Get("Content-Type"))
	// mcp-go v1.2.1 may lose the acknowledgement when the stream ends at once.
	body := strings.TrimPrefix(r.body, "event: message\ndata: "+acknowledged+"\n\n")
	require.Equal(t, "event: message\ndata: "+answer+"\n\n", body)
}
