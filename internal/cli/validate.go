package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/validate"
	"github.com/zenlix/echo-mcp/mcpkit/catalog"
)

const validateLong = `Check documents against a compiled schema, or against the schema of a tool in a catalogue
that {program} catalog wrote: with --catalog FILE --tool NAME the arguments for that tool, with
--output its structured result.

Each FILE is one JSON document, or with --jsonl one document a line; "-", or no FILE at all, is
standard input. What begins with { or [ and is no file is taken as the document itself.

Each fault is one line, FILE:LINE:COLUMN: /pointer: message, where the pointer leads to the
member concerned. With --json there is one object for each document instead:

  {"file":"a.json","valid":false,"details":[{"path":"/stage","message":"is required",…}]}
  {"line":7,"valid":true,"details":[]}                                   (with --jsonl)

With several FILEs and --jsonl the object has "file" too. A document that is not JSON, is
too long, or nests too deep is one fault whose message says so. Blank lines are counted as
lines and skipped. A summary goes to standard error; it counts the FILEs that could not be
read as well.

The schema __schemaless__ asks for nothing but JSON.

One document may cost so much work. If that does not suffice for a verdict (patterns with
back-references can need any amount) the fault says "can't be decided" and the object has
"undecided":true. If it does not suffice for finding all faults the object has
"incomplete":true.

Exit codes: 0 all valid, 1 some invalid, 2 wrong usage, or unknown schema or tool, 3 some
input can't be read, is not JSON, or can't be decided; 3 also where others are invalid.`

// validateFlags are the flags of validate.
type validateFlags struct {
	id      string
	catalog string
	tool    string
	output  bool
	lines   bool
	options validate.Options
}

func newValidate(p Program) *cobra.Command {
	flags := new(validateFlags)
	cmd := &cobra.Command{
		Use:   "validate (--schema ID | --catalog FILE --tool NAME) [FILE…]",
		Short: "Check JSON documents against a schema",
		Long:  validateLong,
		Example: `  {program} validate --schema {schema} message.json
  zcat recorded.jsonl.gz | {program} validate --schema {schema} --jsonl --json
  {program} validate --catalog catalog.json --tool search '{"query":"go"}'`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, files []string) error {
		if err := checkLimits(cmd.Flags(), map[string]int64{"max-bytes": math.MaxInt32, "max-depth": transport.MaxDepthCeiling}); err != nil {
			return err
		}
		if err := flags.check(cmd); err != nil {
			return &exitError{exitUsage, err}
		}
		if err := flags.find(cmd, p, files); err != nil {
			return err
		}
		if len(files) == 0 {
			files = []string{"-"}
		}
		flags.options.NameFiles = len(files) > 1
		return p.validateFiles(cmd, files, flags.lines, flags.options)
	})
	f := cmd.Flags()
	f.StringVar(&flags.id, "schema", "", "`ID` of the schema ({program} schemas lists them)")
	f.StringVar(&flags.catalog, "catalog", "", "take the schema of a tool in `FILE`, which {program} catalog wrote")
	f.StringVar(&flags.tool, "tool", "", "`NAME` of the tool in the catalogue")
	f.BoolVar(&flags.output, "output", false, "check structured results of the tool instead of its arguments")
	f.BoolVar(&flags.lines, "jsonl", false, "each line is a document")
	f.BoolVar(&flags.options.JSON, "json", false, "print one JSON object for each document")
	f.IntVar(&flags.options.MaxBytes, "max-bytes", validate.DefaultMaxBytes, "refuse documents of more than `N` bytes")
	f.IntVar(&flags.options.MaxDepth, "max-depth", jsontape.DefaultMaxDepth, "refuse documents whose arrays and objects nest deeper than `N`")
	cmd.MarkFlagsMutuallyExclusive("schema", "catalog")
	must(cmd.RegisterFlagCompletionFunc("schema", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return append(ids(p.Registry), echo.Schemaless), cobra.ShellCompDirectiveNoFileComp
	}))
	must(cmd.RegisterFlagCompletionFunc("tool", func(cmd *cobra.Command, _ []string, _ string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return flags.toolNames(cmd.InOrStdin()), cobra.ShellCompDirectiveNoFileComp
	}))
	return cmd
}

// check says what is wrong with the flags.
func (v *validateFlags) check(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	switch {
	case !given("schema") && !given("catalog"):
		return fmt.Errorf("%s needs --schema ID, the ID of the schema, or --catalog FILE with --tool NAME", cmd.CommandPath())
	case given("schema") && (given("tool") || v.output):
		return errors.New("--tool and --output go with --catalog FILE")
	case given("catalog") && !given("tool"):
		return errors.New("--catalog needs --tool NAME, the name of a tool in it")
	}
	return nil
}

// find finds the schema.
func (v *validateFlags) find(cmd *cobra.Command, p Program, files []string) (err error) {
	switch {
	case v.catalog == "" && v.id == echo.Schemaless:
		return nil
	case v.catalog == "":
		v.options.Schema, err = p.lookup(v.id)
		return err
	case v.catalog == "-" && (len(files) == 0 || slices.Contains(files, "-")):
		return &exitError{exitUsage, errors.New("the catalogue and a document can't both be standard input; name the file of one")}
	}
	c, err := readCatalog(v.catalog, cmd.InOrStdin())
	if err != nil {
		return &exitError{exitInput, err}
	}
	tool := c.Find(catalog.Tool, v.tool)
	if tool == nil {
		names := catalogTools(c)
		why := fmt.Errorf("the catalogue has no tool %q", v.tool)
		if nearest := near.Names(v.tool, names); len(nearest) > 0 {
			why = fmt.Errorf("%w; did you mean %q?", why, nearest[0])
		}
		return &exitError{exitUsage, why}
	}
	side, schema := "arguments", tool.Detail.Input
	if v.output {
		side, schema = "results", tool.Detail.Output
	}
	v.options.Schema, err = schema.Compiled()
	switch {
	case errors.Is(err, catalog.ErrNoSchema):
		return &exitError{exitUsage, fmt.Errorf("the tool %q has no schema for its %s", v.tool, side)}
	case err != nil:
		return &exitError{exitInput, fmt.Errorf("the %s of the tool %q can't be checked: %w", side, v.tool, err)}
	}
	return nil
}

// toolNames are the names of the tools in the catalogue, none where it can't be read.
func (v *validateFlags) toolNames(stdin io.Reader) []string {
	if v.catalog == "" || v.catalog == "-" {
		return nil
	}
	c, err := readCatalog(v.catalog, stdin)
	if err != nil {
		return nil
	}
	return catalogTools(c)
}

func catalogTools(c *catalog.Catalog) []string {
	var names []string
	for _, item := range c.Items {
		if item.Type == catalog.Tool {
			names = append(names, item.Name)
		}
	}
	return names
}

// validateFiles checks one file after the other, also after one that can't be read.
func (p Program) validateFiles(cmd *cobra.Command, files []string, lines bool, o validate.Options) error {
	stderr := cmd.ErrOrStderr()
	var progress *validate.Progress
	if lines {
		progress = validate.NewProgress(stderr, totalSize(files), os.Getenv)
	}
	run := validate.New(progress.Writer(cmd.OutOrStdout()), o)
	check := run.Document
	if lines {
		check = run.Lines
	}
	unreadable := 0
	for _, name := range files {
		label, err := name, error(nil)
		if text := documentItself(name); text != "" {
			label = "argument"
			err = check(label, strings.NewReader(text))
		} else {
			err = withFile(name, cmd.InOrStdin(), func(in io.Reader) error { return check(name, progress.Reader(in)) })
		}
		if writing := run.Flush(); writing != nil {
			return writing
		}
		if err != nil {
			unreadable++
			fmt.Fprintf(progress.Writer(stderr), "%s: %v\n", p.Name, readFault(label, err))
		}
	}
	totals := run.Totals()
	totals.Unreadable = unreadable
	fmt.Fprintln(progress.Writer(stderr), totals)
	switch {
	case totals.Unreadable > 0 || totals.NotJSON > 0 || totals.Undecided > 0:
		return &exitError{code: exitInput}
	case totals.Invalid > 0:
		return &exitError{code: exitNo}
	}
	return nil
}

// documentItself is the argument where it is no file but looks like a JSON document, else "".
func documentItself(argument string) string {
	if text := strings.TrimSpace(argument); !strings.HasPrefix(text, "{") && !strings.HasPrefix(text, "[") {
		return ""
	}
	if _, err := os.Lstat(argument); err == nil {
		return ""
	}
	return argument
}

// withFile opens the file, or takes stdin for "-".
func withFile(name string, stdin io.Reader, use func(io.Reader) error) error {
	if name == "-" {
		return use(stdin)
	}
	f, err := os.Open(name)
	if err != nil {
		return err
	}
	defer f.Close()
	return use(f)
}

// readFault says what is in the way of reading a file.
func readFault(name string, err error) error {
	var path *os.PathError
	switch {
	case errors.Is(err, syscall.EISDIR):
		return fmt.Errorf("%s: can't be read: it is a folder; name the files in it", name)
	case errors.As(err, &path):
		return fmt.Errorf("%s: can't be read: %w", name, path.Err)
	}
	return fmt.Errorf("%s: can't be read: %w", name, err)
}

// totalSize is the size of all files, or -1 where it can't be known before reading.
func totalSize(files []string) int64 {
	var total int64
	for _, name := range files {
		info, err := os.Stat(name)
		if name == "-" || err != nil || !info.Mode().IsRegular() {
			return -1
		}
		total += info.Size()
	}
	return total
}
