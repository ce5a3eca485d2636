package idn

import (
	"unicode"

	"golang.org/x/text/cases"
	"golang.org/x/text/unicode/norm"
)

// class is the derived property of a code point (RFC 5892 section 3).
type class uint8

const (
	disallowed class = iota // also UNASSIGNED
	permitted               // PVALID
	inContext               // CONTEXTJ and CONTEXTO
)

// classify computes the derived property from the Unicode tables of package unicode, as RFC
// 5892 section 3 prescribes.
func classify(r rune) class {
	switch r { // exceptions, section 2.6
	case 0xDF, 0x3C2, 0x6FD, 0x6FE, 0xF0B, 0x3007:
		return permitted
	case 0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB, 0x200C, 0x200D:
		return inContext
	case 0x640, 0x7FA, 0x302E, 0x302F, 0x3031, 0x3032, 0x3033, 0x3034, 0x3035, 0x303B:
		return disallowed
	}
	switch {
	case 0x660 <= r && r <= 0x669, 0x6F0 <= r && r <= 0x6F9:
		return inContext
	case r == '-', '0' <= r && r <= '9', 'a' <= r && r <= 'z':
		return permitted
	case isUnstable(r), isIgnorable(r), isOldHangulJamo(r):
		return disallowed
	case unicode.In(r, unicode.Ll, unicode.Lu, unicode.Lo, unicode.Nd, unicode.Lm, unicode.Mn, unicode.Mc):
		return permitted
	}
	return disallowed
}

// isUnstable tells code points that normalisation or case folding changes (section 2.2).
func isUnstable(r rune) bool {
	if r < 0x80 {
		return 'A' <= r && r <= 'Z'
	}
	if 0x13A0 <= r && r <= 0x13F5 {
		return false // Cherokee capitals fold to themselves, against package cases
	}
	s := string(r)
	return norm.NFKC.String(cases.Fold().String(norm.NFKC.String(s))) != s
}

// isIgnorable tells code points with ignorable properties (section 2.3) or in ignorable
// blocks (section 2.4).
func isIgnorable(r rune) bool {
	return unicode.In(r, unicode.Other_Default_Ignorable_Code_Point, unicode.Variation_Selector, unicode.Cf,
		unicode.White_Space, unicode.Noncharacter_Code_Point) ||
		0x20D0 <= r && r <= 0x20FF || 0x1D100 <= r && r <= 0x1D24F
}

// isOldHangulJamo tells the conjoining jamo (section 2.9).
func isOldHangulJamo(r rune) bool {
	return 0x1100 <= r && r <= 0x11FF || 0xA960 <= r && r <= 0xA97C || 0xD7B0 <= r && r <= 0xD7FB
}

func isMark(r rune) bool { return unicode.Is(unicode.M, r) }

// contextAllows decides a code point that is allowed only in some places (RFC 5892
// appendix A).
func contextAllows(label []rune, i int) bool {
	before, after := rune(-1), rune(-1)
	if i > 0 {
		before = label[i-1]
	}
	if i+1 < len(label) {
		after = label[i+1]
	}
	switch r := label[i]; r {
	case 0x200C: // ZERO WIDTH NON-JOINER
		return isVirama(before) || joins(label, i)
	case 0x200D: // ZERO WIDTH JOINER
		return isVirama(before)
	case 0xB7: // MIDDLE DOT, in Catalan
		return before == 'l' && after == 'l'
	case 0x375: // GREEK LOWER NUMERAL SIGN
		return unicode.Is(unicode.Greek, after)
	case 0x5F3, 0x5F4: // HEBREW PUNCTUATION GERESH and GERSHAYIM
		return unicode.Is(unicode.Hebrew, before)
	case 0x30FB: // KATAKANA MIDDLE DOT
		for _, other := range label {
			if other != r && unicode.In(other, unicode.Hiragana, unicode.Katakana, unicode.Han) {
				return true
			}
		}
		return false
	default: // ARABIC-INDIC DIGITS, not mixed with the EXTENDED ones
		for _, other := range label {
			if 0x660 <= other && other <= 0x669 && r >= 0x6F0 || 0x6F0 <= other && other <= 0x6F9 && r <= 0x669 {
				return false
			}
		}
		return true
	}
}

// isVirama tells code points whose canonical combining class is 9.
func isVirama(r rune) bool {
	return r >= 0 && norm.NFC.PropertiesString(string(r)).CCC() == 9
}
