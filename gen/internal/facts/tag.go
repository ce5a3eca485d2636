package facts

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Tag is the member that tells the branches of a union of objects apart: every branch that an object
// can satisfy requires it, and allows it constants that no other one allows.
type Tag struct {
	Member string
	// Kind is that of the constants: String, Boolean or Integer.
	Kind Kinds
	// Branches are the branches that an object can satisfy.
	Branches []*load.Schema
	// Values are the constants of each, as Constants writes them.
	Values [][]string
	// Required says that the schema of the union itself requires the member.
	Required bool
}

type tagKey struct {
	file  *load.File
	value int
}

// Tag finds the member that tells the branches of the union k of s apart, nil where there is none.
// Among several, the one that a discriminator (OpenAPI 3.1, section 4.8.25) names comes first, then
// the one that the first branch declares first.
func (f *Facts) Tag(s *load.Schema, k *load.Keyword) *Tag {
	key := tagKey{s.File, k.Value}
	tag, known := f.tags[key]
	if !known {
		tag = f.findTag(s, k)
		f.tags[key] = tag
	}
	return tag
}

// tagKinds are the kinds of constant that can tell branches apart.
var tagKinds = []Kinds{String, Boolean, Integer}

func (f *Facts) findTag(s *load.Schema, k *load.Keyword) *Tag {
	branches := f.Branches(k, Object)
	if len(branches) < 2 {
		return nil
	}
	var candidates []*Property // of the first branch
	properties := make([]map[string]*Property, len(branches))
	for i, branch := range branches {
		properties[i] = map[string]*Property{}
		for _, p := range f.Properties([]*load.Schema{s, branch}) {
			if !p.Required {
				continue
			}
			properties[i][p.Name] = p
			if i == 0 {
				candidates = append(candidates, p)
			}
		}
	}
	if hint := Discriminator(s); hint != "" {
		slices.SortStableFunc(candidates, func(a, b *Property) int { return rank(a, hint) - rank(b, hint) })
	}
	for _, candidate := range candidates {
		kind := f.KindsOf(candidate.Places)
		if !slices.Contains(tagKinds, kind) {
			continue
		}
		if values := f.tagValues(properties, candidate.Name, kind); values != nil {
			return &Tag{candidate.Name, kind, branches, values, f.requires(s, candidate.Name)}
		}
	}
	return nil
}

func rank(p *Property, hint string) int {
	if p.Name == hint {
		return 0
	}
	return 1
}

// tagValues are the constants that each branch allows for a member; nil where one of them does not
// limit them to a list, or two lists overlap.
func (f *Facts) tagValues(properties []map[string]*Property, name string, kind Kinds) [][]string {
	var values [][]string
	taken := map[string]bool{}
	for _, of := range properties {
		p := of[name]
		if p == nil || f.KindsOf(p.Places) != kind {
			return nil
		}
		list, finite := f.Constants(p.Places, kind)
		if !finite || len(list) == 0 {
			return nil
		}
		for _, v := range list {
			if taken[v] || v == "" && kind != String {
				return nil
			}
			taken[v] = true
		}
		values = append(values, list)
	}
	return values
}

// requires reports whether the keyword required of s itself names a member.
func (f *Facts) requires(s *load.Schema, name string) bool {
	k := s.Shows(load.GoRequired)
	return k != nil && slices.Contains(Strings(&s.File.Tape, k.Value), name)
}

// Discriminator is the member that the keyword discriminator of s names, "" where there is none.
func Discriminator(s *load.Schema) string {
	t := &s.File.Tape
	if t.Tokens[s.Tok].Kind != jsontape.Object {
		return ""
	}
	hint := t.Member(s.Tok, "discriminator")
	if hint < 0 || t.Tokens[hint].Kind != jsontape.Object {
		return ""
	}
	name := t.Member(hint, "propertyName")
	if name < 0 || t.Tokens[name].Kind != jsontape.String {
		return ""
	}
	return t.Str(name)
}
