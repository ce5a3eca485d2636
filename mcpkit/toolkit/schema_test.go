package toolkit_test

import (
	"cmp"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

func toolNamed(t *testing.T, s *toolkit.Server, name string) toolkit.ToolInfo {
	t.Helper()
	tools, err := toolkit.TestPair(t, s).Tools()
	require.NoError(t, err)
	for _, tool := range tools {
		if tool.Name == name {
			return tool
		}
	}
	t.Fatalf("there is no tool %s", name)
	return toolkit.ToolInfo{}
}

type query struct {
	Text   string   `json:"text" jsonschema:"minLength=1,maxLength=20" jsonschema_description:"What to look for"`
	Limit  int      `json:"limit,omitempty" jsonschema:"minimum=1,maximum=50"`
	Ratio  *float64 `json:"ratio"`
	Exact  bool     `json:"exact,omitempty"`
	Tags   []string `json:"tags,omitempty"`
	Detail struct {
		Year int `json:"year"`
	} `json:"detail,omitzero"`
}

// TestT4ArgumentsAreTyped: a handler gets a struct; what is optional is a pointer, or left out where
// it is empty.
func TestT4ArgumentsAreTyped(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	got := make(chan query, 1)
	add(t, s, "search", func(_ context.Context, q query) (string, error) { got <- q; return "", nil })
	c := toolkit.TestPair(t, s)
	_, err := c.Call("search", json.RawMessage(`{"text":"Go","limit":3.0,"tags":["a"],"detail":{"year":2026}}`))
	require.NoError(t, err)
	q := <-got
	require.Equal(t, "Go", q.Text)
	require.Equal(t, 3, q.Limit, "3.0 is an integer")
	require.Nil(t, q.Ratio, "an optional argument that was left out")
	require.Equal(t, 2026, q.Detail.Year)
	require.JSONEq(t, `{"type":"object","required":["text"],"additionalProperties":false,"properties":{
		"text":{"type":"string","minLength":1,"maxLength":20,"description":"What to look for"},
		"limit":{"type":"integer","minimum":1,"maximum":50},"ratio":{"type":"number"},"exact":{"type":"boolean"},
		"tags":{"type":"array","items":{"type":"string"}},
		"detail":{"type":"object","properties":{"year":{"type":"integer"}},"required":["year"],"additionalProperties":false}}}`,
		string(toolNamed(t, s, "search").InputSchema))
}

// TestT5Types: the five types, with descriptions, required unless optional.
func TestT5Types(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	type in struct {
		S string         `json:"s" jsonschema:"description=A string"`
		N float64        `json:"n"`
		B bool           `json:"b"`
		O map[string]int `json:"o"`
		A []int          `json:"a"`
		X *string        `json:"x"`
	}
	add(t, s, "types", func(context.Context, in) (string, error) { return "", nil })
	require.JSONEq(t, `{"type":"object","additionalProperties":false,"required":["s","n","b","o","a"],"properties":{
		"s":{"type":"string","description":"A string"},"n":{"type":"number"},"b":{"type":"boolean"},
		"o":{"type":"object","additionalProperties":{"type":"integer"}},"a":{"type":"array","items":{"type":"integer"}},"x":{"type":"string"}}}`,
		string(toolNamed(t, s, "types").InputSchema))
	c := toolkit.TestPair(t, s)
	for argument, path := range map[string]string{`"s":1`: "/s", `"n":"1"`: "/n", `"b":1`: "/b", `"o":[]`: "/o", `"a":{}`: "/a", `"x":1`: "/x"} {
		r, err := c.Call("types", json.RawMessage(`{`+argument+`}`))
		require.NoError(t, err)
		require.Contains(t, string(r.Content[0].(toolkit.Text)), "\n"+path+": must be ")
	}
}

// TestT6NoArguments: a tool without arguments has a schema that all clients take.
func TestT6NoArguments(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "ping", constant("pong"))
	require.JSONEq(t, `{"type":"object","properties":{}}`, string(toolNamed(t, s, "ping").InputSchema))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		for _, params := range []string{`{"name":"ping"}`, call("ping", `{}`), call("ping", `null`), call("ping", `{"dummy":true}`)} {
			require.Equal(t, "pong", c.ask(t, "tools/call", params).text(t), params)
		}
	})
}

// TestT11OutputSchemaIsTold: clients see the schema of structured results, reflected, generated and
// raw.
func TestT11OutputSchemaIsTold(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{Types: generated.Registry})
	type out struct {
		Found []string `json:"found"`
	}
	add(t, s, "reflected", constant(out{}))
	add(t, s, "generated", constant(generated.ZenlixAgentStageV1{}))
	add(t, s, "raw", constant(json.RawMessage(`{}`)), toolkit.OutputSchema([]byte(`{"properties":{"n":{"type":"integer"}},"type":"object"}`)))
	add(t, s, "prose", constant("prose"))
	require.JSONEq(t, `{"type":"object","properties":{"found":{"type":"array","items":{"type":"string"}}},"required":["found"],"additionalProperties":false}`, string(toolNamed(t, s, "reflected").OutputSchema))
	stage, ok := generated.Registry.Lookup("zenlix-agent-stage-v1")
	require.True(t, ok)
	require.JSONEq(t, cmp.Or(stage.Bundle, stage.Source), string(toolNamed(t, s, "generated").OutputSchema))
	require.JSONEq(t, `{"type":"object","properties":{"n":{"type":"integer"}}}`, string(toolNamed(t, s, "raw").OutputSchema))
	require.Nil(t, toolNamed(t, s, "prose").OutputSchema)
}

type node struct {
	Name     string  `json:"name"`
	Children []*node `json:"children,omitempty"`
}

// recursive is case K20: a tree, with nothing at the root but a reference.
const recursive = `{"$defs": {"node": {"type": "object", "properties": {"name": {"type": "string"}, "children": {"type": "array", "items": {"$ref": "#/$defs/node"}}}, "required": ["name"]}}, "$ref": "#/$defs/node"}`

// TestT15AllOfJSONSchema: references, recursion, unions and composition check as they should.
func TestT15AllOfJSONSchema(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "tree", func(_ context.Context, r json.RawMessage) (json.RawMessage, error) { return r, nil },
		toolkit.InputSchema([]byte(recursive)), toolkit.OutputSchema([]byte(recursive)))
	add(t, s, "typed", func(_ context.Context, n node) (node, error) { return n, nil })
	add(t, s, "union", func(_ context.Context, r json.RawMessage) (json.RawMessage, error) { return r, nil }, toolkit.InputSchema([]byte(
		`{"type":"object","properties":{"v":{"anyOf":[{"type":"string","minLength":2},{"type":["integer","null"]}]},
		"w":{"allOf":[{"minimum":0},{"exclusiveMaximum":1.5}]},"x":{"not":{"const":3}},"p":{"pattern":"^(?!no)","type":"string"},"d":{"format":"date"}},
		"dependentRequired":{"v":["w"]},"unevaluatedProperties":false}`)))
	require.Contains(t, string(toolNamed(t, s, "tree").OutputSchema), `"type":"object"`, "clients look for the type at the root")
	require.JSONEq(t, `{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}},
		"$defs":{"node":{"type":"object","required":["name"],"additionalProperties":false,"properties":{"name":{"type":"string"},"children":{"type":"array","items":{"$ref":"#/$defs/node"}}}}}}`,
		string(toolNamed(t, s, "typed").InputSchema), "a type that holds itself, with its properties where clients look for them")
	c := toolkit.TestPair(t, s)
	for _, test := range []struct{ tool, arguments, fault string }{
		{"tree", `{"name":"r","children":[{"name":"c","children":[]}]}`, ""},
		{"tree", `{"name":"r","children":[{"name":"c","children":[{"name":"g"},{"name":5}]}]}`, "/children/0/children/1/name: must be string"},
		{"tree", `{"name":"r","children":[{}]}`, "/children/0/name: is required"},
		{"typed", `{"name":"r","children":[{"name":"c"}]}`, ""},
		{"typed", `{"name":"r","children":[{"name":1}]}`, "/children/0/name: must be string"},
		{"union", `{"v":"ab","w":1}`, ""},
		{"union", `{"v":null,"w":1}`, ""},
		{"union", `{"v":"a","w":1}`, "must have at least 2 characters"},
		{"union", `{"v":[],"w":1}`, "/v: matches none of the 2 forms allowed here: must be string or null or integer"},
		{"union", `{"v":1}`, `/w: is required because "v" is present`},
		{"union", `{"w":1.5}`, "/w: must be less than 1.5"},
		{"union", `{"x":3}`, "/x: has the form that is forbidden here"},
		{"union", `{"p":"yes"}`, ""},
		{"union", `{"p":"no"}`, "/p: must match the pattern ^(?!no)"},
		{"union", `{"d":"2026-02-30"}`, "/d: must be a date as in RFC 3339"},
		{"union", `{"z":1}`, "/z: is not allowed here"},
	} {
		r, err := c.Call(test.tool, json.RawMessage(test.arguments))
		require.NoError(t, err)
		text := string(r.Content[0].(toolkit.Text))
		require.Equal(t, test.fault != "", r.IsError, "%s %s", test.arguments, text)
		if test.fault != "" {
			require.Contains(t, text, test.fault, test.arguments)
		}
	}
}

type (
	withChannel struct {
		Deep struct {
			C chan int `json:"a/b"`
		} `json:"deep"`
	}
	withMap struct {
		M map[float64]string `json:"m"`
	}
	withInterface struct {
		R interface{ Read() } `json:"r"`
	}
)

// TestT16MalformedSchemas: what can't work is an error when the tool is added, which names the
// tool, the side and the place; and the tool is not there.
func TestT16MalformedSchemas(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	input := func(schema string) error {
		return toolkit.Tool(s, "bad", "", func(context.Context, json.RawMessage) (string, error) { return "", nil }, toolkit.InputSchema([]byte(schema)))
	}
	output := func(schema string) error {
		return toolkit.Tool(s, "bad", "", constant(json.RawMessage(nil)), toolkit.OutputSchema([]byte(schema)))
	}
	for name, test := range map[string]struct {
		err                    error
		side, pointer, message string
	}{
		"no such type":           {input(`{"type":"nope"}`), "input", "/type", "must be"},
		"in a property":          {input(`{"type":"object","properties":{"a":{"type":"int"}}}`), "input", "/properties/a/type", "must be"},
		"of the output":          {output(`{"type":"object","properties":{"a":{"minLength":"1"}}}`), "output", "/properties/a/minLength", "must be integer"},
		"not JSON":               {input(`{"type":`), "input", "", "the schema is not JSON"},
		"empty":                  {input(``), "input", "", "the schema is not JSON"},
		"repeated":               {input(`{"type":"object","type":"object"}`), "input", "/type", "there twice"},
		"false":                  {input(`false`), "input", "", "allows nothing"},
		"a number":               {output(`5`), "output", "", ""},
		"arguments as a list":    {input(`{"type":"array"}`), "input", "/type", `"type":"object"`},
		"a list of types":        {input(`{"type":["object","null"]}`), "input", "/type", `must be the string "object"`},
		"a pattern":              {input(`{"type":"object","properties":{"a":{"pattern":"("}}}`), "input", "/properties/a/pattern", "must be a regular expression"},
		"a reference":            {input(`{"$ref":"#/$defs/absent"}`), "input", "", "where there is nothing"},
		"a file":                 {input(`{"$ref":"file:///etc/hostname"}`), "input", "", "nothing is loaded"},
		"a URL":                  {output(`{"type":"object","properties":{"a":{"$ref":"https://example.com/x.json"}}}`), "output", "", "nothing is loaded"},
		"a dialect":              {input(`{"$schema":"https://example.com/dialect","type":"object"}`), "input", "", "nothing is loaded"},
		"no schema":              {toolkit.Tool(s, "bad", "", func(context.Context, json.RawMessage) (string, error) { return "", nil }), "input", "", "InputSchema"},
		"a channel":              {toolkit.Tool(s, "bad", "", func(context.Context, withChannel) (string, error) { return "", nil }), "input", "/properties/deep/properties/a~1b", "chan int"},
		"a channel to return":    {toolkit.Tool(s, "bad", "", constant(withChannel{})), "output", "/properties/deep/properties/a~1b", "chan int"},
		"keys":                   {toolkit.Tool(s, "bad", "", constant(withMap{})), "output", "/properties/m", "keys"},
		"an interface":           {toolkit.Tool(s, "bad", "", func(context.Context, withInterface) (string, error) { return "", nil }), "input", "/properties/r", "can't say which"},
		"a string for an object": {toolkit.Tool(s, "bad", "", func(context.Context, string) (string, error) { return "", nil }), "input", "", "take a struct or a map"},
		"a function":             {toolkit.Tool(s, "bad", "", constant(func() {})), "output", "", "has no form in JSON"},
		"encodes itself":         {toolkit.Tool(s, "bad", "", constant(panics{})), "output", "", "give it with OutputSchema"},
		"generated, unknown":     {toolkit.Tool(s, "bad", "", constant(generated.WorkflowStageV1{})), "output", "", "Options.Types"},
		"no handler":             {toolkit.Tool[none, string](s, "bad", "", nil), "", "", "no function"},
		"no name":                {toolkit.Tool(s, "", "", constant("")), "", "", "the name must have 1 to 128 characters"},
		"a space":                {toolkit.Tool(s, "a b", "", constant("")), "", "", "the name must have"},
		"a long name":            {toolkit.Tool(s, strings.Repeat("x", 129), "", constant("")), "", "", "the name must have"},
	} {
		var e *toolkit.ToolError
		require.ErrorAs(t, test.err, &e, name)
		require.Equal(t, test.side, e.Side, name)
		require.Equal(t, test.pointer, e.Pointer, "%s: %s", name, e.Message)
		require.Contains(t, e.Message, test.message, name)
		require.NotContains(t, e.Message, "jsonschema", name)
		if e.Tool == "bad" && e.Side != "" {
			require.Contains(t, e.Error(), `tool "bad", `+test.side+" schema", name)
		}
	}
	tools, err := toolkit.TestPair(t, s).Tools()
	require.NoError(t, err)
	require.Empty(t, tools)
}

// TestT14OutputRoot: structured content is an object, unless the author allows other values.
func TestT14OutputRoot(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	for _, root := range []string{`{"type":"array"}`, `{"type":["object","null"]}`, `true`, `{}`, `{"anyOf":[{"type":"object"},{"type":"string"}]}`} {
		err := toolkit.Tool(s, "bad", "", constant(json.RawMessage(nil)), toolkit.OutputSchema([]byte(root)))
		require.ErrorContains(t, err, `the root must have "type":"object"`, root)
	}
	require.ErrorContains(t, toolkit.Tool(s, "bad", "", constant([]int{})), `tool "bad", output schema: the root must have "type":"object"`)
	require.ErrorContains(t, toolkit.Tool(s, "bad", "", constant(7)), `the root must have "type":"object"`)
	add(t, s, "union", constant(json.RawMessage(`{"a":1}`)), toolkit.OutputSchema([]byte(`{"anyOf":[{"type":"object"},{"$ref":"#/$defs/o"}],"$defs":{"o":{"allOf":[{"type":"object"}]}}}`)))
	add(t, s, "list", constant([]int{1, 2}), toolkit.AnyRoot())
	add(t, s, "number", constant(7), toolkit.AnyRoot())
	add(t, s, "untold", constant(json.RawMessage(`[1]`)))
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/call", call("list", `{}`))
		require.Equal(t, `[1,2]`, string(a.Result.Structured))
		require.Equal(t, `[1,2]`, a.text(t))
		require.Equal(t, `7`, string(c.ask(t, "tools/call", call("number", `{}`)).Result.Structured))
		require.Equal(t, `{"a":1}`, string(c.ask(t, "tools/call", call("union", `{}`)).Result.Structured))
		require.Equal(t, -32603, c.ask(t, "tools/call", call("untold", `{}`)).Error.Code, "a list without AnyRoot")
	})
}

// TestSchemasStandAlone: two tools may have one $id, and each its dialect.
func TestSchemasStandAlone(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	echo := func(_ context.Context, r json.RawMessage) (json.RawMessage, error) { return r, nil }
	add(t, s, "one", echo, toolkit.InputSchema([]byte(`{"$id":"https://example.com/x","type":"object","properties":{"a":{"type":"string"}}}`)))
	add(t, s, "two", echo, toolkit.InputSchema([]byte(`{"$id":"https://example.com/x","type":"object","properties":{"a":{"type":"integer"}}}`)))
	add(t, s, "seven", echo, toolkit.InputSchema([]byte(`{"$schema":"http://json-schema.org/draft-07/schema#","type":"object","properties":{"a":{"items":[{"type":"integer"}]}}}`)))
	add(t, s, "twelve", echo, toolkit.InputSchema([]byte(`{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":{"a":{"prefixItems":[{"type":"integer"}]}}}`)))
	c := toolkit.TestPair(t, s)
	for tool, good := range map[string][2]string{"one": {`"x"`, `1`}, "two": {`1`, `"x"`}, "seven": {`[1]`, `["x"]`}, "twelve": {`[1]`, `["x"]`}} {
		for i, value := range good {
			r, err := c.Call(tool, json.RawMessage(`{"a":`+value+`}`))
			require.NoError(t, err)
			require.Equal(t, i == 1, r.IsError, "%s %s", tool, value)
		}
	}
}

// Embedded is embedded with a pointer: without it its fields are not there.
type Embedded struct {
	Note string `json:"note"`
}

// TestReflectedTypes: types that encode themselves have the schema of what they encode as.
func TestReflectedTypes(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	type out struct {
		At   time.Time       `json:"at"`
		Num  json.Number     `json:"num"`
		Raw  json.RawMessage `json:"raw"`
		Any  any             `json:"any"`
		Ptr  *int            `json:"ptr"`
		Opt  *int            `json:"opt,omitempty"`
		Skip chan int        `json:"-"`
		node
		*Embedded
	}
	add(t, s, "types", constant(out{Num: "9007199254740993", Raw: json.RawMessage(`1e400`), node: node{Name: "x"}}))
	c := toolkit.TestPair(t, s)
	r, err := c.Call("types", nil)
	require.NoError(t, err)
	require.Equal(t, `{"at":"0001-01-01T00:00:00Z","num":9007199254740993,"raw":1e400,"any":null,"ptr":null,"name":"x"}`, string(r.Structured.(json.RawMessage)))
}
