// Package program says how the checks of a plan are carried out. A plan says what has to hold; a
// program, in which order a walk over a document finds out: functions, made of blocks of
// operations, which look at values and tell faults. gen/internal/emit prints it as Go, and
// decides nothing any more.
//
// Lower turns a plan into a program without cleverness. What makes the checks faster or their
// code smaller is a pass: it rewrites the blocks of a program, stands in a file of its own with
// its reason, and is listed in passes. A pass changes no verdict, and no fault other than where
// its comment says so.
//
// Everything is closed: operations, conditions and faults are each a fixed set of types, and each
// says itself what it holds (see parts). A new one that a pass or the printer doesn't know is a
// finding of the linter, not a hole.
package program

import (
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
)

// Program is the functions that check the messages of a plan, in the plan's order.
type Program struct {
	Funcs []*Func
}

// Func checks the value that its argument refers to.
type Func struct {
	Name   string
	Schema *load.Schema // that it checks values against
	At     string       // the location of the schema, with its file's name
	Arg    *Var
	Body   Block
	// Memo is not 0 where the function remembers its verdicts; it is then its number.
	Memo uint32
	// Counted says that each call is paid for.
	Counted bool

	plan *plan.Func
	kept bool // called from outside of the program
}

// Block is operations, one after the other. The first that fails ends the function, unless faults
// are being collected.
type Block []Op

// Var is a variable that holds a place of the document.
type Var struct{ Role Role }

// Role says what a variable holds.
type Role uint8

// The roles of variables.
const (
	Argument Role = iota // a value: the one that a function checks
	Name                 // the name of a member, in a loop over those of an object
	Element              // an element, in a loop over those of an array
)

// Ref refers to a value by a variable.
type Ref struct {
	Var *Var
	// Value says that the value of the member is meant whose name the variable holds.
	Value bool
}

// of refers to what a variable holds.
func of(v *Var) Ref { return Ref{Var: v} }

// valueOf refers to the value of the member whose name a variable holds.
func valueOf(v *Var) Ref { return Ref{Var: v, Value: true} }

// IsKind gives the kinds that alone the function wants a value to have, if that is all it wants.
func (f *Func) IsKind() (kinds plan.Types, is bool) {
	if len(f.Body) != 1 {
		return 0, false
	}
	if op, ok := f.Body[0].(*Require); ok {
		if kind, ok := op.Cond.(IsKind); ok {
			return kind.Kinds, true
		}
	}
	return 0, false
}
