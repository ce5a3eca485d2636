package stdio_test

import (
	"context"
	"os"
	"testing"

	mcpgo "github.com/mark3labs/mcp-go/mcp"
	mcpgoserver "github.com/mark3labs/mcp-go/server"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
)

// others are servers over stdio of other makers, each with the tool greet.
var others = map[string]func() error{
	"mcp-go": func() error {
		s := mcpgoserver.NewMCPServer("mcp-go", "1", mcpgoserver.WithToolCapabilities(true))
		s.AddTool(mcpgo.NewTool("greet", mcpgo.WithString("name")), func(_ context.Context, r mcpgo.CallToolRequest) (*mcpgo.CallToolResult, error) {
			return mcpgo.NewToolResultText("Hello " + r.GetString("name", "")), nil
		})
		return mcpgoserver.ServeStdio(s)
	},
	"go-sdk": func() error {
		type in struct {
			Name string `json:"name"`
		}
		s := mcp.NewServer(&mcp.Implementation{Name: "go-sdk", Version: "1"}, nil)
		mcp.AddTool(s, &mcp.Tool{Name: "greet"}, func(_ context.Context, _ *mcp.CallToolRequest, in in) (*mcp.CallToolResult, any, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "Hello " + in.Name}}}, nil, nil
		})
		return s.Run(context.Background(), &mcp.StdioTransport{})
	},
}

// TestOtherServers: the servers of mcp-go and of the official SDK, in each version that they speak.
func TestOtherServers(t *testing.T) {
	t.Parallel()
	for name := range others {
		for _, version := range append(client.Versions(), "") {
			session, err := client.Connect(t.Context(), stdio.New([]string{os.Args[0], "helper", name}, stdio.Options{}), client.Options{Protocol: version})
			require.NoError(t, err, "%s %s", name, version)
			tools, err := session.Tools(t.Context())
			require.NoError(t, err)
			require.Len(t, tools, 1)
			result, err := session.CallTool(t.Context(), "greet", []byte(`{"name":"Ada"}`))
			require.NoError(t, err)
			require.Equal(t, "Hello Ada", result.Text())
			require.NoError(t, session.Close())
		}
	}
}
