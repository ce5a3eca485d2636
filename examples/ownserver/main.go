// Command ownserver serves the messages of a package of your own, with options of your own.
// echomcp.Main would do for most servers: it is the whole command line in one call.
//
//	ownserver 127.0.0.1:8080
package main

import (
	"context"
	"fmt"
	"log/slog"
	"os"
	"os/signal"
	"time"

	echomcp "github.com/zenlix/echo-mcp"
	messages "github.com/zenlix/echo-mcp/generated" // what echo-gen made of your schemas
)

func main() {
	if len(os.Args) != 2 {
		fmt.Fprintln(os.Stderr, "usage: ownserver ADDRESS")
		os.Exit(2)
	}
	if err := serve(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(address string) error {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	s := echomcp.New(messages.Registry, echomcp.Options{
		Info:         echomcp.Info{Name: "newsroom", Title: "The newsroom", Version: "2.1.0", Website: "https://news.example.com"},
		Instructions: "Emit a stage message whenever you begin or finish something.",
		TypedTools:   true, // a tool for each message type, beside echo
		Limits:       echomcp.Limits{MessageBytes: 1 << 20, Depth: 100},
		HTTP:         echomcp.HTTP{Tokens: []string{os.Getenv("NEWSROOM_TOKEN")}, NoInspector: true, WriteTimeout: time.Minute},
		Logger:       slog.New(slog.NewJSONHandler(os.Stderr, nil)),
	})
	return s.ListenAndServe(ctx, address)
}
