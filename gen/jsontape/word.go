package jsontape

import "encoding/binary"

// The reader looks at eight bytes at a time: a little-endian word holds the first of them
// in its lowest byte, and a mask has the top bit set of every byte that was found.
const (
	low  = 0x0101010101010101 // times b: the byte b in every place
	high = 0x8080808080808080
)

// load is the word at data[p:], where 0 ≤ p ≤ len(data). Places beyond the end of data
// hold 0, which is neither plain text of a string nor a digit: every search stops there.
//
// The condition is written so that the compiler drops every check of bounds, and the
// function is just small enough to be inlined.
func load(data []byte, p int) uint64 {
	if p >= 0 && p <= len(data)-8 {
		return binary.LittleEndian.Uint64(data[p:])
	}
	return loadTail(data, p)
}

// loadTail is load for the last seven positions of data.
//
//go:noinline
func loadTail(data []byte, p int) uint64 {
	if len(data) >= 8 {
		return binary.LittleEndian.Uint64(data[len(data)-8:]) >> (8 * uint(p+8-len(data)))
	}
	var w uint64
	for i := len(data) - 1; i >= p; i-- {
		w = w<<8 | uint64(data[i])
	}
	return w
}

// stringEnds marks the bytes that can't simply be passed over inside a string: quote,
// backslash, control characters and bytes ≥ 0x80. Above the lowest mark there may be
// false ones, as a subtraction borrows from the next byte; below it there is none.
func stringEnds(w uint64) uint64 {
	quote := (w ^ low*'"') - low
	backslash := (w ^ low*'\\') - low
	control := w - low*' '
	return (quote | backslash | control | w) & high
}

// digitEnds marks the bytes that are no decimal digits, with the same reserve.
func digitEnds(w uint64) uint64 {
	d := w ^ low*'0'
	return (d + low*(0x80-10) | d) & high
}
