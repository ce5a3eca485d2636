package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/program"
)

// loop prints the head of a loop over the parts of a value; over members, by their names.
func (f *file) loop(part *program.Var, on program.Ref) (end func()) {
	start, over := f.first(on), f.ref(on)
	leave := f.names.Enter(part)
	p := f.names[part]
	step := p
	if part.Role == program.Name {
		step = p + "+1"
	}
	// The variable for the end is one of this loop's own, with the same number.
	last := "end" + strings.TrimLeft(p, "abcdefghijklmnopqrstuvwxyz")
	f.P("for ", p, ", ", last, " := ", start, ", c.Next(", over, "); ", p, " < ", last, "; ", p, " = c.Next(", step, ") {")
	return func() {
		f.P("}")
		leave()
	}
}

// open starts a block for the variables of an operation, unless they are the first of the
// function; the result ends it.
func (f *file) open() (end func()) {
	f.blocks++
	if f.blocks == 1 {
		return func() {}
	}
	f.P("{")
	return func() { f.P("}") }
}

// items prints the loop over the elements of an array.
func (f *file) items(op *program.Items) {
	index := ""
	if len(op.Prefix) > 0 {
		defer f.open()()
		index = "i"
		f.P(index, " := 0")
	}
	end := f.loop(op.Item, op.On)
	defer end()
	item := f.names[op.Item]
	if op.Marks == program.MarkAll {
		f.P("c.Mark(", item, ")")
	}
	if len(op.Prefix) == 0 {
		f.inner(op.Rest, false)
		return
	}
	f.P("switch ", index, " {")
	for i, b := range op.Prefix {
		f.P("case ", i, ":")
		if op.Marks == program.MarkKnown {
			f.P("c.Mark(", item, ")")
		}
		f.inner(b, false)
	}
	f.otherwise(op.Rest, false)
	f.P(index, "++")
}

// contains prints the count of the elements that a function finds nothing wrong with.
func (f *file) contains(op *program.Contains) {
	defer f.open()()
	f.P("count := 0")
	f.P("loud := c.Quiet()")
	end := f.loop(op.Item, op.On)
	item := f.names[op.Item]
	f.P("if ", op.Func.Name, "(c, ", item, ") {")
	f.P("count++")
	if op.Mark {
		f.P("c.Mark(", item, ")")
	}
	f.P("}")
	end()
	f.P("c.Restore(loud)")
	for _, l := range op.Limits {
		f.fails(or(f.within(program.Count, "count", l), f.fault(l.Fault)))
	}
}

// members prints the loop over the members of an object.
func (f *file) members(op *program.Members, last bool) (returned bool) {
	leave := f.open()
	for i := range op.Required {
		f.P("var ", seen(op, i), " uint64")
	}
	end := f.loop(op.Key, op.On)
	key := f.names[op.Key]
	if op.Marks == program.MarkAll {
		f.P("c.Mark(", key, ")")
	}
	f.inner(op.Names, false)
	// Where patterns or undeclared members come between, the code has to remember whether a member
	// was met before the rest applies.
	undeclared := slices.ContainsFunc(op.Cases, func(c program.MemberCase) bool { return c.Undeclared })
	remember := len(op.Others) > 0 && (len(op.Patterns) > 0 || undeclared)
	mark := op.Marks == program.MarkKnown
	idle := func(p program.PatternCase) bool { return !remember && !mark && len(p.Do) == 0 }
	name := "c.Name(" + key + ")"
	if slices.ContainsFunc(op.Patterns, func(p program.PatternCase) bool { return !idle(p) && !p.Matcher.Program.Costs() }) {
		f.P("name := ", name)
		name = "name"
	}
	if remember {
		f.P("met := true")
	}
	others := op.Others
	if remember {
		others = nil
	}
	bits := make([]int, len(op.Required)) // how many bits of each set are given
	do := func(c program.MemberCase) {
		for _, set := range c.Sets {
			f.P(seen(op, set), " |= 1 << ", bits[set])
			bits[set]++
		}
		switch {
		case c.Undeclared && remember:
			f.P("met = false")
		case mark && !c.Undeclared:
			f.P("c.Mark(", key, ")")
		}
		f.inner(c.Do, false)
	}
	switch {
	case len(op.Cases) == 1 && len(others) == 0 && !remember:
		f.P("if ", name, " == ", gosrc.Lit(op.Cases[0].Name), " {")
		do(op.Cases[0])
		f.P("}")
	case len(op.Cases) > 0 || len(others) > 0:
		f.P("switch ", name, " {")
		for _, c := range op.Cases {
			f.P("case ", gosrc.Lit(c.Name), ":")
			do(c)
		}
		if remember {
			f.P("default:")
			f.P("met = false")
		}
		f.otherwise(others, false)
	case remember:
		f.P("met = false")
	}
	for _, p := range op.Patterns {
		if !idle(p) {
			f.patternCase(op, p, mark, remember)
		}
	}
	if remember {
		f.when(expr{text: "!met", neg: "met"}, op.Others)
	}
	end()
	returned = f.required(op, last)
	leave()
	return returned
}

// patternCase prints what is done for the members that a pattern matches.
func (f *file) patternCase(op *program.Members, p program.PatternCase, mark, remember bool) {
	f.named = op.Key
	matches := f.matches(program.Matches{On: program.Ref{Var: op.Key}, Matcher: p.Matcher, At: p.At})
	f.named = nil
	if !mark && !remember {
		f.when(matches, p.Do)
		return
	}
	f.P("if ", matches, " {")
	if mark {
		f.P("c.Mark(", f.names[op.Key], ")")
	}
	if remember {
		f.P("met = true")
	}
	f.inner(p.Do, false)
	f.P("}")
}

// seen is the variable for the members of a required set that were met.
func seen(op *program.Members, set int) string {
	if len(op.Required) == 1 {
		return "seen"
	}
	return fmt.Sprint("seen", set)
}

// required prints that the required members were met.
func (f *file) required(op *program.Members, last bool) (returned bool) {
	v := f.ref(op.On)
	for i, set := range op.Required {
		mask := ^uint64(0) >> (64 - len(set.Names))
		met := or(compare(seen(op, i), "==", fmt.Sprintf("%#x", mask)),
			call("c.Required", v, f.location(set.At), seen(op, i), f.strings(fmt.Sprint(set.At, "/required/", set.Index), set.Names)))
		if last && i == len(op.Required)-1 {
			f.P("return ", met)
			return true
		}
		f.fails(met)
	}
	return false
}

// unevaluated prints what holds for the members or items that nothing has evaluated.
func (f *file) unevaluated(op *program.Unevaluated) {
	end := f.loop(op.Part, op.On)
	part := f.names[op.Part]
	marked := call("c.Marked", "frame", part)
	if op.Mark {
		f.P("if ", marked.not(), " {")
		f.inner(op.Do, false)
		f.P("c.Mark(", part, ")")
		f.P("}")
	} else {
		f.when(negated(marked), op.Do)
	}
	end()
}
