package bundle_test

import (
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// compileText compiles the text of a schema that needs no other; without $schema it is one of
// draft 2020-12.
func compileText(t *testing.T, text string) *jsonschema.Schema {
	t.Helper()
	value, err := unmarshal(text)
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(nothing{})
	compiler.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) { return compilePattern(pattern) })
	require.NoError(t, compiler.AddResource("mem:a", value))
	s, err := compiler.Compile("mem:a")
	require.NoError(t, err, text)
	return s
}

func unmarshal(text string) (any, error) { return jsonschema.UnmarshalJSON(strings.NewReader(text)) }

// ecma is a regular expression as JavaScript reads it.
type ecma struct{ *regexp2.Regexp }

func compilePattern(pattern string) (ecma, error) {
	re, err := regexp2.Compile(pattern, regexp2.ECMAScript|regexp2.Unicode)
	return ecma{re}, err
}

func (e ecma) MatchString(s string) bool {
	ok, err := e.Regexp.MatchString(s)
	return ok && err == nil
}

// values are what a member of the documents below may be.
var values = []string{``, `1`, `2`, `0`, `"x"`, `"y"`, `null`, `[1,"x"]`, `["x",1,true]`, `{"p":1}`, `{"k":"a"}`}

// documents are objects with the members p and k, and some with a member of an odd name.
func documents(t *testing.T) (all []any) {
	t.Helper()
	for _, p := range values {
		for _, k := range values {
			for _, odd := range []string{``, `"$k (1)":"x"`, `"$k (1)":""`, `"$k (1)":1`, `"x$k (1)":1`} {
				if odd != "" && k != "" {
					continue
				}
				var members []string
				for _, m := range []string{member("p", p), member("k", k), odd} {
					if m != "" {
						members = append(members, m)
					}
				}
				document, err := unmarshal(`{` + strings.Join(members, ",") + `}`)
				require.NoError(t, err)
				all = append(all, document)
			}
		}
	}
	return all
}

func member(name, value string) string {
	if value == "" {
		return ""
	}
	return `"` + name + `":` + value
}

// TestToolMeaning: an input schema is a draft 2020-12 schema that APIs of models take. It
// accepts what the schema accepts, whatever its draft, and where it is not simplified, nothing
// more.
func TestToolMeaning(t *testing.T) {
	t.Parallel()
	const (
		draft4 = `"$schema":"http://json-schema.org/draft-04/schema#",`
		draft7 = `"$schema":"http://json-schema.org/draft-07/schema#",`
		d2019  = `"$schema":"https://json-schema.org/draft/2019-09/schema",`
	)
	for schema, exact := range map[string]bool{
		`{` + draft4 + `"id":"http://x.example/a","type":"object","properties":{"p":{"type":"number","minimum":1,"exclusiveMinimum":true},"k":{"maximum":1,"exclusiveMaximum":false,"const":5}}}`:                                                         true,
		`{` + draft7 + `"type":"object","properties":{"p":{"items":[{"type":"number"},{"type":"string"}],"additionalItems":false},"k":{"additionalItems":false}}}`:                                                                                        true,
		`{` + draft7 + `"type":"object","dependencies":{"p":["k"],"k":{"required":["p"],"properties":{"p":{"type":"number"}}}}}`:                                                                                                                          true,
		`{` + draft7 + `"$ref":"#/definitions/x","definitions":{"x":{"type":"object","required":["p"],"additionalProperties":false,"properties":{"p":{"$ref":"#/definitions/y"}}},"y":{"type":"number","$ref":"#/definitions/z"},"z":{"type":"string"}}}`: true,
		`{` + d2019 + `"$id":"https://x.example/a","type":"object","properties":{"p":{"$ref":"#here"},"k":{"$recursiveRef":"#"}},"$defs":{"h":{"$anchor":"here","type":"string"}}}`:                                                                       true,
		`{"$id":"https://x.example/a","type":"object","properties":{"p":{"$ref":"https://x.example/a#/$defs/h"}},"$defs":{"h":{"type":"string"}}}`:                                                                                                        true,
		`{"$ref":"#/$defs/x","$defs":{"x":{"type":"object","properties":{"p":{"type":"number"}},"minProperties":1}}}`:                                                                                                                                     true,
		`{"oneOf":[{"type":"object","required":["k","p"],"properties":{"k":{"const":"x"},"p":{"type":"number"}},"additionalProperties":false},{"type":"object","required":["k"],"properties":{"k":{"const":"y"}},"additionalProperties":false}]}`:         false,
		`{"type":"object","anyOf":[{"required":["p"],"properties":{"p":{"type":"number"}}},{"required":["k"]}]}`:                                                                                                                                          false,
		`{"allOf":[{"type":"object","properties":{"p":{"type":"number"}}},{"required":["p"],"properties":{"p":{"minimum":2}}}]}`:                                                                                                                          false,
		`{"type":"object","enum":[{"p":1},{"k":"x"}]}`:                                                      false,
		`{"type":"object","not":{"required":["p"]},"unevaluatedProperties":false,"properties":{"k":{}}}`:    false,
		`{"type":"object","allOf":[{"properties":{"p":{}}}],"unevaluatedProperties":false}`:                 false,
		`{"type":"object","properties":{"p":{"$ref":"#"}},"oneOf":[{"required":["p"]},{"required":["k"]}]}`: false,
		`{"oneOf":[{"$ref":"#/$defs/a"},{"$ref":"#/$defs/b"}],"$defs":{"a":{"type":"object","properties":{"p":{"type":"string"}},"required":["p"]},"b":{"type":"object","properties":{"p":{"type":"number"}},"required":["p"]}}}`: false,
		`{"type":"object","properties":{"p":{"type":"array"},"k":{"type":["array","string"],"minItems":3}}}`:                                                                                                                      true,
		`{"type":"object","properties":{"p":{"type":"array","prefixItems":[{"type":"string"}],"items":false},"k":{"items":false}}}`:                                                                                               true,
		`{"type":"object","properties":{"p":{"type":"string","pattern":"^(?!y)"},"k":{"type":"string","pattern":"^\\(?=|[(?!]|[xy]$"}}}`:                                                                                          false,
		`{"type":"object","oneOf":[{"properties":{"p":{"type":"string","pattern":"^(?!y)"}},"required":["p"]},{"properties":{"p":{"pattern":"y(?=$)"},"k":{}},"required":["k"]}]}`:                                                false,
		`{"type":"object","properties":{"p":{"type":"number"},"$k (1)":{"type":"string"}},"patternProperties":{"^\\$k \\(1\\)$":{"minLength":1}},"additionalProperties":false}`:                                                   true,
		`{"type":"object","properties":{"p":{"$ref":"#/anyOf/0"}},"anyOf":[{"type":"object"},{"required":["k"]}]}`:                                                                                                                false,
	} {
		e := one(t, "-- a.json --\n"+schema)
		require.Equal(t, "emit_a", e.Tool, schema)
		text := e.Text
		if text == "" {
			text = schema
		}
		require.Empty(t, modelapi.Check(e.Tool, []byte(text)), text)
		before, after := compileText(t, schema), compileText(t, text)
		require.Equal(t, !exact, strings.Contains(text, "get_schema has"), text)
		valid := 0
		for _, document := range documents(t) {
			was, is := before.Validate(document) == nil, after.Validate(document) == nil
			if was {
				valid++
			}
			require.False(t, was && !is, "%v is refused by\n%s\nbut not by\n%s", document, text, schema)
			require.False(t, exact && was != is, "%v is accepted by\n%s\nbut not by\n%s", document, text, schema)
		}
		require.Positive(t, valid, schema)
	}
}

// TestToolOfOtherForms: values that only another draft has, which the compiler reads as it does there,
// become those of draft 2020-12, or the input schema allows any object.
func TestToolOfOtherForms(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"type":"object","properties":{"p":{"items":[{"type":"number"}],"additionalItems":{"type":"string"}}}}`: `{"type":"object","properties":{"p":{"prefixItems":[{"type":"number"}],"items":{"type":"string"}}}}`,
		`{"type":"object","properties":{"p":{"minimum":1,"exclusiveMinimum":true}}}`:                             `{"type":"object","properties":{"p":{"exclusiveMinimum":1}}}`,
		`{"type":"object","properties":{"p":{"maximum":1,"exclusiveMaximum":false}}}`:                            `{"type":"object","properties":{"p":{"maximum":1}}}`,
		`{"type":"object","properties":{"p":{"required":true}}}`:                                                 "",
		`{"type":"object","properties":{"p":{"type":["string",{"type":"null"}]}}}`:                               "",
		`{"type":"object","dependencies":{"p":"k"}}`:                                                             "",
	} {
		text := one(t, "-- a.json --\n"+schema).Text
		if want == "" {
			require.Contains(t, text, "This schema can't be told", schema)
			continue
		}
		require.JSONEq(t, want, text, schema)
	}
}

// TestNoTool: what some API refuses and can't be said otherwise gets no tool.
func TestNoTool(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		`{"type":"object","properties":{"Account Number":{}},"required":["Account Number"]}`,
		// A pattern that is left out below not, or below a reference from there, would make the whole
		// refuse what it allows.
		`{"type":"object","properties":{"p":{"not":{"pattern":"(?=y)"}}}}`,
		`{"type":"object","properties":{"p":{"pattern":"(?=y)"},"k":{"not":{"$ref":"#/properties/p"}}}}`,
		// Items that allow anything would count as looked at.
		`{"type":"object","properties":{"p":{"type":"array","unevaluatedItems":false}}}`,
	} {
		require.Empty(t, one(t, "-- a.json --\n"+schema).Tool, schema)
	}
}
