package compiler

import (
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/typecheck"
)

// issues is where a fault of the compiler is reported.
const issues = "https://github.com/zenlix/echo-mcp/issues"

// Prove type-checks the Go files. If they do not compile, the compiler is at fault: the
// diagnostics say so, one for each schema that a fault comes from, for what follows from the
// first is of no use to anybody. The error says why nothing could be checked.
func (r *Result) Prove() (load.Diagnostics, error) {
	faults, err := typecheck.Check(r.Files())
	if err != nil {
		return nil, err
	}
	var list load.Diagnostics
	told := map[*load.Schema]bool{}
	for _, f := range faults {
		text := fmt.Sprintf("the Go made from this schema does not compile, which is a fault of the compiler and not of the schema; nothing was written. Please report it with the schema at %s: %s", issues, f)
		if f.Decl != "" {
			text += ", in " + f.Decl
		}
		s := r.madeFrom(f)
		if told[s] {
			continue
		}
		told[s] = true
		if s == nil {
			list = append(list, load.Diagnostic{Path: f.File, Message: text})
			continue
		}
		list = append(list, s.File.At(s.Tok, "%s", text))
	}
	return list.Sorted(), nil
}

// madeFrom finds the schema that a place in the generated code was made from: that of its
// function, or the whole file. It is nil for the registry, which is made from all.
func (r *Result) madeFrom(f typecheck.Fault) *load.Schema {
	var around *load.Schema
	for _, fn := range r.Plan.Funcs {
		if fn.Name == f.Decl || strings.Replace(fn.Name, "check", "recheck", 1) == f.Decl {
			return fn.Schema
		}
		prefix := plan.Prefix(fn.Schema.File)
		if f.File == names.FileBase(prefix, "schema")+".go" || f.File == names.FileBase(prefix, "types")+".go" {
			around = fn.Schema.File.Root()
		}
	}
	return around
}
