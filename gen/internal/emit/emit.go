// Package emit prints a program as Go source: one file for every schema file, in which every
// function of the program is a Go function named after its schema, and a registry. It decides
// nothing but how the code reads.
//
// The code is printed by calls, not by templates, and reads as if written by hand: limits
// stand in the conditions, the schema location stands beside them, and what a payload's author
// is told is a literal.
package emit

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/bundle"
	"github.com/zenlix/echo-mcp/gen/internal/catalog"
	"github.com/zenlix/echo-mcp/gen/internal/comment"
	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
)

const (
	modulePath = "github.com/zenlix/echo-mcp/gen/"
	rtPath     = modulePath + "jsonrt"
	tapePath   = modulePath + "jsontape"
)

// RegistryName is the file with the registry; a line of it starts with FlagsPrefix and gives
// the flags that decide what the generated code means.
const (
	RegistryName = "registry.go"
	FlagsPrefix  = "// Made with "
)

// Options say how to print.
type Options struct {
	Flags   string // to record
	Package string // name of the generated package
	// Types names the Go type of each message, by id. Nil means that they have none, and the
	// package no function Decode.
	Types map[string]string
	// Bundles has what package bundle made of each message, by id.
	Bundles map[string]bundle.Entry
	// Catalog is what the messages come from: the package then has the client of its server, and no
	// registry. Nil means a folder of schemas.
	Catalog *catalog.Catalog
}

// Files prints the program of a plan. The result maps file names to gofmt-ed source.
func Files(p *plan.Plan, code *program.Program, o Options) (map[string][]byte, error) {
	files := map[string][]byte{}
	units := unitsOf(p, code)
	for _, u := range units {
		f := &file{Source: gosrc.New(), unit: u, values: map[string]bool{}}
		f.printAll(o)
		out, err := f.File(o.Package, u.schemaFile.Origin())
		if err != nil {
			return nil, err
		}
		name := names.FileBase(plan.Prefix(u.schemaFile), "schema") + ".go"
		if files[name] != nil {
			return nil, fmt.Errorf("%s and another schema give the Go file %s", u.schemaFile.Path, name)
		}
		files[name] = out
	}
	name, last := RegistryName, registryFile
	if o.Catalog != nil {
		name, last = ClientName, clientFile
	}
	var err error
	files[name], err = last(p, o)
	return files, err
}

// unit is what goes into one Go file.
type unit struct {
	schemaFile *load.File
	message    *plan.Message
	funcs      []*program.Func
	matchers   []*plan.Matcher
}

func unitsOf(p *plan.Plan, code *program.Program) []*unit {
	byFile := map[*load.File]*unit{}
	var units []*unit
	get := func(f *load.File) *unit {
		u := byFile[f]
		if u == nil {
			u = &unit{schemaFile: f}
			byFile[f] = u
			units = append(units, u)
		}
		return u
	}
	for i := range p.Messages {
		get(p.Messages[i].Schema.File).message = &p.Messages[i]
	}
	for _, f := range code.Funcs {
		u := get(f.Schema.File)
		u.funcs = append(u.funcs, f)
	}
	for _, m := range p.Matchers() {
		u := get(m.Schema.File)
		u.matchers = append(u.matchers, m)
	}
	return units
}

// file prints one unit.
type file struct {
	*gosrc.Source
	unit   *unit
	values map[string]bool // package-level values already printed
	after  []func()        // prints them

	// Of the function being printed:
	at     string           // its location
	usesAt bool             // its code names the location
	blocks int              // operations with variables printed in it so far
	names  program.VarNames // of the variables in scope
	named  *program.Var     // whose text is in the Go variable name
}

func (f *file) printAll(o Options) {
	if m := f.unit.message; m != nil {
		f.message(m, o)
	}
	for _, fn := range f.unit.funcs {
		f.function(fn)
	}
	for _, m := range f.unit.matchers {
		code, imports := m.Program.Emit(m.Name)
		for _, path := range imports {
			f.Use(path)
		}
		f.P(code)
	}
	for i := 0; i < len(f.after); i++ {
		f.after[i]()
	}
}

// message prints the schema's entry and its Validate function.
func (f *file) message(m *plan.Message, o Options) {
	rt := f.Use(rtPath)
	title, description := m.Schema.Text("title"), m.Schema.Text("description")
	source, document := "the schema file", m.Schema.File.Document
	if document != nil {
		source = "the schema"
	} else {
		f.P("// Validate", m.GoName, " checks one JSON document against the schema ", comment.OneLine(strconv.Quote(m.ID)), ".")
		f.P("// The errors are those of jsonrt.Schema.Validate.")
		f.P("func Validate", m.GoName, "(data []byte) error { return schema", m.GoName, ".Validate(data) }")
		f.P()
	}
	f.P("var schema", m.GoName, " = &", rt, ".Schema{")
	f.P("ID: ", gosrc.Lit(m.ID), ",")
	if title != "" {
		f.P("Title: ", gosrc.Lit(title), ",")
	}
	if description != "" {
		f.P("Description: ", gosrc.Lit(description), ",")
	}
	if file := m.Schema.File.Name; document == nil && file != m.ID+".json" {
		f.P("File: ", gosrc.Lit(file), ",")
	}
	f.P("Source: source", m.GoName, ",")
	e := o.Bundles[m.ID]
	if e.Text != "" {
		f.P("Bundle: bundle", m.GoName, ",")
	}
	if e.Tool != "" {
		f.P("Tool: ", gosrc.Lit(e.Tool), ",")
	}
	if t := o.Types[m.ID]; t != "" {
		f.P("Type: ", f.Use("reflect"), ".TypeFor[", t, "](),")
		f.P("Message: message", t, ",")
	}
	f.P("Check: ", m.Func.Name, ",")
	f.P("}")
	f.P()
	f.after = append(f.after, func() {
		f.P("// source", m.GoName, " is ", source, ", byte for byte.")
		f.P("const source", m.GoName, " = ", gosrc.Text(string(f.unit.schemaFile.Tape.Data)))
		if e.Text != "" {
			f.P()
			f.P("// bundle", m.GoName, " is the schema without references to other files.")
			f.P("const bundle", m.GoName, " = ", gosrc.Text(e.Text))
		}
	})
}

// function prints one function.
func (f *file) function(fn *program.Func) {
	rt := f.Use(rtPath)
	f.at, f.usesAt, f.blocks, f.names = fn.At, false, 0, program.VarNames{}
	f.names.Enter(fn.Arg)
	body := f.Capture(func() {
		if !f.block(fn.Body, true) {
			f.P("return true")
		}
	})
	f.P("// ", fn.Name, " checks ", comment.OneLine(f.at), ".")
	if text := describe(fn.Schema); text != "" {
		f.P("//")
		f.Comment(comment.OneLine(text))
	}
	name := fn.Name
	if fn.Memo != 0 {
		name = strings.Replace(name, "check", "recheck", 1)
		f.P("func ", fn.Name, "(c *", rt, ".Checker, v int) bool {")
		f.P("const id = ", fmt.Sprintf("%#x", fn.Memo))
		f.P("if verdict, known := c.Recall(id, v, ", gosrc.Lit(f.at), "); known {")
		f.P("return verdict")
		f.P("}")
		f.P("return c.Remember(id, v, ", name, "(c, v))")
		f.P("}")
		f.P()
		f.P("// ", name, " is ", fn.Name, " for a value that has no verdict yet.")
	}
	f.P("func ", name, "(c *", rt, ".Checker, v int) bool {")
	if f.usesAt || fn.Counted {
		f.P("const at = ", gosrc.Lit(f.at))
	}
	if fn.Counted {
		f.P("if !c.Step(v, at) {")
		f.P("return false")
		f.P("}")
	}
	f.P(body, "}")
	f.P()
}

// location renders a schema location as Go: short where it lies inside the current function's.
func (f *file) location(at string) string {
	if rest, inside := strings.CutPrefix(at, f.at); inside {
		f.usesAt = true
		if rest == "" {
			return "at"
		}
		return "at+" + gosrc.Lit(rest)
	}
	return gosrc.Lit(at)
}

func describe(s *load.Schema) string {
	if text := s.Text("title"); text != "" {
		return text
	}
	text := s.Text("description")
	if i := strings.Index(text, ". "); i > 0 {
		text = text[:i+1]
	}
	const longest = 300
	if len(text) > longest {
		text = text[:strings.LastIndexByte(text[:longest], ' ')+1] + "…"
	}
	return text
}

// registryFile prints the list of all messages.
func registryFile(p *plan.Plan, o Options) ([]byte, error) {
	s := gosrc.New()
	rt := s.Use(rtPath)
	s.P("// Registry holds every message type, compiled.")
	if o.Flags != "" {
		s.P("//")
		s.P(FlagsPrefix, o.Flags)
	}
	s.P("var Registry = ", rt, ".NewRegistry(")
	for _, m := range p.Messages {
		s.P("schema", m.GoName, ",")
	}
	s.P(")")
	s.P()
	if o.Types != nil {
		s.P("// Decode validates data against the schema that id names and decodes it, for a type switch over")
		s.P("// all message types. The errors are those of jsonrt.Registry.Decode.")
		s.P("func Decode(id string, data []byte) (", rt, ".Message, error) { return Registry.Decode(id, data) }")
		s.P()
	}
	s.P("// If the next line does not compile, this package was generated by another version of echo-gen: run go generate.")
	s.P("const _ = ", rt, ".GeneratedV3")
	return s.File(o.Package, "the schema folder")
}
