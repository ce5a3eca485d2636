package example

import (
	"math/big"
	"regexp/syntax"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// formats has a value of each format (JSON Schema validation 2020-12, section 7.3).
var formats = map[string]string{
	"date-time": "2026-01-31T12:30:00Z", "date": "2026-01-31", "time": "12:30:00Z", "duration": "PT1H",
	"email": "someone@example.com", "idn-email": "someone@example.com",
	"hostname": "host.example.com", "idn-hostname": "host.example.com", "host-name": "host.example.com",
	"ipv4": "192.0.2.1", "ip-address": "192.0.2.1", "ipv6": "2001:db8::1",
	"uri": "https://example.com/", "iri": "https://example.com/", "uri-reference": "/path", "iri-reference": "/path",
	"uri-template": "https://example.com/{id}", "uuid": "123e4567-e89b-12d3-a456-426614174000",
	"json-pointer": "/member", "relative-json-pointer": "1/member", "regex": "^a+$", "color": "red",
}

// string appends a string: of the format, else of the pattern, else a word of the right
// length.
func (m *maker) string(all []int, nth int) {
	text := "text"
	if nth > 0 {
		text += strconv.Itoa(nth + 1)
	}
	least, most := m.limit(all, "minLength", 0), m.limit(all, "maxLength", 1<<20)
	for _, s := range all {
		if v := m.t.Member(s, "pattern"); v > 0 && m.t.Tokens[v].Kind == jsontape.String {
			if made, ok := matching(m.t.Str(v), nth, least); ok {
				text = made
			}
		}
	}
	for _, s := range all {
		if v := m.t.Member(s, "format"); v > 0 && m.t.Tokens[v].Kind == jsontape.String {
			if made, ok := formats[m.t.Str(v)]; ok {
				text = made
			}
		}
	}
	if short := least - utf8.RuneCountInString(text); short > 0 {
		text += strings.Repeat("x", min(short, maxBytes))
	}
	if utf8.RuneCountInString(text) > most {
		text = string([]rune(text)[:most])
	}
	m.out = jsontape.AppendQuoted(m.out, text)
}

// matching makes a string of at least so many characters, if there is one, that matches a pattern,
// as far as Go's grammar of patterns agrees with that of JSON Schema.
func matching(pattern string, nth, least int) (string, bool) {
	re, err := syntax.Parse(pattern, syntax.Perl)
	if err != nil {
		return "", false
	}
	re = re.Simplify()
	w := word{nth: nth}
	w.match(re)
	if short := min(least, maxBytes) - utf8.RuneCountInString(w.String()); short > 0 {
		w = word{nth: nth, more: short}
		w.match(re)
	}
	return w.String(), w.Len() < maxBytes
}

// word is a string that is made to match a pattern.
type word struct {
	strings.Builder
	nth  int // which of several
	more int // how often parts that may repeat do so beyond what they have to
}

// match appends what matches a part of a pattern: the least, and the first of alternatives.
func (w *word) match(re *syntax.Regexp) {
	switch re.Op {
	case syntax.OpLiteral:
		w.WriteString(string(re.Rune))
	case syntax.OpCharClass:
		w.WriteRune(member(re.Rune, w.nth))
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		w.WriteRune(rune('a' + w.nth%26))
	case syntax.OpCapture, syntax.OpConcat:
		for _, sub := range re.Sub {
			w.match(sub)
		}
	case syntax.OpPlus:
		w.match(re.Sub[0])
		w.repeat(re.Sub[0])
	case syntax.OpStar:
		w.repeat(re.Sub[0])
	case syntax.OpRepeat:
		for range min(re.Min, maxBytes) {
			w.match(re.Sub[0])
		}
	case syntax.OpAlternate:
		w.match(re.Sub[w.nth%len(re.Sub)])
	default:
		// Anchors and what may be there or not match nothing.
	}
}

// repeat appends a part as often as the string has to become longer.
func (w *word) repeat(re *syntax.Regexp) {
	for n := w.more; n > 0 && w.Len() < maxBytes; n-- {
		w.more = 0 // the first part that may repeat makes up for it
		w.match(re)
	}
}

// member is a character of a class, given as ranges: a letter or digit if it has one.
func member(ranges []rune, nth int) rune {
	for _, from := range []rune{'a', 'A', '0'} {
		for i := 0; i+1 < len(ranges); i += 2 {
			if ranges[i] <= from && from <= ranges[i+1] {
				return from + rune(nth)%(min(ranges[i+1]-from, 9)+1)
			}
		}
	}
	for i := 0; i+1 < len(ranges); i += 2 {
		if r := max(ranges[i], '!'); r <= ranges[i+1] {
			return r
		}
	}
	if len(ranges) > 0 {
		return ranges[0]
	}
	return 'x'
}

// number appends the number nearest to 1 within the limits, and a multiple of what it has to
// be one of.
func (m *maker) number(all []int, nth int, integer bool) {
	var least, most *big.Rat
	step := new(big.Rat)
	if integer {
		step.SetInt64(1)
	}
	openLeast, openMost := false, false
	for _, s := range all {
		if n, open := m.bound(s, "minimum", "exclusiveMinimum"); n != nil && (least == nil || n.Cmp(least) >= 0) {
			least, openLeast = n, open
		}
		if n, open := m.bound(s, "maximum", "exclusiveMaximum"); n != nil && (most == nil || n.Cmp(most) <= 0) {
			most, openMost = n, open
		}
		if n := m.rat(m.t.Member(s, "multipleOf")); n != nil && n.Sign() > 0 {
			step = commonMultiple(step, n)
		}
	}
	n := big.NewRat(1, 1)
	if nth > 0 {
		n.SetInt64(int64(nth + 1))
	}
	if step.Sign() == 0 {
		if n = between(n, least, most, openLeast, openMost); n == nil {
			m.failed = true
			return
		}
		m.out = append(m.out, decimal(n)...)
		return
	}
	if least != nil && n.Cmp(least) < 0 {
		n.Set(least)
	}
	if most != nil && n.Cmp(most) > 0 {
		n.Set(most)
	}
	// The nearest multiple that is not below n, or the next one below where that is too much.
	k := new(big.Rat).Quo(n, step)
	q := new(big.Rat).SetInt(floor(k))
	for _, offset := range []int64{0, 1, -1, 2} {
		candidate := new(big.Rat).Mul(new(big.Rat).Add(q, new(big.Rat).SetInt64(offset)), step)
		tooLow := least != nil && (candidate.Cmp(least) < 0 || openLeast && candidate.Cmp(least) == 0)
		tooHigh := most != nil && (candidate.Cmp(most) > 0 || openMost && candidate.Cmp(most) == 0)
		if !tooLow && !tooHigh && (offset != 0 || candidate.Sign() != 0 || n.Sign() == 0) {
			m.out = append(m.out, decimal(candidate)...)
			return
		}
	}
	m.out = append(m.out, '0')
}

// between is n if the limits allow it, else the limit next to it, or a number between the
// two where they are excluded; nil if there is none.
func between(n, least, most *big.Rat, openLeast, openMost bool) *big.Rat {
	low := least != nil && (n.Cmp(least) < 0 || openLeast && n.Cmp(least) == 0)
	high := most != nil && (n.Cmp(most) > 0 || openMost && n.Cmp(most) == 0)
	one := big.NewRat(1, 1)
	switch {
	case !low && !high:
		return n
	case least != nil && most != nil:
		if !openLeast {
			return least
		}
		if !openMost {
			return most
		}
		return new(big.Rat).Quo(new(big.Rat).Add(least, most), big.NewRat(2, 1))
	case low && openLeast:
		return new(big.Rat).Add(least, one)
	case low:
		return least
	case openMost:
		return new(big.Rat).Sub(most, one)
	}
	return most
}

// bound is the limit that a schema sets and whether the limit itself is excluded. In draft 4
// the exclusive form is a boolean beside the other.
func (m *maker) bound(s int, keyword, exclusive string) (n *big.Rat, open bool) {
	n = m.rat(m.t.Member(s, keyword))
	v := m.t.Member(s, exclusive)
	if v < 0 {
		return n, false
	}
	if m.t.Tokens[v].Kind == jsontape.True {
		return n, true
	}
	e := m.rat(v)
	switch {
	case e == nil:
		return n, false
	case n == nil, keyword == "minimum" && e.Cmp(n) >= 0, keyword == "maximum" && e.Cmp(n) <= 0:
		return e, true
	}
	return n, false
}

// maxDigits bounds the numbers that are reckoned with, exponents included.
const maxDigits = 40

// rat is the number at token v, nil if there is none, or none of reasonable size.
func (m *maker) rat(v int) *big.Rat {
	if v < 0 || m.t.Tokens[v].Kind != jsontape.Number {
		return nil
	}
	text := string(m.t.Bytes(v))
	if f, err := strconv.ParseFloat(text, 64); err != nil || len(text) > maxDigits || f > 1e30 || f < -1e30 {
		return nil
	}
	if i := strings.IndexAny(text, "eE"); i >= 0 {
		if e, err := strconv.Atoi(text[i+1:]); err != nil || e > maxDigits || e < -maxDigits {
			return nil
		}
	}
	n, ok := new(big.Rat).SetString(text)
	if !ok {
		return nil
	}
	return n
}

// commonMultiple is the least number that is a multiple of both; 0 stands for no condition.
func commonMultiple(a, b *big.Rat) *big.Rat {
	if a.Sign() == 0 {
		return b
	}
	// lcm(p/q, r/s) = lcm(p·s, r·q) / (q·s)
	p := new(big.Int).Mul(a.Num(), b.Denom())
	r := new(big.Int).Mul(b.Num(), a.Denom())
	lcm := new(big.Int).Mul(p, r)
	lcm.Quo(lcm, new(big.Int).GCD(nil, nil, p, r))
	return new(big.Rat).SetFrac(lcm, new(big.Int).Mul(a.Denom(), b.Denom()))
}

// floor is the largest integer that is not above n.
func floor(n *big.Rat) *big.Int {
	q, r := new(big.Int).QuoRem(n.Num(), n.Denom(), new(big.Int))
	if r.Sign() < 0 {
		q.Sub(q, big.NewInt(1))
	}
	return q
}

// decimal writes n out. All numbers here have a decimal form, being made of such.
func decimal(n *big.Rat) string {
	if n.IsInt() {
		return n.Num().String()
	}
	digits, _ := n.FloatPrec()
	return n.FloatString(digits)
}
