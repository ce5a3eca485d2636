package program

import "github.com/zenlix/echo-mcp/gen/internal/plan"

// Op is an operation.
//
//sumtype:decl
type Op interface {
	// parts says what the operation holds.
	parts() parts
}

// parts are the things inside an operation that passes look at and change: the blocks inside
// it, and the functions that it calls.
type parts struct {
	blocks []*Block
	calls  []*Func
}

// The operations.
type (
	// Require wants a condition to hold.
	Require struct {
		Cond  Cond
		Fault Fault
	}
	// Bounds wants a quantity of a value to keep within limits.
	Bounds struct {
		On     Ref
		Of     Quantity
		Limits []Limit
	}
	// Unique wants an array without equal elements.
	Unique struct {
		On Ref
		At string
	}
	// Fail tells a fault.
	Fail struct{ Fault Fault }
	// If does one thing or another.
	If struct {
		Cond       Cond
		Then, Else Block
	}
	// Kinds does what is said for the kind that a value has. The cases exclude each other. Where
	// there is none for it, it does what Default says.
	Kinds struct {
		On      Ref
		Cases   []KindCase
		Default Block
	}
	// Tag does what is said for the constant that a member of an object holds.
	Tag struct {
		On      Ref
		Member  string
		Kind    plan.Types // of the constants: String, Boolean or Integer
		Cases   []TagCase
		Default Block // where the member is missing or holds something else
	}
	// Call has a function check a value.
	Call struct {
		Func *Func
		On   Ref
	}
	// Union wants one or some of several functions to find nothing wrong with a value. They are
	// tried in order.
	Union struct {
		On          Ref
		At, Keyword string
		Branches    []Branch
		// Forms are the branches that the schema has, for what is told. Some may not be tried,
		// because it is known that they don't hold.
		Forms []*Func
		// Possible is the kinds that the value can have here.
		Possible plan.Types
		// Notes says that every branch is tried, because what it evaluates counts.
		Notes bool
	}
	// Not wants a function to find something wrong with a value.
	Not struct {
		On   Ref
		Func *Func
		// Unmark says that what the function notes as evaluated is forgotten.
		Unmark bool
		Fault  Fault
	}
	// Conditional has a function decide what is done.
	Conditional struct {
		On   Ref
		Func *Func
		// Notes says that what the function evaluates counts where it finds nothing wrong.
		Notes      bool
		Then, Else Block
	}
	// Members is a loop over the members of an object.
	Members struct {
		On  Ref
		Key *Var
		// Names is done for every name.
		Names Block
		Cases []MemberCase
		// Patterns are done for the names that they match, after the case.
		Patterns []PatternCase
		// Others is done for members that neither a case nor a pattern is for.
		Others Block
		// Required are the members that have to be there, looked at after the loop.
		Required []RequiredSet
		// Marks says which members are noted as evaluated.
		Marks Marks
	}
	// Items is a loop over the elements of an array.
	Items struct {
		On   Ref
		Item *Var
		// Prefix is done for the elements at the start, each by its index.
		Prefix []Block
		// Rest is done for the elements behind them.
		Rest Block
		// Marks says which elements are noted as evaluated.
		Marks Marks
	}
	// Contains counts the elements of an array that a function finds nothing wrong with.
	Contains struct {
		On     Ref
		Item   *Var
		Func   *Func
		Mark   bool // note them as evaluated
		Limits []Limit
	}
	// Frame begins to note what is evaluated, for the Unevaluated behind it.
	Frame struct{}
	// Unevaluated is a loop over the members of an object, or the elements of an array, that
	// nothing evaluated since the Frame before it.
	Unevaluated struct {
		On   Ref
		Part *Var
		Do   Block
		Mark bool // note them as evaluated in turn
	}
)

// Quantity is what Bounds measures.
type Quantity uint8

// The quantities.
const (
	Number Quantity = iota // of a number: its value, in decimal
	Runes                  // of a string: its code points
	Length                 // of an array or object: its elements or members
	Count                  // of Contains: the elements counted
)

// Limit is a bound: a quantity for which "quantity Beyond Value" holds is too small or too large.
type Limit struct {
	Beyond string // a comparison of Go: <, <=, > or >=
	Value  string // a JSON number
	Fault  Fault
}

// KindCase is what is done for some kinds.
type KindCase struct {
	Kinds plan.Types
	Do    Block
}

// TagCase is what is done where a member holds one of some constants.
type TagCase struct {
	Values []string
	Do     Block
}

// Branch is a function of a union.
type Branch struct {
	Func  *Func
	Kinds plan.Types // that it may find nothing wrong with
}

// MemberCase is what is done for the member of a name.
type MemberCase struct {
	Name string
	// Sets are the indexes of the required sets that have the name.
	Sets []int
	// Undeclared says that the name is only required: whether the member is allowed, patterns
	// and Others say.
	Undeclared bool
	Do         Block
}

// PatternCase is what is done for members whose names match a pattern.
type PatternCase struct {
	Matcher *plan.Matcher
	At      string // the location of the pattern
	Do      Block
}

// RequiredSet is up to 64 members that have to be there: a bit of one word for each.
type RequiredSet struct {
	At    string // the location of the schema that says so
	Index int    // which of the sets of that schema it is
	Names []string
}

// setSize is how many members a RequiredSet has at most.
const setSize = 64

// Marks says which parts a loop notes as evaluated.
type Marks uint8

// The parts noted.
const (
	MarkNone  Marks = iota
	MarkKnown       // those that the loop has a case, a pattern or a place of the prefix for
	MarkAll
)

func (*Require) parts() parts { return parts{} }
func (*Bounds) parts() parts  { return parts{} }
func (*Unique) parts() parts  { return parts{} }
func (*Fail) parts() parts    { return parts{} }
func (o *If) parts() parts    { return parts{blocks: []*Block{&o.Then, &o.Else}} }

func (o *Kinds) parts() parts {
	p := parts{blocks: []*Block{&o.Default}}
	for i := range o.Cases {
		p.blocks = append(p.blocks, &o.Cases[i].Do)
	}
	return p
}

func (o *Tag) parts() parts {
	p := parts{blocks: []*Block{&o.Default}}
	for i := range o.Cases {
		p.blocks = append(p.blocks, &o.Cases[i].Do)
	}
	return p
}

func (o *Call) parts() parts { return parts{calls: []*Func{o.Func}} }

func (o *Union) parts() parts { return parts{calls: o.Forms} }

func (o *Not) parts() parts { return parts{calls: []*Func{o.Func}} }

func (o *Conditional) parts() parts {
	return parts{blocks: []*Block{&o.Then, &o.Else}, calls: []*Func{o.Func}}
}

func (o *Members) parts() parts {
	p := parts{blocks: []*Block{&o.Names, &o.Others}}
	for i := range o.Cases {
		p.blocks = append(p.blocks, &o.Cases[i].Do)
	}
	for i := range o.Patterns {
		p.blocks = append(p.blocks, &o.Patterns[i].Do)
	}
	return p
}

func (o *Items) parts() parts {
	p := parts{blocks: []*Block{&o.Rest}}
	for i := range o.Prefix {
		p.blocks = append(p.blocks, &o.Prefix[i])
	}
	return p
}

func (o *Contains) parts() parts    { return parts{calls: []*Func{o.Func}} }
func (*Frame) parts() parts         { return parts{} }
func (o *Unevaluated) parts() parts { return parts{blocks: []*Block{&o.Do}} }

// walk visits a block and all blocks inside it, the inner ones first.
func walk(b *Block, visit func(*Block)) {
	for _, op := range *b {
		for _, inner := range op.parts().blocks {
			walk(inner, visit)
		}
	}
	visit(b)
}

// each visits all operations of a block, and those inside them.
func each(b Block, visit func(Op)) {
	walk(&b, func(b *Block) {
		for _, op := range *b {
			visit(op)
		}
	})
}
