package jsonrt

import (
	"bytes"
	"encoding/json"
)

// Optional is a member that may be absent, null, or have a value, where a schema allows all
// three. The zero Optional is absent; with the tag option omitzero encoding/json leaves it
// out.
type Optional[T any] struct {
	value T
	state state
}

type state uint8

const (
	absent state = iota
	isNull
	present
)

// Some is an Optional with a value.
func Some[T any](value T) Optional[T] { return Optional[T]{value: value, state: present} }

// NullOf is an Optional that is null.
func NullOf[T any]() Optional[T] { return Optional[T]{state: isNull} }

// Get gives the value. It reports false, with the zero value, for null and absent.
func (o Optional[T]) Get() (value T, ok bool) { return o.value, o.state == present }

// IsNull reports whether the member is there and null.
func (o Optional[T]) IsNull() bool { return o.state == isNull }

// IsZero reports whether the member is absent.
func (o Optional[T]) IsZero() bool { return o.state == absent }

// MarshalJSON encodes the value, or null. An absent Optional is null too where its place
// cannot be left out.
func (o Optional[T]) MarshalJSON() ([]byte, error) {
	if o.state != present {
		return []byte("null"), nil
	}
	return json.Marshal(o.value)
}

// UnmarshalJSON decodes null or a value.
func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	if bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		*o = NullOf[T]()
		return nil
	}
	var value T
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	*o = Some(value)
	return nil
}

// NullValue is the type of a value that can only be null.
type NullValue struct{}

// MarshalJSON gives null.
func (NullValue) MarshalJSON() ([]byte, error) { return []byte("null"), nil }

// UnmarshalJSON refuses everything but null.
func (*NullValue) UnmarshalJSON(data []byte) error {
	if !bytes.Equal(bytes.TrimSpace(data), []byte("null")) {
		return &DecodeError{Message: "must be null"}
	}
	return nil
}
