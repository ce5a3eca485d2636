package server

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Notify sends a notification to every client that is connected, as later parts of the
// server may do.
func (s *Server) Notify(method string, params map[string]any) {
	s.MCP().SendNotificationToAllClients(method, params)
}

// NotifyInCalls makes every call of a tool begin with a notification to its client.
func (s *Server) NotifyInCalls(method string, params map[string]any) {
	s.Use(func(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
		return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if err := s.MCP().SendNotificationToClient(ctx, method, params); err != nil {
				return nil, err
			}
			return next(ctx, r)
		}
	})
}

// Use puts a middleware of mcp-go around the tools.
func (s *Server) Use(m mcpserver.ToolHandlerMiddleware) { s.MCP().Use(m) }
