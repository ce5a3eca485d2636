package program

import "github.com/zenlix/echo-mcp/gen/internal/plan"

// guards drops tests of kinds whose answer is known, and puts together what stands behind the same
// test: after inlining, allOf of objects would ask each time whether the value is one.
func guards(p *Program) {
	for _, f := range p.Funcs {
		f.Body = simplify(f.Body, map[Ref]plan.Types{})
	}
}

// simplify rewrites a block where the kinds of some values are known.
func simplify(b Block, known map[Ref]plan.Types) Block {
	var out Block
	for _, op := range b {
		switch op := op.(type) {
		case *If:
			out = append(out, simplifyIf(op, known)...)
		case *Kinds:
			out = append(out, simplifyKinds(op, known)...)
		case *Tag:
			// Whatever has the member is an object.
			for i := range op.Cases {
				op.Cases[i].Do = where(op.Cases[i].Do, op.On, plan.Object, known)
			}
			op.Default = simplify(op.Default, known)
			out = append(out, op)
		case *Members:
			op.Names = where(op.Names, of(op.Key), plan.String, known)
			for _, inner := range op.parts().blocks {
				if inner != &op.Names {
					*inner = simplify(*inner, known)
				}
			}
			out = append(out, op)
		case *Union:
			op.Possible &= kindsOf(op.On, known)
			out = append(out, op)
		default:
			for _, inner := range op.parts().blocks {
				*inner = simplify(*inner, known)
			}
			out = append(out, op)
		}
		out = joinLast(out)
	}
	return out
}

func kindsOf(r Ref, known map[Ref]plan.Types) plan.Types {
	if kinds, is := known[r]; is {
		return kinds
	}
	return plan.Any
}

// where simplifies a block in which a value has some kinds only.
func where(b Block, r Ref, kinds plan.Types, known map[Ref]plan.Types) Block {
	before, was := known[r]
	known[r] = kinds
	b = simplify(b, known)
	if was {
		known[r] = before
	} else {
		delete(known, r)
	}
	return b
}

func simplifyIf(op *If, known map[Ref]plan.Types) Block {
	kind, is := op.Cond.(IsKind)
	if !is {
		op.Then, op.Else = simplify(op.Then, known), simplify(op.Else, known)
		return Block{op}
	}
	possible := kindsOf(kind.On, known)
	switch {
	case possible&^kind.Kinds == 0:
		return simplify(op.Then, known)
	case possible&kind.Kinds == 0:
		return simplify(op.Else, known)
	}
	op.Then = where(op.Then, kind.On, possible&kind.Kinds, known)
	op.Else = where(op.Else, kind.On, possible&^kind.Kinds, known)
	if len(op.Then) == 0 && len(op.Else) == 0 {
		return nil
	}
	if len(op.Then) == 0 && len(op.Else) == 1 {
		if fail, ok := op.Else[0].(*Fail); ok {
			return Block{&Require{op.Cond, fail.Fault}}
		}
	}
	return Block{op}
}

func simplifyKinds(op *Kinds, known map[Ref]plan.Types) Block {
	possible := kindsOf(op.On, known)
	left := possible
	cases := op.Cases[:0]
	var nothing plan.Types // the kinds for which there is nothing to do
	for _, c := range op.Cases {
		kinds := possible & c.Kinds
		left &^= c.Kinds
		if kinds == 0 {
			continue
		}
		if c.Do = where(c.Do, op.On, kinds, known); len(c.Do) == 0 {
			nothing |= c.Kinds
		}
		cases = append(cases, KindCase{c.Kinds, c.Do})
	}
	op.Cases = cases
	op.Default = where(op.Default, op.On, left, known)
	if left == 0 {
		op.Default = nil
	}
	switch {
	case len(op.Cases) == 0:
		return op.Default
	case len(op.Cases) == 1 && left == 0:
		return op.Cases[0].Do
	case len(op.Cases) == 1:
		return simplifyIf(&If{IsKind{op.On, op.Cases[0].Kinds}, op.Cases[0].Do, op.Default}, known)
	case nothing != 0 && len(op.Default) == 0:
		// Kinds with nothing to do need no case where all others have nothing to do either.
		op.Cases = nil
		for _, c := range cases {
			if c.Kinds&nothing == 0 {
				op.Cases = append(op.Cases, c)
			}
		}
		if len(op.Cases) == 1 {
			return simplifyIf(&If{Cond: IsKind{op.On, op.Cases[0].Kinds}, Then: op.Cases[0].Do}, known)
		}
		if len(op.Cases) == 0 {
			return nil
		}
	case nothing != 0:
		joined := KindCase{Kinds: nothing}
		op.Cases = []KindCase{joined}
		for _, c := range cases {
			if c.Kinds&nothing == 0 {
				op.Cases = append(op.Cases, c)
			}
		}
		if len(op.Cases) == 1 {
			return simplifyIf(&If{IsKind{op.On, nothing}, nil, op.Default}, known)
		}
	}
	return Block{op}
}

// joined puts blocks together, one after the other.
func joined(b, more Block) Block {
	for _, op := range more {
		b = joinLast(append(b, op))
	}
	return b
}

// joinLast puts the last operation of a block into the one before it, where both ask for the same
// kinds of one value.
func joinLast(b Block) Block {
	if len(b) < 2 {
		return b
	}
	first, ok := asIf(b[len(b)-2])
	if !ok {
		return b
	}
	second, ok := asIf(b[len(b)-1])
	if !ok || first.Cond != second.Cond {
		return b
	}
	first.Then, first.Else = joined(first.Then, second.Then), joined(first.Else, second.Else)
	if len(first.Then) == 0 {
		return b[:len(b)-1] // the same Require twice: the first tells what there is to tell
	}
	return append(b[:len(b)-2], first)
}

// asIf gives an operation that asks for the kind of a value as an If.
func asIf(op Op) (*If, bool) {
	switch op := op.(type) {
	case *If:
		_, is := op.Cond.(IsKind)
		return op, is
	case *Require:
		_, is := op.Cond.(IsKind)
		return &If{Cond: op.Cond, Else: Block{&Fail{op.Fault}}}, is
	default:
		return nil, false
	}
}
