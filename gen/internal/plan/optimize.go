package plan

import "slices"

// optimize rewrites the plan where that makes the checks cheaper, and drops the functions
// that are then no longer called.
func (b *builder) optimize(p *Plan) {
	for _, f := range p.Funcs {
		eachNode(f.Node, inlineSimple)
	}
	for _, f := range p.Funcs {
		eachNode(f.Node, func(n *Node) { tagUnions(n) })
	}
	p.Funcs = called(p)
}

// inlineSimple replaces the call of a small function by its node: the call would cost more
// than the check. The node keeps the location of the definition. A node with nodes inside
// stays where it is, for it may lead back to its own function.
func inlineSimple(n *Node) {
	for f := n.Call(); f != nil; f = n.Call() {
		leaf := simple(f.Node) && len(f.Node.Checks) <= 2 && !hasItems(f.Node)
		if f.Node == n || !leaf {
			return
		}
		*n = *f.Node
	}
}

// eachNode calls visit for n and the nodes inside it, without following calls.
func eachNode(n *Node, visit func(*Node)) {
	if n == nil {
		return
	}
	visit(n)
	for _, c := range n.Checks {
		for _, sub := range subnodes(c) {
			eachNode(sub, visit)
		}
	}
}

// subnodes lists the nodes that stand inside a check. Branches are functions of their own.
func subnodes(c Check) []*Node {
	switch c := c.(type) {
	case *Items:
		return append(slices.Clone(c.Prefix), c.Rest)
	case *Members:
		subs := []*Node{c.Rest, c.Names}
		for _, f := range c.Fields {
			subs = append(subs, f.Node)
		}
		for _, p := range c.Patterns {
			subs = append(subs, p.Node)
		}
		return subs
	case *DependsSchema:
		return []*Node{c.Node}
	case *If:
		return []*Node{c.Then, c.Else}
	case *Both:
		return []*Node{c.Node}
	case *Unevaluated:
		return []*Node{c.Node}
	}
	return nil
}

// callees lists the functions that a check calls by itself.
func callees(c Check) []*Func {
	switch c := c.(type) {
	case *Call:
		return []*Func{c.Func}
	case *Contains:
		return []*Func{c.ItemFunc}
	case *Not:
		return []*Func{c.Func}
	case *If:
		return []*Func{c.Func}
	case *Union:
		var fs []*Func
		for _, br := range c.Branches {
			fs = append(fs, br.Func)
		}
		return fs
	}
	return nil
}

// called lists the functions that some message needs, in the old order.
func called(p *Plan) []*Func {
	needed := map[*Func]bool{}
	var need func(f *Func)
	need = func(f *Func) {
		if needed[f] {
			return
		}
		needed[f] = true
		eachNode(f.Node, func(n *Node) {
			for _, c := range n.Checks {
				for _, callee := range callees(c) {
					need(callee)
				}
			}
		})
	}
	for _, m := range p.Messages {
		need(m.Func)
	}
	return slices.DeleteFunc(slices.Clone(p.Funcs), func(f *Func) bool { return !needed[f] })
}

// tagUnions finds out which types can satisfy each branch of a union, and whether one member
// tells the branches apart.
func tagUnions(n *Node) {
	for _, c := range n.Checks {
		u, ok := c.(*Union)
		if !ok {
			continue
		}
		for i := range u.Branches {
			u.Branches[i].Types = possible(u.Branches[i].Func.Node, 0)
		}
		u.Tag = findTag(u)
	}
}

const deepest = 16 // how far possible and constants follow calls; beyond it everything is possible

// possible gives the types of the values that may satisfy a node; it may say too many.
func possible(n *Node, depth int) Types {
	if n == nil || depth > deepest {
		return Any
	}
	if n.Never {
		return 0
	}
	types := n.Types
	for _, c := range n.Checks {
		switch c := c.(type) {
		case *Enum:
			types &= enumTypes(c)
		case *Call:
			types &= possible(c.Func.Node, depth+1)
		case *Both:
			types &= possible(c.Node, depth+1)
		case *Union:
			var some Types
			for _, br := range c.Branches {
				some |= possible(br.Func.Node, depth+1)
			}
			types &= some
		}
	}
	return types
}

func enumTypes(c *Enum) Types {
	var types Types
	if len(c.Strings) > 0 {
		types |= String
	}
	for _, text := range c.Others {
		switch text[0] {
		case 'n':
			types |= Null
		case 't', 'f':
			types |= Boolean
		case '[':
			types |= Array
		case '{':
			types |= Object
		default:
			types |= Number
		}
	}
	return types
}

// findTag looks for a member that every branch requires and for which each branch allows
// string constants that no other branch allows.
func findTag(u *Union) *Tag {
	var candidates []string
	for i, br := range u.Branches {
		if br.Types != Object {
			return nil
		}
		tags := constants(br.Func.Node, 0)
		if i == 0 {
			for name := range tags {
				candidates = append(candidates, name)
			}
			slices.Sort(candidates)
			continue
		}
		candidates = slices.DeleteFunc(candidates, func(name string) bool { return tags[name] == nil })
	}
	for _, name := range candidates {
		tag := &Tag{Name: name}
		seen := map[string]bool{}
		distinct := true
		for _, br := range u.Branches {
			values := constants(br.Func.Node, 0)[name]
			for _, v := range values {
				distinct = distinct && !seen[v]
				seen[v] = true
			}
			tag.Values = append(tag.Values, values)
		}
		if distinct {
			return tag
		}
	}
	return nil
}

// constants gives the required members of a node that must be one of a few strings.
func constants(n *Node, depth int) map[string][]string {
	found := map[string][]string{}
	if n == nil || depth > deepest {
		return found
	}
	required := map[string]bool{}
	values := map[string][]string{}
	var gather func(n *Node, depth int)
	gather = func(n *Node, depth int) {
		if n == nil || depth > deepest {
			return
		}
		for _, c := range n.Checks {
			switch c := c.(type) {
			case *Members:
				for _, f := range c.Fields {
					required[f.Name] = required[f.Name] || f.Required
					if v := stringConstants(f.Node, depth+1); v != nil {
						values[f.Name] = v
					}
				}
			case *Call:
				gather(c.Func.Node, depth+1)
			case *Both:
				gather(c.Node, depth+1)
			}
		}
	}
	gather(n, depth)
	for name, v := range values {
		if required[name] {
			found[name] = v
		}
	}
	return found
}

// stringConstants gives the strings that alone satisfy a node, or nil.
func stringConstants(n *Node, depth int) []string {
	if n == nil || depth > deepest {
		return nil
	}
	for _, c := range n.Checks {
		switch c := c.(type) {
		case *Enum:
			if c.Only {
				return c.Strings
			}
		case *Call:
			if v := stringConstants(c.Func.Node, depth+1); v != nil {
				return v
			}
		}
	}
	return nil
}
