package program

import "slices"

// mergeLoops walks over the members of an object once where it would be done several times, one
// behind the other: the schemas of an allOf, each with its properties. A name then does what all
// loops have for it, in their order, so that the faults of a member come as before.
//
// A loop stays by itself where the order would change or the case of a name can't say all: with a
// pattern before another loop's members, with names of its own to check behind others, where
// additional members depend on a pattern, where what is done for additional members is so much that
// it should not stand behind every name, or where it notes what it evaluates.
func mergeLoops(p *Program) {
	for _, f := range p.Funcs {
		walk(&f.Body, func(b *Block) {
			for i := 0; i+1 < len(*b); {
				first, ok := (*b)[i].(*Members)
				second, also := (*b)[i+1].(*Members)
				if !ok || !also || !mergeable(first, second) {
					i++
					continue
				}
				merge(first, second)
				*b = slices.Delete(*b, i+1, i+2)
			}
		})
	}
}

func mergeable(first, second *Members) bool {
	others := len(first.Others) > 0 || len(second.Others) > 0
	return first.On == second.On && first.Marks == MarkNone && second.Marks == MarkNone &&
		len(first.Patterns) == 0 && len(second.Names) == 0 &&
		!(others && (len(second.Patterns) > 0 || first.undeclared() || second.undeclared())) &&
		max(first.Others.size(), second.Others.size()) <= mostRepeated
}

// mostRepeated is how many operations for additional members may stand behind every name.
const mostRepeated = 2

// undeclared reports whether the loop has a case for a member that is only required.
func (o *Members) undeclared() bool {
	return slices.ContainsFunc(o.Cases, func(c MemberCase) bool { return c.Undeclared })
}

// merge puts the second loop into the first.
func merge(first, second *Members) {
	again := func(b Block) Block { return places{second.Key: of(first.Key)}.copied(b) }
	sets := len(first.Required)
	first.Required = append(first.Required, second.Required...)
	for i := range first.Cases {
		c := &first.Cases[i]
		at := slices.IndexFunc(second.Cases, func(s MemberCase) bool { return s.Name == c.Name })
		if at < 0 {
			c.Do = joined(c.Do, again(second.Others))
			continue
		}
		other := second.Cases[at]
		c.Do = joined(c.Do, again(other.Do))
		for _, set := range other.Sets {
			c.Sets = append(c.Sets, sets+set)
		}
		c.Undeclared = c.Undeclared && other.Undeclared
	}
	for _, c := range second.Cases {
		if slices.ContainsFunc(first.Cases, func(f MemberCase) bool { return f.Name == c.Name }) {
			continue
		}
		c.Do = joined(again(first.Others), again(c.Do))
		for i := range c.Sets {
			c.Sets[i] += sets
		}
		first.Cases = append(first.Cases, c)
	}
	first.Others = joined(first.Others, again(second.Others))
	for _, c := range second.Patterns {
		c.Do = again(c.Do)
		first.Patterns = append(first.Patterns, c)
	}
}
