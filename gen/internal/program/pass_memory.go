package program

import "hash/fnv"

// remember marks the functions whose verdicts are worth remembering. Where a schema can come to one
// part of a document by several ways, and each way goes on to several, a document nested n deep
// would be looked at 2^n times. That takes a recursion with a choice in it: a branch that is tried,
// or two calls for one part; or, without a recursion, very many ways. There the functions that
// lead down into the document remember their verdicts once that gets out of hand; see
// jsonrt.Checker.Recall. A recursion without a choice, a tree or a list, looks at each part once
// and remembers nothing. A function that notes what it evaluated can't be spared a call by a
// verdict; its calls are counted.
func remember(p *Program) {
	g := &callGraph{component: components(p.Funcs), choices: map[int]bool{}, sums: map[*Func]*descents{}}
	for _, f := range p.Funcs {
		if g.descents(f).most() > 1 {
			g.choices[g.component[f]] = true
		}
	}
	ids := map[uint32]bool{}
	mark := func(f *Func) {
		if f.plan.Collect != 0 {
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
	count := ways(p, g.component)
	for _, f := range p.Funcs {
		if g.choices[g.component[f]] {
			for _, callee := range down(f) {
				if g.component[callee] == g.component[f] && callee.Memo == 0 {
					mark(callee)
				}
			}
		}
		if f.Memo == 0 && count[f] > manyWays && len(calls(f)) > 0 {
			mark(f)
		}
	}
}

// manyWays is how many ways may lead from a message to a function, more or less, without its
// verdicts being remembered.
const manyWays = 1000

// callGraph is what is known of the calls of a program.
type callGraph struct {
	component map[*Func]int
	choices   map[int]bool // the components in which a choice meets the recursion
	sums      map[*Func]*descents
}

// descents says how often each part of a value is given to functions of the same component, up to
// 2: by the name of the member, for all other members, for the elements.
type descents struct {
	named           map[string]int
	others, element int
}

// most is the most often that any part is given.
func (d *descents) most() int {
	n := max(d.others, d.element)
	for _, count := range d.named {
		n = max(n, count)
	}
	return n
}

func (d *descents) of(name string) int {
	if n, is := d.named[name]; is {
		return n
	}
	return d.others
}

// join adds to d what else is done for the value, or what is done instead where that is more.
func (d *descents) join(e *descents, both func(a, b int) int) {
	for name := range e.named {
		if _, is := d.named[name]; !is {
			d.set(name, d.others)
		}
	}
	for name := range d.named {
		d.named[name] = both(d.named[name], e.of(name))
	}
	d.others, d.element = both(d.others, e.others), both(d.element, e.element)
}

func (d *descents) set(name string, n int) {
	if d.named == nil {
		d.named = map[string]int{}
	}
	d.named[name] = n
}

func besides(a, b int) int { return min(a+b, 2) }

func instead(a, b int) int { return max(a, b) }

// descents of a function are those of its body, and of what it calls for the same value.
func (g *callGraph) descents(f *Func) *descents {
	if d := g.sums[f]; d != nil {
		return d
	}
	d := &descents{}
	g.sums[f] = d // for a function that leads back to itself at the same value, which nothing satisfies
	g.block(d, f, f.Body)
	return d
}

// block adds what the operations of a block do for the value of f.
func (g *callGraph) block(d *descents, f *Func, b Block) {
	for _, op := range b {
		switch op := op.(type) {
		case *Call:
			if op.On == of(f.Arg) && g.component[op.Func] == g.component[f] {
				d.join(g.descents(op.Func), besides)
			}
		case *Kinds, *Tag, *If:
			most := &descents{}
			for _, inner := range op.parts().blocks {
				one := &descents{}
				g.block(one, f, *inner)
				most.join(one, instead)
			}
			d.join(most, besides)
		case *Union, *Not, *Conditional:
			g.trial(d, f, op)
		case *Members:
			d.join(g.members(f, op), besides)
		case *Items:
			most := g.inside(f, op.Rest)
			for _, b := range op.Prefix {
				most = max(most, g.inside(f, b))
			}
			d.element = besides(d.element, most)
		case *Contains:
			if g.component[op.Func] == g.component[f] {
				d.element = 2 // each element is tried
			}
		case *Unevaluated:
			n := g.inside(f, op.Do)
			d.join(&descents{others: n, element: n}, besides)
		case *Require, *Bounds, *Unique, *Fail, *Frame:
		}
	}
}

// trial notes the choice where a function that is tried goes down the recursion, and adds what is
// done then.
func (g *callGraph) trial(d *descents, f *Func, op Op) {
	for _, callee := range op.parts().calls {
		if g.component[callee] == g.component[f] {
			g.choices[g.component[f]] = true
		}
	}
	for _, inner := range op.parts().blocks {
		g.block(d, f, *inner)
	}
}

func (g *callGraph) members(f *Func, op *Members) *descents {
	d := &descents{}
	patterns := g.inside(f, op.Names)
	for _, p := range op.Patterns {
		patterns = besides(patterns, g.inside(f, p.Do))
	}
	d.others = besides(g.inside(f, op.Others), patterns)
	for _, c := range op.Cases {
		d.set(c.Name, besides(g.inside(f, c.Do), patterns))
	}
	return d
}

// inside counts the calls of functions of f's component for a part of its value, up to 2. One that
// is tried counts twice: it is a choice.
func (g *callGraph) inside(f *Func, b Block) int {
	n := 0
	for _, op := range b {
		parts, once := op.parts(), 2
		switch op.(type) {
		case *Kinds, *Tag, *If:
			most := 0
			for _, inner := range parts.blocks {
				most = max(most, g.inside(f, *inner))
			}
			n = besides(n, most)
			continue
		case *Call:
			once = 1
		default: // tried
		}
		for _, callee := range parts.calls {
			if g.component[callee] == g.component[f] {
				n = besides(n, once)
			}
		}
		for _, inner := range parts.blocks {
			n = besides(n, g.inside(f, *inner))
		}
	}
	return n
}
