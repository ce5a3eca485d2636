package program

import (
	"fmt"
	"io"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// Dump prints the program for people: a block for every function, a line for every operation,
// with what is inside indented below it.
func (p *Program) Dump(w io.Writer) error {
	t := &text{}
	for i, f := range p.Funcs {
		if i > 0 {
			t.line(0, "")
		}
		t.function(f)
	}
	_, err := io.WriteString(w, t.b.String())
	return err
}

type text struct {
	b     strings.Builder
	at    string // the location of the function
	names VarNames
}

func (t *text) line(depth int, parts ...any) {
	line := fmt.Sprint(parts...)
	if line != "" {
		line = strings.Repeat("  ", depth) + line
	}
	t.b.WriteString(line)
	t.b.WriteByte('\n')
}

func (t *text) function(f *Func) {
	t.at, t.names = f.At, VarNames{}
	defer t.names.Enter(f.Arg)()
	heading := f.Name + "  " + f.At
	switch {
	case f.Memo != 0:
		heading += "  remembers"
	case f.Counted:
		heading += "  counts"
	}
	t.line(0, heading)
	if len(f.Body) == 0 {
		t.line(1, "nothing")
	}
	t.block(1, f.Body)
}

func (t *text) block(depth int, b Block) {
	for _, op := range b {
		t.op(depth, op)
	}
}

// under prints a heading and a block below it; nothing for an empty block.
func (t *text) under(depth int, b Block, heading ...any) {
	if len(b) > 0 {
		t.line(depth, append(heading, ":")...)
		t.block(depth+1, b)
	}
}

func (t *text) op(depth int, op Op) {
	switch op := op.(type) {
	case *Require:
		t.line(depth, "require ", t.cond(op.Cond), ", else ", t.fault(op.Fault))
	case *Bounds:
		quantity := quantityWords[op.Of] + t.ref(op.On)
		if len(op.Limits) > 1 {
			t.line(depth, "let n be ", quantity)
			quantity = "n"
		}
		for _, l := range op.Limits {
			t.line(depth, "require not ", quantity, " ", l.Beyond, " ", l.Value, ", else ", t.fault(l.Fault))
		}
	case *Unique:
		t.line(depth, "require unique items in ", t.ref(op.On), t.place(op.At))
	case *Fail:
		t.line(depth, "fault ", t.fault(op.Fault))
	case *If:
		t.line(depth, "if ", t.cond(op.Cond), ":")
		t.block(depth+1, op.Then)
		t.under(depth, op.Else, "else")
	case *Kinds:
		t.line(depth, "by the kind of ", t.ref(op.On), ":")
		for _, c := range op.Cases {
			t.line(depth+1, kinds(c.Kinds), ":")
			t.block(depth+2, c.Do)
		}
		t.under(depth+1, op.Default, "else")
	case *Tag:
		t.line(depth, "by the member ", quoted(op.Member), " of ", t.ref(op.On), ":")
		for _, c := range op.Cases {
			t.line(depth+1, fmt.Sprintf("%q:", c.Values))
			t.block(depth+2, c.Do)
		}
		t.under(depth+1, op.Default, "else")
	case *Call:
		t.line(depth, op.Func.Name, " ", t.ref(op.On))
	case *Union:
		t.union(depth, op)
	case *Not:
		t.line(depth, "require not ", op.Func.Name, " ", t.ref(op.On), ", else ", t.fault(op.Fault))
	case *Conditional:
		t.line(depth, "try ", op.Func.Name, " ", t.ref(op.On), noting(op.Notes))
		t.under(depth, op.Then, "where it holds")
		t.under(depth, op.Else, "else")
	case *Members:
		t.members(depth, op)
	case *Items:
		defer t.names.Enter(op.Item)()
		t.line(depth, "each ", t.ref(of(op.Item)), " of ", t.ref(op.On), t.marks(op.Marks), ":")
		for i, b := range op.Prefix {
			t.under(depth+1, b, "at ", i)
		}
		if len(op.Prefix) > 0 {
			t.under(depth+1, op.Rest, "others")
		} else {
			t.block(depth+1, op.Rest)
		}
	case *Contains:
		t.line(depth, "count of ", t.ref(op.On), " the items that ", op.Func.Name, " takes", noting(op.Mark), ":")
		for _, l := range op.Limits {
			t.line(depth+1, "require not count ", l.Beyond, " ", l.Value, ", else ", t.fault(l.Fault))
		}
	case *Frame:
		t.line(depth, "begin to note what is evaluated")
	case *Unevaluated:
		defer t.names.Enter(op.Part)()
		t.line(depth, "each ", t.ref(of(op.Part)), " of ", t.ref(op.On), " that was not evaluated", noting(op.Mark), ":")
		t.block(depth+1, op.Do)
	}
}

var quantityWords = map[Quantity]string{Number: "", Runes: "characters of ", Length: "length of ", Count: "count of "}

func noting(is bool) string {
	if is {
		return ", noting them as evaluated"
	}
	return ""
}

func (t *text) marks(m Marks) string {
	switch m {
	case MarkKnown:
		return ", noting those known as evaluated"
	case MarkAll:
		return ", noting all as evaluated"
	case MarkNone:
	}
	return ""
}

func (t *text) union(depth int, op *Union) {
	t.line(depth, op.Keyword, " for ", t.ref(op.On), t.place(op.At), noting(op.Notes), ":")
	for _, br := range op.Branches {
		t.line(depth+1, kinds(br.Kinds), ": ", br.Func.Name)
	}
}

func kinds(k plan.Types) string {
	if k == plan.Any {
		return "anything"
	}
	return either(k.Names())
}

func (t *text) members(depth int, op *Members) {
	defer t.names.Enter(op.Key)()
	t.line(depth, "each member ", t.ref(of(op.Key)), " of ", t.ref(op.On), t.marks(op.Marks), ":")
	t.under(depth+1, op.Names, "name")
	for _, c := range op.Cases {
		heading := quoted(c.Name)
		if c.Undeclared {
			heading += " undeclared"
		}
		t.line(depth+1, heading, ":")
		t.block(depth+2, c.Do)
	}
	for _, p := range op.Patterns {
		t.under(depth+1, p.Do, "like ", quoted(p.Matcher.Source))
	}
	t.under(depth+1, op.Others, "others")
	for _, set := range op.Required {
		t.line(depth, fmt.Sprintf("require members %q of ", set.Names), t.ref(op.On), t.place(set.At))
	}
}

func (t *text) cond(c Cond) string {
	switch c := c.(type) {
	case IsKind:
		return t.ref(c.On) + " is " + either(c.Kinds.Names())
	case IsOneOf:
		return t.ref(c.On) + " is " + constants(c.Values)
	case Matches:
		return t.ref(c.On) + " matches " + quoted(c.Matcher.Source)
	case HasFormat:
		return t.ref(c.On) + " has format " + c.Name
	case IsMultiple:
		return t.ref(c.On) + " is a multiple of " + c.By
	case HasMember:
		return t.ref(c.On) + " has " + quoted(c.Name)
	case MemberIs:
		return t.ref(c.On) + " has " + quoted(c.Name) + " as " + quoted(c.Value)
	}
	return ""
}

func constants(c Constants) string {
	var list []string
	for _, s := range c.Strings {
		list = append(list, quoted(s))
	}
	return either(append(list, c.Others...))
}

func (t *text) fault(f Fault) string {
	switch f := f.(type) {
	case Plain:
		return f.Keyword + t.place(f.At) + ": " + t.on(f.On) + f.Message
	case NotOneOf:
		return f.Keyword + t.place(f.At) + ": " + t.on(f.On) + "must be " + constants(f.Values)
	case Unknown:
		return f.Keyword + t.place(f.At) + ": " + t.on(f.On) + fmt.Sprintf("is not one of the members %q", f.Known)
	case Missing:
		return "required" + t.place(f.At) + ": " + t.on(f.On) + "lacks " + quoted(f.Name)
	case Dependent:
		return f.Keyword + t.place(f.At) + ": " + t.on(f.On) + "lacks " + quoted(f.Name) + " beside " + quoted(f.Member)
	case BadTag:
		return f.Keyword + t.place(f.At) + ": " + t.on(f.On) + fmt.Sprintf("has none of %q as %q", f.Values, f.Member)
	}
	return ""
}

// on names the value that a fault is about.
func (t *text) on(r Ref) string { return t.ref(r) + " " }

// place is the location of a keyword's schema, unless it is that of the function.
func (t *text) place(at string) string {
	rest, inside := strings.CutPrefix(at, t.at)
	switch {
	case !inside:
		return " at " + at
	case rest == "":
		return ""
	}
	return " at " + rest
}

func (t *text) ref(r Ref) string {
	if r.Value {
		return t.names[r.Var] + "'s value"
	}
	return t.names[r.Var]
}
