// The command mcpclient drives servers with mcpkit/client for the tests of this folder:
//
//	mcpclient URL               plays the scenario of the official conformance suite that the
//	                            environment names
//	mcpclient survey URL        lists what a server has and makes calls, as JSON
//	mcpclient survey -- COMMAND…
package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	var err error
	switch {
	case len(args) == 1:
		err = conform(ctx, args[0], os.Getenv("MCP_CONFORMANCE_SCENARIO"), os.Getenv("MCP_CONFORMANCE_CONTEXT"))
	case len(args) == 2 && args[0] == "survey":
		var t *streamable.Transport
		if t, err = streamable.New(args[1], streamable.Options{}); err == nil {
			err = survey(ctx, t, os.Stdin, stdout)
		}
	case len(args) > 2 && args[0] == "survey" && args[1] == "--":
		err = survey(ctx, stdio.New(args[2:], stdio.Options{}), os.Stdin, stdout)
	default:
		err = errors.New("usage: mcpclient URL | mcpclient survey URL | mcpclient survey -- COMMAND…")
	}
	if err != nil {
		fmt.Fprintln(stderr, "mcpclient:", err)
		return 1
	}
	return 0
}

// call is one that survey is to make.
type call struct {
	Tool      string          `json:"tool"`
	Arguments json.RawMessage `json:"arguments"`
}

// survey connects, lists all that the server has, makes the calls that stdin holds as a JSON list,
// and prints what came of it.
func survey(ctx context.Context, t client.Transport, stdin io.Reader, stdout io.Writer) error {
	var calls []call
	if err := json.NewDecoder(stdin).Decode(&calls); err != nil {
		return err
	}
	var strays, notifications []string
	news := make(chan func(), 1000)
	session, err := client.Connect(ctx, t, client.Options{
		OnStray: func(err error) { news <- func() { strays = append(strays, err.Error()) } },
		OnNotification: func(method string, _ json.RawMessage) {
			news <- func() { notifications = append(notifications, method) }
		},
		Roots: []client.Root{{URI: "file:///tmp", Name: "tmp"}},
	})
	if err != nil {
		return err
	}
	defer func() { _ = session.Close() }()
	found := map[string]any{"name": session.Server().Name, "version": session.ProtocolVersion()}
	for member, method := range map[string]string{"tools": "tools/list", "resources": "resources/list", "templates": "resources/templates/list", "prompts": "prompts/list"} {
		items, err := session.List(ctx, method)
		var refused *client.Error
		if err != nil && !errors.As(err, &refused) {
			return err
		}
		found[member] = items
	}
	results := []any{}
	for _, c := range calls {
		result, err := session.CallTool(ctx, c.Tool, c.Arguments, client.WithProgress(func(client.Progress) {
			news <- func() { notifications = append(notifications, "progress") }
		}))
		if err != nil {
			results = append(results, map[string]any{"error": err.Error()})
			continue
		}
		results = append(results, map[string]any{"text": result.Text(), "isError": result.IsError, "raw": result.Raw})
	}
	if err := session.Close(); err != nil {
		return err
	}
	close(news)
	for f := range news {
		f()
	}
	found["calls"], found["strays"], found["notifications"] = results, strays, notifications
	return json.NewEncoder(stdout).Encode(found)
}
