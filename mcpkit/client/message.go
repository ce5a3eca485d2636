package client

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// indexed is how deep a message is indexed: as far as the deepest part that a session looks at, the
// members of a resource inside a tool's result (result, content, block, resource, member). One
// reading serves both the envelope and what is in it; what is deeper is checked and passed over.
const indexed = 6

// maxKeptTokens bounds what a tape in the pool may hold on to: 1 MiB of tokens.
const maxKeptTokens = 1 << 16

var tapes = sync.Pool{New: func() any { return new(jsontape.Tape) }}

// message is one message of the server, as it was read.
type message struct {
	tape *jsontape.Tape
	// The tokens of its members, -1 for none.
	id, method, params, result, err int
}

// readMessage reads one message. The error is a *StrayError where it is not a JSON object with
// distinct members. The message goes on pointing into data.
func readMessage(data []byte) (message, error) {
	t := tapes.Get().(*jsontape.Tape)
	m := message{tape: t, id: -1, method: -1, params: -1, result: -1, err: -1}
	// What the server nests deeper than usual is its business, as far as a tape can be read at all.
	err := t.Parse(data, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: indexed})
	switch {
	case err != nil:
		m.release()
		return m, &StrayError{"the server has sent what is not JSON (" + err.Error() + ")", data}
	case t.Tokens[0].Kind != jsontape.Object:
		kind := t.Tokens[0].Kind
		m.release()
		return m, &StrayError{fmt.Sprintf("the server has sent a message that is not an object but of type %s", kind), data}
	case t.RepeatedMember(0) >= 0:
		name := t.Str(t.RepeatedMember(0))
		m.release()
		return m, &StrayError{fmt.Sprintf("the server has sent a message that has the member %q twice", name), data}
	}
	for k := 1; k < t.Next(0); k = t.Next(k + 1) {
		switch t.Str(k) {
		case "id":
			m.id = k + 1
		case "method":
			m.method = k + 1
		case "params":
			m.params = k + 1
		case "result":
			m.result = k + 1
		case "error":
			m.err = k + 1
		}
	}
	// An error that is null is none: some servers write every member of a reply.
	if m.err >= 0 && t.Tokens[m.err].Kind == jsontape.Null {
		m.err = -1
	}
	return m, nil
}

// release gives the tape back. The bytes that were taken from it stay.
func (m message) release() {
	if m.tape == nil || cap(m.tape.Tokens) > maxKeptTokens {
		return
	}
	m.tape.Data = nil
	tapes.Put(m.tape)
}

// bytes is the text of the value at a token, nil for none.
func (m message) bytes(token int) json.RawMessage {
	if token < 0 {
		return nil
	}
	return m.tape.Bytes(token)
}

// text is the string at a token, "" where there is none.
func (m message) text(token int) string {
	if token < 0 || m.tape.Tokens[token].Kind != jsontape.String {
		return ""
	}
	return m.tape.Str(token)
}

// member is the text of the string member of an object, "" where there is none.
func (m message) member(object int, name string) string { return m.text(m.at(object, name)) }

// raw is the JSON of the member of an object, nil where there is none or it is null.
func (m message) raw(object int, name string) json.RawMessage {
	if v := m.at(object, name); v >= 0 && m.tape.Tokens[v].Kind != jsontape.Null {
		return m.tape.Bytes(v)
	}
	return nil
}

func (m message) at(object int, name string) int {
	if object < 0 {
		return -1
	}
	return m.tape.Member(object, name)
}

// elements are the tokens of an array's elements.
func (m message) elements(array int) func(yield func(int) bool) {
	return func(yield func(int) bool) {
		for e := array + 1; e < m.tape.Next(array); e = m.tape.Next(e) {
			if !yield(e) {
				return
			}
		}
	}
}

// failure is the error of a reply.
func (m message) failure(method string) *Error {
	e := &Error{Method: method, Message: m.member(m.err, "message"), Data: m.raw(m.err, "data")}
	if m.tape.Tokens[m.err].Kind != jsontape.Object {
		e.Message = string(m.bytes(m.err)) // a text, say
	}
	if code, err := strconv.Atoi(string(m.bytes(m.at(m.err, "code")))); err == nil {
		e.Code = code
	}
	return e
}

// params are the parameters of a request, in pieces between which _meta can get members, so that
// what the caller gave is copied once and never encoded again.
type params struct {
	head, body, tail []byte
	empty            bool // there is no member before what is added
	inMeta           bool // head ends inside the object _meta
	has              func(key string) bool
}

// metaMember is one member for _meta. Its value is JSON.
type metaMember struct {
	key   string
	value []byte
}

// readParams takes the parameters of a request apart. name is what Outgoing.Name says of them.
func readParams(method string, raw json.RawMessage) (p params, name string, err error) {
	if len(raw) == 0 {
		return params{head: []byte{'{'}, tail: []byte{'}'}, empty: true}, "", nil
	}
	var t jsontape.Tape
	if err := t.Parse(raw, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: 3}); err != nil {
		return params{}, "", &InputError{method, fmt.Errorf("the parameters are not JSON: %w", err)}
	}
	if t.Tokens[0].Kind != jsontape.Object {
		return params{}, "", &InputError{method, fmt.Errorf("the parameters must be a JSON object, not of type %s", t.Tokens[0].Kind)}
	}
	if member, ok := naming[method]; ok {
		if i := t.Member(0, member); i >= 0 && t.Tokens[i].Kind == jsontape.String {
			name = t.Str(i)
		}
	}
	at, meta := 0, t.Member(0, "_meta")
	if meta >= 0 {
		at = meta
		if t.Tokens[meta].Kind != jsontape.Object {
			return params{}, "", &InputError{method, fmt.Errorf("the member _meta of the parameters must be an object, not of type %s", t.Tokens[meta].Kind)}
		}
		p.inMeta = true
		p.has = func(key string) bool { return t.Member(meta, key) >= 0 }
	}
	end := t.Tokens[at].End - 1
	p.head, p.tail, p.empty = raw[:end:end], raw[end:], t.Len(at) == 0
	return p, name, nil
}

// naming is the parameter that names what a request is about, for the header Mcp-Name.
// (https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http)
var naming = map[string]string{"tools/call": "name", "prompts/get": "name", "resources/read": "uri"}

// encodeRequest is the text of a request.
func encodeRequest(id []byte, method string, p params, meta []metaMember) []byte {
	size := len(p.head) + len(p.body) + len(p.tail) + len(method) + len(id) + 100
	for _, m := range meta {
		size += len(m.key) + len(m.value) + 4
	}
	b := append(make([]byte, 0, size), `{"jsonrpc":"2.0","id":`...)
	b = jsontape.AppendQuoted(append(append(b, id...), `,"method":`...), method)
	b = append(append(append(b, `,"params":`...), p.head...), p.body...)
	separate := !p.empty
	opened := false
	for _, m := range meta {
		if p.has != nil && p.has(m.key) {
			continue
		}
		if separate {
			b = append(b, ',')
		}
		if !p.inMeta && !opened {
			b = append(b, `"_meta":{`...)
			opened = true
		}
		b = append(append(jsontape.AppendQuoted(b, m.key), ':'), m.value...)
		separate = true
	}
	if opened {
		b = append(b, '}')
	}
	return append(append(b, p.tail...), '}')
}

// encodeNotification is the text of a notification.
func encodeNotification(method string, raw json.RawMessage) []byte {
	b := jsontape.AppendQuoted([]byte(`{"jsonrpc":"2.0","method":`), method)
	if len(raw) > 0 {
		b = append(append(b, `,"params":`...), raw...)
	}
	return append(b, '}')
}

// encodeAnswer is the text of the answer to a request of the server.
func encodeAnswer(id []byte, result json.RawMessage, failure *Error) []byte {
	b := append([]byte(`{"jsonrpc":"2.0","id":`), id...)
	if failure == nil {
		return append(append(append(b, `,"result":`...), result...), '}')
	}
	b = strconv.AppendInt(append(b, `,"error":{"code":`...), int64(failure.Code), 10)
	b = jsontape.AppendQuoted(append(b, `,"message":`...), failure.Message)
	if len(bytes.TrimSpace(failure.Data)) > 0 {
		b = append(append(b, `,"data":`...), failure.Data...)
	}
	return append(b, "}}"...)
}
