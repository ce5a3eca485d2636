package program

// calls lists the functions that a function calls, once for each call.
func calls(f *Func) []*Func {
	var list []*Func
	each(f.Body, func(op Op) { list = append(list, op.parts().calls...) })
	return list
}

// down lists the functions that f calls for parts of its value.
func down(f *Func) []*Func {
	var list []*Func
	each(f.Body, func(op Op) {
		switch op := op.(type) {
		case *Call:
			if op.On != of(f.Arg) {
				list = append(list, op.Func)
			}
		case *Union:
			if op.On != of(f.Arg) {
				list = append(list, op.Forms...)
			}
		case *Not:
			if op.On != of(f.Arg) {
				list = append(list, op.Func)
			}
		case *Conditional:
			if op.On != of(f.Arg) {
				list = append(list, op.Func)
			}
		case *Contains:
			list = append(list, op.Func)
		default: // calls nothing by itself
		}
	})
	return list
}

// ways counts the chains of calls that lead from the messages to each function, up to a little
// more than manyWays. Functions that call each other in a circle count as one. It counts ways
// to different parts of a document, too, which does no harm.
func ways(p *Program, component map[*Func]int) map[*Func]int {
	callers := map[int][]*Func{} // of a component, once for each call
	for _, f := range p.Funcs {
		for _, callee := range calls(f) {
			if to := component[callee]; to != component[f] && len(callers[to]) <= manyWays {
				callers[to] = append(callers[to], f)
			}
		}
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

// components numbers the strongly connected components of the call graph (Tarjan's method);
// functions of one component call each other in a circle. A function that is alone in its
// component has a number of its own, whether it calls itself or not.
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
		for _, callee := range calls(f) {
			switch other := states[callee]; {
			case other == nil:
				st.low = min(st.low, visit(callee).low)
			case other.open:
				st.low = min(st.low, other.index)
			}
		}
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
