// Command mcpgo is a server as a user of mcp-go would write it: the payload of echo is decoded into
// any and encoded again, outline has typed arguments and results, and nothing is validated. The benchmark runs it beside
// echo-mcp, with the same arguments.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/bench/outline"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves on stdio, or over HTTP with the arguments serve --http ADDR.
func run(args []string) error {
	s := server.NewMCPServer("mcpgo", "1", server.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("echo",
		mcp.WithString("schema_id", mcp.Required()),
		mcp.WithAny("payload", mcp.Required()),
	), echo)
	s.AddTool(mcp.NewTool("outline",
		mcp.WithInputSchema[outline.Outline](),
		mcp.WithOutputSchema[outline.Outline](),
	), mcp.NewStructuredToolHandler(same))
	if len(args) < 3 {
		return server.ServeStdio(s)
	}
	h := &http.Server{Addr: args[2], Handler: server.NewStreamableHTTPServer(s), ReadHeaderTimeout: time.Minute}
	return h.ListenAndServe()
}

func same(_ context.Context, _ mcp.CallToolRequest, in outline.Outline) (outline.Outline, error) {
	return in, nil
}

func echo(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	id, err := r.RequireString("schema_id")
	if err != nil {
		return mcp.NewToolResultError(err.Error()), nil
	}
	return mcp.NewToolResultJSON(map[string]any{"ok": true, "schema_id": id, "payload": r.GetArguments()["payload"]})
}
