package client

import (
	"bytes"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// FuzzReceive: whatever a server sends, a session reads it without a panic, ends a request only by a
// message that is JSON with the id of that request, and gives results as the bytes they came in.
func FuzzReceive(f *testing.F) {
	for _, seed := range []string{
		`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"a\u0062"}],"isError":true}}`,
		`{"jsonrpc":"2.0","id":1,"result":{"tools":[{"name":"a","inputSchema":{}}],"nextCursor":"x"}}`,
		`{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"no","data":[1e400]}}`,
		`{"jsonrpc":"2.0","id":null,"error":{"code":-32700}}`, `{"id":1,"id":2,"result":{}}`, `[{"id":1,"result":{}}]`,
		`{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":0.5}}`,
		`{"jsonrpc":"2.0","id":"a","method":"ping"}`, `{"id":1.0,"result":{}}`, ` {"result":{"contents":[{"uri":"u","blob":"aGk="}]},"id":1}`,
		`{"id":1,"result":{"resultType":"input_required","inputRequests":{"a":{"method":"roots/list"}}}}`, strings.Repeat(`{"id":`, 50), `noise`, "\xff",
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		s := &Session{options: Options{}.withDefaults(), waiting: map[int64]*pending{}, slots: make(chan struct{}, 1), closed: true}
		p := &pending{method: "x", progress: func(Progress) {}, done: make(chan struct{})}
		s.waiting[1] = p
		s.lastID.Store(1)
		s.receive(data)
		select {
		case <-p.done:
		default:
			return
		}
		var whole struct {
			ID            json.RawMessage
			Result, Error json.RawMessage
		}
		if err := jsontape.Valid(data); err != nil {
			t.Fatalf("%q is not JSON and has ended a request", data)
		}
		if err := json.Unmarshal(data, &whole); err != nil {
			return // deeper than encoding/json reads
		}
		var refused *Error
		if id := string(whole.ID); id != "1" && (!errors.As(p.err, &refused) || id != "null" && id != "") {
			t.Fatalf("%q has another id and has ended a request: %v", data, p.err)
		}
		if p.err != nil {
			return
		}
		m := p.answer
		if raw := m.bytes(m.result); !bytes.Contains(data, raw) || jsontape.Valid(raw) != nil {
			t.Fatalf("the result of %q is %q", data, raw)
		}
		if r, err := m.toolResult(); err == nil && !bytes.Contains(data, r.Raw) {
			t.Fatalf("the result of %q is %q", data, r.Raw)
		}
		for method, member := range lists {
			_, _ = page(m, method, member, func(token int) { m.content(token) })
		}
	})
}

// FuzzParams: parameters keep their bytes, get the members that they need, and stay JSON.
func FuzzParams(f *testing.F) {
	for _, seed := range []string{``, `{}`, ` { "a" : 1e400 } `, `{"_meta":{}}`, `{"_meta":{"k":1},"a":[{"_meta":1}]}`, `{"\u005fmeta":{"k":1}}`, `[]`, `{"a":}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		p, _, err := readParams("x", raw)
		if err != nil {
			return
		}
		for _, p := range []params{p, p.with([]byte(`"input":{}`))} {
			message := encodeRequest([]byte("1"), "x", p, []metaMember{{"k", []byte("2")}, {"progressToken", []byte("1")}})
			var back struct {
				Params map[string]json.RawMessage `json:"params"`
			}
			if err := jsontape.Valid(message); err != nil {
				t.Fatalf("%q became %q: %v", raw, message, err)
			}
			if json.Unmarshal(message, &back) != nil {
				continue // deeper than encoding/json reads
			}
			var meta map[string]json.RawMessage
			if err := json.Unmarshal(back.Params["_meta"], &meta); err != nil || meta["progressToken"] == nil || meta["k"] == nil {
				t.Fatalf("%q became %q without _meta: %v", raw, message, err)
			}
		}
	})
}
