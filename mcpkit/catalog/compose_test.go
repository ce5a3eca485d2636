package catalog_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/catalog"
)

// compose makes the catalogue of definitions, and its document, which it holds to what every
// document promises.
func compose(t *testing.T, definitions string) (*catalog.Catalog, string) {
	t.Helper()
	d, err := catalog.ParseDefinitions([]byte(definitions))
	require.NoError(t, err)
	c, err := catalog.Compose(d)
	require.NoError(t, err)
	return c, document(t, c)
}

// document is the document of a catalogue: it satisfies its schema, reading and writing it again
// changes nothing, and nor does its Go type.
func document(t *testing.T, c *catalog.Catalog) string {
	t.Helper()
	doc := c.AppendJSON(nil)
	message, err := generated.DecodeMCPCatalogV1(doc)
	require.NoError(t, err, "%.2000s", doc)
	require.Len(t, message.Items, len(c.Items))
	again, err := catalog.Parse(doc)
	require.NoError(t, err)
	require.Equal(t, string(doc), string(again.AppendJSON(nil)))
	return string(doc)
}

// items is the document without the server and the line breaks.
func items(doc string) string {
	_, list, _ := strings.Cut(doc, `"items":`)
	return strings.TrimSuffix(strings.ReplaceAll(list, "\n", ""), "}")
}

// TestC8Document: the members and their order; what is not known is left out, never null.
func TestC8Document(t *testing.T) {
	t.Parallel()
	_, doc := compose(t, `{"info":{"name":"s", "version":"1"},"capabilities":{"tools":{"listChanged":true}},"instructions":"Be \"kind\".","tools":[],"resources":null}`)
	require.Equal(t, `{"server":{"info":{"name":"s", "version":"1"},"capabilities":{"tools":{"listChanged":true}},"instructions":"Be \"kind\"."},"items":[]}`+"\n", doc)
	_, doc = compose(t, `{"server":{"serverInfo":{"name":"s"},"instructions":null}}`)
	require.Equal(t, `{"server":{"info":{"name":"s"},"capabilities":{}},"items":[]}`+"\n", doc)
}

// TestC9Items: an item of each type with all that it can have, in the order of the types, then that
// of the server.
func TestC9Items(t *testing.T) {
	t.Parallel()
	_, doc := compose(t, `{
	"prompts":[{"name":"p","title":"P","description":"d","icons":[{"src":"x"}],"_meta":{"a":1},"arguments":[]}],
	"resourceTemplates":[{"name":"rt","uriTemplate":"file:///{+path}","mimeType":"text/plain","annotations":{"audience":["user"]}}],
	"resources":[{"name":"r","uri":"file:///a","mimeType":"text/html","size":9007199254740993,"annotations":{"priority":0.5},"_meta":{"ui":{"csp":{"connectDomains":["a"]}}}}],
	"tools":[{"name":"b","inputSchema":{"type":"object"}},{"name":"a","title":"A","description":"","inputSchema":{"type":"object"},"outputSchema":{"type":"object"},"annotations":{"title":"B","readOnlyHint":true},"_meta":{"ui":{"resourceUri":"ui://x"}}}]}`)
	require.Equal(t, `{"server":{"capabilities":{"tools":{},"resources":{},"prompts":{}}},"items":[
{"type":"tool","name":"b","meta":{},"detail":{"input":{"json":{"type":"object"}}}},
{"type":"tool","name":"a","title":"A","meta":{"annotations":{"title":"B","readOnlyHint":true},"_meta":{"ui":{"resourceUri":"ui://x"}}},"detail":{"input":{"json":{"type":"object"}},"output":{"json":{"type":"object"}},"ui":{"resourceUri":"ui://x"}}},
{"type":"resource","name":"r","meta":{"annotations":{"priority":0.5},"_meta":{"ui":{"csp":{"connectDomains":["a"]}}}},"detail":{"uri":"file:///a","mimeType":"text/html","size":9007199254740993,"ui":{"csp":{"connectDomains":["a"]}}}},
{"type":"resource-template","name":"rt","meta":{"annotations":{"audience":["user"]}},"detail":{"uriTemplate":"file:///{+path}","mimeType":"text/plain"}},
{"type":"prompt","name":"p","title":"P","description":"d","meta":{"icons":[{"src":"x"}],"_meta":{"a":1}},"detail":{"input":{"json":{"type":"object","properties":{},"additionalProperties":true}}}}
]}
`, doc)
}

// TestItems: what a definition becomes, whatever it is.
func TestItems(t *testing.T) {
	t.Parallel()
	const object = `"inputSchema":{"type":"object"}`
	for name, tt := range map[string]struct{ definitions, want string }{
		"C7: an empty list implies the capability": {`{"tools":[]}`, `{"server":{"capabilities":{"tools":{}}},"items":[]}`},
		"C7: so do templates":                      {`{"resourceTemplates":[]}`, `{"server":{"capabilities":{"resources":{}}},"items":[]}`},
		"C7: given ones win":                       {`{"tools":[],"capabilities":{"x":1}}`, `{"server":{"capabilities":{"x":1}},"items":[]}`},
		"C28: nothing":                             {`{}`, `{"server":{"capabilities":{}},"items":[]}`},

		"C11: the title of the annotations": {
			`{"tools":[{"name":"a","annotations":{"title":"T"},` + object + `}]}`,
			`[{"type":"tool","name":"a","title":"T","meta":{"annotations":{"title":"T"}},"detail":{"input":{"json":{"type":"object"}}}}]`,
		},
		"C11: of tools only": {
			`{"prompts":[{"name":"a","annotations":{"title":"T"}}]}`,
			`[{"type":"prompt","name":"a","meta":{"annotations":{"title":"T"}},"detail":{"input":{}}}]`,
		},
		"C11: a title that is none": {
			`{"tools":[{"name":"a","title":5,"annotations":{"title":5},` + object + `}]}`,
			`[{"type":"tool","name":"a","meta":{"annotations":{"title":5}},"detail":{"input":{"json":{"type":"object"}}},"warnings":["/title: is no string and left out"]}]`,
		},

		"C12: a name that is a number": {
			`{"tools":[{"name":5,` + object + `}]}`,
			`[{"type":"tool","name":"tool","meta":{},"detail":{"input":{"json":{"type":"object"}}},"warnings":["/name: there is no name that is a string: \"tool\" stands for it"]}]`,
		},
		"C12: no name":       {`{"prompts":[{"name":null}]}`, `[{"type":"prompt","name":"prompt","meta":{},"detail":{"input":{}},"warnings":["/name: there is no name that is a string: \"prompt\" stands for it"]}]`},
		"C12: an empty name": {`{"tools":[{"name":"",` + object + `}]}`, `[{"type":"tool","name":"","meta":{},"detail":{"input":{"json":{"type":"object"}}}}]`},
		"two tools with one name": {
			`{"tools":[{"name":"a",` + object + `},{"name":"a",` + object + `}]}`,
			`[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type":"object"}}}},{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type":"object"}}},"warnings":["/name: another tool before has this name: clients reach only one of them"]}]`,
		},
		"no object":          {`{"tools":[5]}`, `[{"type":"tool","name":"tool","meta":{},"detail":{"input":{}},"warnings":["the definition is no object"]}]`},
		"a name that is two": {`{"tools":[{"name":"a","name":"b",` + object + `}]}`, `[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type":"object"}}},"warnings":["/name: this member is there twice: the first counts here, others may take the last"]}]`},

		"C15: an output schema true":      {`{"tools":[{"name":"a",` + object + `,"outputSchema":true}]}`, `[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type":"object"}},"output":{"json":true,"error":"an output schema must be an object"}}}]`},
		"C15: an output schema of a text": {`{"tools":[{"name":"a",` + object + `,"outputSchema":"x"}]}`, `[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type":"object"}},"output":{"json":"x","error":"an output schema must be an object"}}}]`},
		"C15: an output schema null":      {`{"tools":[{"name":"a",` + object + `,"outputSchema":null}]}`, `[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type":"object"}}}}]`},

		"C17: no input schema":           {`{"tools":[{"name":"a"}]}`, `[{"type":"tool","name":"a","meta":{},"detail":{"input":{}},"warnings":["/inputSchema: is missing: any arguments are taken"]}]`},
		"C17: an input schema true":      {`{"tools":[{"name":"a","inputSchema":true}]}`, `[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":true}},"warnings":["/inputSchema: is no object: clients refuse such a tool"]}]`},
		"C17: an input schema of a text": {`{"tools":[{"name":"a","inputSchema":"x"}]}`, `[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":"x","error":"this is not how JSON Schema has it: must be boolean or object"}},"warnings":["/inputSchema: is no object: clients refuse such a tool"]}]`},

		"C19: unknown keywords and formats": {
			`{"tools":[{"name":"a","inputSchema":{"type":"object","nullable":true,"properties":{"n":{"type":"string","format":"int128"}}}}]}`,
			`[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type":"object","nullable":true,"properties":{"n":{"type":"string","format":"int128"}}}}},"warnings":["/inputSchema/nullable: the keyword \"nullable\" is not known and not checked","/inputSchema/properties/n/format: the format \"int128\" is not known and not checked"]}]`,
		},

		"C22: arguments of a prompt": {
			`{"prompts":[{"name":"p","arguments":[{"name":"b","description":"B \u003c","required":true},{"name":"a","title":"A","description":5},{"description":"none"},{"name":"b"},7]}]}`,
			`[{"type":"prompt","name":"p","meta":{},"detail":{"input":{"json":{"type":"object","properties":{"b":{"type":"string","description":"B \u003c"},"a":{"type":"string","title":"A"}},"required":["b"],"additionalProperties":true}}},"warnings":["/arguments/2: has no name that is a string and is left out","/arguments/3: another argument before has this name: this one is left out","/arguments/4: has no name that is a string and is left out"]}]`,
		},
		"C22: no list of arguments": {`{"prompts":[{"name":"p","arguments":{}}]}`, `[{"type":"prompt","name":"p","meta":{},"detail":{"input":{}},"warnings":["/arguments: is no list: any arguments are taken"]}]`},

		"C23: a resource without": {`{"resources":[{"name":"r","size":1e400}]}`, `[{"type":"resource","name":"r","meta":{},"detail":{},"warnings":["/uri: is missing","/size: is no whole number of bytes and left out"]}]`},
		"C24: a template without": {`{"resourceTemplates":[{"name":"r","uriTemplate":[]}]}`, `[{"type":"resource-template","name":"r","meta":{},"detail":{},"warnings":["/uriTemplate: is no string and left out"]}]`},

		"C25: a list":                  {`{"tools":[{"name":"a","_meta":{"ui":["x"]},` + object + `}]}`, `[{"type":"tool","name":"a","meta":{"_meta":{"ui":["x"]}},"detail":{"input":{"json":{"type":"object"}},"ui":["x"]}}]`},
		"C25: a text":                  {`{"tools":[{"name":"a","_meta":{"ui":"x"},` + object + `}]}`, `[{"type":"tool","name":"a","meta":{"_meta":{"ui":"x"}},"detail":{"input":{"json":{"type":"object"}},"ui":"x"}}]`},
		"C25: null":                    {`{"tools":[{"name":"a","_meta":{"ui":null},` + object + `}]}`, `[{"type":"tool","name":"a","meta":{"_meta":{"ui":null}},"detail":{"input":{"json":{"type":"object"}}}}]`},
		"C25: as it was before that":   {`{"tools":[{"name":"a","_meta":{"ui/resourceUri":"ui://x"},` + object + `}]}`, `[{"type":"tool","name":"a","meta":{"_meta":{"ui/resourceUri":"ui://x"}},"detail":{"input":{"json":{"type":"object"}},"ui":{"resourceUri":"ui://x"}}}]`},
		"C25: _meta that is no object": {`{"tools":[{"name":"a","_meta":5,` + object + `}]}`, `[{"type":"tool","name":"a","meta":{"_meta":5},"detail":{"input":{"json":{"type":"object"}}}}]`},
		"C26: UI tools and resources stay": {
			`{"tools":[{"name":"a","_meta":{"ui":{"resourceUri":"ui://x","permissions":{}}},` + object + `}],"resources":[{"name":"x","uri":"ui://x","_meta":{"ui":{}}}]}`,
			`[{"type":"tool","name":"a","meta":{"_meta":{"ui":{"resourceUri":"ui://x","permissions":{}}}},"detail":{"input":{"json":{"type":"object"}},"ui":{"resourceUri":"ui://x","permissions":{}}}},{"type":"resource","name":"x","meta":{"_meta":{"ui":{}}},"detail":{"uri":"ui://x","ui":{}}}]`,
		},

		"C30: bytes stay": {
			`{"tools":[{"name":"a","inputSchema": {"type" : "object" , "z":1e400,"a":"\u003c<","minProperties":1.0,"$comment":"\ud800"} }]}`,
			`[{"type":"tool","name":"a","meta":{},"detail":{"input":{"json":{"type" : "object" , "z":1e400,"a":"\u003c<","minProperties":1.0,"$comment":"\ud800"}}},"warnings":["/inputSchema/z: the keyword \"z\" is not known and not checked","/inputSchema/a: the keyword \"a\" is not known and not checked"]}]`,
		},
		"a repeated name": {
			`{"tools":[{"name":"a","inputSchema":{"type":"object","type":"x"},"annotations":{"a":1,"a":2}}]}`,
			`[{"type":"tool","name":"a","meta":{},"detail":{"input":{"text":"{\"type\":\"object\",\"type\":\"x\"}","error":"/type: this member is there twice"}},"warnings":["/annotations: has a member twice, and is left out"]}]`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, doc := compose(t, tt.definitions)
			if strings.HasPrefix(tt.want, "[") {
				require.Equal(t, tt.want, items(doc))
				return
			}
			require.Equal(t, tt.want+"\n", doc)
		})
	}
}

// TestC16BadSchema: a bad schema leaves its error, with the place, on its item alone, whose
// validator then vouches for nothing.
func TestC16BadSchema(t *testing.T) {
	t.Parallel()
	c, doc := compose(t, `{"tools":[{"name":"good","inputSchema":{"type":"object","required":["n"]}},{"name":"bad","inputSchema":{"type":"object","properties":{"n":{"type":"objct"}}}},{"name":"last","inputSchema":{"type":"object"}}]}`)
	require.Contains(t, doc, `"error":"/properties/n/type: this is not how JSON Schema has it: must be one of`)
	require.Equal(t, 1, strings.Count(doc, `"error"`))
	var bad *catalog.SchemaError
	require.ErrorAs(t, c.Items[1].Validate([]byte(`{}`)), &bad)
	require.Contains(t, bad.Reason, "/properties/n/type")
	require.Error(t, c.Items[0].Validate([]byte(`{}`)))
	require.NoError(t, c.Items[2].Validate([]byte(`{}`)))

	again, err := catalog.Parse([]byte(doc))
	require.NoError(t, err)
	require.ErrorAs(t, again.Items[1].Validate([]byte(`{}`)), &bad, "a document that is read says the same")
}

// TestC18Faults: faults have a path, a keyword and words.
func TestC18Faults(t *testing.T) {
	t.Parallel()
	c, doc := compose(t, `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"n":{"type":"integer"},"a":{"items":{"enum":["x","y"]}}},"required":["m"]},"outputSchema":{"type":"object","required":["r"]}}],"resources":[{"name":"r","uri":"x:"}],"prompts":[{"name":"p","arguments":[{"name":"a","required":true}]},{"name":"q"}]}`)
	read, err := catalog.Parse([]byte(doc))
	require.NoError(t, err)
	for _, c := range []*catalog.Catalog{c, read} {
		var faults *jsonrt.ValidationError
		require.ErrorAs(t, c.Find(catalog.Tool, "t").Validate([]byte(`{"n":"5","a":["z"]}`)), &faults)
		require.Equal(t, []jsonrt.Detail{
			{Path: "/m", Message: "is required", Keyword: "required", SchemaPath: "#/required"},
			{Path: "/n", Message: "must be integer; got a string that holds JSON: send the value itself, without the quotes around it", Keyword: "type", SchemaPath: "#/properties/n/type"},
			{Path: "/a/0", Message: `must be one of "x", "y"`, Keyword: "enum", SchemaPath: "#/properties/a/items/enum"},
		}, faults.Details)
		require.ErrorAs(t, c.Items[0].Detail.Output.Validate([]byte(`{}`)), &faults)
		require.Equal(t, "/r", faults.Details[0].Path)
		require.ErrorIs(t, c.Find(catalog.Resource, "r").Validate([]byte(`{}`)), catalog.ErrNoSchema)
		require.ErrorAs(t, c.Find(catalog.Prompt, "p").Validate([]byte(`{"a":5}`)), &faults, "arguments of prompts are strings")
		require.NoError(t, c.Find(catalog.Prompt, "q").Validate([]byte(`{"a":5}`)), "nothing is known of them")
		require.Nil(t, c.Find(catalog.Tool, "none"))
	}
}

// TestC20Dialects: a schema means what its dialect says, 2020-12 where it names none.
func TestC20Dialects(t *testing.T) {
	t.Parallel()
	// In draft-07, items may be a list; since 2019-09, dependentRequired is a keyword; in 2020-12, prefixItems is.
	const schema = `{"$schema":"%s","type":"object","properties":{"a":{%s}}}`
	for dialect, keyword := range map[string]string{
		"http://json-schema.org/draft-04/schema#": `"minimum":1,"exclusiveMinimum":true`, "http://json-schema.org/draft-06/schema#": `"exclusiveMinimum":1`,
		"http://json-schema.org/draft-07/schema#": `"if":true,"then":{"exclusiveMinimum":1}`, "https://json-schema.org/draft/2019-09/schema": `"$recursiveRef":"#/$defs/x"},"b":{"exclusiveMinimum":1`,
		"https://json-schema.org/draft/2020-12/schema": `"prefixItems":[{"exclusiveMinimum":1}]`,
	} {
		c, _ := compose(t, `{"tools":[{"name":"t","inputSchema":`+fmt.Sprintf(schema, dialect, strings.Replace(keyword, `"$recursiveRef":"#/$defs/x"`, `"type":"number"`, 1))+`}]}`)
		value := `{"a":1,"b":1}`
		if strings.Contains(keyword, "prefixItems") {
			value = `{"a":[1]}`
		}
		require.Empty(t, c.Items[0].Detail.Input.Error, dialect)
		require.Error(t, c.Items[0].Validate([]byte(value)), dialect)
		require.NoError(t, c.Items[0].Validate([]byte(strings.ReplaceAll(value, "1", "2"))), dialect)
	}
	c, _ := compose(t, `{"tools":[{"name":"t","inputSchema":{"type":"object","properties":{"a":{"prefixItems":[{"type":"string"}]}}}}]}`)
	require.Error(t, c.Items[0].Validate([]byte(`{"a":[1]}`)))
}

// TestC21Alone: schemas with one $id don't meet, and nor do two catalogues.
func TestC21Alone(t *testing.T) {
	t.Parallel()
	for range 2 {
		c, doc := compose(t, `{"tools":[{"name":"a","inputSchema":{"$id":"https://example.com/s","type":"object","required":["a"]}},{"name":"b","inputSchema":{"$id":"https://example.com/s","type":"object","required":["b"]}}]}`)
		require.NotContains(t, doc, `"error"`)
		require.NoError(t, c.Items[0].Validate([]byte(`{"a":1}`)))
		require.NoError(t, c.Items[1].Validate([]byte(`{"b":1}`)))
		require.Error(t, c.Items[1].Validate([]byte(`{"a":1}`)))
	}
}

// TestHostileDefinitions: nothing that a server sends takes long or hides the item beside it.
func TestHostileDefinitions(t *testing.T) {
	t.Parallel()
	deep := strings.Repeat(`{"a":`, 20_000) + "1" + strings.Repeat("}", 20_000)
	var properties strings.Builder
	for i := range 50_000 {
		fmt.Fprintf(&properties, `,"p%d":{}`, i)
	}
	wide := `{"type":"object","properties":{"p":{}` + properties.String() + "}}"
	quoted := func(s string) string { return strings.ReplaceAll(s, `"`, `\"`) }
	for name, tt := range map[string]struct{ tool, want string }{
		"20,000 levels deep":       {`"inputSchema":{"type":"object","properties":` + deep + `}`, `"input":{"text":"{\"type\":\"object\",\"properties\":` + quoted(deep) + `}","error":"the schema nests deeper than 9990 levels"}`},
		"deep metadata":            {`"inputSchema":{"type":"object"},"_meta":{"ui":` + deep + `}`, `"warnings":["/_meta: nests deeper than 9990 levels, and is left out"]`},
		"giant":                    {`"inputSchema":` + wide, `"error":"the schema is too large to be checked: it has 50003 objects at a depth of 1 on average"`},
		"a regex bomb":             {`"inputSchema":{"type":"object","properties":{"a":{"pattern":"^(a+)+$"}}}`, `"meta":{},"detail":{"input":{"json":{"type":"object","properties":{"a":{"pattern":"^(a+)+$"}}}}}}`},
		"a number of a gigabyte":   {`"inputSchema":{"type":"object","minProperties":1e999999999}`, `"error":"/minProperties: a number that values are compared with may have 1,000 digits and an exponent of 1,000"`},
		"a reference to the web":   {`"inputSchema":{"$ref":"http://127.0.0.1:1/x"}`, `"error":"a reference or $schema leads to \"http://127.0.0.1:1/x\", and nothing is loaded: put what it means into $defs"`},
		"a reference to a file":    {`"inputSchema":{"$ref":"file:///etc/passwd"}`, `"error":"a reference or $schema leads to \"file:///etc/passwd\", and nothing is loaded: put what it means into $defs"`},
		"a reference to a sibling": {`"inputSchema":{"$ref":"other"}`, `"error":"a reference or $schema leads to \"other\", and nothing is loaded: put what it means into $defs"`},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			start := time.Now()
			c, doc := compose(t, `{"tools":[{"name":"before","inputSchema":{"type":"object"}},{"name":"bad",`+tt.tool+`},{"name":"after","inputSchema":{"type":"object"}}]}`)
			require.Contains(t, doc, tt.want)
			require.NoError(t, c.Items[0].Validate([]byte(`{}`)))
			require.NoError(t, c.Items[2].Validate([]byte(`{}`)))
			_ = c.Items[1].Validate([]byte(`{"a":"` + strings.Repeat("a", 100_000) + `!"}`))
			require.Less(t, time.Since(start), 2*time.Minute, "without bounds it takes hours; this one holds on any machine")
		})
	}
}

// TestDefinitionsFaults: what is no set of definitions is an error that says where and why.
func TestDefinitionsFaults(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		`[]`:                        `must be an object with lists, such as {"tools":[…],"prompts":[…]}`,
		`{"tools":5}`:               `/tools: must be a list of definitions`,
		`{"tool":[]}`:               `/tool: is not known; did you mean "tools"?`,
		`{"resource_templates":[]}`: `/resource_templates: is not known; did you mean "resourceTemplates"?`,
		`{"server":5}`:              `/server: must be an object with info, capabilities and instructions`,
		`{"server":{"info":"x"}}`:   `/server/info: must be an object`,
		`{"capabilities":[]}`:       `/capabilities: must be an object`,
		`{"instructions":{}}`:       `/instructions: must be a string`,
		`{"tools":[],"tools":[]}`:   `/tools: is there twice`,
		`{"tools":[`:                `byte 10: the document ends inside the array that starts at byte 9: expected a value or ']' after '['`,
	} {
		_, err := catalog.ParseDefinitions([]byte(text))
		require.EqualError(t, err, want, text)
	}
	_, err := catalog.Compose(catalog.Definitions{Tools: []json.RawMessage{json.RawMessage(`{}`), json.RawMessage(`{`)}})
	require.ErrorContains(t, err, "tool 2: byte 1:")
}

// TestParseFaults: what is no such document is refused with the places.
func TestParseFaults(t *testing.T) {
	t.Parallel()
	_, err := catalog.Parse([]byte(`{"server":{},"items":[{"type":"tol","name":"a","meta":{},"detail":{}}]}`))
	var faults *jsonrt.ValidationError
	require.ErrorAs(t, err, &faults)
	require.Equal(t, "/items/0/type", faults.Details[0].Path)
	_, err = catalog.Parse([]byte(`{`))
	require.ErrorContains(t, err, "byte 1:")
}
