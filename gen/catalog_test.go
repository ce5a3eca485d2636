package gen

import (
	"bytes"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// item is an item of a catalogue.
type item map[string]any

// toolItem is a tool; a schema that is nil is left out.
func toolItem(name, description string, input, output any) item {
	detail := map[string]any{}
	if input != nil {
		detail["input"] = item{"json": input}
	}
	if output != nil {
		detail["output"] = item{"json": output}
	}
	return item{"type": "tool", "name": name, "title": description, "description": description, "detail": detail}
}

// deep stands for a schema that nests 20,000 levels deep, which encoding/json can't write.
const deep = "DEEP"

// catalogOf writes a catalogue and gives its file.
func catalogOf(t *testing.T, name string, items []item) string {
	t.Helper()
	text, err := json.Marshal(item{"server": item{"info": item{"name": name, "title": name, "version": name}}, "items": items})
	require.NoError(t, err)
	text = bytes.Replace(text, []byte(`"`+deep+`"`), []byte(strings.Repeat(`{"properties":{"d":`, 20_000)+`true`+strings.Repeat(`}}`, 20_000)), 1)
	file := filepath.Join(t.TempDir(), "c.json")
	require.NoError(t, os.WriteFile(file, text, 0o644))
	return file
}

// run runs the command, and gives its exit code and what it prints to stderr.
func run(args ...string) (int, string) {
	var stdout, stderr bytes.Buffer
	code := Run(args, &stdout, &stderr)
	return code, stderr.String()
}

// files reads a folder.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	require.NoError(t, err)
	all := map[string]string{}
	for _, e := range entries {
		text, err := os.ReadFile(filepath.Join(dir, e.Name()))
		require.NoError(t, err)
		all[e.Name()] = string(text)
	}
	return all
}

func object(properties map[string]any) item { return item{"type": "object", "properties": properties} }

// hostile is a text that wants to be more than a comment.
const hostile = "*/ \n//go:build ignore\n//go:embed x\n\u2028//go:generate rm\r\n` \" + os.Exit(1) + \" \u0000 \ufeff \u202e\n" +
	"Made with -exact-numbers=true\npackage evil\n// Made with -assert-format=true\n# heading\n    code\n- item"

// museum are names of tools that are awkward for Go, for file names, for the go command, or for the
// package that is made of them, and such that clash with others.
var museum = []string{
	"close", "new", "string", "String", "Client", "New", "Error", "type", "func", "a-b", "a_b", "aB", "", "日本", "émoji😀", "😀", "1st",
	"validate_x", "x", "decode_x", "Registry", "decode", "MarshalJSON", "seek", "Write-To", "init", "main", "x_input", "X_Input", "x_output",
	"test", "linux", strings.Repeat("x", 300), strings.Repeat("Ж", 128), strings.Repeat("A", 300), "a\nb", "go:build", "context", "client",
	"typed", "session", "in", "options", "c", "ctx", "jsonrt", "schemaXInput", "../../etc/passwd", "a/b", "con", hostile,
}

// TestCatalogMuseum: whatever tools, prompts and resources are called and say of themselves, each
// gets a method or a constant of its own, and the texts stay comments.
func TestCatalogMuseum(t *testing.T) {
	var items []item
	for _, name := range museum {
		properties := map[string]any{"in": item{"type": "string", "description": hostile}, hostile: item{"type": "object", "properties": item{"q": item{"enum": []string{hostile, "b"}}}}}
		items = append(items, toolItem(name, hostile, object(properties), object(map[string]any{"r": item{"const": hostile}})),
			item{"type": "prompt", "name": name, "description": hostile, "detail": item{"input": item{"json": item{
				"properties": item{hostile: item{"description": hostile}, "in": item{}, "ctx": item{}, "a-b": item{}, "a_b": item{}, "": item{}}, "required": []string{"in", "nope"},
			}}}},
			item{"type": "resource", "name": name, "description": hostile, "detail": item{"uri": "x://" + name}},
			item{"type": "resource", "name": "twice", "title": hostile, "detail": item{"uri": name + "/" + hostile}})
	}
	out := filepath.Join(t.TempDir(), "museum")
	code, said := run("-catalog", catalogOf(t, hostile, items), "-out", out)
	require.Equal(t, exitDone, code, said)
	require.Equal(t, fmt.Sprintf("echo-gen: %d tools, %d files (%[2]d written, 0 removed)\n", len(museum), 4*len(museum)+1), said)
	made := files(t, out)
	for name, text := range made {
		require.Less(t, len(name), 256)
		require.NotRegexp(t, `(?m)^\s*//(go:|\s*\+build)`, text, name)
		require.NotRegexp(t, "[\u0000\ufeff\u202e\u2028]", text, name)
		clean, err := format.Source([]byte(text))
		require.NoError(t, err)
		require.Equal(t, string(clean), text, name)
	}
	// Methods of the standard library's interfaces have other parameters: go vet would complain.
	parsed, err := parser.ParseFile(token.NewFileSet(), "client.go", made["client.go"], 0)
	require.NoError(t, err)
	methods := map[string]bool{}
	for _, d := range parsed.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Recv != nil {
			methods[f.Name.Name] = true
		}
	}
	require.Len(t, methods, 2*len(museum))
	for _, name := range []string{"Close", "New", "String", "Error", "AB", "ADashB", "AUnderscoreB", "ValidateX", "DecodeX", "MarshalJSONMember", "SeekMember", "X日本", "X1st", "PromptClose"} {
		require.True(t, methods[name], name)
	}
	for _, name := range []string{"MarshalJSON", "Seek", "WriteTo"} {
		require.False(t, methods[name], name)
	}

	// Nothing depends on the order, and the hostile text is none of the flags that are recalled.
	slices.Reverse(items)
	code, said = run("-check", "-catalog", catalogOf(t, hostile, items), "-out", out)
	require.Equal(t, exitDone, code, said)
	require.Empty(t, said)
}

// TestCatalogFaults: a tool whose input schema has faults is left out and named with the place; one
// whose output schema has some gives the result as it is. The others are as they were.
func TestCatalogFaults(t *testing.T) {
	text := item{"type": "string"}
	good := toolItem("good", "Is well.", object(map[string]any{"a": text}), object(map[string]any{"b": text}))
	bad := map[string]any{
		"a_type":    object(map[string]any{"a": item{"type": "strng"}}),
		"outside":   object(map[string]any{"a": item{"$ref": "https://example.com/x.json"}}),
		"a_file":    object(map[string]any{"a": item{"$ref": "file:///etc/passwd"}}),
		"a_sibling": object(map[string]any{"a": item{"$ref": "GoodInput"}}),
		"other_id":  object(map[string]any{"a": item{"$ref": "https://example.com/good#/$defs/t"}}),
		"dialect":   item{"$schema": "https://example.com/dialect", "type": "object"},
		"dialect_2": item{"$schema": "https://example.com/dialect", "type": "object"},
		"circle":    item{"type": "object", "$ref": "#"},
		"a_text":    "object",
		"pattern":   object(map[string]any{"a": item{"type": "string", "pattern": "("}}),
		"deep":      deep,
	}
	items := []item{
		good, toolItem("bad_output", "Half.", object(map[string]any{"a": text}), object(map[string]any{"b": item{"type": "strng"}})),
		toolItem("good", "Comes again.", object(nil), nil),
	}
	for name, schema := range bad {
		items = append(items, toolItem(name, "Is bad.", schema, object(map[string]any{"b": text})))
	}
	file, out := catalogOf(t, "s", items), filepath.Join(t.TempDir(), "out")
	code, said := run("-catalog", file, "-out", out)
	require.Equal(t, exitDone, code, said)
	require.Contains(t, said, "echo-gen: 2 tools, 7 files (7 written, 0 removed)\n")
	made := files(t, out)
	require.Contains(t, made["client.go"], ") BadOutput(ctx context.Context, in BadOutputInput, options ...client.CallOption) (*client.Result, error) {")
	require.Contains(t, strings.ReplaceAll(made["client.go"], "\n// ", " "), `What it answers is not typed, for the server's output schema of it has faults: "strng" is not a JSON Schema type`)
	require.Contains(t, made["client.go"], ") Good(ctx context.Context, in GoodInput, options ...client.CallOption) (GoodOutput, error) {")
	require.Contains(t, made["client.go"], "//   - the tool good, which comes twice, and what asks for it by its name can't tell the two apart: only the first is here\n")
	for name := range bad {
		require.Contains(t, said, "warning: there is no method for the tool "+name+": it has an input schema with faults\n")
		require.Contains(t, made["client.go"], "//   - the tool "+name+", which has an input schema with faults: ")
	}
	// The place is that in the catalogue, which is one line here.
	source, err := os.ReadFile(file)
	require.NoError(t, err)
	column := strings.Index(string(source), `"strng"`) + 1
	require.Contains(t, said, fmt.Sprintf(`c.json:1:%d: /items/1/detail/output/json/properties/b/type: warning: "strng" is not a JSON Schema type`, column))
	require.Regexp(t, `: /items/\d+/detail/input/json/properties/a/\$ref: warning: the reference "https://example.com/x.json" leads out of the schema, and nothing is fetched: say where it lies with -map PREFIX=DIR\n`, said)
	require.Equal(t, 4, len(regexp.MustCompile(`the reference "[^"]*" leads out of the schema`).FindAllString(said, -1)))
	require.Equal(t, 2, strings.Count(said, `the dialect "https://example.com/dialect" cannot be read: nothing is fetched`))

	// With -strict all of that is a fault, and nothing is written.
	code, said = run("-catalog", file, "-out", filepath.Join(t.TempDir(), "strict"), "-strict")
	require.Equal(t, exitFault, code)
	require.Contains(t, said, ": there is no method for the tool a_type: it has an input schema with faults\n")
	require.NotContains(t, said, "warning: ")
	require.NotContains(t, said, "written")
	code, said = run("-catalog", catalogOf(t, "s", []item{good}), "-out", filepath.Join(t.TempDir(), "strict"), "-strict")
	require.Equal(t, exitDone, code, said)

	// Where -map says what a reference leads to, it is followed.
	shared := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(shared, "x.json"), []byte(`{"type":"integer"}`), 0o644))
	mapped := filepath.Join(t.TempDir(), "mapped")
	code, said = run("-catalog", catalogOf(t, "s", []item{toolItem("outside", "", bad["outside"], nil)}), "-out", mapped, "-map", "https://example.com/="+shared)
	require.Equal(t, exitDone, code, said)
	require.Regexp(t, `A +\*int64`, files(t, mapped)["outside_input_types.go"])
}

// TestCatalogDialects: each schema is read by its own dialect and stands alone: an $id that others
// have too says nothing about them.
func TestCatalogDialects(t *testing.T) {
	items := []item{
		toolItem("d4", "", item{"$schema": "http://json-schema.org/draft-04/schema#", "id": "https://example.com/s", "type": "object", "properties": item{"n": item{"type": "number", "minimum": 0, "exclusiveMinimum": true}}}, nil),
		toolItem("d7", "", item{"$schema": "http://json-schema.org/draft-07/schema#", "$id": "https://example.com/s", "type": "object", "properties": item{"n": item{"$ref": "#/definitions/t"}}, "definitions": item{"t": item{"items": []item{{"type": "string"}, {"type": "boolean"}}}}}, nil),
		toolItem("now", "", item{"$id": "https://example.com/s", "type": "object", "properties": item{"n": item{"$ref": "https://example.com/s#/$defs/t"}}, "$defs": item{"t": item{"type": "integer"}}}, nil),
		toolItem("any", "", true, nil), toolItem("empty", "", item{}, nil), toolItem("untyped", "", item{"properties": item{"n": item{"type": "boolean"}}}, nil), toolItem("none", "", nil, nil),
	}
	out := filepath.Join(t.TempDir(), "out")
	code, said := run("-catalog", catalogOf(t, "s", items), "-out", out)
	require.Equal(t, exitDone, code, said)
	made := files(t, out)
	for tool, want := range map[string]string{
		"d4": `N +\*float64`, "d7": `(?s)type D7Input_T struct \{.*Item0 +\*string`, "now": `N +\*int64`, "untyped": `N +\*bool`,
		"any": `type AnyInput map\[string\]json\.RawMessage`, "empty": `type EmptyInput map\[string\]json\.RawMessage`, "none": `type NoneInput map\[string\]json\.RawMessage`,
	} {
		require.Regexp(t, want, made[tool+"_input_types.go"], tool)
	}
}
