package plan

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// reference plans a reference. Where it leads is known at generate time, also for dynamic ones:
// see scope.
func (b *builder) reference(s *load.Schema, k *load.Keyword, n *Node) {
	if k.Target != nil {
		target := b.scope.resolve(s, k)
		if target == nil {
			b.fault(s.File.At(k.Value, "the reference %s leads nowhere: none of the schemas on the way here has this $dynamicAnchor", s.File.Tape.Bytes(k.Value)))
			return
		}
		n.Checks = append(n.Checks, &Call{Func: b.function(target)})
	}
}

// all plans schemas that all have to hold.
func (b *builder) all(_ *load.Schema, k *load.Keyword, n *Node) {
	for _, sub := range k.Schemas {
		b.both(n, b.node(sub))
	}
}

func (b *builder) not(_ *load.Schema, k *load.Keyword, n *Node) {
	unmark := b.collect != 0
	defer b.without()()
	for _, schema := range k.Schemas {
		sub, f := b.branch(schema)
		n.Checks = append(n.Checks, &Not{At: n.At, Keyword: k.Name, Node: sub, Func: f, Unmark: unmark})
	}
}

func (b *builder) conditional(s *load.Schema, k *load.Keyword, n *Node) {
	c := &If{Mark: b.collect != 0}
	if then := s.Checks(load.CheckThen); then != nil {
		c.Then = b.node(then.Schemas[0])
	}
	if otherwise := s.Checks(load.CheckElse); otherwise != nil {
		c.Else = b.node(otherwise.Schemas[0])
	}
	if !c.Then.always() || !c.Else.always() || c.Mark {
		c.If, c.Func = b.branch(k.Schemas[0])
		n.Checks = append(n.Checks, c)
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

// union plans alternatives.
func (b *builder) union(s *load.Schema, k *load.Keyword, n *Node) {
	if len(k.Schemas) == 1 {
		b.both(n, b.node(k.Schemas[0]))
		return
	}
	c := &Union{At: n.At, Keyword: k.Name, All: b.collect != 0}
	for _, sub := range k.Schemas {
		node, f := b.branch(sub)
		if node.always() && k.Check == load.CheckAny && !c.All {
			return // one branch takes everything
		}
		c.Branches = append(c.Branches, Branch{Node: node, Func: f, Types: b.facts.Kinds(sub)})
	}
	tag := b.facts.Tag(s, k)
	if hint := facts.Discriminator(s); hint != "" && (tag == nil || tag.Member != hint) && !b.hinted[s] {
		b.hinted[s] = true
		b.warnings = append(b.warnings, s.File.At(k.Value, "warning: the discriminator names %q, which does not tell these branches apart, so it is not gone by; let each branch require it and give it a const of its own", hint))
	}
	if tag != nil {
		c.Tag = &Tag{Name: tag.Member, Kind: tag.Kind, Values: make([][]string, len(k.Schemas)), Required: tag.Required}
		for i, sub := range k.Schemas {
			if at := slices.Index(tag.Branches, sub); at >= 0 {
				c.Tag.Values[i] = tag.Values[at]
			}
		}
	}
	n.Checks = append(n.Checks, c)
}
