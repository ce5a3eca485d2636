package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

func scan(message []byte, chunk int) *wire.Scanner {
	var s wire.Scanner
	for len(message) > 0 {
		n := min(chunk, len(message))
		s.Scan(message[:n])
		message = message[n:]
	}
	return &s
}

// scanned are messages that nobody has to read whole to answer.
var scanned = []struct{ name, message, id string }{
	{"id first", `{"jsonrpc":"2.0","id":7,"method":"ping"}`, `7`},
	{"id last", `{"method":"ping","params":{"id":1,"x":{"id":2}},"id":"last"}`, `"last"`},
	{"spaces", " {\t\"id\" :\n 12 , \"method\" : \"ping\" } ", `12`},
	{"number at the end", `{"method":"ping","id":9007199254740993}`, `9007199254740993`},
	{"string with quotes", `{"id":"a\"},{\\","method":"ping"}`, `"a\"},{\\"`},
	{"id inside strings", `{"x":"\"id\":1","id":2}`, `2`},
	{"id as a value", `{"a":"id","b":["id",3],"id":2}`, `2`},
	{"key after a long key", `{"` + strings.Repeat("k", 1000) + `":1,"id":2}`, `2`},
	{"brackets inside strings", `{"x":"]]}}","y":[{"z":"}"}],"id":2}`, `2`},
	{"deep", `{"x":` + strings.Repeat(`{"id":`, 50_000) + `1` + strings.Repeat(`}`, 50_000) + `,"id":2}`, `2`},
	{"longest id", `{"id":"` + strings.Repeat("i", 4<<10-2) + `"}`, `"` + strings.Repeat("i", 4<<10-2) + `"`},
	{"id after a broken payload", `{"params":[1,},"id":2}`, `2`},

	{"no id", `{"method":"ping"}`, `null`},
	{"id twice", `{"id":1,"id":1}`, `null`},
	{"id null", `{"id":null}`, `null`},
	{"id fraction", `{"id":1.5}`, `null`},
	{"id object", `{"id":{"id":1}}`, `null`},
	{"id not JSON", `{"id":01}`, `null`},
	{"id not UTF-8", "{\"id\":\"\xff\"}", `null`},
	{"id too long", `{"id":"` + strings.Repeat("i", 4<<10-1) + `"}`, `null`},
	{"id cut off", `{"id":12`, `null`},
	{"id string cut off", `{"id":"12`, `null`},
	{"escaped name", `{"\u0069d":1}`, `null`},
	{"batch", `[{"id":1}]`, `null`},
	{"second document", `{}{"id":1}`, `null`},
	{"brackets that don't match", `]}{"id":1}`, `1`},
	{"nothing", ``, `null`},
}

func TestScannerID(t *testing.T) {
	t.Parallel()
	for _, c := range scanned {
		for _, chunk := range []int{1, 2, 3, 7, 64, 1 << 20} {
			require.Equal(t, c.id, string(scan([]byte(c.message), chunk).ID()), "%s, in pieces of %d", c.name, chunk)
		}
	}
}

func TestScannerRefuse(t *testing.T) {
	t.Parallel()
	const why = "larger than 5 bytes"
	for _, c := range []struct{ name, message, forward string }{
		{"call", call("echo", `{"payload":[1,2,3]}`), call("echo", `{}`)},
		{"what stands around it", `{"params":{"arguments":{"name":"no","_meta":{}},"name":"echo"},"method":"tools\/call","id":1,"jsonrpc":"2.0"}`, call("echo", `{}`)},
		{
			"_meta, after the payload", request(`{"name":"echo","arguments":{"payload":[]},"_meta":{"a":{"b":[1, 2]}}}`),
			request(`{"name":"echo","_meta":{"a":{"b":[1, 2]}},"arguments":{}}`),
		},
		{"_meta that is no object", request(`{"name":"echo","_meta":[]}`), call("echo", `{}`)},
		{"_meta with a name twice", request(`{"name":"echo","_meta":{"a":1,"a":2}}`), call("echo", `{}`)},
		{"_meta too long", request(`{"name":"echo","_meta":{"a":"` + strings.Repeat("x", 64<<10) + `"}}`), call("echo", `{}`)},
		{"id that needs a stand-in", strings.Replace(call("echo", `{}`), `"id":1`, `"id":-0`, 1), strings.Replace(call("echo", `{}`), `"id":1`, `"id":"echo-mcp.id:LTA"`, 1)},
	} {
		m, r := scan([]byte(c.message), 3).Refuse(why)
		require.Nil(t, r, c.name)
		require.Equal(t, "echo", m.Call.Tool, c.name)
		require.Equal(t, "the message is "+why, m.Call.Fault, c.name)
		require.Equal(t, c.forward, string(m.Forward), c.name)
	}
	for _, c := range []struct{ name, message, id string }{
		{"another method", `{"jsonrpc":"2.0","id":3,"method":"ping"}`, `3`},
		{"no name", request(`{"arguments":{}}`), `1`},
		{"name 5", request(`{"name":5}`), `1`},
		{"name twice", request(`{"name":"echo","name":"echo"}`), `1`},
		{"params twice", request(`{"name":"a"},"params":{"name":"echo"}`), `1`},
		{"name not in params", `{"id":1,"method":"tools/call","name":"echo","x":{"name":"echo"},"params":[{"name":"echo"}]}`, `1`},
		{"call without a usable id", `{"id":null,"method":"tools/call","params":{"name":"echo"}}`, `null`},
		{"cut off", `{"method":"tools/call","params":{"name":"echo"`, `null`},
	} {
		m, r := scan([]byte(c.message), 3).Refuse(why)
		require.Nil(t, m, c.name)
		require.Equal(t, wire.CodeInvalidRequest, r.Code, c.name)
		require.Equal(t, c.id, string(r.ID), c.name)
		require.Contains(t, r.Message, why, c.name)
	}
	m, r := scan([]byte(`{"jsonrpc":"2.0","method":"notifications/x","params":{}}`), 3).Refuse(why)
	require.Nil(t, m, "a notification is not answered")
	require.Nil(t, r, "a notification is not answered")
}

// FuzzScanner: of what Parse accepts the scanner finds the same, in pieces of any size.
func FuzzScanner(f *testing.F) {
	for _, c := range scanned {
		f.Add([]byte(c.message), 1)
	}
	for _, c := range refusals {
		f.Add([]byte(c.message), 2)
	}
	f.Add([]byte(request(`{"name":"echo","arguments":{"payload":[]},"_meta":{"a":{"b":[1, 2]}}}`)), 5)
	f.Fuzz(func(t *testing.T, data []byte, chunk int) {
		chunk = max(1, chunk%100)
		s := scan(data, chunk)
		require.Equal(t, string(scan(data, 1).ID()), string(s.ID()))
		var p wire.Parser
		m, r := p.Parse(data)
		switch {
		case r != nil || m == nil || m.Kind == wire.Response:
		case m.Kind == wire.Notification:
			require.Equal(t, "null", string(s.ID()))
		case len(m.ID) <= 1000:
			require.Equal(t, string(m.ID), string(s.ID()))
			got, refusal := s.Refuse("")
			if refusal == nil {
				require.NotNil(t, m.Call)
				require.Equal(t, m.Call.Tool, got.Call.Tool)
				again, r := p.Parse(got.Forward)
				require.Nil(t, r)
				require.Equal(t, got.Forward, again.Forward)
			} else {
				require.True(t, m.Call == nil || m.Call.Tool == "" || len(m.Call.Tool) > 40)
			}
		}
	})
}
