package plan

import (
	"hash/fnv"
	"slices"
)

// remember marks the functions whose verdicts are worth remembering. A schema with a choice
// can come to one place of a document by many ways: with two branches that both go down, a
// document nested n deep would be looked at 2^n times. So the functions that lead a recursion
// down into the instance, and those that very many ways lead to, remember their verdicts once
// that gets out of hand; see jsonrt.Checker.Recall. A function that notes what it evaluated
// can't be spared a call by a verdict; its calls are counted.
func remember(p *Plan) {
	component := components(p.Funcs)
	ids := map[uint32]bool{}
	mark := func(f *Func) {
		if f.Collect != 0 {
			f.Counted = true
			return
		}
		for text := f.Name; f.Memo == 0 || ids[f.Memo]; text += "'" {
			h := fnv.New32a()
			h.Write([]byte(text))
			f.Memo = h.Sum32()
		}
		ids[f.Memo] = true
	}
	count := ways(p, component)
	for _, f := range p.Funcs {
		for _, callee := range down(f.Node) {
			if component[callee] == component[f] && callee.Memo == 0 {
				mark(callee)
			}
		}
		if f.Memo == 0 && count[f] > manyWays && calls(f) {
			mark(f)
		}
	}
}

// manyWays is how many ways may lead from a message to a function, more or less, without its
// verdicts being remembered.
const manyWays = 1000

// calls reports whether f calls other functions.
func calls(f *Func) bool {
	found := false
	eachNode(f.Node, func(n *Node) {
		found = found || slices.ContainsFunc(n.Checks, func(c Check) bool { return len(callees(c)) > 0 })
	})
	return found
}

// ways counts the chains of calls that lead from the messages to each function, up to a little
// more than manyWays. Functions that call each other in a circle count as one. It counts ways
// to different parts of a document, too, which does no harm.
func ways(p *Plan, component map[*Func]int) map[*Func]int {
	callers := map[int][]*Func{} // of a component, once for each call
	for _, f := range p.Funcs {
		eachNode(f.Node, func(n *Node) {
			for _, c := range n.Checks {
				for _, callee := range callees(c) {
					if to := component[callee]; to != component[f] && len(callers[to]) <= manyWays {
						callers[to] = append(callers[to], f)
					}
				}
			}
		})
	}
	counts := map[int]int{} // by component
	var count func(component int) int
	count = func(c int) int {
		if known, ok := counts[c]; ok {
			return known
		}
		total := 1
		for _, caller := range callers[c] {
			total = min(total+count(component[caller]), manyWays+1)
		}
		counts[c] = total
		return total
	}
	result := map[*Func]int{}
	for _, f := range p.Funcs {
		result[f] = count(component[f])
	}
	return result
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
