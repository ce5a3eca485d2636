package example_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/example"
	"github.com/zenlix/echo-mcp/internal/pattern"
)

// interpreted is a schema whose check is an interpreter's.
func interpreted(t *testing.T, text string) *jsonrt.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader([]byte(text)))
	require.NoError(t, err, text)
	compiler := jsonschema.NewCompiler()
	compiler.AssertFormat()
	compiler.UseRegexpEngine(func(source string) (jsonschema.Regexp, error) {
		program, err := pattern.Compile(source)
		return expression{source, program}, err
	})
	require.NoError(t, compiler.AddResource("mem:x", value))
	schema, err := compiler.Compile("mem:x")
	require.NoError(t, err, text)
	return &jsonrt.Schema{ID: "x", Source: text, Check: func(c *jsonrt.Checker, v int) bool {
		payload, err := jsonschema.UnmarshalJSON(bytes.NewReader(c.Text(v)))
		return err == nil && schema.Validate(payload) == nil || c.Fail(v, "#", "", "")
	}}
}

// expression is a regular expression of ECMA-262.
type expression struct {
	source  string
	program *pattern.Program
}

func (e expression) MatchString(s string) bool { return e.program.Match(s) }

func (e expression) String() string { return e.source }

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
		{`{"pattern":"^\\p{Lu}[^a-z]+$","minLength":6}`, `"AAAAAA"`},
		{`{"pattern":"^x*yz{2,}$","minLength":5}`, `"xxyzz"`},
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
		{`{"required":["unknown","toString","__proto__x"],"minProperties":5}`, `{"unknown":"text","toString":"text","__proto__x":"text","key1":"text","key2":"text"}`},
		{`{"patternProperties":{"^x-[a-z]+$":{"type":"integer"}},"additionalProperties":false,"minProperties":3}`, `{"x-a":1,"x-b":1,"x-c":1}`},
		{`{"type":"object","propertyNames":{"pattern":"^[a-f]{4}$"},"minProperties":2}`, `{"aaaa":"text","bbbb":"text"}`},
		{`{"properties":{"a":{},"b":{},"c":{}},"required":["c"],"maxProperties":2}`, `{"a":"text","c":"text"}`},
		{`{"properties":{"a":{},"b":false}}`, `{"a":"text"}`},
		{`{"properties":{"a":{},"b":{}},"dependentRequired":{"a":["b"]},"required":["a"]}`, `{"a":"text","b":"text"}`},
		{`{"type":"object","properties":{"a":{"type":"integer"}},"allOf":[{"properties":{"b":{"type":"null"}}}]}`, `{"a":1,"b":null}`},
		{`{"type":"object","properties":{"a":{"$ref":"#/$defs/x~1y"}},"$defs":{"x/y":{"type":"integer","minimum":3}}}`, `{"a":3}`},
		{`{"type":"object","properties":{"a":{"$ref":"#n"}},"$defs":{"x":{"$anchor":"n","type":"integer"}}}`, `{"a":1}`},
		{`{"$id":"https://example.com/root","$ref":"other","$defs":{"o":{"$id":"other","type":"array","minItems":1,"items":{"$ref":"#/$defs/i"},"$defs":{"i":{"const":"i"}}}}}`, `["i"]`},
		{`{"$ref":"#tree","$defs":{"t":{"$anchor":"tree","type":"object","properties":{"kids":{"type":"array","items":{"$ref":"#tree"}}},"required":["kids"]}}}`, `{"kids":[{"kids":[]}]}`},
		{`{"oneOf":[{"$ref":"#/$defs/never"},{"$ref":"#/$defs/b"}],"$defs":{"never":false,"b":{"properties":{"kind":{"const":"b"}},"required":["kind"]}}}`, `{"kind":"b"}`},
		{`{"oneOf":[{"type":"number"},{}]}`, `"text"`},
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

// TestFormats: there is a value of every format.
func TestFormats(t *testing.T) {
	t.Parallel()
	for _, format := range []string{
		"date-time", "date", "time", "duration", "email", "idn-email", "hostname", "idn-hostname", "ipv4", "ipv6", "uri", "uri-reference",
		"iri", "iri-reference", "uri-template", "uuid", "json-pointer", "relative-json-pointer", "regex",
	} {
		_, ok := example.Of(interpreted(t, `{"type":"string","format":"`+format+`"}`))
		require.True(t, ok, format)
	}
}

// TestHopeless: where choices lead to nothing by very many ways, that is seen in no time.
func TestHopeless(t *testing.T) {
	t.Parallel()
	var chain strings.Builder
	for i := range 40 {
		fmt.Fprintf(&chain, `"d%d":{"anyOf":[{"$ref":"#/$defs/d%d"},{"$ref":"#/$defs/d%[2]d"},{"$ref":"#/$defs/d%[2]d"}]},`, i, i+1)
	}
	judged := 0
	schema := &jsonrt.Schema{
		Source: `{"$ref":"#/$defs/d0","$defs":{` + chain.String() + `"d40":false}}`,
		Check:  func(*jsonrt.Checker, int) bool { judged++; return false },
	}
	_, ok := example.Of(schema)
	require.False(t, ok)
	require.Zero(t, judged, "nothing that is plainly impossible is judged")
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
