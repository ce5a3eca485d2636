package runtimeschema

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// plainSchemas are schemas that plain knows, and whether it does.
var plainSchemas = map[string]bool{
	`{"type":"object","properties":{"a":{"type":"integer","minimum":2,"maximum":5},"b":{"type":["string","null"],"minLength":1,"maxLength":2}},"required":["a"],"additionalProperties":false}`: true,
	`{"properties":{"a":{"enum":["x","y"]},"b":{"const":"x"}},"additionalProperties":{"type":"boolean"},"minProperties":1,"maxProperties":2}`:                                                  true,
	`{"type":"object","properties":{"a":{"items":{"type":"number","exclusiveMinimum":0.5,"exclusiveMaximum":5,"multipleOf":0.5},"minItems":1,"maxItems":2,"uniqueItems":true}}}`:               true,
	`{"anyOf":[{"required":["a"]},{"properties":{"b":{"type":"string","pattern":"^x","format":"date"}},"required":["b"]}],"allOf":[{"type":"object"},{"minProperties":1}]}`:                    true,
	recursiveNode:            true,
	`true`:                   true,
	`{"required":["a","c"]}`: true,
	`{"type":"object","properties":{"a":{"enum":["x",1,null]}}}`:                      false,
	`{"type":"object","properties":{"a":{"const":1}}}`:                                false,
	`{"type":"object","properties":{"a":{"not":{"type":"string"}}}}`:                  false,
	`{"oneOf":[{"required":["a"]},{"required":["b"]}]}`:                               false,
	`{"required":["a"],"additionalProperties":{"type":"string"}}`:                     false,
	`{"type":"object","patternProperties":{"^a":{"type":"string"}}}`:                  false,
	`{"$schema":"http://json-schema.org/draft-07/schema#","items":[{"type":"null"}]}`: false,
	`{"allOf":[{"$ref":"#"}],"type":"object"}`:                                        false,
	`{"$ref":"#/$defs/a","$defs":{"a":{"anyOf":[{"$ref":"#/$defs/a"}]}}}`:             false,
}

const recursiveNode = `{"$defs":{"n":{"type":"object","properties":{"a":{"$ref":"#/$defs/n"},"b":{"items":{"$ref":"#/$defs/n"}}}}},"$ref":"#/$defs/n"}`

// TestPlainAgrees: whether a value satisfies a schema is the same with plain as without, over random
// values that come near to satisfying the schemas.
func TestPlainAgrees(t *testing.T) {
	t.Parallel()
	r := rand.New(rand.NewPCG(1, 2))
	for source, known := range plainSchemas {
		k := schemaCheck(t, source)
		schema := &jsonrt.Schema{ID: "t", Check: k.Run}
		require.Equal(t, known, k.plain != nil, source)
		if !known {
			continue
		}
		without := *k
		without.plain = nil
		slow := *schema
		slow.Check = without.Run
		accepted := 0
		for range 3000 {
			value := randomValue(r, 3)
			fast, careful := schema.Validate([]byte(value)), slow.Validate([]byte(value))
			require.Equal(t, careful, fast, "%s\n%s", source, value)
			if fast == nil {
				accepted++
			}
		}
		require.NotZero(t, accepted, "nothing satisfies %s: the test says nothing", source)
	}
}

// schemaCheck is the check of a schema.
func schemaCheck(t *testing.T, source string) *Check {
	t.Helper()
	k, err := Compile([]byte(source))
	require.NoError(t, err)
	return k
}

// randomValue makes a value that is an object in most cases.
func randomValue(r *rand.Rand, depth int) string {
	pick := func(list ...string) string { return list[r.IntN(len(list))] }
	if depth == 0 {
		return pick(`1`, `2`, `5`, `2.0`, `5.5`, `1e0`, `0.5`, `"x"`, `"xyz"`, `""`, `"y"`, `"2026-01-02"`, `null`, `true`, `"é𝄞"`, `"\u0078"`, `-1`, `9007199254740993`)
	}
	n := r.IntN(3)
	parts := make([]string, n)
	if r.IntN(4) == 0 {
		for i := range parts {
			parts[i] = randomValue(r, depth-1)
		}
		return "[" + strings.Join(parts, ",") + "]"
	}
	names := []string{"a", "b", "c", `\u0061`}
	first := r.IntN(2)
	for i := range parts {
		parts[i] = `"` + names[first+i] + `":` + randomValue(r, r.IntN(depth))
	}
	return "{" + strings.Join(parts, ",") + "}"
}
