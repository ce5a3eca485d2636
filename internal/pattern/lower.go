package pattern

import (
	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

// lowerer turns a parsed expression into nodes.
type lowerer struct {
	// referenced tells which groups a back-reference means.
	referenced map[int]bool
}

func lower(re *ecma.Regexp) *node {
	l := lowerer{referenced: map[int]bool{}}
	l.findReferences(re.Root)
	return l.node(re.Root)
}

func (l *lowerer) findReferences(n *ecma.Node) {
	for _, index := range n.Indexes {
		l.referenced[index] = true
	}
	for _, s := range n.Sub {
		l.findReferences(s)
	}
}

func (l *lowerer) node(n *ecma.Node) *node {
	fold := n.Flags&ecma.IgnoreCase != 0
	switch n.Op {
	case ecma.Empty:
		return empty
	case ecma.Char:
		s := set{{n.Char, n.Char}}
		if fold {
			s = s.foldCase()
		}
		return setNode(s)
	case ecma.Any:
		if n.Flags&ecma.DotAll != 0 {
			return setNode(anything)
		}
		return setNode(lineTerminators.complement())
	case ecma.Class:
		return l.class(n, fold)
	case ecma.Start:
		if n.Flags&ecma.Multiline != 0 {
			// Behind a line terminator or nothing.
			return &node{op: opLook, behind: true, negate: true, sub: []*node{setNode(lineTerminators.complement())}}
		}
		return begin
	case ecma.End:
		if n.Flags&ecma.Multiline != 0 {
			return &node{op: opLook, negate: true, sub: []*node{setNode(lineTerminators.complement())}}
		}
		return end
	case ecma.Boundary:
		if fold {
			return foldBoundary(n.Negate)
		}
		return &node{op: opBoundary, negate: n.Negate}
	case ecma.Group:
		sub := l.node(n.Sub[0])
		if l.referenced[n.Index] {
			return &node{op: opGroup, group: n.Index, sub: []*node{sub}}
		}
		return sub
	case ecma.Look:
		return &node{op: opLook, negate: n.Negate, behind: n.Behind, sub: []*node{l.node(n.Sub[0])}}
	case ecma.Backref:
		return &node{op: opBackref, groups: n.Indexes, fold: fold}
	case ecma.Concat:
		return concat(l.nodes(n.Sub)...)
	case ecma.Alternate:
		return alternate(l.nodes(n.Sub)...)
	case ecma.Repeat:
		return repeat(l.node(n.Sub[0]), n.Min, n.Max, n.Lazy)
	}
	return empty
}

func (l *lowerer) nodes(list []*ecma.Node) []*node {
	nodes := make([]*node, len(list))
	for i, n := range list {
		nodes[i] = l.node(n)
	}
	return nodes
}

// foldBoundary is \b under the i flag, where a word also holds the two characters that equal
// s and k when case is ignored.
func foldBoundary(negate bool) *node {
	word := setNode(wordChars.foldCase())
	look := func(behind, negate bool) *node {
		return &node{op: opLook, behind: behind, negate: negate, sub: []*node{word}}
	}
	return alternate(
		concat(look(true, false), look(false, !negate)),
		concat(look(true, true), look(false, negate)),
	)
}

// compactAt is how many spans of a class are gathered before they are made a set.
const compactAt = 100_000

// class gives the set of a class (CompileToCharSet).
func (l *lowerer) class(n *ecma.Node, fold bool) *node {
	var spans []span
	for _, item := range n.Items {
		spans = append(spans, itemSet(item, fold)...)
		if len(spans) > compactAt {
			// Many times the same property.
			spans = newSet(spans...)
		}
	}
	all := newSet(spans...)
	if fold {
		all = all.foldCase()
	}
	if n.Negate {
		all = all.complement()
	}
	return setNode(all)
}

// itemSet gives the set of a part of a class.
func itemSet(item ecma.Item, fold bool) set {
	switch item.Escape {
	case 0:
		return set{{item.Lo, item.Hi}}
	case 'd':
		return digits
	case 'D':
		return digits.complement()
	case 's':
		return spaces
	case 'S':
		return spaces.complement()
	case 'w', 'W':
		s := wordChars
		if fold {
			s = s.foldCase()
		}
		if item.Escape == 'W' {
			return s.complement()
		}
		return s
	}
	s := property(ecma.LookupProperty(item.Property, item.Value))
	if item.Escape == 'P' {
		return s.complement()
	}
	return s
}
