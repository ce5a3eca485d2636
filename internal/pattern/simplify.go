package pattern

// trim removes what can't change whether the expression is found somewhere in a string: a
// part at either end that matches the empty string anywhere can be left out, and a repeat
// there can be cut down to what it must match. So .*x is x, x+ is x, and (.*) is nothing.
func trim(n *node) *node {
	if n.has(opBackref) {
		return n // a group's text may depend on every part
	}
	if n.nullable() {
		return empty
	}
	if n.op == opAlt {
		sub := make([]*node, len(n.sub))
		for i, s := range n.sub {
			sub[i] = trim(s)
		}
		return alternate(sub...)
	}
	parts := n.parts()
	for len(parts) > 0 {
		if parts[0].nullable() {
			parts = parts[1:]
			continue
		}
		if last := len(parts) - 1; parts[last].nullable() {
			parts = parts[:last]
			continue
		}
		break
	}
	if len(parts) == 0 {
		return empty
	}
	parts = append([]*node(nil), parts...)
	for _, i := range []int{0, len(parts) - 1} {
		if p := parts[i]; p.op == opRepeat && p.max > p.min {
			parts[i] = repeat(p.sub[0], p.min, p.min, false)
		}
	}
	return concat(parts...)
}

// absorbLooks turns a look-ahead for one code point in front of code points, such as
// (?!\.)\w+, into plain sets, wherever it stands.
func absorbLooks(n *node) *node {
	if len(n.sub) == 0 {
		return n
	}
	c := *n
	c.sub = make([]*node, len(n.sub))
	for i, s := range n.sub {
		c.sub[i] = absorbLooks(s)
	}
	if c.op != opConcat {
		return &c
	}
	for i := len(c.sub) - 2; i >= 0; i-- {
		look, next := c.sub[i], c.sub[i+1]
		if look.op != opLook || look.behind || look.sub[0].op != opSet {
			continue
		}
		s := look.sub[0].set
		if look.negate {
			s = s.complement()
		}
		switch {
		case next.op == opSet:
			c.sub[i], c.sub[i+1] = empty, setNode(next.set.intersect(s))
		case next.op == opRepeat && next.min > 0 && next.sub[0].op == opSet:
			high := next.max
			if high != unlimited {
				high--
			}
			c.sub[i] = setNode(next.sub[0].set.intersect(s))
			c.sub[i+1] = repeat(next.sub[0], next.min-1, high, next.lazy)
		}
	}
	return concat(c.sub...)
}
