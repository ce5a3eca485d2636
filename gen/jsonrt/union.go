package jsonrt

import (
	"encoding/json"
	"errors"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Union is a value of one of several types, kept as JSON. Generated types embed it and add
// an As method for every type that the schema allows. The zero Union is absent: encoding/json
// leaves it out with the tag option omitzero.
type Union struct {
	raw json.RawMessage
	err error // of the encoding in UnionOf
}

// Raw is the value as it is; nil where it is absent. It must not be changed.
func (u Union) Raw() json.RawMessage { return u.raw }

// IsZero reports whether the value is absent.
func (u Union) IsZero() bool { return u.raw == nil && u.err == nil }

// IsNull reports whether the value is null.
func (u Union) IsNull() bool { return len(u.raw) == 4 && string(u.raw) == "null" }

// SetNull makes null the value.
func (u *Union) SetNull() { *u = Union{raw: json.RawMessage("null")} }

// MarshalJSON gives the value.
func (u Union) MarshalJSON() ([]byte, error) {
	e := NewEncoder()
	e.Union(u)
	return e.AppendTo(nil)
}

// UnmarshalJSON takes any JSON value.
func (u *Union) UnmarshalJSON(data []byte) error { return UnmarshalUnion(data, nil, u) }

// UnmarshalUnion decodes data into u, after checking it where check is not nil.
func UnmarshalUnion(data []byte, check CheckFunc, u *Union) error {
	return Unmarshal(data, check, func(d *Decoder, i int) { *u = d.Union(i) })
}

// Union keeps the value at token i.
//
//go:noinline
func (d *Decoder) Union(i int) Union { return Union{raw: d.Raw(i)} }

// Union writes the value. An absent one is an error.
func (e *Encoder) Union(u Union) {
	switch {
	case u.err != nil:
		e.Fail(u.err)
	case u.raw == nil:
		e.Missing()
	default:
		e.comma()
		e.buf = append(e.buf, u.raw...)
	}
}

// As decodes the value where it is of one of the kinds and passes the check. It reports false
// where it does not, or where the value does not fit the Go type.
func As[T any](u Union, kinds Types, check CheckFunc, decode func(*Decoder, int) T) (v T, ok bool) {
	ok = u.as(kinds, check, func(d *Decoder, i int) { v = decode(d, i) })
	if !ok {
		v = *new(T)
	}
	return v, ok
}

func (u Union) as(kinds Types, check CheckFunc, decode func(*Decoder, int)) bool {
	return u.raw != nil && kinds&(1<<firstKind(u.raw)) != 0 && Unmarshal(u.raw, check, decode) == nil
}

// firstKind is the kind of a JSON value, by its first byte.
func firstKind(raw []byte) jsontape.Kind {
	switch raw[0] {
	case '{':
		return jsontape.Object
	case '[':
		return jsontape.Array
	case '"':
		return jsontape.String
	case 't':
		return jsontape.True
	case 'f':
		return jsontape.False
	case 'n':
		return jsontape.Null
	}
	return jsontape.Number
}

// UnionOf is the value that encode writes. An error of encode shows when the Union is encoded.
//
//go:noinline
func UnionOf(encode func(*Encoder)) Union {
	e := NewEncoder()
	encode(e)
	raw, err := e.AppendTo(nil)
	return Union{raw: raw, err: err}
}

// errGap is what becomes of an array with an element left out.
var errGap = errors.New("an element of an array is absent, but a later one is not")

// After notes an error where an element before is missing.
//
//go:noinline
func (e *Encoder) After(missing bool) {
	if missing {
		e.Fail(errGap)
	}
}
