// Package envelope reads what the tools of an echo server answer: the envelope
// {"ok":true,"schema_id":…,"payload":…} or {"ok":false,"error":{…}}, and where it stands in the
// result of a call. It knows neither server nor client.
package envelope

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Envelope is what a call was answered with: a payload, or else a refusal.
type Envelope struct {
	SchemaID string
	// Payload is the message byte for byte as the agent sent it, a view into what was read.
	Payload []byte
	// Refusal says why the call was refused, nil where it was not.
	Refusal *Refusal
}

// Refusal is the error of an envelope.
type Refusal struct {
	Code     string          `json:"code"`
	Message  string          `json:"message"`
	SchemaID string          `json:"schema_id"`
	Details  []jsonrt.Detail `json:"details"`
}

// ErrNone means that there is no envelope.
var ErrNone = errors.New("the result is not that of an echo")

// FromResult reads the envelope in a result of a tool, JSON. The error wraps ErrNone.
func FromResult(result []byte) (Envelope, error) {
	var t jsontape.Tape
	// The envelope itself is read from its own bytes, so the result need not be indexed deeper.
	if err := t.Parse(result, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: 4}); err != nil {
		return Envelope{}, fmt.Errorf("%w: it is not JSON: %w", ErrNone, err)
	}
	if t.Tokens[0].Kind != jsontape.Object {
		return Envelope{}, fmt.Errorf("%w: it is not an object", ErrNone)
	}
	// The text comes first: a client that has made Go values of the structured content may have
	// rounded its numbers, and a line break between tokens may not have reached that place; the text
	// is what it was.
	if content := t.Member(0, "content"); content > 0 && t.Tokens[content].Kind == jsontape.Array {
		for block := content + 1; block < t.Next(content); block = t.Next(block) {
			text := -1
			if t.Tokens[block].Kind == jsontape.Object {
				text = t.Member(block, "text")
			}
			if text < 0 || t.Tokens[text].Kind != jsontape.String {
				continue
			}
			if e, ok := Parse(jsontape.AppendUnquoted(nil, t.Bytes(text))); ok {
				return e, nil
			}
		}
	}
	if structured := t.Member(0, "structuredContent"); structured > 0 {
		if e, ok := Parse(t.Bytes(structured)); ok {
			return e, nil
		}
		return Envelope{}, fmt.Errorf("%w: it holds no envelope", ErrNone)
	}
	return Envelope{}, fmt.Errorf("%w: it has neither structured content nor a text that is an envelope", ErrNone)
}

// Parse reads a text that is an envelope, and reports whether it is one.
func Parse(text []byte) (Envelope, bool) {
	var t jsontape.Tape
	// A payload may be nested as deep as a tape goes.
	if t.Parse(text, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: 2}) != nil {
		return Envelope{}, false
	}
	return At(&t, 0)
}

// At reads the value at token i of a document, and reports whether it is an envelope.
func At(t *jsontape.Tape, i int) (Envelope, bool) {
	ok, id, payload, failure := t.Member(i, "ok"), t.Member(i, "schema_id"), t.Member(i, "payload"), t.Member(i, "error")
	switch {
	case ok < 0:
	case t.Tokens[ok].Kind == jsontape.True && id > 0 && payload > 0 && t.Tokens[id].Kind == jsontape.String:
		return Envelope{SchemaID: t.Str(id), Payload: t.Bytes(payload)}, true
	case t.Tokens[ok].Kind == jsontape.False && failure > 0:
		r := new(Refusal)
		if json.Unmarshal(t.Bytes(failure), r) == nil && r.Code != "" {
			return Envelope{Refusal: r}, true
		}
	}
	return Envelope{}, false
}
