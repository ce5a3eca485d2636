package facts

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Property is a member that a schema declares by name.
type Property struct {
	Name     string
	Places   []*load.Schema // the schemas that its value has to satisfy
	Required bool
}

// Properties lists the declared members of an object that satisfies several schemas, in the order of
// the schemas. A member that can never be there is left out.
func (f *Facts) Properties(members []*load.Schema) []*Property {
	var list []*Property
	byName := map[string]*Property{}
	all := f.All(members, Object)
	for _, s := range all {
		k := s.Shows(load.GoProperties)
		if k == nil {
			continue
		}
		for i, name := range k.Names {
			p := byName[name]
			if p == nil {
				p = &Property{Name: name}
				byName[name] = p
				list = append(list, p)
			}
			p.Places = append(p.Places, k.Schemas[i])
			p.Required = p.Required || IsTrue(k.Schemas[i], load.GoSelfRequired)
		}
	}
	for _, s := range all {
		if k := s.Shows(load.GoRequired); k != nil {
			for _, name := range Strings(&s.File.Tape, k.Value) {
				if p := byName[name]; p != nil {
					p.Required = true
				}
			}
		}
		AddAdditional(s, list)
	}
	return slices.DeleteFunc(list, func(p *Property) bool { return f.KindsOf(p.Places) == 0 })
}

// IsTrue reports whether the schema has the keyword of this meaning, and it is true.
func IsTrue(s *load.Schema, g load.Go) bool {
	k := s.Shows(g)
	return k != nil && s.File.Tape.Tokens[k.Value].Kind == jsontape.True
}

// AddAdditional notes what additionalProperties of s says of the properties that only other
// schemas declare.
func AddAdditional(s *load.Schema, list []*Property) {
	additional := s.Shows(load.GoOthers)
	if additional == nil || len(additional.Schemas) != 1 || s.Shows(load.GoPatterns) != nil {
		return
	}
	own := s.Shows(load.GoProperties)
	for _, p := range list {
		if own == nil || !slices.Contains(own.Names, p.Name) {
			p.Places = append(p.Places, additional.Schemas[0])
		}
	}
}

// Strings are the strings of an array.
func Strings(t *jsontape.Tape, v int) []string {
	var list []string
	for e := range Elements(t, v) {
		if t.Tokens[e].Kind == jsontape.String {
			list = append(list, t.Str(e))
		}
	}
	return list
}
