package pattern

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// Match reports whether the pattern matches somewhere in s. It does what the code that Emit
// writes does, but where that finds no answer at a cost of some ten million steps it says no.
func (p *Program) Match(s string) bool { return p.match(s) }

func (p *Program) matcher() func(string) bool {
	switch p.kind {
	case Always:
		return func(string) bool { return true }
	case Never:
		return func(string) bool { return false }
	case Equal, Prefix, Suffix, Contains, OneOf:
		compare := p.comparison()
		return func(s string) bool {
			return slices.ContainsFunc(p.literals, func(l string) bool { return compare(s, l) })
		}
	case Class:
		return p.class.match
	case Sequence:
		return func(s string) bool { return matchSteps(s, p.steps, p.end) }
	case All:
		return func(s string) bool {
			return !slices.ContainsFunc(p.parts, func(c part) bool { return c.program.Match(s) == c.negate })
		}
	case RE2:
		re := &jsonrt.Pattern{Expr: p.expr}
		return func(s string) bool {
			matched, _ := re.Decide(s, unpaid{})
			return matched
		}
	case Look, Backtrack:
	}
	re := &jsonrt.LookPattern{Expr: p.expr}
	return func(s string) bool {
		steps := purse(1 << 24)
		matched, _ := re.Decide(s, &steps)
		return matched
	}
}

// unpaid is a meter for what takes linear time.
type unpaid struct{}

func (unpaid) Spend(int) bool { return true }

// purse is a meter. It is how many steps are left.
type purse int

func (p *purse) Spend(steps int) bool {
	*p -= purse(steps)
	return *p >= 0
}

// comparison is how a string is compared with a literal.
func (p *Program) comparison() func(s, literal string) bool {
	switch {
	case p.begin && p.end:
		return func(s, literal string) bool { return s == literal }
	case p.begin:
		return strings.HasPrefix
	case p.end:
		return strings.HasSuffix
	}
	return strings.Contains
}

func (c *class) match(s string) bool {
	for _, r := range s {
		if in := c.set.contains(r); in != c.whole {
			return in
		}
	}
	length := jsonrt.Length(s)
	return c.whole && c.min <= length && length <= c.max
}

func matchSteps(s string, steps []step, whole bool) bool {
	for _, step := range steps {
		if step.literal != "" {
			var ok bool
			if s, ok = strings.CutPrefix(s, step.literal); !ok {
				return false
			}
			continue
		}
		n := 0
		for n < len(s) && n < step.max && step.set.containsByte(s[n]) {
			n++
		}
		if n < step.min {
			return false
		}
		s = s[n:]
	}
	return !whole || s == ""
}

// containsByte tests a byte of a string against a uniform set.
func (s set) containsByte(c byte) bool { return s.contains(rune(c)) }
