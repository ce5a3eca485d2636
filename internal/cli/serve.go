package cli

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"log/slog"
	"os"
	"os/signal"
	"runtime"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"golang.org/x/term"

	"github.com/zenlix/echo-mcp/internal/logs"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/web"
)

// serveFlags are the flags of serve that are no options of the server as they stand.
type serveFlags struct {
	addr, tokenFile, tlsCert, tlsKey string
	certificate                      *certificate // of tlsCert and tlsKey, nil without
	oauth                            oauthFiles
	logFormat, text                  string
	handOver                         string
	unwrap                           bool
	level                            slog.Level
}

func newServe(p Program) *cobra.Command {
	cmd, _ := serveCommand(p)
	return cmd
}

// serveCommand makes the command serve. check reports what is wrong with its flags.
func serveCommand(p Program) (cmd *cobra.Command, check func() (addr string, err error)) {
	var (
		flags serveFlags
		o     = p.Server
		tools = p.Tools
	)
	cmd = &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP on stdio, or over HTTP with --http",
		Long: `Serve the compiled schemas over MCP: on standard input and output, one message a line,
or as streamable HTTP at http://ADDR/mcp.

Over HTTP there are also /healthz and /readyz for probes, /metrics for Prometheus, /schemas
and /schemas/ID, and a page for people at /inspector. An address that other machines reach
needs a token, OAuth, or --insecure. An ADDR without a port takes it from the environment
variable PORT, else 3000.

At end of input, on SIGINT and on SIGTERM every request already read is answered before
the server ends; a second signal ends it at once. On SIGHUP a server over HTTP reads its
tokens, certificates and files about OAuth again.`,
		Example: `  {program} serve
  {program} serve --typed-tools
  {program} serve --http 127.0.0.1:3000
  {program} serve --http 0.0.0.0 --stateless --auth-token-file /run/secrets/{program}
  {program} serve --http 0.0.0.0:443 --tls-cert cert.pem --tls-key key.pem --auth-token-file token \
    --allowed-host mcp.example.com --allowed-origin https://app.example.com
  {program} serve --http 0.0.0.0 --auth-resource-metadata oauth.json --allowed-host mcp.example.com`,
		Args: cobra.NoArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, _ []string) error {
		newHandler, err := flags.apply(&o, &tools, cmd.Flags())
		if err != nil {
			return &exitError{exitUsage, err}
		}
		// From here on nothing waits for who reads standard error, not even the end.
		queue := logs.NewQueue(cmd.ErrOrStderr(), newHandler)
		defer queue.Close(flushTime)
		log.SetOutput(queue) //nolint:forbidigo // for what mcp-go says of its own accord
		if o.Logger == nil {
			o.Logger = slog.New(newHandler(queue))
		}
		if flags.addr == "" && isTerminal(cmd.InOrStdin()) {
			_, _ = io.WriteString(queue, p.text(waiting))
		}
		if err := flags.serve(cmd, p, o, tools); err != nil {
			return &exitError{p.report(queue, serveFault(flags.addr, err)), nil}
		}
		return nil
	})
	text := "full"
	if tools.NoText {
		text = "none"
	}
	f := cmd.Flags()
	f.StringVar(&flags.addr, "http", "", "serve streamable HTTP on `ADDR` (host:port; without a host, loopback only; without a port, that of $PORT or 3000) instead of stdio")
	f.BoolVar(&tools.Typed, "typed-tools", tools.Typed, "add a tool emit_ID for every schema of objects, whose arguments are the message")
	f.BoolVar(&o.Stateless, "stateless", o.Stateless, "keep no HTTP sessions, so that any of several replicas can answer any request")
	f.StringVar(&flags.tokenFile, "auth-token-file", "", "answer only HTTP requests with a bearer token that is a line of `FILE`")
	f.StringVar(&flags.oauth.metadata, "auth-resource-metadata", "", "let clients sign in with OAuth: answer HTTP requests with an access token for the resource that `FILE` describes (JSON, RFC 9728); tokens of --auth-token-file hold too")
	f.StringVar(&flags.oauth.client, "auth-introspection-client", "", "ask the authorization server about access tokens, as the client in `FILE` (JSON with client_id and client_secret), instead of checking them with its keys")
	f.StringVar(&flags.tlsCert, "tls-cert", "", "serve HTTPS with the certificate chain in `FILE` (PEM)")
	f.StringVar(&flags.tlsKey, "tls-key", "", "the private key of --tls-cert, in `FILE` (PEM)")
	f.BoolVar(&o.Insecure, "insecure", o.Insecure, "listen without a token on an address that other machines reach")
	f.StringArrayVar(&o.AllowedOrigins, "allowed-origin", o.AllowedOrigins, "accept HTTP requests of web pages from `ORIGIN`, such as https://app.example (repeatable; * is any)")
	f.StringArrayVar(&o.AllowedHosts, "allowed-host", o.AllowedHosts, "accept HTTP requests for `HOST` besides loopback names and IP addresses (repeatable; * is any)")
	f.IntVar(&o.MaxInFlight, "max-in-flight", cmp.Or(o.MaxInFlight, transport.DefaultMaxInFlight), "answer 429 to HTTP requests while `N` others are being answered")
	f.Int64Var(&o.MaxInFlightBytes, "max-in-flight-bytes", o.MaxInFlightBytes, "answer 429 to a large HTTP request where all being answered would have more than `N` bytes (default four times --max-message-bytes)")
	f.IntVar(&o.MaxSessions, "max-sessions", cmp.Or(o.MaxSessions, transport.DefaultMaxSessions), "answer 429 to a client that wants an HTTP session while there are `N`")
	f.DurationVar(&o.HeaderTimeout, "header-timeout", cmp.Or(o.HeaderTimeout, transport.DefaultHeaderTimeout), "close a connection whose client takes longer than `TIME` to send the header of a request")
	f.DurationVar(&o.BodyTimeout, "body-timeout", cmp.Or(o.BodyTimeout, transport.DefaultBodyTimeout), "in each `TIME` a body must end, or come on as --min-body-rate says")
	f.IntVar(&o.MinBodyRate, "min-body-rate", cmp.Or(o.MinBodyRate, transport.DefaultMinBodyRate), "answer 408 to a body of which less than `N` bytes come in a second")
	f.IntVar(&o.MaxConnections, "max-connections", cmp.Or(o.MaxConnections, transport.DefaultMaxConnections), "close an HTTP connection that waits for its client when a new one comes and there are `N`; half as many may be streams")
	f.DurationVar(&o.IdleTimeout, "idle-timeout", cmp.Or(o.IdleTimeout, transport.DefaultIdleTimeout), "close an HTTP connection that had no request for `TIME`")
	f.IntVar(&o.MaxMessageBytes, "max-message-bytes", cmp.Or(o.MaxMessageBytes, transport.DefaultMaxMessageBytes), "refuse messages of more than `N` bytes")
	f.IntVar(&o.MaxDepth, "max-depth", cmp.Or(o.MaxDepth, transport.DefaultMaxDepth), "refuse messages whose arrays and objects nest deeper than `N`")
	f.BoolVar(&flags.unwrap, "unwrap-json-strings", !tools.KeepJSONStrings, "where a schema refuses a string that holds JSON, validate and echo the JSON inside; =false refuses it")
	f.StringVar(&flags.text, "text", text, "`WHICH` answers have a text block beside the structured content: full means all, none only failures; a call's _meta may ask for the other")
	f.DurationVar(&o.LameDuck, "lame-duck", o.LameDuck, "after a signal go on taking new HTTP connections for `TIME` (default 1s, less where nobody is connected)")
	f.DurationVar(&o.DrainTimeout, "drain-timeout", cmp.Or(o.DrainTimeout, transport.DefaultDrainTimeout), "at the end, after --lame-duck, give running requests `TIME` to finish")
	f.StringVar(&flags.handOver, "hand-over", "", "another server takes this one's place when it ends, as {program} dev has it: tell clients that lists may change, and at the end that they did; while `FILE` has text, answer every tool call with it as an error; over HTTP, print the address and end with standard input")
	f.TextVar(&flags.level, "log-level", slog.LevelInfo, "least `LEVEL` that is logged: debug, info, warn, error")
	f.StringVar(&flags.logFormat, "log-format", "text", "`FORMAT` of the log on standard error: text, json")
	for name, values := range map[string][]cobra.Completion{
		"log-level":  {"debug", "info", "warn", "error"},
		"log-format": {"text", "json"},
		"text":       {"full", "none"},
	} {
		must(cmd.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(values, cobra.ShellCompDirectiveNoFileComp)))
	}
	return cmd, func() (string, error) {
		_, err := flags.apply(&o, &tools, cmd.Flags())
		return flags.addr, err
	}
}

// waiting tells a person who started the server by hand what it does.
const waiting = `{program}: waiting for an MCP client on standard input, one JSON-RPC message a line.
  Ctrl-D or Ctrl-C ends it. "{program} install CLIENT" adds it to a client, which then starts it;
  "{program} serve --http 127.0.0.1:3000" serves over HTTP, with a page for people at /inspector.
`

// isTerminal reports whether a person sits at r.
func isTerminal(r io.Reader) bool {
	f, ok := r.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// serveFault says what to do where the address can't be listened on.
func serveFault(addr string, err error) error {
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return fmt.Errorf("--http %s: another program listens there already; end it, or choose another port (port 0 takes a free one)", addr)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return fmt.Errorf("--http %s: this machine has no such address; 127.0.0.1 is for itself only, 0.0.0.0 for all of its addresses", addr)
	case errors.Is(err, syscall.EACCES):
		return fmt.Errorf("--http %s: the system does not let this user listen there; choose a port above 1023", addr)
	}
	return err
}

// flushTime is how long the end of a server waits for who reads its log.
const flushTime = time.Second

// serve serves until the signal or the end.
func (f *serveFlags) serve(cmd *cobra.Command, p Program, o transport.Options, tools server.Tools) error {
	// Whoever read the log may be gone while clients go on; and when nobody reads the
	// answers the write says so, and the server ends as it does at any failure.
	signal.Ignore(syscall.SIGPIPE)
	// The second signal has its default effect: before anybody can see that the first has come,
	// signals are no longer caught. The first never has it, though serving may have ended:
	// clients close the input and send SIGTERM too.
	signalled, stop := signal.NotifyContext(cmd.Context(), syscall.SIGINT, syscall.SIGTERM)
	ctx, end := context.WithCancel(context.WithoutCancel(cmd.Context()))
	context.AfterFunc(signalled, func() {
		stop()
		end()
	})
	o.Info.Version = p.version()
	if f.addr != "" && !p.NoInspector {
		o.Inspector = web.Handler(o.MaxMessageBytes)
	}
	o.LimitMemory()
	defer runtime.KeepAlive(reserve())
	if f.oauth.open != nil {
		f.oauth.resource = f.oauth.open(o.Logger)
		o.OAuth = f.oauth.resource
	}
	if f.handOver != "" {
		var endsWithInput context.CancelFunc
		ctx, endsWithInput = f.prepareHandOver(ctx, cmd, &o, &tools)
		defer endsWithInput()
	}
	s := server.New(p.Registry, o, tools)
	if f.addr == "" {
		return s.ServeStdio(ctx, cmd.InOrStdin(), cmd.OutOrStdout())
	}
	warnOfReaders(o.Logger, f.tokenFile, "tokens")
	defer f.reloadOnHangup(s, o.Logger)()
	err := s.ListenAndServe(ctx, f.addr)
	if errors.Is(err, transport.ErrPublicAddress) {
		return &exitError{exitUsage, fmt.Errorf("--http %s: not listening where other machines reach it: ask for a token with --auth-token-file or --auth-resource-metadata, or say --insecure to serve everybody", f.addr)}
	}
	return err
}

// reserve is memory that nobody touches, so that the system never gives it; to Go's collector
// it is part of the heap. A server has but a megabyte alive, and without the reserve every
// four megabytes of garbage would be collected at once, forty times a second under load.
func reserve() []byte { return make([]byte, 8<<20) }

// apply turns the flags into options, and makes what makes the handler of the log. The error
// is one of usage.
func (f *serveFlags) apply(o *transport.Options, tools *server.Tools, given *pflag.FlagSet) (newHandler func(io.Writer) slog.Handler, err error) {
	if err := checkLimits(given, map[string]int64{
		"max-message-bytes":   transport.MaxMessageBytesCeiling,
		"max-depth":           transport.MaxDepthCeiling,
		"max-in-flight":       transport.MaxInFlightCeiling,
		"max-in-flight-bytes": transport.MaxInFlightBytesCeiling,
		"max-sessions":        transport.MaxSessionsCeiling,
		"header-timeout":      int64(transport.TimeoutCeiling),
		"body-timeout":        int64(transport.TimeoutCeiling),
		"idle-timeout":        int64(transport.TimeoutCeiling),
		"max-connections":     transport.MaxConnectionsCeiling,
		"min-body-rate":       transport.MinBodyRateCeiling,
		"drain-timeout":       int64(transport.TimeoutCeiling),
	}); err != nil {
		return nil, err
	}
	if given.Changed("max-in-flight-bytes") && o.MaxInFlightBytes < int64(o.MaxMessageBytes) {
		return nil, errors.New("--max-in-flight-bytes must not be less than --max-message-bytes: a message that large would never be taken")
	}
	options := &slog.HandlerOptions{Level: f.level}
	switch f.logFormat {
	case "text":
		newHandler = func(w io.Writer) slog.Handler { return slog.NewTextHandler(w, options) }
	case "json":
		newHandler = func(w io.Writer) slog.Handler { return slog.NewJSONHandler(w, options) }
	default:
		return nil, fmt.Errorf("--log-format %q is not known; use text or json", f.logFormat)
	}
	switch f.text {
	case "full", "none":
		tools.NoText = f.text == "none"
	default:
		return nil, fmt.Errorf("--text %q is not known; use full or none", f.text)
	}
	tools.KeepJSONStrings = !f.unwrap
	if given.Changed("http") && f.addr == "" {
		return nil, errors.New("--http is empty")
	}
	if f.addr == "" {
		for _, name := range httpFlags {
			if given.Changed(name) {
				return nil, fmt.Errorf("--%s goes with --http", name)
			}
		}
		return newHandler, nil
	}
	return newHandler, f.applyHTTP(o, given)
}
