package server

import (
	"context"
	"encoding/base64"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/web"
)

// implementation is who the server says it is.
func (s *Server) implementation() mcp.Implementation {
	return mcp.Implementation{
		Name:        "echo-mcp",
		Version:     s.options.Version,
		Title:       "Echo MCP",
		Description: "Validates a structured message against a schema and returns it unchanged, byte for byte.",
		WebsiteURL:  "https://github.com/zenlix/echo-mcp",
	}
}

// iconHooks tells the icon, which is that of the page, where a client asks who the server is: in initialize and, since
// 2026-07-28, server/discover (2025-11-25, basic, icons). The other answers of 2026-07-28 name
// the server too, each of them: there the icon would be larger than most answers.
func (s *Server) iconHooks(hooks *mcpserver.Hooks) {
	icons := []mcp.Icon{{
		Src:      "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(web.Icon())),
		MIMEType: "image/svg+xml",
		Sizes:    []string{"any"},
	}}
	hooks.AddAfterInitialize(func(_ context.Context, _ any, _ *mcp.InitializeRequest, r *mcp.InitializeResult) {
		r.ServerInfo.Icons = icons
	})
	hooks.AddAfterDiscover(func(_ context.Context, _ any, _ *mcp.DiscoverRequest, r *mcp.DiscoverResult) {
		info := s.implementation()
		info.Icons = icons
		r.EnsureResultMeta().SetServerInfo(info)
	})
}
