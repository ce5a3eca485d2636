// Command echo-mcp serves the compiled schemas over MCP and works with them on the command
// line. This package only wires: flags in, packages of the module called, exit codes out.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
)

// version and commit are set by the linker (see the Makefile).
var version, commit string

func main() {
	os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr, generated.Registry))
}

// The exit codes of every command.
const (
	exitOK    = 0
	exitNo    = 1 // the answer is no: a document is invalid, the server could not serve
	exitUsage = 2 // the command line is wrong
	exitInput = 3 // input can't be read or is not JSON
)

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

// run is the whole program with everything that it takes from outside. It returns the exit
// code.
func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer, registry jsonrt.Registry) int {
	if len(args) == 0 {
		args = []string{"serve"}
	}
	root := newRoot(registry)
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
		fmt.Fprintf(stderr, "echo-mcp: %s\nRun '%s --help' for usage.\n", usageText(cmd, err), cmd.CommandPath())
		return exitUsage
	}
	return report(stderr, err)
}

// report says what an error of a command says, if anything, and returns the exit code.
func report(w io.Writer, err error) int {
	exit := &exitError{exitNo, err}
	errors.As(err, &exit)
	if exit.err != nil {
		fmt.Fprintf(w, "echo-mcp: %v\n", exit.err)
	}
	return exit.code
}
