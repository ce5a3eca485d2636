package jsontape

import (
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Reason sorts the faults a document can have.
type Reason uint8

const (
	// ReasonSyntax: the text breaks the grammar of RFC 8259.
	ReasonSyntax Reason = iota + 1
	// ReasonUTF8: the text is not UTF-8.
	ReasonUTF8
	// ReasonDepth: arrays and objects nest deeper than Options.MaxDepth.
	ReasonDepth
	// ReasonSize: the document has 4 GiB or more, which offsets of 32 bits can't express.
	ReasonSize
)

// SyntaxError says where and why a document is refused.
type SyntaxError struct {
	Offset int // of the first byte that can't be accepted; len(data) where more was expected
	Reason Reason
	Msg    string // plain English without the offset: "expected a value, found ']'"
}

// Error gives the message with the offset before it.
func (e *SyntaxError) Error() string {
	return "byte " + strconv.Itoa(e.Offset) + ": " + e.Msg
}

// fault is what the reader notes when it stops. The words are found later, by explain.
type fault struct {
	at   int
	what what
}

// what says what the reader wanted when it stopped.
type what uint8

const (
	noFault what = iota
	wantValue
	wantElement     // after ','
	wantFirst       // element or ']' after '['
	wantFirstMember // name or '}' after '{'
	wantMember      // name after ','
	wantColon
	wantAfterElement
	wantAfterMember
	wantEnd
	wantLiteral // at its first letter
	wantDigitInteger
	wantDigitFraction
	wantDigitExponent
	noLeadingZero
	inString // control character or end of the document
	wantEscape
	wantHex
	badUTF8
	tooDeep
	tooLarge
)

// expected words each fault that is an expectation.
var expected = [...]string{
	wantValue:         "a value",
	wantElement:       "a value after ','",
	wantFirst:         "a value or ']' after '['",
	wantFirstMember:   "a member name in double quotes or '}' after '{'",
	wantMember:        "a member name in double quotes after ','",
	wantColon:         "':' after a member name",
	wantAfterElement:  "',' or ']' after an element",
	wantAfterMember:   "',' or '}' after a member",
	wantEnd:           "the end of the document after the value",
	wantLiteral:       "a value",
	wantDigitInteger:  "a digit after '-'",
	wantDigitFraction: "a digit after '.'",
	wantDigitExponent: "a digit in the exponent",
	wantEscape:        `one of "\/bfnrtu after '\'`,
	wantHex:           `four hexadecimal digits after '\u'`,
}

// explain words a fault. tokens are those of the containers still open and of the values
// before the fault.
func explain(data []byte, tokens []Token, f fault, o Options) *SyntaxError {
	e := &SyntaxError{Offset: f.at, Reason: ReasonSyntax}
	switch f.what {
	case tooLarge:
		e.Reason = ReasonSize
		e.Msg = fmt.Sprintf("the document has %d bytes; at most %d can be read", len(data), uint32(math.MaxUint32))
		return e
	case tooDeep:
		limit, _ := o.limits()
		e.Reason = ReasonDepth
		e.Msg = fmt.Sprintf("arrays and objects nest deeper than %d levels", limit)
		return e
	case noLeadingZero:
		e.Msg = "a number must not have leading zeros"
		return e
	}
	if f.what == badUTF8 || f.at < len(data) && !utf8.FullRune(data[f.at:]) || f.at < len(data) && invalidAt(data[f.at:]) {
		e.Reason = ReasonUTF8
		e.Msg = fmt.Sprintf("invalid UTF-8: found byte 0x%02X", data[f.at])
		return e
	}
	if f.what == inString {
		if f.at == len(data) {
			e.Msg = "the document ends inside a string"
		} else {
			e.Msg = "a control character inside a string must be escaped, found " + found(data, f.at)
		}
		return e
	}
	if f.at == len(data) {
		e.Msg = "the document ends too early: expected " + expected[f.what]
		return e
	}
	e.Msg = "expected " + expected[f.what] + ", found " + found(data, f.at)
	return e
}

func invalidAt(b []byte) bool {
	r, n := utf8.DecodeRune(b)
	return r == utf8.RuneError && n == 1
}

// found words what stands at data[at:].
func found(data []byte, at int) string {
	c := data[at]
	if c < 0x20 || c == 0x7f {
		return fmt.Sprintf("byte 0x%02X", c)
	}
	r, n := utf8.DecodeRune(data[at:])
	if r == '\uFEFF' {
		return "a byte order mark"
	}
	return "'" + string(data[at:at+n]) + "'"
}
