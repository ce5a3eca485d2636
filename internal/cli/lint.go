package cli

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/net/http/httpguts"

	"github.com/zenlix/echo-mcp/internal/lint"
	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/internal/server"
)

const lintLong = `Say which well-known client or model API refuses which tool or schema, why, what to do
about it, and where that is written. An API that is sent one tool it can't take refuses the
whole request, and every other tool of the session with it.

What is looked at:

  lint -- COMMAND …    the tools of a server that COMMAND starts on standard input and output
  lint --http URL      the tools of a server over streamable HTTP
  lint FILE|FOLDER …   schemas in files (in a folder, *.json without its sub-folders), each as
                       the input schema of a tool, as it stands
  lint                 the tools of {program} itself, typed tools included

An error is refused by somebody; a warning is taken, but something is lost. Rules that hold
only in the strict modes of model APIs, which few clients turn on, count with --strict.

--fix edits FILEs where that does not change what a schema means: it adds "properties": {}
at the root, "items": {} to an array, and the types of a parameter that may be anything.
What it can't mend is printed.

Each finding names the tool, or FILE:LINE:COLUMN, and the place in the schema. With --json
there is one object a line instead, with --sarif a SARIF 2.1.0 log for code scanning.

Exit codes: 0 nothing found, 1 something found, 2 wrong usage, 3 a file can't be read, or
written by --fix, or is not JSON, 4 no server answers (the end of its standard error is
printed).`

// lintFlags are the flags of lint.
type lintFlags struct {
	url              string
	headers          []string
	timeout          time.Duration
	fix, json, sarif bool
	rules            modelapi.Options
}

func newLint(p Program) *cobra.Command {
	var flags lintFlags
	cmd := &cobra.Command{
		Use:   "lint [FILE|FOLDER… | --http URL | -- COMMAND…]",
		Short: "Say which clients and model APIs refuse a server's tools, or schemas",
		Long:  lintLong,
		Example: `  {program} lint -- npx -y @modelcontextprotocol/server-everything
  {program} lint --http https://mcp.example.com/mcp --header 'Authorization: Bearer TOKEN'
  {program} lint --fix schemas
  {program} lint --sarif schemas > lint.sarif`,
		Args: cobra.ArbitraryArgs,
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		paths, command := args, []string(nil)
		dash := cmd.ArgsLenAtDash()
		if dash >= 0 {
			paths, command = args[:dash], args[dash:]
		}
		if err := flags.check(paths, command, dash >= 0); err != nil {
			return &exitError{exitUsage, err}
		}
		if len(paths) > 0 {
			return flags.files(cmd, p, paths)
		}
		return flags.tools(cmd, p, command)
	})
	f := cmd.Flags()
	f.StringVar(&flags.url, "http", "", "look at the tools of the server at `URL`")
	f.StringArrayVar(&flags.headers, "header", nil, "send `HEADER`, such as 'Authorization: Bearer TOKEN', with --http (repeatable)")
	f.DurationVar(&flags.timeout, "timeout", time.Minute, "wait `TIME` for a server's list of tools")
	f.BoolVar(&flags.fix, "fix", false, "edit FILEs where that is safe")
	f.BoolVar(&flags.rules.Strict, "strict", false, "add the rules of the strict modes of model APIs")
	f.BoolVar(&flags.json, "json", false, "print one JSON object for each finding")
	f.BoolVar(&flags.sarif, "sarif", false, "print a SARIF 2.1.0 log")
	cmd.MarkFlagsMutuallyExclusive("json", "sarif")
	return cmd
}

// check says what is wrong with the command line.
func (l *lintFlags) check(paths, command []string, dashed bool) error {
	given := 0
	for _, is := range []bool{len(paths) > 0, dashed, l.url != ""} {
		if is {
			given++
		}
	}
	switch {
	case given > 1:
		return errors.New("lint looks at one thing: give FILEs, or --http URL, or a command after --")
	case dashed && len(command) == 0:
		return errors.New("give the command that starts a server after --, such as lint -- npx -y NAME")
	case l.fix && len(paths) == 0:
		return errors.New("--fix edits FILEs; name them, or the folder with them")
	case len(l.headers) > 0 && l.url == "":
		return errors.New("--header is sent with --http; give --http URL")
	case l.timeout <= 0:
		return fmt.Errorf("--timeout %s: must be more than 0", l.timeout)
	}
	for _, path := range paths {
		if strings.HasPrefix(path, "http://") || strings.HasPrefix(path, "https://") {
			return fmt.Errorf("%s is a URL; did you mean --http %[1]s?", path)
		}
	}
	if l.url != "" {
		if u, err := url.Parse(l.url); err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
			return fmt.Errorf("--http %s: must be a URL such as http://127.0.0.1:3000/mcp", l.url)
		}
	}
	_, err := l.header()
	return err
}

// header are the headers of --header.
func (l *lintFlags) header() (map[string]string, error) {
	headers := map[string]string{}
	for _, line := range l.headers {
		name, value, ok := strings.Cut(line, ":")
		value = strings.TrimSpace(value)
		// The value may be a secret, so it is not repeated.
		if !ok || !httpguts.ValidHeaderFieldName(name) || !httpguts.ValidHeaderFieldValue(value) {
			return nil, errors.New("--header: must be a name, a colon and a value, such as 'Authorization: Bearer TOKEN'")
		}
		headers[http.CanonicalHeaderKey(name)] = value
	}
	return headers, nil
}

// files looks at schemas in files.
func (l *lintFlags) files(cmd *cobra.Command, p Program, paths []string) error {
	files, err := lint.Files(paths)
	if err != nil {
		if _, program := exec.LookPath(paths[0]); program == nil {
			err = fmt.Errorf("%w; to look at a server that %q starts, put -- before it", err, paths[0])
		}
		return &exitError{exitInput, err}
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
func (l *lintFlags) tools(cmd *cobra.Command, p Program, command []string) error {
	ctx, stop := signal.NotifyContext(cmd.Context(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	ctx, cancel := context.WithTimeout(ctx, l.timeout)
	defer cancel()
	var (
		tools []modelapi.Tool
		err   error
	)
	switch {
	case l.url != "":
		headers, _ := l.header()
		tools, err = lint.HTTP(ctx, l.url, headers)
	case len(command) > 0:
		tools, err = lint.Command(ctx, command)
	default:
		tools, err = p.ownTools(ctx)
	}
	var unreachable *lint.UnreachableError
	if errors.As(err, &unreachable) {
		p.report(cmd.ErrOrStderr(), err)
		if unreachable.Stderr != "" {
			fmt.Fprintf(cmd.ErrOrStderr(), "The server said last:\n  %s\n", strings.ReplaceAll(unreachable.Stderr, "\n", "\n  "))
		}
		return &exitError{code: exitUnreachable}
	}
	if err != nil {
		return err
	}
	return l.print(cmd, p, counts(len(tools), "tool"), lint.Tools(tools, l.rules))
}

// ownTools are the tools of this program, those included that it leaves out when it serves as
// they would be refused.
func (p Program) ownTools(ctx context.Context) ([]modelapi.Tool, error) {
	offered := p.Tools
	offered.Typed = true
	tools, err := lint.Served(ctx, server.New(p.Registry, p.Server, offered).Connect)
	for _, s := range p.Registry.Schemas() {
		if s.Tool != "" && !slices.ContainsFunc(tools, func(t modelapi.Tool) bool { return t.Name == s.Tool }) {
			tools = append(tools, server.TypedTool(s))
		}
	}
	for i := range tools {
		tools[i].Prefix = "mcp__" + p.clientName() + "__"
	}
	return tools, err
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
