// Package rawclient speaks MCP to a server as bytes. A client that decodes messages can't
// tell whether the server kept a payload byte for byte; this one can, since it gives every
// answer exactly as it came. It is for tests and for the load generator.
package rawclient

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Era is one of the two ways in which the protocol identifies client and server, by the
// version that the clients name.
type Era string

// The eras: with the handshake of initialize, and without, where every request says for
// itself who sends it.
const (
	Handshake Era = "2025-11-25"
	Stateless Era = "2026-07-28"
)

// Conn is a connection that is ready for requests.
type Conn interface {
	// Ask sends one request and gives the message that answers it, as it came. The id is
	// the text of the request's id. Several goroutines may ask at the same time, each
	// with an id of its own.
	Ask(ctx context.Context, id string, request []byte) ([]byte, error)
	// Era is the era of the connection, which makes its requests.
	Era() Era
	// Close ends the connection and says how that went.
	Close() error
}

// Request is the text of a request with the given id, a JSON text. members are the members
// of params, without braces.
func (e Era) Request(id, method string, members []byte) []byte {
	b := append(make([]byte, 0, len(members)+400), `{"jsonrpc":"2.0","id":`...)
	b = append(b, id...)
	b = append(b, `,"method":`...)
	b = jsontape.AppendQuoted(b, method)
	b = append(b, `,"params":{`...)
	b = append(b, members...)
	if e == Stateless {
		if len(members) > 0 {
			b = append(b, ',')
		}
		b = append(b, `"_meta":{"io.modelcontextprotocol/protocolVersion":"`...)
		b = append(b, e...)
		b = append(b, `","io.modelcontextprotocol/clientInfo":{"name":"rawclient","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`...)
	}
	return append(b, `}}`...)
}

// Echo is the text of a call of the tool echo. The payload stands in it as it is.
func (e Era) Echo(id, schemaID string, payload []byte) []byte {
	b := append(make([]byte, 0, len(payload)+200), `"name":"echo","arguments":{"schema_id":`...)
	b = jsontape.AppendQuoted(b, schemaID)
	b = append(b, `,"payload":`...)
	b = append(b, payload...)
	return e.Request(id, "tools/call", append(b, '}'))
}

// Echo is the text of a call of the tool echo after a handshake.
func Echo(id, schemaID string, payload []byte) []byte {
	return Handshake.Echo(id, schemaID, payload)
}

// CallEcho calls the tool echo and checks that the payload comes back as it was sent.
func CallEcho(ctx context.Context, conn Conn, id, schemaID string, payload []byte) error {
	answer, err := conn.Ask(ctx, id, conn.Era().Echo(id, schemaID, payload))
	if err != nil {
		return err
	}
	if err := CheckEcho(answer, schemaID, payload); err != nil {
		return fmt.Errorf("call %s: %w", id, err)
	}
	return nil
}

// Envelope gives the envelope of a tool's answer as it stands in structuredContent, and as
// the text block holds it, unescaped.
func Envelope(answer []byte) (structured, text []byte, err error) {
	var t jsontape.Tape
	if err := t.Parse(answer, jsontape.Options{MaxDepth: 1 << 20}); err != nil {
		return nil, nil, fmt.Errorf("the answer is not JSON: %w", err)
	}
	s, c := t.Lookup("/result/structuredContent"), t.Lookup("/result/content/0/text")
	if s < 0 || c < 0 || t.Tokens[c].Kind != jsontape.String || t.Lookup("/result/content/1") >= 0 {
		return nil, nil, errors.New("the answer is not that of a tool: " + excerpt(answer))
	}
	return t.Bytes(s), jsontape.AppendUnquoted(nil, t.Bytes(c)), nil
}

// CheckEcho says whether an answer holds the payload unchanged, in both places.
func CheckEcho(answer []byte, schemaID string, payload []byte) error {
	want := append(make([]byte, 0, len(payload)+200), `{"ok":true,"schema_id":`...)
	want = jsontape.AppendQuoted(want, schemaID)
	want = append(want, `,"payload":`...)
	want = append(append(want, payload...), '}')
	structured, text, err := Envelope(answer)
	if err != nil {
		return err
	}
	if string(structured) != string(want) {
		return fmt.Errorf("structuredContent is altered %s", difference(structured, want))
	}
	if string(text) != string(want) {
		return fmt.Errorf("the text block is altered %s", difference(text, want))
	}
	return nil
}

// difference shows the first place where got is not what was wanted.
func difference(got, want []byte) string {
	at := 0
	for at < len(got) && at < len(want) && got[at] == want[at] {
		at++
	}
	return fmt.Sprintf("at byte %d: got %s, wanted %s", at, excerpt(got[at:]), excerpt(want[at:]))
}

func excerpt(b []byte) string {
	const most = 80
	if len(b) <= most {
		return strconv.Quote(string(b))
	}
	return fmt.Sprintf("%q and %d bytes more", b[:most], len(b)-most)
}

// idOf gives the text of a message's id, or "".
func idOf(t *jsontape.Tape, message []byte) string {
	// Only the top level is indexed: a big answer is read once, without a token for each
	// of its values.
	if t.Parse(message, jsontape.Options{MaxDepth: 1 << 20, IndexDepth: 2}) != nil {
		return ""
	}
	i := t.Lookup("/id")
	if i < 0 {
		return ""
	}
	return string(t.Bytes(i))
}

// The handshake.
var (
	initialize  = Handshake.Request("0", "initialize", []byte(`"protocolVersion":"`+Handshake+`","capabilities":{},"clientInfo":{"name":"rawclient","version":"1"}`))
	initialized = []byte(`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
)
