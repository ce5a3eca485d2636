package modelapi_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// mend applies edits until there are none, as lint does.
func mend(t *testing.T, text string) string {
	t.Helper()
	for range 5 {
		mended, count := modelapi.Apply([]byte(text), modelapi.Lint(tool(text), modelapi.Options{Schema: true}))
		if count == 0 {
			require.Equal(t, text, string(mended))
			return text
		}
		text = string(mended)
	}
	t.Fatal("the edits have no end")
	return ""
}

// TestFix: edits keep to the text's own manner, and touch nothing else.
func TestFix(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ is, want string }{
		{`{"type":"object"}`, `{"type":"object","properties":{}}`},
		{`{ "type": "object" }`, `{ "type": "object", "properties": {} }`},
		{`{"type": ["object"], "title": "a"}`, `{"type": "object", "properties": {}, "title": "a"}`},
		{"{\n\t\"title\": \"a\",\n\t\"type\": \"object\"\n}\n", "{\n\t\"title\": \"a\",\n\t\"type\": \"object\",\n\t\"properties\": {}\n}\n"},
		{`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":["array","null"],"x":1}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{}},"b":{"type":["array","null"],"items":{},"x":1}}}`},
		{`{"type":"object","properties":{"a":{"type":"array","items":false}}}`, `{"type":"object","properties":{"a":{"type":"array","items":{"not": {}}}}}`},
		{`{"type":"object","properties":{"a":{},"b":true}}`, `{"type":"object","properties":{"a":{"type": ["object", "array", "string", "number", "boolean", "null"], "items": {}},"b":{"type": ["object", "array", "string", "number", "boolean", "null"], "items": {}}}}`},
		{"{\"type\":\"object\",\"properties\":{\"a\":{\n  \"description\": \"any\"\n}}}", "{\"type\":\"object\",\"properties\":{\"a\":{\n  \"type\": [\"object\", \"array\", \"string\", \"number\", \"boolean\", \"null\"],\n  \"items\": {},\n  \"description\": \"any\"\n}}}"},
	} {
		require.Equal(t, c.want, mend(t, c.is))
		require.Equal(t, c.want, mend(t, c.want))
	}
	// What would change the meaning, or can't be known, is left alone.
	for _, same := range []string{
		`{"type":"object","properties":{"a":{"type":"array","unevaluatedItems":false},"b":{}}}`,
		`{"type":"object","properties":{"a":{"type":"array"},"b":{"type":"string","uneval\u0075atedItems":false}}}`,
		`{"type":["object","null"],"properties":{}}`,
		`{"type":"object","properties":[]}`,
		`{"type":"object","properties":{},"anyOf":[{}]}`,
		`{"type":"object","properties":{"a":{"type":"string","pattern":"(?=a)"}}}`,
		`not JSON`,
	} {
		require.Equal(t, same, mend(t, same))
	}
}

// TestManyPlaces: the time goes with the length of the text, not with the square of how many
// places there are: that would be more than ten minutes, with the race detector.
func TestManyPlaces(t *testing.T) {
	t.Parallel()
	const n = 50_000
	start := time.Now()
	text := object(numbered(n, `"p%d":{"type":"array"}`))
	found := modelapi.Lint(tool(text), modelapi.Options{Schema: true})
	require.Len(t, found, n)
	require.Equal(t, "/properties/p49999", found[n-1].Pointer)
	mended, count := modelapi.Apply([]byte(text), found)
	require.Equal(t, n, count)
	require.Empty(t, modelapi.Lint(tool(string(mended)), modelapi.Options{Schema: true}))
	refs := `{"type":"object","properties":{},"$defs":{` + numbered(n, `"d%[1]d":{"$ref":"#/$defs/d%[1]d"}`) + `}}`
	require.Empty(t, modelapi.Lint(tool(refs), modelapi.Options{Schema: true}))
	require.Less(t, time.Since(start), 3*time.Minute)
}
