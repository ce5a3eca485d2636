package jsontape

import (
	"bytes"
	"fmt"
	"math"
	"strconv"
	"unicode/utf8"
)

// Reason sorts the faults that a document can have.
type Reason uint8

const (
	// ReasonSyntax says that the text breaks the grammar of RFC 8259.
	ReasonSyntax Reason = iota + 1
	// ReasonUTF8 says that the text is not UTF-8.
	ReasonUTF8
	// ReasonDepth says that arrays and objects nest deeper than Options.MaxDepth.
	ReasonDepth
	// ReasonSize says that the document has 4 GiB or more: its offsets don't fit a Token.
	ReasonSize
)

// SyntaxError says where and why a document is refused.
type SyntaxError struct {
	// Offset is the number of bytes before the first one that can't be accepted. It is the
	// length of the document where the document ends too early.
	Offset int
	// Reason is the sort of fault.
	Reason Reason
	// Msg is plain English: what was expected, and what was found instead.
	Msg string
}

// Error gives the offset and the message: "byte 17: expected a value, found ']'".
func (e *SyntaxError) Error() string {
	return "byte " + strconv.Itoa(e.Offset) + ": " + e.Msg
}

// fault is what the reader notes when it stops.
type fault struct {
	at    int
	cause cause
}

// cause is what the reader wanted when it stopped.
type cause uint8

const (
	noFault     cause = iota
	wantValue         // a value, or what may follow an opening bracket
	wantName          // a member name
	wantColon         // ':' after a member name
	wantNext          // what may follow a value
	wantDigit         // the first digit of a part of a number
	leadingZero       // a digit after the first digit 0
	inString          // a character of a string
	wantEscape        // the character after a backslash
	wantHex           // a hexadecimal digit after \u
	notUTF8           // a character of a string, and the byte is not UTF-8
	tooDeep           // at an opening bracket
	tooLarge          // before reading
)

// explain words the fault of a run over data.
func (r *reader) explain(data []byte) *SyntaxError {
	at, cause := r.fault.at, r.fault.cause
	e := &SyntaxError{Offset: at, Reason: ReasonSyntax}
	switch {
	case cause == tooLarge:
		e.Reason = ReasonSize
		e.Msg = fmt.Sprintf("the document has %d bytes, at most %d can be read", len(data), uint32(math.MaxUint32))
	case cause == tooDeep:
		e.Reason = ReasonDepth
		e.Msg = fmt.Sprintf("arrays and objects nest more than %d deep", r.maxDepth)
	case at == len(data):
		e.Msg = r.explainEnd(data, cause)
	case cause == notUTF8 || !isUTF8(data[at:]):
		e.Reason = ReasonUTF8
		e.Msg = fmt.Sprintf("expected UTF-8, found byte 0x%02X", data[at])
		if at == 0 && (bytes.HasPrefix(data, []byte{0xFE, 0xFF}) || bytes.HasPrefix(data, []byte{0xFF, 0xFE})) {
			e.Msg = "expected UTF-8, found UTF-16"
		}
	case cause == inString:
		e.Msg = fmt.Sprintf("expected a control character in a string to be escaped, found %s; write %s", found(data[at:]), AppendQuoted(nil, string(data[at:at+1])))
	case cause == leadingZero:
		e.Msg = "expected a number without leading zeros, found " + found(data[at:]) + " after the first 0"
	default:
		e.Msg = "expected " + r.expected(data, cause) + ", found " + found(data[at:])
	}
	return e
}

// explainEnd words a fault at the end of the document.
func (r *reader) explainEnd(data []byte, cause cause) string {
	if cause == inString || cause == wantEscape || cause == wantHex {
		return fmt.Sprintf("the document ends inside the string that starts at byte %d", r.tokens[r.used].Start)
	}
	msg := "the document ends too early"
	if r.open != none {
		k := &r.tokens[r.open]
		msg = fmt.Sprintf("the document ends inside the %v that starts at byte %d", k.Kind, k.Start)
	} else if before(data, len(data)) == 0 {
		msg = "the document is empty"
	}
	return msg + ": expected " + r.expected(data, cause)
}

// expected words what the grammar has in the place of the fault.
func (r *reader) expected(data []byte, cause cause) string {
	in := Invalid
	if r.open != none {
		in = r.tokens[r.open].Kind
	}
	last := before(data, r.fault.at)
	switch {
	case cause == wantColon:
		return "':' after a member name"
	case cause == wantNext && in == Object:
		return "',' or '}' after a member"
	case cause == wantNext && in == Array:
		return "',' or ']' after an element"
	case cause == wantNext:
		return "the end of the document after its value"
	case cause == wantDigit:
		return "a digit after '" + string(last) + "' in a number"
	case cause == wantEscape:
		return `one of "\/bfnrtu after '\' in a string`
	case cause == wantHex:
		return `four hexadecimal digits after '\u' in a string`
	// A value or a name, or the end of a container that has none yet.
	case last == '{':
		return "a member name in double quotes or '}' after '{'"
	case cause == wantName:
		return "a member name in double quotes after ','"
	case last == '[':
		return "a value or ']' after '['"
	case last == 0:
		return "a value"
	default:
		return "a value after '" + string(last) + "'"
	}
}

// before is the last byte of data[:at] that is not white space, or 0 where there is none.
func before(data []byte, at int) byte {
	text := bytes.TrimRight(data[:at], " \n\t\r")
	if len(text) == 0 {
		return 0
	}
	return text[len(text)-1]
}

func isUTF8(b []byte) bool {
	r, size := utf8.DecodeRune(b)
	return r != utf8.RuneError || size > 1
}

// found words what stands at the start of b: a word, for a misspelt literal, or one
// character.
func found(b []byte) string {
	n := 0
	for n < len(b) && n < 20 && (b[n]|0x20 >= 'a' && b[n]|0x20 <= 'z') {
		n++
	}
	if n > 1 {
		return strconv.Quote(string(b[:n]))
	}
	switch r, _ := utf8.DecodeRune(b); {
	case r == '\uFEFF':
		return "a byte order mark"
	case r == '\'':
		return `"'"`
	case !strconv.IsPrint(r):
		return fmt.Sprintf("%U", r)
	default:
		return "'" + string(r) + "'"
	}
}
