package wire_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// TestWholeArguments: the arguments of some tools are the payload, whatever their members
// are called; of the others they are as ever.
func TestWholeArguments(t *testing.T) {
	t.Parallel()
	p := wire.Parser{WholeArguments: func(tool string) bool { return tool == "emit_x" }}
	for _, c := range []struct {
		arguments string
		kind      jsontape.Kind
	}{
		{`{ "schema_id" : 1.0, "Payload":2, "payload":{"<&>":"\ud800"} }`, jsontape.Object},
		{`{"a":1,"a":2}`, jsontape.Object}, // left to the schema's check
		{`{}`, jsontape.Object},
		{`null`, jsontape.Null},
		{`[1]`, jsontape.Array},
		{`"{}"`, jsontape.String},
	} {
		m, refusal := p.Parse([]byte(call("emit_x", c.arguments)))
		require.Nil(t, refusal, c.arguments)
		require.Empty(t, m.Call.Fault, c.arguments)
		require.Equal(t, wire.Argument{Text: []byte(c.arguments), Kind: c.kind}, m.Call.Payload)
		require.Equal(t, wire.Argument{}, m.Call.SchemaID)
		require.Contains(t, string(m.Forward), `"arguments":{}`)
	}
	m, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"emit_x"}}`))
	require.Nil(t, refusal)
	require.Equal(t, wire.Argument{Text: []byte(`{}`), Kind: jsontape.Object}, m.Call.Payload, "arguments may be left out")

	m, refusal = p.Parse([]byte(call("echo", `{"payload":1,"Schema_id":2}`)))
	require.Nil(t, refusal)
	require.NotEmpty(t, m.Call.Fault)
	_, refusal = p.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"emit_x","arguments":{},"arguments":{}}}`))
	require.NotNil(t, refusal, "which of the two would be the payload?")
}

// TestTape: a payload that will be checked comes with its tape, unless that could hold what
// a tape of the payload alone would not.
func TestTape(t *testing.T) {
	t.Parallel()
	p := wire.Parser{
		MaxDepth:       3,
		WholeArguments: func(tool string) bool { return tool == "emit_x" },
		Unchecked:      "free",
	}
	const values = 5 // tokens that {"a":[1,2]} has
	for _, c := range []struct {
		name, message, payload string
	}{
		{"echo", call("echo", `{"schema_id":"x","payload": {"a":[1,2]} }`), `{"a":[1,2]}`},
		{"payload first", call("echo", `{"payload":{"a":[1,2]},"schema_id":"x"}`), `{"a":[1,2]}`},
		{"whole arguments", call("emit_x", `{"":1}`), `{"":1}`},
		{"no payload", call("echo", `{"schema_id":"x"}`), ""},
		{"no arguments", call("emit_x", `null`), `null`},
		{"unchecked", call("echo", `{"schema_id":"free","payload":{"a":[1,2]}}`), ""},
	} {
		m, refusal := p.Parse([]byte(c.message))
		require.Nil(t, refusal, c.name)
		tape, i := m.Call.Tape()
		if c.payload == "" {
			require.Nil(t, tape, c.name)
			continue
		}
		require.Equal(t, c.payload, string(tape.Bytes(i)), c.name)
		if c.payload == `{"a":[1,2]}` {
			require.Equal(t, i+values, tape.Next(i), c.name)
		}
		m.Call.Release()
		tape, _ = m.Call.Tape()
		require.Nil(t, tape, c.name)
		m.Call.Release()
	}

	// Four levels are too deep for a payload, though not for a message.
	for arguments, deep := range map[string]bool{`[[]]`: false, `[[[[]]]]`: true} {
		m, refusal := p.Parse([]byte(call("emit_x", arguments)))
		require.Nil(t, refusal, arguments)
		tape, _ := m.Call.Tape()
		require.Equal(t, deep, tape == nil, arguments)
	}
}

// TestAnswerWithoutText: the envelope stands in one place, and the proof is asked for there.
func TestAnswerWithoutText(t *testing.T) {
	t.Parallel()
	doc := func(content, structured string) []byte {
		return []byte(`{"jsonrpc":"2.0","id":1,"result":{"content":` + content + `,"structuredContent":` + structured + `}}`)
	}
	newCall := func() (*wire.Message, string) {
		m := &wire.Message{Kind: wire.Request, ID: []byte("7"), Call: &wire.Call{}}
		return m, m.Call.AnswerWithoutText([3][]byte{[]byte(`{"p":`), []byte(`[ 1.0 ]`), []byte(`}`)})
	}
	m, token := newCall()
	var b bytes.Buffer
	require.NoError(t, m.WriteAnswer(&b, doc(`[]`, `"`+token+`"`), wire.Line))
	require.Equal(t, `{"jsonrpc":"2.0","id":7,"result":{"content":[],"structuredContent":{"p":[ 1.0 ]}}}`, b.String())

	for name, answer := range map[string]func(token string) []byte{
		"a text block":   func(token string) []byte { return doc(`[{"type":"text","text":"`+token+`"}]`, `"`+token+`"`) },
		"no content":     func(token string) []byte { return doc(`null`, `"`+token+`"`) },
		"another result": func(string) []byte { return doc(`[]`, `"x"`) },
	} {
		m, token := newCall()
		require.ErrorIs(t, m.WriteAnswer(&bytes.Buffer{}, answer(token), wire.Line), wire.ErrPlaceholder, name)
	}
}
