package types

import (
	"slices"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// longestTuple is how many elements get fields of their own.
const longestTuple = 16

// arrayType is a slice, a tuple where the first elements have types of their own, or a union
// where there are alternatives.
func (b *builder) arrayType(members []*load.Schema) *typ {
	places := b.canonical(members, array)
	if len(places) == 0 {
		return &typ{form: formSlice, elem: raw("any JSON value")}
	}
	if b.loneUnion(places, array) != nil {
		return b.branchType(places, array)
	}
	if b.isTuple(places) {
		n, _ := b.declare(places, array, shapeTuple)
		return namedType(n)
	}
	return b.container(places, array, func(places []*load.Schema) *typ {
		return &typ{form: formSlice, elem: b.elementType(places)}
	})
}

// isTuple reports whether the first elements have schemas of their own and not all one type.
func (b *builder) isTuple(places []*load.Schema) bool {
	if !slices.ContainsFunc(b.facts.All(places, array), func(s *load.Schema) bool { first, _ := prefix(s); return len(first) > 0 }) {
		return false
	}
	key := b.keyOf(places, array)
	if b.tupling[key] {
		return true // an array inside itself: a slice could not be declared yet
	}
	if n := b.named[key]; n != nil {
		return n.shape == shapeTuple
	}
	b.tupling[key] = true
	elements, rest := b.tuple(places)
	delete(b.tupling, key)
	if b.named[key] != nil {
		return true
	}
	if rest != nil {
		elements = append(elements, rest)
	}
	for _, t := range elements {
		if !t.same(elements[0]) {
			return true
		}
	}
	return false
}

// prefix lists the schemas of the first elements and the schema of the others, if any.
func prefix(s *load.Schema) (first []*load.Schema, others *load.Schema) {
	if k := s.Shows(load.GoPrefixItems); k != nil {
		first = k.Schemas
	}
	rest := s.Shows(load.GoItems)
	if rest != nil && isList(s, rest) {
		first, rest = rest.Schemas, s.Shows(load.GoAdditionalItems)
	}
	if rest != nil && len(rest.Schemas) == 1 {
		others = rest.Schemas[0]
	}
	return first, others
}

// elementType is the type that every element of an array at the place fits.
func (b *builder) elementType(members []*load.Schema) *typ {
	first, rest := b.tuple(members)
	if rest != nil {
		first = append(first, rest)
	}
	if len(first) == 0 {
		return raw("no element is allowed")
	}
	return join(first)
}

// tuple gives the types of the first elements and of the others; nil where there can be no
// others.
func (b *builder) tuple(members []*load.Schema) (elements []*typ, rest *typ) {
	all := b.facts.All(members, array)
	length := 0
	for _, s := range all {
		first, _ := prefix(s)
		length = max(length, len(first))
	}
	at := func(i int) *typ {
		var places []*load.Schema
		for _, s := range all {
			first, others := prefix(s)
			switch {
			case i < len(first):
				places = append(places, first[i])
			case others != nil:
				places = append(places, others)
			}
		}
		switch {
		case len(places) == 0:
			return raw("any JSON value")
		case b.facts.KindsOf(places) == 0:
			return nil
		}
		return b.typeOf(places)
	}
	for i := range length {
		t := at(i)
		if t == nil {
			return elements, nil
		}
		elements = append(elements, t)
	}
	return elements, at(length)
}

func (b *builder) fillTuple(n *named) {
	elements, rest := b.tuple(n.members)
	n.extra = rest
	for i, t := range elements {
		if i == longestTuple {
			n.extra = raw("of several types, see the schema")
			break
		}
		n.fields = append(n.fields, &field{name: "Item" + strconv.Itoa(i), json: strconv.Itoa(i), typ: t, places: n.members})
	}
	for _, s := range b.facts.All(n.members, array) {
		t := &s.File.Tape
		if k := s.Shows(load.GoMinItems); k != nil && t.Tokens[k.Value].Kind == jsontape.Number {
			for n.fewest < len(n.fields) && jsonrt.CompareInt(t.Bytes(k.Value), int64(n.fewest)) > 0 {
				n.fewest++
			}
		}
	}
	for i, f := range n.fields {
		f.required = i < n.fewest
	}
}
