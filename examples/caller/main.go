// Command caller starts an MCP server of any make, lists its tools and calls one of them.
//
//	caller echo '{"message":"hello"}' npx -y @modelcontextprotocol/server-everything
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: caller TOOL ARGUMENTS COMMAND…")
		os.Exit(2)
	}
	if err := call(context.Background(), os.Stdout, os.Args[1], json.RawMessage(os.Args[2]), os.Args[3:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func call(ctx context.Context, w io.Writer, tool string, arguments json.RawMessage, command []string) (err error) {
	session, err := client.Connect(ctx, stdio.New(command, stdio.Options{}), client.Options{})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()

	tools, err := session.Tools(ctx) // all pages of the list
	if err != nil {
		return err
	}
	for _, t := range tools {
		fmt.Fprintf(w, "%s: %s\n", t.Name, t.Description)
	}
	result, err := session.CallTool(ctx, tool, arguments) // sent byte for byte
	var rejected *client.Error
	switch {
	case errors.As(err, &rejected):
		return fmt.Errorf("the server rejects the call with code %d: %s", rejected.Code, rejected.Message)
	case err != nil:
		return err
	case result.IsError:
		return fmt.Errorf("the tool has failed: %s", result.Text())
	}
	fmt.Fprintln(w, result.Text())
	return nil
}
