package cli

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/builtin"
	"github.com/zenlix/echo-mcp/internal/validate"
)

const importLong = `Split the configuration of the original Echo MCP, {"schemas": [{"schema_id", "description",
"schema"}…]}, into the files of a schema folder: one file for each message type. FILE "-" is
standard input.

Each file holds the bytes of its schema; the description becomes its first member where it
has none. An id is the name of its file; what can't stand in a file name is written as %XX,
so a/b is a%2Fb.json. The paths are printed.

Faults are all reported, as FILE:LINE:COLUMN: /pointer: what is wrong, and then nothing is
written. Run "go generate ./..." afterwards: it checks the schemas themselves.

Exit codes: 0 written; 1 the configuration has faults, or files are there already and hold
something else; 2 wrong usage; 3 FILE can't be read or is not JSON.`

func newImport(p Program) *cobra.Command {
	var (
		dir   string
		force bool
	)
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Split the original's builtin-schemas.json into a schema folder",
		Long:  importLong,
		Example: `  {program} import config/builtin-schemas.json
  {program} import builtin-schemas.json --dir schemas --force`,
		Args: cobra.ExactArgs(1),
	}
	cmd.RunE = does(func(cmd *cobra.Command, args []string) error {
		var config []byte
		err := withFile(args[0], cmd.InOrStdin(), func(r io.Reader) (err error) {
			config, err = io.ReadAll(r)
			return err
		})
		if err != nil {
			return &exitError{exitInput, readFault(args[0], err)}
		}
		files, err := builtin.Split(config)
		if err != nil {
			return importFaults(cmd.ErrOrStderr(), args[0], config, err)
		}
		if err := builtin.Write(dir, files, force); err != nil {
			return err
		}
		for _, f := range files {
			if f.Note != "" {
				fmt.Fprintf(cmd.ErrOrStderr(), "%s: %s: %s\n", p.Name, f.ID, f.Note)
			}
			if _, err := fmt.Fprintln(cmd.OutOrStdout(), filepath.Join(dir, f.Name)); err != nil {
				return err
			}
		}
		return nil
	})
	f := cmd.Flags()
	f.StringVar(&dir, "dir", "schemas", "the schema folder `DIR`")
	f.BoolVar(&force, "force", false, "overwrite files that hold something else")
	return cmd
}

// importFaults prints what is wrong with a configuration, one fault a line.
func importFaults(stderr io.Writer, name string, config []byte, err error) error {
	var syntax *jsontape.SyntaxError
	if errors.As(err, &syntax) {
		line, column := jsontape.Position(config, syntax.Offset)
		fmt.Fprintf(stderr, "%s:%d:%d: %s\n", name, line, column, validate.Wording(syntax))
		return &exitError{code: exitInput}
	}
	var faults builtin.Faults
	if !errors.As(err, &faults) {
		return err
	}
	for _, f := range faults {
		fmt.Fprintf(stderr, "%s:%s\n", name, f)
	}
	return &exitError{code: exitNo}
}
