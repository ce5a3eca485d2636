// Command toolkit is a server of typed tools: they give back the outline that they get, one with a
// generated type, one with a plain Go type. The benchmark runs it beside the same tool on plain
// mcp-go, with the same arguments.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/bench/outline"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves on stdio, or over HTTP with the arguments serve --http ADDR.
func run(ctx context.Context, args []string) error {
	s := toolkit.New(toolkit.Info{Name: "toolkit", Version: "1"}, toolkit.Options{Types: generated.Registry})
	if err := errors.Join(
		toolkit.Tool(s, "generated", "Gives an outline back.", same[generated.ReportOutlineV1]),
		toolkit.Tool(s, "reflected", "Gives an outline back.", same[outline.Outline]),
	); err != nil {
		return err
	}
	if len(args) < 3 {
		return s.ServeStdio(ctx, os.Stdin, os.Stdout)
	}
	return s.ListenAndServe(ctx, args[2])
}

func same[T any](_ context.Context, in T) (T, error) { return in, nil }
