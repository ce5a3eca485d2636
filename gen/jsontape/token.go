// Package jsontape reads one JSON document (RFC 8259) strictly and indexes it.
//
// A Tape is a flat slice of fixed-size tokens over the caller's own bytes: nothing is
// copied and, once the slice has grown, nothing is allocated. The exact text of every
// value stays at hand, so numbers can be compared as written and a value can be handed
// on byte for byte.
package jsontape

// Kind is the JSON type of a token.
type Kind uint8

// The kinds of token. Invalid is the kind of the zero Token and never stands on a tape.
const (
	Invalid Kind = iota
	Null
	False
	True
	Number
	String
	Object
	Array
)

// String gives the name that JSON Schema uses for the type: "boolean" for False and True.
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case False, True:
		return "boolean"
	case Number:
		return "number"
	case String:
		return "string"
	case Object:
		return "object"
	case Array:
		return "array"
	case Invalid:
	}
	return "invalid"
}

// Flags say what the reader noticed about a token's text.
type Flags uint8

const (
	// Escaped marks a string that holds at least one backslash escape.
	Escaped Flags = 1 << iota
	// NonASCII marks a string that holds at least one byte ≥ 0x80.
	NonASCII
	// Integer marks a number written without fraction and exponent: -?(0|[1-9][0-9]*).
	Integer
)

// Token describes one value, or one member name, of the document.
//
// The token of an array is followed by the tokens of its elements; the token of an object
// by name, value, name, value, … Next of a name is the index of its value.
type Token struct {
	Start uint32 // data[Start:End] is the exact text; a string includes its quotes
	End   uint32
	Next  uint32 // index of the token after this value and everything inside it
	Kind  Kind
	Flags Flags

	unsure uint8 // 1 for an object in which a name may be repeated, see RepeatedName
}
