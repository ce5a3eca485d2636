package server

import (
	"context"
	"encoding/base64"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/web"
)

// Description says in a sentence what a server of this package does.
const Description = "Validates a structured message against a schema and returns it unchanged, byte for byte."

// echoMCP is who the server says it is where its options don't. Its icon is that of the page.
func echoMCP(version string) mcp.Implementation {
	return mcp.Implementation{
		Name:        "echo-mcp",
		Version:     version,
		Title:       "Echo MCP",
		Description: Description,
		WebsiteURL:  "https://github.com/zenlix/echo-mcp",
		Icons: []mcp.Icon{{
			Src:      "data:image/svg+xml;base64," + base64.StdEncoding.EncodeToString([]byte(web.Icon())),
			MIMEType: "image/svg+xml",
			Sizes:    []string{"any"},
		}},
	}
}

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
