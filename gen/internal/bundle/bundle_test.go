package bundle_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/bundle"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// all bundles the schemas of a txtar archive.
func all(t *testing.T, archive string) (map[string]bundle.Entry, load.Diagnostics) {
	t.Helper()
	dir := t.TempDir()
	for _, f := range txtar.Parse([]byte(archive)).Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, os.WriteFile(name, f.Data, 0o600))
	}
	graph, faults := load.Load(load.Options{Dir: dir, Default: load.Draft2020})
	require.Empty(t, faults)
	entries, faults, _ := bundle.All(graph)
	return entries, faults
}

// one bundles the schema a of an archive.
func one(t *testing.T, archive string) bundle.Entry {
	t.Helper()
	entries, faults := all(t, archive)
	require.Empty(t, faults)
	return entries["a"]
}

func TestTools(t *testing.T) {
	t.Parallel()
	for schema, tool := range map[string]bool{
		`{"type":"object","properties":{}}`: true,
		`{"type":["object"]}`:               true,
		`{"type":["object","null"]}`:        false,
		`{"type":"string"}`:                 false,
		`{}`:                                false,
		`true`:                              false,
		`false`:                             false,
		`{"properties":{"x":{}}}`:           false,
		`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object"}}}`:            true,
		`{"allOf":[{},{"type":"object"}]}`:                                true,
		`{"anyOf":[{"type":"object"},{"type":"string"}]}`:                 false,
		`{"oneOf":[{"type":"object"},{"allOf":[{"type":["object"]}]}]}`:   true,
		`{"not":{"type":"object"}}`:                                       false,
		`{"type":"object","properties":{"x":{"$ref":"#"}}}`:               true,
		`{"anyOf":[{"type":"object"},{"properties":{"x":{"$ref":"#"}}}]}`: false,
	} {
		e := one(t, "-- a.json --\n"+schema)
		require.Equal(t, tool, e.Tool == "emit_a", schema)
	}
}

func TestToolNames(t *testing.T) {
	t.Parallel()
	for id, name := range map[string]string{
		"zenlix-agent-stage-v1": "emit_zenlix-agent-stage-v1",
		"a b":                   "emit_a_b",
		"über.v1":               "emit__ber_v1",
		strings.Repeat("x", 70): "emit_" + strings.Repeat("x", 31) + "_c71bd109",
	} {
		require.Equal(t, name, bundle.ToolName(id))
	}
	_, faults := all(t, "-- a b.json --\n{\"type\":\"object\"}\n-- a_b.json --\n{\"type\":\"object\"}\n-- a.b.json --\n{\"type\":\"array\"}\n")
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].String(), "a_b.json:1:1: the typed tool of this schema would be called emit_a_b, as that of ")
	require.Contains(t, faults[0].String(), "a b.json is: rename one of the two")
}

func TestTexts(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, archive, want string }{
		{"nothing to do", `
-- a.json --
{"type":"object","properties":{"x":{"anyOf":[{"$ref":"#/$defs/y"}]}},"$defs":{"y":{}}}
`, ``},
		{"what parameters refer to", `
-- a.json --
{"type":"object","properties":{"a":{"$ref":"#/$defs/x"},"b":{"type":"array","items":{"$ref":"#/$defs/x"}},"c":{"$ref":"#/$defs/y","title":"C"},"d":{"$ref":"#/$defs/tree"},"e":{"$ref":"#/$defs/z~1%25"}},"$defs":{"x":{"type":"string"},"y":{"type":"number"},"tree":{"type":"object","properties":{"t":{"$ref":"#/$defs/tree"}}},"z/%":{"const":1},"unused":{}}}
`, `{"type":"object","properties":{"a":{"type":"string"},"b":{"type":"array","items":{"type":"string"}},"c":{"$ref":"#/$defs/y","title":"C"},"d":{"type":"object","properties":{"t":{"$ref":"#/$defs/tree"}}},"e":{"const":1}},"$defs":{"y":{"type":"number"},"tree":{"type":"object","properties":{"t":{"$ref":"#/$defs/tree"}}},"unused":{}}}`},
		{"a definition that is the root", `
-- a.json --
{"$ref":"#/$defs/t","$defs":{"t":{"type":"object","properties":{"c":{"$ref":"#/$defs/t"}}}}}
`, `{"$defs":{"t":{"type":"object","properties":{"c":{"$ref":"#/$defs/t"}}}},"type":"object","properties":{"c":{"type":"object","properties":{"c":{"$ref":"#/$defs/t"}}}}}`},
		{"what a tool needs", `
-- a.json --
{ "$ref": "#/$defs/y", "$defs": {"y":{"type":"object"}} }
`, `{"$defs":{"y":{"type":"object"}},"type":"object","properties":{}}`},
		{"a type in a list", `
-- a.json --
{"type":["object"],"properties":{}}
`, `{"type":"object","properties":{}}`},
		{"another file, whole and in part", `
-- a.json --
{
  "type": "object",
  "properties": {"p": {"not":{"$ref": "c/money.json"}}, "q": {"not":{"$ref": "c/money.json#/$defs/unit"}}, "r": {"not":{"$ref": "#here"}}},
  "$defs": {"h": {"$anchor": "here"}}
}
-- c/money.json --
{"$schema": "https://json-schema.org/draft/2020-12/schema", "$id": "https://x.example/money", "$anchor": "top", "properties": {"u": {"$ref": "#/$defs/unit"}, "back": {"$ref": "#top"}}, "$defs": {"unit": {"enum": ["EUR", {"$ref": "#top"}]}}}
`, `{"type":"object","properties":{"p":{"not":{"$ref":"#/$defs/money"}},"q":{"not":{"$ref":"#/$defs/money_unit"}},"r":{"not":{"$ref":"#/$defs/h"}}},"$defs":{"h":{},"money":{"properties":{"u":{"$ref":"#/$defs/money_unit"},"back":{"$ref":"#/$defs/money"}},"$defs":{"unit":{"enum":["EUR",{"$ref":"#top"}]}}},"money_unit":{"enum":["EUR",{"$ref":"#top"}]}}}`},
		{"names that are taken", `
-- a.json --
{"type":"object","properties":{"p":{"not":{"$ref":"c/y.json"}},"q":{"not":{"$ref":"d/y.json"}},"r":{"not":{"$ref":"d/z.json"}}},"$defs":{"z":{}}}
-- c/y.json --
{"type":"string"}
-- d/y.json --
{"type":"number"}
-- d/z.json --
{"type":"boolean"}
`, `{"type":"object","properties":{"p":{"not":{"$ref":"#/$defs/c~1y.json%23"}},"q":{"not":{"$ref":"#/$defs/d~1y.json%23"}},"r":{"not":{"$ref":"#/$defs/d~1z.json%23"}}},"$defs":{"z":{}, "c/y.json#": {"type":"string"},"d/y.json#": {"type":"number"},"d/z.json#": {"type":"boolean"}}}`},
		{"files that refer to each other, and back", `
-- a.json --
{"type":"object","properties":{"p":{"not":{"$ref":"c/x.json"}}}}
-- c/x.json --
{"items":{"$ref":"y.json"}}
-- c/y.json --
{"anyOf":[{"$ref":"x.json"},{"$ref":"../a.json#/properties/p"},{"$ref":"../a.json"}]}
`, `{"type":"object","properties":{"p":{"not":{"$ref":"#/$defs/x"}}}, "$defs": {"x": {"items":{"$ref":"#/$defs/y"}},"y": {"anyOf":[{"$ref":"#/$defs/x"},{"$ref":"#/properties/p"},{"$ref":"#"}]}}}`},
		{"a resource inside", `
-- a.json --
{"$id":"https://x.example/a","type":"object","properties":{"p":{"$ref":"item"}},"$defs":{"i":{"$ref":"#/$defs/d","$id":"item","$defs":{"d":{"type":"null"}},"$anchor":"n"}}}
`, `{"type":"object","properties":{"p":{"$ref":"#/$defs/i"}},"$defs":{"i":{"$ref":"#/$defs/i/$defs/d","$defs":{"d":{"type":"null"}}}}}`},
		{"an older draft", `
-- a.json --
{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"p":{"$ref":"c/x.json"}}}
-- c/x.json --
{"$schema":"http://json-schema.org/draft-07/schema#","$id":"http://x.example/x","type":"string"}
`, `{"type":"object","properties":{"p":{"type":"string"}}}`},
		{"two dialects", `
-- a.json --
{"type":"object","properties":{"p":{"$ref":"c/x.json"}}}
-- c/x.json --
{"$schema":"http://json-schema.org/draft-07/schema#","type":"string"}
`, `{"type":"object","properties":{},"$comment":"This schema can't be told in the form that tools are described in; get_schema has it."}`},
		{"no tool, two dialects", `
-- a.json --
{"properties":{"p":{"$ref":"c/x.json"}}}
-- c/x.json --
{"$schema":"http://json-schema.org/draft-07/schema#","type":"string"}
`, ``},
	} {
		e := one(t, c.archive)
		require.Equal(t, c.want, e.Text, c.name)
		if e.Text == "" {
			continue
		}
		value, err := jsonschema.UnmarshalJSON(strings.NewReader(e.Text))
		require.NoError(t, err, c.name)
		compiler := jsonschema.NewCompiler()
		compiler.UseLoader(nothing{})
		require.NoError(t, compiler.AddResource("mem:a", value))
		_, err = compiler.Compile("mem:a")
		require.NoError(t, err, c.name)
	}
}

// nothing loads nothing: a bundle needs no other file.
type nothing struct{}

func (nothing) Load(url string) (any, error) { return nil, os.ErrNotExist }
