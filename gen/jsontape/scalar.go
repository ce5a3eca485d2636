package jsontape

import "math/bits"

// number reads the number that starts at data[p] with '-' or a digit (RFC 8259, section 6).
// It returns the position after it and its flags, or the position of the fault.
func number(data []byte, p int) (int, Flags, cause) {
	if data[p] == '-' {
		p++
	}
	end := digits(data, p)
	if end == p {
		return p, 0, wantDigit
	}
	if data[p] == '0' && end > p+1 {
		return p + 1, 0, leadingZero
	}
	p = end
	flags := Integer
	if uint(p) < uint(len(data)) && data[p] == '.' {
		p++
		end = digits(data, p)
		if end == p {
			return p, 0, wantDigit
		}
		p = end
		flags = 0
	}
	if uint(p) < uint(len(data)) && data[p]|0x20 == 'e' {
		p++
		if uint(p) < uint(len(data)) && (data[p] == '+' || data[p] == '-') {
			p++
		}
		end = digits(data, p)
		if end == p {
			return p, 0, wantDigit
		}
		p = end
		flags = 0
	}
	return p, flags, noFault
}

// digits is the position after the digits at data[p:].
func digits(data []byte, p int) int {
	for {
		m := digitEnds(load(data, p))
		if m != 0 {
			return p + bits.TrailingZeros64(m)/8
		}
		p += 8
	}
}

func isDigit(c byte) bool {
	return c-'0' < 10
}

// stringRest reads a string from the first byte on that is not plain (see stringEnds) to
// its closing quote. It returns the position of the quote and the string's flags, or the
// position of the fault.
func stringRest(data []byte, p int) (int, Flags, cause) {
	var flags Flags
	for uint(p) < uint(len(data)) {
		switch c := data[p]; {
		case c == '"':
			return p, flags, noFault
		case c == '\\':
			flags |= Escaped
			size, cause := escape(data[p:])
			p += size
			if cause != noFault {
				return p, 0, cause
			}
		case c < ' ':
			return p, 0, inString
		case c < 0x80:
			// Plain, after an escape or a multi-byte character.
			m := stringEnds(load(data, p))
			if m == 0 {
				p += 8
			} else {
				p += bits.TrailingZeros64(m) / 8
			}
		default:
			flags |= NonASCII
			for {
				size := multibyte(uint32(load(data, p)))
				if size == 0 {
					return p, 0, notUTF8
				}
				p += size
				if uint(p) >= uint(len(data)) || data[p] < 0x80 {
					break
				}
			}
		}
	}
	return p, 0, inString
}

// escape is the length of the escape sequence that starts with the backslash b[0] (RFC
// 8259, section 7), or the index of the byte that spoils it.
func escape(b []byte) (int, cause) {
	if len(b) < 2 {
		return len(b), inString
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2, noFault
	case 'u':
		for i := 2; i < 6; i++ {
			if i >= len(b) {
				return i, inString
			}
			if unhex(b[i]) > 15 {
				return i, wantHex
			}
		}
		return 6, noFault
	}
	return 1, wantEscape
}

// unhex is the value of a hexadecimal digit, and more than 15 for every other byte.
func unhex(c byte) byte {
	switch {
	case c-'0' < 10:
		return c - '0'
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return c | 0x20 - 'a' + 10
	}
	return 0xFF
}

// multibyte is the length of the UTF-8 sequence of two to four bytes at the start of w, a
// little-endian word, or 0 where there is none (Unicode, table 3-7).
func multibyte(w uint32) int {
	switch {
	case w&0xC0E0 == 0x80C0:
		if w&0x1E != 0 { // else overlong: C0, C1
			return 2
		}
	case w&0xC0C0F0 == 0x8080E0:
		if x := w & 0x200F; x != 0 && x != 0x200D { // else overlong: E0 80…9F, or a surrogate: ED A0…BF
			return 3
		}
	case w&0xC0C0C0F8 == 0x808080F0:
		if x := w&7<<4 | w>>12&3; x != 0 && x <= 0x40 { // else overlong: F0 80…8F, or above U+10FFFF: F4 90… and F5…
			return 4
		}
	}
	return 0
}
