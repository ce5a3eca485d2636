package pattern

import (
	"slices"
	"sync"
	"unicode"
)

// span is a range of code points, both ends included.
type span struct{ lo, hi rune }

// set is a set of code points: sorted spans that neither overlap nor touch. Surrogates are
// code points like others, since a JSON string may hold lone ones.
type set []span

var (
	anything  = set{{0, unicode.MaxRune}}
	digits    = set{{'0', '9'}}
	wordChars = set{{'0', '9'}, {'A', 'Z'}, {'_', '_'}, {'a', 'z'}}
	// spaces is WhiteSpace and LineTerminator of ECMA-262 sections 12.2 and 12.3.
	spaces = set{
		{'\t', '\r'},
		{' ', ' '},
		{0xA0, 0xA0},
		{0x1680, 0x1680},
		{0x2000, 0x200A},
		{0x2028, 0x2029},
		{0x202F, 0x202F},
		{0x205F, 0x205F},
		{0x3000, 0x3000},
		{0xFEFF, 0xFEFF},
	}
	lineTerminators = set{{'\n', '\n'}, {'\r', '\r'}, {0x2028, 0x2029}}
)

// newSet makes a set of spans in any order.
func newSet(spans ...span) set {
	slices.SortFunc(spans, func(a, b span) int { return int(a.lo - b.lo) })
	var s set
	for _, r := range spans {
		if n := len(s); n > 0 && r.lo <= s[n-1].hi+1 {
			s[n-1].hi = max(s[n-1].hi, r.hi)
			continue
		}
		s = append(s, r)
	}
	return s
}

// tableSet is the set of a table of package unicode.
func tableSet(tables ...*unicode.RangeTable) set {
	var spans []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			spans = append(spans, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			spans = append(spans, span{r, r})
		}
	}
	for _, table := range tables {
		for _, r := range table.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range table.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return newSet(spans...)
}

func (s set) union(t set) set { return newSet(slices.Concat(s, t)...) }

func (s set) complement() set {
	var c set
	next := rune(0)
	for _, r := range s {
		if r.lo > next {
			c = append(c, span{next, r.lo - 1})
		}
		next = r.hi + 1
	}
	if next <= unicode.MaxRune {
		c = append(c, span{next, unicode.MaxRune})
	}
	return c
}

func (s set) intersect(t set) set {
	var both set
	for len(s) > 0 && len(t) > 0 {
		if lo, hi := max(s[0].lo, t[0].lo), min(s[0].hi, t[0].hi); lo <= hi {
			both = append(both, span{lo, hi})
		}
		if s[0].hi < t[0].hi {
			s = s[1:]
		} else {
			t = t[1:]
		}
	}
	return both
}

func (s set) minus(t set) set { return s.intersect(t.complement()) }

func (s set) contains(r rune) bool {
	_, ok := slices.BinarySearchFunc(s, r, func(s span, r rune) int {
		switch {
		case s.hi < r:
			return -1
		case s.lo > r:
			return 1
		}
		return 0
	})
	return ok
}

// single gives the only member of a set of one.
func (s set) single() (rune, bool) {
	if len(s) == 1 && s[0].lo == s[0].hi {
		return s[0].lo, true
	}
	return 0, false
}

// size counts the members.
func (s set) size() int {
	n := 0
	for _, r := range s {
		n += int(r.hi-r.lo) + 1
	}
	return n
}

// foldCase adds every code point that the members equal when case is ignored (Canonicalize
// under the u flag: simple case folding).
func (s set) foldCase() set {
	spans := slices.Clone(s)
	for _, r := range s.intersect(cased()) {
		for c := r.lo; c <= r.hi; c++ {
			for f := unicode.SimpleFold(c); f != c; f = unicode.SimpleFold(f) {
				spans = append(spans, span{f, f})
			}
		}
	}
	return newSet(spans...)
}

// cased holds the code points that equal others when case is ignored.
var cased = sync.OnceValue(func() set {
	return anything.filter(func(r rune) bool { return unicode.SimpleFold(r) != r })
})

// filter keeps the members for which keep reports true.
func (s set) filter(keep func(rune) bool) set {
	var spans []span
	for _, r := range s {
		for c := r.lo; c <= r.hi; c++ {
			if keep(c) {
				spans = append(spans, span{c, c})
			}
		}
	}
	return newSet(spans...)
}
