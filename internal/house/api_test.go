package house_test

import (
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/printer"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// publicPackages are the packages that other modules may import, in the order in which docs/api.md
// has them.
var publicPackages = []struct {
	path, about string
}{
	{"", "The server over your schemas, and reading what its tools returned."},
	{"gen/jsonrt", "What a consumer of messages uses: the registry, schemas, errors, optional values. Names that only generated code calls are here too, and may change with the generator."},
	{"gen/jsontape", "Reads JSON strictly into an index over its bytes."},
	{"mcpkit/serve", "The options that servers over schemas and servers of tools share. Both packages have other names for them: you need not import this one."},
	{"mcpkit/toolkit", "Servers of typed tools."},
	{"mcpkit/catalog", "Makes one document of what any server offers, and compares two of them."},
	{"mcpkit/client", "Calls any server, and reads what the tools of an echo server returned."},
	{"mcpkit/client/typed", "What the packages call that echo-gen makes from the catalogue of a server."},
	{"mcpkit/client/stdio", "Starts a server for the client, and ends it with all that it started."},
	{"mcpkit/client/streamable", "Reaches a server over HTTP for the client."},
	{"mcpkit/extract", "Finds the messages in what was recorded of agents."},
	{"mcpkit/client/models", "Offers the tools of a server to a model, in the form that its API takes."},
}

// generatedOnly are packages that generated code imports, and nobody else should: what they
// export may change with the generator.
var generatedOnly = []string{"gen/jsonrt/ecma", "gen/jsonrt/idn", "gen/jsonrt/near", "gen/jsonrt/search"}

// ofThisModule are packages that can be imported but hold nothing for others: this module's own
// messages, what the command echo-gen runs, and the test of the examples.
var ofThisModule = []string{"generated", "gen", "examples"}

// TestPublicAPI: docs/api.md lists every name that other modules can use, so that a change of the
// public face shows in review. UPDATE=1 writes it.
func TestPublicAPI(t *testing.T) {
	var listed []string
	for _, p := range publicPackages {
		listed = append(listed, strings.TrimSuffix(modulePath+"/"+p.path, "/"))
	}
	for _, p := range append(slices.Clone(generatedOnly), ofThisModule...) {
		listed = append(listed, modulePath+"/"+p)
	}
	for _, p := range goList(t, "./...") {
		path := "/" + p.ImportPath + "/"
		if strings.Contains(path, "/internal/") || isMain(t, p.ImportPath) {
			continue
		}
		require.Contains(t, listed, p.ImportPath, "other modules can import this package: list it in api_test.go, or make it internal")
	}

	var b strings.Builder
	b.WriteString("# What other modules may import\n\n" +
		"Written by `UPDATE=1 go test ./internal/house -run TestPublicAPI`; `go doc` tells the rest. " +
		"[Versions and compatibility](../README.md#versions-and-compatibility) says what stays as it is. ")
	fmt.Fprintf(&b, "Generated code also imports %s, which are not for you.\n", quotedList(generatedOnly))
	for _, p := range publicPackages {
		fmt.Fprintf(&b, "\n## %s\n\n%s\n\n", strings.TrimSuffix(modulePath+"/"+p.path, "/"), p.about)
		for _, line := range exportedNames(t, filepath.Join(root, p.path)) {
			b.WriteString("- `" + line + "`\n")
		}
	}
	file := filepath.Join(root, "docs/api.md")
	if os.Getenv("UPDATE") != "" {
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o600))
	}
	require.Equal(t, b.String(), read(t, "docs/api.md"), "the public face has changed: if that is meant, run UPDATE=1 go test ./internal/house -run TestPublicAPI and say it in CHANGELOG.md")
}

func quotedList(paths []string) string {
	quoted := make([]string, len(paths))
	for i, p := range paths {
		quoted[i] = "`" + p + "`"
	}
	return strings.Join(quoted, ", ")
}

// isMain reports whether a package is a program.
func isMain(t *testing.T, importPath string) bool {
	t.Helper()
	return parsePackage(t, filepath.Join(root, strings.TrimPrefix(strings.TrimPrefix(importPath, modulePath), "/"))).Name == "main"
}

// parsePackage reads the documentation of the package in dir, without its tests.
func parsePackage(t *testing.T, dir string) *doc.Package {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob(filepath.Join(dir, "*.go"))
	require.NoError(t, err)
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") || filepath.Base(name) == "tools.go" {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, parser.ParseComments|parser.SkipObjectResolution)
		require.NoError(t, err)
		files = append(files, f)
	}
	p, err := doc.NewFromFiles(fset, files, dir)
	require.NoError(t, err)
	return p
}

// exportedNames lists what a package exports, one name a line: functions and methods with their
// signature, types with their exported fields.
func exportedNames(t *testing.T, dir string) []string {
	t.Helper()
	p := parsePackage(t, dir)
	var lines []string
	values := func(kind string, list []*doc.Value) {
		for _, v := range list {
			for _, name := range v.Names {
				if ast.IsExported(name) {
					lines = append(lines, kind+" "+name)
				}
			}
		}
	}
	funcs := func(list []*doc.Func) {
		for _, f := range list {
			lines = append(lines, signature(f.Decl))
		}
	}
	values("const", p.Consts)
	values("var", p.Vars)
	funcs(p.Funcs)
	for _, typ := range p.Types {
		spec := typ.Decl.Specs[0].(*ast.TypeSpec)
		line := "type " + typ.Name
		if fields := exportedFields(spec.Type); fields != "" {
			line += " " + fields
		}
		lines = append(lines, line)
		values("const", typ.Consts)
		values("var", typ.Vars)
		funcs(typ.Funcs)
		funcs(typ.Methods)
	}
	slices.Sort(lines)
	return lines
}

// exportedFields names the exported fields of a struct, or methods of an interface.
func exportedFields(t ast.Expr) string {
	var list *ast.FieldList
	kind := ""
	switch t := t.(type) {
	case *ast.StructType:
		kind, list = "struct", t.Fields
	case *ast.InterfaceType:
		kind, list = "interface", t.Methods
	default:
		return ""
	}
	var names []string
	for _, f := range list.List {
		for _, name := range f.Names {
			if name.IsExported() {
				names = append(names, name.Name)
			}
		}
	}
	if len(names) == 0 {
		return ""
	}
	return kind + " { " + strings.Join(names, ", ") + " }"
}

// signature is the declaration of a function on one line, without its body.
func signature(f *ast.FuncDecl) string {
	bare := *f
	bare.Doc, bare.Body = nil, nil
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), &bare); err != nil {
		panic(err) //nolint:forbidigo // a builder takes everything
	}
	return strings.Join(strings.Fields(b.String()), " ")
}
