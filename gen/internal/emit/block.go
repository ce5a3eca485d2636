package emit

import (
	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
)

// block prints operations. At the end of a function the last one may return; block reports
// whether it did, whatever became of the value.
func (f *file) block(b program.Block, last bool) (returned bool) {
	for i, op := range b {
		returned = f.op(op, last && i == len(b)-1)
	}
	return returned
}

// inner prints operations that stand between braces, or in a case: a scope of their own.
func (f *file) inner(b program.Block, last bool) (returned bool) {
	before := f.blocks
	f.blocks = 0
	returned = f.block(b, last)
	f.blocks = before
	return returned
}

// when prints operations behind a condition.
func (f *file) when(cond expr, b program.Block) {
	if t, simple := f.alone(b); simple {
		f.fails(or(negated(cond), t.holds))
		return
	}
	f.P("if ", cond, " {")
	f.inner(b, false)
	f.P("}")
}

// op prints one operation.
func (f *file) op(op program.Op, last bool) (returned bool) {
	switch op := op.(type) {
	case *program.Require, *program.Bounds, *program.Unique, *program.Fail, *program.Call:
		return f.test(op, last)
	case *program.If:
		return f.branch(op, last)
	case *program.Kinds:
		return f.kinds(op, last)
	case *program.Tag:
		return f.tag(op, last)
	case *program.Union:
		f.union(op)
	case *program.Not:
		f.not(op)
	case *program.Conditional:
		f.conditional(op)
	case *program.Members:
		return f.members(op, last)
	case *program.Items:
		f.items(op)
	case *program.Contains:
		f.contains(op)
	case *program.Frame:
		f.P("frame := c.Frame()")
	case *program.Unevaluated:
		f.unevaluated(op)
	}
	return false
}

// test prints an operation that is a single test.
func (f *file) test(op program.Op, last bool) (returned bool) {
	t, _ := f.asTest(op)
	switch {
	case t.cases != "":
		f.P("switch ", t.value, " {")
		f.P("case ", t.cases, ":")
		f.P("default:")
		f.fails(t.fault)
		f.P("}")
		return false
	case last && t.init == "":
		f.P("return ", t.holds)
		return true
	case t.init != "":
		f.P("if ", t.init, "; ", t.holds.not(), " {")
	default:
		f.P("if ", t.holds.not(), " {")
	}
	f.P("return false")
	f.P("}")
	return false
}

// fails prints that the function ends unless a test holds.
func (f *file) fails(holds expr) {
	f.P("if ", holds.not(), " {")
	f.P("return false")
	f.P("}")
}

// test is an operation as one Go expression, which is false where the function has to end.
type test struct {
	init  string // what stands before it in an if statement
	holds expr
	// A long list of constants is the cases of a switch over a value instead; fault is told where
	// none of them is met.
	value, cases string
	fault        expr
}

// asTest renders an operation as a test, if it is one.
func (f *file) asTest(op program.Op) (t test, is bool) {
	switch op := op.(type) {
	case *program.Require:
		if one, long := op.Cond.(program.IsOneOf); long && isLong(one.Values) {
			t.value, t.cases = f.cases(one)
			t.fault = f.fault(op.Fault)
			return t, true
		}
		return test{holds: or(f.cond(op.Cond), f.fault(op.Fault))}, true
	case *program.Bounds:
		return f.bounds(op), true
	case *program.Unique:
		return test{holds: call("c.Unique", f.ref(op.On), f.location(op.At))}, true
	case *program.Fail:
		return test{holds: f.fault(op.Fault)}, true
	case *program.Call:
		return test{holds: call(op.Func.Name, "c", f.ref(op.On))}, true
	case *program.If:
		then, simple := f.alone(op.Then)
		return test{holds: or(negated(f.cond(op.Cond)), then.holds)}, simple && len(op.Else) == 0
	default:
		return test{}, false
	}
}

// bounds renders the limits of a quantity, which is found out once.
func (f *file) bounds(op *program.Bounds) test {
	v := f.ref(op.On)
	var quantity string
	switch op.Of {
	case program.Number:
		quantity = "c.Text(" + v + ")"
	case program.Runes:
		quantity = "c.Runes(" + v + ")"
	case program.Length, program.Count:
		quantity = "c.Len(" + v + ")"
	}
	var t test
	if len(op.Limits) > 1 {
		name := "n"
		if op.Of == program.Number {
			name = "text"
		}
		t.init, quantity = name+" := "+quantity, name
	}
	var all []expr
	for _, l := range op.Limits {
		all = append(all, or(f.within(op.Of, quantity, l), f.fault(l.Fault)))
	}
	t.holds = and(all...)
	return t
}

// alone renders a block as a test where it is a single one.
func (f *file) alone(b program.Block) (test, bool) {
	if len(b) != 1 {
		return test{}, false
	}
	t, is := f.asTest(b[0])
	return t, is && t.init == "" && t.cases == ""
}

// branch prints an operation that does one thing or another.
func (f *file) branch(op *program.If, last bool) (returned bool) {
	if _, is := f.asTest(op); is {
		return f.test(op, last)
	}
	cond := f.cond(op.Cond)
	otherwise, fails := f.alone(op.Else)
	switch {
	case len(op.Then) == 0 && len(op.Else) == 0:
		return false
	case len(op.Else) == 0 && last:
		f.P("if ", cond.not(), " {")
		f.P("return true")
		f.P("}")
		return f.block(op.Then, true)
	case len(op.Else) == 0:
		f.when(cond, op.Then)
		return false
	case fails && last:
		f.P("if ", cond.not(), " {")
		f.P("return ", otherwise.holds)
		f.P("}")
		return f.block(op.Then, true)
	case fails:
		f.P("if ", cond.not(), " {")
		f.fails(otherwise.holds)
		f.elseBlock(op.Then)
	default:
		f.P("if ", cond, " {")
		f.inner(op.Then, false)
		f.elseBlock(op.Else)
	}
	return false
}

// elseBlock ends the first part of an if statement and prints the other one.
func (f *file) elseBlock(b program.Block) {
	if len(b) == 1 {
		if t, is := f.asTest(b[0]); is && t.cases == "" {
			f.Print("} else ")
			f.test(b[0], false)
			return
		}
		if inner, nested := b[0].(*program.If); nested && len(inner.Else) == 0 {
			f.Print("} else ")
			f.when(f.cond(inner.Cond), inner.Then)
			return
		}
	}
	f.P("} else {")
	f.inner(b, false)
	f.P("}")
}

// kinds prints a switch over the kind of a value.
func (f *file) kinds(op *program.Kinds, last bool) (returned bool) {
	f.P("switch c.Kind(", f.ref(op.On), ") {")
	returned = last
	for _, c := range op.Cases {
		f.P("case ", f.kindList(c.Kinds), ":")
		returned = f.inner(c.Do, last) && returned
	}
	return f.otherwise(op.Default, last) && returned
}

// otherwise prints the default of a switch and its end.
func (f *file) otherwise(b program.Block, last bool) (returned bool) {
	if len(b) > 0 {
		f.P("default:")
		returned = f.inner(b, last)
	}
	f.P("}")
	return returned
}

// tag prints a switch over the constant that a member holds.
func (f *file) tag(op *program.Tag, last bool) (returned bool) {
	read := "c.Tag("
	if op.Kind != plan.String {
		read = "c.TagText("
	}
	f.P("switch ", read, f.ref(op.On), ", ", gosrc.Lit(op.Member), ") {")
	returned = last
	for _, c := range op.Cases {
		f.P("case ", f.list(c.Values, gosrc.Lit), ":")
		returned = f.inner(c.Do, last) && returned
	}
	return f.otherwise(op.Default, last) && returned
}

// kindList renders kinds as the cases of a switch.
func (f *file) kindList(kinds plan.Types) string {
	tape := f.Use(tapePath)
	text := ""
	for _, k := range []struct {
		types plan.Types
		names []string
	}{
		{plan.Null, []string{"Null"}},
		{plan.Boolean, []string{"False", "True"}},
		{plan.Number, []string{"Number"}},
		{plan.String, []string{"String"}},
		{plan.Array, []string{"Array"}},
		{plan.Object, []string{"Object"}},
	} {
		if kinds&k.types == 0 {
			continue
		}
		for _, name := range k.names {
			if text != "" {
				text += ", "
			}
			text += tape + "." + name
		}
	}
	return text
}
