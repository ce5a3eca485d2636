package jsonrt

import (
	"math/big"
	"math/bits"
)

// divisor is a schema's multipleOf as COEFFICIENT × 10^exponent, where the coefficient is a
// positive integer that does not end with 0. The zero value stands for 0.
type divisor struct {
	small    uint64   // the coefficient if it is below 10^18, else 0
	large    *big.Int // the coefficient otherwise
	exponent magnitude
}

func newDivisor(n *number) divisor {
	d := divisor{exponent: n.exponent()}
	if n.digits.len() <= maxFastDigits {
		d.small = n.digits.uint64()
		return d
	}
	d.large, _ = new(big.Int).SetString(string(n.digits.head)+string(n.digits.tail), 10)
	return d
}

// exponent is the power of ten of the last significant digit.
func (n *number) exponent() magnitude { return n.magnitude.add(-int64(n.digits.len())) }

// MultipleOf reports whether text, a valid JSON number, is an exact multiple of the divisor,
// whose sign does not matter. Zero is a multiple of everything, and nothing else is one of
// zero.
//
// With both written as coefficient × 10^exponent, neither coefficient ending in 0:
// a × 10^x is a multiple of b × 10^y if x ≥ y and b divides a × 10^(x-y); for x < y, a
// would have to end in 0. Factors of 10 beyond the number of bits of b add nothing, because
// b holds no more factors of 2 or 5 than that. So the cost depends on the number of digits
// alone, never on the exponents.
func MultipleOf(text []byte, divisor *Decimal) bool {
	if divisor.isShort {
		if s, ok := parseShort(text); ok {
			high, low := bits.Mul64(divisor.short.mantissa, pow10[s.scale])
			if high == 0 && low != 0 {
				valueHigh, valueLow := bits.Mul64(s.mantissa, pow10[divisor.short.scale])
				return bits.Rem64(valueHigh, valueLow, low) == 0
			}
		}
	}
	n, d := parseNumber(text), &divisor.divisor
	if n.digits.len() == 0 {
		return true
	}
	if d.large != nil {
		return n.multipleOfLarge(d)
	}
	if d.small == 0 {
		return false
	}
	shift, ok := n.exponent().over(d.exponent, int64(bits.Len64(d.small)))
	if !ok {
		return false
	}
	rest := uint64(0)
	for _, piece := range [2][]byte{n.digits.head, n.digits.tail} {
		for _, c := range piece {
			rest = timesTen(rest, uint64(c-'0'), d.small)
		}
	}
	for ; shift > 0 && rest != 0; shift-- {
		rest = timesTen(rest, 0, d.small)
	}
	return rest == 0
}

// timesTen gives (10 × rest + digit) mod modulus, for rest < modulus.
func timesTen(rest, digit, modulus uint64) uint64 {
	high, low := bits.Mul64(rest, 10)
	low, carry := bits.Add64(low, digit, 0)
	return bits.Rem64(high+carry, low, modulus)
}

// uint64 is the value of at most 18 digits, read as an integer.
func (d digits) uint64() uint64 {
	value := uint64(0)
	for _, piece := range [2][]byte{d.head, d.tail} {
		for _, c := range piece {
			value = value*10 + uint64(c-'0')
		}
	}
	return value
}

func (n *number) multipleOfLarge(d *divisor) bool {
	shift, ok := n.exponent().over(d.exponent, int64(d.large.BitLen()))
	if !ok {
		return false
	}
	// Horner's rule over pieces of 18 digits keeps every intermediate value near the size
	// of the modulus, which only the schema's author can make large.
	rest, scale, part := new(big.Int), new(big.Int), new(big.Int)
	for _, piece := range [2][]byte{n.digits.head, n.digits.tail} {
		for len(piece) > 0 {
			k := min(len(piece), maxFastDigits)
			part.SetUint64(digits{head: piece[:k]}.uint64())
			scale.SetUint64(pow10[k])
			rest.Mul(rest, scale).Add(rest, part).Rem(rest, d.large)
			piece = piece[k:]
		}
	}
	scale.Exp(big.NewInt(10), big.NewInt(shift), d.large)
	return rest.Mul(rest, scale).Rem(rest, d.large).Sign() == 0
}
