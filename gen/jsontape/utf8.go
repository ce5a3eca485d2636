package jsontape

// multibyte is the length of the well-formed UTF-8 sequence (Unicode 3.9, table 3-7) that
// starts at data[p] with a byte ≥ 0x80, or 0 where there is none: no overlong form, no
// surrogate, nothing above U+10FFFF.
func multibyte(data []byte, p uint) uint {
	b := data[p:]
	c := b[0]
	if len(b) < 4 {
		// Pad the tail with 0, which continues nothing.
		var tail [4]byte
		copy(tail[:], b)
		b = tail[:]
	}
	switch {
	case c < 0xC2:
		return 0
	case c < 0xE0:
		if b[1]&0xC0 == 0x80 {
			return 2
		}
	case c < 0xF0:
		// E0 must not start an overlong form, ED not a surrogate.
		if b[1]&0xC0 == 0x80 && b[2]&0xC0 == 0x80 && (c != 0xE0 || b[1] >= 0xA0) && (c != 0xED || b[1] < 0xA0) {
			return 3
		}
	case c < 0xF5:
		// F0 must not start an overlong form, F4 nothing above U+10FFFF.
		if b[1]&0xC0 == 0x80 && b[2]&0xC0 == 0x80 && b[3]&0xC0 == 0x80 && (c != 0xF0 || b[1] >= 0x90) && (c != 0xF4 || b[1] < 0x90) {
			return 4
		}
	}
	return 0
}
