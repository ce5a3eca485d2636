package types

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// unit is one Go file: the types of one schema file.
type unit struct {
	file    *load.File
	options Options
	root    *root
	types   []*named
}

// sort puts the message's own type first, then the others in the order of the schema, an interface
// before its variants.
func (u *unit) sort() {
	slices.SortFunc(u.types, func(a, b *named) int {
		first := func(holds bool) int {
			if holds {
				return 0
			}
			return 1
		}
		return cmp.Or(cmp.Compare(first(a.isMessage()), first(b.isMessage())), cmp.Compare(a.members[0].Tok, b.members[0].Tok),
			cmp.Compare(first(a.shape == shapeSum), first(b.shape == shapeSum)), cmp.Compare(a.name, b.name))
	})
}

func (u *unit) render() ([]byte, error) {
	u.sort()
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
	p := newPrinter(u.file)
	for i, n := range u.types {
		u.comment(p, n)
		p.P("type ", n.name, " ", rendered[i])
		p.P()
		if n.isMessage() {
			u.message(p)
		}
		u.methods(p, n)
	}
	p.declareTexts()
	return p.File(u.options.Package, u.file.Origin())
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
	case shapeSum:
		return declaration{under: "interface { json.Marshaler; is" + n.name + "(); encode(e *jsonrt.Encoder) }"}
	case shapeUnion:
		return declaration{under: "struct { jsonrt.Union }"}
	case shapeTuple:
		return u.tuple(n)
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
			comment: extraComment(n),
		}, goField{name: "order", typ: "[]string", comment: "The names in AdditionalProperties as they were read, unless that is by name."})
	}
	if implied := n.implied(); len(implied) > 0 {
		fields = append(fields, goField{name: "absent", typ: "[" + strconv.Itoa(len(implied)) + "]bool", comment: "Which constants were not in the document that was read."})
	}
	if len(fields) == 0 {
		return declaration{under: "struct{}"}
	}
	return declaration{fields: fields}
}

// extraComment is the comment of AdditionalProperties.
func extraComment(n *named) string {
	text := "The members that the schema does not name."
	if slices.ContainsFunc(n.fields, func(f *field) bool { return f.soft }) {
		text += " Members that do not fit their field are here too."
	}
	return text
}

func (u *unit) tuple(n *named) declaration {
	var fields []goField
	for _, f := range n.fields {
		fields = append(fields, goField{name: f.name, typ: f.typ.held(f.holder()), tag: "-", comment: "Element " + f.json + "."})
	}
	if n.extra != nil {
		fields = append(fields, goField{name: "Rest", typ: "[]" + n.extra.held(n.extra.element()), tag: "-", comment: "The elements after those."})
	}
	return declaration{fields: fields}
}
