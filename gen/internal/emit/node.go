package emit

import (
	"fmt"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// node prints the checks of n on the value at the Go expression v. At the end of a function
// (last) the code returns; elsewhere it falls through. depth counts the loops around it.
func (f *file) node(n *plan.Node, v string, last bool, depth int) {
	switch {
	case n.Never:
		f.fail(v, n.At, n.Why.Keyword, n.Why.Message, last)
		return
	case n.Types == plan.Any:
		f.checks(n, v, last, depth)
		return
	}
	message := "must be " + either(n.Types.Names())
	test := f.isType(n.Types, v)
	switch {
	case len(n.Checks) == 0 && last:
		f.P("return ", test, " || c.Fail(", v, ", ", f.location(n.At), `, "type", `, lit(message), ")")
	case len(n.Checks) == 0:
		f.P("if ", not(test), " && !c.Fail(", v, ", ", f.location(n.At), `, "type", `, lit(message), ") {")
		f.P("return false")
		f.P("}")
	case last:
		f.P("if ", not(test), " {")
		f.P("return c.Fail(", v, ", ", f.location(n.At), `, "type", `, lit(message), ")")
		f.P("}")
		f.checks(n, v, true, depth)
	default:
		f.P("if ", not(test), " {")
		f.fail(v, n.At, "type", message, false)
		if oneStatement(n) {
			f.print("} else ")
			f.checks(n, v, false, depth)
			return
		}
		f.P("} else {")
		f.checks(n, v, false, depth)
		f.P("}")
	}
}

// oneStatement reports whether the checks of n come out as a single if statement.
func oneStatement(n *plan.Node) bool {
	if len(n.Checks) != 1 || n.Types&^n.Checks[0].Looks() != 0 {
		return false
	}
	switch n.Checks[0].(type) {
	case *plan.Bound, *plan.Multiple, *plan.Length, *plan.Pattern, *plan.Format, *plan.Count, *plan.Unique, *plan.Call:
		return true
	}
	return false
}

// inside renders the token behind the one at the expression v: the first inside its value.
func inside(v string) string {
	if before, ok := strings.CutSuffix(v, "+1"); ok {
		return before + "+2"
	}
	return v + "+1"
}

// open starts a block for the variables of a check, unless they are the first of the function;
// the result ends it.
func (f *file) open() (end func()) {
	f.blocks++
	if f.blocks == 1 {
		return func() {}
	}
	f.P("{")
	return func() { f.P("}") }
}

// fail prints an unconditional fault.
func (f *file) fail(v, at, keyword, message string, last bool) {
	call := fmt.Sprintf("c.Fail(%s, %s, %s, %s)", v, f.location(at), lit(keyword), lit(message))
	if last {
		f.P("return ", call)
		return
	}
	f.P("if !", call, " {")
	f.P("return false")
	f.P("}")
}

// failIf prints a fault under a condition.
func (f *file) failIf(condition, v, at, keyword, message string) {
	f.P("if ", condition, " && !c.Fail(", v, ", ", f.location(at), ", ", lit(keyword), ", ", lit(message), ") {")
	f.P("return false")
	f.P("}")
}

// matches renders the call of a matcher for the string at the token v, whose value is text; at is
// the location of the pattern.
func (f *file) matches(m *plan.Matcher, v, text, at string) string {
	if m.Program.Costs() {
		return m.Name + "(c, " + v + ", " + f.location(at) + ")"
	}
	return m.Name + "(" + text + ")"
}

// checks prints the checks of n, each behind a test of the type it looks at unless the value
// can have no other.
func (f *file) checks(n *plan.Node, v string, last bool, depth int) {
	for i := 0; i < len(n.Checks); {
		looks := n.Checks[i].Looks()
		j := i + 1
		for j < len(n.Checks) && n.Checks[j].Looks() == looks {
			j++
		}
		guarded := n.Types&^looks != 0
		if guarded {
			f.P("if ", f.isType(looks, v), " {")
		}
		for ; i < j; i++ {
			if call, ok := n.Checks[i].(*plan.Call); ok && last && !guarded && i == len(n.Checks)-1 {
				f.P("return ", call.Func.Name, "(c, ", v, ")")
				return
			}
			f.check(n, n.Checks[i], v, depth)
		}
		if guarded {
			f.P("}")
		}
	}
	if last {
		f.P("return true")
	}
}

func (f *file) check(n *plan.Node, c plan.Check, v string, depth int) {
	switch c := c.(type) {
	case *plan.Enum:
		f.enum(c, v)
	case *plan.Bound:
		f.bound(c, v)
	case *plan.Multiple:
		f.failIf("!"+f.use(rtPath)+".MultipleOf(c.Text("+v+"), &"+f.decimal(c.By)+")", v, c.At, c.Keyword, "must be a multiple of "+c.By)
	case *plan.Length:
		f.length(c, v)
	case *plan.Pattern:
		f.failIf("!"+f.matches(c.Matcher, v, "c.Name("+v+")", c.At+"/pattern"), v, c.At, "pattern", "must match the pattern "+c.Source)
	case *plan.Format:
		known := plan.Formats[c.Name]
		f.failIf("!"+f.use(modulePath+known.Package)+"."+known.Func+"(c.Name("+v+"))", v, c.At, "format", "must be "+known.Article)
	case *plan.Count:
		f.count(c, v)
	case *plan.Unique:
		f.P("if !c.Unique(", v, ", ", f.location(c.At), ") {")
		f.P("return false")
		f.P("}")
	case *plan.Items:
		f.items(c, v, depth)
	case *plan.Contains:
		f.contains(c, v)
	case *plan.Members:
		f.members(c, v, depth)
	case *plan.Depends:
		f.depends(c, v)
	case *plan.DependsSchema:
		if c.Value != nil {
			f.P("if c.Tag(", v, ", ", lit(c.Member), ") == ", lit(*c.Value), " {")
		} else {
			f.P("if c.Has(", v, ", ", lit(c.Member), ") {")
		}
		f.node(c.Node, v, false, depth)
		f.P("}")
	case *plan.Union:
		f.union(n, c, v)
	case *plan.Not:
		f.not(c, v)
	case *plan.If:
		f.conditional(c, v, depth)
	case *plan.Both:
		f.node(c.Node, v, false, depth)
	case *plan.Call:
		f.call(c.Func, v)
	case *plan.Frame:
		f.P("frame := c.Frame()")
	case *plan.Unevaluated:
		f.unevaluated(c, v)
	default:
		f.unknown = fmt.Errorf("there is no code for the check %T; this is a fault of the generator", c)
	}
}

func (f *file) call(fn *plan.Func, v string) {
	f.P("if !", fn.Name, "(c, ", v, ") {")
	f.P("return false")
	f.P("}")
}

// isType renders the test that the value at v has one of types.
func (f *file) isType(types plan.Types, v string) string {
	kinds := map[plan.Types]string{plan.Null: "Null", plan.Number: "Number", plan.String: "String", plan.Array: "Array", plan.Object: "Object"}
	if kind, single := kinds[types]; single {
		return "c.Kind(" + v + ") == " + f.use(tapePath) + "." + kind
	}
	var set []string
	for _, t := range []struct {
		types plan.Types
		name  string
	}{{plan.Null, "Null"}, {plan.Boolean, "Boolean"}, {plan.Number, "Number"}, {plan.String, "String"}, {plan.Array, "Array"}, {plan.Object, "Object"}} {
		if types&t.types == t.types {
			set = append(set, f.use(rtPath)+"."+t.name)
		}
	}
	test := ""
	if len(set) > 0 {
		test = "c.Is(" + v + ", " + strings.Join(set, "|") + ")"
	}
	if types&plan.Number == plan.Integer {
		integer := "c.IsInteger(" + v + ")"
		if test == "" {
			return integer
		}
		return "(" + test + " || " + integer + ")"
	}
	return test
}

// not negates a test made by isType.
func not(test string) string {
	if before, after, equal := strings.Cut(test, " == "); equal {
		return before + " != " + after
	}
	return "!" + test
}

// either joins alternatives as a reader expects: "a", "a or b", "a, b or c".
func either(list []string) string {
	if len(list) < 2 {
		return strings.Join(list, "")
	}
	return strings.Join(list[:len(list)-1], ", ") + " or " + list[len(list)-1]
}

// plural renders a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
