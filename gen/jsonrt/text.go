package jsonrt

import (
	"bytes"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// RuneCount gives the length that minLength and maxLength count: the code points of the
// string (or member name) at token i, after unescaping. An escaped surrogate pair counts
// one, and so does a surrogate that has no partner. It does not allocate, and a string
// written in plain ASCII costs nothing.
func RuneCount(t *jsontape.Tape, i int) int {
	token := &t.Tokens[i]
	if token.Flags&(jsontape.Escaped|jsontape.NonASCII) == 0 {
		return int(token.End-token.Start) - 2
	}
	text := quotedText(t, i)
	if token.Flags&jsontape.Escaped == 0 {
		return utf8.RuneCount(text)
	}
	count := 0
	for len(text) > 0 {
		plain := bytes.IndexByte(text, '\\')
		if plain < 0 {
			return count + utf8.RuneCount(text)
		}
		count += utf8.RuneCount(text[:plain]) + 1
		_, size := unescape(text[plain:])
		text = text[plain+size:]
	}
	return count
}

// quotedText is what stands between the quotes of the string at token i.
func quotedText(t *jsontape.Tape, i int) []byte {
	token := &t.Tokens[i]
	return t.Data[token.Start+1 : token.End-1]
}

// unescape decodes the escape sequence at the start of text (RFC 8259 section 7), which must
// be valid. Two escapes that form a surrogate pair are one; a lone surrogate stays one.
func unescape(text []byte) (r rune, size int) {
	switch text[1] {
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
		r = hex4(text[2:6])
		if utf16.IsSurrogate(r) && len(text) >= 12 && text[6] == '\\' && text[7] == 'u' {
			if pair := utf16.DecodeRune(r, hex4(text[8:12])); pair != utf8.RuneError {
				return pair, 12
			}
		}
		return r, 6
	}
	return rune(text[1]), 2 // a quote, a backslash or a slash stands for itself
}

func hex4(text []byte) rune {
	var r rune
	for _, c := range text {
		switch {
		case isDigit(c):
			c -= '0'
		default:
			c = c | 0x20 - 'a' + 10
		}
		r = r<<4 | rune(c)
	}
	return r
}

// nextRune decodes the first code point of text, what stands between the quotes of a string.
func nextRune(text []byte) (r rune, size int) {
	if text[0] == '\\' {
		return unescape(text)
	}
	return utf8.DecodeRune(text)
}

// appendRune appends r in UTF-8, a lone surrogate in the same form (WTF-8), so that distinct
// strings stay distinct.
func appendRune(dst []byte, r rune) []byte {
	if utf16.IsSurrogate(r) {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}

// compareText orders two strings, given as what stands between their quotes, by their code
// points after unescaping; escaped says whether either of them may hold an escape.
func compareText(a, b []byte, escaped bool) int {
	if !escaped {
		return bytes.Compare(a, b) // the order of UTF-8 is that of the code points
	}
	for len(a) > 0 && len(b) > 0 {
		r, n := nextRune(a)
		s, m := nextRune(b)
		if r != s {
			return int(r - s)
		}
		a, b = a[n:], b[m:]
	}
	return len(a) - len(b)
}

// compareStrings orders the strings (or names) at two tokens by their code points.
func compareStrings(t *jsontape.Tape, i int, u *jsontape.Tape, j int) int {
	escaped := (t.Tokens[i].Flags|u.Tokens[j].Flags)&jsontape.Escaped != 0
	return compareText(quotedText(t, i), quotedText(u, j), escaped)
}

// equalStrings reports whether the strings (or names) at two tokens are equal after
// unescaping.
func equalStrings(t *jsontape.Tape, i int, u *jsontape.Tape, j int) bool {
	a, b := quotedText(t, i), quotedText(u, j)
	if (t.Tokens[i].Flags|u.Tokens[j].Flags)&jsontape.Escaped == 0 {
		return bytes.Equal(a, b)
	}
	return compareText(a, b, true) == 0
}
