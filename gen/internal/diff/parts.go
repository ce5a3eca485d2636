package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// items compares what is said about the elements of an array.
func (c *comparison) items(have facts, after *plan.Items, path string) {
	old := find[*plan.Items](have)
	longest := len(after.Prefix)
	for _, o := range old {
		longest = max(longest, len(o.Prefix))
	}
	for i := range longest {
		c.nodes(itemNode(old, i), itemAt(after, i), fmt.Sprint(path, "/", i))
	}
	c.nodes(itemNode(old, longest), itemAt(after, longest), path+"/*")
}

func itemAt(c *plan.Items, i int) *plan.Node {
	if i < len(c.Prefix) {
		return c.Prefix[i]
	}
	return c.Rest
}

// itemNode joins what the old checks say of element i.
func itemNode(old []*plan.Items, i int) *plan.Node {
	var nodes []*plan.Node
	for _, o := range old {
		nodes = append(nodes, itemAt(o, i))
	}
	return join(nodes)
}

// join makes one node of several that all hold.
func join(nodes []*plan.Node) *plan.Node {
	nodes = slices.DeleteFunc(nodes, func(n *plan.Node) bool { return n == nil })
	switch len(nodes) {
	case 0:
		return nil
	case 1:
		return nodes[0]
	}
	all := &plan.Node{Types: plan.Any}
	for _, n := range nodes {
		if n.Never {
			return n
		}
		all.Checks = append(all.Checks, &plan.Both{Node: n})
	}
	return all
}

// members compares what is said about the members of an object.
func (c *comparison) members(have facts, after *plan.Members, path string) {
	old := find[*plan.Members](have)
	names := map[string]bool{}
	var order []string
	note := func(m *plan.Members) {
		for _, f := range m.Fields {
			if !names[f.Name] {
				names[f.Name] = true
				order = append(order, f.Name)
			}
		}
	}
	note(after)
	for _, o := range old {
		note(o)
	}
	for _, f := range after.Fields {
		wasRequired := slices.ContainsFunc(old, func(o *plan.Members) bool {
			return slices.ContainsFunc(o.Fields, func(g plan.Field) bool { return g.Name == f.Name && g.Required })
		})
		if f.Required && !wasRequired {
			c.report(path+string(jsontape.AppendPointerToken(nil, f.Name)), "is required now")
		}
	}
	for _, name := range order {
		c.nodes(memberNode(old, name), memberAt(after, name), path+string(jsontape.AppendPointerToken(nil, name)))
	}
	for _, p := range after.Patterns {
		before := memberRest(old)
		for _, o := range old {
			for _, q := range o.Patterns {
				if q.Source == p.Source {
					before = q.Node
				}
			}
		}
		c.nodes(before, p.Node, path+"/{"+p.Source+"}")
	}
	c.nodes(memberRest(old), after.Rest, path+"/*")
	if after.Names != nil {
		var before []*plan.Node
		for _, o := range old {
			before = append(before, o.Names)
		}
		c.nodes(join(before), after.Names, path+", member names")
	}
}

// memberAt joins what one check says of the member name.
func memberAt(c *plan.Members, name string) *plan.Node {
	var nodes []*plan.Node
	met := false
	for _, f := range c.Fields {
		if f.Name == name && !f.Undeclared {
			met = true
			nodes = append(nodes, f.Node)
		}
	}
	for _, p := range c.Patterns {
		if p.Matcher.Program.Match(name) {
			met = true
			nodes = append(nodes, p.Node)
		}
	}
	if !met {
		nodes = append(nodes, c.Rest)
	}
	return join(nodes)
}

func memberNode(old []*plan.Members, name string) *plan.Node {
	var nodes []*plan.Node
	for _, o := range old {
		nodes = append(nodes, memberAt(o, name))
	}
	return join(nodes)
}

// memberRest is what the old checks say of members that no check names. A pattern may take
// some of them, so with patterns nothing is sure.
func memberRest(old []*plan.Members) *plan.Node {
	var nodes []*plan.Node
	for _, o := range old {
		if len(o.Patterns) == 0 {
			nodes = append(nodes, o.Rest)
		}
	}
	return join(nodes)
}

// union compares anyOf and oneOf: every old branch must fit a new one.
func (c *comparison) union(have facts, after *plan.Union, path string) {
	for _, old := range find[*plan.Union](have) {
		if old.Keyword != after.Keyword && after.Keyword == "oneOf" {
			continue
		}
		if after.Keyword == "oneOf" && (after.Tag == nil || after.Strays()) && len(after.Branches) != len(old.Branches) {
			continue // another branch may fit as well, which oneOf refuses
		}
		var gone []string
		for i, br := range old.Branches {
			fits := slices.ContainsFunc(after.Branches, func(now plan.Branch) bool { return c.holds(br.Func.Node, now.Func.Node) })
			if !fits {
				gone = append(gone, branchName(old, i))
			}
		}
		if len(gone) == 0 {
			return
		}
		for _, name := range gone {
			c.branch(old, after, name, path)
		}
		return
	}
	c.same(have, after, path)
}

func branchName(u *plan.Union, i int) string {
	if u.Tag != nil {
		return u.Tag.Name + " " + strings.Join(u.Tag.Values[i], " or ")
	}
	return fmt.Sprint(u.Keyword, "/", i)
}

// branch says what became of an old branch: if a tag finds its successor, what is narrower in
// it, else that it is gone.
func (c *comparison) branch(old, after *plan.Union, name, path string) {
	for i, br := range old.Branches {
		if branchName(old, i) != name {
			continue
		}
		for j, now := range after.Branches {
			if old.Tag != nil && after.Tag != nil && branchName(after, j) == name {
				c.nodes(br.Func.Node, now.Func.Node, path+"("+name+")")
				return
			}
		}
	}
	c.report(path, "the form %s is gone or narrower", name)
}
