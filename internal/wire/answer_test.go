package wire_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// parse reads a message that is no refusal.
func parse(t testing.TB, message string) *wire.Message {
	t.Helper()
	var p wire.Parser
	m, r := p.Parse([]byte(message))
	require.Nil(t, r)
	return m
}

// result is mcp-go's answer with a token in both places.
func result(id, token string) []byte {
	return fmt.Appendf(nil, `{"jsonrpc":"2.0","id":%s,"result":{"_meta":{"a":"\u003c"},"content":[{"type":"text","text":"%s"}],"isError":true,"structuredContent":"%s"}}`, id, token, token)
}

// write is WriteAnswer into memory.
func write(t testing.TB, m *wire.Message, doc []byte, f wire.Framing) string {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, m.WriteAnswer(&b, doc, f))
	return b.String()
}

// hostile are payloads that look like what package wire deals in.
var hostile = []string{
	`1.0`, `1E400`, `-0`, `"\u0041"`, `"\/"`, `"<&>"`, "\"\u2028\u2029\u0085\"", `"\ud800"`, `"\u0000"`, `{ "a" :` + "\t" + `[ 1 , 2 ] }`, `{"a":1,"a":2}`, `""`, `null`, `{}`,
	`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}],"structuredContent":"x"}}`,
	`{"ok":true,"schema_id":"x","payload":{"structuredContent":{"text":"payload"}}}`,
	`"echo-mcp.id:LTA"`, `{"io.modelcontextprotocol/subscriptionId":"echo-mcp.id:LTA"}`,
	`{"_meta":{"io.modelcontextprotocol/subscriptionId":"echo-mcp.id:LTA"}}`,
	`"data: x"`, `"event: message"`, `"ABCDEFGHIJKLMNOPQRSTUVWXYZ"`,
	`"` + strings.Repeat(`\\\"`, 30_000) + `"`,
}

func TestAnswer(t *testing.T) {
	t.Parallel()
	for _, id := range []string{`1`, `"req"`, `9007199254740993`, `"\u0041<"`, `-0`} {
		for _, payload := range hostile {
			m := parse(t, strings.Replace(call("echo", `{"schema_id":"x","payload":`+payload+`}`), `"id":1`, `"id":`+id, 1))
			token := m.Call.Answer([3][]byte{[]byte(`{"ok":true,"payload":`), m.Call.Payload.Text, []byte(`}`)})
			require.NotContains(t, payload, token)
			var forwarded struct{ ID json.RawMessage }
			require.NoError(t, json.Unmarshal(m.Forward, &forwarded))

			got := write(t, m, result(string(forwarded.ID), token), wire.Line)
			envelope := `{"ok":true,"payload":` + payload + `}`
			text := string(jsontape.AppendQuoted(nil, envelope))
			require.Equal(t, `{"jsonrpc":"2.0","id":`+id+`,"result":{"_meta":{"a":"\u003c"},"content":[{"type":"text","text":`+text+
				`}],"isError":true,"structuredContent":`+envelope+`}}`, got)
			require.False(t, m.Call.Answered(), "an answer is good for once")
		}
	}
}

// TestAnswerHoldsItsOwnToken: a payload may hold the very token of its call, which
// nobody can know, and nothing happens.
func TestAnswerHoldsItsOwnToken(t *testing.T) {
	t.Parallel()
	m := parse(t, call("echo", `{"payload":0}`))
	parts := [3][]byte{nil, make([]byte, 28), nil}
	token := m.Call.Answer(parts)
	copy(parts[1], `"`+token+`"`)
	got := write(t, m, result(`1`, token), wire.Line)
	require.Contains(t, got, `"text":"\"`+token+`\""`)
	require.Contains(t, got, `"structuredContent":"`+token+`"`)
}

func TestAnswerIsNotTheHandlers(t *testing.T) {
	t.Parallel()
	for name, doc := range map[string]func(token string) string{
		"no structured content": func(token string) string {
			return `{"id":1,"result":{"content":[{"type":"text","text":"` + token + `"}]}}`
		},
		"no content": func(token string) string {
			return `{"id":1,"result":{"content":[],"structuredContent":"` + token + `"}}`
		},
		"content is no list": func(token string) string {
			return `{"id":1,"result":{"content":"` + token + `","structuredContent":"` + token + `"}}`
		},
		"two blocks": func(token string) string {
			return `{"id":1,"result":{"content":[{"text":"` + token + `"},{"text":"` + token + `"}],"structuredContent":"` + token + `"}}`
		},
		"another text": func(token string) string {
			return `{"id":1,"result":{"content":[{"text":"x"}],"structuredContent":"` + token + `"}}`
		},
		"another structure": func(token string) string {
			return `{"id":1,"result":{"content":[{"text":"` + token + `"}],"structuredContent":{"x":"` + token + `"}}}`
		},
		"the token of another call": func(string) string { return string(result(`1`, "AAAAAAAAAAAAAAAAAAAAAAAAAA")) },
		"result is no object":       func(token string) string { return `{"id":1,"result":"` + token + `"}` },
	} {
		m := parse(t, call("echo", `{"payload":0}`))
		var b bytes.Buffer
		require.ErrorIs(t, m.WriteAnswer(&b, []byte(doc(m.Call.Answer([3][]byte{}))), wire.Line), wire.ErrPlaceholder, name)
		require.Zero(t, b.Len(), name)
	}
}

func TestAnswerWithoutEnvelope(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, doc, want string }{
		{"error", `{"jsonrpc":"2.0","id":"echo-mcp.id:LTA","error":{"code":-32000,"message":"?"}}`, `{"jsonrpc":"2.0","id":-0,"error":{"code":-32000,"message":"?"}}`},
		{"error without id", `{"jsonrpc":"2.0","id":null,"error":{"code":-32000,"message":"?"}}`, `{"jsonrpc":"2.0","id":-0,"error":{"code":-32000,"message":"?"}}`},
		{
			"subscription", `{"jsonrpc":"2.0","id":"echo-mcp.id:LTA","result":{"_meta":{"io.modelcontextprotocol/subscriptionId":"echo-mcp.id:LTA"}}}` + "\n",
			`{"jsonrpc":"2.0","id":-0,"result":{"_meta":{"io.modelcontextprotocol/subscriptionId":-0}}}` + "\n",
		},
		{
			"notification", `{"jsonrpc":"2.0","method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"echo-mcp.id:LTA"}}}`,
			`{"jsonrpc":"2.0","method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":-0}}}`,
		},
		{
			"other subscription ids", `{"method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"echo-mcp.id:!"}}}`,
			`{"method":"x","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"echo-mcp.id:!"}}}`,
		},
		{"a request of the server", `{"jsonrpc":"2.0","id":5,"method":"ping"}`, `{"jsonrpc":"2.0","id":5,"method":"ping"}`},
	} {
		m := parse(t, `{"jsonrpc":"2.0","id":-0,"method":"subscriptions/listen"}`)
		require.Equal(t, c.want, write(t, m, []byte(c.doc), wire.Plain), c.name)
	}
	var b bytes.Buffer
	require.NoError(t, wire.WriteNotification(&b, []byte(`{"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"echo-mcp.id:LTA"}}}`), wire.Line))
	require.Equal(t, `{"params":{"_meta":{"io.modelcontextprotocol/subscriptionId":-0}}}`, b.String())
	require.ErrorIs(t, parse(t, call("echo", `{}`)).WriteAnswer(&b, []byte(`{`), wire.Line), wire.ErrPlaceholder)
}

func TestFraming(t *testing.T) {
	t.Parallel()
	const payload = "{\n \"a\":\r\n[1,\r2]\n\n}"
	for f, want := range map[wire.Framing]string{
		wire.Plain: payload,
		wire.Line:  "{  \"a\":\r [1,\r2]  }",
		wire.Event: "{\ndata:  \"a\":\ndata: [1,\ndata: 2]\ndata: \ndata: }",
	} {
		m := parse(t, call("echo", `{"payload":`+payload+`}`))
		token := m.Call.Answer([3][]byte{nil, m.Call.Payload.Text, nil})
		got := write(t, m, result(`1`, token), f)
		require.Contains(t, got, `"structuredContent":`+want+`}`)
		require.Contains(t, got, `"text":"{\n \"a\":\r\n[1,\r2]\n\n}"`, "the text block is exact in every framing")
	}
}

// failing fails after n bytes.
type failing struct{ n int }

var errGone = errors.New("gone")

func (f *failing) Write(b []byte) (int, error) {
	if len(b) > f.n {
		return f.n, errGone
	}
	f.n -= len(b)
	return len(b), nil
}

func TestAnswerToNobody(t *testing.T) {
	t.Parallel()
	for _, n := range []int{0, 10, 40_000, 200_000} {
		m := parse(t, call("echo", `{"payload":"`+strings.Repeat("x", 100_000)+`"}`))
		token := m.Call.Answer([3][]byte{nil, m.Call.Payload.Text, nil})
		require.ErrorIs(t, m.WriteAnswer(&failing{n}, result(`1`, token), wire.Line), errGone)
	}
}

// FuzzAnswer: any text comes back, in the raw place as it is and in the text block as the
// JSON string that encoding/json reads the same text from.
func FuzzAnswer(f *testing.F) {
	for _, payload := range hostile {
		f.Add(payload, "head", 1)
	}
	f.Add("\x00\x01\x1f\x7f\"\\\n\r\t\b\f/", "é\u2028😀", 13)
	f.Fuzz(func(t *testing.T, payload, head string, times int) {
		payload = strings.Repeat(strings.ToValidUTF8(payload, "?"), 1+max(0, times)%(1+100_000/(1+len(payload))))
		head = strings.ToValidUTF8(head, "?")
		m := parse(t, call("echo", `{}`))
		token := m.Call.Answer([3][]byte{[]byte(head), []byte(payload), []byte("}")})
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		require.NoError(t, m.WriteAnswer(w, result(`1`, token), wire.Plain))
		require.NoError(t, w.Flush())
		before, after := []byte(`{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":"\u003c"},"content":[{"type":"text","text":`), []byte(head+payload+"}}}")
		got := b.Bytes()
		require.True(t, bytes.HasPrefix(got, before))
		require.True(t, bytes.HasSuffix(got, after))
		text := got[len(before) : len(got)-len(after)-len(`}],"isError":true,"structuredContent":`)]
		var read string
		require.NoError(t, json.Unmarshal(text, &read))
		require.Equal(t, head+payload+"}", read)
	})
}

// TestAnswerContent: content that a handler has written takes the place of the token's block, piece
// by piece; structured content is there, or is not.
func TestAnswerContent(t *testing.T) {
	t.Parallel()
	content := []wire.Piece{{Text: []byte(`[{"type":"text","text":"`)}, {Text: []byte("<\"\n\u2028>"), Escaped: true}, {Text: []byte("\"},\n{ \"x\" : 1.0 }]")}}
	const written = `[{"type":"text","text":"<\"\n` + "\u2028" + `>"}, { "x" : 1.0 }]`
	m := parse(t, call("t", `{}`))
	token := m.Call.AnswerContent(content, nil)
	got := write(t, m, fmt.Appendf(nil, `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"%s"}]}}`, token), wire.Line)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"content":`+written+`}}`, got)
	require.False(t, m.Call.Answered())

	token = m.Call.AnswerContent(content, []byte(`{ "a": 1 }`))
	got = write(t, m, result(`1`, token), wire.Line)
	require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"_meta":{"a":"\u003c"},"content":`+written+`,"isError":true,"structuredContent":{ "a": 1 }}}`, got)

	for name, doc := range map[string]func(token string) string{
		"structured content of another": func(token string) string {
			return `{"id":1,"result":{"content":[{"text":"` + token + `"}],"structuredContent":{}}}`
		},
		"another text": func(string) string { return `{"id":1,"result":{"content":[{"text":"x"}]}}` },
		"two blocks": func(token string) string {
			return `{"id":1,"result":{"content":[{"text":"` + token + `"},{}]}}`
		},
	} {
		token := m.Call.AnswerContent(content, nil)
		var b bytes.Buffer
		require.ErrorIs(t, m.WriteAnswer(&b, []byte(doc(token)), wire.Line), wire.ErrPlaceholder, name)
		require.Empty(t, b.String())
	}
	token = m.Call.Answer([3][]byte{[]byte(`1`)})
	got = write(t, m, result(`1`, token), wire.Line)
	require.Contains(t, got, `"structuredContent":1`, "an answer without content of its own is as ever")
}

// TestChecked: a handler that goes on gives back what reading takes, once and no matter when.
func TestChecked(t *testing.T) {
	t.Parallel()
	m := parse(t, call("t", `{"payload":[]}`))
	given := 0
	m.Call.OnChecked(func() { given++ })
	tape, _ := m.Call.Tape()
	require.NotNil(t, tape)
	m.Call.Checked()
	require.Equal(t, 1, given)
	tape, _ = m.Call.Tape()
	require.Nil(t, tape)
	(*wire.Call)(nil).OnChecked(nil) // of a message that is no call
}
