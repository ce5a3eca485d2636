package jsonrt

import (
	"context"
	"encoding/json"
	"strings"
	"sync"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// DecodeError says which value of a document does not fit its Go type.
type DecodeError struct {
	// Path is the RFC 6901 pointer to the value, relative to the value that was decoded.
	Path string
	// Message says what is wrong: "does not fit int64".
	Message string
}

func (e *DecodeError) Error() string {
	if e.Path == "" {
		return e.Message
	}
	return e.Path + ": " + e.Message
}

// Decoder moves the values of a tape into Go values. Generated Decode functions and
// UnmarshalJSON methods use it like this:
//
//	d, err := jsonrt.ParseValid(data, schemaPerson)
//	if err != nil {
//		return v, err
//	}
//	v.decode(d, 0)
//	return v, d.Close()
//
// Generated code is large, so what it calls often and is not worth inlining says so: that
// halves the time to compile it.
//
// Its methods take the token of a value, counted from that of the document: 0 is the document,
// wherever it stands on its tape. A value that does not fit is noted, the first one only, and
// the Go zero value comes back; Close turns the note into the error. Nothing that comes out of a
// Decoder shares memory with the document, but for what Name and Tag give.
type Decoder struct {
	tape    *jsontape.Tape
	root    int              // the document's token on the tape
	tokens  []jsontape.Token // of the tape, from root on
	checker *Checker
	// text is a copy of the whole document, made when the first string is wanted, for the
	// strings of small documents to be cut from: one allocation for all of them.
	text    string
	failed  int // token
	message string

	// Room for the values behind pointers and for raw values, in small pieces of which one
	// allocation serves several values.
	bools   []bool
	strings []string
	ints    []int64
	floats  []float64
	raw     []byte

	extras []string // names of members without a field, of the objects being decoded
}

// maxShared is the size up to which the strings of a document share one copy of it. What a
// kept string can hold on to is bounded by it.
const maxShared = 16 << 10

var decoders = sync.Pool{New: func() any { return new(Decoder) }}

// ParseValid reads one JSON document and checks it. The error is one of those that
// Schema.Validate gives; where it is nil, Close must be called on the Decoder.
func ParseValid(data []byte, s *Schema) (*Decoder, error) { return parse(data, s.Check, s) }

// parse is ParseValid with what Checker.run takes.
func parse(data []byte, check CheckFunc, s *Schema) (*Decoder, error) {
	c := checkers.Get().(*Checker)
	if err := c.own.Parse(data, jsontape.Options{}); err != nil {
		c.release()
		return nil, err
	}
	if err := c.run(context.Background(), &c.own, 0, check, s); err != nil {
		c.release()
		return nil, err
	}
	return newDecoder(c, &c.own, 0), nil
}

// Parse reads one JSON document without checking it against a schema; a repeated member
// name is refused. Where the error is nil, Close must be called on the Decoder.
func Parse(data []byte) (*Decoder, error) {
	c := checkers.Get().(*Checker)
	if err := c.own.Parse(data, jsontape.Options{}); err != nil {
		c.release()
		return nil, err
	}
	if name := c.own.RepeatedName(0); name >= 0 {
		err := &RepeatedNameError{Path: c.own.Pointer(name)}
		c.release()
		return nil, err
	}
	return newDecoder(c, &c.own, 0), nil
}

// Unmarshal decodes data, for the UnmarshalJSON methods of the types inside a message type.
// Where check is not nil the document is checked first.
func Unmarshal(data []byte, check CheckFunc, decode func(d *Decoder, i int)) error {
	var d *Decoder
	var err error
	if check != nil {
		d, err = parse(data, check, nil)
	} else {
		d, err = Parse(data)
	}
	if err != nil {
		return err
	}
	decode(d, 0)
	return d.Close()
}

func newDecoder(c *Checker, t *jsontape.Tape, root int) *Decoder {
	d := decoders.Get().(*Decoder)
	d.tape, d.root, d.tokens, d.checker = t, root, t.Tokens[root:], c
	return d
}

// Close ends the decoding. The error is nil or a *DecodeError for the first value that did
// not fit. The Decoder must not be used again.
func (d *Decoder) Close() error {
	var err error
	if d.message != "" {
		err = &DecodeError{Path: d.tape.PointerFrom(d.root, d.root+d.failed), Message: d.message}
	}
	d.checker.release()
	*d = Decoder{}
	decoders.Put(d)
	return err
}

// Fail notes that the value at token i does not fit.
//
//go:noinline
func (d *Decoder) Fail(i int, message string) {
	if d.message == "" {
		d.failed, d.message = i, message
	}
}

// Unknown notes that the object has no room for the member whose name is at token i. A
// document that was checked has no such member.
//
//go:noinline
func (d *Decoder) Unknown(i int) { d.Fail(i, "is not allowed here") }

func (d *Decoder) want(i int, what string) {
	d.Fail(i, "must be "+what+", found "+d.tokens[i].Kind.String())
}

// bytes is the exact text of the value at token i, a view into the document.
func (d *Decoder) bytes(i int) []byte { return d.tape.Bytes(d.root + i) }

// member is the token of the value of the member name of the object at token i, -1 where there is
// none.
func (d *Decoder) member(i int, name string) int {
	m := d.tape.Member(d.root+i, name)
	if m < 0 {
		return m
	}
	return m - d.root
}

// Kind is the kind of the value at token i.
func (d *Decoder) Kind(i int) jsontape.Kind { return d.tokens[i].Kind }

// IsNull reports whether the value at token i is null.
func (d *Decoder) IsNull(i int) bool { return d.tokens[i].Kind == jsontape.Null }

// Null notes a fault where the value at token i is not null.
//
//go:noinline
func (d *Decoder) Null(i int) NullValue {
	if !d.IsNull(i) {
		d.want(i, "null")
	}
	return NullValue{}
}

// Members is the first member name of the object at token i and the token after its last
// member, for a loop that steps with Next(m + 1).
func (d *Decoder) Members(i int) (first, end int) {
	t := &d.tokens[i]
	if t.Kind != jsontape.Object {
		d.want(i, "object")
		return 0, 0
	}
	return i + 1, int(t.Next) - d.root
}

// Next is the token after the value at token i.
func (d *Decoder) Next(i int) int { return int(d.tokens[i].Next) - d.root }

// Name is the decoded member name at token i, valid until Close and only while the document
// is not changed.
func (d *Decoder) Name(i int) string { return d.tape.Str(d.root + i) }

// Key is Name as a string of its own.
//
//go:noinline
func (d *Decoder) Key(i int) string { return d.own(i) }

// Len is the number of elements or members of the value at token i.
//
//go:noinline
func (d *Decoder) Len(i int) int { return d.tape.Len(d.root + i) }

// ArrayLen is the number of elements of the array at token i.
//
//go:noinline
func (d *Decoder) ArrayLen(i int) int {
	if d.tokens[i].Kind != jsontape.Array {
		d.want(i, "array")
		return 0
	}
	return d.tape.Len(d.root + i)
}

// First is the token of the first element of the array at token i, for a loop that takes
// ArrayLen steps with Next.
func (d *Decoder) First(i int) int { return i + 1 }

// Bool decodes true or false.
//
//go:noinline
func (d *Decoder) Bool(i int) bool {
	switch d.tokens[i].Kind {
	case jsontape.True:
		return true
	case jsontape.False:
	default:
		d.want(i, "boolean")
	}
	return false
}

// String decodes a string. A lone surrogate keeps its WTF-8 form, see jsontape.Tape.Str.
func (d *Decoder) String(i int) string {
	if d.tokens[i].Kind != jsontape.String {
		d.want(i, "string")
		return ""
	}
	return d.own(i)
}

// own is the string at token i in memory that does not belong to the document.
func (d *Decoder) own(i int) string {
	t := &d.tokens[i]
	switch {
	case t.Flags&jsontape.Escaped != 0:
		return d.tape.Str(d.root + i) // decoding the escapes has made a copy
	case t.End-t.Start == 2:
		return ""
	}
	document := &d.tokens[0]
	if document.End-document.Start > maxShared {
		return strings.Clone(d.tape.Str(d.root + i))
	}
	if d.text == "" {
		d.text = string(d.bytes(0))
	}
	return d.text[t.Start+1-document.Start : t.End-1-document.Start]
}

// Raw copies the exact text of the value at token i.
//
//go:noinline
func (d *Decoder) Raw(i int) json.RawMessage {
	const piece = 256
	text := d.bytes(i)
	if cap(d.raw)-len(d.raw) < len(text) {
		d.raw = make([]byte, 0, max(piece, len(text)))
	}
	start := len(d.raw)
	d.raw = append(d.raw, text...)
	return d.raw[start:len(d.raw):len(d.raw)]
}

// StringPtr decodes a string for an optional member.
func (d *Decoder) StringPtr(i int) *string {
	if len(d.strings) == 0 {
		d.strings = make([]string, 4)
	}
	p := &d.strings[0]
	d.strings = d.strings[1:]
	*p = d.String(i)
	return p
}

// BoolPtr decodes true or false for an optional member.
func (d *Decoder) BoolPtr(i int) *bool {
	if len(d.bools) == 0 {
		d.bools = make([]bool, 16)
	}
	p := &d.bools[0]
	d.bools = d.bools[1:]
	*p = d.Bool(i)
	return p
}

// Int64Ptr decodes an integer for an optional member.
func (d *Decoder) Int64Ptr(i int) *int64 {
	if len(d.ints) == 0 {
		d.ints = make([]int64, 4)
	}
	p := &d.ints[0]
	d.ints = d.ints[1:]
	*p = d.Int64(i)
	return p
}

// Float64Ptr decodes a number for an optional member.
func (d *Decoder) Float64Ptr(i int) *float64 {
	if len(d.floats) == 0 {
		d.floats = make([]float64, 4)
	}
	p := &d.floats[0]
	d.floats = d.floats[1:]
	*p = d.Float64(i)
	return p
}
