// Package search finds out whether a regular expression matches anywhere in a string, and
// counts what that costs, so that whoever pays can end it.
//
// Expressions with look-around, but without back-references, take time linear in the length
// of the string: whether a look-around holds at a position depends on the string alone, so
// that is worked out for every position first, in one pass from the other side, and then the
// expression runs as an automaton that asks (linear.go). Only back-references, and repeats
// so large that no automaton could hold them, are left to backtracking (backtrack.go), which
// remembers where it failed but can still take exponential time.
//
// Work is counted in steps, one for each place of an expression that is looked at. The count
// depends on the expression and the string alone, never on the clock, so the same string gets
// the same answer on every machine.
package search

import (
	"errors"
	"fmt"
	"regexp/syntax"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// Meter pays for work.
type Meter interface {
	// Spend takes so many steps off what is left. It returns false when nothing is left, and
	// from then on.
	Spend(steps int) bool
}

// Program is a compiled expression. It may be used by many goroutines.
type Program struct {
	linear    *automaton // nil where it has to be backtracking
	backtrack *machine
}

// Compile reads an expression in the notation of ECMA-262 under the u flag. It takes what
// the schema compiler writes: classes of characters and ranges, no flags but (?i:) around a
// back-reference, and no ".". The error says what else it holds.
func Compile(expr string) (*Program, error) {
	re, err := ecma.Parse(expr)
	if err != nil {
		return nil, fmt.Errorf("reading the expression: %w", err)
	}
	if err := writable(re.Root); err != nil {
		return nil, err
	}
	if !has(re.Root, ecma.Backref) {
		if a := newAutomaton(re.Root); a != nil {
			return &Program{linear: a}, nil
		}
	}
	m, err := newMachine(re)
	if err != nil {
		return nil, err
	}
	return &Program{backtrack: m}, nil
}

// FromSyntax takes a program of package regexp/syntax that is as it came from an expression
// without flags.
func FromSyntax(prog *syntax.Prog) *Program { return &Program{linear: fromSyntax(prog)} }

// Linear reports whether every string is decided in time linear in its length.
func (p *Program) Linear() bool { return p.linear != nil }

// Match reports whether the expression matches anywhere in s, UTF-8 in which a lone surrogate
// stands in the form that it would have if it were a code point like others (WTF-8). If
// decided is false, the meter or, where it is backtracking, the memory of one search ended
// before the answer was found.
func (p *Program) Match(s string, meter Meter) (matched, decided bool) {
	if p.linear != nil {
		return p.linear.match(s, meter)
	}
	return p.backtrack.match(s, meter)
}

// errNotation is what a hand-written expression gets.
var errNotation = errors.New("the expression is not in the notation that the schema compiler writes")

// writable checks that n holds nothing but what Compile takes.
func writable(n *ecma.Node) error {
	switch n.Op {
	case ecma.Any:
		return fmt.Errorf("%w: it holds a dot", errNotation)
	case ecma.Class:
		for _, item := range n.Items {
			if item.Escape != 0 {
				return fmt.Errorf("%w: a class holds an escape", errNotation)
			}
		}
	case ecma.Empty, ecma.Char, ecma.Start, ecma.End, ecma.Boundary, ecma.Group, ecma.Look, ecma.Backref, ecma.Concat, ecma.Alternate, ecma.Repeat:
	}
	if n.Flags != 0 && n.Op != ecma.Backref && n.Op != ecma.Group {
		return fmt.Errorf("%w: it has flags", errNotation)
	}
	for _, sub := range n.Sub {
		if err := writable(sub); err != nil {
			return err
		}
	}
	return nil
}

// has reports whether n holds a node of this kind.
func has(n *ecma.Node, op ecma.Op) bool {
	if n.Op == op {
		return true
	}
	for _, sub := range n.Sub {
		if has(sub, op) {
			return true
		}
	}
	return false
}
