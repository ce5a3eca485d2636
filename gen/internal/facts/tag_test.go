package facts

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// rootTag is the tag of the oneOf at the root of a schema.
func rootTag(t *testing.T, schema string) *Tag {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.json"), []byte(schema), 0o644))
	graph, faults := load.Load(load.Options{Dir: dir})
	require.Empty(t, faults)
	s := graph.Messages[0].Schema
	return Of(graph).Tag(s, s.Checks(load.CheckOne))
}

func TestNoTag(t *testing.T) {
	form := func(k string) string {
		return `{"type": "object", "properties": {"k": ` + k + `}, "required": ["k"]}`
	}
	for name, branches := range map[string]string{
		"values meet":           form(`{"const": "a"}`) + `,` + form(`{"enum": ["b", "a"]}`),
		"integers meet":         form(`{"const": 1}`) + `,` + form(`{"const": 1.0}`),
		"true is not 1":         form(`{"const": 1}`) + `,` + form(`{"const": true}`),
		"an optional member":    form(`{"const": "a"}`) + `,{"type": "object", "properties": {"k": {"const": "b"}}}`,
		"no constants":          form(`{"const": "a"}`) + `,` + form(`{"type": "string"}`),
		"fractions":             form(`{"const": 1.5}`) + `,` + form(`{"const": 2.5}`),
		"integers without end":  form(`{"const": 1e18}`) + `,` + form(`{"const": 1e400}`),
		"one branch of objects": form(`{"const": "a"}`) + `,{"type": "string"}`,
	} {
		require.Nil(t, rootTag(t, `{"oneOf": [`+branches+`]}`), name)
	}
}

func TestTagThroughReferences(t *testing.T) {
	tag := rootTag(t, `{"oneOf": [{"$ref": "#/$defs/a"}, {"allOf": [{"$ref": "#/$defs/base"}, {"properties": {"k": {"const": "b"}}}]}, {"type": "null"}],
		"$defs": {"base": {"type": "object", "required": ["k"]}, "a": {"$ref": "#/$defs/base", "properties": {"k": {"$ref": "#/$defs/ka"}}}, "ka": {"enum": ["a", "aa"]}}}`)
	require.NotNil(t, tag)
	require.Equal(t, "k", tag.Member)
	require.Equal(t, [][]string{{"a", "aa"}, {"b"}}, tag.Values)
	require.False(t, tag.Required)
}
