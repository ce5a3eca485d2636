// Package compiler is the way from JSON Schemas, in a folder or in a catalogue of tools, to the Go
// made from them: load the schemas, plan what to check, derive the types, print both.
package compiler

import (
	"maps"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/bundle"
	"github.com/zenlix/echo-mcp/gen/internal/emit"
	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
	"github.com/zenlix/echo-mcp/gen/internal/types"
)

// Options say what to compile and how.
type Options struct {
	// Load names the folder of the schemas, their default dialect and what lies outside.
	Load load.Options
	// Catalog is the file of a catalogue of tools, whose schemas are compiled instead of a folder's;
	// "" is none.
	Catalog string
	// Strict makes a tool of the catalogue that can't be compiled a fault. Else it is left out, with
	// a warning.
	Strict bool
	// AssertFormat makes format an assertion. By default it is an annotation, as the
	// specification says.
	AssertFormat bool
	// ExactNumbers makes every number a json.Number, which keeps its digits.
	ExactNumbers bool
	// NoTypes leaves out the Go types: there are validators and the registry alone.
	NoTypes bool
	// Package is the name of the generated package.
	Package string
	// Only leaves out the message types that are made of none of these files, which are named
	// relative to the schema folder, with slashes. Faults are told all the same. Empty leaves out
	// none.
	Only []string
	// Flags is what the registry's file records of the command line.
	Flags string
}

// Result is what becomes of a folder of schemas.
type Result struct {
	Plan    *plan.Plan
	Program *program.Program
	// Checks and Types are Go files by name: the validators with the registry, and the types.
	Checks, Types map[string][]byte
	// Tools is how many tools of a catalogue have a method.
	Tools int

	known *facts.Facts
	types types.Options
}

// Files gives all Go files by name.
func (r *Result) Files() map[string][]byte {
	files := maps.Clone(r.Checks)
	maps.Copy(files, r.Types)
	return files
}

// Compile compiles the schemas. It lists all faults that it finds in them, sorted; then there is
// no result. The warnings stand in the plan. An error is one of the compiler itself.
func Compile(o Options) (*Result, load.Diagnostics, error) {
	if o.Catalog != "" {
		return compileCatalog(o)
	}
	graph, faults := load.Load(o.Load)
	if len(o.Only) > 0 {
		graph.Messages = slices.DeleteFunc(graph.Messages, func(m *load.Message) bool {
			files := m.Files()
			return !slices.ContainsFunc(o.Only, func(name string) bool { return files[name] })
		})
	}
	known := facts.Of(graph)
	p, more := plan.Build(known, plan.Options{AssertFormat: o.AssertFormat})
	bundles, clashes, warnings := bundle.All(graph)
	if faults = append(append(faults, more...), clashes...); len(faults) > 0 {
		return nil, faults.Sorted(), nil
	}
	p.Warnings = append(append(p.Warnings, graph.Warnings...), warnings...)
	checks := newCheckNames(p)
	typing := types.Options{Package: o.Package, ExactNumbers: o.ExactNumbers, Check: checks.of}
	var models map[string][]byte
	var roots map[string]string
	if !o.NoTypes {
		models, roots, faults = types.Render(known, typing)
		if len(faults) > 0 {
			return nil, faults, nil
		}
	}
	code := program.Build(p, checks.asked)
	files, err := emit.Files(p, code, emit.Options{Package: o.Package, Types: roots, Bundles: bundles, Flags: o.Flags})
	if err != nil {
		return nil, nil, err
	}
	return &Result{Plan: p, Program: code, Checks: files, Types: models, known: known, types: typing}, nil, nil
}

// checkNames names the functions that check a schema by itself, for the types, and notes which were
// asked for: these stay functions.
type checkNames struct {
	names map[*load.Schema]string
	asked map[*load.Schema]bool
}

func newCheckNames(p *plan.Plan) *checkNames {
	c := &checkNames{names: map[*load.Schema]string{}, asked: map[*load.Schema]bool{}}
	for _, f := range p.Funcs {
		switch _, several := c.names[f.Schema]; {
		case f.Collect != 0:
		case several:
			// Each is for a dynamic scope; by itself the schema has none of the scopes.
			c.names[f.Schema] = ""
		default:
			c.names[f.Schema] = f.Name
		}
	}
	return c
}

// of names the function that checks s; "" where there is none.
func (c *checkNames) of(s *load.Schema) string {
	c.asked[s] = true
	return c.names[s]
}
