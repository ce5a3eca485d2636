package server_test

import (
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestHandOver: a server that another one replaces says that lists change, takes cursors of the one
// before, and tells its client at the end that they did.
func TestHandOver(t *testing.T) {
	t.Parallel()
	before := server.New(jsonrt.NewRegistry(&jsonrt.Schema{ID: "gone"}, &jsonrt.Schema{ID: "left"}), transport.Options{PageSize: 1}, server.Tools{})
	page := startStdio(t, t.Context(), before).ask(t, params("resources/list", `{}`))
	_, cursor, found := strings.Cut(page, `"nextCursor":"`)
	require.True(t, found, page)
	cursor, _, _ = strings.Cut(cursor, `"`)

	s := server.New(generated.Registry, transport.Options{HandOver: true}, server.Tools{})
	lines, err := run(t, s, strings.NewReader(initialize+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"+
		`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"cursor":"`+cursor+`"}}`+"\n"))
	require.NoError(t, err)
	all := strings.Join(lines, "\n")
	for _, want := range []string{
		`"prompts":{"listChanged":true}`, `"tools":{"listChanged":true}`, `"resources":{"subscribe":true,"listChanged":true}`, `"id":1,"result"`,
		`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
		`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`,
		`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`,
	} {
		require.Contains(t, all, want)
	}
}

// TestFaultsOfSchemas: as long as there are faults in schemas every call of a tool is answered with them.
func TestFaultsOfSchemas(t *testing.T) {
	t.Parallel()
	var faults atomic.Value
	faults.Store("schemas/a.json:1:2: no")
	s := server.New(generated.Registry, transport.Options{}, server.Tools{Typed: true, Faults: func() string { return faults.Load().(string) }})
	c := startStdio(t, t.Context(), s)
	c.ask(t, initialize)
	for i, tool := range []string{"echo", "list_schemas", "get_schema"} {
		c.send(t, `{"jsonrpc":"2.0","id":`+string(rune('1'+i))+`,"method":"tools/call","params":{"name":"`+tool+`"}}`)
		answer := c.next(t)
		require.Contains(t, answer, `"structuredContent":{"ok":false,"error":{"code":"INVALID_SCHEMA_DEFINITION","message":"schemas/a.json:1:2: no"}}`)
		require.Contains(t, answer, `"isError":true`)
	}
	c.send(t, `{"jsonrpc":"2.0","id":8,"method":"tools/list"}`)
	require.Contains(t, c.next(t), `"tools":[`)
	faults.Store("")
	c.send(t, `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"list_schemas"}}`)
	require.Contains(t, c.next(t), `"schemas":[`)
}
