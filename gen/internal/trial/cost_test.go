package trial

import (
	"strconv"
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

// Schemas that are not recursive, but whose definitions lead to each other by two ways each, so
// that 2^40 chains of references lead to the last.
func TestManyWaysCostNoMoreThanTheyMust(t *testing.T) {
	const levels = 40
	chain := func(level, last string) string {
		var b strings.Builder
		b.WriteString(`{"$ref":"#/$defs/d0","$defs":{`)
		for i := range levels {
			next := strconv.Itoa(i + 1)
			b.WriteString(`"d` + strconv.Itoa(i) + `":` + strings.ReplaceAll(level, "NEXT", "#/$defs/d"+next) + ",")
		}
		return b.String() + `"d` + strconv.Itoa(levels) + `":` + last + `}}`
	}
	schemas := map[string]string{
		"anyof":   chain(`{"anyOf":[{"properties":{"c":{"$ref":"NEXT"}},"required":["x"]},{"properties":{"c":{"$ref":"NEXT"}},"required":["y"]}]}`, `{"type":"integer"}`),
		"allof":   chain(`{"allOf":[{"properties":{"c":{"$ref":"NEXT"}}},{"properties":{"c":{"$ref":"NEXT"}},"not":{"type":"string"}}]}`, `{"type":"integer"}`),
		"same":    chain(`{"anyOf":[{"allOf":[{"$ref":"NEXT"},{"minimum":1}]},{"allOf":[{"$ref":"NEXT"},{"maximum":-1}]}]}`, `{"type":"integer"}`),
		"closed":  chain(`{"anyOf":[{"properties":{"c":{"$ref":"NEXT"}},"required":["x"]},{"properties":{"c":{"$ref":"NEXT"}},"required":["y"]}],"unevaluatedProperties":false}`, `{"type":"integer"}`),
		"collect": strings.Replace(chain(`{"anyOf":[{"allOf":[{"$ref":"NEXT"}],"required":["y"]},{"allOf":[{"$ref":"NEXT"}],"minProperties":1}]}`, `{"properties":{"y":{"type":"integer"}}}`), `{"$ref"`, `{"unevaluatedProperties":false,"$ref"`, 1),
	}
	compiled := Compile(t, schemas, Options{})
	require.Empty(t, compiled.Refused)
	nested := func(open, inner string) string {
		return strings.Repeat(open, levels) + inner + strings.Repeat("}", levels)
	}
	for _, tt := range []struct {
		id, document string
		valid        bool
	}{
		{"anyof", nested(`{"y":1,"c":`, "1"), true},
		{"anyof", nested(`{"y":1,"c":`, `"s"`), false},
		{"allof", nested(`{"c":`, "1"), true},
		{"allof", nested(`{"c":`, `"s"`), false},
		{"same", "-1", true},
		{"same", "0", false},
		{"closed", nested(`{"y":1,"c":`, "1"), false},
	} {
		r := compiled.Validate(t, tt.id, tt.document)[0]
		require.False(t, r.Undecided, tt.id)
		require.Equal(t, tt.valid, r.Valid, "%s %.40s…", tt.id, tt.document)
	}
	// What a branch evaluates is not remembered, so this one ends with the work that it may cost.
	r := compiled.Validate(t, "collect", `{"y":1}`)[0]
	require.True(t, r.Undecided, "%+v", r)
	require.Contains(t, r.SchemaPath, "#/$defs/d")
}
