package pattern

import (
	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// op says what a node stands for.
type op uint8

const (
	opEmpty    op = iota // matches everywhere
	opSet                // one code point of set; none if the set is empty
	opConcat             // sub one after the other
	opAlt                // one of sub
	opRepeat             // sub[0] from min to max times
	opBegin              // the start of the string
	opEnd                // the end of the string
	opBoundary           // \b, or \B if negate
	opLook               // look-ahead or look-behind for sub[0]
	opGroup              // sub[0], remembered for back-references
	opBackref            // what one of the groups matched
)

// unlimited is the max of a repeat without an upper bound.
const unlimited = ecma.Unlimited

// node is an ECMAScript expression in few terms: characters, classes and flags have become
// sets, and groups that nothing refers to are gone. Laziness is dropped, since only whether
// a string matches is asked, never where; only in front of a back-reference it can matter.
type node struct {
	op       op
	set      set
	sub      []*node
	min, max int
	lazy     bool
	negate   bool // opBoundary, opLook
	behind   bool // opLook
	fold     bool // opBoundary, opBackref: under the i flag
	group    int  // opGroup
	groups   []int
}

var (
	empty = &node{op: opEmpty}
	begin = &node{op: opBegin}
	end   = &node{op: opEnd}
)

func setNode(s set) *node { return &node{op: opSet, set: s} }

func concat(parts ...*node) *node {
	var sub []*node
	for _, p := range parts {
		switch p.op {
		case opEmpty:
		case opConcat:
			sub = append(sub, p.sub...)
		case opSet:
			if len(p.set) == 0 {
				return p // nothing matches here, so nothing matches at all
			}
			sub = append(sub, p)
		default:
			sub = append(sub, p)
		}
	}
	switch len(sub) {
	case 0:
		return empty
	case 1:
		return sub[0]
	}
	return &node{op: opConcat, sub: sub}
}

// alternate joins alternatives; neighbours that are single code points become one set.
func alternate(parts ...*node) *node {
	var sub []*node
	for _, p := range parts {
		last := len(sub) - 1
		switch {
		case p.op == opAlt:
			sub = append(sub, p.sub...)
		case p.op == opSet && len(p.set) == 0 && len(parts) > 1:
		case p.op == opSet && last >= 0 && sub[last].op == opSet:
			sub[last] = setNode(sub[last].set.union(p.set))
		default:
			sub = append(sub, p)
		}
	}
	switch len(sub) {
	case 0:
		return setNode(nil)
	case 1:
		return sub[0]
	}
	return &node{op: opAlt, sub: sub}
}

func repeat(n *node, minimum, maximum int, lazy bool) *node {
	switch {
	case n.op == opEmpty || maximum == 0:
		return empty
	case n.op == opSet && len(n.set) == 0 && minimum == 0:
		return empty
	case minimum == 1 && maximum == 1:
		return n
	}
	return &node{op: opRepeat, sub: []*node{n}, min: minimum, max: maximum, lazy: lazy}
}

// walk calls f for n and every node below it.
func (n *node) walk(f func(*node)) {
	f(n)
	for _, s := range n.sub {
		s.walk(f)
	}
}

// has reports whether any node has this op.
func (n *node) has(op op) bool {
	found := false
	n.walk(func(n *node) { found = found || n.op == op })
	return found
}

// nullable reports whether n matches the empty string wherever it is tried. Assertions
// don't.
func (n *node) nullable() bool {
	switch n.op {
	case opEmpty:
		return true
	case opConcat:
		for _, s := range n.sub {
			if !s.nullable() {
				return false
			}
		}
		return true
	case opAlt:
		for _, s := range n.sub {
			if s.nullable() {
				return true
			}
		}
		return false
	case opRepeat:
		return n.min == 0 || n.sub[0].nullable()
	case opGroup:
		return n.sub[0].nullable()
	case opSet, opBegin, opEnd, opBoundary, opLook, opBackref:
	}
	return false
}

// parts is n as a sequence.
func (n *node) parts() []*node {
	if n.op == opConcat {
		return n.sub
	}
	return []*node{n}
}
