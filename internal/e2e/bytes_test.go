package e2e_test

import (
	"bytes"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/e2e"
	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// exact are payloads that a server which decodes and encodes them again would alter, refuse
// or confuse with its own words.
var exact = map[string]string{
	"fraction of zero":        `1.0`,
	"capital exponent":        `1E400`,
	"exponent of ten million": `1e10000000`,
	"negative zero":           `[-0,-0.0,0e0]`,
	"beyond 64 bits":          `123456789012345678901234567890`,
	"trailing zeros":          `{"price":19.9900}`,
	"order of members":        `{"b":1,"a":2,"10":3,"2":4}`,
	"repeated names":          `{"a":1,"a":2}`,
	"white space":             "{ \"a\" :\t[ 1 , { } ,[ ] ] }",
	"needless escapes":        `"\u0041\/\u00e9"`,
	"html":                    `"<a href='x'>&amp;</a>"`,
	"line separators":         "\"a\u2028b\u2029c\u0085d\"",
	"lone surrogates":         `["\ud800","\udc00\ud800",{"\udfff":1}]`,
	"control characters":      `"\u0000\b\u007f"`,
	"beyond the BMP":          `"😀 \ud83d\ude00 e` + "\u0301" + `"`,
	"JSON in a string":        `"{\"stage\":\"a\"}"`,
	"number in a string":      `"57785654"`,
	"null in a string":        `"null"`,
	"null":                    `null`,
	"empty string":            `""`,
	"empty name":              `{"":{"":""}}`,
	"names of JavaScript":     `{"__proto__":{"x":1},"constructor":2}`,
	"envelope":                `{"ok":false,"error":{"code":"X"},"payload":{"structuredContent":1}}`,
	"answer":                  `{"jsonrpc":"2.0","id":1,"result":{"content":[]}}`,
	"deep":                    strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000),
	"long":                    `"` + strings.Repeat("x", 5_000_000) + `"`,
	"many":                    `[` + strings.Repeat("1.50, ", 400_000) + `1.50]`,
}

func TestEchoIsExact(t *testing.T) {
	everyWay(t, binary, nil, func(t *testing.T, conn rawclient.Conn) {
		id := 1
		for name, payload := range exact {
			id++
			require.NoError(t, rawclient.CallEcho(t.Context(), conn, strconv.Itoa(id), "__schemaless__", []byte(payload)), name)
		}
	})
}

// TestEchoOfASchemaIsExact: a validated payload is as untouched as any.
func TestEchoOfASchemaIsExact(t *testing.T) {
	payload := []byte("{ \"stage\" : \"\\u0062uild\",\"extra\":{\"b\":1.0,\"a\":1E400,\"<\":\"\u2028\\/\"} }")
	everyWay(t, binary, nil, func(t *testing.T, conn rawclient.Conn) {
		require.NoError(t, rawclient.CallEcho(t.Context(), conn, "1", "zenlix-agent-stage-v1", payload))
	})
}

// TestLineBreaksSurviveHTTP: over HTTP a message may have raw line breaks, also where its
// answer is an event stream, whose lines they must not break.
func TestLineBreaksSurviveHTTP(t *testing.T) {
	s, err := rawclient.StartHTTP(t.Context(), binary)
	require.NoError(t, err)
	conn, err := rawclient.DialHTTP(t.Context(), rawclient.Handshake, s.URL)
	require.NoError(t, err)
	for _, payload := range []string{"{\n  \"a\": [\n    1.0\n  ]\n}", "[1,\n\n2]"} {
		for _, accept := range []string{"application/json, text/event-stream", "text/event-stream, application/json", "*/*"} {
			r, err := conn.Post(t.Context(), conn.Era().Echo("5", "__schemaless__", []byte(payload)), map[string]string{"Accept": accept})
			require.NoError(t, err)
			answer, err := r.Message("5")
			require.NoError(t, err)
			require.NoError(t, rawclient.CheckEcho(answer, "__schemaless__", []byte(payload)))
		}
	}
	require.NoError(t, s.Stop())
}

// TestIDsAreExact: an id comes back as the text it was sent as.
func TestIDsAreExact(t *testing.T) {
	everyWay(t, binary, nil, func(t *testing.T, conn rawclient.Conn) {
		for _, id := range []string{`9007199254740993`, `"req-abc"`, `"9"`, `""`, `"\u0041"`, `-7`} {
			answer, err := conn.Ask(t.Context(), id, conn.Era().Request(id, "tools/list", nil))
			require.NoError(t, err)
			require.Contains(t, string(answer), `"id":`+id)
			require.NoError(t, rawclient.CallEcho(t.Context(), conn, id, "__schemaless__", []byte(`1.0`)))
		}
	})
}

// TestManyCallsAtOnce: each of many calls in flight gets its own payload.
func TestManyCallsAtOnce(t *testing.T) {
	everyWay(t, binary, nil, func(t *testing.T, conn rawclient.Conn) {
		var all sync.WaitGroup
		errs := make([]error, 200)
		for i := range errs {
			all.Go(func() {
				id := strconv.Itoa(i + 1)
				payload := append(bytes.Repeat([]byte("[ "), i), bytes.Repeat([]byte("]"), i)...)
				payload = append(append([]byte(`{"n":`+id+`.0,"x":[`), payload...), `]}`...)
				errs[i] = rawclient.CallEcho(t.Context(), conn, id, "__schemaless__", payload)
			})
		}
		all.Wait()
		for _, err := range errs {
			require.NoError(t, err)
		}
	})
}

// TestOddIDs: ids that are awkward for Go, for file systems or for JSON work like any other,
// through the real compiler.
func TestOddIDs(t *testing.T) {
	odd := t.TempDir() + "/echo-mcp-odd"
	require.NoError(t, e2e.Build(t.Context(), "../..", "internal/e2e/testdata/schemas", odd))
	everyWay(t, odd, nil, func(t *testing.T, conn rawclient.Conn) {
		for i, schema := range []string{"a b", "über v1", "__proto__", "constructor", "type", "report_linux", "x_test", "1st", "ключ", "c/d"} {
			id := strconv.Itoa(i + 1)
			require.NoError(t, rawclient.CallEcho(t.Context(), conn, id, schema, []byte(`{"id" : "\u0041"}`)))
			answer, err := conn.Ask(t.Context(), id, conn.Era().Echo(id, schema, []byte(`{"id":1}`)))
			require.NoError(t, err)
			require.Contains(t, string(answer), `"code":"SCHEMA_VALIDATION_FAILED"`)
			require.Contains(t, string(answer), `"schema_path":"#/`, "a location in the schema's own file does not name it")
		}
	})
}
