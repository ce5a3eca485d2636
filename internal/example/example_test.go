package example_test

import (
	"bytes"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/example"
)

// interpreted is a schema whose check is an interpreter's.
func interpreted(t *testing.T, text string) *jsonrt.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
	require.NoError(t, err, text)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	require.NoError(t, compiler.AddResource("mem:x", value))
	schema, err := compiler.Compile("mem:x")
	require.NoError(t, err, text)
	return &jsonrt.Schema{ID: "x", Source: text, Check: func(c *jsonrt.Checker, v int) bool {
		payload, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Text(v)))
		return err == nil && schema.Validate(payload) == nil || c.Fail(v, "#", "", "")
	}}
}

func TestExamples(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ schema, want string }{
		{`true`, `"text"`},
		{`{}`, `"text"`},
		{`{"type":"null"}`, `null`},
		{`{"type":"boolean"}`, `true`},
		{`{"const":{"a":1.0}}`, `{"a":1.0}`},
		{`{"enum":["x","y"]}`, `"x"`},
		{`{"type":"string","enum":[1,"y"]}`, `"y"`},
		{`{"type":"string","minLength":6}`, `"textxx"`},
		{`{"type":"string","maxLength":2}`, `"te"`},
		{`{"type":"string","examples":["mine"],"default":"other"}`, `"mine"`},
		{`{"type":"string","examples":[5]}`, `"text"`},
		{`{"type":["null","string"]}`, `null`},
		{`{"pattern":"^[A-Z]{2}-[0-9]+(x|y)?$"}`, `"AA-0"`},
		{`{"pattern":"^(?:red|blue)\\.$"}`, `"red."`},
		{`{"format":"date-time"}`, `"2026-01-31T12:30:00Z"`},
		{`{"format":"ipv6"}`, `"2001:db8::1"`},

		{`{"type":"integer"}`, `1`},
		{`{"type":"integer","minimum":5}`, `5`},
		{`{"type":"integer","exclusiveMinimum":5}`, `6`},
		{`{"type":"integer","maximum":-5}`, `-5`},
		{`{"type":"integer","minimum":2.5}`, `3`},
		{`{"type":"number","exclusiveMinimum":0,"exclusiveMaximum":1}`, `0.5`},
		{`{"type":"number","maximum":0.25}`, `0.25`},
		{`{"type":"number","exclusiveMaximum":0}`, `-1`},
		{`{"type":"number","multipleOf":0.01,"minimum":19.985}`, `19.99`},
		{`{"type":"integer","multipleOf":7}`, `7`},
		{`{"type":"integer","multipleOf":0.4,"allOf":[{"multipleOf":3}]}`, `6`},
		{`{"type":"number","minimum":12345678901234567890}`, `12345678901234567890`},
		{`{"$schema":"http://json-schema.org/draft-04/schema#","type":"integer","minimum":1,"exclusiveMinimum":true}`, `2`},

		{`{"type":"object"}`, `{}`},
		{`{"properties":{"b":{"type":"integer"},"a":{}}}`, `{"b":1,"a":"text"}`},
		{`{"type":"object","required":["x"],"additionalProperties":{"type":"null"}}`, `{"x":null}`},
		{`{"type":"object","required":["x1"],"patternProperties":{"^x":{"type":"integer"}}}`, `{"x1":1}`},
		{`{"type":"object","minProperties":2,"additionalProperties":{"type":"integer"}}`, `{"key1":1,"key2":1}`},
		{`{"properties":{"a":{},"b":{},"c":{}},"required":["c"],"maxProperties":2}`, `{"a":"text","c":"text"}`},
		{`{"properties":{"a":{},"b":false}}`, `{"a":"text"}`},
		{`{"properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]},"required":["a"]}`, `{"a":"text","b":"text"}`},
		{`{"type":"object","properties":{"a":{"type":"integer"}},"allOf":[{"properties":{"b":{"type":"null"}}}]}`, `{"a":1,"b":null}`},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"type":"integer","minimum":3}}}`, `{"a":3}`},
		{`{"type":"object","properties":{"a":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n","type":"integer"}}}`, `{"a":1}`},
		{`{"oneOf":[{"type":"string","minLength":3},{"type":"string","maxLength":9}]}`, ``},
		{`{"oneOf":[false,{"type":"integer"}]}`, `1`},
		{`{"type":"object","properties":{"k":{"enum":["a","b"]}},"required":["k"],"anyOf":[{"properties":{"k":{"const":"b"}}}]}`, `{"k":"b"}`},
		{`{"type":"object","properties":{"k":{"type":"string"}},"if":{"properties":{"k":{"const":"x"}}},"then":{"required":["l"]}}`, `{"k":"x","l":"text"}`},
		{`{"type":"object","properties":{"a":{"not":{}},"b":{"type":"integer"}}}`, `{}`},

		{`{"type":"array"}`, `["text"]`},
		{`{"items":{"type":"integer"},"minItems":3,"uniqueItems":true}`, `[1,2,3]`},
		{`{"items":{"enum":["a","b"]},"minItems":2,"uniqueItems":true}`, `["a","b"]`},
		{`{"prefixItems":[{"type":"integer"},{"type":"null"}],"items":false}`, `[1,null]`},
		{`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"integer"}],"additionalItems":false}`, `[1]`},
		{`{"type":"array","contains":{"const":5},"minContains":2}`, `[5,5]`},
		{`{"type":"array","maxItems":0}`, `[]`},
		{`{"type":"object","properties":{"c":{"type":"array","items":{"$ref":"#"}}}}`, `{"c":[{"c":[]}]}`},

		{`false`, ``},
		{`{"type":"object","properties":{"c":{"$ref":"#"}},"required":["c"]}`, ``},
		{`{"type":"string","not":{"type":"string"}}`, ``},
		{`{"type":"string","minLength":10000000}`, ``},
		{`{"type":"array","minItems":10000000}`, ``},
	} {
		schema := interpreted(t, c.schema)
		got, ok := example.Of(schema)
		require.Equal(t, c.want != "", ok, "%s: %s", c.schema, got)
		require.Equal(t, c.want, string(got), c.schema)
		again, _ := example.Of(schema)
		require.Equal(t, got, again, c.schema)
	}
}

// TestHugeLimits: limits that no number of a usual size can meet cost nothing.
func TestHugeLimits(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"type":"number","minimum":1e10000000}`, `{"type":"integer","multipleOf":1e-10000000}`, `{"minItems":1e300,"type":"array"}`,
		`{"type":"string","minLength":1e300}`, `{"pattern":"^(?:a{1000}){1000}$","type":"string"}`, `{"minProperties":1e9}`,
	} {
		schema := &jsonrt.Schema{Source: text, Check: func(*jsonrt.Checker, int) bool { return true }}
		got, _ := example.Of(schema)
		require.Less(t, len(got), 10<<20, text)
	}
}

// TestGenerated: every message of this repository has an example with all its members.
func TestGenerated(t *testing.T) {
	t.Parallel()
	require.Positive(t, generated.Registry.Len())
	for _, schema := range generated.Registry.Schemas() {
		got, ok := example.Of(schema)
		require.True(t, ok, schema.ID)
		require.NoError(t, schema.Validate(got))
		t.Logf("%s: %s", schema.ID, got)
	}
}
