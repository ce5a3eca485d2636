package rawclient_test

import (
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

func TestEchoRequest(t *testing.T) {
	require.Equal(t,
		`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":{"schema_id":"a\"b","payload":{ "x" : 1.0 }}}}`,
		string(rawclient.Handshake.Echo("7", `a"b`, []byte(`{ "x" : 1.0 }`))))
	require.Equal(t,
		`{"jsonrpc":"2.0","id":"x","method":"ping","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28",`+
			`"io.modelcontextprotocol/clientInfo":{"name":"rawclient","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}}}`,
		string(rawclient.Stateless.Request(`"x"`, "ping", nil)))
}

// TestCheckEchoSees: the smallest alteration is seen, in either place.
func TestCheckEchoSees(t *testing.T) {
	answer := func(structured, text string) []byte {
		return []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\"ok\":true,\"schema_id\":\"s\",\"payload\":` +
			text + `}"}],"structuredContent":{"ok":true,"schema_id":"s","payload":` + structured + `}}}`)
	}
	payload := []byte(`[1.0,"\u0041"]`)
	const same, inText = `[1.0,"\u0041"]`, `[1.0,\"\\u0041\"]`
	require.NoError(t, rawclient.CheckEcho(answer(same, inText), "s", payload))
	for _, altered := range []string{`[1,"\u0041"]`, `[1.0,"A"]`, `[1.0, "\u0041"]`} {
		require.ErrorContains(t, rawclient.CheckEcho(answer(altered, inText), "s", payload), "structuredContent is altered at byte")
	}
	require.ErrorContains(t, rawclient.CheckEcho(answer(same, `[1.0,\"\\u0042\"]`), "s", payload), "text block is altered at byte")
	require.Error(t, rawclient.CheckEcho(answer(same, inText), "t", payload))
	require.Error(t, rawclient.CheckEcho([]byte(`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"x"}}`), "s", payload))
	require.Error(t, rawclient.CheckEcho([]byte(`{`), "s", payload))
}

func TestMessageOfAnEventStream(t *testing.T) {
	r := &rawclient.Response{
		Header: http.Header{"Content-Type": {"text/event-stream"}},
		Body:   []byte("event: message\ndata: {\"id\":1}\n\nevent: message\nid: x\ndata: {\"id\":2,\ndata: \"a\":[\ndata:  1]}\n\n"),
	}
	message, err := r.Message("2")
	require.NoError(t, err)
	require.Equal(t, "{\"id\":2,\n\"a\":[\n 1]}", string(message))
	_, err = r.Message("3")
	require.Error(t, err)
}

// TestAskAgain: who is turned away comes again when the server says so, and no sooner.
func TestAskAgain(t *testing.T) {
	t.Parallel()
	var asked []time.Time
	ts := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked = append(asked, time.Now()); len(asked) == 1 {
			w.Header().Set("Retry-After", "1")
			w.WriteHeader(http.StatusTooManyRequests)
			return
		}
		_, _ = w.Write([]byte(`{"id":7}`))
	}))
	defer ts.Close()
	conn, err := rawclient.DialHTTP(t.Context(), rawclient.Stateless, ts.URL)
	require.NoError(t, err)
	answer, err := conn.Ask(t.Context(), "7", []byte(`{}`))
	require.NoError(t, err)
	require.Equal(t, `{"id":7}`, string(answer))
	require.Len(t, asked, 2)
	require.GreaterOrEqual(t, asked[1].Sub(asked[0]), time.Second)
	require.EqualValues(t, 1, conn.Turned())
}
