package plan

import (
	"maps"
	"slices"
)

// optimize rewrites the plan where that makes the checks cheaper, and drops the functions
// that are then no longer called.
func (b *builder) optimize(p *Plan) {
	for _, f := range p.Funcs {
		eachNode(f.Node, inlineSimple)
	}
	for _, f := range p.Funcs {
		eachNode(f.Node, dropInlined)
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
	way := []*Node{n} // all nodes on it come to the same end: each is gone once
	for f := n.Call(); f != nil && f.Node != n; f = f.Node.Call() {
		if !simple(f.Node) || len(f.Node.Checks) > 2 || hasItems(f.Node) || textSize(f.Node) > longestInline {
			break
		}
		way = append(way, f.Node)
	}
	end := way[len(way)-1]
	for _, m := range way[:len(way)-1] {
		*m = *end
	}
}

// dropInlined drops what can't fail once the definitions behind it stand in its place: the
// members and patterns without a constraint.
func dropInlined(n *Node) {
	n.Checks = slices.DeleteFunc(n.Checks, func(c Check) bool {
		m, ok := c.(*Members)
		if !ok || m.Rest != nil || m.Mark {
			return false
		}
		m.dropAlways()
		return m.empty()
	})
}

// longestInline is how many bytes of the schema's text may come to stand at every place that
// refers to a definition.
const longestInline = 256

// textSize counts the bytes of the schema's text that the code for a simple node holds.
func textSize(n *Node) int {
	size := 0
	for _, c := range n.Checks {
		switch c := c.(type) {
		case *Enum:
			for _, text := range slices.Concat(c.Strings, c.Others) {
				size += len(text)
			}
		case *Bound:
			size += len(c.Limit)
		case *Multiple:
			size += len(c.By)
		case *Pattern:
			size += len(c.Source)
		default: // no text of the schema's
		}
	}
	return size
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
		eachCall(f.Node, need)
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
			u.Branches[i].Types = (&looker{}).possible(u.Branches[i].Func.Node)
		}
		u.Tag = findTag(u)
	}
}

// looker looks at what is inside a branch of a union. A schema may come to one place by 2^n
// ways, and n unions may each lead to all the others: so each branch is looked at so far and
// no further. Beyond that nothing is known about it, which costs speed at run time but is
// never wrong.
type looker struct{ looked int }

const (
	mostLooks = 2000 // nodes and members
	deepest   = 16   // calls
)

// more counts one step, and reports whether there may be another one.
func (l *looker) more(n *Node, depth int) bool {
	l.looked++
	return n != nil && depth <= deepest && l.looked <= mostLooks
}

// possible gives the types of the values that may satisfy a node; it may say too many.
func (l *looker) possible(n *Node) Types { return l.possibleAt(n, 0) }

func (l *looker) possibleAt(n *Node, depth int) Types {
	if !l.more(n, depth) {
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
			types &= l.possibleAt(c.Func.Node, depth+1)
		case *Both:
			types &= l.possibleAt(c.Node, depth+1)
		case *Union:
			var some Types
			for _, br := range c.Branches {
				some |= l.possibleAt(br.Func.Node, depth+1)
			}
			types &= some
		default: // the others rule out no type, or it is not known which
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

// findTag looks for a member that every branch requires of objects and for which each branch
// allows string constants that no other branch allows. What is no object may satisfy several
// branches, as where they do not say "type": "object"; the tag then says nothing about it.
func findTag(u *Union) *Tag {
	var candidates []string
	tags := make([]map[string][]string, len(u.Branches))
	for i, br := range u.Branches {
		if br.Types&Object == 0 {
			return nil
		}
		tags[i] = (&looker{}).constants(br.Func.Node)
		if i == 0 {
			candidates = slices.Sorted(maps.Keys(tags[0]))
			continue
		}
		candidates = slices.DeleteFunc(candidates, func(name string) bool { return tags[i][name] == nil })
	}
	for _, name := range candidates {
		tag := &Tag{Name: name}
		seen := map[string]bool{}
		distinct := true
		for i := range u.Branches {
			values := tags[i][name]
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
func (l *looker) constants(n *Node) map[string][]string {
	required := map[string]bool{}
	values := map[string][]string{}
	var gather func(n *Node, depth int)
	gather = func(n *Node, depth int) {
		if !l.more(n, depth) {
			return
		}
		for _, c := range n.Checks {
			switch c := c.(type) {
			case *Members:
				for _, f := range c.Fields {
					required[f.Name] = required[f.Name] || f.Required
					if v := l.strings(f.Node, depth+1); v != nil {
						values[f.Name] = v
					}
				}
			case *Call:
				gather(c.Func.Node, depth+1)
			case *Both:
				gather(c.Node, depth+1)
			default: // says nothing about single members that always holds
			}
		}
	}
	gather(n, 0)
	maps.DeleteFunc(values, func(name string, _ []string) bool { return !required[name] })
	return values
}

// strings gives the strings that alone satisfy a node, or nil.
func (l *looker) strings(n *Node, depth int) []string {
	if !l.more(n, depth) {
		return nil
	}
	for _, c := range n.Checks {
		switch c := c.(type) {
		case *Enum:
			if c.Only {
				return c.Strings
			}
		case *Call:
			if v := l.strings(c.Func.Node, depth+1); v != nil {
				return v
			}
		default: // lists no values
		}
	}
	return nil
}
