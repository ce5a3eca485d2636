package gen

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/compiler"
	"github.com/zenlix/echo-mcp/gen/internal/diff"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// difference prints what changed since the schemas in o.diff, one change a line.
func difference(o options, now *compiler.Result, stdout, stderr io.Writer) int {
	before, faults, err := older(o, stderr)
	var changes []diff.Change
	if err == nil && len(faults) == 0 {
		changes, err = diff.Compare(diff.Version{Plan: before.Plan, Types: before.Types}, diff.Version{Plan: now.Plan, Types: now.Types})
	}
	switch {
	case err != nil:
		return fail(stderr, err)
	case len(faults) > 0:
		report(faults, stderr)
		return exitFault
	}
	code := exitDone
	for _, c := range changes {
		fmt.Fprintf(stdout, "%s: %s: %s\n", cmp.Or(c.Schema, "client"), c.Kind, c.Text)
		if c.Kind.Breaking() {
			code = exitFault
		}
	}
	return code
}

// older compiles the schemas to compare with: those in a folder, or those of a revision.
func older(o options, stderr io.Writer) (*compiler.Result, load.Diagnostics, error) {
	old := o.Options
	name, isRevision := strings.CutPrefix(o.diff, gitPrefix)
	source, checkOut := &old.Load.Dir, checkOut
	if o.Catalog != "" {
		source, checkOut = &old.Catalog, checkOutCatalog
	}
	if !isRevision {
		*source = o.diff
		return compiler.Compile(old)
	}
	r, err := checkOut(*source, name)
	defer os.RemoveAll(r.temp)
	if err != nil {
		return nil, nil, err
	}
	if r.none {
		fmt.Fprintf(stderr, "echo-gen: %s is not there yet, so everything is new\n", r.name)
	}
	*source = r.path
	result, faults, err := compiler.Compile(old)
	for i, d := range faults {
		faults[i].Path = strings.ReplaceAll(d.Path, r.path, r.name)
		faults[i].Message = strings.ReplaceAll(d.Message, r.path, r.name)
	}
	return result, faults, err
}
