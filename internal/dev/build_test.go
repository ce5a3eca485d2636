package dev

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// newBuilder makes a module with three message types, whose program is main, and its builder.
func newBuilder(t *testing.T, main string) (*builder, *scanner) {
	t.Helper()
	checkout, err := filepath.Abs("../..")
	require.NoError(t, err)
	mod, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	require.NoError(t, err)
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	require.NoError(t, err)
	_, requires, _ := strings.Cut(string(mod), "require (")
	files := map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.26.0\n\ntool github.com/zenlix/echo-mcp/cmd/echo-gen\n\nrequire github.com/zenlix/echo-mcp v0.0.0\n\n" +
			"replace github.com/zenlix/echo-mcp => " + checkout + "\n\nrequire (" + requires,
		"go.sum":               string(sums),
		"main.go":              main,
		"messages/generate.go": generateLine + "\nconst Own = 1\n",
	}
	files["messages/generate.go"] = strings.Replace(files["messages/generate.go"], "-out .", "-out . -package messages", 1)
	for i := range 3 {
		files[fmt.Sprintf("schemas/t%d_v1.json", i)] = `{"type": "object"}`
	}
	t.Setenv("GOWORK", "off")
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	dir := moduleFiles(t, files)
	m, err := findModule(t.Context(), dir, "")
	require.NoError(t, err)
	return &builder{module: m, tmp: t.TempDir(), shown: filepath.Base}, &scanner{module: m}
}

// source gives what a program prints as the text of a schema.
func (b *builder) source(t *testing.T, program, id string) string {
	t.Helper()
	out, _ := b.module.run(t.Context(), b.module.dir, nil, program, "schema", id)
	return string(out)
}

const served = "package main\n\nimport (\n\t\"example.com/m/messages\"\n\t\"github.com/zenlix/echo-mcp\"\n)\n\n"

// TestBuild: after a whole build what changed is built alone, and what the program then serves is
// what the files say.
func TestBuild(t *testing.T) {
	b, s := newBuilder(t, served+"func main() { echomcp.Main(messages.Registry) }\n")
	build := func() *built {
		t.Helper()
		made, err := b.build(t.Context(), s.scan())
		require.NoError(t, err)
		return made
	}
	schema := func(name string) string { return filepath.Join(b.module.dir, "schemas", name) }
	require.True(t, build().whole)

	require.NoError(t, os.WriteFile(schema("t1_v1.json"), []byte(`{"type": "object", "title": "new"}`), 0o644))
	made := build()
	require.False(t, made.whole)
	require.Equal(t, `{"type": "object", "title": "new"}`, b.source(t, made.program, "t1_v1"))
	require.Equal(t, `{"type": "object"}`, b.source(t, made.program, "t0_v1"))
	text, err := os.ReadFile(filepath.Join(b.module.dir, "messages", "t1_v1_schema.go"))
	require.NoError(t, err)
	require.Contains(t, string(text), "new", "the generated files are up to date")

	require.NoError(t, os.Rename(schema("t1_v1.json"), schema("t9_v1.json")))
	made = build()
	require.False(t, made.whole)
	require.Contains(t, b.source(t, made.program, "t1_v1"), `there is no schema "t1_v1"`)
	require.Contains(t, b.source(t, made.program, "t9_v1"), `"new"`)

	for i := range 3 {
		require.NoError(t, os.WriteFile(schema(fmt.Sprintf("more%d_v1.json", i)), []byte(`{"type": "object"}`), 0o644))
	}
	require.True(t, build().whole, "most of it is different")

	require.NoError(t, os.WriteFile(schema("t0_v1.json"), []byte(`{"type": "nothing"}`), 0o644))
	_, err = b.build(t.Context(), s.scan())
	require.ErrorAs(t, err, new(FaultsError))
	require.Contains(t, err.Error(), "schemas/t0_v1.json:1:10: /type: ")
}

// TestBuildOfACopy: a program that has taken the registry into a variable of its own before it is
// exchanged is built as a whole, and so is one that doesn't compile with the patch.
func TestBuildOfACopy(t *testing.T) {
	b, s := newBuilder(t, served+"var registry = messages.Registry\n\nfunc main() { echomcp.Main(registry) }\n")
	_, err := b.build(t.Context(), s.scan())
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(b.module.dir, "schemas", "t1_v1.json"), []byte(`{"type": "object", "title": "new"}`), 0o644))
	made, err := b.build(t.Context(), s.scan())
	require.NoError(t, err)
	require.True(t, made.whole)
	require.Contains(t, b.source(t, made.program, "t1_v1"), `"new"`)

	require.NoError(t, os.WriteFile(filepath.Join(b.module.main, "main.go"), []byte("package main\n\nfunc main() { nothing() }\n"), 0o644))
	_, err = b.build(t.Context(), s.scan())
	require.ErrorAs(t, err, new(FaultsError))
	require.Contains(t, err.Error(), "main.go:3:15: undefined: nothing")
}
