package types

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"hash/fnv"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/comment"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
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
	body := &printer{}
	for i, n := range u.types {
		u.comment(body, n)
		body.P("type ", n.name, " ", rendered[i])
		body.P()
		if n.isMessage() {
			u.message(body)
		}
		u.methods(body, n)
	}
	return u.assemble(body.String())
}

// imports are the packages that generated code may use.
var imports = []struct{ name, path string }{
	{"json", "encoding/json"}, {"", ""}, {"jsonrt", "github.com/zenlix/echo-mcp/gen/jsonrt"},
}

// assemble puts the header before the declarations and formats the file.
func (u *unit) assemble(body string) ([]byte, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), "types.go", "package p\n"+body, parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	body = u.shareTexts(parsed, body)
	used := map[string]bool{"": true}
	ast.Inspect(parsed, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if x, ok := s.X.(*ast.Ident); ok {
				used[x.Name] = true
			}
		}
		return true
	})
	p := &printer{}
	p.P(names.Header, comment.OneLine(u.file.Origin()), "; DO NOT EDIT.")
	p.P()
	p.P("package ", u.options.Package)
	p.P()
	p.P("import (")
	for _, imported := range imports {
		switch {
		case !used[imported.name]:
		case imported.path == "":
			p.P()
		default:
			p.P(`"`, imported.path, `"`)
		}
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

// longText is up to how many bytes a text stands wherever it is needed. A longer one that is
// needed more than once, a constant that many members have, becomes a constant of the file.
const longText = 256

// shareTexts declares long texts once, behind the body that was parsed.
func (u *unit) shareTexts(parsed *ast.File, body string) string {
	const before = len("package p\n")
	found := map[string][]*ast.BasicLit{}
	tags := map[*ast.BasicLit]bool{}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Field:
			tags[n.Tag] = true
		case *ast.BasicLit:
			if n.Kind == token.STRING && len(n.Value) > longText && !tags[n] {
				found[n.Value] = append(found[n.Value], n)
			}
		}
		return true
	})
	names := map[*ast.BasicLit]string{}
	var places []*ast.BasicLit
	var shared strings.Builder
	for _, text := range slices.Sorted(maps.Keys(found)) {
		if len(found[text]) == 1 {
			continue
		}
		h := fnv.New64a()
		h.Write([]byte(u.file.Name + "\x00" + text))
		name := fmt.Sprintf("text_%016x", h.Sum64())
		fmt.Fprintf(&shared, "\nconst %s = %s\n", name, text)
		for _, place := range found[text] {
			names[place] = name
			places = append(places, place)
		}
	}
	slices.SortFunc(places, func(a, b *ast.BasicLit) int { return int(a.Pos() - b.Pos()) })
	var out strings.Builder
	at := 0
	for _, place := range places {
		start := int(place.Pos()) - 1 - before
		out.WriteString(body[at:start] + names[place])
		at = start + len(place.Value)
	}
	return out.String() + body[at:] + shared.String()
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
