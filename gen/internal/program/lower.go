package program

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// lowerer turns nodes of a plan into operations.
type lowerer struct {
	funcs map[*plan.Func]*Func
}

// Lower makes the program of a plan, as the plan says it and without a pass over it.
func Lower(p *plan.Plan) *Program {
	l := &lowerer{funcs: map[*plan.Func]*Func{}}
	program := &Program{}
	for _, f := range p.Funcs {
		lowered := &Func{Name: f.Name, Schema: f.Schema, At: f.Schema.Location(nil), Arg: &Var{Role: Argument}, plan: f}
		l.funcs[f] = lowered
		program.Funcs = append(program.Funcs, lowered)
	}
	for _, m := range p.Messages {
		l.funcs[m.Func].kept = true
	}
	for _, f := range program.Funcs {
		f.Body = l.node(f.plan.Node, of(f.Arg))
	}
	return program
}

// node lowers what holds for the value that v refers to.
func (l *lowerer) node(n *plan.Node, v Ref) Block {
	switch {
	case n == nil:
		return nil
	case n.Never:
		return Block{&Fail{Plain{v, n.At, n.Why.Keyword, n.Why.Message}}}
	case n.Types == plan.Any:
		return l.checks(n, v)
	}
	kind, fault := IsKind{v, n.Types}, Plain{v, n.At, "type", "must be " + either(n.Types.Names())}
	if len(n.Checks) == 0 {
		return Block{&Require{kind, fault}}
	}
	return Block{&If{kind, l.checks(n, v), Block{&Fail{fault}}}}
}

// checks lowers the checks of a node. Those that look at some kinds of value only stand behind a
// test, unless the value can have no other.
func (l *lowerer) checks(n *plan.Node, v Ref) Block {
	var b Block
	for i := 0; i < len(n.Checks); {
		looks := n.Checks[i].Looks()
		var group Block
		for ; i < len(n.Checks) && n.Checks[i].Looks() == looks; i++ {
			group = append(group, l.check(n, n.Checks[i], v)...)
		}
		if n.Types&^looks != 0 && len(group) > 0 {
			group = Block{&If{Cond: IsKind{v, looks}, Then: group}}
		}
		b = append(b, group...)
	}
	return b
}

// check lowers one check of n.
func (l *lowerer) check(n *plan.Node, c plan.Check, v Ref) Block {
	switch c := c.(type) {
	case *plan.Enum:
		values := Constants{c.Strings, c.Others, c.Only}
		return Block{&Require{IsOneOf{v, values}, NotOneOf{v, c.At, c.Keyword, values}}}
	case *plan.Bound:
		return bound(c, v)
	case *plan.Multiple:
		return Block{&Require{IsMultiple{v, c.By}, Plain{v, c.At, c.Keyword, "must be a multiple of " + c.By}}}
	case *plan.Length:
		return size(Runes, v, c.At, c.Keyword, c.N, "character", "characters")
	case *plan.Count:
		if c.Looks() == plan.Object {
			return size(Length, v, c.At, c.Keyword, c.N, "member", "members")
		}
		return size(Length, v, c.At, c.Keyword, c.N, "item", "items")
	case *plan.Pattern:
		return Block{&Require{Matches{v, c.Matcher, c.At + "/pattern"}, Plain{v, c.At, "pattern", "must match the pattern " + c.Source}}}
	case *plan.Format:
		return Block{&Require{HasFormat{v, c.Name}, Plain{v, c.At, "format", "must be " + plan.Formats[c.Name].Article}}}
	case *plan.Unique:
		return Block{&Unique{v, c.At}}
	case *plan.Items:
		return l.items(c, v)
	case *plan.Contains:
		return l.contains(c, v)
	case *plan.Members:
		return l.members(c, v)
	case *plan.Depends:
		return depends(c, v)
	case *plan.DependsSchema:
		var cond Cond = HasMember{v, c.Member}
		if c.Value != nil {
			cond = MemberIs{v, c.Member, *c.Value}
		}
		return Block{&If{Cond: cond, Then: l.node(c.Node, v)}}
	case *plan.Union:
		return l.union(n, c, v)
	case *plan.Not:
		return l.not(c, v)
	case *plan.If:
		return Block{&Conditional{On: v, Func: l.funcs[c.Func], Notes: c.Mark, Then: l.node(c.Then, v), Else: l.node(c.Else, v)}}
	case *plan.Both:
		return l.node(c.Node, v)
	case *plan.Call:
		return Block{&Call{l.funcs[c.Func], v}}
	case *plan.Frame:
		return Block{&Frame{}}
	case *plan.Unevaluated:
		return l.unevaluated(c, v)
	}
	panic("program: unknown check") //nolint:forbidigo // the linter finds a switch without a case for it
}

// bound lowers a limit of numbers.
func bound(c *plan.Bound, v Ref) Block {
	keyword := strings.ToLower(c.Keyword)
	exclusive := c.Draft4 != "" || strings.HasPrefix(keyword, "exclusive")
	limit := Limit{Value: c.Limit}
	words := ""
	switch low := strings.HasSuffix(keyword, "minimum"); {
	case low && exclusive:
		limit.Beyond, words = "<=", "must be greater than "
	case low:
		limit.Beyond, words = "<", "must be at least "
	case exclusive:
		limit.Beyond, words = ">=", "must be less than "
	default:
		limit.Beyond, words = ">", "must be at most "
	}
	limit.Fault = Plain{v, c.At, c.Keyword, words + c.Limit}
	return Block{&Bounds{v, Number, []Limit{limit}}}
}

// size lowers a limit of how much there is of something.
func size(of Quantity, v Ref, at, keyword string, n int, one, many string) Block {
	most := strings.HasPrefix(keyword, "max")
	message := "must have at least " + plural(n, one, many)
	switch {
	case most && n == 0:
		message = "must be empty"
	case most:
		message = "must have at most " + plural(n, one, many)
	case n == 1:
		message = "must not be empty"
	}
	return Block{&Bounds{v, of, []Limit{limit(most, n, Plain{v, at, keyword, message})}}}
}

// union lowers alternatives: by the member that tells them apart where there is one.
func (l *lowerer) union(n *plan.Node, c *plan.Union, v Ref) Block {
	u := &Union{On: v, At: c.At, Keyword: c.Keyword, Possible: n.Types, Notes: c.All}
	for _, br := range c.Branches {
		u.Branches = append(u.Branches, Branch{l.funcs[br.Func], br.Types})
		u.Forms = append(u.Forms, l.funcs[br.Func])
	}
	if c.Tag == nil {
		return Block{u}
	}
	tag := &Tag{On: v, Member: c.Tag.Name, Kind: c.Tag.Kind}
	var all []string
	for i, br := range u.Branches {
		if len(c.Tag.Values[i]) == 0 {
			continue // no object satisfies it
		}
		tag.Cases = append(tag.Cases, TagCase{c.Tag.Values[i], Block{&Call{br.Func, v}}})
		all = append(all, c.Tag.Values[i]...)
	}
	tag.Default = Block{&Fail{BadTag{v, c.At, c.Keyword, c.Tag.Name, c.Tag.Kind, all}}}
	if c.Tag.Required {
		// Where it is missing, the schema's own required tells.
		tag.Default = Block{&If{Cond: HasMember{v, c.Tag.Name}, Then: tag.Default}}
	}
	if n.Types == plan.Object || !c.Strays() {
		return Block{tag}
	}
	return Block{&If{IsKind{v, plan.Object}, Block{tag}, Block{u}}}
}

func (l *lowerer) not(c *plan.Not, v Ref) Block {
	message := "has the form that is forbidden here (see the schema's \"" + c.Keyword + "\")"
	if text := wants(c.Node); text != "" {
		message = "must not be " + text
	}
	return Block{&Not{v, l.funcs[c.Func], c.Unmark, Plain{v, c.At, c.Keyword, message}}}
}

// limit is a bound of something that is counted.
func limit(most bool, n int, fault Fault) Limit {
	if most {
		return Limit{">", decimal(n), fault}
	}
	return Limit{"<", decimal(n), fault}
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
				values = append(values, quoted(s))
			}
			return either(slices.Concat(values, c.Others))
		}
	}
	return ""
}
