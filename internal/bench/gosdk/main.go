// Command gosdk is an echo server as a user of the official Go SDK would write it, with a
// typed tool. The benchmark runs it beside echo-mcp, with the same arguments.
package main

import (
	"context"
	"fmt"
	"net/http"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type input struct {
	SchemaID string `json:"schema_id"`
	Payload  any    `json:"payload"`
}

type output struct {
	OK       bool   `json:"ok"`
	SchemaID string `json:"schema_id"`
	Payload  any    `json:"payload"`
}

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves on stdio, or over HTTP with the arguments serve --http ADDR.
func run(args []string) error {
	s := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1"}, nil)
	mcp.AddTool(s, &mcp.Tool{Name: "echo"}, echo)
	if len(args) < 3 {
		return s.Run(context.Background(), &mcp.StdioTransport{})
	}
	handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return s }, &mcp.StreamableHTTPOptions{
		MaxRequestBodyBytes: 64 << 20, // 4 MiB are its default, which the largest payload exceeds
	})
	h := &http.Server{Addr: args[2], Handler: handler, ReadHeaderTimeout: time.Minute}
	return h.ListenAndServe()
}

func echo(_ context.Context, _ *mcp.CallToolRequest, in input) (*mcp.CallToolResult, output, error) {
	return nil, output{OK: true, SchemaID: in.SchemaID, Payload: in.Payload}, nil
}
