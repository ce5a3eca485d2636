package trial

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// Schemas that come to one place of a document by two ways at every level. Checked naively, a
// document nested n deep costs 2^n steps, so these tests end only if the cost is not that.
func TestRecursionCostsNoMoreThanItMust(t *testing.T) {
	schemas := map[string]string{
		"anyof":  `{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"properties":{"c":{"$ref":"#/$defs/n"}},"required":["x"]},{"properties":{"c":{"$ref":"#/$defs/n"}},"required":["y"]},{"type":"integer"}]}}}`,
		"oneof":  `{"$ref":"#/$defs/n","$defs":{"n":{"oneOf":[{"type":"object","properties":{"c":{"$ref":"#/$defs/n"}},"required":["x"]},{"type":"object","properties":{"c":{"$ref":"#/$defs/n"}},"required":["y"]},{"type":"integer"}]}}}`,
		"allof":  `{"$ref":"#/$defs/n","$defs":{"n":{"allOf":[{"properties":{"c":{"$ref":"#/$defs/n"}}},{"properties":{"c":{"$ref":"#/$defs/n"}},"not":{"type":"string"}}]}}}`,
		"not":    `{"$ref":"#/$defs/n","$defs":{"n":{"not":{"properties":{"c":{"not":{"$ref":"#/$defs/n"}}},"required":["z"]},"properties":{"c":{"$ref":"#/$defs/n"}}}}}`,
		"if":     `{"$ref":"#/$defs/n","$defs":{"n":{"if":{"properties":{"c":{"$ref":"#/$defs/n"}},"required":["c"]},"then":{"properties":{"c":{"$ref":"#/$defs/n"}}},"else":{"type":"integer"}}}}`,
		"uneval": `{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"properties":{"c":{"$ref":"#/$defs/n"}},"required":["x"]},{"properties":{"c":{"$ref":"#/$defs/n"},"y":true}},{"type":"integer"}],"unevaluatedProperties":false}}}`,
	}
	compiled := Compile(t, schemas, Options{})
	require.Empty(t, compiled.Refused)
	const depth = 3000
	nested := func(open, inner, end string) string {
		return strings.Repeat(open, depth) + inner + strings.Repeat(end, depth)
	}
	for id := range schemas {
		for _, inner := range []string{"1", `"s"`, "null"} {
			for _, open := range []string{`{"c":`, `{"y":1,"c":`, `{"x":1,"y":1,"c":`} {
				compiled.Validate(t, id, nested(open, inner, "}"))
			}
		}
	}
	// What they say is right all the same.
	for _, tt := range []struct {
		id, document string
		valid        bool
	}{
		{"anyof", nested(`{"y":1,"c":`, "1", "}"), true},
		{"anyof", nested(`{"y":1,"c":`, `{"c":1}`, "}"), false},
		{"oneof", nested(`{"y":1,"c":`, "1", "}"), true},
		{"oneof", nested(`{"x":1,"y":1,"c":`, "1", "}"), false},
		{"allof", nested(`{"c":`, "1", "}"), true},
		{"allof", nested(`{"c":`, `"s"`, "}"), false},
		{"if", nested(`{"c":`, "1", "}"), true},
		{"if", nested(`{"c":`, `{"d":1}`, "}"), false},
		{"uneval", nested(`{"y":1,"c":`, "1", "}"), true},
		{"uneval", nested(`{"y":1,"c":`, `{"z":1}`, "}"), false},
	} {
		r := compiled.Validate(t, tt.id, tt.document)[0]
		require.Equal(t, tt.valid, r.Valid, "%s %.40s…", tt.id, tt.document)
	}
}
