package extract

import "encoding/binary"

// Searches that stop often look at eight bytes at a time: calls of bytes.IndexByte cost more than
// what they find in a recording, where a quote or a backslash stands every few bytes.
const (
	low  = 0x0101010101010101 // times b: the byte b in every place
	high = 0x8080808080808080
)

// word is b[at:at+8], the first byte in the lowest place.
func word(b []byte, at int) uint64 { return binary.LittleEndian.Uint64(b[at:]) }

// zeros marks the bytes of w that are 0, each by its top bit. Above the lowest mark there may be
// false ones; below it there is none.
func zeros(w uint64) uint64 { return (w - low) &^ w & high }
