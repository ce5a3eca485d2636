package arguments_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/arguments"
)

// schema has an argument of each kind.
const schema = `{"type":"object","properties":{
 "s":{"type":"string","description":"A text."},"n":{"type":"integer"},"x":{"type":"number"},"b":{"type":"boolean"},
 "o":{"type":"object"},"a":{"type":"array"},"z":{"type":"null"},"any":{},"true":true,
 "sn":{"type":["string","integer"]},"e":{"enum":["build","run",1,null]},"c":{"const":"only"},
 "ref":{"$ref":"#/$defs/small%20one"},"either":{"anyOf":[{"type":"integer"},{"type":"null"}]},"loop":{"$ref":"#/properties/loop"},
 "out":{"$ref":"https://x.test/schema"}},
 "required":["s","gone"],"allOf":[{"properties":{"more":{"type":"boolean"}},"required":["n"]}],
 "$defs":{"small one":{"type":"integer"}}}`

// TestObject: a value gets the type that the schema gives it, and JSON stays as it was typed.
func TestObject(t *testing.T) {
	t.Parallel()
	s := arguments.ReadSchema([]byte(schema))
	for _, c := range []struct{ given, want string }{
		{"", `{}`},
		{"s=5", `{"s":"5"}`},
		{"s=", `{"s":""}`},
		{`s="q"`, `{"s":"\"q\""}`},
		{"s=a=b", `{"s":"a=b"}`},
		{"s={}|n=5", `{"s":"{}","n":5}`},
		{"n=9007199254740993", `{"n":9007199254740993}`},
		{"n=-1", `{"n":-1}`},
		{"x=1.50", `{"x":1.50}`},
		{"x=1e400", `{"x":1e400}`},
		{"x=5", `{"x":5}`},
		{"b=true", `{"b":true}`},
		{`o= {"a" : 1.0} `, `{"o":{"a" : 1.0}}`},
		{`a=["x"]`, `{"a":["x"]}`},
		{"z=null", `{"z":null}`},
		{"any=5", `{"any":5}`},
		{"any=five", `{"any":"five"}`},
		{`any="five"`, `{"any":"five"}`},
		{"true=x", `{"true":"x"}`},
		{"sn=5", `{"sn":5}`},
		{"sn=5a", `{"sn":"5a"}`},
		{`sn="5"`, `{"sn":"\"5\""}`},
		{"e=build", `{"e":"build"}`},
		{"e=1", `{"e":1}`},
		{"e=null", `{"e":null}`},
		{"c=only", `{"c":"only"}`},
		{"ref=5", `{"ref":5}`},
		{"either=null", `{"either":null}`},
		{"more=false", `{"more":false}`},
		{"loop=x", `{"loop":"x"}`},
		{"out=5", `{"out":5}`},
	} {
		got, err := s.Object(split(c.given))
		require.NoError(t, err, c.given)
		require.Equal(t, c.want, string(got))
	}
}

func split(given string) []string {
	if given == "" {
		return nil
	}
	return strings.Split(given, "|")
}

// TestObjectRefuses: what can't be an argument is refused with what can.
func TestObjectRefuses(t *testing.T) {
	t.Parallel()
	s := arguments.ReadSchema([]byte(schema))
	for _, c := range []struct{ given, want string }{
		{"n=abc", "n=abc: must be an integer, such as 5"},
		{"n=1.5", "n=1.5: must be an integer, such as 5"},
		{"n=", "n=: must be an integer, such as 5"},
		{`n="5"`, `n="5": must be an integer, such as 5`},
		{"x=1,5", "x=1,5: must be a number, such as 1.5"},
		{"b=yes", "b=yes: must be true or false"},
		{"o=[]", `o=[]: must be a JSON object, such as '{"a":1}'`},
		{"a=x,y", `a=x,y: must be a JSON array, such as '["a","b"]'`},
		{"z=0", "z=0: must be null"},
		{"e=deploy", "e=deploy: must be one of build, run, 1, null"},
		{"either=x", "either=x: must be an integer, such as 5; or null"},
		{"nn=1", `nn=1: there is no argument "nn"; did you mean n`},
		{"zzzz=1", `there is no argument "zzzz"; there are s, n, x, b,`},
		{"n", `"n": must be a name, = and a value, such as limit=5`},
		{"=1", `"=1": must be a name, = and a value`},
		{"n=1|n=2", "n=2: n is given twice"},
		{"s=\xff", "must be UTF-8"},
	} {
		_, err := s.Object(split(c.given))
		var refused *arguments.Error
		require.ErrorAs(t, err, &refused, c.given)
		require.ErrorContains(t, err, c.want)
	}
}

// TestOpenSchemas: where a schema declares nothing, or says that there are others, any name will do.
func TestOpenSchemas(t *testing.T) {
	t.Parallel()
	for _, schema := range []string{
		``, `x`, `true`, `[]`, `{}`, `{"type":"object"}`, `{"properties":{}}`, `{"properties":5}`,
		`{"properties":{"a":{}},"additionalProperties":true}`, `{"properties":{"a":{}},"additionalProperties":{"type":"string"}}`,
		`{"properties":{"a":{}},"patternProperties":{"^x":{}}}`,
	} {
		got, err := arguments.ReadSchema([]byte(schema)).Object([]string{"free=1"})
		require.NoError(t, err, schema)
		require.Equal(t, `{"free":1}`, string(got), schema)
	}
}

// TestArguments: what completion and help know of an argument.
func TestArguments(t *testing.T) {
	t.Parallel()
	found := map[string]arguments.Argument{}
	var required []string
	for _, a := range arguments.ReadSchema([]byte(schema)).Arguments() {
		found[a.Name] = a
		if a.Required {
			required = append(required, a.Name)
		}
	}
	require.Equal(t, []string{"s", "n"}, required)
	require.Equal(t, "A text.", found["s"].Description)
	require.Equal(t, []string{"string", "integer"}, found["sn"].Types)
	require.Equal(t, []string{"build", "run", "1", "null"}, found["e"].Values)
}

// TestHostileSchemas: branches that lead around are followed once.
func TestHostileSchemas(t *testing.T) {
	t.Parallel()
	branch := strings.Repeat(`{"$ref":"#"},`, 200)
	s := arguments.ReadSchema([]byte(`{"properties":{"a":{"$ref":"#"}},"anyOf":[` + branch + `{}],"oneOf":[` + branch + `{}]}`))
	got, err := s.Object([]string{"a=1"})
	require.NoError(t, err)
	require.Equal(t, `{"a":1}`, string(got))
	deep := strings.Repeat(`{"properties":{"a":`, 4000) + `{}` + strings.Repeat("}}", 4000)
	require.Len(t, arguments.ReadSchema([]byte(deep)).Arguments(), 1)
}

// TestWideSchemas: what a schema declares takes time in proportion to it, or a server of others could
// keep a person waiting for minutes.
func TestWideSchemas(t *testing.T) {
	t.Parallel()
	const n = 200_000
	begun := time.Now()
	var properties, values strings.Builder
	for i := range n {
		fmt.Fprintf(&properties, `"p%d":{},`, i)
		fmt.Fprintf(&values, `"v%d",`, i)
	}
	s := arguments.ReadSchema([]byte(`{"properties":{` + properties.String() + `"e":{"enum":[` + values.String() + `1]}}}`))
	require.Len(t, s.Arguments(), n+1)
	require.Len(t, s.Arguments()[n].Values, n+1)
	require.Less(t, time.Since(begun), time.Minute, "comparing each with all others takes minutes")
}
