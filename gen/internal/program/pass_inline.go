package program

// mostInlined is how large a function may be, in operations, that comes to stand at more than one
// place.
const mostInlined = 3

// inline puts the inside of a function in the place of its call, where the call checks the same
// value as the function that it stands in: a schema of allOf, the branch of a union that the kind
// of the value chose. Only there can the passes after it see more than a call: two loops over the
// members of one object, a kind that is known. A function with one caller moves; a small one is
// copied.
func inline(p *Program) {
	count := callers(p)
	for _, f := range p.Funcs {
		inlineInto(f, count)
	}
}

// mostInto bounds the size of a function that others are put into: the Go compiler's time grows
// faster than that.
const mostInto = 400

func inlineInto(f *Func, count map[*Func]int) {
	within := map[*Func]bool{f: true} // never a function into itself
	for again, size := true, f.Body.size(); again && size < mostInto; {
		again = false
		walk(&f.Body, func(b *Block) {
			for i := 0; i < len(*b); i++ {
				call, ok := (*b)[i].(*Call)
				if !ok || call.On != of(f.Arg) || within[call.Func] || !call.Func.movable(count) {
					continue
				}
				inside := places{call.Func.Arg: call.On}.copied(call.Func.Body)
				if size += inside.size(); size >= mostInto {
					return
				}
				within[call.Func] = true
				*b = append((*b)[:i:i], append(inside, (*b)[i+1:]...)...)
				again = true
			}
		})
	}
}

// movable reports whether the inside of a function may stand in the place of a call. What notes
// what it evaluates, and what remembers its verdicts, stays where it is.
func (f *Func) movable(count map[*Func]int) bool {
	if f.Memo != 0 || f.Counted || f.notes() {
		return false
	}
	return count[f] == 1 && !f.kept || f.Body.size() <= mostInlined
}

// notes reports whether the function has to do with what is evaluated.
func (f *Func) notes() bool {
	found := f.plan.Collect != 0
	each(f.Body, func(op Op) {
		if _, is := op.(*Frame); is {
			found = true
		}
	})
	return found
}
