package catalog

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// place is a place in the catalogue.
type place struct {
	offset       int
	line, column int // as in load.Diagnostic
	pointer      string
}

// inside is the place of what stands at an offset behind another place. It looks only at what is
// between the two, for a catalogue may be one long line.
func (c *Catalog) inside(p place, offset int, pointer string) place {
	line, column := jsontape.Position(c.tape.Data[p.offset:], offset-p.offset)
	p = p.plus(line, column)
	p.offset, p.pointer = offset, pointer
	return p
}

// plus is the place at a line and a column that are counted from p.
func (p place) plus(line, column int) place {
	if line > 1 {
		p.column = 1
	}
	p.line += line - 1
	p.column += column - 1
	return p
}

// diagnostic makes a diagnostic about a place of the catalogue.
func (c *Catalog) diagnostic(p place, message string) load.Diagnostic {
	return load.Diagnostic{Path: c.path, Line: p.line, Column: p.column, Pointer: p.pointer, Message: message}
}

// leaveOut notes an item that there is no method for, and the faults that are the reason.
func (c *Catalog) leaveOut(p place, what, why string, faults ...load.Diagnostic) {
	c.fault(p, "there is no method for "+what+": it "+why)
	c.Faults = append(c.Faults, faults...)
	if len(faults) > 0 {
		why += ": " + faults[0].Message
	}
	c.LeftOut = append(c.LeftOut, LeftOut{What: what, Why: why})
}

func (c *Catalog) fault(p place, message string) {
	c.Faults = append(c.Faults, c.diagnostic(p, message))
}

// Warnings are the faults, as warnings, and the other warnings.
func (c *Catalog) Warnings() load.Diagnostics {
	list := slices.Concat(c.Faults, c.warnings)
	for i, d := range list {
		list[i].Message = "warning: " + strings.TrimPrefix(d.Message, "warning: ")
	}
	return list
}

// Documents are the schemas of all tools.
func (c *Catalog) Documents() []load.Document {
	var list []load.Document
	for _, t := range c.Tools {
		list = append(list, *t.Input)
		if t.Output != nil {
			list = append(list, *t.Output)
		}
	}
	return list
}

// Drop takes away the tools whose input schema has faults, and the output schemas that have some:
// their tools remain, and what they answer is not typed. faults has them by the ID of the document.
// c.Faults then has what becomes of them, and the faults where they stand in the catalogue.
func (c *Catalog) Drop(faults map[string]load.Diagnostics) {
	c.Tools = slices.DeleteFunc(c.Tools, func(t *Tool) bool {
		what := "the tool " + shown(t.Name)
		if t.Output != nil {
			if list := faults[t.Output.ID]; len(list) > 0 {
				c.fault(t.at, "what "+what+" answers has no type: its output schema has faults")
				c.Faults = append(c.Faults, c.placed(t, t.output, t.Output, list)...)
				t.Output, t.Why = nil, list[0].Message
			}
		} else if t.Why != "" {
			c.fault(t.at, "what "+what+" answers has no type: the catalogue has no output schema of it, but an error: "+t.Why)
		}
		switch list := faults[t.Input.ID]; {
		case len(list) > 0:
			c.leaveOut(t.at, what, "has an input schema with faults", c.placed(t, t.input, t.Input, list)...)
			return true
		case t.input.token < 0 && t.input.reason != "":
			c.leaveOut(t.at, what, "has no input schema in the catalogue, but an error: "+t.input.reason)
			return true
		}
		return false
	})
}

// Tell adds warnings about documents to those of the catalogue.
func (c *Catalog) Tell(warnings load.Diagnostics) {
	about := map[string]func(load.Diagnostic){}
	for _, t := range c.Tools {
		tell := func(s schema, document *load.Document) {
			about[document.Path] = func(d load.Diagnostic) {
				c.warnings = append(c.warnings, c.placed(t, s, document, load.Diagnostics{d})...)
			}
		}
		tell(t.input, t.Input)
		if t.Output != nil {
			tell(t.output, t.Output)
		}
	}
	for _, d := range warnings {
		if tell := about[d.Path]; tell != nil {
			tell(d)
		} else {
			c.warnings = append(c.warnings, d)
		}
	}
}

// placed gives the diagnostics of a document their places in the catalogue. Those of a schema behind
// a -map stay where they are.
func (c *Catalog) placed(t *Tool, s schema, document *load.Document, list load.Diagnostics) load.Diagnostics {
	root := t.at
	if s.token >= 0 {
		which := "input"
		if document == t.Output {
			which = "output"
		}
		root = c.inside(t.at, int(c.tape.Tokens[s.token].Start), t.at.pointer+"/detail/"+which+"/json")
	}
	placed := slices.Clone(list)
	for i, d := range list {
		if d.Path != document.Path {
			continue
		}
		p := root.plus(max(d.Line, 1), max(d.Column, 1))
		p.pointer += d.Pointer
		placed[i] = c.diagnostic(p, d.Message)
		placed[i].Source = d.Source
	}
	return placed
}
