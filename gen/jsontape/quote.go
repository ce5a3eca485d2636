package jsontape

import (
	"bytes"
	"unicode/utf8"
)

// AppendUnquoted appends the value of a JSON string, given as its valid text with quotes,
// to dst. A lone surrogate becomes its WTF-8 form, as in Str.
func AppendUnquoted(dst, quoted []byte) []byte {
	return appendUnescaped(dst, quoted[1:len(quoted)-1])
}

// appendUnescaped is AppendUnquoted for the text between the quotes.
func appendUnescaped(dst, text []byte) []byte {
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return append(dst, text...)
		}
		dst = append(dst, text[:i]...)
		if c := text[i+1]; c == '"' || c == '\\' { // most of what is escaped in JSON in a string
			dst = append(dst, c)
			text = text[i+2:]
			continue
		}
		r, size := unescape(text[i:])
		dst = appendWTF8(dst, r)
		text = text[i+size:]
	}
}

// equalUnescaped reports whether the text between the quotes of a string has the value s.
func equalUnescaped(text []byte, s string) bool {
	var buf [utf8.UTFMax]byte
	for {
		i := bytes.IndexByte(text, '\\')
		if i < 0 {
			return string(text) == s
		}
		if len(s) < i || string(text[:i]) != s[:i] {
			return false
		}
		r, size := unescape(text[i:])
		s = s[i:]
		c := appendWTF8(buf[:0], r)
		if len(s) < len(c) || s[:len(c)] != string(c) {
			return false
		}
		s = s[len(c):]
		text = text[i+size:]
	}
}

// unescape decodes the valid escape sequence at the start of b: its code point, which may
// be a surrogate where its partner is missing, and its length.
func unescape(b []byte) (r rune, size int) {
	switch c := b[1]; c {
	case 'b':
		return '\b', 2
	case 'f':
		return '\f', 2
	case 'n':
		return '\n', 2
	case 'r':
		return '\r', 2
	case 't':
		return '\t', 2
	case 'u':
	default:
		return rune(c), 2
	}
	r = hex4(b[2:])
	if r>>10 == 0xD800>>10 && len(b) >= 12 && b[6] == '\\' && b[7] == 'u' {
		if s := hex4(b[8:]); s>>10 == 0xDC00>>10 {
			return (r-0xD800)<<10 + (s - 0xDC00) + 0x10000, 12
		}
	}
	return r, 6
}

func hex4(b []byte) rune {
	return rune(unhex(b[0]))<<12 | rune(unhex(b[1]))<<8 | rune(unhex(b[2]))<<4 | rune(unhex(b[3]))
}

// appendWTF8 is utf8.AppendRune that encodes surrogates too.
func appendWTF8(dst []byte, r rune) []byte {
	if r>>11 == 0xD800>>11 {
		return append(dst, byte(0xE0|r>>12), byte(0x80|r>>6&0x3F), byte(0x80|r&0x3F))
	}
	return utf8.AppendRune(dst, r)
}

const hexDigits = "0123456789abcdef"

// AppendQuoted appends s as a JSON string with quotes to dst. Only what must be escaped
// is: quote, backslash and control characters. A surrogate in WTF-8 form becomes its \u
// escape, so that a string from Str stays what it was; what else is not UTF-8 becomes
// U+FFFD, byte by byte.
func AppendQuoted(dst []byte, s string) []byte {
	dst = append(dst, '"')
	done := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= 0x20 && c < 0x80 && c != '"' && c != '\\' {
			i++
			continue
		}
		size := 1
		if c >= 0x80 {
			var r rune
			r, size = utf8.DecodeRuneInString(s[i:])
			if r != utf8.RuneError || size != 1 {
				i += size
				continue
			}
		}
		dst = append(dst, s[done:i]...)
		switch {
		case c >= 0x80:
			if isSurrogate(s[i:]) {
				size = 3
				dst = append(dst, '\\', 'u', 'd', hexDigits[s[i+1]>>2&15], hexDigits[s[i+1]&3<<2|s[i+2]>>4&3], hexDigits[s[i+2]&15])
			} else {
				dst = append(dst, "\uFFFD"...)
			}
		case c == '"', c == '\\':
			dst = append(dst, '\\', c)
		case c == '\b':
			dst = append(dst, `\b`...)
		case c == '\f':
			dst = append(dst, `\f`...)
		case c == '\n':
			dst = append(dst, `\n`...)
		case c == '\r':
			dst = append(dst, `\r`...)
		case c == '\t':
			dst = append(dst, `\t`...)
		default:
			dst = append(dst, '\\', 'u', '0', '0', hexDigits[c>>4], hexDigits[c&15])
		}
		i += size
		done = i
	}
	return append(append(dst, s[done:]...), '"')
}

// isSurrogate reports whether s starts with a surrogate in WTF-8 form.
func isSurrogate(s string) bool {
	return len(s) >= 3 && s[0] == 0xED && s[1]&0xE0 == 0xA0 && s[2]&0xC0 == 0x80
}
