package client_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// pages answers a list page by page: the first for no cursor, the next in the order of the cursors
// "1", "2" …
func pages(texts ...string) func(client.Call) (json.RawMessage, error) {
	return func(c client.Call) (json.RawMessage, error) {
		var p struct{ Cursor string }
		n := 0
		if len(c.Params) > 0 {
			if err := json.Unmarshal(c.Params, &p); err != nil {
				return nil, err
			}
			if _, err := fmt.Sscan(p.Cursor, &n); err != nil && p.Cursor != "" {
				return nil, err
			}
		}
		return json.RawMessage(texts[n]), nil
	}
}

// TestLists: all pages are read, or the list is an error, and never a part of it.
func TestLists(t *testing.T) {
	endless := func(c client.Call) (json.RawMessage, error) {
		return json.RawMessage(`{"tools":[{}],"nextCursor":"c` + c.ID + `"}`), nil
	}
	for name, tt := range map[string]struct {
		answer  func(client.Call) (json.RawMessage, error)
		items   string
		failure string
	}{
		"one page":                   {pages(`{"tools":[{"name":"a"}]}`), `{"name":"a"}`, ""},
		"three pages":                {pages(`{"tools":[{"name":"a"}],"nextCursor":"1"}`, `{"tools":[{"name":"b"}, { "n" : 1e400 }],"nextCursor":"2"}`, `{"tools":[{"name":"c"}]}`), `{"name":"a"} {"name":"b"} { "n" : 1e400 } {"name":"c"}`, ""},
		"an empty page between":      {pages(`{"tools":[{"name":"a"}],"nextCursor":"1"}`, `{"nextCursor":"2"}`, `{"tools":[{"name":"c"}]}`), `{"name":"a"} {"name":"c"}`, ""},
		"an empty cursor":            {pages(`{"tools":[{"name":"a"}],"nextCursor":""}`), `{"name":"a"}`, ""},
		"a null cursor":              {pages(`{"tools":[{"name":"a"}],"nextCursor":null}`), `{"name":"a"}`, ""},
		"no list":                    {pages(`{}`), ``, ""},
		"a null list":                {pages(`{"tools":null}`), ``, ""},
		"another list":               {pages(`{"Tools":[{}]}`), ``, ""},
		"not a list":                 {pages(`{"tools":5}`), ``, `tools/list: the server's reply breaks the protocol: the member "tools" must be a list, but is of type number`},
		"an object":                  {pages(`{"tools":{}}`), ``, "must be a list, but is of type object"},
		"not a list on page 2":       {pages(`{"tools":[{}],"nextCursor":"1"}`, `{"tools":"no"}`), ``, "must be a list, but is of type string"},
		"an item that is no object":  {pages(`{"tools":[{},7]}`), ``, `item 1 of "tools" must be an object, but is of type number`},
		"a result that is no object": {pages(`[]`), ``, "the result must be an object, but is of type array"},
		"a cursor that is a number":  {pages(`{"tools":[],"nextCursor":7}`), ``, `nextCursor must be a string, but is "7"`},
		"the same cursor":            {pages(`{"tools":[],"nextCursor":"1"}`, `{"tools":[],"nextCursor":"1"}`), ``, `tools/list: after 2 pages the server repeats the cursor "1", so its list never ends`},
		"an older cursor":            {pages(`{"tools":[],"nextCursor":"1"}`, `{"tools":[],"nextCursor":"2"}`, `{"tools":[],"nextCursor":"\u0031"}`), ``, `tools/list: after 3 pages the server repeats the cursor "1"`},
		"too many pages":             {endless, ``, `tools/list: the list has more than 1000 pages; the next would be at the cursor "c1001"`},
		"an error on page 2":         {pages(`{"tools":[{}],"nextCursor":"x"}`), ``, `tools/list: error -32603: `},
		"not offered":                {refuse(-32601, "Method not found"), ``, "tools/list: error -32601: Method not found"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"tools/list": tt.answer}}
			session := connect(t, s, client.Options{})
			items, err := session.List(t.Context(), "tools/list")
			if tt.failure != "" {
				require.ErrorContains(t, err, tt.failure)
				require.Nil(t, items)
				return
			}
			require.NoError(t, err)
			var texts []string
			for _, item := range items {
				texts = append(texts, string(item))
			}
			require.Equal(t, tt.items, strings.Join(texts, " "))
		})
	}
}

// TestPageError has the fields.
func TestPageError(t *testing.T) {
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"prompts/list": pages(`{"nextCursor":"1"}`, `{"nextCursor":"1"}`)}}
	_, err := connect(t, s, client.Options{}).Prompts(t.Context())
	var endless *client.PageError
	require.ErrorAs(t, err, &endless)
	require.Equal(t, &client.PageError{Method: "prompts/list", Cursor: "1", Pages: 2, Repeated: true}, endless)

	_, err = connect(t, s, client.Options{MaxPages: 1}).Prompts(t.Context())
	require.ErrorAs(t, err, &endless)
	require.Equal(t, &client.PageError{Method: "prompts/list", Cursor: "1", Pages: 1}, endless)
}

// TestCursorIsSentBack as the server has meant it.
func TestCursorIsSentBack(t *testing.T) {
	s := &server{}
	s.answers = map[string]func(client.Call) (json.RawMessage, error){"resources/list": func(client.Call) (json.RawMessage, error) {
		if len(s.sent()) == 3 {
			return json.RawMessage(`{"resources":[],"nextCursor":"\ud800\u0000\"ä<"}`), nil
		}
		return json.RawMessage(`{}`), nil
	}}
	_, err := connect(t, s, client.Options{}).Resources(t.Context())
	require.NoError(t, err)
	require.Contains(t, s.sent()[3], `"params":{"cursor":"\ud800\u0000\"ä<"}}`)
}

// TestListedFields: each list has its fields, what is of a wrong type is empty, and the bytes are
// those that the server sent.
func TestListedFields(t *testing.T) {
	tool := `{ "name":"a","title":"A","description":"does","inputSchema":{ "minimum" : 1e400, "a":1, "a":2 },"outputSchema":true,"annotations":{"readOnlyHint":true}}`
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){
		"tools/list":               result(`{"tools":[` + tool + `,{"name":7,"description":null,"inputSchema":null}]}`),
		"resources/list":           result(`{"resources":[{"uri":"u","name":"n","title":"t","description":"d","mimeType":"m"}]}`),
		"resources/templates/list": result(`{"resourceTemplates":[{"uriTemplate":"u/{+x}","name":"n","title":"t","description":"d","mimeType":"m"}]}`),
		"prompts/list":             result(`{"prompts":[{"name":"p","title":"t","description":"d","arguments":[{"name":"x","title":"X","description":"an x","required":true},{"name":"y"}]}]}`),
	}}
	session := connect(t, s, client.Options{})

	tools, err := session.Tools(t.Context())
	require.NoError(t, err)
	require.Equal(t, []client.Tool{
		{
			Name: "a", Title: "A", Description: "does", InputSchema: json.RawMessage(`{ "minimum" : 1e400, "a":1, "a":2 }`), OutputSchema: json.RawMessage(`true`),
			Annotations: json.RawMessage(`{"readOnlyHint":true}`), Raw: json.RawMessage(tool),
		},
		{Raw: json.RawMessage(`{"name":7,"description":null,"inputSchema":null}`)},
	}, tools)

	resources, err := session.Resources(t.Context())
	require.NoError(t, err)
	require.Equal(t, []client.Resource{{"u", "n", "t", "d", "m", json.RawMessage(`{"uri":"u","name":"n","title":"t","description":"d","mimeType":"m"}`)}}, resources)

	templates, err := session.ResourceTemplates(t.Context())
	require.NoError(t, err)
	require.Equal(t, "u/{+x}", templates[0].URITemplate)
	require.Equal(t, []string{"n", "t", "d", "m"}, []string{templates[0].Name, templates[0].Title, templates[0].Description, templates[0].MIMEType})

	prompts, err := session.Prompts(t.Context())
	require.NoError(t, err)
	require.Equal(t, []client.PromptArgument{{"x", "X", "an x", true}, {Name: "y"}}, prompts[0].Arguments)
	require.Equal(t, []string{"p", "t", "d"}, []string{prompts[0].Name, prompts[0].Title, prompts[0].Description})

	_, err = session.List(t.Context(), "tools/call")
	require.ErrorContains(t, err, "this method is not one of those that list something")
}

// TestDeepSchema: a schema that is nested deeper than most readers go is bytes like any other.
func TestDeepSchema(t *testing.T) {
	deep := strings.Repeat(`{"items":`, 20_000) + `true` + strings.Repeat(`}`, 20_000)
	s := &server{answers: map[string]func(client.Call) (json.RawMessage, error){"tools/list": result(`{"tools":[{"name":"deep","inputSchema":` + deep + `},{"name":"next"}]}`)}}
	tools, err := connect(t, s, client.Options{}).Tools(t.Context())
	require.NoError(t, err)
	require.Len(t, tools, 2)
	require.True(t, string(tools[0].InputSchema) == deep)
}
