package plan

import (
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/pattern"
)

// types plans the keyword type.
func (b *builder) types(s *load.Schema, n *Node) {
	k := s.Checks(load.CheckType)
	if k == nil {
		return
	}
	n.Types = facts.TypeKinds(&s.File.Tape, k.Value)
}

// enum plans a list of values.
func (b *builder) enum(s *load.Schema, k *load.Keyword, n *Node) {
	t := &s.File.Tape
	var values []int
	for tok := k.Value + 1; tok < t.Next(k.Value); tok = t.Next(tok) {
		values = append(values, tok)
	}
	b.values(s, k, n, values)
}

// constant plans a single value.
func (b *builder) constant(s *load.Schema, k *load.Keyword, n *Node) {
	b.values(s, k, n, []int{k.Value})
}

// values plans the values at some tokens. Those of a type that the schema does not allow are left
// out.
func (b *builder) values(s *load.Schema, k *load.Keyword, n *Node, values []int) {
	if n.Never {
		return
	}
	t := &s.File.Tape
	c := &Enum{At: n.At, Keyword: k.Name, Only: true}
	for _, tok := range values {
		switch {
		case typeOf(t, tok)&n.Types == 0:
		case t.Tokens[tok].Kind == jsontape.String:
			c.Strings = append(c.Strings, t.Str(tok))
		default:
			c.Only = false
			c.Others = append(c.Others, string(t.Bytes(tok)))
		}
	}
	if len(c.Strings)+len(c.Others) == 0 {
		n.Never, n.Why = true, Reason{k.Name, "no value is allowed here: " + k.Name + " and type exclude each other"}
		return
	}
	n.Checks = append(n.Checks, c)
}

func typeOf(t *jsontape.Tape, tok int) Types {
	switch t.Tokens[tok].Kind {
	case jsontape.Null:
		return Null
	case jsontape.False, jsontape.True:
		return Boolean
	case jsontape.Number:
		// Whether 1.0 counts as an integer is the run time's business.
		return Number
	case jsontape.String:
		return String
	case jsontape.Array:
		return Array
	case jsontape.Object:
		return Object
	case jsontape.Invalid:
	}
	return 0
}

// bound plans a limit of numbers.
func (b *builder) bound(s *load.Schema, k *load.Keyword, n *Node) {
	t := &s.File.Tape
	c := &Bound{At: n.At, Keyword: k.Name, Limit: string(t.Bytes(k.Value))}
	for i := range s.Keywords {
		if x := &s.Keywords[i]; x.Check == load.CheckExclusive && x.Beside == k.Name && t.Tokens[x.Value].Kind == jsontape.True {
			c.Draft4 = x.Name
		}
	}
	n.Checks = append(n.Checks, c)
}

func (b *builder) multiple(s *load.Schema, k *load.Keyword, n *Node) {
	n.Checks = append(n.Checks, &Multiple{At: n.At, Keyword: k.Name, By: string(s.File.Tape.Bytes(k.Value))})
}

func (b *builder) length(s *load.Schema, k *load.Keyword, n *Node) {
	if size, can := size(s, k); can {
		n.Checks = append(n.Checks, &Length{At: n.At, Keyword: k.Name, N: size})
	}
}

func (b *builder) pattern(s *load.Schema, k *load.Keyword, n *Node) {
	if m := b.matcher(s, k.Value); m.Program == nil || m.Program.Kind() != pattern.Always {
		n.Checks = append(n.Checks, &Pattern{At: n.At, Source: m.Source, Matcher: m})
	}
}

func (b *builder) format(s *load.Schema, k *load.Keyword, n *Node) {
	if !b.options.AssertFormat && s.Dialect.Vocab&load.FormatAssertion == 0 {
		return
	}
	name := s.File.Tape.Str(k.Value)
	if s.Dialect.Draft == load.Draft3 {
		var same bool
		if name, same = draft3Formats[name]; !same {
			return
		}
	}
	switch {
	case Formats[name].Func != "":
		n.Checks = append(n.Checks, &Format{At: n.At, Name: name})
	case s.Dialect.Draft >= load.V1:
		// "MUST refuse to process any schema which contains a format value it doesn't support".
		b.fault(s.File.At(k.Value, "the format %q is not known, and in v1 format has to be checked; the formats are %s", name, strings.Join(slices.Sorted(maps.Keys(Formats)), ", ")))
	}
}

// count plans a limit of how many elements or members there are.
func (b *builder) count(s *load.Schema, k *load.Keyword, n *Node) {
	if size, can := size(s, k); can {
		n.Checks = append(n.Checks, &Count{At: n.At, Keyword: k.Name, N: size})
	}
}

// size reads the value of a keyword that counts something. It reports false for a limit that
// cannot fail. Limits beyond any document are cut to the largest int.
func size(s *load.Schema, k *load.Keyword) (n int, can bool) {
	n = integer(string(s.File.Tape.Bytes(k.Value)))
	isMax := strings.HasPrefix(k.Name, "max")
	return n, isMax && n < math.MaxInt || !isMax && n > 0
}

// integer reads a non-negative integer that may be written with a fraction or exponent.
func integer(text string) int {
	mantissa, exponent := text, 0
	if e := strings.IndexAny(text, "eE"); e >= 0 {
		mantissa = text[:e]
		n, err := strconv.Atoi(text[e+1:])
		if err != nil || n > 30 {
			if strings.Trim(mantissa, "-0.") == "" || text[e+1] == '-' {
				return 0
			}
			return math.MaxInt
		}
		exponent = n
	}
	whole, fraction, _ := strings.Cut(mantissa, ".")
	digits, point := whole+fraction, len(whole)+exponent
	for len(digits) < point {
		digits += "0"
	}
	if point <= 0 {
		return 0
	}
	n, err := strconv.Atoi(digits[:point])
	if err != nil {
		return math.MaxInt
	}
	return max(n, 0)
}
