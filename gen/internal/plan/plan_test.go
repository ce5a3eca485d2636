package plan

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// build plans one schema under the id "x".
func build(t *testing.T, schema string, draft load.Draft) (*Plan, load.Diagnostics) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.json"), []byte(schema), 0o644))
	graph, faults := load.Load(load.Options{Dir: dir, Default: draft})
	require.Empty(t, faults)
	return Build(facts.Of(graph), Options{AssertFormat: true})
}

func dump(t *testing.T, p *Plan) string {
	t.Helper()
	var b strings.Builder
	require.NoError(t, p.Dump(&b))
	return strings.TrimSpace(b.String())
}

func TestPlan(t *testing.T) {
	tests := []struct {
		name, schema string
		draft        load.Draft
		want         string
	}{
		{"string", `{"type":"string","minLength":1}`, 0, "checkX  x.json#\n  type string\n  minLength 1"},
		{"true", `true`, 0, "checkX  x.json#\n  anything"},
		{"false", `false`, 0, "checkX  x.json#\n  never: is not allowed here"},
		{"limits as written", `{"minimum":1.50,"exclusiveMaximum":1e3,"multipleOf":0.01}`, 0, "checkX  x.json#\n  minimum 1.50\n  exclusiveMaximum 1e3\n  multipleOf 0.01"},
		{"draft 4 exclusive", `{"minimum":1,"exclusiveMinimum":true}`, load.Draft4, "checkX  x.json#\n  exclusiveMinimum 1"},
		{"limits that cannot fail are dropped", `{"minLength":0,"minItems":0,"minProperties":0.0,"maxLength":1e400}`, 0, "checkX  x.json#\n  anything"},
		{"limits with exponents", `{"maxLength":2.0,"minItems":1e1,"maxProperties":30e-1}`, 0, "checkX  x.json#\n  maxLength 2\n  minItems 10\n  maxProperties 3"},
		{"keywords of another type are dropped", `{"type":"string","minimum":5,"minItems":1,"required":["a"],"maxLength":3}`, 0, "checkX  x.json#\n  type string\n  maxLength 3"},
		{"enum narrowed by type", `{"type":"string","enum":["a",1,null,"b"]}`, 0, "checkX  x.json#\n  type string\n  enum \"a\" \"b\""},
		{"enum and type exclude each other", `{"type":"boolean","const":1}`, 0, "checkX  x.json#\n  never: no value is allowed here: const and type exclude each other"},
		{"members without constraint are dropped", `{"properties":{"a":true,"b":{}},"patternProperties":{"c":{}}}`, 0, "checkX  x.json#\n  anything"},
		{"but not from a closed object", `{"properties":{"a":true},"additionalProperties":false}`, 0, "checkX  x.json#\n  member \"a\": anything\n  other members: never: is not allowed here"},
		{"small definitions are inlined", `{"items":{"$ref":"#/$defs/n"},"$defs":{"n":{"type":"integer","minimum":0}}}`, 0, "checkX  x.json#\n  items:\n    type integer\n    minimum 0"},
		{"recursion", `{"type":"array","items":{"$ref":"#"}}`, 0, "checkX  x.json#\n  type array\n  items: checkX"},
		{"beside $ref in draft 7 nothing counts", `{"properties":{"a":{"$ref":"#/definitions/s","minLength":3,"const":"x","contains":true,"propertyNames":false,"if":true,"then":false}},"definitions":{"s":{"type":"string"}}}`, load.Draft7, "checkX  x.json#\n  member \"a\": type string"},
		{"then without if", `{"then":{"type":"string"}}`, 0, "checkX  x.json#\n  anything"},
		{"if", `{"if":{"type":"string"},"then":{"minLength":2}}`, 0, "checkX  x.json#\n  if checkXIf\n  then: minLength 2\n\ncheckXIf  x.json#/if\n  type string"},
		{"one branch", `{"anyOf":[{"type":"string"}]}`, 0, "checkX  x.json#\n  type string"},
		{"anyOf that takes everything", `{"anyOf":[{"type":"string"},true]}`, 0, "checkX  x.json#\n  anything"},
		{"branches by type", `{"anyOf":[{"type":"string"},{"type":["integer","null"]}]}`, 0, "checkX  x.json#\n  anyOf\n    string: checkXAnyOf0\n    null integer: checkXAnyOf1\n\ncheckXAnyOf0  x.json#/anyOf/0\n  type string\n\ncheckXAnyOf1  x.json#/anyOf/1\n  type null integer"},
		{"branches by tag", `{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a"}}},{"type":"object","required":["k"],"properties":{"k":{"enum":["b","c"]}}}]}`, 0, "checkX  x.json#\n  oneOf by \"k\"\n    [\"a\"]: checkXOneOf0\n    [\"b\" \"c\"]: checkXOneOf1\n\ncheckXOneOf0  x.json#/oneOf/0\n  type object\n  member \"k\" required: const \"a\"\n\ncheckXOneOf1  x.json#/oneOf/1\n  type object\n  member \"k\" required: enum \"b\" \"c\""},
		{"a tag without types", `{"oneOf":[{"required":["k"],"properties":{"k":{"const":"a"}}},{"type":["object","null"],"required":["k"],"properties":{"k":{"const":"b"}}}]}`, 0, "checkX  x.json#\n  oneOf by \"k\" of an object\n    [\"a\"]: checkXOneOf0\n    [\"b\"]: checkXOneOf1\n\ncheckXOneOf0  x.json#/oneOf/0\n  member \"k\" required: const \"a\"\n\ncheckXOneOf1  x.json#/oneOf/1\n  type null object\n  member \"k\" required: const \"b\""},
		{"no tag where values meet", `{"oneOf":[{"type":"object","required":["k"],"properties":{"k":{"const":"a"}}},{"type":"object","required":["k"],"properties":{"k":{"enum":["a","c"]}}}]}`, 0, "checkX  x.json#\n  oneOf\n    object: checkXOneOf0\n    object: checkXOneOf1\n\ncheckXOneOf0  x.json#/oneOf/0\n  type object\n  member \"k\" required: const \"a\"\n\ncheckXOneOf1  x.json#/oneOf/1\n  type object\n  member \"k\" required: enum \"a\" \"c\""},
		{"no tag where it is optional", `{"oneOf":[{"type":"object","properties":{"k":{"const":"a"}}},{"type":"object","required":["k"],"properties":{"k":{"const":"b"}}}]}`, 0, "checkX  x.json#\n  oneOf\n    object: checkXOneOf0\n    object: checkXOneOf1\n\ncheckXOneOf0  x.json#/oneOf/0\n  type object\n  member \"k\": const \"a\"\n\ncheckXOneOf1  x.json#/oneOf/1\n  type object\n  member \"k\" required: const \"b\""},
		{"v1: propertyDependencies", `{"propertyDependencies":{"k":{"":{"required":["a"]},"b":true}}}`, load.V1, "checkX  x.json#\n  with \"k\" as \"\": checkXPropertyDependenciesKEmpty\n\ncheckXPropertyDependenciesKEmpty  x.json#/propertyDependencies/k/\n  member \"a\" required"},
		{"draft 3: required in the member", `{"properties":{"a":{"required":true,"type":"any"},"b":{"required":false}}}`, load.Draft3, "checkX  x.json#\n  member \"a\" required: anything"},
		{"draft 3: types and schemas", `{"type":["string",{"divisibleBy":2}]}`, load.Draft3, "checkX  x.json#\n  type\n    string: checkXType0\n    checkXType1\n\ncheckXType0  x.json#/type/0\n  type string\n\ncheckXType1  x.json#/type/1\n  divisibleBy 2"},
		{"draft 3: disallow", `{"disallow":["string",{"enum":[1]}]}`, load.Draft3, "checkX  x.json#\n  disallow checkXDisallow0\n  disallow checkXDisallow1\n\ncheckXDisallow0  x.json#/disallow/0\n  type string\n\ncheckXDisallow1  x.json#/disallow/1\n  enum 1"},
		{"draft 3: extends and dependencies", `{"extends":{"type":"object"},"dependencies":{"a":"b"}}`, load.Draft3, "checkX  x.json#\n  dependencies \"a\": [\"b\"]\n  type object"},
		{"a keyword of another draft", `{"propertyDependencies":{"k":{"a":false}},"divisibleBy":2,"disallow":"any"}`, 0, "checkX  x.json#\n  anything"},
		{"contains", `{"contains":{"const":1},"minContains":2,"maxContains":3}`, 0, "checkX  x.json#\n  contains at least 2, at most 3: checkXContains\n\ncheckXContains  x.json#/contains\n  const 1"},
		{"contains that cannot fail", `{"contains":{"const":1},"minContains":0}`, 0, "checkX  x.json#\n  anything"},
		{"tuples", `{"prefixItems":[{"type":"string"},true],"items":false}`, 0, "checkX  x.json#\n  item 0: type string\n  item 1: anything\n  items: never: is not allowed here"},
		{"tuples of old", `{"items":[{"type":"string"}],"additionalItems":{"type":"null"}}`, load.Draft7, "checkX  x.json#\n  item 0: type string\n  items: type null"},
		{"dependencies", `{"dependentRequired":{"a":["b","c"],"d":[]},"dependentSchemas":{"e":{"minProperties":2}}}`, 0, "checkX  x.json#\n  dependentRequired \"a\": [\"b\" \"c\"]\n  with \"e\": minProperties 2"},
		{"member names", `{"propertyNames":{"maxLength":3}}`, 0, "checkX  x.json#\n  member names: maxLength 3"},
		{
			"names that clash get their keywords", `{"type":"object","properties":{"a":{"properties":{"z":{"const":1}}}},"$defs":{"a":{"properties":{"z":{"const":2}}}},"not":{"$ref":"#/$defs/a"}}`, 0,
			"checkX  x.json#\n  type object\n  member \"a\": checkXPropertiesA\n  not checkXDefsA\n\ncheckXPropertiesA  x.json#/properties/a\n  member \"z\": const 1\n\ncheckXDefsA  x.json#/$defs/a\n  member \"z\": const 2",
		},
		{"formats", `{"format":"date"}`, 0, "checkX  x.json#\n  format date"},
		{"unknown formats are annotations", `{"format":"made-up"}`, 0, "checkX  x.json#\n  anything"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, faults := build(t, tt.schema, tt.draft)
			require.Empty(t, faults)
			require.Equal(t, tt.want, dump(t, p))
		})
	}
}

// Names must not depend on the order in which schemas are met.
func TestNamesDoNotDependOnOrder(t *testing.T) {
	clash := func(first, second string) map[string]string {
		p, faults := build(t, `{"allOf":[{"$ref":"#/$defs/`+first+`"},{"$ref":"#/$defs/`+second+`"}],"$defs":{"a-b":{"properties":{"p":{"const":1}}},"a_b":{"properties":{"q":{"const":1}}}}}`, 0)
		require.Empty(t, faults)
		names := map[string]string{}
		for _, f := range p.Funcs {
			names[f.Schema.Pointer] = f.Name
		}
		return names
	}
	require.Equal(t, clash("a-b", "a_b"), clash("a_b", "a-b"))
	require.NotEqual(t, clash("a-b", "a_b")["/$defs/a-b"], clash("a-b", "a_b")["/$defs/a_b"])
}
