//go:build !race

package gen

// The race detector makes these take five times as long, and they have no goroutines to watch.

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// bomb makes a schema of size n.
type bomb func(n int) string

// list joins n texts with commas.
func list(n int, text func(i int) string) string {
	parts := make([]string, n)
	for i := range parts {
		parts[i] = text(i)
	}
	return strings.Join(parts, ",")
}

// nested puts n times text around a schema.
func nested(before, after string) bomb {
	return func(n int) string {
		return strings.Repeat(before, n) + `{"type":"string"}` + strings.Repeat(after, n)
	}
}

// chain makes n definitions, each of which refers to the next by the text in which NEXT stands
// for the reference and N for its number.
func chain(definition, root string) bomb {
	return func(n int) string {
		defs := list(n, func(i int) string {
			text := strings.ReplaceAll(definition, "NEXT", fmt.Sprintf(`"$ref":"#/$defs/d%d"`, i+1))
			return fmt.Sprintf(`"d%d":%s`, i, strings.ReplaceAll(text, "NUMBER", fmt.Sprint(i)))
		})
		return fmt.Sprintf(`{%s"$ref":"#/$defs/d0","$defs":{%s,"d%d":{"type":"object"}}}`, root, defs, n)
	}
}

// wide is one schema with n parts.
func wide(before string, part func(i int) string, after string) bomb {
	return func(n int) string { return before + list(n, part) + after }
}

// referred is n members that refer to one definition whose text grows too.
func referred(definition func(n int) string) bomb {
	return func(n int) string {
		members := list(n, func(i int) string { return fmt.Sprintf(`"a%d":{"$ref":"#/$defs/c"}`, i) })
		return fmt.Sprintf(`{"properties":{%s},"$defs":{"c":%s}}`, members, definition(n))
	}
}

func number(format string) func(i int) string {
	return func(i int) string { return fmt.Sprintf(strings.ReplaceAll(format, "%d", "%[1]d"), i) }
}

// pattern repeats a piece of a regular expression.
func pattern(before, piece, after string) bomb {
	return func(n int) string {
		return fmt.Sprintf(`{"pattern":%q}`, before+strings.Repeat(piece, n)+after)
	}
}

// dynamic is n resources, each with a dynamic anchor that the last one refers to, of which any
// number may have been entered: 2^n dynamic scopes.
func dynamic(n int) string {
	defs := list(n, func(i int) string {
		return fmt.Sprintf(`"s%[1]d":{"$id":"http://x/s%[1]d","$defs":{"x":{"$dynamicAnchor":"A%[1]d"}},"properties":{"n":{"$ref":"http://x/t%[2]d"}}},`+
			`"t%[1]d":{"$id":"http://x/t%[1]d","anyOf":[{"$ref":"http://x/s%[1]d"},{"$ref":"http://x/t%[2]d"}]}`, i, i+1)
	})
	anchors := list(n, number(`"x%d":{"$dynamicAnchor":"A%d"}`))
	refs := list(n, number(`{"$dynamicRef":"#A%d"}`))
	return fmt.Sprintf(`{"$id":"http://x/root","$ref":"http://x/t0","$defs":{%s,"s%[2]d":{"$id":"http://x/s%[2]d"},"t%[2]d":{"$id":"http://x/t%[2]d","$defs":{%s},"allOf":[%s]}}}`, defs, n, anchors, refs)
}

// crossed are objects that are combined with a definition of n members each.
func crossed(n int) string {
	members := list(n, number(`"a%d":{"type":"object","allOf":[{"$ref":"#/$defs/c"}],"properties":{"z%d":{"type":"string"}}}`))
	return fmt.Sprintf(`{"properties":{%s},"$defs":{"c":{"type":"object","properties":{%s}}}}`, members, list(n, number(`"v%d":{"type":"string"}`)))
}

// TestBombs: on every schema the compiler ends, with output and memory that grow as the schema
// does, or with a fault that names the place and says what to do.
func TestBombs(t *testing.T) {
	const unevaluated = `"unevaluatedProperties":false,`
	for _, b := range []struct {
		name   string
		n      int
		schema bomb
		fault  string // of the one of size 2n; "" where it compiles
	}{
		{"nested items", 5000, nested(`{"items":`, `}`), "nest more than 512 deep"},
		{"nested additionalProperties", 5000, nested(`{"additionalProperties":`, `}`), "nest more than 512 deep"},
		{"nested unevaluatedProperties", 5000, nested(`{"unevaluatedProperties":`, `}`), "nest more than 512 deep"},
		{"nested not", 5000, nested(`{"not":`, `}`), "nest more than 512 deep"},
		{"nested anyOf", 5000, nested(`{"anyOf":[`, `,{"type":"object"}]}`), "nest more than 512 deep"},
		{"nested properties", 5000, nested(`{"properties":{"a":`, `}}`), "nest more than 512 deep"},
		{"nested constant", 60_000, func(n int) string { return `{"const":` + strings.Repeat("[", n) + strings.Repeat("]", n) + "}" }, "nest more than 512 deep"},
		{"references", 1000, chain(`{NEXT}`, ""), ""},
		{"too many references", 51_000, chain(`{NEXT}`, ""), "more than 100000 schemas"},
		{"references of members", 500, chain(`{"properties":{"aNUMBER":{NEXT}}}`, ""), ""},
		{"anyOf, the same twice", 50, chain(`{"anyOf":[{NEXT},{NEXT}]}`, unevaluated), ""},
		{"structs in structs", 1000, chain(`{"type":"object","properties":{"k":{NEXT}},"required":["k"]}`, ""), ""},
		{"anyOf", 50, chain(`{"anyOf":[{NEXT},{"type":"object",NEXT}]}`, ""), ""},
		{"anyOf, unevaluated", 50, chain(`{"anyOf":[{NEXT},{"properties":{"pNUMBER":{}},"type":"object",NEXT}]}`, unevaluated), ""},
		{"anyOf, unevaluated everywhere", 50, chain(`{"unevaluatedProperties":false,"anyOf":[{NEXT},{"properties":{"pNUMBER":{}},NEXT}]}`, unevaluated), ""},
		{"oneOf", 50, chain(`{"oneOf":[{NEXT},{"type":"object","required":["pNUMBER"],NEXT}]}`, unevaluated), ""},
		{"oneOf by tag", 50, chain(`{"oneOf":[{"properties":{"t":{"const":"aNUMBER"}},"required":["t"],NEXT},{"properties":{"t":{"const":"bNUMBER"}},"required":["t"],NEXT}]}`, ""), ""},
		{"allOf", 50, chain(`{"allOf":[{NEXT},{"properties":{"pNUMBER":{}},NEXT}]}`, unevaluated), ""},
		{"allOf, unevaluated everywhere", 400, chain(`{"properties":{"pNUMBER":{"type":"string"}},"allOf":[{NEXT}],"unevaluatedProperties":false}`, ""), ""},
		{"if", 50, chain(`{"if":{NEXT},"then":{NEXT},"else":{NEXT}}`, unevaluated), ""},
		{"not", 50, chain(`{"allOf":[{"not":{NEXT}},{"not":{"not":{NEXT}}}]}`, unevaluated), ""},
		{"dependentSchemas", 50, chain(`{"dependentSchemas":{"a":{NEXT},"b":{NEXT}}}`, unevaluated), ""},
		{"members twice", 50, chain(`{"type":"object","properties":{"a":{NEXT},"b":{NEXT}},"additionalProperties":{NEXT}}`, ""), ""},
		{"tuples", 50, chain(`{"type":"array","items":{NEXT},"contains":{NEXT},"prefixItems":[{NEXT},{NEXT}]}`, ""), "more than 45100 places were looked at"},
		{"dynamic scopes", 20, dynamic, "the dynamic references of this schema multiply"},
		{"product of oneOf", 50, wide(`{"allOf":[`, number(`{"oneOf":[{"properties":{"a%d":{"const":1}},"required":["a%d"]},{"properties":{"a%d":{"const":2}},"required":["a%d"]}]}`), `]}`), ""},
		{"wide anyOf", 300, wide(`{"anyOf":[`, number(`{"type":"object","properties":{"a%d":{"type":"string"}},"required":["a%d"]}`), `]}`), ""},
		{"wide oneOf by tag", 300, wide(`{"oneOf":[`, number(`{"type":"object","properties":{"t":{"const":"v%d"}},"required":["t"]}`), `]}`), ""},
		{"wide allOf", 300, wide(`{"allOf":[`, number(`{"type":"object","properties":{"a%d":{"type":"string"}}}`), `],"unevaluatedProperties":false}`), ""},
		{"members", 2000, wide(`{"type":"object","properties":{`, number(`"a%d":{"type":"string"}`), `}}`), ""},
		{"too many members", 50_000, wide(`{"type":"object","properties":{`, number(`"a%d":{"type":"string"}`), `}}`), "more than 10000 members known by name"},
		{"required", 10_000, wide(`{"type":"object","required":[`, number(`"a%d"`), `]}`), ""},
		{"enum of strings", 10_000, wide(`{"enum":[`, number(`"v%d"`), `]}`), ""},
		{"enum of numbers", 10_000, wide(`{"enum":[`, number(`%d.5`), `]}`), ""},
		{"enum of objects", 3000, wide(`{"enum":[`, number(`{"a":%d}`), `]}`), ""},
		{"patternProperties", 500, wide(`{"type":"object","patternProperties":{`, number(`"^p%d[a-z]+x":{"type":"string"}`), `},"additionalProperties":false}`), ""},
		{"names that clash", 300, func(n int) string {
			return `{"properties":{` + list(n, func(i int) string {
				return fmt.Sprintf(`"a%s%s":{"type":"object","properties":{"x":{"minLength":%d}}}`, strings.Repeat("-", i%17), strings.Repeat("_", i/17), i)
			}) + `}}`
		}, ""},
		{"long name around schemas", 1000, func(n int) string {
			return fmt.Sprintf(`{"properties":{"%s":{"type":"object","properties":{%s}}}}`, strings.Repeat("n", 100*n), list(n, number(`"a%d":{"type":"string"}`)))
		}, "shorten the member names on the way here"},
		{"long title and description", 20_000, func(n int) string {
			return fmt.Sprintf(`{"title":"%s","properties":{"a":{"description":"%s","type":"object"}}}`, strings.Repeat("t ", n), strings.Repeat(`*/ \n`, n))
		}, ""},
		{"long constant, often", 200, referred(func(n int) string { return `{"const":"` + strings.Repeat("x", 100*n) + `"}` }), ""},
		{"long pattern, often", 200, referred(func(n int) string { return `{"pattern":"` + strings.Repeat("x", 100*n) + `"}` }), ""},
		{"long number, often", 200, referred(func(n int) string { return `{"minimum":` + strings.Repeat("9", 100*n) + `}` }), ""},
		{"objects combined with one definition", 300, crossed, "places were looked at"},
		{"huge exponents", 1, func(n int) string {
			return fmt.Sprintf(`{"properties":{"a":{"multipleOf":1e1000000000},"b":{"minimum":1e%s},"c":{"maxLength":1e999999999},"d":{"const":1e-99999999999}}}`, strings.Repeat("9", 20*n))
		}, ""},
		{"numbers of many digits", 50_000, func(n int) string {
			d := strings.Repeat("9", n)
			return fmt.Sprintf(`{"properties":{"a":{"multipleOf":%[1]s},"b":{"minimum":%[1]s},"c":{"maxLength":%[1]s},"d":{"const":0.%[1]s}}}`, d)
		}, ""},
		{"pattern of letters", 1500, pattern("", `\p{L}`, ""), "the pattern is too large"},
		{"pattern of classes", 1500, pattern("", `[^\p{L}\d]`, ""), "the pattern is too large"},
		{"class of letters", 2000, pattern("[", `\p{L}`, "]"), ""},
		{"class without case", 200, pattern("(?i:[", `\p{L}a-z\P{Lu}`, "])+"), ""},
		{"repeat of a repeat", 3, func(n int) string {
			return fmt.Sprintf(`{"pattern":"%sa%s"}`, strings.Repeat("(", n), strings.Repeat("{1000})", n))
		}, ""},
		{"nested groups", 400, func(n int) string {
			return fmt.Sprintf(`{"pattern":"^%sa%sb"}`, strings.Repeat("(", n), strings.Repeat(")*", n))
		}, ""},
		{"groups nested too deeply", 900, func(n int) string {
			return fmt.Sprintf(`{"pattern":"^%sa%sb"}`, strings.Repeat("(", n), strings.Repeat(")*", n))
		}, "groups are nested too deeply"},
		{"optional parts", 2000, pattern("^", "a?", "$"), ""},
		{"alternatives", 2000, func(n int) string {
			return fmt.Sprintf(`{"pattern":"^(%s)$"}`, strings.ReplaceAll(list(n, number("w%d")), ",", "|"))
		}, ""},
		{"look-aheads", 300, pattern("^", "(?=.*w)", "x"), ""},
		{"back-references", 1000, pattern("(a)", `\1`, ""), ""},
		{"faults", 3000, wide(`{"properties":{`, number(`"p%d":{"type":"strin"}`), `}}`), "is not a JSON Schema type"},
		{"dangling references", 3000, wide(`{"properties":{`, number(`"p%d":{"$ref":"#/no%d"}`), `}}`), "cannot be resolved"},
		{"wrong patterns", 3000, wide(`{"properties":{`, number(`"p%d":{"pattern":"(%d"}`), `}}`), "cannot be compiled"},
	} {
		t.Run(b.name, func(t *testing.T) {
			t.Parallel()
			once, _ := explode(t, b.schema(b.n))
			twice, fault := explode(t, b.schema(2*b.n))
			if b.fault != "" {
				require.Contains(t, fault, b.fault)
				require.Regexp(t, `^\S+bomb\.json:\d+:\d+: `, fault)
				return
			}
			require.Empty(t, fault)
			// The registry and the frame of a file are always there.
			require.LessOrEqual(t, twice, 5*once/2+4000)
		})
	}
}

// TestBombDeep: what nests as deep as is allowed is compiled.
func TestBombDeep(t *testing.T) {
	for _, text := range []string{nested(`{"items":`, `}`)(511), nested(`{"properties":{"k":`, `}}`)(255), nested(`{"oneOf":[`, `,{"type":"object"}]}`)(255)} {
		size, fault := explode(t, text)
		require.Empty(t, fault)
		require.Less(t, size, 20<<20)
	}
}

// explode compiles one schema, and type-checks what comes of it. It gives the size of the Go
// files, or the first fault.
func explode(t *testing.T, text string) (size int, fault string) {
	dir := t.TempDir()
	schemas := filepath.Join(dir, "schemas")
	require.NoError(t, os.Mkdir(schemas, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(schemas, "bomb.json"), []byte(text), 0o644))
	var stderr bytes.Buffer
	code := withDeadline(t, func() int {
		return Run([]string{"-schemas", schemas, "-out", filepath.Join(dir, "out")}, io.Discard, &stderr)
	})
	if code != exitDone {
		fault, _, _ = strings.Cut(stderr.String(), "\n")
		return 0, fault
	}
	files, err := existing(filepath.Join(dir, "out"))
	require.NoError(t, err)
	for _, data := range files {
		size += len(data)
	}
	return size, ""
}
