package emit

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// items prints the loop over the elements of an array.
func (f *file) items(c *plan.Items, v string, depth int) {
	item := "item"
	if depth > 0 {
		item = fmt.Sprint("item", depth+1)
	}
	end := strings.Replace(item, "item", "end", 1)
	if len(c.Prefix) > 0 {
		f.P("i", depth, " := 0")
	}
	f.P("for ", item, ", ", end, " := ", inside(v), ", c.Next(", v, "); ", item, " < ", end, "; ", item, " = c.Next(", item, ") {")
	markAll := c.Mark && c.RestKeyword != ""
	if markAll {
		f.P("c.Mark(", item, ")")
	}
	if len(c.Prefix) == 0 {
		f.rest(c, item, depth)
	} else {
		f.P("switch i", depth, " {")
		for i, n := range c.Prefix {
			f.P("case ", i, ":")
			if c.Mark && !markAll {
				f.P("c.Mark(", item, ")")
			}
			if !alwaysNode(n) {
				f.node(n, item, false, depth+1)
			}
		}
		if c.Rest != nil {
			f.P("default:")
			f.rest(c, item, depth)
		}
		f.P("}")
		f.P("i", depth, "++")
	}
	f.P("}")
}

func (f *file) rest(c *plan.Items, item string, depth int) {
	if c.Rest == nil {
		return
	}
	if c.Rest.Never {
		f.fail(item, c.At, c.RestKeyword, "is not allowed here: the array may have at most "+plural(len(c.Prefix), "item", "items"), false)
		return
	}
	f.node(c.Rest, item, false, depth+1)
}

func alwaysNode(n *plan.Node) bool {
	return n == nil || !n.Never && n.Types == plan.Any && len(n.Checks) == 0
}

// contains prints the count of the elements that satisfy a schema.
func (f *file) contains(c *plan.Contains, v string) {
	defer f.open()()
	f.P("matching := 0")
	f.P("loud := c.Quiet()")
	f.P("for item, end := ", inside(v), ", c.Next(", v, "); item < end; item = c.Next(item) {")
	f.P("if ", c.ItemFunc.Name, "(c, item) {")
	f.P("matching++")
	if c.Mark {
		f.P("c.Mark(item)")
	}
	f.P("}")
	f.P("}")
	f.P("c.Restore(loud)")
	if c.Min > 0 {
		keyword := "contains"
		if c.Min > 1 {
			keyword = "minContains"
		}
		f.failIf(fmt.Sprint("matching < ", c.Min), v, c.At, keyword, "must contain at least "+plural(c.Min, "item", "items")+" of the form that contains describes"+f.kindOf(c.Item))
	}
	if c.Max >= 0 {
		f.failIf(fmt.Sprint("matching > ", c.Max), v, c.At, "maxContains", "must contain at most "+plural(c.Max, "item", "items")+" of the form that contains describes"+f.kindOf(c.Item))
	}
}

// kindOf adds what a simple node wants, for a message: " (string)".
func (f *file) kindOf(n *plan.Node) string {
	if text := wants(n); text != "" {
		return " (" + text + ")"
	}
	return ""
}

// wants says in a few words what a simple node allows, or "".
func wants(n *plan.Node) string {
	if f := n.Call(); f != nil {
		n = f.Node
	}
	if n.Never {
		return ""
	}
	if len(n.Checks) == 0 && n.Types != plan.Any {
		return either(n.Types.Names())
	}
	if len(n.Checks) == 1 {
		if c, ok := n.Checks[0].(*plan.Enum); ok && len(c.Strings)+len(c.Others) <= 5 {
			var values []string
			for _, s := range c.Strings {
				values = append(values, fmt.Sprintf("%q", s))
			}
			return either(append(values, c.Others...))
		}
	}
	return ""
}

// members prints the loop over the members of an object.
func (f *file) members(c *plan.Members, v string, depth int) {
	required, bits := requiredNames(c)
	words := (len(required) + 63) / 64
	defer f.open()()
	seen := func(word int) string {
		if words == 1 {
			return "seen"
		}
		return fmt.Sprint("seen", word)
	}
	for w := range words {
		f.P("var ", seen(w), " uint64")
	}
	f.P("for k, end := ", inside(v), ", c.Next(", v, "); k < end; k = c.Next(k+1) {")
	if c.Mark && c.HasRest {
		f.P("c.Mark(k)")
	}
	markSome := c.Mark && !c.HasRest
	if c.Names != nil {
		f.node(c.Names, "k", false, depth)
	}
	undeclared := false
	for _, field := range c.Fields {
		undeclared = undeclared || field.Undeclared
	}
	// Where patterns or undeclared members come between, the code has to remember whether a
	// member was met before the rest applies.
	remember := c.Rest != nil && (len(c.Patterns) > 0 || undeclared && len(c.Fields) > 0)
	name := "c.Name(k)"
	idle := func(p plan.PatternField) bool { return !remember && !markSome && alwaysNode(p.Node) }
	if slices.ContainsFunc(c.Patterns, func(p plan.PatternField) bool { return !idle(p) && !p.Matcher.Program.Costs() }) {
		f.P("name := c.Name(k)")
		name = "name"
	}
	if remember {
		f.P("met := true")
	}
	if len(c.Fields) > 0 || c.Rest != nil && !remember {
		f.P("switch ", name, " {")
		for i, field := range c.Fields {
			f.P("case ", lit(field.Name), ":")
			if bit, ok := bits[i]; ok {
				f.P(seen(bit/64), " |= 1 << ", bit%64)
			}
			if field.Undeclared {
				if remember {
					f.P("met = false")
				}
				continue
			}
			if markSome {
				f.P("c.Mark(k)")
			}
			if !alwaysNode(field.Node) {
				f.node(field.Node, "k+1", false, depth)
			}
		}
		if c.Rest != nil {
			f.P("default:")
			if remember {
				f.P("met = false")
			} else {
				f.others(c, depth)
			}
		}
		f.P("}")
	} else if remember {
		f.P("met = false")
	}
	for _, p := range c.Patterns {
		if idle(p) {
			continue
		}
		f.P("if ", f.matches(p.Matcher, "k", "name", c.At+"/patternProperties"), " {")
		if markSome {
			f.P("c.Mark(k)")
		}
		if remember {
			f.P("met = true")
		}
		switch {
		case p.Node.Never:
			f.P("if !c.Unknown(k, ", f.location(c.At), `, "patternProperties") {`)
			f.P("return false")
			f.P("}")
		case !alwaysNode(p.Node):
			f.node(p.Node, "k+1", false, depth)
		}
		f.P("}")
	}
	if remember {
		f.P("if !met {")
		f.others(c, depth)
		f.P("}")
	}
	f.P("}")
	for w := range words {
		some := required[w*64 : min(len(required), w*64+64)]
		mask := ^uint64(0) >> (64 - len(some))
		f.P("if ", seen(w), " != ", fmt.Sprintf("%#x", mask), " && !c.Required(", v, ", ", f.location(c.At), ", ", seen(w), ", ", f.strings(fmt.Sprint(c.At, "/required/", w), some), ") {")
		f.P("return false")
		f.P("}")
	}
	for _, field := range c.Fields {
		if field.RequiredAt != "" {
			f.P("if !c.Has(", v, ", ", lit(field.Name), ") && !c.Required(", v, ", ", f.location(field.RequiredAt), ", 0, ", lit(field.Name), ") {")
			f.P("return false")
			f.P("}")
		}
	}
}

// requiredNames lists the members that the check's own schema requires, and gives each one's field a bit.
func requiredNames(c *plan.Members) (names []string, bits map[int]int) {
	bits = map[int]int{}
	for i, field := range c.Fields {
		if field.Required && field.RequiredAt == "" {
			bits[i] = len(names)
			names = append(names, field.Name)
		}
	}
	return names, bits
}

// others prints what holds for the members that neither properties nor patternProperties name.
func (f *file) others(c *plan.Members, depth int) {
	if !c.Rest.Never {
		f.node(c.Rest, "k+1", false, depth)
		return
	}
	var known []string
	for _, field := range c.Fields {
		if !field.Undeclared {
			known = append(known, field.Name)
		}
	}
	arguments := ""
	if len(known) > 0 {
		arguments = ", " + f.strings(c.At+"/properties", known)
	}
	f.P("if !c.Unknown(k, ", f.location(c.At), `, "additionalProperties"`, arguments, ") {")
	f.P("return false")
	f.P("}")
}

// unevaluated prints what holds for the members or items that nothing has evaluated.
func (f *file) unevaluated(c *plan.Unevaluated, v string) {
	part, step := "k", "k+1"
	if c.Keyword == "unevaluatedItems" {
		part, step = "item", "item"
	}
	f.P("for ", part, ", end := ", inside(v), ", c.Next(", v, "); ", part, " < end; ", part, " = c.Next(", step, ") {")
	f.P("if !c.Marked(frame, ", part, ") {")
	switch {
	case c.Node.Never && part == "item":
		f.fail(part, c.At, c.Keyword, "is not allowed here: no part of the schema describes this item", false)
	case c.Node.Never:
		arguments := ""
		if len(c.Known) > 0 {
			arguments = ", " + f.strings(c.At+"/"+c.Keyword, c.Known)
		}
		f.P("if !c.Unknown(k, ", f.location(c.At), ", ", lit(c.Keyword), arguments, ") {")
		f.P("return false")
		f.P("}")
	case !alwaysNode(c.Node):
		f.node(c.Node, step, false, 0)
	}
	if c.Mark {
		f.P("c.Mark(", part, ")")
	}
	f.P("}")
	f.P("}")
}

func (f *file) depends(c *plan.Depends, v string) {
	f.P("if c.Has(", v, ", ", lit(c.Member), ") {")
	for _, name := range c.Names {
		f.P("if !c.Has(", v, ", ", lit(name), ") && !c.Depends(", v, ", ", f.location(c.At), ", ", lit(c.Keyword), ", ", lit(c.Member), ", ", lit(name), ") {")
		f.P("return false")
		f.P("}")
	}
	f.P("}")
}
