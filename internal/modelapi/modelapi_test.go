package modelapi_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const good = `{"type":"object","properties":{"a.b-c_1":{}},"if":{},"$defs":{"x":{"oneOf":[{}]}}}`
	for _, c := range []struct{ name, schema, says string }{
		{"emit_a-1", good, ""},
		{strings.Repeat("x", 53), good, ""},
		{strings.Repeat("x", 54), good, "more than 64"},
		{"a.b", good, "only letters"},
		{"1a", good, "begins with a digit"},
		{"a", `[]`, "not a JSON object"},
		{"a", `{"type":"object"`, "not a JSON object"},
		{"a", `{"properties":{}}`, `no "type"`},
		{"a", `{"type":["object"],"properties":{}}`, `no "type"`},
		{"a", `{"type":"object"}`, "no properties"},
		{"a", `{"type":"object","properties":{},"oneOf":[{}]}`, "oneOf at its root"},
		{"a", `{"type":"object","properties":{},"const":{}}`, "const at its root"},
		{"a", `{"type":"object","properties":{},"$ref":"#/$defs/x","$defs":{"x":{}}}`, "$ref at its root"},
		{"a", `{"type":"object","properties":{},"$schema":"http://json-schema.org/draft-07/schema#"}`, ""},
		{"a", `{"type":"object","properties":{"Account Number":{}}}`, `"Account Number"`},
		{"a", `{"type":"object","properties":{"x":{"type":"array"}}}`, "/properties/x: this array has no items"},
	} {
		reasons := modelapi.Check(c.name, []byte(c.schema))
		if c.says == "" {
			require.Empty(t, reasons, c.schema)
			continue
		}
		require.Len(t, reasons, 1, c.schema)
		require.Contains(t, reasons[0], c.says)
	}
	require.LessOrEqual(t, modelapi.SafeName+len(modelapi.Prefix), modelapi.MaxName)
}

// tool is a tool with this input schema.
func tool(schema string) []modelapi.Tool {
	return []modelapi.Tool{{Name: "t", Input: []byte(schema)}}
}

// object is an input schema with these properties.
func object(properties string) string {
	return `{"type":"object","properties":{` + properties + `},"additionalProperties":false}`
}

// required is an input schema with these properties, and the names of those that are required.
func required(properties, names string) []modelapi.Tool {
	return tool(`{"type":"object","properties":{` + properties + `},"required":[` + names + `],"additionalProperties":false}`)
}

// named is a tool that nobody objects to but for its name.
func named(name string) []modelapi.Tool {
	return []modelapi.Tool{{Name: name, Input: []byte(object(""))}}
}

// described is a tool with a description of this many characters.
func described(n int) []modelapi.Tool {
	list := named("t")
	list[0].Description = strings.Repeat("é", n)
	return list
}

// many are n tools.
func many(n int) []modelapi.Tool {
	list := make([]modelapi.Tool, n)
	for i := range list {
		list[i] = modelapi.Tool{Name: fmt.Sprintf("t%d", i), Input: []byte(object(""))}
	}
	return list
}

// output is a tool with this output schema.
func output(schema string) []modelapi.Tool {
	list := named("t")
	list[0].Output = []byte(schema)
	return list
}

// pattern is a tool with a parameter of this pattern.
func pattern(p string) []modelapi.Tool {
	return tool(object(`"x":{"type":"string","pattern":"` + p + `"}`))
}

// nested is a schema of this many objects inside each other.
func nested(levels int) string {
	inner := `{"type":"string"}`
	for range levels {
		inner = `{"type":"object","properties":{"x":` + inner + `},"required":["x"],"additionalProperties":false}`
	}
	return inner
}

// numbered is n times the text with its number, with commas between.
func numbered(n int, format string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = fmt.Sprintf(format, i)
	}
	return strings.Join(parts, ",")
}

// at are the places that a rule objects to.
func at(pointers ...string) []string { return pointers }

const word = `"type":"string"`

// cases have for each rule what breaks it, and what is next to that; nil is nothing.
var cases = []struct {
	rule  string
	tools []modelapi.Tool
	at    []string
}{
	{"list-names", append(many(2), many(1)...), at("")},
	{"list-names", many(2), nil},
	{"list-length", many(100), nil},
	{"list-length", many(101), at("")},
	{"list-length", many(129), at("")},
	{"name-characters", named("get.it"), at("")},
	{"name-characters", named("1st"), at("")},
	{"name-characters", named(""), at("")},
	{"name-characters", named("_get-It_2"), nil},
	{"name-64", named(strings.Repeat("n", 65)), at("")},
	{"name-64", named(strings.Repeat("n", 64)), nil},
	{"name-60", named(strings.Repeat("n", 65)), nil},
	{"name-60", named(strings.Repeat("n", 61)), at("")},
	{"name-60", named(strings.Repeat("n", 60)), nil},
	{"name-45", named(strings.Repeat("n", 61)), nil},
	{"name-45", named(strings.Repeat("n", 46)), at("")},
	{"name-45", named(strings.Repeat("n", 45)), nil},
	{"description-4096", described(4096), nil},
	{"description-4096", described(4097), at("")},
	{"root-object", []modelapi.Tool{{Name: "t"}}, at("")},
	{"root-object", tool(`true`), at("")},
	{"root-type", tool(`{"type":["object","null"],"properties":{}}`), at("/type")},
	{"root-type", tool(`{"properties":{}}`), at("")},
	{"root-type", tool(`true`), nil},
	{"root-properties", tool(`{"type":"object"}`), at("")},
	{"root-properties", tool(`{"type":"object","properties":{}}`), nil},
	{"root-composition", tool(`{"type":"object","properties":{},"anyOf":[{}],"allOf":[{}]}`), at("/anyOf", "/allOf")},
	{"root-composition", tool(object(`"x":{"anyOf":[{}]},"oneOf":{` + word + `}`)), nil},
	{"root-enum", tool(`{"type":"object","properties":{},"enum":[{}],"not":{"required":["a"]}}`), at("/enum", "/not")},
	{"root-ref", tool(`{"type":"object","properties":{},"$ref":"#/$defs/a","$defs":{"a":{}}}`), at("/$ref")},
	{"property-name", tool(object(`"a b":{` + word + `},"` + strings.Repeat("x", 65) + `":{` + word + `},"a.b-c":{` + word + `}`)), at("/properties/a b", "/properties/"+strings.Repeat("x", 65))},
	{"property-name", tool(object(`"x":{"type":"object","properties":{"a b":{` + word + `}}}`)), nil},
	{"array-items", tool(object(`"x":{"type":"array"},"y":{"type":["null","array"]},"z":{"type":"array","items":{}}`)), at("/properties/x", "/properties/y")},
	{"array-items", tool(object(`"x":{"type":"array","prefixItems":[{}],"items":false}`)), at("/properties/x/items")},
	{"array-items", tool(object(`"x":{"enum":[{"type":"array"}]},"y":{"const":{"type":"array"}},"z":{"default":{"type":"array"}}`)), nil},
	{"pattern-lookaround", pattern(`^(?!undefined$)`), at("/properties/x/pattern")},
	{"pattern-lookaround", pattern(`(?<=a)b`), at("/properties/x/pattern")},
	{"pattern-lookaround", pattern(`\\(?=[(?!](?:a)(?<name>b)`), nil},
	{"dialect", tool(object(`"x":{"type":"number","minimum":1,"exclusiveMinimum":true},"y":{"type":"array","items":[{}]},"z":{"type":"String"}`)), at("/properties/x/exclusiveMinimum", "/properties/y/items", "/properties/z/type")},
	{"dialect", tool(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{},"definitions":{"x":{"const":1}}}`), nil},
	{"ref-target", tool(object(`"x":{"$ref":"other.json"},"y":{"$ref":"#/$defs/none"},"z":{"$ref":"#none"}`)), at("/properties/x/$ref", "/properties/y/$ref", "/properties/z/$ref")},
	{"ref-target", tool(`{"type":"object","properties":{"a b":{"$ref":"#/properties/a%20b"},"y":{"$ref":"#here"},"z":{"$ref":"#"}},"$defs":{"h":{"$anchor":"here"}}}`), nil},
	{"ref-target", tool(`{"type":"object","properties":{"x":{"anyOf":[{},{"$ref":"#/$defs/a~1b~0/allOf/0"}]},"y":{"$ref":"#/properties/x/anyOf/1"},"z":{"$ref":"#/properties/x/anyOf/2"}},"$defs":{"a/b~":{"allOf":[{}]}}}`), at("/properties/z/$ref")},
	{"ref", tool(`{"type":"object","properties":{"x":{"$ref":"#/$defs/h"},"y":{"type":"array","items":{"$ref":"#/$defs/h"}}},"$defs":{"h":{}}}`), at("/properties/x/$ref", "/properties/y/items/$ref")},
	{"ref", tool(`{"type":"object","properties":{"x":{"const":{"$ref":"#"}},"y":{"type":"object","properties":{"z":{"$ref":"#/$defs/h"}}},"$ref":{"type":"string"}},"$defs":{"h":{}}}`), nil},
	{"untyped", tool(object(`"a":{},"b":true,"c":{"description":"any"},"d":{"type":"object","properties":{"x":{}}},"e":{"$ref":"#"},"f":{"enum":[1]},"g":{"anyOf":[{}]}`)), at("/properties/a", "/properties/b", "/properties/c")},
	{"depth-10", tool(nested(10)), nil},
	{"depth-10", tool(nested(11)), at(strings.Repeat("/properties/x", 10))},
	{"output-type", output(`{"properties":{}}`), at("")},
	{"output-type", output(`{"type":"object"}`), nil},
	{"output-type", named("t"), nil},
	{"output-dialect", output(`{"$schema":"http://json-schema.org/draft-04/schema#","type":"object"}`), at("/$schema")},
	{"output-dialect", output(`{"$schema":"urn:x","type":"object"}`), at("/$schema")},
	{"output-dialect", output(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object"}`), nil},
	{"output-dialect", output(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object"}`), nil},
	{"output-valid", output(`{"type":"object","properties":{"x":{"type":"array","items":[{}]},"y":{"$ref":"#/$defs/y"}}}`), at("/properties/x/items", "/properties/y/$ref")},
	{"output-valid", output(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"x":{"type":"array","items":[{}]},"y":{"pattern":"(?=a)","type":"text"}}}`), at("/properties/y/type")},
	{"output-valid", output(`{"type":"object","properties":{"x":{"type":"array"},"y":{"$ref":"#"}}}`), nil},
	{"strict-closed", tool(`{"type":"object","properties":{"x":{"type":["object","null"]},"y":{` + word + `}},"additionalProperties":false}`), at("/properties/x")},
	{"strict-required", required(`"x":{`+word+`},"y":{`+word+`}`, `"x"`), at("/properties/y")},
	{"strict-required", required(`"x":{`+word+`}`, `"x"`), nil},
	{"strict-type", tool(object(`"x":{"description":"any"},"y":{"enum":[1]},"z":{"anyOf":[{` + word + `},{}]}`)), at("/properties/x", "/properties/z/anyOf/1")},
	{"strict-keyword", tool(object(`"x":{` + word + `,"oneOf":[{` + word + `}]},"y":{"type":"array","items":{` + word + `},"uniqueItems":true},"z":{` + word + `,"pattern":"a"},"not":{` + word + `}`)), at("/properties/x/oneOf", "/properties/y/uniqueItems")},
	{"strict-format", tool(object(`"x":{` + word + `,"format":"uri"},"y":{` + word + `,"format":"uuid"}`)), at("/properties/x/format")},
	{"strict-size", tool(nested(10)), nil},
	{"strict-size", tool(nested(11)), at("")},
	{"strict-size", tool(object(numbered(5000, `"%d":{`+word+`}`))), nil},
	{"strict-size", tool(object(numbered(5001, `"%d":{`+word+`}`))), at("")},
	{"strict-size", tool(object(`"x":{"enum":[` + numbered(1000, `%d`) + `]}`)), nil},
	{"strict-size", tool(object(`"x":{"enum":[` + numbered(1001, `%d`) + `]}`)), at("")},
	{"strict-size", tool(object(`"x":{"enum":[` + numbered(251, `"`+strings.Repeat("é", 60)+`%d"`) + `]}`)), at("/properties/x/enum")},
	{"strict-size", tool(object(`"x":{"enum":[` + numbered(250, `"`+strings.Repeat("é", 60)+`%d"`) + `]}`)), nil},
	{"strict-size", tool(object(`"` + strings.Repeat("é", 119_999) + `":{` + word + `}`)), nil},
	{"strict-size", tool(object(`"` + strings.Repeat("é", 119_999) + `":{"const":"ab"}`)), at("")},
	{"strict-anthropic-keyword", tool(object(`"x":{"type":"number","minimum":1},"y":{"type":"array","items":{` + word + `},"minItems":2},"z":{"enum":[{}]},"w":{"type":"array","items":{` + word + `},"minItems":1}`)), at("/properties/x/minimum", "/properties/y/minItems", "/properties/z/enum")},
	{"strict-anthropic-keyword", tool(`{"type":"object","properties":{"x":{"$ref":"#/$defs/a"},"y":{"$ref":"#/$defs/b"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{` + word + `}}}`), nil},
	{"strict-anthropic-keyword", tool(`{"type":"object","properties":{"x":{"$ref":"#/$defs/a"}},"$defs":{"a":{"anyOf":[{"$ref":"#/$defs/b"}]},"b":{"items":{"$ref":"#/$defs/a"}}}}`), at("/$defs/b/items/$ref")},
	{"strict-anthropic-list", many(20), nil},
	{"strict-anthropic-list", many(21), at("")},
	{"strict-anthropic-list", tool(object(numbered(24, `"x%d":{`+word+`}`))), nil},
	{"strict-anthropic-list", tool(object(numbered(25, `"x%d":{`+word+`}`))), at("")},
	{"strict-anthropic-list", required(numbered(17, `"x%d":{"type":["string","null"]}`), numbered(17, `"x%d"`)), at("")},
}

// TestRules: each rule objects to what breaks it, at the place and no other, and not to what
// is next to it. No rule is without a case.
func TestRules(t *testing.T) {
	t.Parallel()
	tested := map[string]int{}
	for _, c := range cases {
		tested[c.rule]++
		var places []string
		for _, f := range modelapi.Lint(c.tools, modelapi.Options{Strict: true}) {
			if f.Rule.ID == c.rule {
				places = append(places, f.Pointer)
				require.NotEmpty(t, f.What)
			}
		}
		require.Equal(t, c.at, places, "%s on %.300q", c.rule, fmt.Sprint(c.tools[0].Name, " ", string(c.tools[0].Input), string(c.tools[0].Output)))
	}
	for _, r := range modelapi.Rules() {
		require.Positive(t, tested[r.ID], "no case for the rule %s", r.ID)
	}
}

// TestPlainRules: what only strict modes ask is left out unless it is asked for, and the rules
// of names, descriptions and lists where there are only schemas.
func TestPlainRules(t *testing.T) {
	t.Parallel()
	tools := append(many(130), modelapi.Tool{
		Name: "a.b", Description: strings.Repeat("x", 5000), Input: []byte(`{"type":"object","properties":{"x":{"oneOf":[{"type":"string"}]}}}`),
	})
	rules := func(o modelapi.Options) (ids []string) {
		for _, f := range modelapi.Lint(tools, o) {
			ids = append(ids, f.Rule.ID)
		}
		return ids
	}
	require.Equal(t, []string{"list-length", "name-characters", "description-4096"}, rules(modelapi.Options{}))
	require.Empty(t, rules(modelapi.Options{Schema: true}))
	require.Equal(t, []string{"strict-closed", "strict-required", "strict-keyword"}, rules(modelapi.Options{Schema: true, Strict: true}))
}

// TestRulesAreWhole: every row says who, what happens, what to do and where that is written.
func TestRulesAreWhole(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, r := range modelapi.Rules() {
		require.False(t, seen[r.ID], r.ID)
		seen[r.ID] = true
		require.Regexp(t, `^[a-z][a-z0-9-]+$`, r.ID)
		require.Contains(t, []modelapi.Level{modelapi.Refused, modelapi.Harmed}, r.Level, r.ID)
		require.NotEmpty(t, r.Clients, r.ID)
		require.NotEmpty(t, r.Sources, r.ID)
		require.Equal(t, strings.HasPrefix(r.ID, "strict-"), r.Strict, r.ID)
		for _, text := range []string{r.Effect, r.Remedy} {
			require.Regexp(t, `^[A-Z].*\.$`, text, r.ID)
		}
		for _, source := range r.Sources {
			require.Regexp(t, `^https://[a-z.]+/[^ ]+$`, source, r.ID)
		}
	}
}
