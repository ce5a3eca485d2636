package main

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/server"
)

func newServe(registry jsonrt.Registry) *cobra.Command {
	var (
		addr  string
		level slog.Level
		o     server.Options
	)
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP on stdio, or over HTTP with --http",
		Long: `Serve the compiled schemas over MCP: on standard input and output, one message a line,
or as streamable HTTP at http://ADDR/mcp.

At end of input, on SIGINT and on SIGTERM every request already read is answered before
the server ends; a second signal ends it at once.`,
		Example: `  echo-mcp serve
  echo-mcp serve --http 127.0.0.1:3000
  echo-mcp serve --http :3000 --allowed-host mcp.example.com --allowed-origin https://app.example.com`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, _ []string) error {
		if _, _, err := net.SplitHostPort(addr); addr != "" && err != nil {
			return &exitError{exitUsage, fmt.Errorf("--http: %w", err)}
		}
		ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // from then on a signal has its default effect
		o.Version = buildVersion()
		o.Logger = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
		s := server.New(registry, o)
		if addr != "" {
			return s.ListenAndServe(ctx, addr)
		}
		return s.ServeStdio(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
	})
	f := cmd.Flags()
	f.StringVar(&addr, "http", "", "serve streamable HTTP on `ADDR` (host:port; without a host, loopback only) instead of stdio")
	f.IntVar(&o.MaxMessageBytes, "max-message-bytes", server.DefaultMaxMessageBytes, "refuse messages of more than `N` bytes")
	f.IntVar(&o.MaxDepth, "max-depth", server.DefaultMaxDepth, "refuse messages whose arrays and objects nest deeper than `N`")
	f.BoolVar(&o.UnwrapJSONStrings, "unwrap-json-strings", false, "where a schema refuses a string that holds JSON, validate and echo the JSON inside")
	f.StringArrayVar(&o.AllowedOrigins, "allowed-origin", nil, "accept HTTP requests of web pages from `ORIGIN`, such as https://app.example (repeatable; * is any)")
	f.StringArrayVar(&o.AllowedHosts, "allowed-host", nil, "accept HTTP requests for `HOST` besides loopback names and IP addresses (repeatable; * is any)")
	f.DurationVar(&o.DrainTimeout, "drain-timeout", server.DefaultDrainTimeout, "how long running requests may take after the end of input or a signal")
	f.TextVar(&level, "log-level", slog.LevelInfo, "least `LEVEL` that is logged: debug, info, warn, error")
	must(cmd.RegisterFlagCompletionFunc("log-level", cobra.FixedCompletions([]cobra.Completion{"debug", "info", "warn", "error"}, cobra.ShellCompDirectiveNoFileComp)))
	return cmd
}
