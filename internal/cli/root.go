package cli

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

const rootLong = `{program} validates structured messages that agents send through MCP tool calls and
returns them unchanged, byte for byte. The schemas are compiled into the binary.

Without arguments it serves MCP on standard input and output, as "{program} serve" does.

Data goes to standard output, everything else to standard error.

Exit codes:
  0  good
  1  the answer is no: a document is invalid, a tool has failed, the server could not serve
  2  the command line is wrong
  3  input can't be read or is not JSON
  4  another server can't be reached, has died or does not answer
  5  another server rejects a request`

func (p Program) newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   p.Name,
		Short: "Typed, validated messages through ordinary MCP tool calls",
		Long:  rootLong,
		Example: `  {program}
  {program} serve --http 127.0.0.1:3000
  {program} validate --schema {schema} message.json`,
		Version:       p.versionLine(),
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return errors.New("name a command")
			}
			return unknownCommand(cmd, args[0])
		},
	}
	root.SetVersionTemplate("{{.Version}}\n")
	root.SetUsageFunc(usage)
	root.AddCommand(newServe(p), newDev(p), newSchemas(p), newSchema(p), newValidate(p), newExtract(p), newLint(p), newTools(p), newCall(p), newResources(p), newRead(p), newPrompts(p), newPrompt(p), newInfo(p), newCatalog(p), newRPC(p), newInstall(p), newUninstall(p), newImport(p), newVersion(p))
	root.InitDefaultVersionFlag()
	root.InitDefaultHelpCmd()
	root.InitDefaultCompletionCmd()
	for _, c := range root.Commands() {
		switch c.Name() {
		case "help":
			finishHelp(c)
		case "completion":
			finishCompletion(c)
		}
	}
	wordArguments(root)
	p.complete(root)
	return root
}

// finishHelp makes an unknown topic an error.
func finishHelp(c *cobra.Command) {
	c.Example = "  {program} help validate"
	c.Args = func(cmd *cobra.Command, args []string) error {
		if topic, rest, err := cmd.Root().Find(args); err != nil || topic == nil || len(rest) > 0 {
			return &exitError{exitUsage, unknownCommand(cmd.Root(), strings.Join(args, " "))}
		}
		return nil
	}
}

// finishCompletion makes an unknown shell, or none, an error.
func finishCompletion(c *cobra.Command) {
	c.Example = "  source <({program} completion bash)"
	c.Args = cobra.NoArgs
	c.RunE = func(cmd *cobra.Command, _ []string) error {
		return errors.New(cmd.CommandPath() + " needs the name of a shell: bash, zsh, fish or powershell")
	}
	for _, shell := range c.Commands() {
		shell.Example = "  {program} completion " + shell.Name()
	}
}

// does makes a command's RunE of f. Errors of f that don't decide the exit code themselves
// mean that the answer is no.
func does(f func(cmd *cobra.Command, args []string) error) func(*cobra.Command, []string) error {
	return func(cmd *cobra.Command, args []string) error {
		err := f(cmd, args)
		var exit *exitError
		if err == nil || errors.As(err, &exit) {
			return err
		}
		return &exitError{exitNo, err}
	}
}

// checkLimits refuses limits that would let nothing through, where the packages below take
// them for "as usual", and those that would let through what ends the process.
func checkLimits(given *pflag.FlagSet, ceilings map[string]int64) error {
	for _, name := range slices.Sorted(maps.Keys(ceilings)) {
		flag := given.Lookup(name)
		v, ceiling := flag.Value.String(), strconv.FormatInt(ceilings[name], 10)
		n, err := strconv.ParseInt(v, 10, 64)
		if flag.Value.Type() == "duration" {
			var d time.Duration
			d, err = time.ParseDuration(v)
			n, ceiling = int64(d), time.Duration(ceilings[name]).String()
		}
		switch {
		case err != nil: // pflag has read it
			return err
		case n <= 0 && (flag.Changed || flag.DefValue != "0"):
			return &exitError{exitUsage, fmt.Errorf("--%s %s: must be more than 0", name, v)}
		case n > ceilings[name]:
			return &exitError{exitUsage, fmt.Errorf("--%s %s: must not be more than %s", name, v, ceiling)}
		}
	}
	return nil
}

// must is for wiring that can fail only where this package names a flag it doesn't have.
func must(err error) {
	if err != nil {
		panic(err) //nolint:forbidigo // a mistake of the programmer that every test meets
	}
}
