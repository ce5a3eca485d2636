package load_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// TestSlips: which members of a schema get a warning as near misses of keywords, and which are
// annotations or data.
func TestSlips(t *testing.T) {
	t.Parallel()
	const draft7 = `"$schema": "http://json-schema.org/draft-07/schema#", `
	for _, c := range []struct {
		schema string
		want   string // of the message; "" is none
	}{
		{`{"minLenght": 1}`, "minLenght is no keyword and checks nothing; did you mean minLength?"},
		{`{"patern": "^a"}`, "did you mean pattern?"},
		{`{"requried": ["a"]}`, "did you mean required?"},
		{`{"additionalproperties": false}`, "did you mean additionalProperties?"},
		{`{"additional_properties": false}`, "did you mean additionalProperties?"},
		{`{"propreties": {"a": true}}`, "did you mean properties?"},
		{`{"min_length": 1}`, "did you mean minLength?"},
		{`{"onOf": [true]}`, "did you mean oneOf?"},
		{`{"enums": ["a"]}`, "did you mean enum?"},
		{`{"divisibleBy": 2}`, "divisibleBy is a keyword of draft 3 only and checks nothing here; use multipleOf"},
		{`{"additionalItems": false}`, "additionalItems is a keyword up to 2019-09 and checks nothing here, in 2020-12; say which draft is meant with $schema"},
		{`{` + draft7 + `"dependentRequired": {"a": ["b"]}}`, "dependentRequired is a keyword since 2019-09 and checks nothing here, in draft7"},
		{`{` + draft7 + `"prefixItems": [true]}`, "prefixItems is a keyword since 2020-12"},
		{`{"properties": {"a": {"items": {"minLenght": 1}}}}`, "did you mean minLength?"},

		{`{"x-minLength": 1, "X-pattern": "a", "x-patern": "a"}`, ""},
		{`{"example": 1, "note": "text", "enumNames": ["a"], "markdownDescription": "d"}`, ""},
		{`{"description_old": "d", "title-2": "t"}`, ""},
		{`{"minLenght": "1"}`, ""}, // minLength takes no string
		{`{"properties": {"minLenght": true, "patern": true}, "$defs": {"requried": true}}`, ""},
		{`{"const": {"minLenght": 1}, "enum": [{"patern": "a"}], "default": {"patern": "a"}, "examples": [{"patern": "a"}]}`, ""},
		{`{"definitions": {"a": true}, "dependencies": {"a": ["b"]}}`, ""},
		{`{` + draft7 + `"$defs": {"a": true}, "deprecated": true}`, ""},
	} {
		dir := t.TempDir()
		require.NoError(t, os.WriteFile(filepath.Join(dir, "m.json"), []byte(c.schema), 0o600))
		graph, faults := load.Load(load.Options{Dir: dir})
		require.Empty(t, faults, c.schema)
		if c.want == "" {
			require.Empty(t, graph.Warnings, c.schema)
			continue
		}
		require.Len(t, graph.Warnings, 1, c.schema)
		require.Contains(t, graph.Warnings[0].Message, c.want)
		require.True(t, strings.HasPrefix(graph.Warnings[0].Message, "warning: "))
	}
}
