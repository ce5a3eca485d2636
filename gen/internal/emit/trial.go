package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
)

// union prints anyOf and oneOf: its branches are tried.
func (f *file) union(op *program.Union) {
	defer f.open()()
	v := f.ref(op.On)
	arguments := []string{v, f.location(op.At), gosrc.Lit(op.Keyword)}
	for _, form := range op.Forms {
		arguments = append(arguments, form.Name)
	}
	none := call("c.Union", arguments...)
	tooMany := call("c.Fail", v, f.location(op.At), gosrc.Lit(op.Keyword), gosrc.Lit(fmt.Sprintf("matches more than one of the %d forms allowed here; exactly one is wanted", len(op.Forms))))
	switch {
	case op.Notes:
		f.P("matching := 0")
		for _, br := range op.Branches {
			f.counted("matching", f.try(op, br))
		}
		f.fails(or(compare("matching", "!=", "0"), none))
		if op.Keyword == "oneOf" {
			f.fails(or(compare("matching", "<=", "1"), tooMany))
		}
	case op.Keyword != "oneOf" || disjoint(op):
		f.P("loud := c.Quiet()")
		f.anyOf(op)
		f.P("c.Restore(loud)")
		f.fails(or(expr{text: "ok"}, none))
	default:
		f.P("loud := c.Quiet()")
		f.P("matching := 0")
		for i, br := range op.Branches {
			try := f.try(op, br)
			if i >= 2 {
				try = and(compare("matching", "<", "2"), try)
			}
			f.counted("matching", try)
		}
		f.P("c.Restore(loud)")
		f.P("if matching == 0 {")
		f.fails(none)
		f.P("} else if ", and(compare("matching", ">", "1"), negated(tooMany)), " {")
		f.P("return false")
		f.P("}")
	}
}

// counted prints that a variable grows where a test holds.
func (f *file) counted(variable string, test expr) {
	f.P("if ", test, " {")
	f.P(variable, "++")
	f.P("}")
}

// anyOf prints the variable ok, which tells whether one of the branches holds.
func (f *file) anyOf(op *program.Union) {
	var tries []string
	for _, br := range op.Branches {
		// Equal tests, and those that can't hold, stand for branches that are never reached.
		if try := f.try(op, br).String(); try != "false" && !slices.Contains(tries, try) {
			tries = append(tries, try)
		}
	}
	switch {
	case len(tries) == 0:
		f.P("ok := false")
	case len(tries) > longestChain:
		f.P("ok := false")
		f.P("switch {")
		f.P("case ", strings.Join(tries, ",\n"), ":")
		f.P("ok = true")
		f.P("}")
	default:
		f.P("ok := ", strings.Join(tries, " ||\n"))
	}
}

// try renders the test of a branch: its kinds first, because they cost next to nothing.
func (f *file) try(op *program.Union, br program.Branch) expr {
	v := f.ref(op.On)
	holds := call(br.Func.Name, "c", v)
	if op.Notes {
		holds = call("c.Try", br.Func.Name, v)
	}
	switch {
	case op.Possible&^br.Kinds == 0:
		return holds
	case br.Kinds == 0:
		return expr{text: "false"}
	}
	kind := f.isKind(program.IsKind{On: op.On, Kinds: br.Kinds})
	if only, is := br.Func.IsKind(); is && only == br.Kinds {
		return kind
	}
	return and(kind, holds)
}

// disjoint reports whether no value can satisfy two branches, for its kind alone.
func disjoint(op *program.Union) bool {
	var seen plan.Types
	for _, br := range op.Branches {
		if seen&br.Kinds != 0 {
			return false
		}
		seen |= br.Kinds
	}
	return true
}

func (f *file) not(op *program.Not) {
	defer f.open()()
	v := f.ref(op.On)
	if op.Unmark {
		f.P("forbidden := c.Unmarked(", op.Func.Name, ", ", v, ")")
	} else {
		f.P("loud := c.Quiet()")
		f.P("forbidden := ", op.Func.Name, "(c, ", v, ")")
		f.P("c.Restore(loud)")
	}
	f.fails(or(expr{text: "!forbidden", neg: "forbidden"}, f.fault(op.Fault)))
}

func (f *file) conditional(op *program.Conditional) {
	v := f.ref(op.On)
	if op.Notes && len(op.Then) == 0 && len(op.Else) == 0 {
		f.P("c.Try(", op.Func.Name, ", ", v, ")")
		return
	}
	defer f.open()()
	if op.Notes {
		f.P("holds := c.Try(", op.Func.Name, ", ", v, ")")
	} else {
		f.P("loud := c.Quiet()")
		f.P("holds := ", op.Func.Name, "(c, ", v, ")")
		f.P("c.Restore(loud)")
	}
	then, otherwise := op.Then, op.Else
	holds := expr{text: "holds"}
	if len(then) == 0 {
		holds, then, otherwise = negated(holds), otherwise, nil
	}
	if len(otherwise) == 0 {
		f.when(holds, then)
		return
	}
	f.P("if ", holds, " {")
	f.inner(then, false)
	f.elseBlock(otherwise)
}
