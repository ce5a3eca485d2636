package server_test

import (
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// foreign are words of encoding/json, base64, strconv, Go and mcp-go.
var foreign = regexp.MustCompile(`json: |(?i)unmarshal|marshal|base64|illegal|strconv|parse(int|float|bool)|` +
	`Go (value|struct)|struct field|interface|float64|map\[|nil|parse error|Failed to|not found|unparsable|unparseable|` +
	`context canceled|unsupported protocol|does not match (request|body)|invalid (logging|session|content|json)|unknown reference|panic|mcp-go`)

// requireOurs checks that an answer is an error with this code and without a foreign word.
func requireOurs(t *testing.T, name, code, text string) {
	t.Helper()
	require.Contains(t, text, `"error":{"code":`+code+`,"message":"`, name)
	require.NotRegexp(t, foreign, text, name)
}

// TestWordsAreOurs: whatever is wrong with a request, its caller is told in words that
// belong to the protocol, over both transports and in both eras.
func TestWordsAreOurs(t *testing.T) {
	wrong := []struct{ method, params, code string }{
		{"initialize", `{"protocolVersion":1}`, "-32602"},
		{"initialize", `{"protocolVersion":"2025-11-25","capabilities":[]}`, "-32602"},
		{"initialize", `{"protocolVersion":"2025-11-25","clientInfo":"me"}`, "-32602"},
		{"initialize", `{"protocolVersion":"2025-11-25","clientInfo":{"version":2}}`, "-32602"},
		{"tools/call", `{}`, "-32602"},
		{"tools/call", `{"name":"absent"}`, "-32602"},
		{"tools/call", `{"name":["echo"]}`, "-32602"},
		{"tools/call", `{"name":"echo","task":5}`, "-32602"},
		{"tools/call", `{"name":"echo","arguments":{},"task":{"ttl":"x"}}`, "-32600"},
		{"prompts/get", `{}`, "-32602"},
		{"prompts/get", `{"name":7}`, "-32602"},
		{"prompts/get", `{"name":"absent"}`, "-32602"},
		{"prompts/get", `{"name":"emit","arguments":[]}`, "-32602"},
		{"prompts/get", `{"name":"emit","arguments":{"schema_id":5}}`, "-32602"},
		{"prompts/get", `{"name":"emit","arguments":{"schema_id":"absent"}}`, "-32602"},
		{"resources/read", `{}`, "-32602"},
		{"resources/read", `{"uri":5}`, "-32602"},
		{"resources/subscribe", `{"uri":{}}`, "-32602"},
		{"resources/unsubscribe", `{"uri":null}`, "-32602"},
		{"logging/setLevel", `{}`, "-32602"},
		{"logging/setLevel", `{"level":5}`, "-32602"},
		{"logging/setLevel", `{"level":"loud"}`, "-32602"},
		{"completion/complete", `{}`, "-32602"},
		{"completion/complete", `{"ref":"emit","argument":{"name":"schema_id","value":""}}`, "-32602"},
		{"completion/complete", `{"ref":{"type":"ref/tool","name":"echo"},"argument":{"name":"schema_id","value":""}}`, "-32602"},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":5},"argument":{"name":"schema_id","value":""}}`, "-32602"},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"absent"},"argument":{"name":"schema_id","value":""}}`, "-32602"},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"emit"},"argument":{"name":"schema_id","value":7}}`, "-32602"},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"emit"},"argument":{"name":"schema_id","value":""},"context":{"arguments":{"a":1}}}`, "-32602"},
		{"ping", `{"_meta":5}`, "-32602"},
		{"ping", `{"_meta":{"progressToken":[]}}`, "-32602"},
		{"ping", `{"_meta":{"io.modelcontextprotocol/protocolVersion":1}}`, "-32602"},
		{"tools/list", `{"_meta":{"x":1e400}}`, "-32600"},
		{"tools/list", `{"Cursor":5}`, "-32600"},
		{"server/discover", `{}`, "-32601"},
		{"subscriptions/listen", `{"notifications":{}}`, "-32601"},
		{"absent", `{}`, "-32601"},
		{"tasks/list", `{}`, "-32601"},
	}
	for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
		for _, cursor := range []string{`5`, `{}`, `"zzz"`, `"9999"`, `"%"`, `"\u0000"`, `"YWJzZW50"`} {
			wrong = append(wrong, struct{ method, params, code string }{method, `{"cursor":` + cursor + `}`, "-32602"})
		}
	}
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, w := range wrong {
			message := `{"jsonrpc":"2.0","id":1,"method":"` + w.method + `","params":` + w.params + `}`
			requireOurs(t, message, w.code, c.ask(t, message))
		}
		for _, message := range []string{`[` + ping + `]`, `[]`, `{"jsonrpc":"2.0","id":1,"method":5}`, `nonsense`, `{"jsonrpc":"2.0","id":1}`} {
			require.NotRegexp(t, foreign, c.ask(t, message), message)
		}
		require.Contains(t, c.ask(t, ping), `"result":{}`)
	})
}

// TestWordsAreOursSince2026 is the same for requests that name their version.
func TestWordsAreOursSince2026(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, w := range []struct{ method, params, code string }{
			{"absent", ``, "-32601"},
			{"initialize", `"protocolVersion":"2026-07-28"`, "-32601"},
			{"ping", ``, "-32601"},
			{"logging/setLevel", `"level":"info"`, "-32601"},
			{"logging/setLevel", ``, "-32601"},
			{"resources/subscribe", ``, "-32601"},
			{"resources/unsubscribe", `"uri":5`, "-32601"},
			{"tools/list", `"cursor":"zzz"`, "-32602"},
			{"tools/list", `"cursor":1`, "-32602"},
			{"subscriptions/listen", `"notifications":[]`, "-32602"},
			{"subscriptions/listen", `"notifications":{"toolsListChanged":1}`, "-32602"},
		} {
			message, header := modern(`1`, w.method, w.params)
			var text string
			if h, ok := c.(*httpClient); ok {
				text = h.post(t, message, header).body
			} else {
				text = c.ask(t, message)
			}
			requireOurs(t, message, w.code, text)
		}
	})
}

// TestUnsupportedVersion: a version that the server does not have is -32022 with those that it
// has, wherever it is named (2026-07-28, basic/versioning).
func TestUnsupportedVersion(t *testing.T) {
	t.Parallel()
	const says = `"error":{"code":-32022,"message":"this server does not have protocol version \"1999-01-01\": use 2026-07-28, 2025-11-25, `
	const data = `"data":{"supported":["2026-07-28","2025-11-25","2025-06-18","2025-03-26","2024-11-05"],"requested":"1999-01-01"}`
	inMeta, _ := modern(`1`, "tools/list", "")
	inMeta = strings.Replace(inMeta, "2026-07-28", "1999-01-01", 1)

	stdio := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
	answer := stdio.ask(t, inMeta)
	require.Contains(t, answer, says)
	require.Contains(t, answer, data)

	for _, stateless := range []bool{false, true} {
		s := server.New(testRegistry(), transport.Options{Stateless: stateless}, server.Tools{})
		c := startStateless(t, s)
		old := map[string]string{"Mcp-Protocol-Version": "1999-01-01"}
		both := map[string]string{"Mcp-Protocol-Version": "1999-01-01", "Mcp-Method": "tools/list"}
		for name, r := range map[string]response{
			"header":         c.post(t, ping, old),
			"_meta":          c.post(t, inMeta, map[string]string{"Mcp-Protocol-Version": ""}),
			"both":           c.post(t, inMeta, both),
			"notification":   c.post(t, initialized, old),
			"stray response": c.post(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, old),
			"GET":            c.get(t, old),
			"DELETE":         c.do(t, t.Context(), http.MethodDelete, "", old),
		} {
			require.Equal(t, http.StatusBadRequest, r.status, name)
			require.Equal(t, "application/json", r.header.Get("Content-Type"), name)
			require.Contains(t, r.body, says, name)
			require.Contains(t, r.body, data, name)
		}
	}
}

// TestEraRefusals: so is every other refusal of the transport one that an MCP client can read.
func TestEraRefusals(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	message, header := modern(`1`, "tools/list", "")
	with := func(name, value string) map[string]string {
		h := map[string]string{}
		for n, v := range header {
			h[n] = v
		}
		h[name] = value
		return h
	}
	for name, f := range map[string]struct {
		r      response
		status int
		code   string
	}{
		"no version in the header":  {c.post(t, message, with("Mcp-Protocol-Version", "")), 400, "-32020"},
		"another in the header":     {c.post(t, message, with("Mcp-Protocol-Version", "2025-11-25")), 400, "-32020"},
		"unknown in _meta":          {c.post(t, strings.Replace(message, "2026-07-28", "1999-01-01", 1), header), 400, "-32020"},
		"no version in _meta":       {c.post(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`, header), 400, "-32602"},
		"no method in the header":   {c.post(t, message, with("Mcp-Method", "")), 400, "-32020"},
		"another method":            {c.post(t, message, with("Mcp-Method", "ping")), 400, "-32020"},
		"Last-Event-ID":             {c.post(t, message, with("Last-Event-ID", "7")), 400, "-32020"},
		"response":                  {c.post(t, `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`, header), 400, "-32600"},
		"GET":                       {c.get(t, header), 405, "-32600"},
		"DELETE":                    {c.do(t, t.Context(), http.MethodDelete, "", header), 405, "-32600"},
		"response without session":  {c.post(t, `{"jsonrpc":"2.0","id":1,"result":{"a":1}}`, map[string]string{"Mcp-Session-Id": ""}), 400, "-32600"},
		"response to other session": {c.post(t, `{"jsonrpc":"2.0","id":1,"error":{"code":1,"message":"x"}}`, map[string]string{"Mcp-Session-Id": "x"}), 404, "-32600"},
		"PUT":                       {c.do(t, t.Context(), http.MethodPut, "", nil), 405, "-32600"},
	} {
		require.Equal(t, f.status, f.r.status, "%s: %s", name, f.r.body)
		require.Equal(t, "application/json", f.r.header.Get("Content-Type"), name)
		requireOurs(t, name, f.code, f.r.body)
		if f.status == http.StatusMethodNotAllowed {
			require.NotEmpty(t, f.r.header.Get("Allow"), name)
		}
	}
	notification := c.post(t, `{"jsonrpc":"2.0","method":"notifications/initialized","params":{"_meta":{"x":1e400}}}`, nil)
	require.Equal(t, http.StatusAccepted, notification.status)
	require.Empty(t, notification.body)
}
