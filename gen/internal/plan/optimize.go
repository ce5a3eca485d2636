package plan

import "slices"

// optimize rewrites the plan where that makes the checks cheaper, and drops the functions
// that are then no longer called.
func (b *builder) optimize(p *Plan) {
	for _, f := range p.Funcs {
		eachNode(f.Node, inlineSimple)
	}
	for _, f := range p.Funcs {
		eachNode(f.Node, dropInlined)
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
