package types

// breakCycles puts pointers into the fields through which a struct contains itself. Which
// those are is found out before any is changed, so it does not depend on the order.
func breakCycles(types map[string]*named) {
	circle := circles(types)
	var within []*field
	for _, n := range types {
		for _, f := range n.fields {
			if inner := f.inside(); inner != nil && circle[inner] == circle[n] {
				within = append(within, f)
			}
		}
	}
	for _, f := range within {
		f.indirect = true
	}
	depths := map[*named]int{}
	for _, n := range types {
		breakChains(n, depths)
	}
}

// maxNested is how deep structs may hold structs by value. The Go compiler takes time that grows
// with the cube of it, so longer chains are interrupted by pointers.
const maxNested = 100

// breakChains sets pointers into chains of structs that begin at n, and gives the length of the
// longest that is left.
func breakChains(n *named, depths map[*named]int) int {
	if depth, known := depths[n]; known {
		return depth
	}
	depth := 1
	for _, f := range n.fields {
		if inner := f.inside(); inner != nil {
			if below := breakChains(inner, depths); below >= maxNested {
				f.indirect = true
			} else {
				depth = max(depth, below+1)
			}
		}
	}
	depths[n] = depth
	return depth
}

// circles numbers the structs so that those, and only those, which hold each other by value have
// one number (Tarjan's strongly connected components).
func circles(types map[string]*named) map[*named]int {
	numbers := map[*named]int{} // of a circle that is complete, or of the visit until then
	low := map[*named]int{}
	open := map[*named]bool{}
	var stack []*named
	var visit func(n *named)
	visit = func(n *named) {
		numbers[n] = len(numbers) + 1
		low[n] = numbers[n]
		stack, open[n] = append(stack, n), true
		for _, f := range n.fields {
			inner := f.inside()
			switch {
			case inner == nil:
			case numbers[inner] == 0:
				visit(inner)
				low[n] = min(low[n], low[inner])
			case open[inner]:
				low[n] = min(low[n], numbers[inner])
			}
		}
		if low[n] != numbers[n] {
			return
		}
		for {
			member := stack[len(stack)-1]
			stack, open[member] = stack[:len(stack)-1], false
			numbers[member] = low[n]
			if member == n {
				return
			}
		}
	}
	for _, n := range types {
		if numbers[n] == 0 {
			visit(n)
		}
	}
	return numbers
}

// inside is the declared struct that the field holds by value, or nil.
func (f *field) inside() *named {
	if f.typ.form != formNamed {
		return nil
	}
	switch f.typ.named.shape {
	case shapeStruct, shapeTuple:
	case shapeBox, shapeEnum, shapeAlias, shapeSum, shapeUnion:
		return nil // of pointers, or no struct
	}
	switch f.holder() {
	case plain, optional:
		return f.typ.named
	case pointer, indirect:
	}
	return nil
}
