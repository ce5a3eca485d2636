package streamable_test

import (
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/streamable"
)

// TestArgumentsInHeaders: what a tool wants in headers stands there (SEP-2243), and one that wants
// what can't be is not called.
func TestArgumentsInHeaders(t *testing.T) {
	t.Parallel()
	tools := map[string]string{
		"good": `{"region":{"type":"string","x-mcp-header":"Region"},"n":{"type":["integer"],"x-mcp-header":"N"},"on":{"type":"boolean","x-mcp-header":"On"},
			"deep":{"type":"object","properties":{"id":{"type":"string","x-mcp-header":"Deep"}}},"other":{"type":"string"}}`,
		"no headers": `{"x":{"type":"string","description":"x-mcp-header"}}`,
		"number":     `{"x":{"type":"number","x-mcp-header":"X"}}`,
		"untyped":    `{"x":{"x-mcp-header":"X"}}`,
		"maybe null": `{"x":{"type":["string","null"],"x-mcp-header":"X"}}`,
		"empty":      `{"x":{"type":"string","x-mcp-header":""}}`,
		"a number":   `{"x":{"type":"string","x-mcp-header":1}}`,
		"line break": `{"x":{"type":"string","x-mcp-header":"X\r\nY"}}`,
		"twice":      `{"x":{"type":"string","x-mcp-header":"X"},"y":{"type":"object","properties":{"z":{"type":"string","x-mcp-header":"x"}}}}`,
	}
	var list []string
	for name, properties := range tools {
		list = append(list, `{"name":"`+name+`","inputSchema":{"type":"object","properties":`+properties+`}}`)
	}
	var mu sync.Mutex
	var last http.Header
	url := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var m struct {
			ID     json.RawMessage
			Method string
		}
		body, _ := io.ReadAll(r.Body)
		_ = json.Unmarshal(body, &m)
		result := map[string]string{
			"server/discover": `{"supportedVersions":["2026-07-28"],"capabilities":{"tools":{}}}`,
			"tools/list":      `{"tools":[` + strings.Join(list, ",") + `]}`,
			"tools/call":      `{"content":[]}`,
		}[m.Method]
		if m.Method == "tools/call" {
			mu.Lock()
			last = r.Header
			mu.Unlock()
		}
		answering(200, "application/json", `{"jsonrpc":"2.0","id":`+string(m.ID)+`,"result":`+result+`}`)(w, r)
	}))
	session := connect(t, url, client.Options{})
	call := func(tool, arguments string) map[string][]string {
		mu.Lock()
		last = nil
		mu.Unlock()
		_, err := session.CallTool(t.Context(), tool, json.RawMessage(arguments))
		require.NoError(t, err, tool)
		found := map[string][]string{}
		for name, values := range last {
			if strings.HasPrefix(name, "Mcp-Param-") {
				found[name] = values
			}
		}
		return found
	}
	const arguments = `{"region":"us","n":42,"on":false,"deep":{"id":"é"},"other":"x"}`
	require.Empty(t, call("good", arguments), "nobody has listed the tools")
	_, err := session.Tools(t.Context())
	require.NoError(t, err)
	require.Equal(t, map[string][]string{"Mcp-Param-Region": {"us"}, "Mcp-Param-N": {"42"}, "Mcp-Param-On": {"false"}, "Mcp-Param-Deep": {"=?base64?w6k=?="}}, call("good", arguments))
	require.Equal(t, map[string][]string{"Mcp-Param-Region": {""}, "Mcp-Param-N": {"420"}}, call("good", `{"region":"","n":4.2e2,"on":null,"deep":7}`))
	require.Empty(t, call("good", ``))
	require.Empty(t, call("no headers", `{"x":"y"}`))
	for name := range tools {
		if name == "good" || name == "no headers" {
			continue
		}
		_, err := session.CallTool(t.Context(), name, json.RawMessage(`{"x":"y"}`))
		var fault *streamable.HeaderError
		require.ErrorAs(t, err, &fault, name)
		require.Equal(t, name, fault.Tool)
	}
	_, err = session.CallTool(t.Context(), "number", nil)
	require.EqualError(t, err, `tools/call "number": the tool "number" can't be called over HTTP: the argument x, which it wants in a header, is neither a string nor an integer nor a boolean; its server must mend that`)
}
