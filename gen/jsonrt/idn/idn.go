// Package idn decides the formats "hostname" and "idn-hostname" of JSON Schema. They need
// the tables of international domain names (IDNA2008, RFC 5890 to 5893), so generated code
// imports this package only for a schema that uses them.
package idn

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/net/idna"
	"golang.org/x/text/unicode/norm"
)

const (
	maxName  = 253 // octets of a name in its ASCII form, without the dot of the root
	maxLabel = 63  // octets of a label in its ASCII form
	prefix   = "xn--"
)

// Hostname decides "hostname": labels of ASCII letters, digits and hyphens as RFC 1123
// section 2.1 has them, where a label that begins with "xn--" must be a valid A-label of RFC
// 5890 section 2.3.2.1. A dot at the end is not allowed.
func Hostname(s string) bool { return valid(s, false) }

// IDNHostname decides "idn-hostname": a hostname in which labels may also be U-labels of RFC
// 5890 section 2.3.2.1, and the ideographic full stops of RFC 3490 section 3.1 count as
// dots.
func IDNHostname(s string) bool { return valid(s, true) }

func valid(s string, international bool) bool {
	if len(s) > maxName*utf8.UTFMax {
		return false
	}
	total := -1 // for the dot that the first label lacks
	rightToLeft, badDirection := false, false
	for more := true; more; {
		var label string
		label, s, more = cutLabel(s, international)
		unicodeForm, size, ok := labelForm(label, international)
		if !ok {
			return false
		}
		total += 1 + size
		rightToLeft = rightToLeft || hasRightToLeft(unicodeForm)
		badDirection = badDirection || !bidiRule(unicodeForm)
	}
	// RFC 5893 section 2: one label that is written from right to left makes the rule hold
	// for all.
	return total <= maxName && (!rightToLeft || !badDirection)
}

// cutLabel takes the first label and the dot behind it off s.
func cutLabel(s string, international bool) (label, rest string, more bool) {
	dots := "."
	if international {
		dots = ".\u3002\uff0e\uff61"
	}
	i := strings.IndexAny(s, dots)
	if i < 0 {
		return s, "", false
	}
	_, size := utf8.DecodeRuneInString(s[i:])
	return s[:i], s[i+size:], true
}

// labelForm decides one label and gives its Unicode form and the size of its ASCII form.
func labelForm(label string, international bool) (unicodeForm string, size int, ok bool) {
	if !isASCII(label) {
		if !international || !validUnicode(label) {
			return "", 0, false
		}
		ascii, err := idna.Punycode.ToASCII(label)
		return label, len(ascii), err == nil && len(ascii) <= maxLabel
	}
	if label == "" || len(label) > maxLabel || label[0] == '-' || label[len(label)-1] == '-' {
		return "", 0, false
	}
	for i := range len(label) {
		if c := label[i]; c != '-' && (c < '0' || '9' < c) && (c|0x20 < 'a' || 'z' < c|0x20) {
			return "", 0, false
		}
	}
	if len(label) < len(prefix) || !strings.EqualFold(label[:len(prefix)], prefix) {
		return label, len(label), true
	}
	// An A-label stands for exactly one U-label, and is what that becomes.
	lower := strings.ToLower(label)
	unicodeForm, err := idna.Punycode.ToUnicode(lower)
	if err != nil || isASCII(unicodeForm) || !validUnicode(unicodeForm) {
		return "", 0, false
	}
	ascii, err := idna.Punycode.ToASCII(unicodeForm)
	return unicodeForm, len(label), err == nil && ascii == lower
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// validUnicode decides a U-label (RFC 5891 section 4.2): in NFC, hyphens only inside and not
// third and fourth, no combining mark at the start, and every code point allowed in its
// place.
func validUnicode(label string) bool {
	if !utf8.ValidString(label) || !norm.NFC.IsNormalString(label) {
		return false
	}
	runes := []rune(label)
	if runes[0] == '-' || runes[len(runes)-1] == '-' || len(runes) >= 4 && runes[2] == '-' && runes[3] == '-' {
		return false
	}
	if isMark(runes[0]) {
		return false
	}
	for i, r := range runes {
		switch classify(r) {
		case permitted:
		case inContext:
			if !contextAllows(runes, i) {
				return false
			}
		case disallowed:
			return false
		}
	}
	return true
}
