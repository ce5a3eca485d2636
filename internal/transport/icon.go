package transport

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// iconHooks tells the icons where a client asks who the server is: in initialize and, since
// 2026-07-28, server/discover (2025-11-25, basic, icons). The other answers of 2026-07-28 name
// the server too, each of them: there an icon would be larger than most answers.
func (s *Server) iconHooks(hooks *mcpserver.Hooks) {
	hooks.AddAfterInitialize(func(_ context.Context, _ any, _ *mcp.InitializeRequest, r *mcp.InitializeResult) {
		r.ServerInfo.Icons = s.options.Info.Icons
	})
	hooks.AddAfterDiscover(func(_ context.Context, _ any, _ *mcp.DiscoverRequest, r *mcp.DiscoverResult) {
		r.EnsureResultMeta().SetServerInfo(s.options.Info)
	})
}
