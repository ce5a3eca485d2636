// Package cli is the command line over a registry of schemas: a server of them, and what a
// person does with them by hand. It only wires: flags in, packages of the module called, exit
// codes out.
package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"syscall"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// The exit codes of every command.
const (
	exitOK    = 0
	exitNo    = 1 // the answer is no: a document is invalid, the server could not serve
	exitUsage = 2 // the command line is wrong
	exitInput = 3 // input can't be read or is not JSON

	exitUnreachable = 4 // another server can't be reached, has died or does not answer
	exitRejected    = 5 // another server has rejected a request

	// As shells count signals.
	exitInterrupted = 128 + int(syscall.SIGINT)  // Ctrl-C
	exitPipe        = 128 + int(syscall.SIGPIPE) // nobody reads the output any more
)

// Program is a program that has this command line.
type Program struct {
	// Name is what a person types to run it. Help and messages use it.
	Name string
	// Registry holds the schemas that the commands are about.
	Registry jsonrt.Registry
	// Server and Tools are what serve starts from: its flags change them.
	Server transport.Options
	Tools  server.Tools
	// NoInspector leaves out the page at /inspector.
	NoInspector bool

	// args is the command line.
	args []string
}

// ours is the name of the program of this module.
const ours = "echo-mcp"

// clientName is what clients call the server where nobody says otherwise.
func (p Program) clientName() string {
	if p.Name == ours {
		return "echo"
	}
	return p.Name
}

// exitError is an error that decides the exit code. Without err nothing is printed: what
// there is to say has been said.
type exitError struct {
	code int
	err  error
}

func (e *exitError) Error() string {
	if e.err == nil {
		return fmt.Sprintf("exit code %d", e.code)
	}
	return e.err.Error()
}

func (e *exitError) Unwrap() error { return e.err }

// Run is the whole program with everything that it takes from outside. It returns the exit
// code.
func (p Program) Run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	if len(args) == 0 {
		args = []string{"serve"}
	}
	p.args = args
	root := p.newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	cmd, err := root.ExecuteContextC(ctx)
	if err == nil {
		return exitOK
	}
	var exit *exitError
	if !errors.As(err, &exit) {
		// Only cobra itself returns plain errors, about arguments and flags: what our
		// commands return passes through does.
		fmt.Fprintf(stderr, "%s: %s\nRun '%s --help' for usage.\n", p.Name, usageText(cmd, err), cmd.CommandPath())
		return exitUsage
	}
	return p.report(stderr, err)
}

// report says what an error of a command says, if anything, and returns the exit code.
func (p Program) report(w io.Writer, err error) int {
	exit := &exitError{exitNo, err}
	errors.As(err, &exit)
	if exit.err != nil {
		fmt.Fprintf(w, "%s: %v\n", p.Name, exit.err)
	}
	return exit.code
}

// text completes a text of help or of a message: {program} is the name of the program,
// {schema} the id of one of its schemas.
func (p Program) text(text string) string {
	schema := "ID"
	if all := p.Registry.Schemas(); len(all) > 0 {
		schema = all[0].ID
	}
	return strings.NewReplacer("{program}", p.Name, "{schema}", schema).Replace(text)
}

// complete completes the texts of cmd and of all commands below.
func (p Program) complete(cmd *cobra.Command) {
	for _, text := range []*string{&cmd.Short, &cmd.Long, &cmd.Example} {
		*text = p.text(*text)
	}
	cmd.Flags().VisitAll(func(f *pflag.Flag) { f.Usage = p.text(f.Usage) })
	for _, c := range cmd.Commands() {
		p.complete(c)
	}
}
