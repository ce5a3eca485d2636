package plan

import (
	"math"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/pattern"
)

// types plans the keyword type.
func (b *builder) types(s *load.Schema, n *Node) {
	k := s.Keyword("type")
	if k == nil {
		return
	}
	t := &s.File.Tape
	if t.Tokens[k.Value].Kind == jsontape.String {
		n.Types = typeNamed(t.Str(k.Value))
		return
	}
	n.Types = 0
	for tok := k.Value + 1; tok < t.Next(k.Value); tok = t.Next(tok) {
		n.Types |= typeNamed(t.Str(tok))
	}
}

// enums plans enum and const. Values of a type that the schema does not allow are left out.
func (b *builder) enums(s *load.Schema, n *Node) {
	t := &s.File.Tape
	for i := range s.Keywords {
		k := &s.Keywords[i]
		if k.Name != "enum" && k.Name != "const" {
			continue
		}
		c := &Enum{At: n.At, Keyword: k.Name, Only: true}
		add := func(tok int) {
			if typeOf(t, tok)&n.Types == 0 {
				return
			}
			if t.Tokens[tok].Kind == jsontape.String {
				c.Strings = append(c.Strings, t.Str(tok))
			} else {
				c.Only = false
				c.Others = append(c.Others, string(t.Bytes(tok)))
			}
		}
		if k.Name == "const" {
			add(k.Value)
		} else {
			for tok := k.Value + 1; tok < t.Next(k.Value); tok = t.Next(tok) {
				add(tok)
			}
		}
		if len(c.Strings)+len(c.Others) == 0 {
			n.Never, n.Why = true, Reason{k.Name, "no value is allowed here: " + k.Name + " and type exclude each other"}
			return
		}
		n.Checks = append(n.Checks, c)
	}
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

// numbers plans the limits of numbers and multipleOf.
func (b *builder) numbers(s *load.Schema, n *Node) {
	if n.Types&Number == 0 {
		return
	}
	t := &s.File.Tape
	for i := range s.Keywords {
		k := &s.Keywords[i]
		if t.Tokens[k.Value].Kind != jsontape.Number {
			continue
		}
		text := string(t.Bytes(k.Value))
		switch k.Name {
		case "minimum", "maximum":
			c := &Bound{At: n.At, Keyword: k.Name, Limit: text}
			exclusive := "exclusive" + strings.ToUpper(k.Name[:1]) + k.Name[1:]
			if x := s.Keyword(exclusive); x != nil && t.Tokens[x.Value].Kind == jsontape.True {
				c.Draft4 = exclusive
			}
			n.Checks = append(n.Checks, c)
		case "exclusiveMinimum", "exclusiveMaximum":
			n.Checks = append(n.Checks, &Bound{At: n.At, Keyword: k.Name, Limit: text})
		case "multipleOf":
			n.Checks = append(n.Checks, &Multiple{At: n.At, By: text})
		}
	}
}

// strings plans the lengths, pattern and format.
func (b *builder) strings(s *load.Schema, n *Node) {
	if n.Types&String == 0 {
		return
	}
	for i := range s.Keywords {
		k := &s.Keywords[i]
		switch k.Name {
		case "minLength", "maxLength":
			if size, can := bound(s, k); can {
				n.Checks = append(n.Checks, &Length{At: n.At, Keyword: k.Name, N: size})
			}
		}
	}
	for i := range s.Keywords {
		k := &s.Keywords[i]
		switch k.Name {
		case "pattern":
			if m := b.matcher(s, k.Value); m.Program == nil || m.Program.Kind() != pattern.Always {
				n.Checks = append(n.Checks, &Pattern{At: n.At, Source: m.Source, Matcher: m})
			}
		case "format":
			if !b.options.AssertFormat && s.Dialect.Vocab&load.FormatAssertion == 0 {
				continue
			}
			if name := s.File.Tape.Str(k.Value); Formats[name].Func != "" {
				n.Checks = append(n.Checks, &Format{At: n.At, Name: name})
			}
		}
	}
}

// bound reads the value of a keyword that counts something. It reports false for a limit that
// cannot fail. Limits beyond any document are cut to the largest int.
func bound(s *load.Schema, k *load.Keyword) (size int, can bool) {
	size = count(string(s.File.Tape.Bytes(k.Value)))
	isMax := strings.HasPrefix(k.Name, "max")
	return size, isMax && size < math.MaxInt || !isMax && size > 0
}

// count reads a non-negative integer that may be written with a fraction or exponent.
func count(text string) int {
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
