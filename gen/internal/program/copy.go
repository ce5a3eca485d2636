package program

import "slices"

// places says what references become in a copy: those to a variable, the place that it stands for.
type places map[*Var]Ref

func (p places) ref(r Ref) Ref {
	to, is := p[r.Var]
	if !is {
		return r
	}
	to.Value = to.Value || r.Value
	return to
}

// loop gives a loop of a copy a variable of its own.
func (p places) loop(v *Var) *Var {
	if to, is := p[v]; is {
		return to.Var
	}
	own := &Var{Role: v.Role}
	p[v] = of(own)
	return own
}

// copied copies a block, so that passes can go on with the copy by itself.
func (p places) copied(b Block) Block {
	if b == nil {
		return nil
	}
	out := make(Block, len(b))
	for i, op := range b {
		out[i] = p.op(op)
	}
	return out
}

func (p places) op(op Op) Op {
	switch op := op.(type) {
	case *Require:
		return &Require{p.cond(op.Cond), p.fault(op.Fault)}
	case *Bounds:
		return &Bounds{p.ref(op.On), op.Of, p.limits(op.Limits)}
	case *Unique:
		return &Unique{p.ref(op.On), op.At}
	case *Fail:
		return &Fail{p.fault(op.Fault)}
	case *If:
		return &If{p.cond(op.Cond), p.copied(op.Then), p.copied(op.Else)}
	case *Kinds:
		c := &Kinds{On: p.ref(op.On), Default: p.copied(op.Default)}
		for _, k := range op.Cases {
			c.Cases = append(c.Cases, KindCase{k.Kinds, p.copied(k.Do)})
		}
		return c
	case *Tag:
		c := &Tag{On: p.ref(op.On), Member: op.Member, Kind: op.Kind, Default: p.copied(op.Default)}
		for _, k := range op.Cases {
			c.Cases = append(c.Cases, TagCase{k.Values, p.copied(k.Do)})
		}
		return c
	case *Call:
		return &Call{op.Func, p.ref(op.On)}
	case *Union:
		c := *op
		c.On, c.Branches = p.ref(op.On), slices.Clone(op.Branches)
		return &c
	case *Not:
		return &Not{p.ref(op.On), op.Func, op.Unmark, p.fault(op.Fault)}
	case *Conditional:
		return &Conditional{p.ref(op.On), op.Func, op.Notes, p.copied(op.Then), p.copied(op.Else)}
	case *Members:
		return p.members(op)
	case *Items:
		c := &Items{On: p.ref(op.On), Item: p.loop(op.Item), Rest: p.copied(op.Rest), Marks: op.Marks}
		c.Rest = p.copied(op.Rest)
		for _, b := range op.Prefix {
			c.Prefix = append(c.Prefix, p.copied(b))
		}
		return c
	case *Contains:
		return &Contains{p.ref(op.On), p.loop(op.Item), op.Func, op.Mark, p.limits(op.Limits)}
	case *Frame:
		return op
	case *Unevaluated:
		return &Unevaluated{p.ref(op.On), p.loop(op.Part), p.copied(op.Do), op.Mark}
	}
	return nil
}

func (p places) members(op *Members) *Members {
	c := &Members{On: p.ref(op.On), Key: p.loop(op.Key), Required: slices.Clone(op.Required), Marks: op.Marks}
	c.Names, c.Others = p.copied(op.Names), p.copied(op.Others)
	for _, m := range op.Cases {
		c.Cases = append(c.Cases, MemberCase{m.Name, slices.Clone(m.Sets), m.Undeclared, p.copied(m.Do)})
	}
	for _, m := range op.Patterns {
		c.Patterns = append(c.Patterns, PatternCase{m.Matcher, m.At, p.copied(m.Do)})
	}
	return c
}

func (p places) limits(list []Limit) []Limit {
	out := slices.Clone(list)
	for i := range out {
		out[i].Fault = p.fault(out[i].Fault)
	}
	return out
}

func (p places) cond(c Cond) Cond {
	switch c := c.(type) {
	case IsKind:
		c.On = p.ref(c.On)
		return c
	case IsOneOf:
		c.On = p.ref(c.On)
		return c
	case Matches:
		c.On = p.ref(c.On)
		return c
	case HasFormat:
		c.On = p.ref(c.On)
		return c
	case IsMultiple:
		c.On = p.ref(c.On)
		return c
	case HasMember:
		c.On = p.ref(c.On)
		return c
	case MemberIs:
		c.On = p.ref(c.On)
		return c
	}
	return nil
}

func (p places) fault(f Fault) Fault {
	switch f := f.(type) {
	case Plain:
		f.On = p.ref(f.On)
		return f
	case NotOneOf:
		f.On = p.ref(f.On)
		return f
	case Unknown:
		f.On = p.ref(f.On)
		return f
	case Missing:
		f.On = p.ref(f.On)
		return f
	case Dependent:
		f.On = p.ref(f.On)
		return f
	case BadTag:
		f.On = p.ref(f.On)
		return f
	}
	return nil
}
