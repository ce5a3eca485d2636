package jsonrt

import (
	"strconv"
	"strings"
)

// ScalarText gives the one text by which a boolean, or an integer of up to 18 digits, is told from
// others: true, false, or the decimal digits, however the integer is written (1, 1.0 and 10e-1 are
// one). It reports false for any other JSON value.
func ScalarText(text []byte) (scalar string, ok bool) {
	switch text[0] {
	case 't':
		return "true", true
	case 'f':
		return "false", true
	case '-', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return integerText(text)
	}
	return "", false
}

func integerText(text []byte) (string, bool) {
	if s, ok := parseShort(text); ok {
		if s.mantissa%pow10[s.scale] != 0 {
			return "", false
		}
		whole := strconv.FormatUint(s.mantissa/pow10[s.scale], 10) // allocates from three digits on
		if s.negative && whole != "0" {
			whole = "-" + whole
		}
		return whole, true
	}
	n := parseNumber(text)
	switch {
	case n.digits.len() == 0:
		return "0", true
	case !n.isInteger() || n.magnitude.compare(magnitude{small: maxFastDigits}) > 0:
		return "", false
	}
	whole := string(n.digits.head) + string(n.digits.tail)
	whole += strings.Repeat("0", int(n.magnitude.small)-len(whole))
	if n.negative {
		whole = "-" + whole
	}
	return whole, true
}
