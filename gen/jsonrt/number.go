package jsonrt

import (
	"bytes"
	"cmp"
	"math/bits"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Numbers are compared as written, in decimal: never through float64, which rounds, and
// never by raising ten to an exponent that a payload chose. Every function here costs time
// linear in the length of the text; numbers without exponent and of up to 18 digits take a shortcut.

// number is a JSON number (RFC 8259 section 6) taken apart: its value is
// ±0.DIGITS × 10^magnitude, where DIGITS begins and ends with a digit other than 0. Zero has
// no digits. One value has exactly one such form, however it was written.
type number struct {
	digits    digits
	magnitude magnitude
	negative  bool
}

// digits are the significant digits of a number: those of head, then those of tail. They
// are two pieces of the original text, because a decimal point may stand between them.
type digits struct{ head, tail []byte }

func (d digits) len() int { return len(d.head) + len(d.tail) }

// compare orders digits as the fractions 0.DIGITS. Neither ends with 0, so a proper prefix
// is the smaller one.
func (d digits) compare(e digits) int {
	for d.len() > 0 && e.len() > 0 {
		if len(d.head) == 0 {
			d.head, d.tail = d.tail, nil
		}
		if len(e.head) == 0 {
			e.head, e.tail = e.tail, nil
		}
		n := min(len(d.head), len(e.head))
		if c := bytes.Compare(d.head[:n], e.head[:n]); c != 0 {
			return c
		}
		d.head, e.head = d.head[n:], e.head[n:]
	}
	return cmp.Compare(d.len(), e.len())
}

// parseNumber takes apart text, which must be a valid JSON number. It allocates only for an
// exponent beyond int64.
func parseNumber(text []byte) number {
	var n number
	if text[0] == '-' {
		n.negative = true
		text = text[1:]
	}
	i := 0
	for i < len(text) && isDigit(text[i]) {
		i++
	}
	whole, rest := text[:i], text[i:]
	var fraction, exponent []byte
	if len(rest) > 0 && rest[0] == '.' {
		i = 1
		for i < len(rest) && isDigit(rest[i]) {
			i++
		}
		fraction, rest = rest[1:i], rest[i:]
	}
	if len(rest) > 0 {
		exponent = rest[1:] // after "e" or "E"
	}

	// Leading zeros: JSON allows one before the point, any number after it.
	shift := int64(len(whole))
	if whole[0] == '0' {
		whole = nil
		trimmed := bytes.TrimLeft(fraction, "0")
		shift = int64(len(trimmed) - len(fraction))
		fraction = trimmed
	}
	fraction = bytes.TrimRight(fraction, "0")
	if len(fraction) == 0 {
		whole = bytes.TrimRight(whole, "0")
	}
	n.digits = digits{whole, fraction}
	if n.digits.len() == 0 {
		return number{}
	}
	n.magnitude = addToExponent(exponent, shift)
	return n
}

// sign is -1, 0 or 1.
func (n *number) sign() int {
	switch {
	case n.digits.len() == 0:
		return 0
	case n.negative:
		return -1
	}
	return 1
}

func (n *number) compare(m *number) int {
	sign := n.sign()
	if c := cmp.Compare(sign, m.sign()); c != 0 || sign == 0 {
		return c
	}
	c := n.magnitude.compare(m.magnitude)
	if c == 0 {
		c = n.digits.compare(m.digits)
	}
	return c * sign
}

// isInteger reports whether no significant digit stands behind the decimal point.
func (n *number) isInteger() bool {
	return n.magnitude.compare(magnitude{small: int64(n.digits.len())}) >= 0
}

// maxFastDigits is how many decimal digits always fit in an int64.
const maxFastDigits = 18

// short is a number written without an exponent and with at most 18 digits:
// ±mantissa / 10^scale. Nearly every number is one, and they compare without being taken
// apart any further.
type short struct {
	mantissa uint64
	scale    uint8
	negative bool
}

// parseShort reads text, which must be a valid JSON number; ok is false if it is not short.
func parseShort(text []byte) (s short, ok bool) {
	if text[0] == '-' {
		s.negative = true
		text = text[1:]
	}
	if len(text) > maxFastDigits {
		return s, false
	}
	point := len(text)
	for i, c := range text {
		switch {
		case isDigit(c):
			s.mantissa = s.mantissa*10 + uint64(c-'0')
		case c == '.':
			point = i + 1
		default:
			return s, false
		}
	}
	s.scale = uint8(len(text) - point)
	return s, true
}

func (s short) compare(o short) int {
	if s.negative != o.negative {
		switch {
		case s.mantissa|o.mantissa == 0:
			return 0
		case s.negative:
			return -1
		}
		return 1
	}
	if s.negative {
		s, o = o, s
	}
	if s.scale == o.scale {
		return cmp.Compare(s.mantissa, o.mantissa)
	}
	sHigh, sLow := bits.Mul64(s.mantissa, pow10[o.scale])
	oHigh, oLow := bits.Mul64(o.mantissa, pow10[s.scale])
	if c := cmp.Compare(sHigh, oHigh); c != 0 {
		return c
	}
	return cmp.Compare(sLow, oLow)
}

// pow10 holds the powers of ten that fit in an int64.
var pow10 = [maxFastDigits + 1]uint64{
	1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18,
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// Decimal is an exact decimal constant of a schema, parsed once. The zero value is not
// useful; use MustDecimal.
type Decimal struct {
	text    string
	number  number
	short   short // the same, if isShort
	isShort bool
	divisor divisor
}

// MustDecimal parses a JSON number as it stands in a schema. It panics if text is not one:
// only generated code calls it, with text that the compiler has read.
func MustDecimal(text string) Decimal {
	data := []byte(text)
	if jsontape.Valid(data) != nil || data[0] != '-' && !isDigit(data[0]) || !isDigit(data[len(data)-1]) {
		panic("jsonrt: not a JSON number: " + strconv.Quote(text)) //nolint:forbidigo // a Must function, called with the text of a schema
	}
	d := Decimal{text: text, number: parseNumber(data)}
	d.short, d.isShort = parseShort(data)
	d.divisor = newDivisor(&d.number)
	return d
}

// String gives the number as it was written.
func (d *Decimal) String() string { return d.text }

// CompareNumber compares text, a valid JSON number, with limit and returns -1, 0 or 1. It is
// exact for every exponent.
func CompareNumber(text []byte, limit *Decimal) int {
	if limit.isShort {
		if s, ok := parseShort(text); ok {
			return s.compare(limit.short)
		}
	}
	n := parseNumber(text)
	return n.compare(&limit.number)
}

// CompareInt compares text, a valid JSON number, with limit and returns -1, 0 or 1. It is
// exact for every number, also one with a fraction or an exponent.
func CompareInt(text []byte, limit int64) int {
	if len(text) > maxFastDigits {
		return compareIntExactly(text, limit)
	}
	value, digits := int64(0), text
	if text[0] == '-' {
		digits = text[1:]
	}
	for _, c := range digits {
		if !isDigit(c) {
			return compareIntExactly(text, limit)
		}
		value = value*10 + int64(c-'0')
	}
	if text[0] == '-' {
		value = -value
	}
	return cmp.Compare(value, limit)
}

func compareIntExactly(text []byte, limit int64) int {
	if s, ok := parseShort(text); ok {
		size := uint64(limit)
		if limit < 0 {
			size = -size
		}
		return s.compare(short{mantissa: size, negative: limit < 0})
	}
	var buffer [20]byte
	n, m := parseNumber(text), parseNumber(strconv.AppendInt(buffer[:0], limit, 10))
	return n.compare(&m)
}

// IsInteger reports whether text, a valid JSON number, has an integral value: 1, 1.0, 1e3,
// 10e-1 and -0 do, 1.5 and 1e-1 don't.
func IsInteger(text []byte) bool {
	if s, ok := parseShort(text); ok {
		return s.mantissa%pow10[s.scale] == 0
	}
	n := parseNumber(text)
	return n.isInteger()
}

// EqualNumber reports whether two valid JSON numbers have the same value.
func EqualNumber(a, b []byte) bool {
	s, ok := parseShort(a)
	o, both := parseShort(b)
	if ok && both {
		return s.compare(o) == 0
	}
	n, m := parseNumber(a), parseNumber(b)
	return n.compare(&m) == 0
}
