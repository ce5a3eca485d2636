package server_test

import (
	"context"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// middlewares are what a later part of the server, or mcp-go, might do wrong.
var middlewares = map[string]mcpserver.ToolHandlerMiddleware{
	"another result": func(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
		return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if _, err := next(ctx, r); err != nil {
				return nil, err
			}
			return mcp.NewToolResultText("secret"), nil
		}
	},
	"a result that is no JSON": func(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
		return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			result, err := next(ctx, r)
			result.StructuredContent = make(chan int)
			return result, err
		}
	},
	"panic": func(mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
		return func(context.Context, mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			panic("secret") //nolint:forbidigo // what is tested
		}
	},
	"run-time panic": func(mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
		return func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			return nil, []error{nil}[len(r.Params.Name)]
		}
	},
}

// TestFaults: whatever goes wrong around the handler, the caller gets an internal error
// under its own id and nothing else, and the server lives.
func TestFaults(t *testing.T) {
	for name, m := range middlewares {
		t.Run(name+", stdio", func(t *testing.T) {
			s := server.New(testRegistry(), transport.Options{}, server.Tools{})
			s.Use(m)
			c := startStdio(t, t.Context(), s)
			require.Equal(t, `{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32603,"message":"internal error"}}`,
				c.ask(t, call(`9007199254740993`, "echo", `{"schema_id":"any","payload":1}`)))
			require.Contains(t, c.ask(t, ping), `"result"`)
		})
		t.Run(name+", http", func(t *testing.T) {
			s := server.New(testRegistry(), transport.Options{}, server.Tools{})
			s.Use(m)
			c := startHTTP(t, s)
			require.Equal(t, `{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32603,"message":"internal error"}}`,
				c.ask(t, call(`9007199254740993`, "echo", `{"schema_id":"any","payload":1}`)))
			require.Contains(t, c.ask(t, ping), `"result"`)
		})
	}
}

// TestFaultsInStream: the same where the answer is an event.
func TestFaultsInStream(t *testing.T) {
	t.Parallel()
	r := newSlow()
	s := server.New(r.Registry, transport.Options{}, server.Tools{})
	s.NotifyInCalls("notifications/test", nil)
	s.Use(middlewares["another result"])
	c := startHTTP(t, s)
	got := make(chan response, 1)
	go func() { got <- c.post(t, echoCall(1, "slow", "1"), nil) }()
	<-r.entered
	close(r.release)
	events := readEvents(t, (<-got).body)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"internal error"}}`, events[len(events)-1])
}

// TestNotificationThatIsNoJSON: one that can't be encoded is left out.
func TestNotificationThatIsNoJSON(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{}, server.Tools{})
	c := startStdio(t, t.Context(), s)
	c.ask(t, initialize)
	s.Notify("notifications/test", map[string]any{"x": make(chan int)})
	require.Contains(t, c.ask(t, ping), `"id":"ping"`)
}
