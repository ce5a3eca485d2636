package server

import (
	"context"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// Notify sends a notification to every client that is connected, as later parts of the
// server may do.
func (s *Server) Notify(method string, params map[string]any) {
	s.mcp.SendNotificationToAllClients(method, params)
}

// NotifyInCalls makes every call of a tool begin with a notification to its client.
func (s *Server) NotifyInCalls(method string, params map[string]any) {
	s.mcp.Use(func(next mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
		return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			if err := s.mcp.SendNotificationToClient(ctx, method, params); err != nil {
				return nil, err
			}
			return next(ctx, r)
		}
	})
}

// Use puts a middleware of mcp-go around the tools.
func (s *Server) Use(m mcpserver.ToolHandlerMiddleware) { s.mcp.Use(m) }

// MaxRecent is how many sessions are remembered as ended, and by their log levels.
const MaxRecent = maxRecent

// NewSessionIDs gives session ids, as mcp-go asks for them in a request and outside.
func NewSessionIDs() (inRequest, outside mcpserver.SessionIdManager) {
	s := &sessionIDs{}
	return s.ResolveSessionIdManager(&http.Request{}), s.ResolveSessionIdManager(nil)
}

// KeepAliveEvery makes the time between two comments on a stream another one.
func (s *Server) KeepAliveEvery(interval time.Duration) { s.http().sessionStreams.interval = interval }

// KeepAliveInterval is the time between two comments on a stream.
const KeepAliveInterval = keepAliveInterval

// OpenStreams is how many streams are open.
func (s *Server) OpenStreams() int { return s.http().sessionStreams.open() }
