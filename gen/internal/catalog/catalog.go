// Package catalog reads the catalogue of an MCP server, as "echo-mcp catalog --json" writes it, for
// the compiler: what there is to call, the schemas as documents, and the Go names of all.
//
// The texts in a catalogue come from somebody else's server. Nothing in them is trusted: a tool
// that can't be compiled is left out and told of, and does the others no harm.
package catalog

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"unicode"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// maxBytes is how long a catalogue may be: that of a server with thousands of tools has some
// megabytes.
const maxBytes = 256 << 20

// Catalog is what a server offers.
type Catalog struct {
	// File is the base name of the catalogue's file.
	File string
	// Server is the name of the server and its version, for people.
	Server    string
	Tools     []*Tool
	Prompts   []*Prompt
	Resources []*Resource
	// LeftOut are the tools and prompts that there is no method for.
	LeftOut []LeftOut
	// Faults say the same, and why, with places in the file.
	Faults load.Diagnostics

	warnings load.Diagnostics
	path     string // the file, as it was named
	tape     jsontape.Tape
	seen     map[string]bool // the items so far, by type and name
	last     place           // of the item read last
}

// LeftOut is an item that there is no method for.
type LeftOut struct {
	// What names the item as a person does: "the tool create_issue".
	What string
	// Why is the reason.
	Why string
}

// Tool is a tool that can be called.
type Tool struct {
	Name, Title, Description string
	// GoName is the name of its method.
	GoName string
	// Input and Output are the documents of its schemas. Output is nil where there is none.
	Input, Output *load.Document
	// Why says why there is no Output although the server declares one, else "".
	Why string

	at            place
	input, output schema
}

// Prompt is a prompt that can be asked for.
type Prompt struct {
	Name, Title, Description string
	GoName                   string
	Arguments                []Argument
}

// Argument is one argument of a prompt.
type Argument struct {
	Name, Description string
	GoName            string
	Required          bool
}

// Resource is a resource that can be read.
type Resource struct {
	Name, Title, Description string
	URI                      string
	GoName                   string
}

// schema is a schema within the catalogue.
type schema struct {
	token  int    // -1 where there is none
	reason string // why the catalogue has none, or ""
}

// noSchema stands for the input schema of a tool that declares none: any object.
const noSchema = `{"type":"object"}`

// remedy says where a catalogue comes from.
const remedy = "Write one with: echo-mcp catalog --json -- COMMAND > FILE"

// Read reads the catalogue in a file. The error says where it is none.
func Read(path string) (*Catalog, error) {
	data, err := schemafile.Read(os.DirFS(filepath.Dir(path)), filepath.Base(path), maxBytes)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("%s: there is no such file. "+remedy, path)
	case err != nil:
		var system *fs.PathError
		if errors.As(err, &system) {
			err = system.Err
		}
		return nil, fmt.Errorf("%s can't be read as a catalogue: %w", path, err)
	}
	c := &Catalog{File: filepath.Base(path), path: filepath.ToSlash(path), seen: map[string]bool{}, last: place{line: 1, column: 1}}
	if err := c.tape.Parse(data, jsontape.Options{MaxDepth: len(data) + 1}); err != nil {
		var syntax *jsontape.SyntaxError
		if !errors.As(err, &syntax) {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		line, column := jsontape.Position(data, syntax.Offset)
		return nil, fmt.Errorf("%s:%d:%d: not JSON: %s", c.path, line, column, syntax.Msg)
	}
	items := c.tape.Member(0, "items")
	if c.tape.Tokens[0].Kind != jsontape.Object || items < 0 || c.tape.Tokens[items].Kind != jsontape.Array {
		return nil, fmt.Errorf("%s is not a catalogue: it has no items. "+remedy, path)
	}
	c.server()
	for i, item := 0, items+1; item < c.tape.Next(items); i, item = i+1, c.tape.Next(item) {
		c.last = c.inside(c.last, int(c.tape.Tokens[item].Start), "/items/"+strconv.Itoa(i))
		if err := c.item(item); err != nil {
			return nil, err
		}
	}
	c.name()
	return c, nil
}

// server reads who the server is.
func (c *Catalog) server() {
	info := c.member(c.member(0, "server"), "info")
	c.Server = cmp.Or(c.text(info, "title"), c.text(info, "name"), "an MCP server")
	if version := c.text(info, "version"); version != "" {
		c.Server += " " + version
	}
}

// item reads one item. Types of items that are not known are left out: there is no Go for them.
func (c *Catalog) item(at int) error {
	name := c.member(at, "name")
	if name < 0 || c.tape.Tokens[name].Kind != jsontape.String {
		return errors.New(c.diagnostic(c.last, "an item needs a name, which is a string. "+remedy).String())
	}
	title, description, detail := c.text(at, "title"), c.text(at, "description"), c.member(at, "detail")
	switch kind := c.text(at, "type"); kind {
	case "tool":
		t := &Tool{
			Name: c.tape.Str(name), Title: title, Description: description, at: c.last,
			input: c.schema(detail, "input"), output: c.schema(detail, "output"),
		}
		if c.again(kind, t.Name) {
			return nil
		}
		c.Tools = append(c.Tools, t)
	case "prompt":
		p := &Prompt{Name: c.tape.Str(name), Title: title, Description: description}
		if c.again(kind, p.Name) {
			return nil
		}
		p.Arguments = c.arguments(c.schema(detail, "input"))
		c.Prompts = append(c.Prompts, p)
	case "resource":
		r := &Resource{Name: c.tape.Str(name), Title: title, Description: description, URI: c.text(detail, "uri")}
		if key := kind + " " + r.URI; r.URI != "" && !c.seen[key] {
			c.seen[key] = true
			c.Resources = append(c.Resources, r)
		}
	}
	return nil
}

// again reports whether an item of this type and name came before. A call by name can mean but
// one of them, which is the first here; the other is left out.
func (c *Catalog) again(kind, name string) bool {
	key := kind + " " + name
	if c.seen[key] {
		c.leaveOut(c.last, "the "+kind+" "+shown(name), "comes twice, and what asks for it by its name can't tell the two apart: only the first is here")
	}
	defer func() { c.seen[key] = true }()
	return c.seen[key]
}

// schema finds detail.input or detail.output.
func (c *Catalog) schema(detail int, which string) schema {
	holder := c.member(detail, which)
	return schema{token: c.member(holder, "json"), reason: c.text(holder, "error")}
}

// arguments reads the arguments of a prompt from the schema that the catalogue makes of them.
func (c *Catalog) arguments(s schema) []Argument {
	properties, required := c.member(s.token, "properties"), c.member(s.token, "required")
	if properties < 0 || c.tape.Tokens[properties].Kind != jsontape.Object {
		return nil
	}
	must := map[string]bool{}
	if required >= 0 && c.tape.Tokens[required].Kind == jsontape.Array {
		for e := required + 1; e < c.tape.Next(required); e = c.tape.Next(e) {
			if c.tape.Tokens[e].Kind == jsontape.String {
				must[c.tape.Str(e)] = true
			}
		}
	}
	var list []Argument
	for m := properties + 1; m < c.tape.Next(properties); m = c.tape.Next(m + 1) {
		name := c.tape.Str(m)
		if !slices.ContainsFunc(list, func(a Argument) bool { return a.Name == name }) {
			list = append(list, Argument{Name: name, Description: c.text(m+1, "description"), Required: must[name]})
		}
	}
	return list
}

// member is a member of an object, -1 where there is none.
func (c *Catalog) member(object int, name string) int {
	if object < 0 || c.tape.Tokens[object].Kind != jsontape.Object {
		return -1
	}
	return c.tape.Member(object, name)
}

// text is a member that is a string, else "".
func (c *Catalog) text(object int, name string) string {
	v := c.member(object, name)
	if v < 0 || c.tape.Tokens[v].Kind != jsontape.String {
		return ""
	}
	return c.tape.Str(v)
}

// shown is a name from the catalogue as messages and comments show it: quoted where it holds
// anything but visible characters.
func shown(name string) string {
	if name == "" || slices.ContainsFunc([]rune(name), func(r rune) bool { return !unicode.IsPrint(r) || r == ' ' || r == '"' }) {
		return strconv.Quote(name)
	}
	return name
}
