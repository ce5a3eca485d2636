package runtimeschema

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// TestHostileSchemas: no schema, whatever it is made of, takes long or reaches out, and each fault
// says where it is and what to do.
func TestHostileSchemas(t *testing.T) {
	t.Parallel()
	const good = ""
	wide := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"p%d":{"type":"string"}`, i)
		}
		return `{"properties":{` + strings.TrimPrefix(b.String(), ",") + `}}`
	}
	deep := func(n int) string {
		return strings.Repeat(`{"properties":{"a":`, n) + `{}` + strings.Repeat(`}}`, n)
	}
	for name, tt := range map[string]struct{ schema, want string }{
		"deep":                          {deep(10_000), "the schema nests too deep to be checked: more than 10000 levels"},
		"rather deep":                   {deep(400), "the schema is too large to be checked: it has 801 objects at a depth of 400 on average"},
		"as deep as may be":             {deep(140), good},
		"deep data":                     {`{"default":` + strings.Repeat("[", 9000) + strings.Repeat("]", 9000) + `}`, good},
		"wide":                          {wide(5000), "the schema is too large to be checked: it has 5002 objects at a depth of 1 on average"},
		"as wide as may be":             {wide(4900), good},
		"a large enum":                  {`{"enum":["` + strings.Repeat(`x","`, 100_000) + `"]}`, good},
		"a pattern that backtracks":     {`{"pattern":"^(a+)+$"}`, good},
		"a pattern that is no pattern":  {`{"pattern":"("}`, "/pattern: this is not how JSON Schema has it: must be a regular expression (ECMA-262)"},
		"a pattern that grows":          {`{"pattern":"((a{1000}){1000}){1000}"}`, good},
		"a large number":                {`{"minimum":1e999999999}`, "/minimum: a number that values are compared with may have 1,000 digits and an exponent of 1,000"},
		"a large number in a list":      {`{"$ref":"#/x","x":{"const":[{"a":1e999999999}]}}`, "/x/const/0/a: a number that values are compared with may have 1,000 digits and an exponent of 1,000"},
		"a large number that says none": {`{"default":1e999999999,"minimum":1e400}`, good},
		"a web reference":               {`{"$ref":"http://127.0.0.1:1/a.json"}`, `a reference or $schema leads to "http://127.0.0.1:1/a.json", and nothing is loaded: put what it means into $defs`},
		"a file reference":              {`{"$ref":"file:///etc/passwd"}`, `a reference or $schema leads to "file:///etc/passwd", and nothing is loaded: put what it means into $defs`},
		"a dialect of its own":          {`{"$schema":"https://example.com/s"}`, `a reference or $schema leads to "https://example.com/s", and nothing is loaded: put what it means into $defs`},
		"itself as its dialect":         {`{"$schema":"tool:///schema"}`, "/$schema: the dialect is not known: take one of draft-04, draft-06, draft-07, 2019-09 and 2020-12"},
		"the id of a dialect":           {`{"$id":"https://json-schema.org/draft/2020-12/schema","type":"string"}`, good},
		"itself":                        {`{"$ref":"#"}`, good},
		"no such type":                  {`{"properties":{"n":{"type":"objct"}}}`, `/properties/n/type: this is not how JSON Schema has it: must be one of "array", "boolean", "integer", "null", "number", "object", "string"`},
		"a name twice":                  {`{"a":{"b":1,"b":2}}`, "/a/b: this member is there twice: keep one of the two"},
		"no reference's end":            {`{"$ref":"#/$defs/a"}`, "a reference leads to #/$defs/a, where there is nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			check, err := Compile([]byte(tt.schema))
			require.Less(t, time.Since(start), 2*time.Minute, "without bounds it takes hours; this one holds on any machine")
			if tt.want != good {
				require.EqualError(t, err, tt.want)
				require.ErrorAs(t, err, new(*SchemaError))
				return
			}
			require.NoError(t, err)
			// Whatever the verdict is, it comes.
			s := jsonrt.Schema{ID: name, Check: check.Run}
			for _, value := range []string{`"` + strings.Repeat("a", 10_000) + `!"`, `{"a":{"a":1}}`, `1e999999999`} {
				if err := s.Validate([]byte(value)); err != nil {
					var invalid *jsonrt.ValidationError
					var undecided *jsonrt.UndecidedError
					require.True(t, errors.As(err, &invalid) || errors.As(err, &undecided), "%v", err)
				}
			}
		})
	}
}

// TestRemarks: what says nothing is told, at its place; what is data or a name is not taken for a
// keyword.
func TestRemarks(t *testing.T) {
	t.Parallel()
	many := "{"
	for i := range 30 {
		many += fmt.Sprintf(`"k%d":1,`, i)
	}
	for schema, want := range map[string][]string{
		`{"type":"string","format":"email","x-mcp-header":"A"}`: nil,
		`true`: nil,
		`{"nullable":true,"properties":{"nullable":{"format":"int64"}}}`: {
			`/nullable: the keyword "nullable" is not known and not checked`,
			`/properties/nullable/format: the format "int64" is not known and not checked`,
		},
		`{"$defs":{"a":{"items":[{"a/b":1}]}},"default":{"foo":1},"anyOf":[true,{"not":{"bar":{}}}],"dependencies":{"x":["y"],"z":{"baz":0}},"$schema":"http://json-schema.org/draft-07/schema#"}`: {
			`/$defs/a/items/0/a~1b: the keyword "a/b" is not known and not checked`,
			`/anyOf/1/not/bar: the keyword "bar" is not known and not checked`,
			`/dependencies/z/baz: the keyword "baz" is not known and not checked`,
		},
	} {
		check, err := Compile([]byte(schema))
		require.NoError(t, err, schema)
		var got []string
		for _, f := range check.Remarks() {
			got = append(got, f.Pointer+": "+f.Message)
		}
		require.Equal(t, want, got, schema)
	}
	check, err := Compile([]byte(many + `"type":"object"}`))
	require.NoError(t, err)
	remarks := check.Remarks()
	require.Len(t, remarks, 21)
	require.Equal(t, "and 10 more keywords or formats that are not checked", remarks[20].Message)
}

// TestFaultsEverywhere: to tell the faults of a value takes time in proportion to it, however many of
// its parts are at fault, or one message of a few megabytes would keep a server busy for hours.
func TestFaultsEverywhere(t *testing.T) {
	t.Parallel()
	const members, items = 150_000, 500_000
	var object strings.Builder
	for i := range members {
		fmt.Fprintf(&object, `"a%d":"",`, i)
	}
	schema := &jsonrt.Schema{ID: "all", Check: schemaCheck(t, `{"additionalProperties":{"type":"integer"},"items":{"type":"integer"}}`).Run}
	for value, faults := range map[string]int{
		`{` + object.String() + `"last":1}`:       members,
		`[` + strings.Repeat(`"",`, items) + `1]`: items,
	} {
		begun := time.Now()
		err := schema.Validate([]byte(value))
		require.Less(t, time.Since(begun), time.Minute)
		var invalid *jsonrt.ValidationError
		require.ErrorAs(t, err, &invalid)
		require.Len(t, invalid.Details, jsonrt.MaxDetails)
		require.Equal(t, faults-jsonrt.MaxDetails, invalid.More)
	}
}
