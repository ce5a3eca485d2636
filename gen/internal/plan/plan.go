// Package plan says what the validator of a schema graph has to check, in which order, as
// plain data. It knows JSON Schema, but neither files nor Go source: gen/internal/load finds
// the schemas, gen/internal/emit prints the code.
//
// A plan is made of nodes. A node stands for one schema applied to one value: the types it
// allows and a list of checks. Simple nodes stay where they are used; a node with an inside of
// its own, or that is referred to, becomes a function. Rewrites are small:
//
//   - what cannot fail is dropped: a true schema, a member without constraint in an open object;
//   - what cannot succeed is one check: false, an empty enum, types that exclude each other;
//   - cheap checks that often fail come first: type, constants, then the checks of one type,
//     then references, then combinations;
//   - anyOf and oneOf whose branches differ by the value of one member become a switch on it.
//
// The result is printable (Dump), which is what -dump=plan shows and what the tests compare.
package plan

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/internal/pattern"
)

// Plan is the plan of a whole graph.
type Plan struct {
	Messages []Message // sorted by id
	Funcs    []*Func   // in the order of their files, then as a reader of the schema meets them
	// Warnings are about places of schemas that cannot mean what their author meant.
	Warnings load.Diagnostics
}

// Message is one message type and the function that checks it.
type Message struct {
	ID     string
	GoName string // exported
	Schema *load.Schema
	Func   *Func
}

// Func is a check with a name of its own.
type Func struct {
	Name   string
	Schema *load.Schema
	Node   *Node
	// Collect says what the function notes for a caller that asks what was evaluated.
	Collect Collect
	scope   scope
}

// Collect says which parts of a value are noted as evaluated (JSON Schema core 2020-12,
// section 11).
type Collect uint8

// What can be collected.
const (
	CollectMembers Collect = 1 << iota
	CollectItems
)

// Node is a schema applied to one value.
type Node struct {
	Schema *load.Schema
	At     string // the location of the schema, with its file's name
	Types  Types  // the types allowed; Any if the schema does not say
	Never  bool   // nothing satisfies it; Why says so to the author of a payload
	Why    Reason
	Checks []Check
}

// Reason is what to report where nothing can satisfy a node.
type Reason struct {
	Keyword, Message string
}

// always reports whether every value satisfies the node.
func (n *Node) always() bool {
	return n == nil || !n.Never && n.Types == Any && len(n.Checks) == 0
}

// Call gives the function that the node consists of, or nil.
func (n *Node) Call() *Func {
	if n == nil || n.Never || n.Types != Any || len(n.Checks) != 1 {
		return nil
	}
	if call, ok := n.Checks[0].(*Call); ok {
		return call.Func
	}
	return nil
}

// Types is a set of JSON types; numbers with and without a fractional part are told apart.
type Types = facts.Kinds

// The types of an instance.
const (
	Null     = facts.Null
	Boolean  = facts.Boolean
	Integer  = facts.Integer
	Fraction = facts.Fraction
	String   = facts.String
	Array    = facts.Array
	Object   = facts.Object
	Number   = facts.Number
	Any      = facts.Any
)

// Check is one thing to check. Its keyword's location is At plus the keyword.
//
//sumtype:decl
type Check interface {
	// Looks gives the types that the check looks at; values of other types pass.
	Looks() Types
	// uses says what the check applies; everything that walks over a plan goes by it.
	uses() []use
}

// The checks. At is the location of the schema that holds the keyword.
type (
	// Enum allows only the listed values. Values are JSON texts.
	Enum struct {
		At, Keyword string
		Strings     []string // decoded
		Others      []string // JSON texts of values that are no strings
		Only        bool     // every listed value is a string
	}
	// Bound compares a number with a limit.
	Bound struct {
		At, Keyword string // minimum, maximum, exclusiveMinimum, exclusiveMaximum
		Draft4      string // the boolean keyword that made it exclusive in draft 4
		Limit       string // as written
	}
	// Multiple wants a multiple of By.
	Multiple struct{ At, Keyword, By string }
	// Length bounds the code points of a string.
	Length struct {
		At, Keyword string
		N           int
	}
	// Pattern wants a match of an ECMA-262 regular expression.
	Pattern struct {
		At, Source string
		Matcher    *Matcher
	}
	// Format wants a string of the named format.
	Format struct{ At, Name string }
	// Count bounds the elements of an array or the members of an object.
	Count struct {
		At, Keyword string
		N           int
	}
	// Unique wants an array without equal elements.
	Unique struct{ At string }
	// Items checks the elements of an array.
	Items struct {
		At          string
		Prefix      []*Node
		Rest        *Node  // nil: anything
		RestKeyword string // the keyword that Rest stands under; "" if there is none
		Mark        bool   // note the items that were looked at
	}
	// Contains counts the elements that satisfy Item.
	Contains struct {
		At       string
		Item     *Node
		ItemFunc *Func
		Min, Max int  // Max < 0: no limit
		Mark     bool // note the items that match
	}
	// Members checks the members of an object.
	Members struct {
		At       string
		Fields   []Field
		Patterns []PatternField
		Rest     *Node // nil: anything
		Names    *Node // propertyNames; nil: anything
		Mark     bool  // note the members that were looked at
		HasRest  bool  // additionalProperties is there, even if it allows anything
	}
	// Depends wants members wherever another one is present.
	Depends struct {
		At, Keyword, Member string
		Names               []string
	}
	// DependsSchema applies a node to the object wherever a member is present, or is a string.
	DependsSchema struct {
		Member string
		Value  *string // nil: any value
		Node   *Node
	}
	// Union is anyOf or oneOf.
	Union struct {
		At, Keyword string
		Branches    []Branch
		Tag         *Tag // how to pick the branch, if one member tells
		All         bool // try all branches, for what they evaluate counts
	}
	// Not refuses what satisfies Func.
	Not struct {
		At, Keyword string
		Node        *Node
		Func        *Func
		// Unmark says that somebody asks what is evaluated: nothing is by what Func looks at,
		// though frames inside it leave marks.
		Unmark bool
	}
	// If applies Then or Else.
	If struct {
		If         *Node
		Func       *Func
		Then, Else *Node
		Mark       bool // what the condition evaluates counts
	}
	// Both applies a node that is no function to the same value: a branch of allOf.
	Both struct{ Node *Node }
	// Call applies a function to the same value.
	Call struct{ Func *Func }
	// Frame makes the checks that follow it in the node note what they evaluate, for the
	// Unevaluated at the end.
	Frame struct{}
	// Unevaluated applies a node to the members or items that nothing evaluated since Frame.
	Unevaluated struct {
		At, Keyword string
		Node        *Node
		Known       []string // member names that something could have evaluated
		Mark        bool     // note them as evaluated in turn
	}
)

// Field is a member known by name.
type Field struct {
	Name       string
	Node       *Node // nil: anything
	Required   bool
	RequiredAt string // the location of the schema that says so; "" where it is that of the check
	Undeclared bool   // named by required alone: whether it is allowed, other keywords say
}

// PatternField applies a node to the members whose names match a pattern.
type PatternField struct {
	Source  string
	Matcher *Matcher
	Node    *Node
}

// Branch is an alternative of a union. It is a function so that it can be tried.
type Branch struct {
	Node  *Node
	Func  *Func
	Types Types // the types that can satisfy it
}

// Tag is a member whose constant value tells the branches of a union apart.
type Tag struct {
	Name   string
	Kind   Types      // of the constants: String, Boolean or Integer
	Values [][]string // by branch, as package facts writes them; nil for one that no object satisfies
	// Required says that the schema of the union requires the member itself.
	Required bool
}

// Strays reports whether values that are no objects, for which a tag says nothing, may satisfy
// a branch.
func (u *Union) Strays() bool {
	return slices.ContainsFunc(u.Branches, func(br Branch) bool { return br.Types != Object })
}

// Matcher is a compiled pattern.
type Matcher struct {
	Source  string
	Schema  *load.Schema // where it stands first in its file
	Name    string       // of its Go function
	Program *pattern.Program
}

// Looks gives the types an enum cares about: all.
func (*Enum) Looks() Types { return Any }

// Looks gives numbers.
func (*Bound) Looks() Types { return Number }

// Looks gives numbers.
func (*Multiple) Looks() Types { return Number }

// Looks gives strings.
func (*Length) Looks() Types { return String }

// Looks gives strings.
func (*Pattern) Looks() Types { return String }

// Looks gives strings.
func (*Format) Looks() Types { return String }

// Looks gives arrays or objects.
func (c *Count) Looks() Types {
	if c.Keyword == "minItems" || c.Keyword == "maxItems" {
		return Array
	}
	return Object
}

// Looks gives arrays.
func (*Unique) Looks() Types { return Array }

// Looks gives arrays.
func (*Items) Looks() Types { return Array }

// Looks gives arrays.
func (*Contains) Looks() Types { return Array }

// Looks gives objects.
func (*Members) Looks() Types { return Object }

// Looks gives objects.
func (*Depends) Looks() Types { return Object }

// Looks gives objects.
func (*DependsSchema) Looks() Types { return Object }

// Looks gives all types.
func (*Union) Looks() Types { return Any }

// Looks gives all types.
func (*Not) Looks() Types { return Any }

// Looks gives all types.
func (*If) Looks() Types { return Any }

// Looks gives all types.
func (*Both) Looks() Types { return Any }

// Looks gives all types.
func (*Call) Looks() Types { return Any }

// Looks gives all types.
func (*Frame) Looks() Types { return Any }

// Looks gives objects or arrays.
func (c *Unevaluated) Looks() Types {
	if c.Keyword == "unevaluatedItems" {
		return Array
	}
	return Object
}
