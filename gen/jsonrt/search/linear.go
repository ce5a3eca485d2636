package search

import (
	"regexp/syntax"
	"slices"
	"sync"
	"unicode"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// automaton is a nondeterministic finite automaton with assertions.
type automaton struct {
	places   []place
	start    uint32
	anchored bool // a match starts at the start of the string or nowhere
	looks    []look
	memory   sync.Pool // of *run
}

// place is one instruction.
type place struct {
	op        op
	negate    bool
	next, alt uint32 // alt: the other way of a split
	look      int
	set       *runes
}

type op uint8

const (
	opRune     op = iota // one code point of set
	opSplit              // next or alt
	opBegin              // the start of the string
	opEnd                // the end of the string
	opBoundary           // a word begins or ends here, or not (negate)
	opLook               // looks[look] holds here
	opMatch
	opFail
)

// look is a look-around. Its automaton says for every position whether it holds there: a
// look-behind runs forwards and asks where a match may end, a look-ahead runs backwards,
// turned around, and asks where one may begin.
type look struct {
	*automaton
	behind, negate bool
}

// maxPlaces bounds the size of an automaton, look-arounds included. What is larger, because
// of large repeats, is left to backtracking.
const maxPlaces = 1 << 16

// newAutomaton builds the automaton of an expression without back-references, nil if it would
// be too large.
func newAutomaton(n *ecma.Node) *automaton {
	budget := maxPlaces
	return buildAutomaton(n, false, &budget)
}

func buildAutomaton(n *ecma.Node, backwards bool, budget *int) *automaton {
	b := &builder{automaton: &automaton{}, backwards: backwards, budget: budget}
	end := b.add(place{op: opMatch})
	b.start = b.compile(n, end)
	b.anchored = !backwards && beginsAnchored(n)
	if *budget < 0 {
		return nil
	}
	return b.automaton
}

type builder struct {
	*automaton
	backwards bool
	budget    *int
}

func (b *builder) add(p place) uint32 {
	if *b.budget--; *b.budget < 0 {
		return 0
	}
	b.places = append(b.places, p)
	return uint32(len(b.places) - 1)
}

// compile adds the places of n, after which the automaton goes on at next, and returns the
// first.
func (b *builder) compile(n *ecma.Node, next uint32) uint32 {
	if *b.budget < 0 {
		return 0
	}
	switch n.Op {
	case ecma.Char, ecma.Class:
		return b.add(place{op: opRune, set: setOf(n), next: next})
	case ecma.Start:
		return b.add(place{op: opBegin, next: next})
	case ecma.End:
		return b.add(place{op: opEnd, next: next})
	case ecma.Boundary:
		return b.add(place{op: opBoundary, negate: n.Negate, next: next})
	case ecma.Group:
		return b.compile(n.Sub[0], next)
	case ecma.Look:
		inner := buildAutomaton(n.Sub[0], !n.Behind, b.budget)
		b.looks = append(b.looks, look{inner, n.Behind, n.Negate})
		return b.add(place{op: opLook, look: len(b.looks) - 1, next: next})
	case ecma.Concat:
		for i := range n.Sub {
			if !b.backwards {
				i = len(n.Sub) - 1 - i
			}
			next = b.compile(n.Sub[i], next)
		}
	case ecma.Alternate:
		first := b.compile(n.Sub[len(n.Sub)-1], next)
		for i := len(n.Sub) - 2; i >= 0; i-- {
			first = b.add(place{op: opSplit, next: b.compile(n.Sub[i], next), alt: first})
		}
		return first
	case ecma.Repeat:
		return b.repeat(n, next)
	case ecma.Empty, ecma.Any, ecma.Backref:
	}
	return next
}

func (b *builder) repeat(n *ecma.Node, next uint32) uint32 {
	least := n.Min
	if n.Max == ecma.Unlimited {
		loop := b.add(place{op: opSplit, alt: next})
		body := b.compile(n.Sub[0], loop)
		if *b.budget < 0 {
			return 0
		}
		b.places[loop].next = body
		next = loop
		if least > 0 {
			next = body
			least--
		}
	} else {
		after := next
		for range n.Max - n.Min {
			next = b.add(place{op: opSplit, next: b.compile(n.Sub[0], next), alt: after})
			if *b.budget < 0 {
				return 0
			}
		}
	}
	for range least {
		next = b.compile(n.Sub[0], next)
		if *b.budget < 0 {
			return 0
		}
	}
	return next
}

// beginsAnchored reports whether every match of n begins at the start of the string.
func beginsAnchored(n *ecma.Node) bool {
	switch n.Op {
	case ecma.Start:
		return true
	case ecma.Group:
		return beginsAnchored(n.Sub[0])
	case ecma.Concat:
		return beginsAnchored(n.Sub[0])
	case ecma.Alternate:
		for _, sub := range n.Sub {
			if !beginsAnchored(sub) {
				return false
			}
		}
		return true
	case ecma.Repeat:
		return n.Min > 0 && beginsAnchored(n.Sub[0])
	case ecma.Empty, ecma.Char, ecma.Any, ecma.Class, ecma.End, ecma.Boundary, ecma.Look, ecma.Backref:
	}
	return false
}

func fromSyntax(prog *syntax.Prog) *automaton {
	a := &automaton{start: uint32(prog.Start), anchored: prog.StartCond()&syntax.EmptyBeginText != 0}
	known := map[*rune]*runes{}
	for i := range prog.Inst {
		inst := &prog.Inst[i]
		p := place{next: inst.Out}
		switch inst.Op {
		case syntax.InstAlt, syntax.InstAltMatch:
			p.op, p.alt = opSplit, inst.Arg
		case syntax.InstCapture, syntax.InstNop:
			p.op, p.alt = opSplit, inst.Out
		case syntax.InstEmptyWidth:
			p.op = opOf(syntax.EmptyOp(inst.Arg))
			p.negate = syntax.EmptyOp(inst.Arg) == syntax.EmptyNoWordBoundary
		case syntax.InstMatch:
			p.op = opMatch
		case syntax.InstFail:
			p.op = opFail
		case syntax.InstRune, syntax.InstRune1, syntax.InstRuneAny, syntax.InstRuneAnyNotNL:
			p.op, p.set = opRune, setOfInst(inst, known)
		}
		a.places = append(a.places, p)
	}
	return a
}

// opOf is the place for an assertion. Without flags there are no lines.
func opOf(empty syntax.EmptyOp) op {
	switch empty {
	case syntax.EmptyBeginText, syntax.EmptyBeginLine:
		return opBegin
	case syntax.EmptyEndText, syntax.EmptyEndLine:
		return opEnd
	case syntax.EmptyWordBoundary, syntax.EmptyNoWordBoundary:
		return opBoundary
	}
	return opFail
}

// setOfInst is the set of an instruction. Those that came from one class share it.
func setOfInst(inst *syntax.Inst, known map[*rune]*runes) *runes {
	set := &runes{}
	switch {
	case inst.Op == syntax.InstRuneAny:
		set.add(0, unicode.MaxRune)
	case inst.Op == syntax.InstRuneAnyNotNL:
		set.add(0, '\n'-1)
		set.add('\n'+1, unicode.MaxRune)
	case len(inst.Rune) == 1:
		alike := []rune{inst.Rune[0]}
		if syntax.Flags(inst.Arg)&syntax.FoldCase != 0 { // [Kk] becomes one letter, case ignored
			for r := unicode.SimpleFold(alike[0]); r != alike[0]; r = unicode.SimpleFold(r) {
				alike = append(alike, r)
			}
			slices.Sort(alike)
		}
		for _, r := range alike {
			set.add(r, r)
		}
	case len(inst.Rune) > 0:
		if same := known[&inst.Rune[0]]; same != nil {
			return same
		}
		known[&inst.Rune[0]] = set
		for k := 0; k+1 < len(inst.Rune); k += 2 {
			set.add(inst.Rune[k], inst.Rune[k+1])
		}
	}
	return set
}
