package trial

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMemoryOfChecking: whatever a document is made of, checking it and telling its faults takes
// a bounded number of bytes for each of its own, and the answer is small.
func TestMemoryOfChecking(t *testing.T) {
	name := strings.Repeat("n", 1600<<10)
	open := func(unit string, n int, inner, end string) string {
		return strings.Repeat(unit, n) + inner + strings.Repeat(end, n)
	}
	const deep = 9_000
	wide := func(unit string, bytes int) string {
		return strings.TrimSuffix(strings.Repeat(unit+",", bytes/(len(unit)+1)), ",")
	}
	schemas := map[string]string{
		"names":  `{"type":"object","additionalProperties":{"type":"object","additionalProperties":{"type":"string"}}}`,
		"oneof":  `{"oneOf":[{"type":"array","items":{"$ref":"#"},"maxItems":2},{"type":"array","items":{"$ref":"#"},"minItems":1},{"type":"integer"}]}`,
		"anyof":  `{"anyOf":[{"type":"array","items":{"$ref":"#"}},{"type":"object","additionalProperties":{"$ref":"#"}},{"const":1},{"type":"array","items":{"$ref":"#"},"contains":{"const":7}}]}`,
		"tree":   `{"$ref":"#/$defs/n","$defs":{"n":{"anyOf":[{"properties":{"c":{"$ref":"#/$defs/n"}},"additionalProperties":{"type":"integer"},"required":["x"]},{"properties":{"c":{"$ref":"#/$defs/n"}},"additionalProperties":{"type":"integer"},"required":["y"]},{"type":"integer"}]}}}`,
		"closed": `{"$ref":"#/$defs/n","$defs":{"n":{"type":["object","string"],"anyOf":[{"properties":{"c":{"$ref":"#/$defs/n"}}},{"properties":{"d":{"$ref":"#/$defs/n"}}}],"unevaluatedProperties":false}}}`,
		"regex":  `{"format":"regex"}`,
		"text":   `{"items":{"anyOf":[{"type":"integer"},{"type":"object"},{"type":"boolean"},{"type":"null"}]}}`,
		"unique": `{"uniqueItems":true}`,
		"enum":   `{"items":{"enum":["` + strings.Repeat("x", 20_000) + `","y"]}}`,
		"closer": `{"additionalProperties":false,"properties":{"abc":true}}`,
	}
	compiled := Compile(t, schemas, Options{AssertFormat: true})
	require.Empty(t, compiled.Refused)
	for _, tt := range []struct{ what, id, document string }{
		{"100 faults in a long name", "names", `{"` + name + `":{` + manyMembers(100, "1") + `}}`},
		{"nested long names", "names", `{"` + name + `":{"` + name + `":1}}`},
		{"brackets and oneOf", "oneof", open("[", deep, "", "]")},
		{"many nests", "oneof", "[" + strings.TrimSuffix(strings.Repeat(open("[", deep, "", "]")+",", 30), ",") + "]"},
		{"many nests that fail", "anyof", "[" + strings.TrimSuffix(strings.Repeat(open("[", deep, `"x"`, "]")+",", 30), ",") + "]"},
		{"many nests of objects", "anyof", "[" + strings.TrimSuffix(strings.Repeat(open(`{"a":`, deep, `"x"`, "}")+",", 10), ",") + "]"},
		{"wide faults under deep unions", "tree", open(`{"x":1,"y":1,"c":`, 3000, "{"+manyMembers(20_000, `"s"`)+"}", "}")},
		{"faults at every level", "tree", open(`{"x":"s","z":"s","c":`, deep, "1", "}")},
		{"evaluated at every level", "closed", open(`{"c":`, deep, `"s"`, "}")},
		{"not evaluated at every level", "closed", open(`{"e":1,"c":`, deep, `"s"`, "}")},
		{"an expression", "regex", `"` + strings.Repeat("(a|b)*", 4<<20/6) + `"`},
		{"a class", "regex", `"[` + strings.Repeat("a-z", 4<<20/3) + `]"`},
		{"texts of JSON", "text", "[" + wide(`"`+strings.Repeat("[", 5000)+strings.Repeat("]", 5000)+`"`, 4<<20) + "]"},
		{"a text of JSON", "text", `["` + strings.Repeat("[1,", 9000) + strings.Repeat("1,", 2<<20) + "1" + strings.Repeat("]", 9000) + `"]`},
		{"numbers", "unique", "[" + strings.TrimSuffix(manyNumbers(600_000), ",") + "]"},
		{"long messages", "enum", "[" + wide(`"q"`, 1<<20) + "]"},
		{"unknown members", "closer", "{" + manyMembers(200_000, "1") + "}"},
	} {
		r := compiled.Validate(t, tt.id, tt.document)[0]
		peak := r.Peak << 10
		require.NotZero(t, peak)
		answer := 0
		for _, d := range r.Details {
			answer += len(d.Path) + len(d.Message) + len(d.SchemaPath)
		}
		t.Logf("%s: %d bytes, peak %d MB, %d bytes of details", tt.what, len(tt.document), peak>>20, answer)
		require.Less(t, answer, 100<<10, tt.what)
		// Twice the tape, for its growth; the document itself three times in this program.
		require.Less(t, peak, 40<<20+len(tt.document)*45, tt.what)
	}
}

// manyMembers are members with names of their own.
func manyMembers(n int, value string) string {
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(`"m` + strings.Repeat("0", i%3) + strconv.Itoa(i) + `":` + value)
	}
	return b.String()
}

func manyNumbers(n int) string {
	var b strings.Builder
	for i := range n {
		b.WriteString(strconv.Itoa(i) + ",")
	}
	return b.String()
}
