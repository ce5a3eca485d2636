package types

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"reflect"
	"strconv"
	"strings"
	"unicode"

	"github.com/atombender/go-jsonschema/pkg/generator"
	"github.com/atombender/go-jsonschema/pkg/schemas"
)

// lowered is the schema document that go-jsonschema is asked to render: one definition per
// declared type and nothing else. Everything that go-jsonschema would otherwise work out is
// pinned by its goJSONSchema extension, because its own reading of unions, references,
// nulls, names and defaults is not sound (see the package comment). Definitions and
// properties are called by their number: that keeps the order, and no name needs escaping.
type lowered struct {
	Schema string                 `json:"$schema"`
	Defs   map[string]*loweredDef `json:"$defs"`
}

type loweredDef struct {
	Type        string                    `json:"type,omitempty"`
	Description string                    `json:"description,omitempty"`
	Properties  map[string]*loweredMember `json:"properties,omitempty"`
	Required    []string                  `json:"required,omitempty"`
	Extension   *extension                `json:"goJSONSchema,omitempty"`
}

type loweredMember struct {
	Description string     `json:"description"`
	Extension   *extension `json:"goJSONSchema"`
}

type extension struct {
	Type       string            `json:"type"`
	Identifier string            `json:"identifier,omitempty"`
	Nillable   bool              `json:"nillable"`
	ExtraTags  map[string]string `json:"extraTags,omitempty"`
}

// goField is a field to be rendered.
type goField struct {
	name, typ, tag, comment string
}

// declaration is a type to be rendered: a struct, or with under another type.
type declaration struct {
	fields []goField
	under  string
}

func (d declaration) lower() *loweredDef {
	if d.under != "" {
		return &loweredDef{Type: "string", Extension: &extension{Type: d.under, Nillable: true}}
	}
	def := &loweredDef{Type: "object", Properties: map[string]*loweredMember{}}
	for i, f := range d.fields {
		key := fmt.Sprintf("m%05d", i)
		def.Properties[key] = &loweredMember{Description: f.comment, Extension: &extension{Type: f.typ, Identifier: f.name, Nillable: true}}
		if f.tag != "" {
			def.Properties[key].Extension.ExtraTags = map[string]string{"json": f.tag}
		}
		def.Required = append(def.Required, key)
	}
	return def
}

// renderDeclarations has go-jsonschema print the declarations and gives back the source text
// of each type, without its name: `struct { … }`. It fails where the output is not exactly
// what was asked for.
func renderDeclarations(list []declaration) ([]string, error) {
	doc := lowered{Schema: "https://json-schema.org/draft/2020-12/schema", Defs: map[string]*loweredDef{}}
	for i, d := range list {
		doc.Defs[definitionName(i)] = d.lower()
	}
	source, err := runGenerator(doc)
	if err != nil {
		return nil, fmt.Errorf("go-jsonschema: %w", err)
	}
	return cutDeclarations(source, list)
}

func definitionName(i int) string { return fmt.Sprintf("T%05d", i) }

func runGenerator(doc lowered) ([]byte, error) {
	text, err := json.Marshal(doc)
	if err != nil {
		return nil, err
	}
	parsed, err := schemas.FromJSONReader(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	const output = "types.go"
	var warnings []string
	g, err := generator.New(generator.Config{
		DefaultPackageName:        "lowered",
		DefaultOutputName:         output,
		Warner:                    func(s string) { warnings = append(warnings, s) },
		OnlyModels:                true,
		DisableOmitEmpty:          true,
		DisableCustomTypesForMaps: true,
	})
	if err != nil {
		return nil, err
	}
	if err := g.AddFile("lowered.json", parsed); err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		return nil, fmt.Errorf("warned: %s", warnings[0])
	}
	sources, err := g.Sources()
	if err != nil {
		return nil, err
	}
	if len(warnings) > 0 {
		return nil, fmt.Errorf("warned: %s", warnings[0])
	}
	return sources[output], nil
}

// cutDeclarations finds the rendered types and compares them with what was asked for.
func cutDeclarations(source []byte, list []declaration) ([]string, error) {
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "types.go", source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	found := map[string]ast.Expr{}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		if !ok {
			return nil, fmt.Errorf("unexpected declaration at %s", set.Position(decl.Pos()))
		}
		for _, spec := range gen.Specs {
			switch spec := spec.(type) {
			case *ast.ImportSpec:
			case *ast.TypeSpec:
				found[spec.Name.Name] = spec.Type
			default:
				return nil, fmt.Errorf("unexpected declaration at %s", set.Position(decl.Pos()))
			}
		}
	}
	if len(found) != len(list) {
		return nil, fmt.Errorf("%d types rendered, %d asked for", len(found), len(list))
	}
	text := func(n ast.Node) string {
		return string(source[set.Position(n.Pos()).Offset:set.Position(n.End()).Offset])
	}
	result := make([]string, len(list))
	for i, d := range list {
		expr := found[definitionName(i)]
		if expr == nil {
			return nil, fmt.Errorf("type %s is missing", definitionName(i))
		}
		if err := compareDeclaration(expr, d, text); err != nil {
			return nil, fmt.Errorf("type %s: %w", definitionName(i), err)
		}
		result[i] = text(expr)
	}
	return result, nil
}

func compareDeclaration(expr ast.Expr, d declaration, text func(ast.Node) string) error {
	if d.under != "" {
		if !sameSource(text(expr), d.under) {
			return fmt.Errorf("is %s, not %s", text(expr), d.under)
		}
		return nil
	}
	structure, ok := expr.(*ast.StructType)
	if !ok {
		return fmt.Errorf("is no struct but %s", text(expr))
	}
	if len(structure.Fields.List) != len(d.fields) {
		return fmt.Errorf("has %d fields, not %d", len(structure.Fields.List), len(d.fields))
	}
	for i, got := range structure.Fields.List {
		want := d.fields[i]
		if len(got.Names) != 1 || got.Names[0].Name != want.name || !sameSource(text(got.Type), want.typ) {
			return fmt.Errorf("field %d is %q, not %s %s", i, text(got), want.name, want.typ)
		}
		tag := ""
		if got.Tag != nil {
			literal, err := strconv.Unquote(got.Tag.Value)
			if err != nil {
				return err
			}
			tag = literal
		}
		if reflect.StructTag(tag).Get("json") != want.tag {
			return fmt.Errorf("field %s has the tag %s, not %s", want.name, tag, want.tag)
		}
	}
	return nil
}

// sameSource compares two type expressions but for their layout.
func sameSource(a, b string) bool {
	return a == b || layout(a) == layout(b)
}

func layout(expr string) string {
	formatted, err := format.Source([]byte("type T " + expr))
	if err != nil {
		return expr
	}
	return string(formatted)
}

// plainTag reports whether a struct tag can carry the name such that encoding/json reads it
// as that name.
func plainTag(name string) bool {
	if name == "" {
		return false
	}
	for _, r := range name {
		if !strings.ContainsRune("!#$%&()*+-./:;<=>?@[]^_{|}~ ", r) && !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			return false
		}
	}
	return true
}
