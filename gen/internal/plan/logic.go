package plan

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// references plans $ref, $dynamicRef and $recursiveRef. Where a reference leads is known at
// generate time, also for dynamic ones: see scope.
func (b *builder) references(s *load.Schema, n *Node) {
	for i := range s.Keywords {
		k := &s.Keywords[i]
		if k.Target == nil {
			continue
		}
		switch k.Name {
		case "$ref":
			n.Checks = append(n.Checks, &Call{Func: b.function(k.Target)})
		case "$dynamicRef", "$recursiveRef":
			n.Checks = append(n.Checks, &Call{Func: b.function(b.scope.resolve(s, k))})
		}
	}
}

// logic plans allOf, anyOf, oneOf, not and if.
func (b *builder) logic(s *load.Schema, n *Node) {
	for i := range s.Keywords {
		k := &s.Keywords[i]
		switch k.Name {
		case "allOf":
			for _, sub := range k.Schemas {
				b.both(n, b.node(sub))
			}
		case "anyOf", "oneOf":
			b.union(n, k)
		case "not":
			unmark := b.collect != 0
			restore := b.without()
			sub, f := b.branch(k.Schemas[0])
			restore()
			n.Checks = append(n.Checks, &Not{At: n.At, Node: sub, Func: f, Unmark: unmark})
		case "if":
			c := &If{Mark: b.collect != 0}
			if then := s.Keyword("then"); then != nil {
				c.Then = b.node(then.Schemas[0])
			}
			if otherwise := s.Keyword("else"); otherwise != nil {
				c.Else = b.node(otherwise.Schemas[0])
			}
			if !c.Then.always() || !c.Else.always() || c.Mark {
				c.If, c.Func = b.branch(k.Schemas[0])
				n.Checks = append(n.Checks, c)
			}
		}
	}
}

// both adds a node that holds for the same value.
func (b *builder) both(n, sub *Node) {
	switch {
	case sub.always():
	case sub.Call() != nil:
		n.Checks = append(n.Checks, sub.Checks[0])
	default:
		n.Checks = append(n.Checks, &Both{Node: sub})
	}
}

func (b *builder) union(n *Node, k *load.Keyword) {
	if len(k.Schemas) == 1 {
		b.both(n, b.node(k.Schemas[0]))
		return
	}
	c := &Union{At: n.At, Keyword: k.Name, All: b.collect != 0}
	for _, sub := range k.Schemas {
		node, f := b.branch(sub)
		if node.always() && k.Name == "anyOf" && !c.All {
			return // one branch takes everything
		}
		c.Branches = append(c.Branches, Branch{Node: node, Func: f})
	}
	n.Checks = append(n.Checks, c)
}
