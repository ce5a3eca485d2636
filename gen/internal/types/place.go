package types

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// A place is where a value can stand: the schemas that must all hold there, its members. A
// place is looked at for some kinds of value at a time, because which schemas speak of a
// value depends on its kind: where an anyOf has one branch for objects, an object has to
// satisfy that branch.

// closureKey is what a place is remembered by.
type closureKey struct {
	schema *load.Schema
	kinds  kinds
}

// canonical finds the schemas that give a place its content: it steps from a schema that only
// refers to another one to that other one, leaves out what says nothing about the content or
// is said by another member, and sorts. No member is left where nothing says anything.
func (b *builder) canonical(members []*load.Schema, k kinds) []*load.Schema {
	var list []*load.Schema
	for _, m := range members {
		if s := b.content(m, k); s != nil && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	if len(list) > 1 {
		list = slices.DeleteFunc(list, func(s *load.Schema) bool {
			for _, other := range list {
				if other != s && slices.Contains(b.facts.Closure(other, k), s) && !slices.Contains(b.facts.Closure(s, k), other) {
					return true
				}
			}
			return false
		})
	}
	slices.SortFunc(list, comparePlaces)
	return list
}

// comparePlaces sorts message types before shared files, then by file and place.
func comparePlaces(a, b *load.Schema) int {
	shared := func(s *load.Schema) int { return min(1, strings.Count(s.File.Name, "/")) }
	return cmp.Or(cmp.Compare(shared(a), shared(b)), cmp.Compare(a.File.Name, b.File.Name), cmp.Compare(a.Tok, b.Tok))
}

// content is the one schema in the closure of s that s only passes on to; s itself where it
// has content of its own or combines several; nil where there is no content at all.
func (b *builder) content(s *load.Schema, k kinds) *load.Schema {
	key := closureKey{s, k}
	if c, known := b.contents[key]; known {
		return c // nil while it is being worked out: what leads back here adds nothing
	}
	b.contents[key] = nil
	c := b.findContent(s, k)
	b.contents[key] = c
	return c
}

func (b *builder) findContent(s *load.Schema, k kinds) *load.Schema {
	if b.hasContent(s, k) {
		return s
	}
	var only *load.Schema
	for i := range s.Keywords {
		for _, part := range b.facts.Parts(&s.Keywords[i], k) {
			if part == nil {
				continue
			}
			switch c := b.content(part, k); {
			case c == nil || c == only:
			case only != nil:
				return s
			default:
				only = c
			}
		}
	}
	return only
}

// hasContent reports whether the schema itself says something about a value of these kinds
// that its Go type can show.
func (b *builder) hasContent(s *load.Schema, k kinds) bool {
	for i := range s.Keywords {
		key := &s.Keywords[i]
		switch key.Go {
		case load.GoProperties, load.GoPatterns:
			if k&object != 0 {
				return true
			}
		case load.GoOthers:
			if k&object != 0 && !allowsAnything(key.Schemas) {
				return true
			}
		case load.GoItems, load.GoAdditionalItems:
			if k&array != 0 && (isList(s, key) || !allowsAnything(key.Schemas)) {
				return true
			}
		case load.GoPrefixItems:
			if k&array != 0 {
				return true
			}
		case load.GoEnum:
			if k&text != 0 && len(facts.Strings(&s.File.Tape, key.Value)) > 1 || !k.One() && !(facts.EnumKinds(&s.File.Tape, key.Value)&k).One() {
				return true
			}
		case load.GoKind:
			if !k.One() && !(facts.TypeKinds(&s.File.Tape, key.Value) & k).One() {
				return true
			}
		case load.GoUnion:
			if b.unionContent(key, k) {
				return true
			}
		case load.GoMaybe:
			if k&object != 0 && slices.ContainsFunc(key.Schemas, func(sub *load.Schema) bool { return sub != nil && b.content(sub, object) != nil }) {
				return true
			}
		default: // a Go type does not show it, or the schema that it leads to has the content
		}
	}
	return false
}

// unionContent reports whether the branches of an anyOf or oneOf say something about a value
// of these kinds that is not said by one of them alone.
func (b *builder) unionContent(key *load.Keyword, k kinds) bool {
	branches := b.facts.Branches(key, k)
	if len(branches) < 2 {
		return false
	}
	if !k.One() {
		return true
	}
	if k == text {
		_, finite := b.facts.BranchConstants(branches, text)
		return finite
	}
	return slices.ContainsFunc(branches, func(s *load.Schema) bool { return b.content(s, k) != nil })
}

// allowsAnything reports whether the schemas are one, true or {}.
func allowsAnything(list []*load.Schema) bool {
	if len(list) != 1 {
		return false
	}
	if s := list[0]; s.Bool != nil {
		return *s.Bool
	}
	return len(list[0].Keywords) == 0
}

// isList reports whether items holds an array of schemas, as before 2020-12.
func isList(s *load.Schema, k *load.Keyword) bool {
	return s.File.Tape.Tokens[k.Value].Kind == jsontape.Array
}

// keyOf is the identity of a place, looked at for some kinds of value.
func (b *builder) keyOf(members []*load.Schema, k kinds) string {
	var key strings.Builder
	for _, s := range members {
		key.WriteString(s.File.Name)
		key.WriteByte('#')
		key.WriteString(s.Pointer)
		if c, isBare := b.bare[s]; isBare {
			key.WriteByte('\x00')
			key.WriteString(c.without)
		}
		key.WriteByte('\n')
	}
	key.WriteByte(byte('0' + k))
	return key.String()
}

// bareAll gives the schemas of a place without what they refer to and without one union: what
// holds beside whatever branch of the union is taken. Those without content are left out.
func (b *builder) bareAll(members []*load.Schema, k kinds, union *load.Keyword) []*load.Schema {
	var list []*load.Schema
	for _, s := range b.facts.All(members, k) {
		if c := b.bareOf(s, k, union); b.hasContent(c, k) {
			list = append(list, c)
		}
	}
	return list
}

// bareOf is a copy of the schema without what it refers to and without the union.
func (b *builder) bareOf(s *load.Schema, k kinds, union *load.Keyword) *load.Schema {
	without := ""
	var kept []load.Keyword
	for i := range s.Keywords {
		key := &s.Keywords[i]
		switch {
		case sameKeyword(key, union):
			without = key.Name
		case len(b.facts.Parts(key, k)) > 0:
		default:
			kept = append(kept, *key)
		}
	}
	if len(kept) == len(s.Keywords) {
		return s
	}
	id := bareKey{s, without, k}
	if c := b.bares[id]; c != nil {
		return c
	}
	c := *s
	c.Keywords = kept
	b.bares[id] = &c
	b.bare[&c] = barely{b.whole(s), b.bare[s].without + without + " "}
	b.facts.Adopt(&c, s)
	return &c
}

// barely is what bareOf made a copy of, and what it left out.
type barely struct {
	of      *load.Schema
	without string
}

// whole is the schema that s is a copy of, or s itself.
func (b *builder) whole(s *load.Schema) *load.Schema {
	if c, isBare := b.bare[s]; isBare {
		return c.of
	}
	return s
}

type bareKey struct {
	schema  *load.Schema
	without string
	kinds   kinds
}

func sameKeyword(a, b *load.Keyword) bool {
	return b != nil && a.Key == b.Key && a.Value == b.Value && a.Name == b.Name
}
