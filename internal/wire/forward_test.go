package wire_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// smallValues is JSON text of n objects in an array: what costs a decoder most.
func smallValues(n int) string { return `[` + strings.Repeat(`{"a":0},`, n) + `0]` }

// excesses are messages with a gap, WIDE, which may not become too wide, and where it is.
var excesses = []struct{ name, message, largest string }{
	{"ping", `{"jsonrpc":"2.0","id":"ä","method":"ping","params":{"_meta":{"a":WIDE}}}`, "/params/_meta"},
	{"ping, in a member that nobody knows", `{"jsonrpc":"2.0","id":"ä","method":"ping","x":WIDE}`, "/x"},
	{"meta of a call", `{"jsonrpc":"2.0","id":"ä","method":"tools/call","params":{"name":"echo","arguments":{"schema_id":"any","payload":[1,2,3]},"_meta":{"a":WIDE}}}`, "/params/_meta"},
	{"meta of a call that is not checked", `{"jsonrpc":"2.0","id":"ä","method":"tools/call","params":{"arguments":{"schema_id":"__schemaless__","payload":1},"name":"echo","_meta":{"a":{"b":{"c":WIDE}}}}}`, "/params/_meta"},
	{"a stranger in the params of a call", `{"jsonrpc":"2.0","id":"ä","method":"tools/call","params":{"name":"echo","arguments":{},"task":WIDE}}`, "/params/task"},
	{"typed tool", `{"jsonrpc":"2.0","id":"ä","method":"tools/call","params":{"name":"emit_x","arguments":{},"_meta":WIDE}}`, "/params/_meta"},
	{"unknown method", `{"jsonrpc":"2.0","id":"ä","method":"no/such","params":{"arguments":WIDE}}`, "/params/arguments"},
	{"initialize", `{"jsonrpc":"2.0","id":"ä","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{},"x":WIDE}}`, "/params/x"},
	{"version of initialize", `{"jsonrpc":"2.0","id":"ä","method":"initialize","params":{"protocolVersion":WIDE}}`, "/params/protocolVersion"},
	{"capabilities that are none", `{"jsonrpc":"2.0","id":"ä","method":"initialize","params":{"capabilities":WIDE}}`, "/params/capabilities"},
	{"completion", `{"jsonrpc":"2.0","id":"ä","method":"completion/complete","params":{"ref":{"type":"ref/prompt","name":"emit"},"argument":{"name":"schema_id","value":""},"context":{"arguments":WIDE}}}`, "/params/context"},
	{"prompt", `{"jsonrpc":"2.0","id":"ä","method":"prompts/get","params":{"name":"emit","arguments":{"x":WIDE}}}`, "/params/arguments"},
	{"resource", `{"jsonrpc":"2.0","id":"ä","method":"resources/read","params":{"uri":WIDE}}`, "/params/uri"},
	{"level", `{"jsonrpc":"2.0","id":"ä","method":"logging/setLevel","params":{"level":WIDE}}`, "/params/level"},
	{"cursor", `{"jsonrpc":"2.0","id":"ä","method":"tools/list","params":{"cursor":WIDE}}`, "/params/cursor"},
	{"capabilities of 2026-07-28", `{"jsonrpc":"2.0","id":"ä","method":"server/discover","params":{"_meta":{"io.modelcontextprotocol/clientCapabilities":WIDE}}}`, "/params/_meta"},
	{"subscription", `{"jsonrpc":"2.0","id":"ä","method":"subscriptions/listen","params":{"notifications":{"resourceSubscriptions":WIDE}}}`, "/params/notifications"},
	{"progress token", `{"jsonrpc":"2.0","id":"ä","method":"tools/call","params":{"_meta":{"progressToken":WIDE},"name":"echo"}}`, "/params/_meta"},
}

// wide are texts that make each of these messages too large, and of what there is too much.
var wide = []struct{ text, says string }{
	{smallValues(100_000), "bytes"},
	{smallValues(1000), "values"},
	{`"` + strings.Repeat("x", 1<<16) + `"`, "bytes"},
	{strings.Repeat("[", 5000) + strings.Repeat("]", 5000), "values"},
	{`[` + strings.Repeat(`"\u0000",`, 20_000) + `0]`, "bytes"},
	{`1` + strings.Repeat("0", 1<<20), "bytes"},
}

// TestExcess: what mcp-go would have to decode is bounded, in bytes and values, whatever
// the message is. The caller is told under the id of the request what is too large.
func TestExcess(t *testing.T) {
	t.Parallel()
	p := wire.Parser{Unchecked: "__schemaless__", WholeArguments: func(tool string) bool { return tool == "emit_x" }}
	for _, c := range excesses {
		m, refusal := p.Parse([]byte(strings.Replace(c.message, "WIDE", `[1,"two",{"three":3}]`, 1)))
		require.Nil(t, refusal, c.name)
		require.NotNil(t, m, c.name)
		for _, w := range wide {
			m, refusal := p.Parse([]byte(strings.Replace(c.message, "WIDE", w.text, 1)))
			require.Nil(t, m, c.name)
			require.NotNil(t, refusal, "%s, too many %s", c.name, w.says)
			require.Equal(t, wire.CodeInvalidRequest, refusal.Code, c.name)
			require.Equal(t, `"ä"`, string(refusal.ID), c.name)
			require.Contains(t, refusal.Message, " "+w.says, c.name)
			require.Contains(t, refusal.Message, "more than the ", c.name)
			require.True(t, strings.HasSuffix(refusal.Message, "the largest part is "+c.largest), "%s: %s", c.name, refusal.Message)
		}
	}
}

// TestExcessWithoutAnswer: a notification that is too large is left, and a response gets no
// answer with its id.
func TestExcessWithoutAnswer(t *testing.T) {
	t.Parallel()
	var p wire.Parser
	for _, w := range wide {
		for _, method := range []string{"notifications/cancelled", "notifications/initialized", "no/such"} {
			m, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","method":"` + method + `","params":{"requestId":` + w.text + `}}`))
			require.Nil(t, m, method)
			require.Nil(t, refusal, method)
		}
		for _, member := range []string{"result", "error"} {
			m, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","id":1,"` + member + `":` + w.text + `}`))
			require.Nil(t, m, member)
			require.NotNil(t, refusal, member)
			require.Equal(t, `null`, string(refusal.ID), member)
		}
	}
}

// TestLongNames: ids and methods have the limit too. An id beyond it is nobody's.
func TestLongNames(t *testing.T) {
	t.Parallel()
	var p wire.Parser
	for _, long := range []string{`"` + strings.Repeat("é", 1<<16) + `"`, strings.Repeat("1", 1<<20)} {
		_, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","method":"ping","id":` + long + `}`))
		require.NotNil(t, refusal)
		require.Equal(t, `null`, string(refusal.ID))
		require.Contains(t, refusal.Message, "the id has 1")
	}
	_, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1<<20) + `"}`))
	require.NotNil(t, refusal)
	require.Equal(t, `1`, string(refusal.ID))
	require.Contains(t, refusal.Message, "the largest part is /method")

	id := `"` + strings.Repeat("é", 10_000) + `"` // has a stand-in
	m, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","id":` + id + `,"method":"ping"}`))
	require.Nil(t, refusal)
	require.Equal(t, id, string(m.ID))
}

// TestWidePayload: the limits are not those of the payload, nor of what a client tells of
// itself.
func TestWidePayload(t *testing.T) {
	t.Parallel()
	p := wire.Parser{WholeArguments: func(tool string) bool { return tool == "emit_x" }}
	for _, w := range wide {
		for _, message := range []string{
			call("echo", `{"schema_id":"any","payload":`+w.text+`}`),
			call("emit_x", `{"a":`+w.text+`}`),
			call("list_schemas", w.text),
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":{"x":` + w.text + `}},"clientInfo":{"name":"n","version":` + w.text + `}}}`,
		} {
			m, refusal := p.Parse([]byte(message))
			require.Nil(t, refusal, message[:90])
			require.Less(t, len(m.Forward), 300)
			require.True(t, json.Valid(m.Forward))
		}
	}
}

// TestInitializeForward: of a client mcp-go gets its name, if that is short, and what it is
// to refuse.
func TestInitializeForward(t *testing.T) {
	t.Parallel()
	var p wire.Parser
	for params, want := range map[string]string{
		`{"protocolVersion":"2025-11-25","capabilities":{"roots":{"listChanged":true}},"clientInfo":{"name":"a","version":"1","title":"A","icons":[{"src":"x"}]}}`: `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"a","title":"A","version":"1"}}`,
		`{"clientInfo":{"name":5},"capabilities":[],"protocolVersion":7}`:                                                                                          `{"clientInfo":{"name":5},"capabilities":[],"protocolVersion":7}`,
		`{"clientInfo":{},"capabilities":{}}`: `{"clientInfo":{},"capabilities":{}}`,
		`{"clientInfo":"x"}`:                  `{"clientInfo":"x"}`,
		`{"clientInfo":{"Name":"x","name":"` + strings.Repeat("n", 300) + `"}}`: `{"clientInfo":{}}`,
	} {
		m, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":` + params + `}`))
		require.Nil(t, refusal, params)
		require.Equal(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":`+want+`}`, string(m.Forward))
	}
}
