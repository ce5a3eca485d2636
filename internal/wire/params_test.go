package wire_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// TestParams: what is wrong with params is told in the words of the protocol, with its place.
func TestParams(t *testing.T) {
	t.Parallel()
	const modern = `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`
	for _, c := range []struct{ method, params, says string }{
		{"ping", `{}`, ``},
		{"ping", `{"_meta":null}`, ``},
		{"ping", `{"_meta":[]}`, `params._meta must be an object, not an array`},
		{"ping", `{"_meta":{"progressToken":{}}}`, `params._meta.progressToken must be a string or a number, not an object`},
		{"ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":1}}`, `params._meta["io.modelcontextprotocol/protocolVersion"] must be a string, not a number`},
		{"tools/list", `{"_meta":{` + modern + `}}`, `params._meta["io.modelcontextprotocol/clientCapabilities"] is missing: send {} if the client has none`},
		{"tools/list", `{"_meta":{` + modern + `,"io.modelcontextprotocol/clientCapabilities":{}}}`, ``},
		{"initialize", `{"protocolVersion":1}`, `params.protocolVersion must be a string, not a number (initialize)`},
		{"initialize", `{"clientInfo":{"name":1}}`, `params.clientInfo.name must be a string, not a number (initialize)`},
		{"tools/list", `{"cursor":null}`, ``},
		{"prompts/list", `{"cursor":{}}`, `params.cursor must be a string, not an object (prompts/list)`},
		{"resources/read", `{}`, `params.uri is missing: it must be a string (resources/read)`},
		{"prompts/get", `{"name":"emit","arguments":{"a":"b","schema_id":5}}`, `each value in params.arguments must be a string, but "schema_id" there is a number (prompts/get)`},
		{"logging/setLevel", `{"level":"loud"}`, `params.level is "loud": it must be one of "debug", "info", "notice", "warning", "error", "critical", "alert", "emergency" (logging/setLevel)`},
		{"completion/complete", `{"ref":{"type":"x"},"argument":{"name":"a","value":""}}`, `params.ref.type is "x": it must be one of "ref/prompt", "ref/resource" (completion/complete)`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"emit"}}`, `params.argument is missing: it must be an object (completion/complete)`},
		{"subscriptions/listen", `{"notifications":{"toolsListChanged":false}}`, ``},
		{"subscriptions/listen", `{"notifications":{"toolsListChanged":"no"}}`, `params.notifications.toolsListChanged must be a boolean, not a string (subscriptions/listen)`},
		{"subscriptions/listen", `{"notifications":{"resourceSubscriptions":["a",1]}}`, `each value in params.notifications.resourceSubscriptions must be a string, but there is a number (subscriptions/listen)`},
	} {
		m := parse(t, `{"jsonrpc":"2.0","id":1,"method":"`+c.method+`","params":`+c.params+`}`)
		if c.says == "" {
			require.Nil(t, m.Error, c.params)
			continue
		}
		require.NotNil(t, m.Error, c.params)
		require.Equal(t, wire.CodeInvalidParams, m.Error.Code)
		require.Equal(t, c.says, m.Error.Message)
	}
	var p wire.Parser
	m, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":[]}}`))
	require.Nil(t, m, "nobody waits for an answer to a notification")
	require.Nil(t, refusal)
}

// TestWords: of mcp-go's errors the code stays, the message is ours.
func TestWords(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ message, code, says string }{
		{`{"jsonrpc":"2.0","id":1,"method":"tools/lsit"}`, "-32601", `this server has no method \"tools/lsit\": check the spelling`},
		{`{"jsonrpc":"2.0","id":1,"method":"server/discover"}`, "-32601", `the method \"server/discover\" needs protocol version 2026-07-28`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"absent"}}`, "-32602", `there is no tool \"absent\"; tools/list has all`},
		{`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"absent"}}`, "-32602", `there is no prompt with this name`},
		{`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"Cursor":5}}`, "-32600", `the params of \"tools/list\" can't be read`},
		{`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "-32603", `internal error`},
	} {
		var out bytes.Buffer
		doc := `{"jsonrpc":"2.0","id":1,"error":{"code":` + c.code + `,"message":"json: cannot unmarshal","data":[1]}}`
		require.NoError(t, parse(t, c.message).WriteAnswer(&out, []byte(doc), wire.Plain))
		require.Contains(t, out.String(), `"error":{"code":`+c.code+`,"message":"`+c.says, c.message)
		require.Contains(t, out.String(), `,"data":[1]}}`)
		require.NotContains(t, out.String(), "unmarshal")
	}
}
