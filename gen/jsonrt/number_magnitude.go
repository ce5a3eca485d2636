package jsonrt

import (
	"bytes"
	"cmp"
	"strconv"
)

// magnitude is an integer that came out of a number's exponent, which has no bounds. Its
// form is unique: wide is used only where small does not suffice.
type magnitude struct {
	small int64
	wide  string // decimal text of a value outside int64, without leading zeros; else ""
}

// addToExponent gives exponent + shift, where exponent is the text after a number's "e" (or
// empty) and |shift| is below 2^33. It is linear in the length of the text.
func addToExponent(exponent []byte, shift int64) magnitude {
	if len(exponent) == 0 {
		return magnitude{small: shift}
	}
	negative := exponent[0] == '-'
	if negative || exponent[0] == '+' {
		exponent = exponent[1:]
	}
	exponent = bytes.TrimLeft(exponent, "0")
	if len(exponent) <= maxFastDigits {
		value := int64(0)
		for _, c := range exponent {
			value = value*10 + int64(c-'0')
		}
		if negative {
			value = -value
		}
		return magnitude{small: value + shift}
	}

	// Schoolbook addition on the decimal text. The exponent is at least 10^18, far larger
	// than |shift|: the sign stays, only the size grows or shrinks.
	if negative {
		shift = -shift
	}
	text := append([]byte{'-', '0'}, exponent...)
	for i := len(text) - 1; shift != 0; i-- {
		shift += int64(text[i] - '0')
		digit := shift % 10
		shift /= 10
		if digit < 0 {
			digit += 10
			shift--
		}
		text[i] = byte('0' + digit)
	}
	text = append(text[:1], bytes.TrimLeft(text[1:], "0")...)
	if !negative {
		text = text[1:]
	}
	if len(text) <= len("-9223372036854775808") {
		if small, err := strconv.ParseInt(string(text), 10, 64); err == nil {
			return magnitude{small: small}
		}
	}
	return magnitude{wide: string(text)}
}

// add gives m + shift, where |shift| is below 2^33.
func (m magnitude) add(shift int64) magnitude {
	if sum := m.small + shift; m.wide == "" && (sum > m.small) == (shift > 0) {
		return magnitude{small: sum}
	}
	return addToExponent([]byte(m.String()), shift)
}

func (m magnitude) compare(o magnitude) int {
	if m.wide == "" && o.wide == "" {
		return cmp.Compare(m.small, o.small)
	}
	if c := cmp.Compare(m.rank(), o.rank()); c != 0 {
		return c
	}
	c := cmp.Compare(len(m.wide), len(o.wide))
	if c == 0 {
		c = cmp.Compare(m.wide, o.wide)
	}
	return c * m.rank()
}

// rank is 0 for a value within int64, -1 for one below and 1 for one above.
func (m magnitude) rank() int {
	switch {
	case m.wide == "":
		return 0
	case m.wide[0] == '-':
		return -1
	}
	return 1
}

// over gives m - o, or limit if the difference is larger; ok is false if it is negative.
// limit must lie in [0, 2^33).
func (m magnitude) over(o magnitude, limit int64) (difference int64, ok bool) {
	if m.compare(o) < 0 {
		return 0, false
	}
	if m.compare(o.add(limit)) >= 0 {
		return limit, true
	}
	// The difference is small, so the last 18 digits of both give it.
	difference = m.lastDigits() - o.lastDigits()
	if difference < 0 {
		difference += pow18
	}
	return difference % pow18, true
}

const pow18 = 1_000_000_000_000_000_000 // 10^18

// lastDigits is a value in (-10^18, 10^18) congruent to m modulo 10^18.
func (m magnitude) lastDigits() int64 {
	if m.wide == "" {
		return m.small % pow18
	}
	value := int64(0)
	for _, c := range []byte(m.wide[len(m.wide)-maxFastDigits:]) {
		value = value*10 + int64(c-'0')
	}
	return value * int64(m.rank())
}

func (m magnitude) String() string {
	if m.wide != "" {
		return m.wide
	}
	return strconv.FormatInt(m.small, 10)
}
