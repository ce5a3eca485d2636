package plan

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// scope is what the dynamic scope has decided: for every dynamic anchor, the outermost schema
// that carries it among the resources entered so far. A $dynamicRef leads there, whatever
// lies between (JSON Schema core 2020-12, section 8.2.3.2). So a schema is planned once for
// every scope in which it is reached, and the run time knows nothing of dynamic references.
type scope []binding

type binding struct {
	anchor string
	schema *load.Schema
}

func (sc scope) lookup(anchor string) *load.Schema {
	for _, b := range sc {
		if b.anchor == anchor {
			return b.schema
		}
	}
	return nil
}

// key identifies a scope.
func (sc scope) key() string {
	if len(sc) == 0 {
		return ""
	}
	parts := make([]string, len(sc))
	for i, b := range sc {
		parts[i] = b.anchor + "=" + b.schema.File.Name + "#" + b.schema.Pointer
	}
	return strings.Join(parts, "\n")
}

// dynamicNames finds the anchors that dynamic references look for. The others need no
// bindings, and a schema without dynamic references is planned once.
func (b *builder) dynamicNames() {
	b.dynamic = map[string]bool{}
	for _, s := range b.facts.Schemas() {
		b.schemas++
		for i := range s.Keywords {
			if name := s.DynamicName(&s.Keywords[i]); name != "" {
				b.dynamic[name] = true
			}
		}
	}
}

// resolve gives the schema that the reference k of s leads to in this scope, nil where it leads
// nowhere.
func (sc scope) resolve(s *load.Schema, k *load.Keyword) *load.Schema {
	if name := s.DynamicName(k); name != "" {
		if outermost := sc.lookup(name); outermost != nil {
			return outermost
		}
		if s.Dialect.Draft >= load.V1 {
			return nil // there the target is only one of those that have the anchor
		}
	}
	return k.Target
}

// enter adds the dynamic anchors of s's resource to the scope; the result goes back.
func (b *builder) enter(s *load.Schema) (leave func()) {
	before := b.scope
	for name := range b.dynamic {
		if b.scope.lookup(name) != nil {
			continue
		}
		found := s.Resource.Dynamic[name]
		if name == load.RecursiveAnchor && s.Resource.Root.IsRecursive() {
			found = s.Resource.Root
		}
		if found != nil {
			b.scope = append(slices.Clone(b.scope), binding{name, found})
		}
	}
	slices.SortFunc(b.scope, func(x, y binding) int { return strings.Compare(x.anchor, y.anchor) })
	return func() { b.scope = before }
}
