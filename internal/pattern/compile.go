// Package pattern compiles regular expressions of JSON Schema, ECMA-262 under the u flag, to
// what Go can run.
//
// An expression is parsed (gen/jsonrt/ecma), lowered to a small tree of code-point sets,
// simplified, and then recognised as the simplest of these, in this order: a comparison with
// literals, a loop over one class, a scan over a fixed sequence of classes, a conjunction of
// such things (look-ahead at the start, look-behind at the end), an expression for
// jsonrt.Pattern, one for jsonrt.LookPattern that needs no backtracking, and at last one that
// does: back-references, but for those to groups of a few words, and huge repeats. All but the
// last take linear time. Every answer is exact; the last may find that it can't give one.
package pattern

import (
	"errors"
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
	"github.com/zenlix/echo-mcp/gen/jsonrt/search"
)

// Kind says what a pattern became.
type Kind uint8

// The kinds of Program.
const (
	Always    Kind = iota // every string matches
	Never                 // no string matches
	Equal                 // the string is one literal
	Prefix                // it starts with one
	Suffix                // it ends with one
	Contains              // it contains one
	OneOf                 // one of several literals, compared in one of these four ways
	Class                 // all of the string, or some code point of it, belongs to a set
	Sequence              // a fixed sequence of literals and sets, scanned without going back
	All                   // several patterns match, or don't
	RE2                   // jsonrt.Pattern: an automaton
	Look                  // jsonrt.LookPattern: an automaton with look-around
	Backtrack             // jsonrt.LookPattern: back-references
)

//nolint:revive // one word each
var kindNames = [...]string{"Always", "Never", "Equal", "Prefix", "Suffix", "Contains", "OneOf", "Class", "Sequence", "All", "RE2", "Look", "Backtrack"}

func (k Kind) String() string { return kindNames[k] }

// Error says why a pattern does not compile.
type Error struct {
	// Offset is where in the pattern, in bytes; Column is the same in code points, from 1.
	Offset, Column int
	Msg            string
}

func (e *Error) Error() string { return e.Msg }

// Program is a compiled pattern.
type Program struct {
	pattern string
	lenient bool
	kind    Kind
	node    *node

	literals   []string // Equal, Prefix, Suffix, Contains, OneOf
	begin, end bool     // OneOf, Sequence: bound to the start or the end of the string
	class      class    // Class
	steps      []step   // Sequence
	parts      []part   // All
	expr       string   // RE2, Look, Backtrack

	match func(string) bool
}

// part is one pattern of a conjunction.
type part struct {
	program *Program
	negate  bool
}

// Compile compiles a pattern. Patterns that the u flag forbids are read with the leniencies
// of ECMA-262 Annex B (see ecma.Parse). The error is an *Error: the pattern is wrong by both
// grammars.
func Compile(src string) (*Program, error) {
	re, err := ecma.Parse(src)
	if err != nil {
		var syntax *ecma.SyntaxError
		if !errors.As(err, &syntax) {
			return nil, err
		}
		return nil, &Error{Offset: syntax.Offset, Column: utf8.RuneCountInString(src[:syntax.Offset]) + 1, Msg: syntax.Msg}
	}
	p, err := build(lower(re))
	if err != nil {
		return nil, err
	}
	p.pattern, p.lenient = src, re.Lenient
	return p, nil
}

// build finds the simplest form of an expression.
func build(n *node) (*Program, error) {
	if expanded, ok := expand(n); ok {
		n = expanded
	}
	p := &Program{node: trim(absorbLooks(n))}
	if !p.recognise() {
		if err := p.choose(); err != nil {
			return nil, err
		}
	}
	p.match = p.matcher()
	return p, nil
}

// choose finds the form of an expression that is no plain code as a whole.
func (p *Program) choose() error {
	if terms, ok := conjunction(p.node); ok {
		p.kind = All
		for _, t := range terms {
			sub, err := build(t.node)
			if err != nil {
				return err
			}
			p.parts = append(p.parts, part{sub, t.negate})
		}
		return nil
	}
	var ok bool
	if p.expr, ok = p.node.re2(); ok {
		if _, err := syntax.Parse(p.expr, syntax.Perl); err == nil {
			p.kind = RE2
			return nil
		}
	}
	if p.node.weight() > maxWeight {
		return &Error{Column: 1, Msg: fmt.Sprintf("the pattern is too large: its characters and the ranges of its classes, such as those of \\p{L}, are more than %d; use smaller classes, or several patterns under allOf", maxWeight)}
	}
	p.kind, p.expr = Backtrack, p.node.ecma()
	program, err := search.Compile(p.expr)
	if err != nil {
		return &Error{Column: 1, Msg: "no engine can run this pattern: " + err.Error()}
	}
	if program.Linear() {
		p.kind = Look
	}
	return nil
}

// Costs reports whether matching is work that the call pays for. The function that Emit writes
// then takes a checker and a token in place of a string.
func (p *Program) Costs() bool {
	switch p.kind {
	case RE2, Look, Backtrack:
		return true
	case All:
		return slices.ContainsFunc(p.parts, func(c part) bool { return c.program.Costs() })
	case Always, Never, Equal, Prefix, Suffix, Contains, OneOf, Class, Sequence:
	}
	return false
}

// maxWeight is how much a pattern for package search may weigh: classes are written out there.
const maxWeight = 100_000

// weight counts the nodes of an expression and the ranges of its sets.
func (n *node) weight() int {
	weight := 0
	n.walk(func(n *node) { weight += 1 + len(n.set) })
	return weight
}

// Kind says what the pattern became.
func (p *Program) Kind() Kind { return p.kind }

// Lenient reports whether the pattern is wrong under the u flag and was read by Annex B.
func (p *Program) Lenient() bool { return p.lenient }

// Pattern is the pattern as the schema has it.
func (p *Program) Pattern() string { return p.pattern }

// term is a pattern that must match, or must not.
type term struct {
	node   *node
	negate bool
}

// conjunction splits an expression whose look-arounds hang on an end of the string:
// ^(?!a)(?=b)c is "^c, and ^b, and not ^a", and c(?<!a)$ is "c$, and not a$". Each part is
// then a pattern of its own, without look-around and without backtracking.
func conjunction(n *node) ([]term, bool) {
	if n.has(opBackref) {
		return nil, false
	}
	parts := n.parts()
	var terms []term
	first, last := 0, len(parts)
	if last > 1 && parts[0].op == opBegin {
		for first = 1; first < last && parts[first].op == opLook && !parts[first].behind; first++ {
			terms = append(terms, term{concat(begin, parts[first].sub[0]), parts[first].negate})
		}
	}
	if last > 1 && parts[last-1].op == opEnd {
		for last--; last > first && parts[last-1].op == opLook && parts[last-1].behind; last-- {
			terms = append(terms, term{concat(parts[last-1].sub[0], end), parts[last-1].negate})
		}
	}
	if len(terms) == 0 {
		return nil, false
	}
	rest := parts[first:last]
	if parts[0].op == opBegin {
		rest = append([]*node{begin}, rest...)
	}
	if parts[len(parts)-1].op == opEnd {
		rest = append(rest[:len(rest):len(rest)], end)
	}
	if len(rest) == 1 && (rest[0].op == opBegin || rest[0].op == opEnd) {
		rest = nil // the start of the string is always there
	}
	if len(rest) > 0 {
		terms = append([]term{{concat(rest...), false}}, terms...)
	}
	return terms, true
}
