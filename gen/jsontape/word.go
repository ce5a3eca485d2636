package jsontape

import "encoding/binary"

// The reader looks at eight bytes at a time: a little-endian word holds the first of them
// in its lowest byte, and a mask has the top bit of every byte that was found.
const (
	low  = 0x0101010101010101 // times b: the byte b in every place
	high = 0x8080808080808080
)

// load is the word at data[p:]. Places beyond the end of data hold 0, which is neither
// part of a string nor of a number: a search stops there.
func load(data []byte, p uint) uint64 {
	if b := data[p:]; len(b) >= 8 {
		return binary.LittleEndian.Uint64(b)
	}
	return loadTail(data, p)
}

func loadTail(data []byte, p uint) uint64 {
	var w uint64
	for i := uint(len(data)); i > p; i-- {
		w = w<<8 | uint64(data[i-1])
	}
	return w
}

// stringEnds marks the bytes that can't simply be passed over inside a string: quote,
// backslash, control characters and bytes ≥ 0x80. Above the lowest mark there may be
// false ones, as a subtraction borrows from the next byte; below it there is none.
func stringEnds(w uint64) uint64 {
	quote := (w ^ low*'"') - low
	backslash := (w ^ low*'\\') - low
	control := w - low*0x20
	return (quote | backslash | control | w) & high
}

// digitEnds marks the bytes that are no decimal digits, with the same reserve.
func digitEnds(w uint64) uint64 {
	d := w ^ low*'0'
	return (d + low*(0x80-10) | d) & high
}
