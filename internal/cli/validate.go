package cli

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/validate"
)

const validateLong = `Check documents against a compiled schema. Each FILE is one JSON document, or with --jsonl
one document a line; "-", or no FILE at all, is standard input.

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

Exit codes: 0 all valid, 1 some invalid, 2 wrong usage or unknown schema, 3 some input
can't be read, is not JSON, or can't be decided; 3 also where others are invalid.`

func newValidate(p Program) *cobra.Command {
	var (
		id    string
		lines bool
		o     validate.Options
	)
	cmd := &cobra.Command{
		Use:   "validate --schema ID [FILE…]",
		Short: "Check JSON documents against a schema",
		Long:  validateLong,
		Example: `  {program} validate --schema {schema} message.json
  zcat recorded.jsonl.gz | {program} validate --schema {schema} --jsonl --json`,
	}
	cmd.RunE = does(func(cmd *cobra.Command, files []string) error {
		if err := checkLimits(cmd.Flags(), map[string]int64{"max-bytes": math.MaxInt32, "max-depth": transport.MaxDepthCeiling}); err != nil {
			return err
		}
		if id != echo.Schemaless {
			var err error
			if o.Schema, err = p.lookup(id); err != nil {
				return err
			}
		}
		if len(files) == 0 {
			files = []string{"-"}
		}
		o.NameFiles = len(files) > 1
		return p.validateFiles(cmd, files, lines, o)
	})
	f := cmd.Flags()
	f.StringVar(&id, "schema", "", "`ID` of the schema ({program} schemas lists them)")
	f.BoolVar(&lines, "jsonl", false, "each line is a document")
	f.BoolVar(&o.JSON, "json", false, "print one JSON object for each document")
	f.IntVar(&o.MaxBytes, "max-bytes", validate.DefaultMaxBytes, "refuse documents of more than `N` bytes")
	f.IntVar(&o.MaxDepth, "max-depth", jsontape.DefaultMaxDepth, "refuse documents whose arrays and objects nest deeper than `N`")
	must(cmd.MarkFlagRequired("schema"))
	must(cmd.RegisterFlagCompletionFunc("schema", func(*cobra.Command, []string, string) ([]cobra.Completion, cobra.ShellCompDirective) {
		return append(ids(p.Registry), echo.Schemaless), cobra.ShellCompDirectiveNoFileComp
	}))
	return cmd
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
		err := withFile(name, cmd.InOrStdin(), func(in io.Reader) error { return check(name, progress.Reader(in)) })
		if writing := run.Flush(); writing != nil {
			return writing
		}
		if err != nil {
			unreadable++
			fmt.Fprintf(progress.Writer(stderr), "%s: %v\n", p.Name, readFault(name, err))
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
