package toolkit

import (
	"bytes"
	"context"
	stdjson "encoding/json"
	"errors"
	"math/big"
	"reflect"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	jsonv1 "github.com/go-json-experiment/json/v1"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/runtimeschema"
)

// Values that are not of generated types are encoded by encoding/json, and decoded by its second
// version, which does the same but can be told to be exact: names count as they are written, none
// is repeated, and an escape that stands for no character is an error.
var decoding = json.JoinOptions(jsonv1.DefaultOptionsV1(),
	json.MatchCaseInsensitiveNames(false),
	jsontext.AllowDuplicateNames(false),
	jsontext.AllowInvalidUTF8(false),
	jsonv1.ReportErrorsWithLegacySemantics(false),
)

// numbers decodes json.Number, of which the second version knows only its own.
var numbers = json.WithUnmarshalers(json.UnmarshalFromFunc(readNumber))

func readNumber(d *jsontext.Decoder, n *stdjson.Number) error {
	if d.PeekKind() != jsontext.KindNumber {
		return errors.ErrUnsupported
	}
	text, err := d.ReadValue()
	*n = stdjson.Number(text)
	return err
}

// decoder makes the function that checks and decodes the arguments of a call. t is the tape that
// they stand on, at token v; nil where there is none.
func decoder[In any](input *side) func(ctx context.Context, data []byte, t *jsontape.Tape, v int) (In, error) {
	generated := input.schema.Message != nil && input.schema.Type == reflect.TypeFor[In]()
	raw := reflect.TypeFor[In]() == rawMessage
	options := decoding
	if holds(reflect.TypeFor[In](), reflect.TypeFor[stdjson.Number](), nil) {
		options = json.JoinOptions(decoding, numbers)
	}
	fill := newFiller(reflect.TypeFor[In](), nil)
	return func(ctx context.Context, data []byte, t *jsontape.Tape, v int) (in In, err error) {
		if generated {
			var m jsonrt.Message
			if t != nil {
				m, err = input.schema.DecodeTape(ctx, t, v)
			} else {
				m, err = input.schema.Decode(data)
			}
			if err == nil {
				in = m.(In) //nolint:forcetypeassert // the schema's type is In
			}
			return in, err
		}
		if t != nil {
			err = input.schema.ValidateTape(ctx, t, v)
		} else {
			err = input.schema.Validate(data)
		}
		switch {
		case err != nil:
			return in, err
		case raw:
			reflect.ValueOf(&in).Elem().SetBytes(bytes.Clone(data)) // the message's memory is for the next one
			return in, nil
		case fill != nil && t != nil:
			if fill(reflect.ValueOf(&in).Elem(), t, v) {
				return in, nil
			}
			reflect.ValueOf(&in).Elem().SetZero()
		}
		return in, decode(data, &in, options)
	}
}

// decode decodes a document that was checked. The error is a *jsonrt.ValidationError.
func decode(data []byte, into any, options json.Options) error {
	err := json.Unmarshal(data, into, options)
	if semantic := new(json.SemanticError); errors.As(err, &semantic) && errors.Is(err, strconv.ErrSyntax) {
		// Schemas take 1.0 and 1e3 for integers, the library does not.
		reflect.ValueOf(into).Elem().SetZero()
		err = json.Unmarshal(data, into, decoding, integers)
	}
	if err == nil {
		return nil
	}
	return &jsonrt.ValidationError{Details: undecoded(err)}
}

// undecoded words why a document that was checked can't be decoded into its Go type.
func undecoded(err error) []jsonrt.Detail {
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.As(err, &semantic):
		at := string(semantic.JSONPointer)
		var inner *jsonrt.ValidationError
		if errors.As(err, &inner) {
			details := make([]jsonrt.Detail, len(inner.Details))
			for i, d := range inner.Details {
				d.Path = at + d.Path
				details[i] = d
			}
			return details
		}
		return []jsonrt.Detail{{Path: at, Message: unfit(semantic)}}
	case errors.As(err, &syntactic):
		return []jsonrt.Detail{{Path: string(syntactic.JSONPointer), Message: `has an escape such as \ud800 that stands for no character`}}
	}
	return []jsonrt.Detail{{Message: "has a value that this tool can't take"}}
}

// unfit words why a value does not fit its Go type.
func unfit(e *json.SemanticError) string {
	if e.GoType == nil {
		return "is no value that this tool can take"
	}
	switch k := e.GoType.Kind(); {
	case reflect.Int <= k && k <= reflect.Int64:
		if bits := e.GoType.Bits(); errors.Is(e.Err, strconv.ErrRange) {
			most := new(big.Int).Lsh(big.NewInt(1), uint(bits-1))
			return "must be from -" + most.String() + " to " + most.Sub(most, big.NewInt(1)).String()
		}
		return "must be written as an integer, without a fraction and an exponent"
	case reflect.Uint <= k && k <= reflect.Uint64:
		if bits := e.GoType.Bits(); errors.Is(e.Err, strconv.ErrRange) || bytes.HasPrefix(e.JSONValue, []byte("-")) {
			most := new(big.Int).Lsh(big.NewInt(1), uint(bits))
			return "must be from 0 to " + most.Sub(most, big.NewInt(1)).String()
		}
		return "must be written as an integer, without a fraction and an exponent"
	case e.GoType == reflect.TypeFor[[]byte]():
		return "must be base64 (RFC 4648, section 4)"
	case k == reflect.Float32, k == reflect.Float64:
		return "must be within the range of a " + strconv.Itoa(e.GoType.Bits()) + "-bit float"
	}
	return "is no value that this tool can take"
}

// integers takes numbers such as 1.0 and 1e3 for integers.
var integers = json.WithUnmarshalers(json.JoinUnmarshalers(
	integer[int](), integer[int8](), integer[int16](), integer[int32](), integer[int64](),
	json.UnmarshalFromFunc(readNumber),
	integer[uint](), integer[uint8](), integer[uint16](), integer[uint32](), integer[uint64](),
))

func integer[T int | int8 | int16 | int32 | int64 | uint | uint8 | uint16 | uint32 | uint64]() *json.Unmarshalers {
	return json.UnmarshalFromFunc(func(d *jsontext.Decoder, v *T) error {
		if d.PeekKind() != jsontext.KindNumber {
			return errors.ErrUnsupported
		}
		text, err := d.ReadValue()
		if err != nil {
			return err
		}
		n, ok := new(big.Rat), runtimeschema.Comparable(text)
		if ok {
			n, ok = n.SetString(string(text))
		}
		if !ok || !n.IsInt() {
			return &json.SemanticError{GoType: reflect.TypeFor[T](), JSONValue: bytes.Clone(text), Err: strconv.ErrSyntax}
		}
		signed, unsigned := n.Num().Int64(), n.Num().Uint64()
		if *v = T(signed); n.Num().IsInt64() && int64(*v) == signed && (signed < 0) == (*v < 0) {
			return nil
		}
		if *v = T(unsigned); n.Num().IsUint64() && uint64(*v) == unsigned && *v >= 0 {
			return nil
		}
		return &json.SemanticError{GoType: reflect.TypeFor[T](), JSONValue: bytes.Clone(text), Err: strconv.ErrRange}
	})
}

// holds reports whether values of a type can hold one of another type. above are the types that it
// is part of.
func holds(t, other reflect.Type, above []reflect.Type) bool {
	if t == other {
		return true
	}
	if slices.Contains(above, t) {
		return false
	}
	above = append(above[:len(above):len(above)], t)
	switch t.Kind() { //nolint:exhaustive // the other kinds hold nothing
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return holds(t.Elem(), other, above)
	case reflect.Struct:
		for i := range t.NumField() {
			if holds(t.Field(i).Type, other, above) {
				return true
			}
		}
	}
	return false
}

// encode gives the JSON of a value: that of a json.RawMessage and of a generated type byte for
// byte.
func encode(value any) ([]byte, error) {
	switch v := value.(type) {
	case stdjson.RawMessage:
		if v == nil {
			return []byte("null"), nil
		}
		return v, nil
	case jsonrt.Message:
		if p := reflect.ValueOf(v); p.Kind() == reflect.Pointer && p.IsNil() {
			return []byte("null"), nil
		}
		return v.AppendJSON(nil)
	}
	var b bytes.Buffer
	e := stdjson.NewEncoder(&b)
	e.SetEscapeHTML(false)
	err := e.Encode(value)
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), err
}
