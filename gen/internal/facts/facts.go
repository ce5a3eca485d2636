// Package facts is what a schema says, read once: for each schema which kinds of value can satisfy
// it, what applies together with it, which members an object has to have and which constants they
// hold, which member tells the branches of a union apart, and through what it leads back to itself.
// The checks (gen/internal/plan) and the Go types (gen/internal/types) both go by it, so that they
// can't tell different stories.
//
// A fact errs on one side only: a value that the schema allows never contradicts it.
package facts

import (
	"maps"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// Facts are the facts about the schemas of a graph. They are worked out when they are asked for,
// and remembered; a Facts is not safe for concurrent use.
type Facts struct {
	Graph *load.Graph

	list     []*load.Schema
	possible map[*load.Schema]Kinds
	fixed    map[*load.Keyword]bool // dynamic references that lead to one schema only

	closures map[placeKey][]*load.Schema
	listing  map[*load.Schema]bool // branches whose constants are being listed
	tags     map[tagKey]*Tag
}

type placeKey struct {
	schema *load.Schema
	kinds  Kinds
}

// Of reads a graph.
func Of(g *load.Graph) *Facts {
	list := slices.Collect(Reachable(g.Messages...))
	fixed := fixedReferences(g)
	return &Facts{
		Graph: g,
		list:  list, possible: possibleKinds(list, fixed), fixed: fixed,
		closures: map[placeKey][]*load.Schema{}, listing: map[*load.Schema]bool{}, tags: map[tagKey]*Tag{},
	}
}

// Schemas are all schemas that can be applied, in the order of Reachable.
func (f *Facts) Schemas() []*load.Schema { return f.list }

// Kinds are the kinds of value that can satisfy s.
func (f *Facts) Kinds(s *load.Schema) Kinds {
	if k, known := f.possible[s]; known {
		return k
	}
	return Any
}

// KindsOf are the kinds of value that can satisfy several schemas.
func (f *Facts) KindsOf(members []*load.Schema) Kinds {
	k := Any
	for _, s := range members {
		k &= f.Kinds(s)
	}
	return k
}

// Adopt makes a copy of a schema known, from which something was left out: its kinds are those of
// the original.
func (f *Facts) Adopt(c, original *load.Schema) { f.possible[c] = f.Kinds(original) }

// Branches are the branches of an anyOf or oneOf that a value of these kinds can satisfy.
func (f *Facts) Branches(k *load.Keyword, kinds Kinds) []*load.Schema {
	var list []*load.Schema
	for _, s := range k.Schemas {
		if f.Kinds(s)&kinds != 0 {
			list = append(list, s)
		}
	}
	return list
}

// Parts are the schemas that a keyword makes apply to the same value, of these kinds: where it
// leads, the branches of allOf, and the only possible branch of anyOf or oneOf.
func (f *Facts) Parts(k *load.Keyword, kinds Kinds) []*load.Schema {
	switch k.Go {
	case load.GoRef:
		return []*load.Schema{k.Target}
	case load.GoDynamicRef:
		if f.fixed[k] {
			return []*load.Schema{k.Target}
		}
	case load.GoAll:
		return k.Schemas
	case load.GoUnion:
		if branches := f.Branches(k, kinds); len(branches) == 1 {
			return branches
		}
	default: // its schemas may not hold, or hold for something else
	}
	return nil
}

// Closure lists the schemas that apply to a value of these kinds wherever s does: s and, again and
// again, the parts of its keywords, in the order in which a reader meets them.
func (f *Facts) Closure(s *load.Schema, kinds Kinds) []*load.Schema {
	key := placeKey{s, kinds}
	if list, known := f.closures[key]; known {
		return list
	}
	var list []*load.Schema
	seen := map[*load.Schema]bool{}
	var visit func(*load.Schema)
	visit = func(s *load.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		list = append(list, s)
		for i := range s.Keywords {
			for _, part := range f.Parts(&s.Keywords[i], kinds) {
				visit(part)
			}
		}
	}
	visit(s)
	f.closures[key] = list
	return list
}

// All is the closure of several schemas that all apply.
func (f *Facts) All(members []*load.Schema, kinds Kinds) []*load.Schema {
	if len(members) == 1 {
		return f.Closure(members[0], kinds)
	}
	var list []*load.Schema
	seen := map[*load.Schema]bool{}
	for _, m := range members {
		for _, s := range f.Closure(m, kinds) {
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return list
}

// Reachable yields every schema that can be applied from the messages, in a fixed order.
func Reachable(messages ...*load.Message) func(yield func(*load.Schema) bool) {
	return func(yield func(*load.Schema) bool) {
		seen := map[*load.Schema]bool{}
		var walk func(s *load.Schema) bool
		walk = func(s *load.Schema) bool {
			if s == nil || seen[s] {
				return true
			}
			seen[s] = true
			if !yield(s) {
				return false
			}
			for i := range s.Keywords {
				k := &s.Keywords[i]
				if !k.Applies() {
					continue
				}
				if !walk(k.Target) {
					return false
				}
				for _, sub := range k.Schemas {
					if !walk(sub) {
						return false
					}
				}
			}
			for _, name := range slices.Sorted(maps.Keys(s.Resource.Dynamic)) {
				if !walk(s.Resource.Dynamic[name]) {
					return false
				}
			}
			return true
		}
		for _, m := range messages {
			if !walk(m.Schema) {
				return
			}
		}
	}
}

// fixedReferences are the dynamic references that lead to the same schema in every dynamic
// scope of every message that reaches them.
func fixedReferences(g *load.Graph) map[*load.Keyword]bool {
	fixed := map[*load.Keyword]bool{}
	for _, m := range g.Messages {
		for k, is := range fixedWithin(slices.Collect(Reachable(m))) {
			before, known := fixed[k]
			fixed[k] = is && (before || !known)
		}
	}
	return fixed
}

// fixedWithin is fixedReferences for what one message reaches: a reference is fixed if its
// target is no dynamic anchor, or the only one of its name.
func fixedWithin(list []*load.Schema) map[*load.Keyword]bool {
	anchors := map[string]map[*load.Schema]bool{}
	note := func(name string, s *load.Schema) {
		if anchors[name] == nil {
			anchors[name] = map[*load.Schema]bool{}
		}
		anchors[name][s] = true
	}
	for _, s := range list {
		for name, target := range s.Resource.Dynamic {
			note(name, target)
		}
		if root := s.Resource.Root; root.IsRecursive() {
			note(load.RecursiveAnchor, root)
		}
	}
	fixed := map[*load.Keyword]bool{}
	for _, s := range list {
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if k.Target != nil && k.Go == load.GoDynamicRef {
				name := s.DynamicName(k)
				fixed[k] = name == "" || len(anchors[name]) == 1
			}
		}
	}
	return fixed
}
