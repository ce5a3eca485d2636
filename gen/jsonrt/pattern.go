package jsonrt

import (
	"regexp/syntax"
	"sync"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsonrt/search"
)

// Pattern is a regular expression of a schema that the compiler could not turn into plain
// code. It costs nothing until its first use.
//
// Matching takes time linear in the length of the string and usually does not allocate: the
// expression becomes a deterministic automaton if that stays small, else it runs on package
// search, and the work is paid for.
type Pattern struct {
	// Expr is the expression in the syntax of package regexp, written by the compiler: it
	// uses no flags but s, and no shorthand whose meaning differs from ECMA-262.
	Expr string

	once      sync.Once
	automaton *automaton
	program   *search.Program
}

// Match reports whether the expression is found anywhere in the string or member name at
// token v. A lone surrogate counts as one code point, like any other. Where the work for one
// call ends before the answer is found the document is undecided, at v and the location at.
func (p *Pattern) Match(c *Checker, v int, at string) bool {
	matched, decided := p.Decide(c.Name(v), c)
	if !decided {
		c.giveUp(v, at)
	}
	return matched
}

// Decide reports whether the expression is found anywhere in s, if the meter lets it find out.
func (p *Pattern) Decide(s string, meter search.Meter) (matched, decided bool) {
	p.once.Do(p.compile)
	if p.automaton != nil {
		return p.automaton.match(s), true
	}
	return p.program.Match(s, meter)
}

func (p *Pattern) compile() {
	tree, err := syntax.Parse(p.Expr, syntax.Perl)
	if err != nil {
		panic("jsonrt: a pattern is not as the compiler writes it: " + err.Error()) //nolint:forbidigo // cannot happen: the compiler has tried it
	}
	prog, err := syntax.Compile(tree.Simplify())
	if err != nil {
		panic("jsonrt: a pattern is not as the compiler writes it: " + err.Error()) //nolint:forbidigo // cannot happen: the compiler has tried it
	}
	if p.automaton = newAutomaton(prog); p.automaton == nil {
		p.program = search.FromSyntax(prog)
	}
}

// LookPattern is a Pattern with look-around or back-references. With look-around alone it takes
// linear time too; see package search.
type LookPattern struct {
	// Expr is the expression in the notation of ECMA-262, written by the compiler.
	Expr string

	once    sync.Once
	program *search.Program
}

// Match is Pattern.Match.
func (p *LookPattern) Match(c *Checker, v int, at string) bool {
	matched, decided := p.Decide(c.Name(v), c)
	if !decided {
		c.giveUp(v, at)
	}
	return matched
}

// Decide is Pattern.Decide.
func (p *LookPattern) Decide(s string, meter search.Meter) (matched, decided bool) {
	p.once.Do(func() {
		var err error
		if p.program, err = search.Compile(p.Expr); err != nil {
			panic("jsonrt: a pattern is not as the compiler writes it: " + err.Error()) //nolint:forbidigo // cannot happen: the compiler has tried it
		}
	})
	return p.program.Match(s, meter)
}

// decodeRune decodes the first code point of s, also if it is a surrogate.
func decodeRune(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if size == 1 && r == utf8.RuneError && len(s) >= 3 && s[0] == 0xED {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
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
