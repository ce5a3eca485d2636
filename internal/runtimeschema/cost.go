package runtimeschema

import (
	"math"
	"math/bits"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// The library looks at a value once for each way in which a schema comes to it. Where a schema
// contains itself in two branches of a choice that both look into the same member, each level
// of nesting doubles the work: thirty levels, a few hundred bytes, would take hours. So such a
// schema is counted, when the tool is added, and a value that would cost too much gets no verdict,
// as with compiled schemas (gen/jsonrt/work.go).

// maxLooks is how often the library may look at the innermost value, as a power of two: about a
// hundred thousand times, which takes a tenth of a second.
const maxLooks = 17

// affordable reports whether the library may check the value at token v.
func (k *Check) affordable(c *jsonrt.Checker, v int) bool {
	return k.looks < 2 || nesting(c, v)*bits.Len(uint(k.looks-1)) <= maxLooks
}

// nesting is how many containers the value at token v has around its innermost value.
func nesting(c *jsonrt.Checker, v int) int {
	deepest := 0
	var ends []int // of the containers that are open
	for i, end := v, c.Next(v); i < end; i++ {
		for len(ends) > 0 && i >= ends[len(ends)-1] {
			ends = ends[:len(ends)-1]
		}
		if kind := c.Kind(i); kind == jsontape.Object || kind == jsontape.Array {
			ends = append(ends, c.Next(i))
			deepest = max(deepest, len(ends))
		}
	}
	return deepest
}

// looksOf is how often, at most, a schema that contains itself has one member or element of a value
// checked against schemas that contain themselves; 0 where none does.
func looksOf(root *jsonschema.Schema) int {
	g := graph{met: make(map[*jsonschema.Schema]int), closed: make(map[*jsonschema.Schema]bool), recursive: make(map[*jsonschema.Schema]bool)}
	g.visit(root)
	l := looker{recursive: g.recursive, counted: make(map[*jsonschema.Schema]looks)}
	most := 0
	for s := range g.met {
		if s == root && !g.recursive[root] {
			continue // it is looked at once
		}
		n := l.count(s)
		most = max(most, n.members, n.items)
	}
	return most
}

// graph finds the schemas that contain themselves: the cycles are Tarjan's strongly connected
// components ("Depth-first search and linear graph algorithms", 1972).
type graph struct {
	met       map[*jsonschema.Schema]int // numbered from 1 in the order of their visits
	open      []*jsonschema.Schema       // those that may lead back to one that is being visited
	closed    map[*jsonschema.Schema]bool
	recursive map[*jsonschema.Schema]bool
}

// visit visits a schema and all that it leads to. It returns the lowest number of an open schema that
// it leads back to.
func (g *graph) visit(s *jsonschema.Schema) (lowest int) {
	number := len(g.met) + 1
	g.met[s] = number
	lowest = number
	at := len(g.open)
	g.open = append(g.open, s)
	each := func(part *jsonschema.Schema) {
		switch {
		case part == nil || g.closed[part]:
		case part == s:
			g.recursive[s] = true
		case g.met[part] == 0:
			lowest = min(lowest, g.visit(part))
		default:
			lowest = min(lowest, g.met[part])
		}
	}
	inPlace(s, each)
	members(s, each)
	items(s, each)
	if lowest < number {
		return lowest
	}
	component := g.open[at:]
	for _, part := range component {
		g.closed[part] = true
		g.recursive[part] = g.recursive[part] || len(component) > 1
	}
	g.open = g.open[:at]
	return lowest
}

// looks counts the schemas that contain themselves and that one value is checked against: each
// member of an object, each element of an array.
type looks struct{ members, items int }

func (n *looks) add(o looks) {
	n.members, n.items = min(n.members+o.members, math.MaxInt32), min(n.items+o.items, math.MaxInt32)
}

type looker struct {
	recursive map[*jsonschema.Schema]bool // those that contain themselves
	counted   map[*jsonschema.Schema]looks
}

// count counts what a schema has one value checked against, with all schemas that hold in its place.
func (l *looker) count(s *jsonschema.Schema) looks {
	if n, ok := l.counted[s]; ok {
		return n
	}
	l.counted[s] = looks{} // a schema that comes to itself in place checks nothing more
	var n looks
	recursive := func(part *jsonschema.Schema) int {
		if l.recursive[part] {
			return 1
		}
		return 0
	}
	// Of properties a member has one, of the other keywords each may look at it.
	named := 0
	for _, part := range s.Properties {
		named = max(named, recursive(part))
	}
	n.members += named
	members(&jsonschema.Schema{PatternProperties: s.PatternProperties, AdditionalProperties: s.AdditionalProperties, UnevaluatedProperties: s.UnevaluatedProperties},
		func(part *jsonschema.Schema) { n.members += recursive(part) })
	positioned := 0
	items(&jsonschema.Schema{PrefixItems: s.PrefixItems, Items: s.Items, Items2020: s.Items2020, AdditionalItems: s.AdditionalItems},
		func(part *jsonschema.Schema) { positioned = max(positioned, recursive(part)) })
	n.items += positioned + recursive(s.Contains) + recursive(s.UnevaluatedItems)
	inPlace(s, func(part *jsonschema.Schema) {
		if part != nil {
			n.add(l.count(part))
		}
	})
	l.counted[s] = n
	return n
}

// inPlace calls f with the schemas that hold for the same value.
func inPlace(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	for _, part := range []*jsonschema.Schema{s.Ref, s.RecursiveRef, s.Not, s.If, s.Then, s.Else} {
		f(part)
	}
	if s.DynamicRef != nil {
		f(s.DynamicRef.Ref)
	}
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, part := range list {
			f(part)
		}
	}
	for _, part := range s.DependentSchemas {
		f(part)
	}
	for _, part := range s.Dependencies {
		schemasIn(part, f)
	}
}

// members calls f with the schemas for members of an object.
func members(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	for _, part := range s.Properties {
		f(part)
	}
	for _, part := range s.PatternProperties {
		f(part)
	}
	schemasIn(s.AdditionalProperties, f)
	f(s.UnevaluatedProperties)
}

// items calls f with the schemas for elements of an array.
func items(s *jsonschema.Schema, f func(*jsonschema.Schema)) {
	for _, part := range s.PrefixItems {
		f(part)
	}
	for _, part := range []*jsonschema.Schema{s.Items2020, s.Contains, s.UnevaluatedItems} {
		f(part)
	}
	schemasIn(s.Items, f)
	schemasIn(s.AdditionalItems, f)
}

// schemasIn calls f with the schemas of a keyword that may hold other things, too.
func schemasIn(value any, f func(*jsonschema.Schema)) {
	switch part := value.(type) {
	case *jsonschema.Schema:
		f(part)
	case []*jsonschema.Schema:
		for _, each := range part {
			f(each)
		}
	}
}
