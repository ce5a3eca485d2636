package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/internal/lint"
	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

const lintLong = `Say which well-known client or model API refuses which tool or schema, why, what to do
about it, and where that is written. An API that is sent one tool it can't take refuses the
whole request, and every other tool of the session with it.

What is looked at:

  lint FILE|FOLDER …   schemas in files (in a folder, *.json without its sub-folders), each as
                       the input schema of a tool, as it stands
  lint [TARGET]        the tools of a server; of {program} itself typed tools included

` + targetHelp + `

An error is refused by somebody; a warning is taken, but something is lost. Rules that hold
only in the strict modes of model APIs, which few clients turn on, count with --strict.

--fix edits FILEs where that does not change what a schema means: it adds "properties": {}
at the root, "items": {} to an array, and the types of a parameter that may be anything.
What it can't mend is printed.

Each finding names the tool, or FILE:LINE:COLUMN, and the place in the schema. With --json
there is one object a line instead, with --sarif a SARIF 2.1.0 log for code scanning.

Exit codes:
  0  nothing found
  1  something found` + targetExits + `

A file that --fix can't write is 3, too.`

// lintFlags are the flags of lint.
type lintFlags struct {
	target           target
	fix, json, sarif bool
	rules            modelapi.Options
}

func newLint(p Program) *cobra.Command {
	flags := lintFlags{target: target{program: p}}
	cmd := &cobra.Command{
		Use:   "lint [FILE|FOLDER…] [TARGET]",
		Short: "Say which clients and model APIs refuse a server's tools, or schemas",
		Long:  lintLong,
		Example: `  {program} lint -- npx -y @modelcontextprotocol/server-everything
  {program} lint --http https://mcp.example.com/mcp --header 'Authorization: Bearer TOKEN'
  {program} lint --fix schemas
  {program} lint --sarif schemas > lint.sarif`,
		Args: cobra.ArbitraryArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		paths, err := flags.target.split(cmd, args)
		if err != nil {
			return err
		}
		if err := flags.check(paths); err != nil {
			return &exitError{exitUsage, err}
		}
		if len(paths) > 0 {
			return flags.files(cmd, p, paths)
		}
		return flags.tools(cmd, p)
	})
	f := cmd.Flags()
	f.BoolVar(&flags.fix, "fix", false, "edit FILEs where that is safe")
	f.BoolVar(&flags.rules.Strict, "strict", false, "add the rules of the strict modes of model APIs")
	f.BoolVar(&flags.json, "json", false, "print one JSON object for each finding")
	f.BoolVar(&flags.sarif, "sarif", false, "print a SARIF 2.1.0 log")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif")
	flags.target.register(cmd)
	return cmd
}

// check says what is wrong with the command line, beside the target.
func (l *lintFlags) check(paths []string) error {
	switch {
	case len(paths) > 0 && l.target.given():
		return errors.New("lint looks at one thing: give FILEs, or a server")
	case l.fix && len(paths) == 0:
		return errors.New("--fix edits FILEs; name them, or the folder with them")
	}
	for _, path := range paths {
		if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
			return fmt.Errorf("%s is a URL; did you mean --http %[1]s?", path)
		}
	}
	return nil
}

// files looks at schemas in files.
func (l *lintFlags) files(cmd *cobra.Command, p Program, paths []string) error {
	files, err := lint.Files(paths)
	if err != nil {
		return &exitError{exitInput, fmt.Errorf("%w%s", err, startsServer(cmd, paths[:1]))}
	}
	var found []lint.Finding
	for i := range files {
		if l.fix {
			if places := files[i].Mend(l.rules); places > 0 {
				if err := files[i].Write(); err != nil {
					return &exitError{exitInput, err}
				}
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: mended %s\n", files[i].Name, counts(places, "place"))
			}
		}
		found = append(found, files[i].Lint(l.rules)...)
	}
	return l.print(cmd, p, counts(len(files), "schema"), found)
}

// tools looks at the tools of a server.
func (l *lintFlags) tools(cmd *cobra.Command, p Program) error {
	own := !l.target.given() || l.target.self
	if own {
		l.target.program.Tools.Typed = true
	}
	var tools []modelapi.Tool
	err := l.target.use(cmd, func(ctx context.Context, s *client.Session) error {
		listed, err := s.Tools(ctx)
		var rejected *client.Error
		if errors.As(err, &rejected) && rejected.Code == codeMethodNotFound {
			return nil // a server without tools
		}
		for _, tool := range listed {
			tools = append(tools, modelapi.Tool{Name: tool.Name, Description: tool.Description, Input: tool.InputSchema, Output: tool.OutputSchema})
		}
		return err
	})
	if err != nil {
		return err
	}
	if own {
		tools = p.withTypedTools(tools)
	}
	return l.print(cmd, p, counts(len(tools), "tool"), lint.Tools(tools, l.rules))
}

// withTypedTools adds to this program's tools those that it leaves out when it serves, as they
// would be refused.
func (p Program) withTypedTools(tools []modelapi.Tool) []modelapi.Tool {
	for _, s := range p.Registry.Schemas() {
		if s.Tool != "" && !slices.ContainsFunc(tools, func(t modelapi.Tool) bool { return t.Name == s.Tool }) {
			tools = append(tools, server.TypedTool(s))
		}
	}
	for i := range tools {
		tools[i].Prefix = "mcp__" + p.clientName() + "__"
	}
	return tools
}

// print prints findings, and a summary to standard error.
func (l *lintFlags) print(cmd *cobra.Command, p Program, looked string, found []lint.Finding) error {
	var err error
	switch out := cmd.OutOrStdout(); {
	case l.json:
		err = lint.PrintJSON(out, found)
	case l.sarif:
		err = lint.PrintSARIF(out, found, p.Name, p.version())
	default:
		err = lint.PrintText(out, found)
	}
	if err != nil {
		return err
	}
	if len(found) == 0 {
		fmt.Fprintf(cmd.ErrOrStderr(), "%s, nothing found\n", looked)
		return nil
	}
	refused := 0
	for _, f := range found {
		if f.Rule.Level == modelapi.Refused {
			refused++
		}
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "%s, %s, %s\n", looked, counts(refused, "error"), counts(len(found)-refused, "warning"))
	return &exitError{code: exitNo}
}

// counts is a number with its noun.
func counts(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
