package jsonrt

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unsafe"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Number keeps the exact text of a number.
func (d *Decoder) Number(i int) json.Number {
	if d.tokens[i].Kind != jsontape.Number {
		d.want(i, "number")
		return ""
	}
	return json.Number(d.bytes(i))
}

// Float64 decodes a number to the nearest float64. One beyond the range of float64 does not
// fit, nor does an integer that would be rounded.
func (d *Decoder) Float64(i int) float64 {
	t := &d.tokens[i]
	if t.Kind != jsontape.Number {
		d.want(i, "number")
		return 0
	}
	text := d.bytes(i)
	f, err := strconv.ParseFloat(unsafe.String(unsafe.SliceData(text), len(text)), 64)
	if err != nil {
		d.Fail(i, "does not fit float64")
		return 0
	}
	const exact = 15 // every decimal of so many digits comes back from float64 as it was
	if len(text) > exact && IsInteger(text) {
		var shortest [32]byte
		if !EqualNumber(text, strconv.AppendFloat(shortest[:0], f, 'e', -1, 64)) {
			d.Fail(i, "does not fit float64, which would round the integer")
		}
	}
	return f
}

// Int64 decodes an integer, however it is written: 1.0 and 10e-1 are 1.
func (d *Decoder) Int64(i int) int64 {
	magnitude, negative, ok := d.integer(i, "int64")
	switch {
	case !ok:
	case negative && magnitude <= 1<<63:
		return -int64(magnitude)
	case !negative && magnitude <= math.MaxInt64:
		return int64(magnitude)
	default:
		d.Fail(i, "does not fit int64")
	}
	return 0
}

// Uint64 decodes an integer that is not negative, however it is written.
func (d *Decoder) Uint64(i int) uint64 {
	magnitude, negative, ok := d.integer(i, "uint64")
	switch {
	case !ok:
	case !negative || magnitude == 0:
		return magnitude
	default:
		d.Fail(i, "does not fit uint64")
	}
	return 0
}

// integer decodes sign and magnitude of an integer. It reports false, with a note, where
// there is none or its magnitude needs more than 64 bits.
func (d *Decoder) integer(i int, goType string) (magnitude uint64, negative, ok bool) {
	t := &d.tokens[i]
	if t.Kind != jsontape.Number {
		d.want(i, "integer")
		return 0, false, false
	}
	text := d.bytes(i)
	if text[0] == '-' {
		negative, text = true, text[1:]
	}
	if t.Flags&jsontape.Integer != 0 {
		magnitude, ok = decimal(text)
	} else if magnitude, ok = written(text); !ok && !IsInteger(text) {
		d.Fail(i, "must be integer")
		return 0, false, false
	}
	if !ok {
		d.Fail(i, "does not fit "+goType)
	}
	return magnitude, negative, ok
}

// decimal reads digits, as many as 64 bits hold.
func decimal(digits []byte) (n uint64, ok bool) {
	for _, c := range digits {
		digit := uint64(c - '0')
		if n > (math.MaxUint64-digit)/10 {
			return 0, false
		}
		n = n*10 + digit
	}
	return n, true
}

// written reads a number with fraction or exponent, without sign. It reports false where it
// is no integer or more than 64 bits hold. Its cost is linear in the text, whatever the
// exponent says.
func written(text []byte) (n uint64, ok bool) {
	mantissa, exponent := text, 0
	for p, c := range text {
		if c != 'e' && c != 'E' {
			continue
		}
		mantissa = text[:p]
		e, err := strconv.Atoi(strings.TrimPrefix(string(text[p+1:]), "+"))
		if err != nil {
			// Beyond int: only zero is still an integer of 64 bits, or 10^-N no integer.
			e = math.MaxInt32
			if text[p+1] == '-' {
				e = math.MinInt32
			}
		}
		exponent = min(max(e, math.MinInt32), math.MaxInt32)
		break
	}
	var digits []byte
	point := len(mantissa)
	for p, c := range mantissa {
		if c == '.' {
			point = p
			continue
		}
		digits = append(digits, c)
	}
	point += exponent // number of digits before the decimal point
	for len(digits) > 0 && digits[0] == '0' {
		digits, point = digits[1:], point-1
	}
	for len(digits) > 0 && digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	switch {
	case len(digits) == 0:
		return 0, true
	case len(digits) > point, point > 20:
		return 0, false // a digit behind the point; more digits than MaxUint64 has
	}
	for len(digits) < point {
		digits = append(digits, '0')
	}
	return decimal(digits)
}
