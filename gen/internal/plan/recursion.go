package plan

import "hash/fnv"

// remember marks the functions whose verdicts are worth remembering. A recursive schema with
// a choice can come to one place of a document by many ways: with two branches that both go
// down, a document nested n deep would be looked at 2^n times. So the functions that lead a
// recursion down into the instance remember their verdicts once that gets out of hand; see
// jsonrt.Checker.Recall.
func remember(p *Plan) {
	component := components(p.Funcs)
	ids := map[uint32]bool{}
	for _, f := range p.Funcs {
		for _, callee := range down(f.Node) {
			if component[callee] != component[f] || callee.Memo != 0 || callee.Collect != 0 {
				continue
			}
			for text := callee.Name; callee.Memo == 0 || ids[callee.Memo]; text += "'" {
				h := fnv.New32a()
				h.Write([]byte(text))
				callee.Memo = h.Sum32()
			}
			ids[callee.Memo] = true
		}
	}
}

// down lists the functions that n calls for parts of its value.
func down(n *Node) []*Func {
	var list []*Func
	add := func(sub *Node) {
		eachNode(sub, func(n *Node) {
			for _, c := range n.Checks {
				list = append(list, callees(c)...)
			}
		})
	}
	eachNode(n, func(n *Node) {
		for _, c := range n.Checks {
			switch c := c.(type) {
			case *Members, *Items, *Unevaluated:
				for _, sub := range subnodes(c) {
					add(sub)
				}
			case *Contains:
				list = append(list, c.ItemFunc)
			}
		}
	})
	return list
}

// components numbers the strongly connected components of the call graph (Tarjan's method);
// functions of one component call each other in a circle. A function that is alone in its
// component has a number of its own, unless it calls itself.
func components(funcs []*Func) map[*Func]int {
	type state struct {
		index, low int
		open       bool
	}
	states := map[*Func]*state{}
	component := map[*Func]int{}
	var stack []*Func
	next := 1
	var visit func(f *Func) *state
	visit = func(f *Func) *state {
		st := &state{index: next, low: next, open: true}
		next++
		states[f] = st
		stack = append(stack, f)
		eachNode(f.Node, func(n *Node) {
			for _, c := range n.Checks {
				for _, callee := range callees(c) {
					switch other := states[callee]; {
					case other == nil:
						st.low = min(st.low, visit(callee).low)
					case other.open:
						st.low = min(st.low, other.index)
					}
				}
			}
		})
		if st.low == st.index {
			for {
				member := stack[len(stack)-1]
				stack = stack[:len(stack)-1]
				states[member].open = false
				component[member] = st.index
				if member == f {
					break
				}
			}
		}
		return st
	}
	for _, f := range funcs {
		if states[f] == nil {
			visit(f)
		}
	}
	return component
}
