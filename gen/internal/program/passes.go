package program

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// pass rewrites a program.
type pass struct {
	name string
	run  func(*Program)
}

// passes are all passes, in the order in which they run: each finds what the ones before it made
// possible.
func passes() []pass {
	return []pass{
		{"kinds", unionsByKind},
		{"memory", remember},
		{"inline", inline},
		{"guards", guards},
		{"loops", mergeLoops},
		{"bounds", fuseBounds},
		{"unused", dropUnused},
	}
}

// Build makes the program of a plan: lowered, and rewritten by the passes. The functions for the
// schemas in keep stay functions of their own, whatever becomes of their calls: somebody outside
// calls them.
func Build(p *plan.Plan, keep map[*load.Schema]bool) *Program {
	program := Lower(p)
	for _, f := range program.Funcs {
		f.kept = f.kept || keep[f.Schema]
	}
	for _, pass := range passes() {
		pass.run(program)
	}
	return program
}

// callers counts the calls of each function, of which a message, or somebody outside, makes one.
func callers(p *Program) map[*Func]int {
	count := map[*Func]int{}
	for _, f := range p.Funcs {
		if f.kept {
			count[f]++
		}
		each(f.Body, func(op Op) {
			for _, callee := range op.parts().calls {
				count[callee]++
			}
		})
	}
	return count
}

// size counts the operations of a block, each bound and each case of a loop as one.
func (b Block) size() int {
	n := 0
	each(b, func(op Op) {
		n++
		if m, ok := op.(*Members); ok {
			n += len(m.Cases) + len(m.Patterns)
		}
	})
	return n
}

// dropUnused drops the functions that nobody calls any more.
func dropUnused(p *Program) {
	used := map[*Func]bool{}
	var use func(f *Func)
	use = func(f *Func) {
		if used[f] {
			return
		}
		used[f] = true
		each(f.Body, func(op Op) {
			for _, callee := range op.parts().calls {
				use(callee)
			}
		})
	}
	for _, f := range p.Funcs {
		if f.kept {
			use(f)
		}
	}
	p.Funcs = slices.DeleteFunc(p.Funcs, func(f *Func) bool { return !used[f] })
}
