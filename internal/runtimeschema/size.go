package runtimeschema

import (
	"math"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// What the library takes to compile a schema grows with the square of the number of objects in it,
// and of their depths added up; and a number such as 1e999999999 takes all memory when it is
// compared. MaxCost keeps a schema under half a second: 5,000 objects side by side, or 140 properties
// in one another. Schemas of real tools cost a thousand times less.

// MaxCost is the greatest Cost of a schema that Compile takes.
const MaxCost = 25_000_000

// Cost is what compiling a schema costs, by its size; 0 for a text that is not JSON, or too deep to
// be read.
func Cost(text []byte) int {
	var t jsontape.Tape
	if t.Parse(text, jsontape.Options{}) != nil {
		return 0
	}
	s := size{t: &t}
	s.add(0, 0, false)
	return s.cost()
}

// compared are the keywords that compare values with numbers.
var compared = []string{
	"enum", "const", "multipleOf", "maximum", "exclusiveMaximum", "minimum", "exclusiveMinimum",
	"maxLength", "minLength", "maxItems", "minItems", "maxContains", "minContains", "maxProperties", "minProperties",
}

// size is what there is to a schema that was read.
type size struct {
	t       *jsontape.Tape
	objects int
	depths  int // of the objects, added up
	number  int // the token of the first number that can't be compared with, 0 for none
}

func (s *size) cost() int {
	objects, depths := min(s.objects, math.MaxInt32), min(s.depths, math.MaxInt32) // squares fit
	return objects*objects + depths*depths/250
}

// checkSize says why a schema would cost too much to compile. It looks everywhere: a reference
// makes a schema of anything.
func checkSize(t *jsontape.Tape) error {
	s := size{t: t}
	s.add(0, 0, false)
	switch {
	case s.cost() > MaxCost:
		return fault("", "the schema is too large to be checked: it has %d objects at a depth of %d on average", s.objects, s.depths/s.objects)
	case s.number > 0:
		return fault(t.Pointer(s.number), "a number that values are compared with may have 1,000 digits and an exponent of 1,000")
	}
	return nil
}

// add adds the value at token i, which has depth containers around it. comparing says that a
// keyword compares with it.
func (s *size) add(i, depth int, comparing bool) {
	t := s.t
	switch t.Tokens[i].Kind {
	case jsontape.Object:
		s.objects++
		s.depths += depth
		for m := i + 1; m < t.Next(i); m = t.Next(m + 1) {
			s.add(m+1, depth+1, comparing || slices.Contains(compared, t.Str(m)))
		}
	case jsontape.Array:
		for e := i + 1; e < t.Next(i); e = t.Next(e) {
			s.add(e, depth+1, comparing)
		}
	case jsontape.Number:
		if comparing && s.number == 0 && !Comparable(t.Bytes(i)) {
			s.number = i
		}
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.String:
	}
}
