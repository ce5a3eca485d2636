package types

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// objectType is a sum where a member tells alternatives apart, a union where nothing does, a
// map where no member is named, else a struct.
func (b *builder) objectType(members []*load.Schema) *typ {
	places := b.canonical(members, object)
	switch {
	case len(places) == 0:
		return &typ{form: formMap, elem: raw("any JSON value")}
	case b.isTagged(places):
		n, _ := b.declare(places, object, shapeSum)
		return namedType(n)
	case b.loneUnion(places, object) != nil:
		return b.branchType(places, object)
	case len(b.facts.Properties(places)) == 0 && len(b.branchProperties(places)) == 0:
		return b.container(places, object, func(places []*load.Schema) *typ {
			elem := b.extraType(places)
			if elem == nil {
				elem = raw("no member is allowed")
			}
			return &typ{form: formMap, elem: elem}
		})
	}
	n, _ := b.declare(places, object, shapeStruct)
	return namedType(n)
}

// branchProperties lists the members that only branches declare: of anyOf and oneOf, then,
// else and dependent schemas. Each has the places of all branches that declare it.
func (b *builder) branchProperties(members []*load.Schema) []*branchProperty {
	byName := map[string]*branchProperty{}
	var list []*branchProperty
	seen := map[*load.Schema]bool{}
	var collect func(s *load.Schema)
	collect = func(s *load.Schema) {
		if s == nil || seen[s] || b.facts.Kinds(s)&object == 0 {
			return
		}
		seen[s] = true
		for _, p := range b.facts.Properties([]*load.Schema{s}) {
			if byName[p.Name] == nil {
				byName[p.Name] = &branchProperty{name: p.Name}
				list = append(list, byName[p.Name])
			}
			byName[p.Name].branches = append(byName[p.Name].branches, p.Places)
		}
		b.eachBranch([]*load.Schema{s}, collect)
	}
	b.eachBranch(members, collect)

	declared := map[string]bool{}
	for _, s := range b.facts.All(members, object) {
		if k := s.Shows(load.GoProperties); k != nil {
			for _, name := range k.Names {
				declared[name] = true
			}
		}
	}
	return slices.DeleteFunc(list, func(p *branchProperty) bool { return declared[p.name] })
}

type branchProperty struct {
	name     string
	branches [][]*load.Schema // the places of the member, by branch
}

// softProperties are those branch properties that get a field: the branches agree on a type.
// That a value has this type is likely but not certain, because the branches may not apply.
func (b *builder) softProperties(members []*load.Schema) []*facts.Property {
	var list []*facts.Property
	for _, of := range b.branchProperties(members) {
		p := &facts.Property{Name: of.name, Places: slices.Clone(of.branches[0])}
		agree := true
		for _, places := range of.branches[1:] {
			agree = agree && b.typeOf(places).same(b.typeOf(of.branches[0]))
		}
		if agree {
			list = append(list, p)
		}
	}
	for _, s := range b.facts.All(members, object) {
		facts.AddAdditional(s, list)
	}
	return slices.DeleteFunc(list, func(p *facts.Property) bool {
		return b.facts.KindsOf(p.Places) == 0 || b.typeOf(p.Places).form == formRaw
	})
}

// eachBranch visits the schemas that may or may not apply to an object at a place.
func (b *builder) eachBranch(members []*load.Schema, visit func(*load.Schema)) {
	for _, s := range b.facts.All(members, object) {
		for i := range s.Keywords {
			key := &s.Keywords[i]
			switch key.Go {
			case load.GoUnion:
				if branches := b.facts.Branches(key, object); len(branches) > 1 {
					for _, branch := range branches {
						visit(branch)
					}
				}
			case load.GoMaybe:
				for _, sub := range key.Schemas {
					visit(sub)
				}
			default: // its schemas hold in any case, or for something else
			}
		}
	}
}

// extraType is the type that every member fits that no schema declares by name; nil where
// there can be none.
func (b *builder) extraType(members []*load.Schema) *typ {
	best := raw("any JSON value")
	for _, s := range b.facts.All(members, object) {
		additional, patterns := s.Shows(load.GoOthers), s.Shows(load.GoPatterns)
		if additional == nil || len(additional.Schemas) != 1 {
			continue // any member that matches no pattern may have any value
		}
		var candidates []*typ
		if b.facts.KindsOf(additional.Schemas) != 0 {
			candidates = append(candidates, b.typeOf(additional.Schemas))
		}
		if patterns != nil {
			for _, sub := range patterns.Schemas {
				if b.facts.Kinds(sub) != 0 {
					candidates = append(candidates, b.typeOf([]*load.Schema{sub}))
				}
			}
		}
		if len(candidates) == 0 {
			return nil
		}
		if joined := join(candidates); joined.form != formRaw && best.form == formRaw {
			best = joined
		}
	}
	return best
}

// mostFields is how many fields a struct may have.
const mostFields = 10_000

func (b *builder) fillStruct(n *named) {
	n.extra = b.extraType(n.members)
	for _, p := range b.facts.Properties(n.members) {
		n.fields = append(n.fields, b.field(p, n.extra))
	}
	for _, p := range b.softProperties(n.members) {
		f := b.field(p, n.extra)
		f.soft, f.typ = true, f.typ.withoutConstants()
		n.fields = append(n.fields, f)
	}
	if len(n.fields) > mostFields {
		b.faults = append(b.faults, n.members[0].File.At(n.members[0].Tok, "an object with more than %d members known by name cannot become a Go struct: the Go compiler takes time that grows with the square of their number. Describe them by additionalProperties or patternProperties, or put groups of them into objects of their own", mostFields))
		n.fields = nil
	}
	if n.extra == nil && slices.ContainsFunc(n.fields, func(f *field) bool { return f.soft }) {
		n.extra = raw("what does not fit its field")
	}
	b.fieldNames(n)
}

// field makes the field of a property. extra is the type of AdditionalProperties, to which
// the values of a soft field go that do not fit it.
func (b *builder) field(p *facts.Property, extra *typ) *field {
	f := &field{json: p.Name, required: p.Required, places: p.Places}
	if extra == nil || extra.form == formRaw {
		f.typ = b.likelyType(p.Places)
	}
	if f.typ != nil {
		f.soft, f.required, f.typ = true, false, f.typ.withoutConstants()
	} else {
		f.typ = b.typeOf(p.Places)
	}
	f.said = p.Places
	if f.typ.form != formNamed {
		f.said = b.facts.All(p.Places, b.facts.KindsOf(p.Places)) // a declared type has comments of its own
	}
	return f
}

// likelyType is the type of a place that allows every kind of value but speaks of one only: a
// schema with properties and without type, say. Nil where there is none.
func (b *builder) likelyType(places []*load.Schema) *typ {
	if b.facts.KindsOf(places)|null != anything {
		return nil
	}
	var only kinds
	for _, k := range []kinds{text, array, object} {
		if len(b.canonical(places, k)) > 0 {
			if only != 0 {
				return nil
			}
			only = k
		}
	}
	if only == 0 {
		return nil
	}
	return b.baseOf(places, only)
}

// reserved reports whether generated code itself gives the name to a field or method of the
// struct.
func (n *named) reserved(name string) bool {
	switch name {
	case "AdditionalProperties", "MarshalJSON", "UnmarshalJSON", "Validate":
		return true
	case "SchemaID", "AppendJSON":
		return n.isMessage()
	}
	return false
}
