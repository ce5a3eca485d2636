package extract

import (
	"bytes"
	"math/bits"
)

// stop is why a scan has ended.
type stop uint8

const (
	scanAll    stop = iota // there is no more
	scanClosed             // at the bracket that closes the innermost open container
	scanValue              // behind the value that is kept whole, or is all
)

// marks are the bytes that a scan stops at outside of strings.
var marks = [256]bool{'"': true, '[': true, ']': true, '{': true, '}': true, ',': true}

// scan goes on from s.pos in b, which is what is in view, and notes brackets and commas.
func (s *splitter) scan(b []byte) stop {
	top := s.open[len(s.open)-1].kind == 0
	p := s.pos
	for {
		if s.str >= 0 {
			end, safe := endOfString(b, p)
			if end < 0 {
				s.pos = safe
				return scanAll
			}
			p = end + 1
			complete := len(s.inside) == 0 && (top || s.held == s.str)
			s.str = -1
			if complete {
				s.pos = p
				return scanValue
			}
		}
		for p < len(b) && !marks[b[p]] {
			p++
		}
		if p >= len(b) {
			s.pos = p
			return scanAll
		}
		switch b[p] {
		case '"':
			s.str = p
		case '[', '{':
			s.inside = append(s.inside, bracket{p, -1})
		case ',':
			switch n := len(s.inside); {
			case n > 0:
				s.inside[n-1].comma = p
			case top: // of no use for a value alone
				s.pos = p
				return scanValue
			default:
				s.comma = p
			}
		case ']', '}':
			n := len(s.inside)
			if n == 0 {
				s.pos = p
				if top {
					return scanValue
				}
				return scanClosed
			}
			start := s.inside[n-1].start
			s.inside = s.inside[:n-1]
			if n == 1 && (top || s.held == start) {
				s.pos = p + 1
				return scanValue
			}
		}
		p++
	}
}

// fits says whether b is a number or a word that ends with the input.
func (s *splitter) fits(b []byte) bool {
	return s.open[len(s.open)-1].kind == 0 && len(s.inside) == 0 && s.str < 0 && len(b) > 0
}

// endOfString finds the closing quote of a string, from p on, where no escape sequence has begun.
// If it is not there, end is -1, and safe is where to look on: not inside of an escape sequence or
// a character.
func endOfString(b []byte, p int) (end, safe int) {
	if p+8 <= len(b) { // most strings are short
		w := word(b, p)
		if quote, escape := zeros(w^low*'"'), zeros(w^low*'\\'); quote&-quote-1 < escape&-escape-1 {
			at := p + bits.TrailingZeros64(quote)/8
			return at, at
		}
	}
	for at := p; ; at++ {
		i := bytes.IndexByte(b[at:], '"')
		if i < 0 {
			break
		}
		at += i
		if !isEscaped(b, p, at) {
			return at, at
		}
	}
	safe = len(b)
	if isEscaped(b, p, safe) {
		return -1, safe - 1
	}
	for at := safe - 2; at >= max(p, safe-5); at-- {
		if b[at] == '\\' && b[at+1] == 'u' && !isEscaped(b, p, at) {
			return -1, at
		}
	}
	for at := safe - 1; at >= max(p, safe-4) && b[at] >= 0x80; at-- {
		if b[at] >= 0xC0 {
			return -1, at
		}
	}
	return -1, safe
}

// isEscaped says whether b[at] belongs to an escape sequence that the byte before it begins, in a
// string where none has begun before p.
func isEscaped(b []byte, p, at int) bool {
	n := 0
	for at-1-n >= p && b[at-1-n] == '\\' {
		n++
	}
	return n%2 == 1
}
