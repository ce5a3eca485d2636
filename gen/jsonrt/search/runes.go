package search

import (
	"slices"
	"sort"
	"unicode"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// runes is a set of code points.
type runes struct {
	ascii  [2]uint64
	others []rune // first and last of each range above ASCII, sorted
}

func (r *runes) has(c rune) bool {
	if c < utf8.RuneSelf {
		return r.ascii[c>>6]&(1<<(c&63)) != 0
	}
	// The number of the range that c is in or behind of, doubled.
	i := sort.Search(len(r.others), func(i int) bool { return r.others[i] > c })
	return i&1 == 1 || i > 0 && r.others[i-1] == c
}

// add adds a range; ranges above ASCII must come in order.
func (r *runes) add(lo, hi rune) {
	for ; lo <= hi && lo < utf8.RuneSelf; lo++ {
		r.ascii[lo>>6] |= 1 << (lo & 63)
	}
	if lo <= hi {
		r.others = append(r.others, lo, hi)
	}
}

// setOf gives the code points of a character or class.
func setOf(n *ecma.Node) *runes {
	set := &runes{}
	if n.Op == ecma.Char {
		set.add(n.Char, n.Char)
		return set
	}
	items := slices.Clone(n.Items)
	slices.SortFunc(items, func(a, b ecma.Item) int { return int(a.Lo - b.Lo) })
	next := rune(0) // behind what has been dealt with
	for _, item := range items {
		if n.Negate {
			set.add(next, item.Lo-1)
		} else {
			set.add(max(item.Lo, next), item.Hi)
		}
		next = max(next, item.Hi+1)
	}
	if n.Negate {
		set.add(next, unicode.MaxRune)
	}
	return set
}

// decode reads the code point at i, also if it is a surrogate.
func decode(s string, i int) (r rune, size int) {
	if c := s[i]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size = utf8.DecodeRuneInString(s[i:])
	if size == 1 && len(s)-i >= 3 && s[i] == 0xED {
		return rune(s[i]&0x0F)<<12 | rune(s[i+1]&0x3F)<<6 | rune(s[i+2]&0x3F), 3
	}
	return r, size
}

// decodeLast reads the code point that ends at i.
func decodeLast(s string, i int) (r rune, size int) {
	if c := s[i-1]; c < utf8.RuneSelf {
		return rune(c), 1
	}
	r, size = utf8.DecodeLastRuneInString(s[:i])
	if size == 1 && i >= 3 && s[i-3] == 0xED {
		return decode(s, i-3)
	}
	return r, size
}

// wordByte reports whether the byte at i is a word character. Those are ASCII; see
// ECMA-262, section 22.2.2.9.3.
func wordByte(s string, i int) bool {
	if i < 0 || i >= len(s) {
		return false
	}
	c := s[i]
	return c == '_' || '0' <= c && c <= '9' || 'A' <= c && c <= 'Z' || 'a' <= c && c <= 'z'
}

// boundary reports whether a word begins or ends at i.
func boundary(s string, i int) bool { return wordByte(s, i-1) != wordByte(s, i) }
