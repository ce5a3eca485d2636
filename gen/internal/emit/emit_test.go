package emit_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/emit"
	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
	"github.com/zenlix/echo-mcp/gen/internal/trial"
)

// TestGolden keeps the generated code of one schema with every check: its text, and so its
// size. UPDATE=1 writes it anew: read the diff as the person who has to debug it.
func TestGolden(t *testing.T) {
	dir := t.TempDir()
	schema, err := os.ReadFile(filepath.Join("testdata", "sink.json"))
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "sink.json"), schema, 0o644))
	graph, faults := load.Load(load.Options{Dir: dir})
	require.Empty(t, faults)
	p, faults := plan.Build(facts.Of(graph), plan.Options{AssertFormat: true})
	require.Empty(t, faults)
	files, err := emit.Files(p, program.Build(p, nil), emit.Options{Package: "generated", Types: map[string]string{"sink": "Sink"}})
	require.NoError(t, err)
	require.Len(t, files, 2)
	for name, file := range map[string]string{"sink_schema.go": "sink.golden", "registry.go": "registry.golden"} {
		golden := filepath.Join("testdata", file)
		if os.Getenv("UPDATE") != "" {
			require.NoError(t, os.WriteFile(golden, files[name], 0o644))
		}
		want, err := os.ReadFile(golden)
		require.NoError(t, err)
		require.Equal(t, string(want), string(files[name]))
	}
	again, err := emit.Files(p, program.Build(p, nil), emit.Options{Package: "generated", Types: map[string]string{"sink": "Sink"}})
	require.NoError(t, err)
	require.Equal(t, files, again, "the output is not deterministic")
}

// Text from a schema changes nothing but comments and literals, whatever it holds.
func TestSchemaTextStaysInert(t *testing.T) {
	hostile := `*/ \n//go:build ignore\n//go:embed x\n\u2028//go:generate rm\r\n` + "`" + ` \" + os.Exit(1) + \" \u0000 \ufeff`
	schema := `{"title": "` + hostile + `", "description": "` + hostile + `",
		"properties": {"` + hostile + `": {"const": "` + hostile + `"}, "p": {"pattern": "a*/\n//go:build ignore"}, "f": {"enum": [{"` + hostile + `": 1}]}},
		"$defs": {"` + hostile + `": {"type": "object", "description": "` + hostile + `", "required": ["` + hostile + `"]}}, "required": ["` + hostile + `"]}`
	compiled := trial.Compile(t, map[string]string{"hostile": schema}, trial.Options{})
	require.Empty(t, compiled.Refused)
	r := compiled.Validate(t, "hostile", `{}`, `{"`+hostile+`":"`+hostile+`","f":{"`+hostile+`":1.0}}`, `{"`+hostile+`":"x"}`)
	require.Equal(t, []bool{false, true, false}, []bool{r[0].Valid, r[1].Valid, r[2].Valid}, "%v", r)

	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "hostile.json"), []byte(schema), 0o644))
	graph, faults := load.Load(load.Options{Dir: dir})
	require.Empty(t, faults)
	p, faults := plan.Build(facts.Of(graph), plan.Options{})
	require.Empty(t, faults)
	files, err := emit.Files(p, program.Build(p, nil), emit.Options{Package: "generated"})
	require.NoError(t, err)
	for _, line := range strings.Split(string(files["hostile_schema.go"]), "\n") {
		require.False(t, strings.HasPrefix(strings.TrimSpace(line), "//go:"), "a directive: %s", line)
	}
}

// Ids that are awkward for Go, for file names and for the go command simply work.
func TestAwkwardIDs(t *testing.T) {
	ids := []string{"type", "func", "report_linux", "x_test", "über v1", "a b", "__proto__", "registry", "validate_a", "a", "1st", "日本", "string", "init", "x.y", "-"}
	schemas := map[string]string{}
	for _, id := range ids {
		schemas[id] = `{"const": "` + id + `"}`
	}
	compiled := trial.Compile(t, schemas, trial.Options{})
	require.Empty(t, compiled.Refused)
	for _, id := range ids {
		r := compiled.Validate(t, id, `"`+id+`"`, `"other"`)
		require.True(t, r[0].Valid, "%s: %v %s", id, r[0].Details, r[0].Error)
		require.False(t, r[1].Valid, id)
	}
}

// A package without any message type has all that programs over it name.
func TestNoMessages(t *testing.T) {
	graph, faults := load.Load(load.Options{Dir: t.TempDir()})
	require.Empty(t, faults)
	p, faults := plan.Build(facts.Of(graph), plan.Options{})
	require.Empty(t, faults)
	files, err := emit.Files(p, program.Build(p, nil), emit.Options{Package: "generated", Types: map[string]string{}})
	require.NoError(t, err)
	require.Len(t, files, 1)
	require.Contains(t, string(files["registry.go"]), "\nfunc Decode(id string, data []byte) (jsonrt.Message, error) {")
	require.Contains(t, string(files["registry.go"]), "\nvar Registry = jsonrt.NewRegistry()\n")
}
