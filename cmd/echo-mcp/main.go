// Command echo-mcp serves the schemas of this module over MCP, and works with them on the
// command line.
package main

import (
	"github.com/zenlix/echo-mcp"
	"github.com/zenlix/echo-mcp/generated"
)

func main() { echomcp.Main(generated.Registry) }
