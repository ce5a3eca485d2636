package jsonrt

import (
	"math/big"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// ordered lists numbers of rising value; those in one group are equal.
var ordered = [][]string{
	{"-1e100000000000000000000001"},
	{"-1e100000000000000000000000", "-10e99999999999999999999999", "-0.01e100000000000000000000002"},
	{"-9223372036854775809", "-9223372036854775809.000"},
	{"-9223372036854775808", "-9.223372036854775808E18"},
	{"-100", "-1e2", "-100.0", "-1000e-1"},
	{"-1.0000000000000000000001"},
	{"-1", "-1.0", "-10e-1"},
	{"-1e-9223372036854775808"},
	{"-1e-99999999999999999999", "-10e-100000000000000000000"},
	{"0", "-0", "0.0", "-0.0e5", "0e99999999999999999999", "0E-99999999999999999999"},
	{"1e-100000000000000000000", "10e-100000000000000000001"},
	{"1e-9223372036854775809", "0.1e-9223372036854775808"},
	{"1e-9223372036854775808", "0.1e-9223372036854775807"},
	{"1e-999999999999999999", "0.001e-999999999999999996", "1000e-1000000000000000002"},
	{"0.01", "1e-2", "0.1e-1", "0.010"},
	{"0.1", "1e-1", "0.10000"},
	{"0.99999999999999999999999999"},
	{"1", "1.0", "1e0", "10e-1", "0.1e1", "1e+0", "1e-0", "1e00000000000000000000000000"},
	{"1.00000000000000000001"},
	{"12.34", "1.234e1", "1234E-2", "12.3400"},
	{"12.345"},
	{"99"},
	{"100", "1e2", "1E+2", "0.1e3"},
	{"101"},
	{"9007199254740992"},
	{"9007199254740993", "9007199254740993.0"},
	{"999999999999999999"},
	{"1000000000000000000", "1e18"},
	{"9223372036854775807"},
	{"9223372036854775808", "9.223372036854775808e18"},
	{"18446744073709551616"},
	{"1e400"},
	{"1e10000000"},
	{"1e9223372036854775806", "0.1e9223372036854775807", "10e9223372036854775805"},
	{"1e9223372036854775807", "0.1e9223372036854775808"},
	{"1e9999999999999999999", "0.001e10000000000000000002"},
	{"1e10000000000000000000", "1000e9999999999999999997"},
	{"1e100000000000000000000"},
}

func TestCompareNumberIsExact(t *testing.T) {
	for i, group := range ordered {
		for _, limit := range group {
			d := MustDecimal(limit)
			require.Equal(t, limit, d.String())
			for j, others := range ordered {
				want := 0
				if j < i {
					want = -1
				} else if j > i {
					want = 1
				}
				for _, text := range others {
					require.Equal(t, want, CompareNumber([]byte(text), &d), "%s against %s", text, limit)
					require.Equal(t, want == 0, EqualNumber([]byte(text), []byte(limit)), "%s = %s", text, limit)
				}
			}
		}
	}
}

func TestCompareIntIsExact(t *testing.T) {
	for i, group := range ordered {
		limit, err := strconv.ParseInt(group[0], 10, 64)
		if err != nil {
			continue
		}
		for j, others := range ordered {
			d := MustDecimal(group[0])
			for _, text := range others {
				require.Equal(t, CompareNumber([]byte(text), &d), CompareInt([]byte(text), limit), "%s against %d", text, limit)
				require.Equal(t, i == j, CompareInt([]byte(text), limit) == 0)
			}
		}
	}
}

func TestIsInteger(t *testing.T) {
	for _, text := range []string{
		"0", "-0", "1", "-1", "1.0", "1e3", "10e-1", "1.5e1", "120.00e-1", "0.0", "0e-5", "0.5e1",
		"18446744073709551616", "1e400", "1e10000000", "1e99999999999999999999", "-12300e-2",
	} {
		require.True(t, IsInteger([]byte(text)), text)
	}
	for _, text := range []string{
		"1.5", "1e-1", "-0.1", "123e-3", "1e-10000000", "1e-99999999999999999999", "0.1e0",
		"123456789012345678901234567890.5", "10.5e-1",
	} {
		require.False(t, IsInteger([]byte(text)), text)
	}
}

func TestMultipleOf(t *testing.T) {
	for _, c := range []struct {
		divisor string
		yes, no []string
	}{
		{"1", []string{"0", "7", "-7", "7.0", "1e3", "10e-1", "1e99999999999999999999"}, []string{"0.5", "1e-1", "1e-99999999999999999999"}},
		{"2", []string{"0", "10", "-4", "1e308", "1e10000000", "4.0"}, []string{"7", "1", "-3", "2.5"}},
		{"7", []string{"7", "-14", "7e10000000", "0.7e1", "49e5", "0e7"}, []string{"1e10000000", "1", "8", "3.5"}},
		{"-7", []string{"7", "-14"}, []string{"1"}},
		{"0.01", []string{"19.99", "0.02", "1", "1e-2", "4.10", "-0.07", "1e10000000"}, []string{"0.001", "0.015", "1e-3"}},
		{"0.0001", []string{"0.0075"}, []string{"0.00751"}},
		{"1.5", []string{"0", "4.5", "3", "1.50", "15e-1"}, []string{"35", "1", "0.5"}},
		{"0.123456789", []string{"1.23456789", "0.123456789"}, []string{"1e308"}},
		{"1e-8", []string{"12391239123", "0.00000001"}, []string{"0.000000001"}},
		{"16", []string{"1e4", "16e9999999999", "48"}, []string{"1e3", "8"}},
		{"1e3", []string{"1000", "5e3", "0"}, []string{"100", "500", "1500"}},
		{"1e99999999999999999998", []string{"1e99999999999999999998", "1e99999999999999999999"}, []string{"1e99999999999999999997", "1"}},
		{"3e99999999999999999998", []string{"6e99999999999999999999"}, []string{"1e99999999999999999999"}},
		{"1e-99999999999999999999", []string{"1", "1e-99999999999999999998"}, []string{"1e-99999999999999999999999"}},
		{"9007199254740993", []string{"9007199254740993", "90071992547409930"}, []string{"9007199254740992"}},
		{"123456789012345678901", []string{"123456789012345678901", "246913578024691357802", "123456789012345678901e5", "12345678901234567890.1e1", "0"}, []string{"1", "123456789012345678902", "1e10000000", "12345678901234567890.1"}},
		{"1267650600228229401496703205376", []string{"1e100", "1267650600228229401496703205376", "1e10000000000"}, []string{"1e99", "1"}},
		{"0", []string{"0", "0.0"}, []string{"1", "1e5"}},
	} {
		d := MustDecimal(c.divisor)
		for _, text := range c.yes {
			require.True(t, MultipleOf([]byte(text), &d), "%s / %s", text, c.divisor)
		}
		for _, text := range c.no {
			require.False(t, MultipleOf([]byte(text), &d), "%s / %s", text, c.divisor)
		}
	}
}

func TestMustDecimalRefusesWhatIsNoNumber(t *testing.T) {
	for _, text := range []string{"", "-", "01", "+1", ".5", "1.", "1e", "1 ", " 1", "NaN", `"1"`, "[1]", "true"} {
		require.Panics(t, func() { MustDecimal(text) }, text)
	}
}

// TestNumberCostIsLinear gives every function numbers that would ruin it if it expanded
// exponents or were quadratic in the digits.
func TestNumberCostIsLinear(t *testing.T) {
	const n = 100_000
	digits := strings.Repeat("7", n)
	texts := []string{
		digits, "-" + digits, "0." + digits, digits + "." + digits,
		"0." + strings.Repeat("0", n) + "1", "1" + strings.Repeat("0", n), "0.0e" + digits,
		"1e" + digits, "1e-" + digits, "1e" + strings.Repeat("0", n) + "5", digits + "e-" + digits,
		digits + "E9999999999", "1e9999999999", "7e-9999999999", "1e1" + strings.Repeat("0", n), "1e-1" + strings.Repeat("0", n),
	}
	var limits []*Decimal
	for _, text := range []string{"0", "3.7", "1e10000000", "1e-10000000", "123456789012345678901e7", "1e99999999999999999999"} {
		d := MustDecimal(text)
		limits = append(limits, &d)
	}
	start := time.Now()
	for _, text := range texts {
		for _, limit := range limits {
			CompareNumber([]byte(text), limit)
			MultipleOf([]byte(text), limit)
		}
		CompareInt([]byte(text), 7)
		IsInteger([]byte(text))
		require.True(t, EqualNumber([]byte(text), append([]byte(nil), text...)))
	}
	// Some 400 passes over 100,000 digits take a fraction of a second. Anything quadratic takes
	// hours.
	require.Less(t, time.Since(start), time.Minute)
}

func TestNumbersDoNotAllocate(t *testing.T) {
	limit, integer, step := MustDecimal("3.25"), MustDecimal("100"), MustDecimal("0.01")
	texts := [][]byte{[]byte("42"), []byte("-17.25"), []byte("1.5e10"), []byte("123456789012345678901234567890")}
	allocs := testing.AllocsPerRun(100, func() {
		for _, text := range texts {
			CompareNumber(text, &limit)
			CompareNumber(text, &integer)
			CompareInt(text, 7)
			IsInteger(text)
			MultipleOf(text, &step)
			MultipleOf(text, &integer)
			EqualNumber(text, texts[0])
		}
	})
	require.Zero(t, allocs)
}

// FuzzNumber compares every function with math/big, on numbers whose exponent that can bear.
func FuzzNumber(f *testing.F) {
	for _, group := range ordered {
		f.Add(group[0], group[len(group)-1])
	}
	f.Add("19.99", "0.01")
	f.Add("1e30", "123456789012345678901")
	f.Fuzz(func(t *testing.T, a, b string) {
		x, y := rational(a), rational(b)
		if x == nil || y == nil {
			return
		}
		d := MustDecimal(b)
		require.Equal(t, x.Cmp(y), CompareNumber([]byte(a), &d))
		require.Equal(t, x.Cmp(y) == 0, EqualNumber([]byte(a), []byte(b)))
		require.Equal(t, x.IsInt(), IsInteger([]byte(a)))
		if limit, err := strconv.ParseInt(b, 10, 64); err == nil {
			require.Equal(t, x.Cmp(y), CompareInt([]byte(a), limit))
		}
		multiple := x.Sign() == 0
		if y.Sign() != 0 {
			multiple = new(big.Rat).Quo(x, y).IsInt()
		}
		require.Equal(t, multiple, MultipleOf([]byte(a), &d))
	})
}

// rational is the value of a JSON number with a moderate exponent; nil for any other text.
func rational(text string) *big.Rat {
	defer func() { _ = recover() }()
	MustDecimal(text)
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if exponent, err := strconv.Atoi(text[i+1:]); err != nil || exponent > 500 || exponent < -500 {
			return nil
		}
	}
	r, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return r
}

func BenchmarkNumber(b *testing.B) {
	limit, step := MustDecimal("0.5"), MustDecimal("0.01")
	for _, text := range []string{"42", "19.99", "1.5e10", "12345678901234567890"} {
		data := []byte(text)
		b.Run("CompareInt/"+text, func(b *testing.B) {
			for b.Loop() {
				CompareInt(data, 1000)
			}
		})
		b.Run("CompareNumber/"+text, func(b *testing.B) {
			for b.Loop() {
				CompareNumber(data, &limit)
			}
		})
		b.Run("MultipleOf/"+text, func(b *testing.B) {
			for b.Loop() {
				MultipleOf(data, &step)
			}
		})
	}
}
