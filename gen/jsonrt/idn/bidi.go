package idn

import "golang.org/x/text/unicode/bidi"

func bidiClass(r rune) bidi.Class {
	properties, _ := bidi.LookupRune(r)
	return properties.Class()
}

// hasRightToLeft reports whether a label holds a character of a script that is written from
// right to left.
func hasRightToLeft(label string) bool {
	for _, r := range label {
		switch bidiClass(r) {
		case bidi.R, bidi.AL, bidi.AN:
			return true
		default:
		}
	}
	return false
}

// bidiRule is the Bidi Rule for one label (RFC 5893 section 2).
func bidiRule(label string) bool {
	runes := []rune(label)
	first := bidiClass(runes[0])
	rightToLeft := first == bidi.R || first == bidi.AL
	if !rightToLeft && first != bidi.L {
		return false // 1
	}
	var european, arabic bool
	last := first
	for _, r := range runes {
		class := bidiClass(r)
		switch class {
		case bidi.ES, bidi.CS, bidi.ET, bidi.ON, bidi.BN, bidi.NSM:
		case bidi.EN:
			european = true
		case bidi.AN:
			arabic = true
			if !rightToLeft {
				return false // 5
			}
		case bidi.R, bidi.AL:
			if !rightToLeft {
				return false // 5
			}
		case bidi.L:
			if rightToLeft {
				return false // 2
			}
		default:
			return false // 2 and 5
		}
		if class != bidi.NSM {
			last = class
		}
	}
	if rightToLeft {
		// 3 and 4
		return (last == bidi.R || last == bidi.AL || last == bidi.EN || last == bidi.AN) && (!european || !arabic)
	}
	return last == bidi.L || last == bidi.EN // 6
}
