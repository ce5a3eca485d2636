package types

import (
	"go/token"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// The annotation x-go-name overrides the name that a schema would get: in the schema of a
// property that of the field, elsewhere the last word of the type's. It says what the author
// wants, so it is a fault where it cannot be had. The author of a document is somebody else, who
// means other Go than this: there it says nothing.

// goName is the name that the schema at the token asks for, or "".
func goName(f *load.File, tok int) string {
	v := goNameToken(f, tok)
	if v < 0 || !validGoName(&f.Tape, v) {
		return ""
	}
	return f.Tape.Str(v)
}

func goNameToken(f *load.File, tok int) int {
	if f.Document != nil || f.Tape.Tokens[tok].Kind != jsontape.Object {
		return -1
	}
	return f.Tape.Member(tok, "x-go-name")
}

// validGoName reports whether the value is an exported identifier. Underscores separate the
// parts of names, so there must be none.
func validGoName(t *jsontape.Tape, v int) bool {
	if t.Tokens[v].Kind != jsontape.String {
		return false
	}
	name := t.Str(v)
	return token.IsIdentifier(name) && token.IsExported(name) && !strings.Contains(name, "_")
}

// site is a schema by its place: copies of it are the same.
type site struct {
	file *load.File
	tok  int
}

func siteOf(s *load.Schema) site { return site{s.File, s.Tok} }

// fieldNames gives every member of a struct the name of its field.
func (b *builder) fieldNames(n *named) {
	overrides := map[string]*field{}
	var natural []string
	for _, f := range n.fields {
		own := b.fieldOverride(f)
		if own == nil {
			natural = append(natural, f.json)
			continue
		}
		name := goName(own.File, own.Tok)
		b.overridden[siteOf(own)] = true
		f.name = name
		if n.reserved(name) || overrides[name] != nil {
			b.overrideFault(own, "clashes with another field or a method of the struct")
		}
		overrides[name] = f
	}
	for _, json := range natural {
		if f := overrides[names.Exported(json)]; f != nil {
			b.overrideFault(b.fieldOverride(f), "clashes with the field of another member")
		}
	}
	identifiers := names.Distinct(natural, func(id string) bool { return n.reserved(id) || overrides[id] != nil })
	for _, f := range n.fields {
		if f.name == "" {
			f.name = identifiers[f.json]
		}
	}
}

// fieldOverride is the property schema that names the field, or nil.
func (b *builder) fieldOverride(f *field) *load.Schema {
	for _, s := range f.places {
		steps := pointerSteps(s.Pointer)
		if len(steps) >= 2 && steps[len(steps)-2] == "properties" && goName(s.File, s.Tok) != "" {
			return s
		}
	}
	return nil
}

// typeOverride notes that the type has the name that its schema asks for, or not. try is the
// number of longer names that were needed.
func (b *builder) typeOverride(n *named, try int) {
	members := tellingMembers(n.members)
	s := members[len(members)-1]
	if goName(s.File, s.Tok) == "" {
		return
	}
	b.overridden[siteOf(s)] = true
	if try > 0 {
		b.overrideFault(s, "clashes with the name of another type")
	}
}

func (b *builder) overrideFault(s *load.Schema, why string) {
	v := goNameToken(s.File, s.Tok)
	b.faults = append(b.faults, s.File.At(v, "x-go-name %s %s", s.File.Tape.Bytes(v), why))
}

// checkOverrides finds the overrides that are malformed or had no effect.
func (b *builder) checkOverrides(g *load.Graph) {
	for _, s := range definitions(slices.Collect(facts.Reachable(g.Messages...))) {
		v := goNameToken(s.File, s.Tok)
		switch {
		case v < 0 || b.overridden[siteOf(s)]:
		case !validGoName(&s.File.Tape, v):
			b.overrideFault(s, "must be an exported Go identifier without underscores")
		case s.Pointer == "" && slices.ContainsFunc(g.Messages, func(m *load.Message) bool { return m.Schema == s }):
			b.overrideFault(s, "has no effect: the name of a message type comes from the name of its file")
		default:
			b.overrideFault(s, "has no effect: the schema gives neither a field nor a type of its own")
		}
	}
}

// definitions adds to the schemas those that are defined inside them and not used.
func definitions(list []*load.Schema) []*load.Schema {
	seen := map[site]bool{}
	var all []*load.Schema
	var visit func(*load.Schema)
	visit = func(s *load.Schema) {
		if s == nil || seen[siteOf(s)] {
			return
		}
		seen[siteOf(s)] = true
		all = append(all, s)
		for _, keywords := range [][]load.Keyword{s.Keywords, s.Hidden} {
			for _, k := range keywords {
				for _, sub := range k.Schemas {
					visit(sub)
				}
			}
		}
	}
	for _, s := range list {
		visit(s)
	}
	return all
}
