package wire_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// refusals are messages that must not be dealt with.
var refusals = []struct {
	name, message string
	code          int
	id            string
	says          string
}{
	{"empty", ``, -32700, `null`, "not JSON"},
	{"word", `not json`, -32700, `null`, "byte 0"},
	{"cut off", `{"jsonrpc":"2.0","id":1`, -32700, `null`, "byte 23"},
	{"NUL", "\x00", -32700, `null`, ""},
	{"byte order mark", "\ufeff" + `{"jsonrpc":"2.0","id":1,"method":"ping"}`, -32700, `null`, ""},
	{"text after it", `{"jsonrpc":"2.0","id":1,"method":"ping"} x`, -32700, `null`, ""},
	{"two messages", `{"jsonrpc":"2.0","id":1,"method":"ping"}{"jsonrpc":"2.0","id":1,"method":"ping"}`, -32700, `null`, ""},
	{"invalid UTF-8", call("echo", "{\"payload\":\"a\xffb\"}"), -32700, `null`, "UTF-8"},
	{"encoded surrogate", call("echo", "{\"payload\":\"a\xed\xa0\x80b\"}"), -32700, `null`, "UTF-8"},
	{"01 in the payload", call("echo", `{"payload":01}`), -32700, `null`, ""},
	{"control character in the payload", call("echo", "{\"payload\":\"a\x01\"}"), -32700, `null`, ""},
	{"comma in the payload", call("echo", `{"payload":[1,]}`), -32700, `null`, ""},

	{"batch", `[{"jsonrpc":"2.0","id":1,"method":"ping"},{"jsonrpc":"2.0","id":2,"method":"ping"}]`, -32600, `null`, "batches"},
	{"empty batch", `[]`, -32600, `null`, "batches"},
	{"string", `"ping"`, -32600, `null`, "a string"},
	{"number", `7`, -32600, `null`, "a number"},
	{"null", `null`, -32600, `null`, "null"},
	{"empty object", `{}`, -32600, `null`, "jsonrpc"},
	{"no jsonrpc", `{"id":3,"method":"ping"}`, -32600, `3`, "jsonrpc"},
	{"jsonrpc 1.0", `{"jsonrpc":"1.0","id":3,"method":"ping"}`, -32600, `3`, "2.0"},
	{"jsonrpc as a number", `{"jsonrpc":2.0,"id":3,"method":"ping"}`, -32600, `3`, "2.0"},
	{"no method", `{"jsonrpc":"2.0","id":3}`, -32600, `3`, "method"},
	{"method null", `{"jsonrpc":"2.0","id":3,"method":null}`, -32600, `3`, "method"},
	{"method 5", `{"jsonrpc":"2.0","id":"x","method":5}`, -32600, `"x"`, "method"},
	{"params array", `{"jsonrpc":"2.0","id":3,"method":"ping","params":[]}`, -32600, `3`, "params"},
	{"params null", `{"jsonrpc":"2.0","id":3,"method":"ping","params":null}`, -32600, `3`, "params"},
	{"method and result", `{"jsonrpc":"2.0","id":3,"method":"ping","result":{}}`, -32600, `3`, "result"},
	{"method and error", `{"jsonrpc":"2.0","id":3,"method":"ping","error":{}}`, -32600, `3`, "error"},

	{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, `null`, "not null"},
	{"id object", `{"jsonrpc":"2.0","id":{"a":1},"method":"ping"}`, -32600, `null`, "an object"},
	{"id array", `{"jsonrpc":"2.0","id":[1],"method":"ping"}`, -32600, `null`, "an array"},
	{"id true", `{"jsonrpc":"2.0","id":true,"method":"ping"}`, -32600, `null`, "a boolean"},
	{"id fraction", `{"jsonrpc":"2.0","id":1.5,"method":"ping"}`, -32600, `null`, "integer"},
	{"id 1.0", `{"jsonrpc":"2.0","id":1.0,"method":"ping"}`, -32600, `null`, "integer"},
	{"id 1e3", `{"jsonrpc":"2.0","id":1e3,"method":"ping"}`, -32600, `null`, "integer"},

	{"METHOD", `{"jsonrpc":"2.0","id":1,"method":"tools/list","METHOD":"ping"}`, -32600, `1`, `METHOD`},
	{"METHOD first", `{"jsonrpc":"2.0","METHOD":"ping","id":1,"method":"tools/list"}`, -32600, `1`, `METHOD`},
	{"escaped method", `{"jsonrpc":"2.0","id":1,"\u006dethod":"ping"}`, -32600, `1`, `\u006dethod`},
	{"long s in params", `{"jsonrpc":"2.0","id":1,"method":"ping","paramſ":{}}`, -32600, `1`, `paramſ`},
	{"escaped long s", `{"jsonrpc":"2.0","id":1,"method":"ping","param\u017f":{}}`, -32600, `1`, `param\u017f`},
	{"Id", `{"jsonrpc":"2.0","Id":2,"id":1,"method":"ping"}`, -32600, `1`, `"Id"`},
	{"ID alone", `{"jsonrpc":"2.0","ID":2,"method":"ping"}`, -32600, `null`, `"ID"`},
	{"JSONRPC", `{"JSONRPC":"2.0","id":1,"method":"ping"}`, -32600, `1`, `JSONRPC`},
	{"Result", `{"jsonrpc":"2.0","id":1,"method":"ping","Result":1}`, -32600, `1`, `Result`},
	{"ERROR", `{"jsonrpc":"2.0","id":1,"method":"ping","ERROR":1}`, -32600, `1`, `ERROR`},
	{"method twice", `{"jsonrpc":"2.0","id":1,"method":"ping","method":"tools/list"}`, -32600, `1`, `"method" is there twice`},
	{"id twice", `{"jsonrpc":"2.0","id":1,"id":2,"method":"ping"}`, -32600, `null`, `"id" is there twice`},
	{"params twice", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{},"params":{}}`, -32600, `1`, `"params" is there twice`},
	{"unknown member twice", `{"jsonrpc":"2.0","id":1,"method":"ping","x":1,"x":2}`, -32600, `1`, `/x is there twice`},
	{"Name", request(`{"name":"absent","Name":"echo"}`), -32600, `1`, `Name`},
	{"escaped name", request(`{"n\u0061me":"echo"}`), -32600, `1`, `n\u0061me`},
	{"Arguments", request(`{"name":"echo","Arguments":{}}`), -32600, `1`, `Arguments`},
	{"argumentſ", request(`{"name":"echo","argumentſ":{}}`), -32600, `1`, `argumentſ`},
	{"_META", request(`{"name":"echo","_META":{}}`), -32600, `1`, `_META`},
	{"name twice", request(`{"name":"echo","name":"echo"}`), -32600, `1`, `"name" is there twice`},
	{"arguments twice", request(`{"name":"echo","arguments":{"payload":1},"arguments":{"payload":2}}`), -32600, `1`, `"arguments" is there twice`},
	{"twice in _meta", request(`{"name":"echo","_meta":{"a":1,"a":2}}`), -32600, `1`, `/params/_meta/a is there twice`},
	{"twice in capabilities", `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{"roots":1,"roots":2}}}`, -32600, `1`, `/params/capabilities/roots`},
	{"twice in an unknown member", `{"jsonrpc":"2.0","id":1,"method":"ping","x":{"a":1,"a":2}}`, -32600, `1`, `/x/a is there twice`},
	{"twice two levels down", `{"jsonrpc":"2.0","id":1,"method":"ping","x":{"y":{"a":1,"a":2}}}`, -32600, `1`, `/x/y/a is there twice`},
	{"twice in an element", `{"jsonrpc":"2.0","id":1,"method":"ping","x":[{"a":1,"a":2}]}`, -32600, `1`, `/x/0/a is there twice`},
	{"twice in two places", `{"jsonrpc":"2.0","id":1,"method":"ping","x":{"a":1,"a":2},"y":1,"y":2}`, -32600, `1`, `/x/a is there twice`},
	{"response with a folded name", `{"jsonrpc":"2.0","id":1,"result":{},"METHOD":"ping"}`, -32600, `null`, `METHOD`},
	{"name 5", request(`{"name":5,"arguments":{}}`), -32602, `1`, "string"},
}

// request is a tools/call with these params.
func request(params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":` + params + `}`
}

// call is a tools/call with these arguments.
func call(tool, arguments string) string {
	return request(`{"name":"` + tool + `","arguments":` + arguments + `}`)
}

func TestRefusals(t *testing.T) {
	t.Parallel()
	var p wire.Parser
	for _, c := range refusals {
		m, r := p.Parse([]byte(c.message))
		require.Nil(t, m, c.name)
		require.NotNil(t, r, c.name)
		require.Equal(t, c.code, r.Code, "%s: %s", c.name, r.Message)
		require.Equal(t, c.id, string(r.ID), c.name)
		require.Contains(t, r.Message, c.says, c.name)

		var answer struct {
			JSONRPC string
			ID      json.RawMessage
			Error   struct {
				Code    int
				Message string
			}
		}
		require.NoError(t, json.Unmarshal(r.AppendTo(nil), &answer), c.name)
		require.Equal(t, "2.0", answer.JSONRPC)
		require.Equal(t, c.id, string(answer.ID))
		require.Equal(t, c.code, answer.Error.Code)
		require.Equal(t, r.Message, answer.Error.Message, c.name)
	}
}

func TestRefusalQuotesLittle(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("é", 1000)
	var p wire.Parser
	_, r := p.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping","` + long + `":1,"` + long + `":2}`))
	require.Contains(t, r.Message, "é… is there twice")
	require.Less(t, len(r.Message), 200)
}

func TestRequest(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, message, id, forward string }{
		{"small", `{"jsonrpc":"2.0","id":42,"method":"ping"}`, `42`, ``},
		{"spaces", ` { "method" : "ping" , "id" : "a" , "jsonrpc" : "2.0" } `, `"a"`, ``},
		{"zero", `{"jsonrpc":"2.0","id":0,"method":"ping"}`, `0`, ``},
		{"negative", `{"jsonrpc":"2.0","id":-7,"method":"ping"}`, `-7`, ``},
		{"2^53", `{"jsonrpc":"2.0","id":9007199254740992,"method":"ping"}`, `9007199254740992`, ``},
		{"empty string", `{"jsonrpc":"2.0","id":"","method":"ping"}`, `""`, ``},
		{"digits in a string", `{"jsonrpc":"2.0","id":"9007199254740993","method":"ping"}`, `"9007199254740993"`, ``},
		{"unknown members", `{"jsonrpc":"2.0","id":1,"method":"ping","x":1,"y":[2]}`, `1`, ``},

		{
			"2^53+1", `{"jsonrpc":"2.0","id":9007199254740993,"method":"ping"}`, `9007199254740993`,
			`{"jsonrpc":"2.0","id":"echo-mcp.id:OTAwNzE5OTI1NDc0MDk5Mw","method":"ping"}`,
		},
		{"-0", `{"jsonrpc":"2.0","id":-0,"method":"ping"}`, `-0`, `{"jsonrpc":"2.0","id":"echo-mcp.id:LTA","method":"ping"}`},
		{"escapes", `{"jsonrpc":"2.0","id":"\u0041","method":"ping"}`, `"\u0041"`, `{"jsonrpc":"2.0","id":"echo-mcp.id:Ilx1MDA0MSI","method":"ping"}`},
		{"html", `{"jsonrpc":"2.0","id":"a<b","method":"ping"}`, `"a<b"`, `{"jsonrpc":"2.0","id":"echo-mcp.id:ImE8YiI","method":"ping"}`},
		{
			"like a stand-in", `{"jsonrpc":"2.0","id":"echo-mcp.id:LTA","method":"ping"}`, `"echo-mcp.id:LTA"`,
			`{"jsonrpc":"2.0","id":"echo-mcp.id:ImVjaG8tbWNwLmlkOkxUQSI","method":"ping"}`,
		},
	} {
		var p wire.Parser
		m, r := p.Parse([]byte(c.message))
		require.Nil(t, r, c.name)
		require.Equal(t, wire.Request, m.Kind, c.name)
		require.Equal(t, "ping", m.Method, c.name)
		require.Nil(t, m.Call, c.name)
		require.Equal(t, c.id, string(m.ID), c.name)
		if c.forward == "" {
			c.forward = c.message
		}
		require.Equal(t, c.forward, string(m.Forward), c.name)
	}
}

func TestCall(t *testing.T) {
	t.Parallel()
	type argument struct {
		text string
		kind jsontape.Kind
	}
	for _, c := range []struct {
		name, message, forward string
		tool                   string
		id, payload            argument
		fault                  string
	}{
		{
			name: "echo", message: call("echo", `{"schema_id":"x","payload":{ "a" : 1.0 }}`), forward: call("echo", `{}`), tool: "echo",
			id: argument{`"x"`, jsontape.String}, payload: argument{`{ "a" : 1.0 }`, jsontape.Object},
		},
		{
			name: "payload before the id, other arguments between", message: call("echo", `{"payload":1e400,"other":[[[]]],"schema_id":5}`), forward: call("echo", `{}`), tool: "echo",
			id: argument{`5`, jsontape.Number}, payload: argument{`1e400`, jsontape.Number},
		},
		{
			name: "names inside the payload are free", message: call("echo", `{"payload":{"method":1,"METHOD":2,"payload":3,"a":4,"a":5}}`), forward: call("echo", `{}`), tool: "echo",
			payload: argument{`{"method":1,"METHOD":2,"payload":3,"a":4,"a":5}`, jsontape.Object},
		},
		{name: "escaped tool", message: call(`\u0065cho`, `{}`), forward: call(`\u0065cho`, `{}`), tool: "echo"},
		{name: "no arguments", message: request(`{"name":"list_schemas"}`), forward: request(`{"name":"list_schemas"}`), tool: "list_schemas"},
		{name: "arguments null", message: call("list_schemas", `null`), forward: call("list_schemas", `{}`), tool: "list_schemas"},
		{name: "no params", message: `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, forward: `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`},
		{name: "no name", message: request(`{}`), forward: request(`{}`)},
		{name: "arguments a string", message: call("echo", `"{}"`), forward: call("echo", `{}`), tool: "echo", fault: "arguments must be a JSON object, not a string"},
		{name: "arguments an array", message: call("echo", `[1]`), forward: call("echo", `{}`), tool: "echo", fault: "arguments must be a JSON object, not an array"},
		{
			name: "payload twice", message: call("echo", `{"payload":1,"payload":2}`), forward: call("echo", `{}`), tool: "echo",
			payload: argument{`1`, jsontape.Number}, fault: `"payload" is there twice`,
		},
		{name: "Payload", message: call("echo", `{"Payload":1}`), forward: call("echo", `{}`), tool: "echo", fault: `"Payload" can be taken for "payload"`},
		{name: "escaped payload", message: call("echo", `{"p\u0061yload":1}`), forward: call("echo", `{}`), tool: "echo", fault: `can be taken for "payload"`},
		{name: "ſchema_id", message: call("echo", `{"ſchema_id":1}`), forward: call("echo", `{}`), tool: "echo", fault: `can be taken for "schema_id"`},
		{name: "other argument twice", message: call("echo", `{"x":1,"x":2}`), forward: call("echo", `{}`), tool: "echo", fault: `"x" is there twice`},
		{
			name:    "what stands around is kept",
			message: `{"params":{"_meta":{"progressToken":7},"arguments":{"payload":[1]},"name":"echo"},"id":9007199254740993,"method":"tools/call","jsonrpc":"2.0"}`,
			forward: `{"params":{"_meta":{"progressToken":7},"arguments":{},"name":"echo"},"id":"echo-mcp.id:OTAwNzE5OTI1NDc0MDk5Mw","method":"tools/call","jsonrpc":"2.0"}`,
			tool:    "echo", payload: argument{`[1]`, jsontape.Array},
		},
	} {
		var p wire.Parser
		m, r := p.Parse([]byte(c.message))
		require.Nil(t, r, c.name)
		require.Equal(t, wire.Request, m.Kind, c.name)
		require.NotNil(t, m.Call, c.name)
		require.Equal(t, c.tool, m.Call.Tool, c.name)
		require.Equal(t, c.forward, string(m.Forward), c.name)
		require.Equal(t, c.id, argument{string(m.Call.SchemaID.Text), m.Call.SchemaID.Kind}, c.name)
		require.Equal(t, c.payload, argument{string(m.Call.Payload.Text), m.Call.Payload.Kind}, c.name)
		if c.fault == "" {
			require.Empty(t, m.Call.Fault, c.name)
		} else {
			require.Contains(t, m.Call.Fault, c.fault, c.name)
		}
	}
}

func TestNotificationAndResponse(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, message, forward, cancels string
		kind                            wire.Kind
	}{
		{"initialized", `{"jsonrpc":"2.0","method":"notifications/initialized"}`, ``, ``, wire.Notification},
		{"cancelled", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":22}}`, ``, `22`, wire.Notification},
		{
			"cancelled, an id that needs a stand-in", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`,
			`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"echo-mcp.id:OTAwNzE5OTI1NDc0MDk5Mw"}}`, `9007199254740993`, wire.Notification,
		},
		{"call without id", `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{"payload":1}}}`, `{"jsonrpc":"2.0","method":"tools/call","params":{"name":"echo","arguments":{}}}`, ``, wire.Notification},
		{"result", `{"jsonrpc":"2.0","id":1,"result":{"a":9007199254740993}}`, ``, ``, wire.Response},
		{"error without id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32700,"message":"?"}}`, ``, ``, wire.Response},
		{"result and error", `{"jsonrpc":"2.0","id":1,"result":{},"error":{}}`, ``, ``, wire.Response},
	} {
		var p wire.Parser
		m, r := p.Parse([]byte(c.message))
		require.Nil(t, r, c.name)
		require.Equal(t, c.kind, m.Kind, c.name)
		require.Nil(t, m.ID, c.name)
		if c.forward == "" {
			c.forward = c.message
		}
		require.Equal(t, c.forward, string(m.Forward), c.name)
		require.Equal(t, c.cancels, string(m.Cancels), c.name)
	}
}

func TestIDKey(t *testing.T) {
	t.Parallel()
	require.Equal(t, wire.IDKey([]byte(`"A"`)), wire.IDKey([]byte(`"\u0041"`)))
	require.NotEqual(t, wire.IDKey([]byte(`1`)), wire.IDKey([]byte(`"1"`)))
	require.NotEqual(t, wire.IDKey([]byte(`9007199254740993`)), wire.IDKey([]byte(`9007199254740992`)))
}

// TestDepth: the limit counts the payload's own nesting, wherever the payload stands.
func TestDepth(t *testing.T) {
	t.Parallel()
	nested := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	for _, c := range []struct{ limit, depth int }{{0, 9_990}, {0, 10_000}, {5, 5}, {20_000, 20_000}} {
		p := wire.Parser{MaxDepth: c.limit}
		m, r := p.Parse([]byte(call("echo", `{"schema_id":"x","payload":`+nested(c.depth)+`}`)))
		require.Nil(t, r)
		require.Empty(t, m.Call.Fault)
		require.Len(t, m.Call.Payload.Text, 2*c.depth)
	}
	for _, c := range []struct{ limit, depth int }{{0, 10_001}, {0, 200_000}, {5, 6}} {
		p := wire.Parser{MaxDepth: c.limit}
		m, r := p.Parse([]byte(call("echo", `{"schema_id":"x","payload":`+nested(c.depth)+`}`)))
		require.Nil(t, r)
		require.Equal(t, "echo", m.Call.Tool)
		require.Contains(t, m.Call.Fault, "the limit of this server")
		require.Equal(t, call("echo", `{}`), string(m.Forward))

		m, r = p.Parse([]byte(`{"jsonrpc":"2.0","method":"ping","params":{"x":{"x":` + nested(c.depth) + `}},"id":"after"}`))
		require.Nil(t, m)
		require.Equal(t, wire.CodeInvalidRequest, r.Code)
		require.Equal(t, `"after"`, string(r.ID))
		require.Contains(t, r.Message, "the limit of this server")
	}
}

// FuzzParse holds Parse against encoding/json, which is what mcp-go reads with: what Parse
// accepts has one meaning for both.
func FuzzParse(f *testing.F) {
	for _, c := range refusals {
		f.Add([]byte(c.message))
	}
	f.Add([]byte(call("echo", `{"schema_id":"x","payload":{ "a" : 1.0 }}`)))
	f.Add([]byte(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9007199254740993}}`))
	f.Add([]byte(`{"jsonrpc":"2.0","id":"echo-mcp.id:LTA","method":"ping"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		var p wire.Parser
		m, r := p.Parse(data)
		if r != nil {
			require.True(t, json.Valid(r.AppendTo(nil)) || bytes.Contains(r.ID, []byte(`\`)), "%s", r.AppendTo(nil))
			return
		}
		if m == nil || m.Kind == wire.Response || m.Call != nil && m.Call.Fault != "" {
			return
		}
		type message struct {
			JSONRPC string          `json:"jsonrpc"`
			ID      json.RawMessage `json:"id"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
		}
		var got, forwarded message
		require.NoError(t, json.Unmarshal(data, &got))
		require.NoError(t, json.Unmarshal(m.Forward, &forwarded))
		require.Equal(t, "2.0", forwarded.JSONRPC)
		require.Equal(t, strings.ToValidUTF8(m.Method, "\uFFFD"), strings.ToValidUTF8(got.Method, "\uFFFD"))
		require.Equal(t, got.Method, forwarded.Method)
		require.Equal(t, string(m.ID), string(got.ID))
		require.Equal(t, m.Kind == wire.Request, forwarded.ID != nil)
		if m.Call == nil || got.Params == nil {
			return
		}
		type params struct {
			Name      string          `json:"name"`
			Arguments json.RawMessage `json:"arguments"`
		}
		var gotParams, forwardedParams params
		require.NoError(t, json.Unmarshal(got.Params, &gotParams))
		require.NoError(t, json.Unmarshal(forwarded.Params, &forwardedParams))
		require.Equal(t, gotParams.Name, forwardedParams.Name)
		if gotParams.Arguments == nil {
			return
		}
		require.Equal(t, `{}`, string(forwardedParams.Arguments))
		var arguments map[string]json.RawMessage
		require.NoError(t, json.Unmarshal(gotParams.Arguments, &arguments))
		require.Equal(t, string(arguments["payload"]), string(m.Call.Payload.Text))
		require.Equal(t, string(arguments["schema_id"]), string(m.Call.SchemaID.Text))
	})
}
