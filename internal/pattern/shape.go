package pattern

import (
	"slices"
	"unicode"
	"unicode/utf8"
)

const (
	// maxLiterals, maxLiteralBytes and maxLiteralRepeat limit how far an expression is written out as literals.
	maxLiterals      = 4096
	maxLiteralBytes  = 64 << 10
	maxLiteralRepeat = 256
	// maxSearches is how many literals are looked for one by one. Beyond that an automaton is
	// faster; whole strings are compared by a switch, which can bear any number.
	maxSearches = 8
	// maxConditions limits the ranges in one condition of generated code.
	maxConditions = 12
	// maxScan limits the parts of a sequence.
	maxScan = 16
)

// class is a test of a string against one set.
type class struct {
	set set
	// whole: all of the string belongs to set, and min to max is its length. Otherwise some
	// code point does.
	whole    bool
	min, max int
}

// step is one part of a sequence: a literal, or from min to max code points of a set.
type step struct {
	literal  string
	set      set
	min, max int
}

// recognise tries the forms that become plain code.
func (p *Program) recognise() bool {
	n := p.node
	if n.op == opEmpty || n.op == opBegin || n.op == opEnd {
		p.kind = Always
		return true
	}
	if n.op == opSet && len(n.set) == 0 {
		p.kind = Never
		return true
	}
	return p.recogniseLiterals(n) || p.recogniseClass(n) || p.recogniseSequence(n)
}

// bounds takes the anchors off an expression.
func bounds(n *node) (inner *node, begins, ends bool) {
	parts := n.parts()
	for len(parts) > 0 && parts[0].op == opBegin {
		parts, begins = parts[1:], true
	}
	for len(parts) > 0 && parts[len(parts)-1].op == opEnd {
		parts, ends = parts[:len(parts)-1], true
	}
	return concat(parts...), begins, ends
}

// recogniseLiterals finds expressions that stand for a few strings. Alternatives that are
// all bound in the same way, as in ^a$|^b$, are taken together.
func (p *Program) recogniseLiterals(n *node) bool {
	alternatives := []*node{n}
	if n.op == opAlt {
		alternatives = n.sub
	}
	var literals []string
	for i, a := range alternatives {
		inner, begins, ends := bounds(a)
		if i > 0 && (begins != p.begin || ends != p.end) {
			return false
		}
		p.begin, p.end = begins, ends
		list, ok := inner.literals()
		if !ok {
			return false
		}
		literals = append(literals, list...)
	}
	slices.Sort(literals)
	literals = slices.Compact(literals)
	total := 0
	for _, l := range literals {
		total += len(l)
	}
	if len(literals) == 0 || len(literals) > maxSearches && !(p.begin && p.end) {
		return false
	}
	if total > 4*n.leaves()+256 {
		return false // [ab][cd][ef] and so on: the code would be much larger than the pattern
	}
	p.literals = literals
	switch {
	case len(literals) > 1:
		p.kind = OneOf
	case p.begin && p.end:
		p.kind = Equal
	case p.begin:
		p.kind = Prefix
	case p.end:
		p.kind = Suffix
	default:
		p.kind = Contains
	}
	return true
}

// leaves counts the sets in n.
func (n *node) leaves() int {
	count := 0
	n.walk(func(n *node) {
		if n.op == opSet {
			count++
		}
	})
	return count
}

// literals lists the strings that n stands for, if they are few.
func (n *node) literals() (list []string, ok bool) {
	switch n.op {
	case opEmpty:
		return []string{""}, true
	case opSet:
		if n.set.size() > 4 {
			return nil, false
		}
		for _, r := range n.set {
			for c := r.lo; c <= r.hi; c++ {
				list = append(list, string(appendRune(nil, c)))
			}
		}
		return list, true
	case opConcat:
		list = []string{""}
		for _, s := range n.sub {
			if list, ok = product(list, s); !ok {
				return nil, false
			}
		}
		return list, true
	case opAlt:
		for _, s := range n.sub {
			more, ok := s.literals()
			if list = append(list, more...); !ok || len(list) > maxLiterals {
				return nil, false
			}
		}
		return list, true
	case opRepeat:
		if n.max > maxLiteralRepeat {
			return nil, false
		}
		list = []string{""}
		for range n.min {
			if list, ok = product(list, n.sub[0]); !ok {
				return nil, false
			}
		}
		longer := list
		for range n.max - n.min {
			if longer, ok = product(longer, n.sub[0]); !ok {
				return nil, false
			}
			if list = append(list[:len(list):len(list)], longer...); len(list) > maxLiterals {
				return nil, false
			}
		}
		return list, true
	case opBegin, opEnd, opBoundary, opLook, opGroup, opBackref:
	}
	return nil, false
}

// product appends every string of n to every one of list.
func product(list []string, n *node) ([]string, bool) {
	more, ok := n.literals()
	if !ok || len(list)*len(more) > maxLiterals {
		return nil, false
	}
	var all []string
	total := 0
	for _, a := range list {
		for _, b := range more {
			if total += len(a) + len(b); total > maxLiteralBytes {
				return nil, false
			}
			all = append(all, a+b)
		}
	}
	return all, true
}

// recogniseClass finds ^[set]{min,max}$, and a single [set] anywhere.
func (p *Program) recogniseClass(n *node) bool {
	inner, begins, ends := bounds(n)
	c := class{whole: begins && ends, min: 1, max: 1}
	switch {
	case inner.op == opSet && begins == ends:
		c.set = inner.set
	case inner.op == opRepeat && inner.sub[0].op == opSet && c.whole:
		c.set, c.min, c.max = inner.sub[0].set, inner.min, inner.max
	default:
		return false
	}
	// The loop sees a lone surrogate as U+FFFD, so both must be treated alike.
	odd := c.set.intersect(set{{0xD800, 0xDFFF}})
	if odd.size() != 0 && odd.size() != 0x800 || (odd.size() != 0) != c.set.contains(utf8.RuneError) {
		return false
	}
	if conditions(c.set) > maxConditions {
		return false
	}
	p.kind, p.class = Class, c
	if c.whole && c.min == 0 && c.max == unlimited && len(c.set.complement()) == 0 {
		p.kind = Always
	}
	return true
}

// conditions counts the ranges that a condition for a set has to name.
func conditions(s set) int { return min(len(s), len(s.complement())) }

// uniform reports whether all code points beyond ASCII are in s, or none. Then bytes can be
// tested in place of code points.
func uniform(s set) bool {
	beyond := s.intersect(set{{utf8.RuneSelf, unicode.MaxRune}})
	return len(beyond) == 0 || beyond[0].lo == utf8.RuneSelf && beyond[0].hi == unicode.MaxRune
}

// recogniseSequence finds expressions bound to the start that a scan from left to right
// decides without ever going back: where a part may take more or fewer code points, what
// follows must not start with one of them.
func (p *Program) recogniseSequence(n *node) bool {
	inner, begins, ends := bounds(n)
	if !begins {
		return false
	}
	var steps []step
	for _, part := range inner.parts() {
		s := step{min: 1, max: 1}
		if part.op == opRepeat {
			s.min, s.max = part.min, part.max
			part = part.sub[0]
		}
		if part.op != opSet || !uniform(part.set) || conditions(part.set) > maxConditions {
			return false
		}
		s.set = part.set
		r, single := s.set.single()
		switch last := len(steps) - 1; {
		case single && s.min == 1 && s.max == 1 && last >= 0 && steps[last].literal != "":
			steps[last].literal += string(appendRune(nil, r))
		case single && s.min == 1 && s.max == 1:
			s.literal = string(appendRune(nil, r))
			steps = append(steps, s)
		default:
			steps = append(steps, s)
		}
	}
	if len(steps) > maxScan {
		return false
	}
	for i, s := range steps {
		if !s.bytewise() || s.min != s.max && !s.separate(steps[i+1:], ends) {
			return false
		}
	}
	p.kind, p.steps, p.begin, p.end = Sequence, steps, true, ends
	return true
}

// bytewise reports whether counting bytes counts the code points of the step as far as they
// matter.
func (s step) bytewise() bool {
	return s.literal != "" || !s.set.contains(utf8.RuneSelf) || s.min <= 1 && s.max == unlimited
}

// separate reports whether no string of the following steps starts with a code point of s,
// as far as that could matter: up to the first step that can't be empty.
func (s step) separate(following []step, ends bool) bool {
	for _, next := range following {
		if len(s.set.intersect(next.set)) > 0 {
			return false
		}
		if next.min > 0 {
			return true
		}
	}
	return ends
}

// appendRune appends r in UTF-8, or in the same form if it is a surrogate (WTF-8).
func appendRune(dst []byte, r rune) []byte {
	if 0xD800 <= r && r <= 0xDFFF {
		return append(dst, 0xE0|byte(r>>12), 0x80|byte(r>>6)&0x3F, 0x80|byte(r)&0x3F)
	}
	return utf8.AppendRune(dst, r)
}
