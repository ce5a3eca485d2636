package plan

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// unevaluated plans unevaluatedProperties and unevaluatedItems, and makes the builder collect
// what they need to know: what is planned until end for the same value notes what it evaluates.
func (b *builder) unevaluated(s *load.Schema, n *Node) (checks []*Unevaluated, end func()) {
	outer := b.collect
	for i := range s.Keywords {
		k := &s.Keywords[i]
		if k.Check != load.CheckUnevaluatedMembers && k.Check != load.CheckUnevaluatedItems {
			continue
		}
		c := &Unevaluated{At: n.At, Keyword: k.Name, Node: b.inside(k.Schemas[0])}
		// A schema around this one may want to know that these parts are evaluated now.
		c.Mark = outer&collects(k.Name) != 0
		if n.Types&c.Looks() == 0 || c.Node.always() && !c.Mark {
			continue
		}
		checks = append(checks, c)
	}
	for _, c := range checks {
		b.collect |= collects(c.Keyword)
	}
	return checks, func() { b.collect = outer }
}

func collects(keyword string) Collect {
	if keyword == "unevaluatedItems" {
		return CollectItems
	}
	return CollectMembers
}

// without plans what follows without collecting; the result goes back.
func (b *builder) without() (end func()) {
	before := b.collect
	b.collect = 0
	return func() { b.collect = before }
}

// frame puts the unevaluated checks last: everything else that is said about the value comes
// between the Frame, at the start, and them.
func frame(n *Node, last []*Unevaluated) {
	if len(last) == 0 || n.Never {
		return
	}
	n.Checks = slices.Insert(n.Checks, 0, Check(&Frame{}))
	for _, c := range last {
		if c.Keyword == "unevaluatedProperties" {
			c.Known = knownMembers(n)
		}
		n.Checks = append(n.Checks, c)
	}
}

// mostKnown is how many names are kept to hint at what a misspelt member was meant to be, and
// how many nodes are looked at for them: with all of them, n schemas that each refer to the
// next would have n*n names.
const mostKnown = 200

// knownMembers lists the member names that the checks of n could evaluate, for hints.
func knownMembers(n *Node) []string {
	var names []string
	listed := map[string]bool{}
	seen := map[*Node]bool{}
	var walk func(n *Node)
	walk = func(n *Node) {
		if n == nil || seen[n] || len(seen) >= mostKnown {
			return
		}
		seen[n] = true
		for _, c := range n.Checks {
			if m, ok := c.(*Members); ok {
				for _, f := range m.Fields {
					if !f.Undeclared && !listed[f.Name] && len(names) < mostKnown {
						listed[f.Name] = true
						names = append(names, f.Name)
					}
				}
			}
		}
		for _, c := range n.Checks {
			for _, u := range c.uses() {
				switch {
				case u.part:
				case u.fn != nil:
					walk(u.fn.Node)
				default:
					walk(u.node)
				}
			}
		}
	}
	walk(n)
	return names
}
