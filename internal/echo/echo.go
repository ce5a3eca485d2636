// Package echo is the protocol core: it lists the compiled schemas, gets one of them, and
// echoes a payload that satisfies one. It works on bytes and knows nothing of MCP.
//
// Envelopes are written by appending bytes, never through encoding/json: the payload of an
// answer is the very slice that came in, and the schema in an answer is the text of its
// file. Types such as EchoEnvelope describe the envelopes for readers.
package echo

import (
	"bytes"
	"context"
	"errors"
	"strconv"
	"strings"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Schemaless is the reserved id that accepts every payload.
const Schemaless = "__schemaless__"

// Options says how payloads are taken. The zero value means the defaults.
type Options struct {
	// MaxDepth is how deep the arrays and objects of a payload may nest. 0 means
	// jsontape.DefaultMaxDepth, and more than jsontape.DepthCeiling means that.
	MaxDepth int
	// KeepJSONStrings refuses a string that its schema refuses, whatever it holds. By default
	// Echo looks into it: if its text is JSON that the schema accepts, that text is the
	// payload. Widely used clients send what they don't know the type of as text, and their
	// agents can't do otherwise. A string inside a string stays one, and Schemaless takes
	// every string as it is.
	KeepJSONStrings bool
}

// Answer is one envelope: Head, Payload and Tail, one after the other. They must not be
// changed. Payload is where the received payload, or the text of a schema, stands; it is
// not copied.
type Answer struct {
	Head, Payload, Tail []byte
	// Code is "" for success.
	Code Code
	// Unwrapped says that Payload is the text of the string that was received: see
	// Options.KeepJSONStrings.
	Unwrapped bool
}

// Failed reports whether the envelope tells of a failure.
func (a Answer) Failed() bool { return a.Code != "" }

// Bytes is the whole envelope in one piece.
func (a Answer) Bytes() []byte {
	out := make([]byte, 0, len(a.Head)+len(a.Payload)+len(a.Tail))
	return append(append(append(out, a.Head...), a.Payload...), a.Tail...)
}

// Service answers the three calls. It is immutable and may be used by many goroutines.
type Service struct {
	options Options
	entries map[string]*entry
	ids     []string // of entries, in the order of List
	list    Answer
}

// entry is one id with what its answers start with.
type entry struct {
	schema *jsonrt.Schema // nil for Schemaless
	echo   []byte
	get    Answer
}

// New makes a service for the schemas of a registry.
func New(registry jsonrt.Registry, options Options) *Service {
	s := &Service{
		options: options,
		entries: make(map[string]*entry, registry.Len()+1),
		ids:     make([]string, 0, registry.Len()+1),
	}
	const description = "Accepts any JSON value: the payload is returned without validation."
	list := append([]byte(nil), `{"schemas":[`...)
	list = s.add(list, &jsonrt.Schema{ID: Schemaless, Description: description, Source: "null"})
	s.entries[Schemaless].schema = nil
	for _, schema := range registry.Schemas() {
		list = s.add(append(list, ','), schema)
	}
	s.list = Answer{Head: append(list, `]}`...)}
	return s
}

// add makes the entry of a schema and appends the schema to the list.
func (s *Service) add(list []byte, schema *jsonrt.Schema) []byte {
	id := jsontape.AppendQuoted(nil, schema.ID)
	e := &entry{schema: schema}
	e.echo = join(`{"ok":true,"schema_id":`, id, `,"payload":`)

	head := join(`{"schema_id":`, id, "")
	list = append(list, head...)
	if schema.Title != "" {
		list = jsontape.AppendQuoted(append(list, `,"title":`...), schema.Title)
	}
	if schema.Description != "" {
		text := jsontape.AppendQuoted([]byte(`,"description":`), schema.Description)
		list = append(list, text...)
		head = append(head, text...)
	}
	e.get = Answer{
		Head:    append(head, `,"builtin":true,"schema":`...),
		Payload: []byte(strings.Trim(schema.Source, " \t\r\n")),
		Tail:    closing,
	}
	s.entries[schema.ID] = e
	s.ids = append(s.ids, schema.ID)
	return append(list, `,"builtin":true}`...)
}

var closing = []byte("}")

func join(before string, middle []byte, after string) []byte {
	return append(append([]byte(before), middle...), after...)
}

// List answers list_schemas: Schemaless first, then the compiled schemas by id.
func (s *Service) List() Answer { return s.list }

// Knows reports whether there is a schema with this id, Schemaless included.
func (s *Service) Knows(id string) bool {
	_, ok := s.entries[id]
	return ok
}

// Get answers get_schema with the text of the schema's file, null for Schemaless, or with
// SCHEMA_NOT_FOUND.
func (s *Service) Get(id string) Answer {
	if e, ok := s.entries[id]; ok {
		return e.get
	}
	return s.notFound(id)
}

// Echo answers echo with the payload itself, untouched, or with the reason why the schema
// refuses it. The payload is the text of one JSON value. For Schemaless it is not looked
// at: the caller has read it already. Checking that takes long ends with ctx, and nobody
// waits for the answer then.
func (s *Service) Echo(ctx context.Context, id string, payload []byte) Answer {
	e, ok := s.entries[id]
	switch {
	case !ok:
		return s.notFound(id)
	case e.schema == nil:
		return e.good(payload)
	}
	t := tapes.Get().(*jsontape.Tape)
	defer release(t)
	if err := t.Parse(payload, s.limits()); err != nil {
		return s.unreadable(id, err)
	}
	return s.check(ctx, e, payload, t, 0)
}

// EchoTape is Echo for the value at token i of a tape, whose depth is not looked at.
func (s *Service) EchoTape(ctx context.Context, id string, t *jsontape.Tape, i int) Answer {
	e, ok := s.entries[id]
	switch {
	case !ok:
		return s.notFound(id)
	case e.schema == nil:
		return e.good(t.Bytes(i))
	}
	return s.check(ctx, e, t.Bytes(i), t, i)
}

// good is the answer to a payload that is accepted.
func (e *entry) good(payload []byte) Answer {
	return Answer{Head: e.echo, Payload: payload, Tail: closing}
}

// check answers the payload, which is the value at token i of a tape.
func (s *Service) check(ctx context.Context, e *entry, payload []byte, t *jsontape.Tape, i int) Answer {
	err := e.schema.ValidateTape(ctx, t, i)
	if err == nil {
		return e.good(payload)
	}
	var invalid *jsonrt.ValidationError
	if t.Tokens[i].Kind == jsontape.String && errors.As(err, &invalid) {
		return s.checkText(ctx, e, jsontape.AppendUnquoted(nil, t.Bytes(i)), invalid)
	}
	return refused(e.schema.ID, err, "")
}

// checkText answers a string with this text that its schema refuses for these faults. Faults
// of the text alone, such as its length, are what the sender has to hear of; otherwise it is
// what is inside, if that is JSON.
func (s *Service) checkText(ctx context.Context, e *entry, text []byte, faults *jsonrt.ValidationError) Answer {
	t := tapes.Get().(*jsontape.Tape)
	defer release(t)
	limits := s.limits()
	if s.options.KeepJSONStrings {
		limits.IndexDepth = 1 // only to know whether it is JSON
	}
	var syntax *jsontape.SyntaxError
	if err := t.Parse(text, limits); errors.As(err, &syntax) {
		switch {
		case aboutText(faults) || !startsJSON(text):
			return refused(e.schema.ID, faults, "")
		case syntax.Reason == jsontape.ReasonDepth && !s.options.KeepJSONStrings:
			return s.unreadable(e.schema.ID, err)
		}
		return refused(e.schema.ID, faults, "got a string that begins like JSON but is none: "+err.Error()+"; send the value itself")
	}
	if s.options.KeepJSONStrings {
		if aboutText(faults) {
			return refused(e.schema.ID, faults, "")
		}
		return refused(e.schema.ID, faults, holdsJSON+"; send the value itself")
	}
	err := e.schema.ValidateTape(ctx, t, 0)
	var invalid *jsonrt.ValidationError
	switch {
	case err == nil:
		a := e.good(text)
		a.Unwrapped = true
		return a
	case errors.As(err, &invalid) && aboutText(faults):
		return refused(e.schema.ID, faults, "")
	}
	return refused(e.schema.ID, err, holdsJSON+"; the details are about the value inside it. Send that value itself, not as a string")
}

// startsJSON reports whether a text is meant as JSON, as far as its first character tells.
func startsJSON(text []byte) bool {
	text = bytes.TrimLeft(text, " \t\r\n")
	return len(text) > 0 && (text[0] == '{' || text[0] == '[')
}

func (s *Service) limits() jsontape.Options {
	return jsontape.Options{MaxDepth: s.options.MaxDepth}
}

// unreadable answers a payload that could not be read.
func (s *Service) unreadable(id string, err error) Answer {
	var syntax *jsontape.SyntaxError
	if errors.As(err, &syntax) && syntax.Reason == jsontape.ReasonDepth {
		depth := s.options.MaxDepth
		if depth <= 0 {
			depth = jsontape.DefaultMaxDepth
		}
		return failure(CodeInvalidRequest, id, "the payload is nested deeper than "+strconv.Itoa(depth)+" levels, the limit of this server", nil)
	}
	return failure(CodeInvalidRequest, id, "the payload is not JSON: "+err.Error(), nil)
}

// tapes keeps warm tapes for payloads.
var tapes = sync.Pool{New: func() any { return new(jsontape.Tape) }}

// maxKeptTokens bounds what a kept tape may hold on to: 4 MiB of tokens.
const maxKeptTokens = 1 << 18

func release(t *jsontape.Tape) {
	t.Data = nil
	if cap(t.Tokens) <= maxKeptTokens {
		tapes.Put(t)
	}
}
