package plan

import (
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Dump prints the plan for people: a block for every function, a line for every check, with
// what is inside indented below it.
func (p *Plan) Dump(w io.Writer) error {
	d := &dumper{}
	for i, f := range p.Funcs {
		if i > 0 {
			d.line(0, "")
		}
		d.line(0, f.Name+"  "+location(f.Schema))
		d.node(1, f.Node)
	}
	_, err := io.WriteString(w, d.b.String())
	return err
}

type dumper struct{ b strings.Builder }

func (d *dumper) line(depth int, text string) {
	if text != "" {
		d.b.WriteString(strings.Repeat("  ", depth))
	}
	d.b.WriteString(text)
	d.b.WriteByte('\n')
}

func (d *dumper) node(depth int, n *Node) {
	switch {
	case n.Never:
		d.line(depth, "never: "+n.Why.Message)
	case n.always():
		d.line(depth, "anything")
	default:
		if n.Types != Any {
			d.line(depth, "type "+strings.Join(n.Types.Names(), " "))
		}
		for _, c := range n.Checks {
			d.check(depth, c)
		}
	}
}

// below prints a heading, with the node behind it if the node takes one line.
func (d *dumper) below(depth int, heading string, n *Node) {
	inner := &dumper{}
	inner.node(0, n)
	if text := strings.TrimSuffix(inner.b.String(), "\n"); !strings.Contains(text, "\n") {
		d.line(depth, heading+": "+text)
		return
	}
	d.line(depth, heading+":")
	d.node(depth+1, n)
}

func (d *dumper) check(depth int, c Check) {
	switch c := c.(type) {
	case *Enum:
		var values []string
		for _, s := range c.Strings {
			values = append(values, strconv.Quote(s))
		}
		d.line(depth, c.Keyword+" "+strings.Join(append(values, c.Others...), " "))
	case *Bound:
		keyword := c.Keyword
		if c.Draft4 != "" {
			keyword = c.Draft4
		}
		d.line(depth, keyword+" "+c.Limit)
	case *Multiple:
		d.line(depth, c.Keyword+" "+c.By)
	case *Length:
		d.line(depth, fmt.Sprint(c.Keyword, " ", c.N))
	case *Pattern:
		d.line(depth, "pattern "+strconv.Quote(c.Source))
	case *Format:
		d.line(depth, "format "+c.Name)
	case *Count:
		d.line(depth, fmt.Sprint(c.Keyword, " ", c.N))
	case *Unique:
		d.line(depth, "uniqueItems")
	case *Items:
		for i, n := range c.Prefix {
			d.below(depth, fmt.Sprint("item ", i), n)
		}
		if c.Rest != nil {
			d.below(depth, "items", c.Rest)
		}
	case *Contains:
		text := fmt.Sprint("contains at least ", c.Min)
		if c.Max >= 0 {
			text += fmt.Sprint(", at most ", c.Max)
		}
		d.line(depth, text+": "+c.ItemFunc.Name)
	case *Members:
		d.members(depth, c)
	case *Depends:
		d.line(depth, fmt.Sprintf("%s %q: %q", c.Keyword, c.Member, c.Names))
	case *DependsSchema:
		heading := fmt.Sprintf("with %q", c.Member)
		if c.Value != nil {
			heading += fmt.Sprintf(" as %q", *c.Value)
		}
		d.below(depth, heading, c.Node)
	case *Union:
		d.union(depth, c)
	case *Not:
		d.line(depth, c.Keyword+" "+c.Func.Name)
	case *If:
		d.line(depth, "if "+c.Func.Name)
		if c.Then != nil {
			d.below(depth, "then", c.Then)
		}
		if c.Else != nil {
			d.below(depth, "else", c.Else)
		}
	case *Both:
		d.node(depth, c.Node)
	case *Call:
		d.line(depth, c.Func.Name)
	case *Frame:
		d.line(depth, "note what is evaluated")
	case *Unevaluated:
		d.below(depth, c.Keyword, c.Node)
	}
}

func (d *dumper) members(depth int, c *Members) {
	if c.Names != nil {
		d.below(depth, "member names", c.Names)
	}
	for _, f := range c.Fields {
		heading := "member " + strconv.Quote(f.Name)
		if f.Required {
			heading += " required"
		}
		switch {
		case f.Undeclared:
			d.line(depth, heading)
		case f.Node == nil:
			d.line(depth, heading+": anything")
		default:
			d.below(depth, heading, f.Node)
		}
	}
	for _, p := range c.Patterns {
		d.below(depth, "members like "+strconv.Quote(p.Source), p.Node)
	}
	if c.Rest != nil {
		d.below(depth, "other members", c.Rest)
	}
}

func (d *dumper) union(depth int, c *Union) {
	heading := c.Keyword
	if c.Tag != nil {
		heading += " by " + strconv.Quote(c.Tag.Name)
		if c.Strays() {
			heading += " of an object"
		}
	}
	d.line(depth, heading)
	for i, br := range c.Branches {
		text := br.Func.Name
		if c.Tag != nil {
			text = fmt.Sprintf("%q: %s", c.Tag.Values[i], text)
		} else if br.Types != Any {
			text = strings.Join(br.Types.Names(), " ") + ": " + text
		}
		d.line(depth+1, text)
	}
}

// Describe prints one check as Dump does, without the names that only its place gives it.
func Describe(c Check) string {
	d := &dumper{}
	d.check(0, c)
	return strings.TrimSuffix(d.b.String(), "\n")
}
