package jsonrt

import (
	"encoding/json"
	"errors"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// A constant of a schema is written whatever the Go value, as long as that does not say
// something else: the zero value stands for the constant. So a value that Go code has made is
// complete without a word about its constants.

// Constant writes the constant with this JSON text. Where agrees is false the Go value says
// something else, which is an error.
//
//go:noinline
func (e *Encoder) Constant(agrees bool, text string) {
	if !agrees {
		e.Fail(errors.New("must be the constant " + text + "; a value that is not set stands for it"))
	}
	e.comma()
	e.buf = append(e.buf, text...)
}

// ConstantNumber is Constant for a json.Number.
func (e *Encoder) ConstantNumber(n json.Number, text string) {
	e.Constant(n == "" || isNumber(n) && EqualNumber([]byte(n), []byte(text)), text)
}

// ConstantRaw is Constant for a json.RawMessage.
func (e *Encoder) ConstantRaw(raw json.RawMessage, text string) {
	var t jsontape.Tape
	e.Constant(raw == nil || t.Parse(raw, jsontape.Options{}) == nil && t.RepeatedName(0) < 0 && isConstant(&t, 0, text), text)
}

// OptConstant writes a member whose value is a constant.
//
//go:noinline
func (e *Encoder) OptConstant(quoted, text string) {
	e.Member(quoted)
	e.Constant(true, text)
}

// ConstantOf gives v, which the value at token i was decoded to. It notes a fault where that
// value is not the constant with this JSON text, which is all that would be written again.
func ConstantOf[T any](d *Decoder, i int, text string, v T) T {
	d.constant(i, text)
	return v
}

func (d *Decoder) constant(i int, text string) {
	if !isConstant(d.tape, d.root+i, text) {
		d.Fail(i, "must be "+text)
	}
}

// isConstant reports whether the value at token i equals the one with this JSON text.
func isConstant(t *jsontape.Tape, i int, text string) bool {
	if string(t.Bytes(i)) == text {
		return true
	}
	var u jsontape.Tape
	return u.Parse([]byte(text), jsontape.Options{}) == nil && Equal(t, i, &u, 0)
}

// isNumber reports whether the text is a number of JSON and nothing else.
func isNumber(n json.Number) bool {
	if n == "" || n[0] != '-' && !isDigit(n[0]) || !isDigit(n[len(n)-1]) {
		return false
	}
	return jsontape.Valid([]byte(n)) == nil
}
