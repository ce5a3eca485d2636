package compiler

import (
	"cmp"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/catalog"
	"github.com/zenlix/echo-mcp/gen/internal/emit"
	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
	"github.com/zenlix/echo-mcp/gen/internal/types"
)

// compileCatalog compiles the tools of a catalogue. What has faults is left out, unless o.Strict.
func compileCatalog(o Options) (*Result, load.Diagnostics, error) {
	c, err := catalog.Read(o.Catalog)
	if err != nil {
		return nil, nil, err
	}
	graph := usable(c, o)
	if o.Strict && len(c.Faults) > 0 {
		return nil, c.Faults.Sorted(), nil
	}
	known := facts.Of(graph)
	p, faults := plan.Build(known, plan.Options{AssertFormat: o.AssertFormat})
	if len(faults) > 0 {
		return nil, faults, nil
	}
	c.Tell(append(p.Warnings, graph.Warnings...))
	p.Warnings = c.Warnings()
	checks := newCheckNames(p)
	typing := types.Options{Package: o.Package, ExactNumbers: o.ExactNumbers, Check: checks.of}
	models, roots, faults := types.Render(known, typing)
	if len(faults) > 0 {
		return nil, faults, nil
	}
	code := program.Build(p, checks.asked)
	files, err := emit.Files(p, code, emit.Options{Package: o.Package, Types: roots, Catalog: c, Flags: o.Flags})
	if err != nil {
		return nil, nil, err
	}
	// The methods belong to what a change of the catalogue can break.
	models[emit.ClientName] = files[emit.ClientName]
	return &Result{Plan: p, Program: code, Checks: files, Types: models, Tools: len(c.Tools), known: known, types: typing}, nil, nil
}

// usable loads the schemas of a catalogue and gives those that compile, each by itself, and whose
// tools remain: c loses the others.
func usable(c *catalog.Catalog, o Options) *load.Graph {
	documents := c.Documents()
	graph, bad := load.LoadDocuments(o.Load, documents)
	faults := map[string]load.Diagnostics{}
	for i, list := range bad {
		faults[documents[i].ID] = list
	}
	for _, m := range graph.Messages {
		_, list := plan.Build(facts.Of(&load.Graph{Messages: []*load.Message{m}}), plan.Options{AssertFormat: o.AssertFormat})
		if len(list) > 0 {
			faults[m.ID] = list
		}
	}
	c.Drop(faults)
	remain := map[string]bool{}
	for _, d := range c.Documents() {
		remain[d.ID] = true
	}
	graph.Messages = slices.DeleteFunc(graph.Messages, func(m *load.Message) bool { return !remain[m.ID] })
	slices.SortFunc(graph.Messages, func(a, b *load.Message) int { return cmp.Compare(a.ID, b.ID) })
	return graph
}
