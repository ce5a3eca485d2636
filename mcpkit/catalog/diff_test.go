package catalog_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/catalog"
)

// changes are the differences between two sets of definitions, one a line; those that are breaking
// begin with "!".
func changes(t *testing.T, older, newer string) string {
	t.Helper()
	was, _ := compose(t, older)
	is, _ := compose(t, newer)
	require.Empty(t, catalog.Diff(was, was))
	var lines []string
	for _, c := range catalog.Diff(was, is) {
		line := c.String()
		if c.Breaking {
			line = "! " + line
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}

// TestDiffSchemas: each way in which a schema can change. On the input side what narrows is
// breaking, on the output side what widens.
func TestDiffSchemas(t *testing.T) {
	t.Parallel()
	// The message, and on which side it is breaking: "in", "out", "both" or "none".
	for _, tt := range []struct{ older, newer, want, breaks string }{
		{`{"properties":{"a":{}}}`, `{"properties":{"a":{},"b":{}},"required":["b"]}`, "/properties/b: is new and required", "in"},
		{`{"properties":{"a":{}}}`, `{"properties":{"a":{},"b":{}}}`, "/properties/b: is new", "none"},
		{`{"properties":{"a":{},"b":{}}}`, `{"properties":{"a":{}}}`, "/properties/b: is gone", "both"},
		{`{"properties":{"a":{}}}`, `{"properties":{"a":{}},"required":["a"]}`, "/properties/a: is required now", "in"},
		{`{"properties":{"a":{}},"required":["a"]}`, `{"properties":{"a":{}}}`, "/properties/a: is no longer required", "out"},
		{`{"required":["a/b"]}`, `{}`, "/properties/a~1b: is no longer required", "out"},
		{`{}`, `{"required":["a"]}`, "/properties/a: is required now", "in"},

		{`{"type":["string","number"]}`, `{"type":"string"}`, ": was string or number and is string", "in"},
		{`{"type":"string"}`, `{"type":["string","null"]}`, ": was string and is string or null", "out"},
		{`{"type":"number"}`, `{"type":"integer"}`, ": was number and is integer", "in"},
		{`{"type":"integer"}`, `{"type":"number"}`, ": was integer and is number", "out"},
		{`{"type":["integer","number"]}`, `{"type":"number"}`, "", ""},
		{`{"type":"string"}`, `{"type":"number"}`, ": was string and is number", "both"},
		{`{}`, `{"type":"string"}`, ": was of any type and is string", "in"},
		{`{"type":"string"}`, `{}`, ": was string and is of any type", "out"},

		{`{"enum":["a","b"]}`, `{"enum":["a"]}`, `: can't be "b" any more`, "in"},
		{`{"enum":["a"]}`, `{"enum":["a","b",1]}`, `: can be "b", 1, too`, "out"},
		{`{"const":"a"}`, `{"enum":["b","a"]}`, `: can be "b", too`, "out"},
		{`{}`, `{"const":"a"}`, `: may only be "a"`, "in"},
		{`{"enum":["a"]}`, `{}`, `: may be more than "a"`, "out"},
		{`{"enum":["\u0061"]}`, `{"enum":["a"]}`, "", ""},

		{`{"minimum":1}`, `{"minimum":2}`, ": minimum was 1 and is 2", "in"},
		{`{"minimum":1}`, `{"minimum":0.5}`, ": minimum was 1 and is 0.5", "out"},
		{`{"maxLength":10}`, `{"maxLength":9}`, ": maxLength was 10 and is 9", "in"},
		{`{"maxLength":9}`, `{"maxLength":10}`, ": maxLength was 9 and is 10", "out"},
		{`{}`, `{"maxItems":9}`, ": has a new limit: maxItems 9", "in"},
		{`{"maxItems":9}`, `{}`, ": is no longer limited by maxItems 9", "out"},
		{`{"minimum":1}`, `{"minimum":1.0}`, "", ""},
		{`{"pattern":"a"}`, `{"pattern":"b"}`, ": pattern has changed: whether that matters can't be told", "both"},
		{`{}`, `{"format":"date"}`, `: has a new limit: format "date"`, "in"},
		{`{"uniqueItems":true}`, `{}`, ": is no longer limited by uniqueItems true", "out"},

		{`{}`, `{"additionalProperties":false}`, ": members that are not named are not allowed any more", "in"},
		{`{"additionalProperties":false}`, `{}`, ": members that are not named are allowed now", "out"},
		{`{"additionalProperties":true}`, `{}`, "", ""},
		{`{"additionalProperties":{"type":"string"}}`, `{"additionalProperties":false}`, "/additionalProperties: is not allowed any more", "in"},
		{`{}`, `{"items":{"type":"string"}}`, "/items: has a new schema", "in"},
		{`{"items":{"type":"string"}}`, `{"items":{"type":["string","null"]}}`, "/items: was string and is string or null", "out"},
		{`{"items":{"type":"string"}}`, `{}`, "/items: has no schema any more", "out"},

		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"string"}]}`, `/anyOf: this form is gone: {"type":"null"}`, "in"},
		{`{"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, `/anyOf: this form is new: {"type":"null"}`, "out"},
		{`{"oneOf":[{"type":"string","maxLength":5},{"type":"null"}]}`, `{"oneOf":[{"type":"null"},{"type":"string","maxLength":4}]}`, "/oneOf: maxLength was 5 and is 4", "in"},
		{`{"allOf":[{"minLength":1}]}`, `{"allOf":[{"minLength":1},{"maxLength":5}]}`, `/allOf: this form is new: {"maxLength":5}`, "in"},
		{`{"anyOf":[{"type":"string"},{"type":"null"}]}`, `{"anyOf":[{"type":"null"},{"type":"string"}]}`, "", ""},

		{`{"description":"a"}`, `{"description":"b"}`, ": its description has changed", "none"},
		{`{"default":1}`, `{}`, ": its default has changed", "none"},
		{`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`, `{"properties":{"a":{"type":"string"}}}`, "", ""},
		{`{"properties":{"a":{"$ref":"#/$defs/x"}},"$defs":{"x":{"type":"string"}}}`, `{"properties":{"a":{"$ref":"#/$defs/y"}},"$defs":{"y":{"type":"integer"}}}`, "/properties/a: was string and is integer", "both"},
		{`{"properties":{"a":{"$ref":"#"}}}`, `{"properties":{"a":{"$ref":"#"}},"maxProperties":5}`, ": has a new limit: maxProperties 5", "in"},
		{`{"properties":{"a":true}}`, `{"properties":{"a":false}}`, "/properties/a: is not allowed any more", "in"},
		{`{"type":"object", "properties":{}}`, `{"properties":{},"type":"object"}`, "", ""},
	} {
		for _, side := range []string{"input", "output"} {
			definition := func(schema string) string {
				if side == "input" {
					return `{"tools":[{"name":"t","inputSchema":` + schema + `}]}`
				}
				return `{"tools":[{"name":"t","inputSchema":{},"outputSchema":` + schema + `}]}`
			}
			want := ""
			if tt.want != "" {
				want = "tool t: /" + side + tt.want
			}
			if tt.breaks == "both" || tt.breaks == strings.TrimSuffix(side, "put") {
				want = "! " + want
			}
			require.Equal(t, want, changes(t, definition(tt.older), definition(tt.newer)), "%s: %s → %s", side, tt.older, tt.newer)
		}
	}
}

// TestDiffItems: items that come and go, and what is said about them and the server.
func TestDiffItems(t *testing.T) {
	t.Parallel()
	older := `{"info":{"version":"1"},"instructions":"a","capabilities":{"tools":{},"logging":{},"prompts":{}},
	"tools":[{"name":"gone","inputSchema":{}},{"name":"t","title":"T","description":"a","inputSchema":{},"outputSchema":{}},{"name":"t","inputSchema":{"type":"object"}},{"name":"broken","inputSchema":{"type":"objct"}},{"name":"breaks","inputSchema":{}}],
	"resources":[{"name":"a","uri":"x:1","mimeType":"text/plain"},{"name":"b","uri":"x:2","size":1}],
	"resourceTemplates":[{"name":"a","uriTemplate":"x:{a}"}],
	"prompts":[{"name":"p","arguments":[{"name":"a"}]}]}`
	newer := `{"info":{"version":"2"},"instructions":"b","capabilities":{"tools":{"listChanged":true},"prompts":{},"resources":{}},
	"tools":[{"name":"new","inputSchema":{}},{"name":"t","title":"U","description":"b","inputSchema":{},"annotations":{"readOnlyHint":true}},{"name":"broken","inputSchema":{}},{"name":"breaks","inputSchema":{"type":"objct"}}],
	"resources":[{"name":"c","uri":"x:1","mimeType":"text/html"},{"name":"b","uri":"x:2","size":2}],
	"resourceTemplates":[{"name":"a","uriTemplate":"x:{b}"}],
	"prompts":[{"name":"p","arguments":[{"name":"a","required":true},{"name":"b"}]}]}`
	require.Equal(t, `server: its info has changed
server: its instructions text has changed
server: the capability "tools" has changed
! server: the capability "logging" is gone
server: the capability "resources" is new
! tool gone: is gone
tool t: its title has changed
tool t: its description has changed
tool t: what its annotations say has changed
! tool t: /output: results have no schema any more
tool broken: /input: its schema can be used now
! tool breaks: /input: its schema can't be used any more: /type: this is not how JSON Schema has it: must be one of "array", "boolean", "integer", "null", "number", "object", "string"
resource x:1: its name has changed
! resource x:1: its media type has changed
resource x:2: its size has changed
! resource-template x:{a}: is gone
prompt p: /input/properties/b: is new
! prompt p: /input/properties/a: is required now
tool new: is new
resource-template x:{b}: is new`, changes(t, older, newer))
}

// TestDiffOfItselfIsCheap: schemas that contain themselves many times over are compared once.
func TestDiffOfItselfIsCheap(t *testing.T) {
	t.Parallel()
	node := func(more string) string {
		var b strings.Builder
		b.WriteString(`{"$defs":{"n":{"properties":{`)
		for i := range 50 {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(`"p` + strings.Repeat("x", i) + `":{"$ref":"#/$defs/n"}`)
		}
		return b.String() + `}` + more + `}},"$ref":"#/$defs/n"}`
	}
	got := changes(t, `{"tools":[{"name":"t","inputSchema":`+node("")+`}]}`, `{"tools":[{"name":"t","inputSchema":`+node(`,"maxProperties":3`)+`}]}`)
	require.Less(t, strings.Count(got, "\n"), 60)
}

// TestDiffIsBounded: references pair every part of one schema with every part of another. What would
// take all time and memory to compare is told as breaking, and the tools behind it as well.
func TestDiffIsBounded(t *testing.T) {
	t.Parallel()
	ring := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"n%d":{"properties":{"x":{"$ref":"#/$defs/n%d"}}}`, i, (i+1)%n)
		}
		return `{"$ref":"#/$defs/n0","$defs":{` + b.String()[1:] + `}}`
	}
	definitions := func(n int, more string) string {
		return `{"tools":[{"name":"t","inputSchema":` + ring(n) + `},{"name":"u","inputSchema":` + more + `}]}`
	}
	got := strings.Split(changes(t, definitions(1500, `{}`), definitions(1499, `{"maxProperties":3}`)), "\n")
	require.Len(t, got, 2)
	const more = "there is more here than is compared: whether that matters can't be told"
	require.Regexp(t, "^! tool t: /input(/properties/x)+: "+more+"$", got[0])
	require.Equal(t, "! tool u: /input: "+more, got[1])
}

// TestDiffOfAnyDocument: nothing has checked the schemas of a document that another program wrote.
func TestDiffOfAnyDocument(t *testing.T) {
	t.Parallel()
	var all []*catalog.Catalog
	for _, schema := range []string{
		`5`, `[]`, `"x"`, `{"required":5}`, `{"required":[5,[],{}]}`, `{"properties":5}`, `{"properties":{"a":5}}`, `{"type":5}`, `{"type":[5]}`, `{"enum":5}`,
		`{"$ref":5}`, `{"$ref":"#/a"}`, `{"$ref":"#","$defs":[]}`, `{"minimum":"x"}`, `{"minimum":1e99999999}`, `{"anyOf":5}`, `{"anyOf":[5,6]}`, `{"items":[5]}`,
		`{"items":5}`, `{"description":5}`, `{"additionalProperties":7}`, `{"$ref":"#/$ref"}`, `{"properties":{"a":{"$ref":"#/properties/a/$ref"}}}`,
	} {
		c, err := catalog.Parse([]byte(`{"server":{"info":{"name":5}},"items":[{"type":"tool","name":"t","meta":{},"detail":{"input":{"json":` + schema + `},"output":{"json":` + schema + `}}}]}`))
		require.NoError(t, err, schema)
		require.NotEmpty(t, c.AppendMarkdown(nil))
		require.NotEmpty(t, c.AppendHTML(nil))
		all = append(all, c)
	}
	for _, older := range all {
		require.Empty(t, catalog.Diff(older, older))
		for _, newer := range all {
			require.NotPanics(t, func() { catalog.Diff(older, newer) })
		}
	}
}
