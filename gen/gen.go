// Package gen is the schema compiler as a command, cmd/echo-gen: it compiles the JSON Schemas of
// a folder into Go types, validators and a registry, or those of an MCP server's tools into a client
// of that server, and writes what a module for message types begins with. It is made for go generate.
//
// What the generated code imports are the packages jsontape and jsonrt below this one.
package gen

import (
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/compiler"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/scaffold"
)

const (
	exitDone  = 0
	exitFault = 1
	exitUsage = 2
)

// Run does what the command line args asks for, without the name of the program, in the current
// folder. Help and data go to stdout, everything else to stderr: faults in schemas as
// file:line:column: /pointer: what is wrong, all of them. Nothing is written unless the whole
// run succeeds.
//
// It returns the exit code: 0 done; 1 a schema has faults, with -check a generated file is
// stale, with -diff a change breaks something; 2 wrong usage.
func Run(args []string, stdout, stderr io.Writer) int {
	if len(args) > 0 && args[0] == "init" {
		return initialize(args[1:], stdout, stderr)
	}
	o, err := parse(args)
	switch {
	case errors.Is(err, errHelp):
		fmt.Fprint(stdout, helpText(calledAs()))
		return exitDone
	case err != nil:
		return usage(stderr, "", err)
	}
	if o.version {
		fmt.Fprintf(stdout, "echo-gen %s (%s)\n", ownVersion(), runtime.Version())
		return exitDone
	}
	if err := o.checkOutput(); err != nil {
		return fail(stderr, err)
	}
	now, faults, err := compiler.Compile(o.Options)
	if err != nil {
		return fail(stderr, err)
	}
	if len(faults) > 0 {
		report(faults, stderr)
		return exitFault
	}
	report(now.Plan.Warnings.Sorted(), stderr)
	if o.Strict && len(now.Plan.Warnings) > 0 {
		fmt.Fprintln(stderr, "echo-gen: nothing was written, as -strict makes warnings errors")
		return exitFault
	}
	switch {
	case o.dump != "":
		if err := now.Dump(o.dump, stdout); err != nil {
			return fail(stderr, err)
		}
		return exitDone
	case o.diff != "":
		return difference(o, now, stdout, stderr)
	}
	return output(o, now, stderr)
}

// ownVersion is the version of this module in the program.
func ownVersion() string {
	info, ok := debug.ReadBuildInfo()
	if !ok || info.Main.Path != scaffold.Module || info.Main.Version == "" {
		return "(devel)"
	}
	return info.Main.Version
}

// usage tells what is wrong with the command line of a command.
func usage(stderr io.Writer, command string, err error) int {
	fmt.Fprintf(stderr, "echo-gen: %v\nRun '%s%s -help' for usage.\n", err, calledAs(), command)
	return exitUsage
}

// fail tells of an error that ends the run.
func fail(stderr io.Writer, err error) int {
	fmt.Fprintf(stderr, "echo-gen: %v\n", err)
	return exitFault
}

// report prints all faults, one a line; on a terminal each with its line of the file.
func report(faults load.Diagnostics, stderr io.Writer) {
	withSource := isTerminal(stderr)
	for _, d := range faults {
		fmt.Fprintln(stderr, d)
		if withSource && d.Line > 0 && strings.TrimSpace(d.Source) != "" {
			fmt.Fprintf(stderr, "%6d | %s\n", d.Line, strings.TrimSpace(d.Source))
		}
	}
}

// isTerminal reports whether w is a terminal: a character device.
func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}
