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
		{`{"divisibleBy": 2}`, "divisibleBy is a keyword of draft3 only and checks nothing here, in 2020-12; use multipleOf, or say which draft is meant with -dialect-of 'm.json=draft3', or with \"$schema\": \"http://json-schema.org/draft-03/schema#\" in the file"},
		{`{"additionalItems": false}`, "additionalItems is a keyword up to 2019-09 and checks nothing here, in 2020-12; say which draft is meant with -dialect-of 'm.json=draft7'"},
		{`{` + draft7 + `"dependentRequired": {"a": ["b"]}}`, "dependentRequired is a keyword since 2019-09 and checks nothing here, in draft7"},
		{`{` + draft7 + `"prefixItems": [true]}`, "prefixItems is a keyword since 2020-12"},
		{`{"properties": {"a": {"items": {"minLenght": 1}}}}`, "did you mean minLength?"},

		{`{` + draft7 + `"additionalItems": false}`, "additionalItems has no effect without items beside it"},
		{`{` + draft7 + `"items": {}, "additionalItems": false}`, "additionalItems has no effect beside this items"},
		{`{` + draft7 + `"items": [{}], "additionalItems": false}`, ""},
		{`{` + draft7 + `"items": {}, "additionalItems": true}`, ""},
		{`{"then": {"minLength": 1}}`, "then has no effect without if beside it"},
		{`{"minContains": 2}`, "minContains has no effect without contains beside it"},
		{`{` + draft7 + `"$ref": "#/definitions/a", "description": "d", "minLength": 1, "definitions": {"a": true}}`, "minLength has no effect beside $ref, in draft7; put both into an allOf"},
		{`{"$ref": "#/$defs/a", "minLength": 1, "$defs": {"a": true}}`, ""},
		{`{"pattern": "\\A[a-z]"}`, "\\A means nothing special in a pattern, which is a regular expression of ECMA-262; write ^"},
		{`{"pattern": "[a-z]\\Z"}`, "\\Z means nothing special in a pattern, which is a regular expression of ECMA-262; write $"},
		{`{"pattern": "\\x{41}"}`, "means nothing special"},
		{`{"pattern": "^[[:alpha:]]+$"}`, "[:alpha:] means nothing special"},
		{`{"pattern": "\\Qa.b"}`, "\\Q means nothing special"},
		{`{"patternProperties": {"^a{,3}$": {"minLength": 1}}}`, "{,3} means nothing special"},
		{`{"pattern": "^\\\\A\\x41[:a-z]{1,3}\\{,3}$"}`, ""},
		{`{"name": "t", "input_schema": {"type": "object"}}`, "the schema seems to be what stands under input_schema: save that alone"},
		{`{"$defs": {"a": {"type": "null"}}}`, "it has definitions, but uses none"},
		{`{"title": "anything"}`, ""},
		{`{"$schema": "https://json-schema.org/v1", "note": 1, "x-note": 2}`, "note is no keyword, and v1 wants"},
		{`{"x-minLength": 1, "X-pattern": "a", "x-patern": "a"}`, ""},
		{`{"example": 1, "note": "text", "enumNames": ["a"], "markdownDescription": "d"}`, ""},
		{`{"description_old": "d", "title-2": "t"}`, ""},
		{`{"minLenght": "1"}`, ""}, // minLength takes no string
		{`{"properties": {"minLenght": true, "patern": true}, "$defs": {"requried": true}}`, ""},
		{`{"const": {"minLenght": 1}, "enum": [{"patern": "a"}], "default": {"patern": "a"}, "examples": [{"patern": "a"}]}`, ""},
		{`{"definitions": {"a": true}, "dependencies": {"a": ["b"]}}`, ""},
		{`{` + draft7 + `"type": "null", "$defs": {"a": true}, "deprecated": true}`, ""},
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
