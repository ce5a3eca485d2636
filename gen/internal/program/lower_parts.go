package program

import (
	"fmt"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// items lowers what is said about the elements of an array, each by itself.
func (l *lowerer) items(c *plan.Items, v Ref) Block {
	o := &Items{On: v, Item: &Var{Role: Element}}
	item := of(o.Item)
	switch {
	case c.Mark && c.RestKeyword != "":
		o.Marks = MarkAll
	case c.Mark:
		o.Marks = MarkKnown
	}
	for _, n := range c.Prefix {
		o.Prefix = append(o.Prefix, l.node(n, item))
	}
	if c.Rest != nil && c.Rest.Never {
		o.Rest = Block{&Fail{Plain{item, c.At, c.RestKeyword, "is not allowed here: the array may have at most " + plural(len(c.Prefix), "item", "items")}}}
	} else {
		o.Rest = l.node(c.Rest, item)
	}
	return Block{o}
}

// contains lowers the count of the elements that satisfy a schema.
func (l *lowerer) contains(c *plan.Contains, v Ref) Block {
	o := &Contains{On: v, Item: &Var{Role: Element}, Func: l.funcs[c.ItemFunc], Mark: c.Mark}
	kind := ""
	if text := wants(c.Item); text != "" {
		kind = " (" + text + ")"
	}
	add := func(most bool, n int, keyword, words string) {
		message := words + plural(n, "item", "items") + " of the form that contains describes" + kind
		o.Limits = append(o.Limits, limit(most, n, Plain{v, c.At, keyword, message}))
	}
	switch {
	case c.Min > 1:
		add(false, c.Min, "minContains", "must contain at least ")
	case c.Min > 0:
		add(false, c.Min, "contains", "must contain at least ")
	}
	if c.Max >= 0 {
		add(true, c.Max, "maxContains", "must contain at most ")
	}
	return Block{o}
}

// members lowers what is said about the members of an object, each by itself.
func (l *lowerer) members(c *plan.Members, v Ref) Block {
	o := &Members{On: v, Key: &Var{Role: Name}}
	key, value := of(o.Key), valueOf(o.Key)
	switch {
	case c.Mark && c.HasRest:
		o.Marks = MarkAll
	case c.Mark:
		o.Marks = MarkKnown
	}
	o.Names = l.node(c.Names, key)
	for i := range c.Fields {
		field := &c.Fields[i]
		mc := MemberCase{Name: field.Name, Undeclared: field.Undeclared}
		if field.Required && field.RequiredAt == "" {
			mc.Sets = []int{o.require(c.At, field.Name)}
		}
		if !field.Undeclared {
			mc.Do = l.node(field.Node, value)
		}
		o.Cases = append(o.Cases, mc)
	}
	for _, p := range c.Patterns {
		pc := PatternCase{Matcher: p.Matcher, At: c.At + "/patternProperties"}
		if p.Node.Never {
			pc.Do = Block{&Fail{Unknown{On: key, At: c.At, Keyword: "patternProperties"}}}
		} else {
			pc.Do = l.node(p.Node, value)
		}
		o.Patterns = append(o.Patterns, pc)
	}
	o.Others = l.others(c, key, value)
	b := Block{o}
	for _, field := range c.Fields {
		if field.RequiredAt != "" {
			b = append(b, &Require{HasMember{v, field.Name}, Missing{v, field.RequiredAt, field.Name}})
		}
	}
	return b
}

// require adds a name to the required members, and gives the index of its set.
func (o *Members) require(at, name string) int {
	last := len(o.Required) - 1
	if last < 0 || len(o.Required[last].Names) == setSize {
		last++
		o.Required = append(o.Required, RequiredSet{At: at, Index: last})
	}
	o.Required[last].Names = append(o.Required[last].Names, name)
	return last
}

// others lowers what holds for the members that neither properties nor patternProperties name.
func (l *lowerer) others(c *plan.Members, key, value Ref) Block {
	if c.Rest == nil || !c.Rest.Never {
		return l.node(c.Rest, value)
	}
	var known []string
	for _, field := range c.Fields {
		if !field.Undeclared {
			known = append(known, field.Name)
		}
	}
	return Block{&Fail{Unknown{key, c.At, "additionalProperties", known}}}
}

// unevaluated lowers what holds for the members or items that nothing has evaluated.
func (l *lowerer) unevaluated(c *plan.Unevaluated, v Ref) Block {
	o := &Unevaluated{On: v, Part: &Var{Role: Name}, Mark: c.Mark}
	part := valueOf(o.Part)
	if c.Looks() == plan.Array {
		o.Part.Role, part = Element, of(o.Part)
	}
	switch {
	case c.Node.Never && o.Part.Role == Element:
		o.Do = Block{&Fail{Plain{part, c.At, c.Keyword, "is not allowed here: no part of the schema describes this item"}}}
	case c.Node.Never:
		o.Do = Block{&Fail{Unknown{of(o.Part), c.At, c.Keyword, c.Known}}}
	default:
		o.Do = l.node(c.Node, part)
	}
	return Block{o}
}

// depends lowers what other members there have to be where there is one.
func depends(c *plan.Depends, v Ref) Block {
	o := &If{Cond: HasMember{v, c.Member}}
	for _, name := range c.Names {
		o.Then = append(o.Then, &Require{HasMember{v, name}, Dependent{v, c.At, c.Keyword, c.Member, name}})
	}
	return Block{o}
}

// plural renders a count with its noun.
func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprint(n, " ", many)
}
