// Package types turns the graph of schemas into Go: a type for every message and everything
// inside it, and the functions that decode and encode it.
//
// It works in four steps. build derives a Go type for every place where a value can stand,
// by widening only: a type is chosen where all valid values fit it, and the value stays raw
// JSON where that cannot be proven. name gives names to the types that need one. lower has
// go-jsonschema print the declarations. codec prints the decoding and encoding, which works
// on the tape and needs no reflection.
//
// go-jsonschema serves as a printer of structs. What it makes of a schema by itself loses
// data or does not compile for most real schemas, so it is given a lowered document in which
// nothing is left for it to decide, and its output is checked against what was asked for.
package types

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// Options say how types are rendered.
type Options struct {
	// Package is the name of the generated package.
	Package string
	// ExactNumbers makes every number a json.Number, which keeps its text.
	ExactNumbers bool
	// Check names the generated function that checks a schema; "" where there is none. The
	// UnmarshalJSON methods of the types inside a message type call it. Nil means none.
	Check func(*load.Schema) string
}

// check gives the Go expression for the check of a type.
func (u *unit) check(n *named) string {
	if u.options.Check == nil || len(n.members) != 1 {
		return "nil"
	}
	return cmp.Or(u.options.Check(n.members[0]), "nil")
}

// Render gives the source of the types, by file name, and the name of each message's Go type,
// by schema id. The files declare, for a message type X, besides its types
//
//	func DecodeX(data []byte) (X, error)
//
// and rely on the variable schemaX of type *jsonrt.Schema, which the emitter prints. The ids
// of the graph give distinct Go names. Output is deterministic. Where the diagnostics are not empty the files must not be used.
func Render(g *load.Graph, o Options) (files map[string][]byte, roots map[string]string, diags load.Diagnostics) {
	roots = map[string]string{}
	_, units := derive(g, o)
	for _, m := range g.Messages {
		roots[m.ID] = names.Message(m.ID)
	}
	files = map[string][]byte{}
	for f, u := range units {
		source, err := u.render()
		if err != nil {
			diags = append(diags, load.Diagnostic{Path: f.Path, Message: fmt.Sprintf("cannot render the Go types, which is a fault of the generator: %v", err)})
			continue
		}
		files[names.FileBase(names.File(f.Name), "types")+".go"] = source
	}
	return files, roots, diags.Sorted()
}

// derive works out and names all types, by the file that they belong to.
func derive(g *load.Graph, o Options) (*builder, map[*load.File]*unit) {
	b := newBuilder(g, o)
	units := map[*load.File]*unit{}
	unitOf := func(f *load.File) *unit {
		if units[f] == nil {
			units[f] = &unit{file: f, options: o}
		}
		return units[f]
	}
	for _, m := range g.Messages {
		unitOf(m.Schema.File).root = b.rootOf(m)
	}
	b.fill()
	b.nameTypes()
	for _, n := range b.named {
		u := unitOf(n.members[0].File)
		u.types = append(u.types, n)
	}
	for _, u := range units {
		breakCycles(u.types)
	}
	return b, units
}

// root is the Go type of a message.
type root struct {
	id, name string
	typ      *typ
	schema   *load.Schema
}

// rootOf works out the type of a message. A struct or enum of the message's own file gets the
// message's name; any other type is declared under that name.
func (b *builder) rootOf(m *load.Message) *root {
	name := names.Message(m.ID)
	t := b.typeOf([]*load.Schema{m.Schema})
	r := &root{id: m.ID, name: name, typ: t, schema: m.Schema}
	if t.form == formNamed && !t.nullable {
		if n := t.named; n.members[0].File == m.Schema.File && n.name == "" {
			n.name = name
		}
		return r // under its own name, or as an alias of a type of another file
	}
	shape := shapeAlias
	if t.nullable || t.form == formRaw || t.form == formNull {
		shape = shapeBox
	}
	n := &named{key: "root " + m.ID, members: []*load.Schema{m.Schema}, name: name, shape: shape, under: t}
	b.named[n.key] = n
	r.typ = &typ{form: formNamed, named: n}
	return r
}

// breakCycles makes pointers of the required members through which a struct contains itself.
func breakCycles(list []*named) {
	for _, n := range list {
		for _, f := range n.fields {
			if t := f.typ; f.required && t.form == formNamed && t.named.shape == shapeStruct && contains(t.named, n, map[*named]bool{}) {
				f.indirect = true
			}
		}
	}
}

// contains reports whether the struct outer holds inner by value, directly or not.
func contains(outer, inner *named, seen map[*named]bool) bool {
	if outer == inner {
		return true
	}
	if seen[outer] {
		return false
	}
	seen[outer] = true
	for _, f := range outer.fields {
		if f.required && !f.typ.nullable && f.typ.form == formNamed && contains(f.typ.named, inner, seen) {
			return true
		}
	}
	return false
}

// unit is one Go file: the types of one schema file.
type unit struct {
	file    *load.File
	options Options
	root    *root
	types   []*named
}

func (u *unit) render() ([]byte, error) {
	// The message's own type first, then in the order of the schema.
	slices.SortFunc(u.types, func(a, b *named) int {
		rank := func(n *named) int {
			if u.root != nil && n.name == u.root.name {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.members[0].Tok, b.members[0].Tok), cmp.Compare(a.name, b.name))
	})
	var declarations []declaration
	for _, n := range u.types {
		declarations = append(declarations, u.declaration(n))
	}
	var rendered []string
	if len(declarations) > 0 {
		var err error
		if rendered, err = renderDeclarations(declarations); err != nil {
			return nil, err
		}
	}
	body := &printer{}
	for i, n := range u.types {
		u.comment(body, n)
		body.P("type ", n.name, " ", rendered[i])
		body.P()
		u.methods(body, n)
		if u.root != nil && n.name == u.root.name {
			u.decodeFunc(body)
		}
	}
	if u.root != nil && (u.root.typ.form != formNamed || u.root.typ.named.name != u.root.name) {
		body.P("// ", u.root.name, " is the message type ", quoted(commentText(u.root.id)), ".")
		body.P("type ", u.root.name, " = ", u.root.typ.expr())
		body.P()
		u.decodeFunc(body)
	}
	return u.assemble(body.String())
}

// assemble puts the header before the declarations and formats the file.
func (u *unit) assemble(body string) ([]byte, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "types.go", "package p\n"+body, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	used := map[string]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	p := &printer{}
	p.P("// Code generated by gen from ", strings.ReplaceAll(commentText(u.file.Name), "\n", " "), "; DO NOT EDIT.")
	p.P()
	p.P("package ", u.options.Package)
	p.P()
	p.P("import (")
	if used["json"] {
		p.P(`"encoding/json"`)
		p.P()
	}
	if used["jsonrt"] {
		p.P(`"github.com/zenlix/echo-mcp/gen/jsonrt"`)
	}
	p.P(")")
	p.P()
	p.WriteString(body)
	formatted, err := format.Source([]byte(p.String()))
	if err != nil {
		return nil, err
	}
	return append(bytes.TrimRight(formatted, "\n"), '\n'), nil
}

// declaration is what go-jsonschema is to print for the type.
func (u *unit) declaration(n *named) declaration {
	switch n.shape {
	case shapeEnum:
		return declaration{under: "string"}
	case shapeAlias:
		return declaration{under: n.under.expr()}
	case shapeBox:
		return declaration{fields: []goField{{name: "Value", typ: n.under.held(n.under.element()), tag: "-", comment: "The whole document."}}}
	case shapeStruct:
	}
	var fields []goField
	for _, f := range n.fields {
		tag := "-"
		if plainTag(f.json) {
			tag = f.json
			if !f.required {
				tag += ",omitzero"
			} else if tag == "-" {
				tag = "-,"
			}
		}
		fields = append(fields, goField{name: f.name, typ: f.typ.held(f.holder()), tag: tag, comment: fieldComment(f, u.file)})
	}
	if n.extra != nil {
		fields = append(fields, goField{
			name: "AdditionalProperties", typ: "map[string]" + n.extra.held(n.extra.element()), tag: "-",
			comment: "The members that the schema does not name.",
		})
	}
	return declaration{fields: fields}
}

// comment prints the doc comment of a type.
func (u *unit) comment(p *printer, n *named) {
	where := strings.ReplaceAll(commentText(n.members[0].Location(u.file)), "\n", " ")
	if u.root != nil && n.name == u.root.name {
		p.P("// ", n.name, " is the message type ", quoted(strings.ReplaceAll(commentText(u.root.id), "\n", " ")), ".")
	} else {
		p.P("// ", n.name, " is ", where, ".")
	}
	if text := describe(n.members); text != "" {
		p.P("//")
		for line := range strings.SplitSeq(wrap(text), "\n") {
			p.P(strings.TrimRight("// "+line, " "))
		}
	}
}

// wrap breaks lines after 90 characters, at spaces.
func wrap(text string) string {
	const width = 90
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > width {
			at := strings.LastIndexByte(line[:width], ' ')
			if at <= 0 {
				if at = strings.IndexByte(line, ' '); at <= 0 {
					break
				}
			}
			lines = append(lines, line[:at])
			line = line[at+1:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// decodeFunc prints the Decode function of the message.
func (u *unit) decodeFunc(p *printer) {
	name := u.root.name
	p.P("// Decode", name, " validates data and decodes it. Nothing is lost: encoding the result gives an")
	p.P("// equal JSON value. The errors are those of Validate", name, ", and *jsonrt.DecodeError for a number")
	p.P("// that its Go type cannot hold.")
	p.P("func Decode", name, "(data []byte) (", name, ", error) {")
	p.P("var v ", name)
	p.P("d, err := jsonrt.ParseValid(data, ", "schema", name, ")")
	p.P("if err != nil {")
	p.P("return v, err")
	p.P("}")
	p.decode("v", u.root.typ, plain, "0", 0)
	p.P("return v, d.Close()")
	p.P("}")
	p.P()
}

// methods prints what a type can do.
func (u *unit) methods(p *printer, n *named) {
	if n.shape == shapeEnum {
		u.constants(p, n)
		return
	}
	p.P("// MarshalJSON encodes v. Members come in the order of the schema, then the others by name.")
	p.P("func (v ", n.name, ") MarshalJSON() ([]byte, error) {")
	p.P("var e jsonrt.Encoder")
	p.P("v.encode(&e)")
	p.P("return e.Bytes()")
	p.P("}")
	p.P()
	u.unmarshal(p, n)
	p.P("func (v *", n.name, ") decode(d *jsonrt.Decoder, i int) {")
	switch n.shape {
	case shapeStruct:
		p.decodeStruct(n)
	case shapeAlias:
		if value, ok := simple(n.under, "i"); ok {
			p.P("*v = ", n.name, "(", value, ")")
		} else {
			p.decode("(*v)", n.under, plain, "i", 0)
		}
	case shapeBox:
		p.decode("v.Value", n.under, n.under.element(), "i", 0)
	case shapeEnum:
	}
	p.P("}")
	p.P()
	p.P("func (v *", n.name, ") encode(e *jsonrt.Encoder) {")
	switch n.shape {
	case shapeStruct:
		p.encodeStruct(n)
	case shapeAlias:
		p.encodeAlias(n.under)
	case shapeBox:
		p.encode("v.Value", n.under, n.under.element(), 0)
	case shapeEnum:
	}
	p.P("}")
	p.P()
}

// unmarshal prints the UnmarshalJSON method.
func (u *unit) unmarshal(p *printer, n *named) {
	check := u.check(n)
	isRoot := u.root != nil && n.name == u.root.name
	if isRoot || check != "nil" {
		p.P("// UnmarshalJSON validates data and decodes it.")
	} else {
		p.P("// UnmarshalJSON decodes data. It does not validate what is inside.")
	}
	p.P("func (v *", n.name, ") UnmarshalJSON(data []byte) error {")
	if isRoot {
		p.P("x, err := Decode", n.name, "(data)")
		p.P("if err == nil {")
		p.P("*v = x")
		p.P("}")
		p.P("return err")
	} else {
		p.P("return jsonrt.Unmarshal(data, ", check, ", v, (*", n.name, ").decode)")
	}
	p.P("}")
	p.P()
}

// encodeAlias encodes *v as the type that it is declared as.
func (p *printer) encodeAlias(t *typ) {
	switch t.form {
	case formSlice, formMap, formRaw, formNamed:
		p.encodePlain("*v", t, 0)
	case formNull, formBool, formString, formInt64, formUint64, formFloat64, formNumber:
		p.encodePlain(t.expr()+"(*v)", t, 0)
	}
}

func (p *printer) decodeStruct(n *named) {
	p.P("for m, end := d.Members(i); m < end; m = d.Next(m + 1) {")
	p.P("switch d.Name(m) {")
	for _, f := range n.fields {
		p.P("case ", quoted(f.json), ":")
		p.decode("v."+f.name, f.typ, f.holder(), "m + 1", 0)
	}
	p.P("default:")
	if n.extra == nil {
		p.P("d.Unknown(m)")
	} else {
		p.P("if v.AdditionalProperties == nil {")
		p.P("v.AdditionalProperties = make(map[string]", n.extra.held(n.extra.element()), ")")
		p.P("}")
		p.decodeEntry("v.AdditionalProperties", n.extra, "m", 1)
	}
	p.P("}")
	p.P("}")
}

func (p *printer) encodeStruct(n *named) {
	p.P("e.Object()")
	for _, f := range n.fields {
		place, h := "v."+f.name, f.holder()
		if f.required {
			p.P("e.Member(", jsonQuoted(f.json), ")")
			p.encode(place, f.typ, h, 0)
			continue
		}
		switch {
		case h == optional:
			p.P("if !", place, ".IsZero() {")
		case h == pointer, f.typ.nilable():
			p.P("if ", place, " != nil {")
		default:
			p.P("if ", place, ` != "" {`)
		}
		p.P("e.Member(", jsonQuoted(f.json), ")")
		switch h {
		case pointer:
			p.encodeHeld(place, f.typ, 0)
		case optional:
			p.encode(place, f.typ, h, 0)
		case plain:
			p.encodePlain(place, f.typ, 0)
		}
		p.P("}")
	}
	if n.extra != nil {
		p.encodeEntries("v.AdditionalProperties", n.extra, 0)
	}
	p.P("e.End('}')")
}

// constants prints the constants of an enum.
func (u *unit) constants(p *printer, n *named) {
	identifiers := names.Distinct(n.values, func(string) bool { return false })
	p.P("// The values of ", n.name, ".")
	p.P("const (")
	seen := map[string]bool{}
	for _, value := range n.values {
		if !seen[value] {
			seen[value] = true
			p.P(n.name, "_", identifiers[value], " ", n.name, " = ", quoted(value))
		}
	}
	p.P(")")
	p.P()
}
