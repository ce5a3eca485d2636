package server

import (
	"encoding/base64"

	"github.com/mark3labs/mcp-go/mcp"

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
