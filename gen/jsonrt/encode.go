package jsonrt

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"sync"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Encoder writes JSON. Generated methods use it like this:
//
//	e := jsonrt.NewEncoder()
//	v.encode(e)
//	return e.AppendTo(dst)
//
// Its methods write one value each and put commas where they belong. The first Go value that
// JSON cannot express, or the schema never allows, is noted with its place. AppendTo, Validate
// and Check give the note as the error, an *EncodeError. One of them has to be called in the
// end, and nothing after it: the Encoder's memory serves the next one.
type Encoder struct {
	buf  []byte
	keys []string // memory for Keys
	err  error
}

// encoders keeps warm Encoders, so that encoding costs no allocation but that of the result.
var encoders = sync.Pool{New: func() any { return new(Encoder) }}

// maxKeptBytes bounds what a pooled Encoder may hold on to: enough for a document of one or two
// megabytes, which would otherwise be copied several times while its memory grows.
const maxKeptBytes = 4 << 20

// NewEncoder is an Encoder that has written nothing yet.
func NewEncoder() *Encoder { return encoders.Get().(*Encoder) }

// AppendTo appends what was written to dst. With an error it gives dst as it is.
func (e *Encoder) AppendTo(dst []byte) ([]byte, error) {
	defer e.release()
	if e.err != nil {
		return dst, e.err
	}
	return append(dst, e.buf...), nil
}

// Validate checks what was written against the schema. The error can also be one that
// Schema.Validate gives.
func (e *Encoder) Validate(s *Schema) error { return e.validate(s.Check, s) }

// Check is Validate for a value inside a message.
func (e *Encoder) Check(check CheckFunc) error { return e.validate(check, nil) }

func (e *Encoder) validate(check CheckFunc, s *Schema) error {
	defer e.release()
	if e.err != nil {
		return e.err
	}
	c := checkers.Get().(*Checker)
	defer c.release()
	if err := c.own.Parse(e.buf, jsontape.Options{}); err != nil {
		return err
	}
	return c.run(context.Background(), &c.own, 0, check, s)
}

func (e *Encoder) release() {
	clear(e.keys) // they belong to the message
	kept := Encoder{buf: e.buf[:0], keys: e.keys[:0]}
	if cap(kept.buf) > maxKeptBytes {
		kept.buf = nil
	}
	if cap(kept.keys) > maxKeptTokens {
		kept.keys = nil
	}
	*e = kept
	encoders.Put(e)
}

// Fail notes an error of the value that would be written next.
func (e *Encoder) Fail(err error) {
	if e.err == nil {
		e.err = failure(e.buf, err)
	}
}

// comma ends the value before, if there is one in the same array or object.
func (e *Encoder) comma() {
	if n := len(e.buf); n > 0 {
		switch e.buf[n-1] {
		case '{', '[', ':':
		default:
			e.buf = append(e.buf, ',')
		}
	}
}

// Object starts an object; End('}') ends it.
//
//go:noinline
func (e *Encoder) Object() {
	e.comma()
	e.buf = append(e.buf, '{')
}

// Array starts an array; End(']') ends it.
//
//go:noinline
func (e *Encoder) Array() {
	e.comma()
	e.buf = append(e.buf, '[')
}

// End closes an array or object.
//
//go:noinline
func (e *Encoder) End(bracket byte) { e.buf = append(e.buf, bracket) }

// Member starts a member. quoted is its name as JSON text.
//
//go:noinline
func (e *Encoder) Member(quoted string) {
	e.comma()
	e.buf = append(e.buf, quoted...)
	e.buf = append(e.buf, ':')
}

// Name starts a member whose name is only known at run time. One that JSON cannot hold is an
// error: two of them could come out as one.
func (e *Encoder) Name(name string) {
	e.comma()
	start := len(e.buf)
	e.buf = jsontape.AppendQuoted(e.buf, name)
	bad := !utf8.ValidString(name) && unquote(e.buf[start:]) != name // a lone surrogate is good
	e.buf = append(e.buf, ':')
	if bad {
		e.Fail(fmt.Errorf("the member name %q is not UTF-8", name))
	}
}

// Repeated notes that AdditionalProperties holds the name just written, which a field has.
//
//go:noinline
func (e *Encoder) Repeated() { e.Fail(errRepeated) }

var errRepeated = errors.New("AdditionalProperties holds a member that has a field of its own; set the field instead")

// Null writes null.
//
//go:noinline
func (e *Encoder) Null() {
	e.comma()
	e.buf = append(e.buf, "null"...)
}

// NullValue writes null, as the value of a type that has no other.
func (e *Encoder) NullValue(NullValue) { e.Null() }

// Bool writes true or false.
//
//go:noinline
func (e *Encoder) Bool(b bool) {
	e.comma()
	e.buf = strconv.AppendBool(e.buf, b)
}

// String writes a string. Surrogates in WTF-8 form become \u escapes, what else is not UTF-8
// becomes U+FFFD.
func (e *Encoder) String(s string) {
	e.comma()
	e.buf = jsontape.AppendQuoted(e.buf, s)
}

// Int64 writes an integer.
func (e *Encoder) Int64(n int64) {
	e.comma()
	e.buf = strconv.AppendInt(e.buf, n, 10)
}

// Uint64 writes an integer.
func (e *Encoder) Uint64(n uint64) {
	e.comma()
	e.buf = strconv.AppendUint(e.buf, n, 10)
}

// Float64 writes the shortest number that reads back as f. NaN and infinities are errors.
func (e *Encoder) Float64(f float64) {
	if math.IsNaN(f) || math.IsInf(f, 0) {
		e.Fail(fmt.Errorf("JSON has no number %v", f))
	}
	e.comma()
	format := byte('f')
	if abs := math.Abs(f); abs != 0 && (abs < 1e-6 || abs >= 1e21) {
		format = 'e'
	}
	e.buf = strconv.AppendFloat(e.buf, f, format, -1, 64)
}

// Number writes a number as it is. The empty json.Number is 0, as in encoding/json.
func (e *Encoder) Number(n json.Number) {
	if n == "" {
		n = "0"
	}
	if !isNumber(n) {
		e.Fail(fmt.Errorf("the json.Number %q is not a JSON number", string(n)))
	}
	e.comma()
	e.buf = append(e.buf, n...)
}

// Raw writes a value as it is. A nil RawMessage is null, as in encoding/json.
func (e *Encoder) Raw(raw json.RawMessage) {
	if raw == nil {
		e.Null()
		return
	}
	if err := jsontape.Valid(raw); err != nil {
		e.Fail(fmt.Errorf("a json.RawMessage is not JSON: %w", err))
	}
	e.comma()
	e.buf = append(e.buf, raw...)
}

// errMissing is what becomes of a required value that is not there.
var errMissing = errors.New("a required value is nil")

// Missing notes that a required value is nil where null is not allowed.
//
//go:noinline
func (e *Encoder) Missing() {
	e.Fail(errMissing)
	e.Null()
}

// The Opt methods write a member whose value a pointer holds, and nothing where it is nil.

// OptString writes an optional member.
func (e *Encoder) OptString(quoted string, s *string) {
	if s != nil {
		e.Member(quoted)
		e.String(*s)
	}
}

// OptBool writes an optional member.
func (e *Encoder) OptBool(quoted string, b *bool) {
	if b != nil {
		e.Member(quoted)
		e.Bool(*b)
	}
}

// OptInt64 writes an optional member.
func (e *Encoder) OptInt64(quoted string, n *int64) {
	if n != nil {
		e.Member(quoted)
		e.Int64(*n)
	}
}

// OptUint64 writes an optional member.
func (e *Encoder) OptUint64(quoted string, n *uint64) {
	if n != nil {
		e.Member(quoted)
		e.Uint64(*n)
	}
}

// OptFloat64 writes an optional member.
func (e *Encoder) OptFloat64(quoted string, f *float64) {
	if f != nil {
		e.Member(quoted)
		e.Float64(*f)
	}
}

// OptText writes an optional member whose absence is the empty string.
func (e *Encoder) OptText(quoted, s string) {
	if s != "" {
		e.Member(quoted)
		e.String(s)
	}
}

// OptNumber writes an optional member whose absence is the empty json.Number.
func (e *Encoder) OptNumber(quoted string, n json.Number) {
	if n != "" {
		e.Member(quoted)
		e.Number(n)
	}
}

// OptRaw writes an optional member whose absence is nil.
func (e *Encoder) OptRaw(quoted string, raw json.RawMessage) {
	if raw != nil {
		e.Member(quoted)
		e.Raw(raw)
	}
}

// OptUnion writes an optional member whose absence is the zero Union.
func (e *Encoder) OptUnion(quoted string, u Union) {
	if !u.IsZero() {
		e.Member(quoted)
		e.Union(u)
	}
}

// Keys are the keys of a map in the order in which they are written: sorted by bytes, as
// encoding/json does. They stand in memory of the Encoder.
func Keys[V any](e *Encoder, m map[string]V) []string {
	if len(m) == 0 {
		return nil
	}
	start := len(e.keys)
	e.keys = slices.Grow(e.keys, len(m))
	for k := range m {
		e.keys = append(e.keys, k)
	}
	keys := e.keys[start:]
	slices.Sort(keys)
	return keys
}

// OrderedKeys are the keys of a map: those in order first, in that order, then the others,
// sorted.
func OrderedKeys[V any](e *Encoder, m map[string]V, order []string) []string {
	if len(order) == 0 || len(m) == 0 {
		return Keys(e, m)
	}
	start := len(e.keys)
	e.keys = slices.Grow(e.keys, len(m))
	for _, k := range order {
		if _, there := m[k]; there {
			e.keys = append(e.keys, k)
		}
	}
	if len(e.keys)-start == len(m) {
		return e.keys[start:] // the names of a document are distinct
	}
	keys := slices.Clone(e.keys[start:])
	known := make(map[string]bool, len(keys))
	for _, k := range keys {
		known[k] = true
	}
	for _, k := range Keys(e, m) {
		if !known[k] {
			keys = append(keys, k)
		}
	}
	return keys
}
