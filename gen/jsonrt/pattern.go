package jsonrt

import (
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// Pattern is a regular expression of a schema that the compiler could not turn into plain
// code. It costs nothing until its first use.
//
// Matching takes time linear in the length of the string and usually does not allocate: the
// expression becomes a deterministic automaton if that stays small, else it runs on package
// regexp.
type Pattern struct {
	// Expr is the expression in the syntax of package regexp, written by the compiler: it
	// uses no flags but s, and no shorthand whose meaning differs from ECMA-262.
	Expr string

	once       sync.Once
	automaton  *automaton
	regexp     *regexp.Regexp
	surrogates bool // the expression speaks of surrogates
}

// Match reports whether the expression is found anywhere in s. A lone surrogate in s counts
// as one code point, like any other.
func (p *Pattern) Match(s string) bool {
	p.once.Do(p.compile)
	switch {
	case p.automaton != nil:
		return p.automaton.match(s)
	case p.surrogates || hasSurrogate(s):
		return p.regexp.MatchReader(&runeReader{s})
	}
	return p.regexp.MatchString(s)
}

func (p *Pattern) compile() {
	if p.automaton = newAutomaton(p.Expr); p.automaton == nil {
		p.regexp = regexp.MustCompile(p.Expr)
		p.surrogates = namesSurrogate(p.Expr)
	}
}

// namesSurrogate reports whether an expression holds an escape for a surrogate, which
// package regexp would take for U+FFFD where it searches bytes.
func namesSurrogate(expr string) bool {
	for {
		_, after, found := strings.Cut(expr, `\x{D`)
		if !found || len(after) < len("800}") {
			return false
		}
		if after[0] >= '8' && after[3] == '}' {
			return true
		}
		expr = after
	}
}

// hasSurrogate reports whether s, which is UTF-8 but for surrogates (WTF-8), holds one.
func hasSurrogate(s string) bool {
	for {
		i := strings.IndexByte(s, 0xED)
		if i < 0 || i+1 == len(s) {
			return false
		}
		if s[i+1] >= 0xA0 {
			return true
		}
		s = s[i+1:]
	}
}

// decodeRune decodes the first code point of s, also if it is a surrogate.
func decodeRune(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if size == 1 && r == utf8.RuneError && len(s) >= 3 && s[0] == 0xED {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}

// runeReader shows surrogates to package regexp, which would take their bytes for three
// errors.
type runeReader struct{ rest string }

func (r *runeReader) ReadRune() (c rune, size int, err error) {
	if r.rest == "" {
		return 0, 0, io.EOF
	}
	c, size = decodeRune(r.rest)
	r.rest = r.rest[size:]
	return c, size, nil
}

// Length counts the code points of a decoded string; a lone surrogate counts one.
func Length(s string) int {
	n := 0
	for i := range len(s) {
		if s[i]&0xC0 != 0x80 { // every byte but a continuation byte starts a code point
			n++
		}
	}
	return n
}
