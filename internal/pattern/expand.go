package pattern

import "unicode/utf8"

const (
	// maxWords is up to how many words a group is written out for its back-references.
	maxWords = 16
	// maxExpanded bounds what writing out groups may multiply an expression to, in nodes.
	maxExpanded = 2000
)

// expand does without back-references where it can: a group that stands for a few words, such
// as the quote in (["']).*\1, becomes alternatives, one for each word, in which the group and
// its references are that word. What is left needs no backtracking. ok is false where a
// reference remains: to a group of unknown length, to one that a repeat or an alternative may
// skip, or from outside the sequence that the group belongs to.
func expand(n *node) (expanded *node, ok bool) {
	for n.has(opBackref) {
		before := n
		if n = expandOne(n, n); n == before || n.size() > maxExpanded {
			return nil, false
		}
	}
	return n, true
}

// expandOne writes out the first group that can be, in n, which is a part of root. Without one
// it returns n itself.
func expandOne(n, root *node) *node {
	if n.op == opConcat {
		for i, part := range n.sub {
			if part.op == opGroup {
				if out := expandGroup(n.sub, i, root); out != nil {
					return out
				}
			}
		}
	}
	for i, s := range n.sub {
		if out := expandOne(s, root); out != s {
			c := *n
			c.sub = append(append(append([]*node(nil), n.sub[:i]...), out), n.sub[i+1:]...)
			return &c
		}
	}
	return n
}

// expandGroup writes out the group that is part i of a sequence; nil if it can't be.
func expandGroup(parts []*node, i int, root *node) *node {
	group := parts[i]
	after := concat(parts[i+1:]...)
	if after.references(group.group) == 0 || root.stray(group.group) {
		return nil
	}
	words, ok := group.sub[0].literals()
	if !ok || len(words) > maxWords || group.sub[0].has(opGroup) {
		return nil
	}
	var alternatives []*node
	for _, w := range words {
		rest, ok := after.replaceReferences(group.group, w)
		if !ok {
			return nil
		}
		alternatives = append(alternatives, concat(append(append([]*node(nil), parts[:i]...), wordNode(w, false), rest)...))
	}
	return alternate(alternatives...)
}

// stray reports whether a reference to the group stands anywhere but behind the group in the
// sequence that the group belongs to.
func (n *node) stray(group int) bool {
	if n.op == opBackref {
		return n.references(group) > 0
	}
	for _, s := range n.sub {
		if n.op == opConcat && s.op == opGroup && s.group == group {
			return false // what is left stands behind it
		}
		if s.stray(group) {
			return true
		}
	}
	return false
}

// references counts the back-references that mean this group.
func (n *node) references(group int) int {
	count := 0
	n.walk(func(n *node) {
		for _, g := range n.groups {
			if g == group {
				count++
			}
		}
	})
	return count
}

// replaceReferences puts a word in the place of the references to a group. A reference that
// may mean other groups, too, can't be replaced.
func (n *node) replaceReferences(group int, word string) (*node, bool) {
	if n.op == opBackref && n.references(group) > 0 {
		return wordNode(word, n.fold), len(n.groups) == 1
	}
	if n.references(group) == 0 {
		return n, true
	}
	c := *n
	c.sub = make([]*node, len(n.sub))
	for i, s := range n.sub {
		var ok bool
		if c.sub[i], ok = s.replaceReferences(group, word); !ok {
			return nil, false
		}
	}
	return &c, true
}

// wordNode matches a word, with fold whatever its case.
func wordNode(word string, fold bool) *node {
	var parts []*node
	for len(word) > 0 {
		r, size := decodeRune(word)
		word = word[size:]
		s := set{{r, r}}
		if fold {
			s = s.foldCase()
		}
		parts = append(parts, setNode(s))
	}
	return concat(parts...)
}

// decodeRune decodes the first code point of s, also if it is a surrogate (WTF-8).
func decodeRune(s string) (r rune, size int) {
	r, size = utf8.DecodeRuneInString(s)
	if size == 1 && r == utf8.RuneError && len(s) >= 3 && s[0] == 0xED {
		return rune(s[0]&0x0F)<<12 | rune(s[1]&0x3F)<<6 | rune(s[2]&0x3F), 3
	}
	return r, size
}

// size counts the nodes of n.
func (n *node) size() int {
	count := 0
	n.walk(func(*node) { count++ })
	return count
}
