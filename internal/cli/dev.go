package cli

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zenlix/echo-mcp/internal/dev"
)

// devFlags are the flags of serve that dev has too. The others are for servers that other people
// reach.
var devFlags = []string{
	"http", "stateless", "auth-token-file", "allowed-origin", "allowed-host", "typed-tools", "text", "unwrap-json-strings",
	"max-message-bytes", "max-depth", "drain-timeout", "log-level", "log-format",
}

func newDev(p Program) *cobra.Command {
	var (
		main   string
		asJSON bool
	)
	serve, check := serveCommand(p)
	cmd := &cobra.Command{
		Use:   "dev",
		Short: "Serve the schemas of a Go module while you change them",
		Long: `Serve the message types of the Go module around this folder, and go on serving while you
change them. Run it in a module that has schemas, such as one made by "echo-gen init".

When a schema changes, its Go code is generated and compiled, and the new server takes the
place of the old one. Clients stay connected, lose no call, and are told that the lists of
tools, resources and prompts may have changed. Nothing else than what changed is compiled
again. When Go code of the module changes the whole program is built.

A fault in a schema, or in Go code, is printed here and is the answer to every tool call,
INVALID_SCHEMA_DEFINITION, until it is mended; all else is answered as before.

The folders of the schemas are those that the //go:generate lines of the module name.
Generated files are written as go generate writes them. Over HTTP it serves this machine
only. It ends on SIGINT, on SIGTERM, and on standard input and output with the input.`,
		Example: `  {program} dev
  {program} dev --http 127.0.0.1:3000
  {program} dev --main ./cmd/server --typed-tools
  go run . dev --http :3000`,
		Args: cobra.NoArgs,
	}
	f := cmd.Flags()
	for _, name := range devFlags {
		f.AddFlag(serve.Flags().Lookup(name))
	}
	f.StringVar(&main, "main", "", "the `PACKAGE` that serves the schemas, a folder or an import path (default this folder, or else the only one in ./cmd)")
	f.BoolVar(&asJSON, "json", false, "tell what happens as one JSON object a line, on standard error")
	cmd.RunE = does(func(cmd *cobra.Command, _ []string) error {
		addr, err := check()
		if err != nil {
			return &exitError{exitUsage, err}
		}
		o := dev.Options{
			Program: p.Name, Dir: ".", Main: main, Flags: passedOn(f), JSON: asJSON,
			In: cmd.InOrStdin(), Out: cmd.OutOrStdout(), Err: cmd.ErrOrStderr(),
			StopTime: first(f.GetDuration("drain-timeout")) + time.Second,
		}
		if asJSON && !f.Changed("log-format") {
			o.Flags = append(o.Flags, "--log-format=json")
		}
		if o.Fallback, err = os.Executable(); err != nil {
			return err
		}
		signal.Ignore(syscall.SIGPIPE) // as in serve
		ctx, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
		defer stop()
		context.AfterFunc(ctx, stop) // a second signal ends it at once
		if addr != "" {
			if o.Listener, err = listenHere(ctx, addr); err != nil {
				return serveFault(addr, err)
			}
		}
		var usage *dev.UsageError
		if err := dev.Run(ctx, o); errors.As(err, &usage) {
			return &exitError{exitUsage, err}
		} else if err != nil {
			return err
		}
		return nil
	})
	return cmd
}

// passedOn gives the flags for the servers: those that are given, but for the address, which is
// that of the front.
func passedOn(given *pflag.FlagSet) []string {
	var args []string
	given.Visit(func(f *pflag.Flag) {
		switch values, many := f.Value.(pflag.SliceValue); {
		case f.Name == "http" || !slices.Contains(devFlags, f.Name):
		case many:
			for _, v := range values.GetSlice() {
				args = append(args, "--"+f.Name+"="+v)
			}
		default:
			args = append(args, "--"+f.Name+"="+f.Value.String())
		}
	})
	return args
}

// listenHere listens on an address that only this machine reaches.
func listenHere(ctx context.Context, addr string) (net.Listener, error) {
	host, port, err := net.SplitHostPort(addr)
	if err != nil {
		return nil, err
	}
	if host == "" {
		host = "127.0.0.1"
	}
	var config net.ListenConfig
	listener, err := config.Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, err
	}
	if tcp, ok := listener.Addr().(*net.TCPAddr); !ok || !tcp.IP.IsLoopback() {
		_ = listener.Close()
		return nil, &exitError{exitUsage, fmt.Errorf("--http %s: other machines would reach it, and dev is for the machine of a schema's author: give a loopback address, such as 127.0.0.1:%s", addr, port)}
	}
	return listener, nil
}
