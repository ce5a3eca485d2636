package gen

import (
	"fmt"
	"io"

	"github.com/zenlix/echo-mcp/gen/internal/compiler"
	"github.com/zenlix/echo-mcp/gen/internal/diff"
)

// difference prints what changed since the schemas in o.diff, one change a line.
func difference(o options, now *compiler.Result, stdout, stderr io.Writer) int {
	older := o.Options
	older.Load.Dir = o.diff
	before, code := compile(older, stderr)
	if before == nil {
		return code
	}
	changes, err := diff.Compare(diff.Version{Plan: before.Plan, Types: before.Types}, diff.Version{Plan: now.Plan, Types: now.Types})
	if err != nil {
		return fail(stderr, err)
	}
	code = exitDone
	for _, c := range changes {
		fmt.Fprintf(stdout, "%s: %s: %s\n", c.Schema, c.Kind, c.Text)
		if c.Kind.Breaking() {
			code = exitFault
		}
	}
	return code
}
