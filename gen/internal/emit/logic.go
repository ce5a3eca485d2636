package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// union prints anyOf and oneOf.
func (f *file) union(n *plan.Node, c *plan.Union, v string) {
	switch {
	case c.Tag == nil:
		f.untagged(n, c, v)
	case n.Types == plan.Object || !c.Strays():
		f.tagged(c, v)
	default:
		f.P("if ", f.isType(plan.Object, v), " {")
		f.tagged(c, v)
		f.P("} else {")
		f.untagged(n, c, v)
		f.P("}")
	}
}

// untagged prints a union of which several branches have to be tried.
func (f *file) untagged(n *plan.Node, c *plan.Union, v string) {
	var tries, branches []string
	for _, br := range c.Branches {
		branches = append(branches, br.Func.Name)
		tries = append(tries, f.try(n, c, br, v))
	}
	if c.All {
		f.all(c, v, tries, branches)
		return
	}
	defer f.open()()
	f.P("loud := c.Quiet()")
	if c.Keyword != "oneOf" || disjoint(c) {
		tries = different(tries)
		if len(tries) > longestChain {
			f.P("ok := false")
			f.P("switch {")
			f.P("case ", strings.Join(tries, ",\n"), ":")
			f.P("ok = true")
			f.P("}")
		} else {
			f.P("ok := ", strings.Join(tries, " ||\n"))
		}
		f.P("c.Restore(loud)")
		f.P("if !ok && !c.Union(", v, ", ", f.location(c.At), ", ", lit(c.Keyword), ", ", strings.Join(branches, ", "), ") {")
		f.P("return false")
		f.P("}")
	} else {
		f.P("matching := 0")
		for i, try := range tries {
			if i >= 2 {
				try = "matching < 2 && " + try
			}
			f.P("if ", try, " {")
			f.P("matching++")
			f.P("}")
		}
		f.P("c.Restore(loud)")
		f.P("if matching == 0 {")
		f.P("if !c.Union(", v, ", ", f.location(c.At), `, "oneOf", `, strings.Join(branches, ", "), ") {")
		f.P("return false")
		f.P("}")
		f.P("} else if matching > 1 && !c.Fail(", v, ", ", f.location(c.At), `, "oneOf", `, lit(tooMany(c)), ") {")
		f.P("return false")
		f.P("}")
	}
}

// different leaves out tests that can't hold and those that stand there already, which go vet
// would find strange.
func different(tries []string) []string {
	var list []string
	for _, try := range tries {
		if try != "false" && !slices.Contains(list, try) {
			list = append(list, try)
		}
	}
	if len(list) == 0 {
		return []string{"false"}
	}
	return list
}

// all prints a union of which every branch has to be tried, because what it evaluates counts.
func (f *file) all(c *plan.Union, v string, tries, branches []string) {
	defer f.open()()
	f.P("matching := 0")
	for _, try := range tries {
		f.P("if ", try, " {")
		f.P("matching++")
		f.P("}")
	}
	f.P("if matching == 0 && !c.Union(", v, ", ", f.location(c.At), ", ", lit(c.Keyword), ", ", strings.Join(branches, ", "), ") {")
	f.P("return false")
	f.P("}")
	if c.Keyword == "oneOf" {
		f.failIf("matching > 1", v, c.At, c.Keyword, tooMany(c))
	}
}

// tooMany is what a value is told that satisfies several branches of oneOf.
func tooMany(c *plan.Union) string {
	return fmt.Sprintf("matches more than one of the %d forms allowed here; exactly one is wanted", len(c.Branches))
}

// try renders the test of a branch: its types first, because they cost next to nothing.
func (f *file) try(n *plan.Node, u *plan.Union, br plan.Branch, v string) string {
	call := br.Func.Name + "(c, " + v + ")"
	if u.All {
		call = "c.Try(" + br.Func.Name + ", " + v + ")"
	}
	if n.Types&^br.Types == 0 {
		return call
	}
	if br.Types == 0 {
		return "false"
	}
	test := f.isType(br.Types, v)
	if node := br.Func.Node; !node.Never && len(node.Checks) == 0 && node.Types == br.Types {
		return test
	}
	return test + " && " + call
}

// disjoint reports whether no value can satisfy two branches, for its type alone.
func disjoint(c *plan.Union) bool {
	var seen plan.Types
	for _, br := range c.Branches {
		if seen&br.Types != 0 {
			return false
		}
		seen |= br.Types
	}
	return true
}

// tagged prints a union whose branch one member names: only that branch is checked, and its
// faults are the answer.
func (f *file) tagged(c *plan.Union, v string) {
	var all []string
	f.P("switch c.Tag(", v, ", ", lit(c.Tag.Name), ") {")
	for i, br := range c.Branches {
		all = append(all, c.Tag.Values[i]...)
		f.P("case ", f.list(c.Tag.Values[i], lit), ":")
		f.call(br.Func, v)
	}
	f.P("default:")
	f.P("if !c.BadTag(", v, ", ", f.location(c.At), ", ", lit(c.Keyword), ", ", lit(c.Tag.Name), ", ", f.strings(c.At+"/"+c.Keyword, all), ") {")
	f.P("return false")
	f.P("}")
	f.P("}")
}

func (f *file) not(c *plan.Not, v string) {
	message := "has the form that is forbidden here (see the schema's \"" + c.Keyword + "\")"
	if text := wants(c.Node); text != "" {
		message = "must not be " + text
	}
	defer f.open()()
	if c.Unmark {
		f.P("forbidden := c.Unmarked(", c.Func.Name, ", ", v, ")")
	} else {
		f.P("loud := c.Quiet()")
		f.P("forbidden := ", c.Func.Name, "(c, ", v, ")")
		f.P("c.Restore(loud)")
	}
	f.failIf("forbidden", v, c.At, c.Keyword, message)
}

func (f *file) conditional(c *plan.If, v string, depth int) {
	defer f.open()()
	if c.Mark {
		f.P("holds := c.Try(", c.Func.Name, ", ", v, ")")
	} else {
		f.P("loud := c.Quiet()")
		f.P("holds := ", c.Func.Name, "(c, ", v, ")")
		f.P("c.Restore(loud)")
	}
	switch {
	case alwaysNode(c.Then) && alwaysNode(c.Else):
		f.P("_ = holds")
		return
	case alwaysNode(c.Then):
		f.P("if !holds {")
		f.node(c.Else, v, false, depth)
	case alwaysNode(c.Else):
		f.P("if holds {")
		f.node(c.Then, v, false, depth)
	default:
		f.P("if holds {")
		f.node(c.Then, v, false, depth)
		f.P("} else {")
		f.node(c.Else, v, false, depth)
	}
	f.P("}")
}
