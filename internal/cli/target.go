package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"

	"github.com/zenlix/echo-mcp/internal/install"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/stdio"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

// targetHelp is the part of a command's help that says which server it speaks to.
const targetHelp = `TARGET is the server:

  -- COMMAND …                  one that COMMAND starts, on its standard input and output
  --http URL                    one over streamable HTTP; --header sends tokens and the like
  --config FILE --server NAME   one that FILE, the configuration of an MCP client, names;
                                FILE may be the name of a client, such as claude-code
  --self, or nothing            {program} itself`

// targetExits are the exit codes that commands with a target share.
const targetExits = `
  2  wrong usage
  3  a file can't be read, or input is not JSON; nothing is sent
  4  the server can't be reached, has died or does not answer; the end of its standard error is
     printed
  5  the server rejects the request; its code is printed`

// target is the server that a command speaks to, as its flags say.
type target struct {
	program        Program
	url            string
	headers        []string
	config, server string
	self           bool
	timeout        time.Duration
	// command starts the server: what stood after "--".
	command []string

	warnings warnings
	// child runs the command, nil where there is none.
	child atomic.Pointer[stdio.Transport]
}

// register adds the flags of a target to a command.
func (t *target) register(cmd *cobra.Command) {
	f := cmd.Flags()
	f.StringVar(&t.url, "http", "", "speak to the server at `URL` over streamable HTTP")
	f.StringArrayVar(&t.headers, "header", nil, "send `HEADER`, such as 'Authorization: Bearer TOKEN', with --http or --config (repeatable)")
	f.StringVar(&t.config, "config", "", "speak to a server of `FILE`, the configuration of an MCP client, or the client's name")
	f.StringVar(&t.server, "server", "", "`NAME` of the server in the file of --config; may be left out if there is one")
	f.BoolVar(&t.self, "self", false, "speak to {program} itself, as without another target")
	f.DurationVar(&t.timeout, "timeout", client.DefaultTimeout, "wait `TIME` for each answer")
	must(cmd.RegisterFlagCompletionFunc("server", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		file, err := install.ReadLaunches(t.config, installEnv())
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		return file.Names(), cobra.ShellCompDirectiveNoFileComp
	}))
	for _, name := range []string{"http", "header", "timeout"} {
		must(cmd.RegisterFlagCompletionFunc(name, cobra.NoFileCompletions))
	}
}

// split takes what stands after "--" as the command that starts the server, checks the flags, and
// gives the arguments before it, which are as the command's usage line says. The error is one of
// usage.
func (t *target) split(cmd *cobra.Command, args []string) (before []string, err error) {
	dash := cmd.ArgsLenAtDash()
	if dash >= 0 {
		args, t.command = args[:dash], args[dash:]
	}
	err = t.check(cmd, dash >= 0)
	if err == nil {
		err = wrongArguments(cmd, args, nil)
	}
	if err != nil {
		return nil, &exitError{exitUsage, err}
	}
	return args, nil
}

// given says whether the command line names a server, be it this program.
func (t *target) given() bool {
	return t.self || t.url != "" || t.config != "" || len(t.command) > 0
}

// check says what is wrong with the flags.
func (t *target) check(cmd *cobra.Command, dashed bool) error {
	ways := 0
	for _, is := range []bool{dashed, t.url != "", t.config != "", t.self} {
		if is {
			ways++
		}
	}
	switch {
	case ways > 1:
		return errors.New("a command speaks to one server: give --http URL, or --config FILE, or --self, or a command after --")
	case dashed && len(t.command) == 0:
		return fmt.Errorf("give the command that starts a server after --, such as %s … -- npx -y NAME", cmd.CommandPath())
	case cmd.Flags().Changed("http") && t.url == "":
		return errors.New("--http is empty; give the URL of a server")
	case cmd.Flags().Changed("config") && t.config == "":
		return errors.New("--config is empty; give the file of a client, or its name")
	case len(t.headers) > 0 && t.url == "" && t.config == "":
		return errors.New("--header is sent over HTTP; give --http URL")
	case t.server != "" && t.config == "":
		return errors.New("--server is a name in the file of a client; give --config FILE")
	case t.timeout <= 0:
		return fmt.Errorf("--timeout %s: must be more than 0", t.timeout)
	}
	if t.url != "" {
		if err := checkURL(t.url); err != nil {
			return fmt.Errorf("--http %s: %w", t.url, err)
		}
	}
	_, err := t.header()
	return err
}

// checkURL says whether a text can be the URL of a server.
func checkURL(text string) error {
	if u, err := url.Parse(text); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return errors.New("must be a URL such as http://127.0.0.1:3000/mcp")
	}
	return nil
}

// header are the headers of --header. A name that is repeated has several values.
func (t *target) header() (http.Header, error) {
	headers := http.Header{}
	for _, line := range t.headers {
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		// The value may be a secret, so it is not repeated.
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("--header: must be a name, a colon and a value, such as 'Authorization: Bearer TOKEN'")
		}
		headers.Add(name, value)
	}
	return headers, nil
}

// lateTime is how long a server that has not answered in time has to end by itself.
const lateTime = 300 * time.Millisecond

// connect opens a session with the server; a command has --timeout for that, from its start on.
// Warnings go to standard error. The error decides the exit code.
func (t *target) connect(ctx context.Context, cmd *cobra.Command) (*client.Session, error) {
	t.warnings.to(cmd.ErrOrStderr(), t.program.Name)
	transport, err := t.transport()
	if err != nil {
		return nil, err
	}
	limited := ctx
	if t.child.Load() != nil {
		// A little more than one request has, so that a message about that has the time that was given.
		var cancel context.CancelFunc
		limited, cancel = context.WithTimeout(ctx, t.timeout+lateTime/2)
		defer cancel()
		defer time.AfterFunc(t.timeout+lateTime, t.kill).Stop()
	}
	session, err := client.Connect(limited, transport, client.Options{
		Name: t.program.Name, Version: t.program.version(), Timeout: t.timeout, OnStray: t.warnings.stray,
	})
	if err != nil {
		return nil, t.fault(ctx, err)
	}
	return session, nil
}

// use connects, calls f with the session, and ends it and whatever it started. An interrupt, such
// as Ctrl-C, ends ctx; a second one leaves the server no time to end by itself. The error decides the
// exit code.
func (t *target) use(cmd *cobra.Command, f func(ctx context.Context, s *client.Session) error) error {
	ctx, stop := t.signals(cmd.Context())
	defer stop()
	session, err := t.connect(ctx, cmd)
	if err == nil {
		err = f(ctx, session)
		if errors.As(err, new(*client.TimeoutError)) {
			t.warnings.end() // what comes now is too late, or torn
			defer time.AfterFunc(lateTime, t.kill).Stop()
		}
		_ = session.Close() // what there was to hear has been heard
	}
	t.warnings.end()
	return t.fault(ctx, err)
}

// signals gives a context that ends with the first interrupt. The second one kills the server.
func (t *target) signals(parent context.Context) (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(parent)
	interrupts := make(chan os.Signal, 2)
	signal.Notify(interrupts, os.Interrupt, syscall.SIGTERM)
	// SIGPIPE, which comes when nobody reads the output any more, would end this process before it
	// has ended the server's. While somebody listens for it, it is an error of writing alone.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		for range interrupts {
			if ctx.Err() != nil {
				t.kill()
			}
			cancel()
		}
	}()
	return ctx, func() {
		signal.Stop(broken)
		signal.Stop(interrupts)
		close(interrupts)
		<-ended
		cancel()
	}
}

// kill ends the server at once if a command has started it.
func (t *target) kill() {
	if child := t.child.Load(); child != nil {
		child.Kill()
	}
}

// transport is the way to the server.
func (t *target) transport() (client.Transport, error) {
	switch {
	case t.config != "":
		return t.configured()
	case t.url != "":
		return t.asked(t.url, http.Header{})
	case len(t.command) > 0:
		return t.started(t.command, stdio.Options{}), nil
	}
	o := t.program.Server
	o.Info.Version = t.program.version()
	return client.InMemory(func(ctx context.Context) io.ReadWriteCloser {
		return server.New(t.program.Registry, o, t.program.Tools).Connect(ctx)
	}), nil
}

// started is the way to a server that a command starts.
func (t *target) started(command []string, o stdio.Options) client.Transport {
	child := stdio.New(command, o)
	t.child.Store(child)
	return child
}

// configured is the way to a server of a client's file.
func (t *target) configured() (client.Transport, error) {
	file, err := install.ReadLaunches(t.config, installEnv())
	if err != nil {
		return nil, installFault(err)
	}
	launch, err := file.Find(t.server, installEnv())
	if err != nil {
		return nil, installFault(err)
	}
	for _, warning := range launch.Warnings {
		t.warnings.say(warning)
	}
	if launch.URL == "" {
		if len(t.headers) > 0 {
			return nil, &exitError{exitUsage, fmt.Errorf("--header is sent over HTTP, but the server %q is started by a command", launch.Name)}
		}
		o := stdio.Options{Dir: launch.Dir}
		if len(launch.Env) > 0 {
			o.Env = append(os.Environ(), launch.Env...)
		}
		return t.started(append([]string{launch.Command}, launch.Args...), o), nil
	}
	if err := checkURL(launch.URL); err != nil {
		return nil, &exitError{exitInput, fmt.Errorf("%s: the URL of the server %q %w", t.config, launch.Name, err)}
	}
	headers := http.Header{}
	for name, value := range launch.Headers {
		if !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, &exitError{exitInput, fmt.Errorf("%s: the server %q has the header %q, which can't be sent: it is malformed", t.config, launch.Name, name)}
		}
		headers.Set(name, value)
	}
	return t.asked(launch.URL, headers)
}

// asked is the way to a server at a URL. The headers of --header take the place of those given.
func (t *target) asked(address string, headers http.Header) (client.Transport, error) {
	own, err := t.header()
	if err != nil {
		return nil, err
	}
	maps.Copy(headers, own)
	return streamable.New(address, streamable.Options{Header: headers})
}

// startsServer is advice for arguments of a command with a target that look like the command that
// starts a server: one of them is a program.
func startsServer(cmd *cobra.Command, args []string) string {
	if cmd.Flags().Lookup("self") == nil {
		return ""
	}
	for _, program := range args {
		if _, err := exec.LookPath(program); err == nil {
			return fmt.Sprintf("; to speak to a server that %q starts, put -- before it", program)
		}
	}
	return ""
}
