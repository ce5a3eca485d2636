package compiler

import (
	"fmt"
	"io"

	"github.com/zenlix/echo-mcp/gen/internal/types"
)

// Stages are the stages of the compiler that Dump prints, in their order: what the schemas
// say, what the checks want, how they find it out, and the Go types.
func Stages() []string { return []string{"facts", "plan", "code", "types"} }

// Dump prints a stage for people.
func (r *Result) Dump(stage string, w io.Writer) error {
	switch stage {
	case "facts":
		return r.known.Dump(w)
	case "plan":
		return r.Plan.Dump(w)
	case "code":
		return r.Program.Dump(w)
	case "types":
		return types.Dump(w, r.known, r.types)
	}
	return fmt.Errorf("there is no stage %q", stage)
}
