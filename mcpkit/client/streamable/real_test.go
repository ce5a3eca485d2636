package streamable_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"os"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

// TestMain also finds what a transport leaves running when it is closed.
func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m, goleak.Cleanup(func(status int) { os.Exit(status) }))
}

// connect is a session with the server at a URL, until the end of the test.
func connect(t *testing.T, url string, o client.Options) *client.Session {
	t.Helper()
	session, err := client.Connect(t.Context(), open(t, url, nil), o)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	return session
}

func open(t *testing.T, url string, header http.Header) *streamable.Transport {
	t.Helper()
	transport, err := streamable.New(url, streamable.Options{Header: header})
	require.NoError(t, err)
	return transport
}

// serve serves until the end of the test.
func serve(t *testing.T, handler http.Handler) string {
	t.Helper()
	s := httptest.NewServer(handler)
	t.Cleanup(func() {
		s.CloseClientConnections()
		s.Close()
	})
	return s.URL
}

// TestOtherServers: the servers of mcp-go and of the official SDK, with sessions and without, that
// answer with JSON and with events, in each version that they speak.
func TestOtherServers(t *testing.T) {
	t.Parallel()
	theirs := mcpgoserver.NewMCPServer("mcp-go", "1", mcpgoserver.WithToolCapabilities(true))
	theirs.AddTool(mcpgo.NewTool("greet", mcpgo.WithString("name")), func(ctx context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
		return mcpgo.NewToolResultText("Hello " + r.GetString("name", "")), nil
	})
	official := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
	type in struct {
		Name string `json:"name"`
	}
	mcp.AddTool(official, &mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello " + in.Name}}}, nil, nil
	})
	sdk := func(o *mcp.StreamableHTTPOptions) http.Handler {
		return mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return official }, o)
	}
	older := map[string]bool{"go-sdk": true, "go-sdk, JSON": true, "go-sdk, with events": true} // with sessions it speaks no newer version
	for name, handler := range map[string]http.Handler{
		"mcp-go":              mcpgoserver.NewStreamableHTTPServer(theirs),
		"mcp-go, stateless":   mcpgoserver.NewStreamableHTTPServer(theirs, mcpgoserver.WithStateLess(true)),
		"go-sdk":              sdk(nil),
		"go-sdk, JSON":        sdk(&mcp.StreamableHTTPOptions{JSONResponse: true}),
		"go-sdk, stateless":   sdk(&mcp.StreamableHTTPOptions{Stateless: true}),
		"go-sdk, with events": sdk(&mcp.StreamableHTTPOptions{EventStore: mcp.NewMemoryEventStore(nil)}),
	} {
		url := serve(t, handler)
		for _, version := range append(client.Versions(), "") {
			session, err := client.Connect(t.Context(), open(t, url, nil), client.Options{Protocol: version})
			if version == "2026-07-28" && older[name] {
				var none *client.VersionError
				require.ErrorAs(t, err, &none, name)
				continue
			}
			require.NoError(t, err, "%s %s", name, version)
			tools, err := session.Tools(t.Context())
			require.NoError(t, err, name)
			require.Len(t, tools, 1, name)
			result, err := session.CallTool(t.Context(), "greet", []byte(`{"name":"Ada"}`))
			require.NoError(t, err, name)
			require.Equal(t, "Hello Ada", result.Text(), name)
			require.NoError(t, session.Close())
		}
	}
}
