package catalog_test

import (
	"context"
	"encoding/json"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/catalog"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// answers are what a server answers, by method.
type answers map[string]any

// fake is a session with a server that gives these answers, and the requests that it gets. An
// answer is the text of a result, an error, or a function of the parameters that gives one of them.
func fake(t *testing.T, capabilities string, given answers) (*client.Session, func() []string) {
	t.Helper()
	var mu sync.Mutex
	var asked []string
	s, err := client.Connect(t.Context(), client.Fake(func(c client.Call) (json.RawMessage, error) {
		if c.Method == "initialize" {
			return json.RawMessage(`{"protocolVersion":"2025-06-18","capabilities":` + capabilities + `,"serverInfo":{"name":"fake", "version":"0"},"instructions":"Hi."}`), nil
		}
		mu.Lock()
		defer mu.Unlock()
		if strings.HasSuffix(c.Method, "/list") {
			asked = append(asked, c.Method)
		}
		answer := given[c.Method]
		if f, ok := answer.(func(string) any); ok {
			answer = f(string(c.Params))
		}
		switch answer := answer.(type) {
		case string:
			return json.RawMessage(answer), nil
		case error:
			return nil, answer
		}
		return nil, &client.Error{Code: -32601, Message: "Method not found"}
	}), client.Options{Timeout: 10 * time.Second})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s, func() []string {
		mu.Lock()
		defer mu.Unlock()
		return asked
	}
}

const (
	oneTool     = `{"name":"t","inputSchema":{"type":"object" , "properties":{"n":{"const":123456789012345678901234567890}}}}`
	oneResource = `{"name":"r","uri":"file:///r"}`
	oneTemplate = `{"name":"rt","uriTemplate":"file:///{+p}"}`
	onePrompt   = `{"name":"p","arguments":[{"name":"a","required":true}]}`
)

// TestC1Extract: what the server says of itself and all its lists are in the document.
func TestC1Extract(t *testing.T) {
	t.Parallel()
	session, asked := fake(t, `{"tools":{"listChanged":true},"resources":{},"prompts":{},"logging":{}}`, answers{
		"tools/list": `{"tools":[` + oneTool + `]}`, "resources/list": `{"resources":[` + oneResource + `]}`,
		"resources/templates/list": `{"resourceTemplates":[` + oneTemplate + `]}`, "prompts/list": `{"prompts":[` + onePrompt + `]}`,
	})
	c, err := catalog.Extract(t.Context(), session)
	require.NoError(t, err)
	doc := document(t, c)
	require.Contains(t, doc, `{"server":{"info":{"name":"fake", "version":"0"},"capabilities":{"tools":{"listChanged":true},"resources":{},"prompts":{},"logging":{}},"instructions":"Hi."},`)
	require.Contains(t, doc, `{"json":{"type":"object" , "properties":{"n":{"const":123456789012345678901234567890}}}}`)
	require.Equal(t, []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"}, asked())

	again, err := catalog.Extract(t.Context(), session)
	require.NoError(t, err, "the session is still open")
	require.Equal(t, doc, string(again.AppendJSON(nil)), "the same server gives the same bytes")

	// C6: raw definitions give the same.
	_, composed := compose(t, `{"info":{"name":"fake", "version":"0"},"capabilities":{"tools":{"listChanged":true},"resources":{},"prompts":{},"logging":{}},"instructions":"Hi.",
		"tools":[`+oneTool+`],"resources":[`+oneResource+`],"resourceTemplates":[`+oneTemplate+`],"prompts":[`+onePrompt+`]}`)
	require.Equal(t, doc, composed)
}

// TestC2Pages: all pages are read, and a list that does not end is an error, not a short one.
func TestC2Pages(t *testing.T) {
	t.Parallel()
	session, _ := fake(t, `{"tools":{}}`, answers{"tools/list": func(params string) any {
		if strings.Contains(params, `"cursor":"two"`) {
			return `{"tools":[{"name":"b","inputSchema":{"type":"object"}}],"nextCursor":""}`
		}
		return `{"tools":[{"name":"a","inputSchema":{"type":"object"}}],"nextCursor":"two"}`
	}})
	c, err := catalog.Extract(t.Context(), session)
	require.NoError(t, err)
	require.Len(t, c.Items, 2)

	session, _ = fake(t, `{"tools":{}}`, answers{"tools/list": `{"tools":[],"nextCursor":"same"}`})
	_, err = catalog.Extract(t.Context(), session)
	var pages *client.PageError
	require.ErrorAs(t, err, &pages)
	require.True(t, pages.Repeated)
}

// TestC3Sections: a section that is not offered is not asked for.
func TestC3Sections(t *testing.T) {
	t.Parallel()
	session, asked := fake(t, `{"tools":{}}`, answers{"tools/list": `{}`})
	c, err := catalog.Extract(t.Context(), session)
	require.NoError(t, err)
	require.Equal(t, []string{"tools/list"}, asked())
	require.Contains(t, document(t, c), `"items":[]`)
}

// TestC4Templates: a server that does not know templates has none; any other error is one, and
// names the list (C5).
func TestC4Templates(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		method string
		answer error
		want   string
	}{
		{"resources/templates/list", &client.Error{Code: -32601, Message: "no"}, ""},
		{"resources/templates/list", &client.Error{Code: -32603, Message: "Method resources/templates/list not found"}, ""},
		{"resources/templates/list", &client.Error{Code: -32603, Message: "database down"}, "resources/templates/list: error -32603: database down"},
		{"resources/list", &client.Error{Code: -32601, Message: "Method not found"}, "resources/list: error -32601: Method not found"},
		{"tools/list", &client.Error{Code: -32601, Message: "Method not found"}, "tools/list: error -32601: Method not found"},
		{"prompts/list", &client.Error{Code: -32000, Message: "x"}, "prompts/list: error -32000: x"},
	} {
		given := answers{"tools/list": `{}`, "resources/list": `{"resources":[` + oneResource + `]}`, "resources/templates/list": `{}`, "prompts/list": `{}`}
		given[tt.method] = tt.answer
		session, _ := fake(t, `{"tools":{},"resources":{},"prompts":{}}`, given)
		c, err := catalog.Extract(t.Context(), session)
		if tt.want == "" {
			require.NoError(t, err)
			require.Len(t, c.Items, 1)
			continue
		}
		require.EqualError(t, err, tt.want)
		var list *catalog.ListError
		require.ErrorAs(t, err, &list)
		require.Equal(t, tt.method, list.Method)
	}
}

// TestC29NoSession: without a session there is an error, not a panic.
func TestC29NoSession(t *testing.T) {
	t.Parallel()
	_, err := catalog.Extract(t.Context(), nil)
	require.ErrorIs(t, err, catalog.ErrNoSession)
}

// TestC33InProcess: a server of the same program is catalogued like any other, and works on.
func TestC33InProcess(t *testing.T) {
	t.Parallel()
	server := toolkit.New(toolkit.Info{Name: "mine", Version: "1.2.3"}, toolkit.Options{})
	require.NoError(t, toolkit.Tool(server, "add", "Adds.", func(_ context.Context, in struct{ A, B int }) (int, error) { return in.A + in.B, nil }, toolkit.AnyRoot()))
	session, err := client.Connect(t.Context(), client.InMemory(server.Connect), client.Options{})
	require.NoError(t, err)
	defer session.Close()
	c, err := catalog.Extract(t.Context(), session)
	require.NoError(t, err)
	require.Contains(t, document(t, c), `{"type":"tool","name":"add"`)
	require.Error(t, c.Find(catalog.Tool, "add").Validate([]byte(`{"A":"x"}`)))
	result, err := session.CallTool(t.Context(), "add", json.RawMessage(`{"A":1,"B":2}`))
	require.NoError(t, err, "Extract closes nothing")
	require.Equal(t, "3", result.Text())
}
