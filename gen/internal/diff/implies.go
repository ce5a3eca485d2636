package diff

import (
	"fmt"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// implies lists what the new node checks without the old one having checked it.
func implies(before, after *plan.Node) []string {
	c := &comparison{assumed: map[pair]bool{}}
	c.nodes(before, after, "")
	return c.found
}

type comparison struct {
	found []string
	// assumed are the pairs of functions being compared: a recursive schema is narrower only
	// if some place of it is, and that place is looked at.
	assumed map[pair]bool
}

type pair struct{ before, after *plan.Func }

func (c *comparison) report(path, format string, args ...any) {
	if path == "" {
		path = "the message"
	}
	text := path + ": " + fmt.Sprintf(format, args...)
	if !slices.Contains(c.found, text) {
		c.found = append(c.found, text)
	}
}

// holds reports whether after follows from before, without noting anything.
func (c *comparison) holds(before, after *plan.Node) bool {
	quiet := &comparison{assumed: map[pair]bool{}}
	for p := range c.assumed {
		quiet.assumed[p] = true
	}
	quiet.nodes(before, after, "")
	return len(quiet.found) == 0
}

// nodes compares what is said about the value at path. A nil node says nothing.
func (c *comparison) nodes(before, after *plan.Node, path string) {
	if after == nil || before != nil && before.Never {
		return
	}
	if after.Never {
		c.report(path, "nothing is allowed here any more")
		return
	}
	if f := after.Call(); f != nil {
		if g := before.Call(); g != nil {
			p := pair{g, f}
			if c.assumed[p] {
				return
			}
			c.assumed[p] = true
			c.nodes(g.Node, f.Node, path)
			return
		}
	}
	have := known(before)
	if missing := have.types &^ after.Types; missing != 0 {
		c.report(path, "no longer allows %s", strings.Join(missing.Names(), ", "))
	}
	for _, check := range after.Checks {
		c.check(have, before, check, path)
	}
}

// facts is all that a node says about one value, its calls included.
type facts struct {
	types  plan.Types
	checks []plan.Check
}

func known(n *plan.Node) facts {
	f := facts{types: plan.Any}
	seen := map[*plan.Node]bool{}
	var walk func(n *plan.Node)
	walk = func(n *plan.Node) {
		if n == nil || seen[n] {
			return
		}
		seen[n] = true
		f.types &= n.Types
		for _, check := range n.Checks {
			switch check := check.(type) {
			case *plan.Call:
				walk(check.Func.Node)
			case *plan.Both:
				walk(check.Node)
			default:
				f.checks = append(f.checks, check)
			}
		}
	}
	walk(n)
	return f
}

// find gives the old checks of one sort.
func find[T plan.Check](f facts) []T {
	var list []T
	for _, check := range f.checks {
		if t, ok := check.(T); ok {
			list = append(list, t)
		}
	}
	return list
}

func (c *comparison) check(have facts, before *plan.Node, check plan.Check, path string) {
	if check.Looks()&have.types == 0 {
		return
	}
	switch after := check.(type) {
	case *plan.Call:
		c.nodes(before, after.Func.Node, path)
	case *plan.Both:
		c.nodes(before, after.Node, path)
	case *plan.Enum:
		c.enum(have, after, path)
	case *plan.Bound:
		c.bound(have, after, path)
	case *plan.Multiple:
		by := jsonrt.MustDecimal(after.By)
		if !slices.ContainsFunc(find[*plan.Multiple](have), func(old *plan.Multiple) bool { return jsonrt.MultipleOf([]byte(old.By), &by) }) {
			c.report(path, "multipleOf %s is new", after.By)
		}
	case *plan.Length:
		var old []limit
		for _, l := range find[*plan.Length](have) {
			old = append(old, limit{l.Keyword, l.N})
		}
		c.limit(old, limit{after.Keyword, after.N}, path)
	case *plan.Count:
		var old []limit
		for _, l := range find[*plan.Count](have) {
			old = append(old, limit{l.Keyword, l.N})
		}
		c.limit(old, limit{after.Keyword, after.N}, path)
	case *plan.Pattern:
		if !slices.ContainsFunc(find[*plan.Pattern](have), func(old *plan.Pattern) bool { return old.Source == after.Source }) {
			c.report(path, "pattern %s is new", after.Source)
		}
	case *plan.Format:
		if !slices.ContainsFunc(find[*plan.Format](have), func(old *plan.Format) bool { return old.Name == after.Name }) {
			c.report(path, "format %s is new", after.Name)
		}
	case *plan.Unique:
		if len(find[*plan.Unique](have)) == 0 {
			c.report(path, "uniqueItems is new")
		}
	case *plan.Items:
		c.items(have, after, path)
	case *plan.Members:
		c.members(have, after, path)
	case *plan.Union:
		c.union(have, after, path)
	default:
		c.same(have, check, path)
	}
}

// same accepts a check that the old version had in just the same form.
func (c *comparison) same(have facts, after plan.Check, path string) {
	text := plan.Describe(after)
	if !slices.ContainsFunc(have.checks, func(old plan.Check) bool { return plan.Describe(old) == text }) {
		first, _, more := strings.Cut(text, "\n")
		if more {
			first += " …"
		}
		c.report(path, "is new or changed: %s", first)
	}
}

func (c *comparison) enum(have facts, after *plan.Enum, path string) {
	allowed := append(slices.Clone(after.Strings), after.Others...)
	for _, old := range find[*plan.Enum](have) {
		var gone []string
		for _, s := range old.Strings {
			if !slices.Contains(after.Strings, s) {
				gone = append(gone, fmt.Sprintf("%q", s))
			}
		}
		for _, s := range old.Others {
			if !slices.Contains(after.Others, s) {
				gone = append(gone, s)
			}
		}
		if len(gone) == 0 {
			return
		}
		if len(old.Strings)+len(old.Others) > len(gone) || len(find[*plan.Enum](have)) == 1 {
			c.report(path, "%s no longer allows %s", after.Keyword, strings.Join(gone, ", "))
			return
		}
	}
	c.report(path, "%s is new: only %s", after.Keyword, strings.Join(allowed, ", "))
}

func (c *comparison) bound(have facts, after *plan.Bound, path string) {
	lower := func(b *plan.Bound) bool { return strings.HasSuffix(strings.ToLower(b.Keyword), "minimum") }
	exclusive := func(b *plan.Bound) bool { return b.Draft4 != "" || strings.HasPrefix(b.Keyword, "exclusive") }
	bound := jsonrt.MustDecimal(after.Limit)
	was := ""
	for _, old := range find[*plan.Bound](have) {
		if lower(old) != lower(after) {
			continue
		}
		order := jsonrt.CompareNumber([]byte(old.Limit), &bound)
		if !lower(after) {
			order = -order
		}
		if order > 0 || order == 0 && (exclusive(old) || !exclusive(after)) {
			return
		}
		was = old.Limit
	}
	if was == "" {
		c.report(path, "%s %s is new", after.Keyword, after.Limit)
	} else {
		c.report(path, "%s is %s and was %s", after.Keyword, after.Limit, was)
	}
}

// limit is a keyword that bounds a length or a count.
type limit struct {
	keyword string
	n       int
}

func (c *comparison) limit(old []limit, after limit, path string) {
	for _, l := range old {
		if l.keyword != after.keyword {
			continue
		}
		if isMin := strings.HasPrefix(l.keyword, "min"); isMin && l.n < after.n || !isMin && l.n > after.n {
			c.report(path, "%s is %d and was %d", after.keyword, after.n, l.n)
		}
		return
	}
	c.report(path, "%s %d is new", after.keyword, after.n)
}
