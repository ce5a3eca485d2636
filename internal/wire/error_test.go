package wire_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// TestFail: a handler's error replaces that of mcp-go, and nothing else.
func TestFail(t *testing.T) {
	t.Parallel()
	for _, f := range []struct {
		name        string
		err         *wire.Error
		doc, answer string
	}{
		{
			"error", &wire.Error{Code: -32602, Message: `no "<it>"`},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x","data":{"y":1}}}`,
			`{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32602,"message":"no \"<it>\""}}`,
		}, {
			"data", &wire.Error{Code: -32002, Message: "no", Data: []byte(`{"uri":"\ud800\/<"}`)},
			`{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"x"}}`,
			`{"jsonrpc":"2.0","id":9007199254740993,"error":{"code":-32002,"message":"no","data":{"uri":"\ud800\/<"}}}`,
		}, {
			"result", &wire.Error{Code: -32602, Message: "no"},
			`{"jsonrpc":"2.0","id":1,"result":{"error":{"code":1}}}`,
			`{"jsonrpc":"2.0","id":9007199254740993,"result":{"error":{"code":1}}}`,
		}, {
			"notification", &wire.Error{Code: -32602, Message: "no"},
			`{"jsonrpc":"2.0","method":"x","params":{"error":{"code":1}}}`,
			`{"jsonrpc":"2.0","method":"x","params":{"error":{"code":1}}}`,
		},
	} {
		m := &wire.Message{Kind: wire.Request, ID: []byte("9007199254740993")}
		require.Equal(t, f.err, wire.Fail(wire.NewContext(t.Context(), m), f.err), f.name)
		var b bytes.Buffer
		require.NoError(t, m.WriteAnswer(&b, []byte(f.doc), wire.Line), f.name)
		require.Equal(t, f.answer, b.String(), f.name)
	}
	require.EqualError(t, wire.Fail(t.Context(), &wire.Error{Message: "of no message"}), "of no message")
}

// TestURI: the URI of a resource is known as it was received.
func TestURI(t *testing.T) {
	t.Parallel()
	for message, want := range map[string]string{
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"a:\u0062\/\ud800"}}`:     `"a:\u0062\/\ud800"`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"x":1,"\u0075ri" : "a:"}}`: `"a:"`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/unsubscribe","params":{"uri":"a:"}}`:            `"a:"`,
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":1}}`:                      "",
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"URI":"a:"}}`:                   "",
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{}}`:                             "",
		`{"jsonrpc":"2.0","id":1,"method":"resources/read","uri":"a:"}`:                              "",
		`{"jsonrpc":"2.0","id":1,"method":"resources/list","params":{"uri":"a:"}}`:                   "",
	} {
		require.Equal(t, want, string(wire.URI(wire.NewContext(t.Context(), parse(t, message)))), message)
	}
	require.Nil(t, wire.URI(t.Context()))
}
