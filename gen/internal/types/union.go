package types

import (
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// tagged finds the union of an object's alternatives that a member tells apart. Nil where there is
// none.
func (b *builder) tagged(places []*load.Schema) (*load.Keyword, *facts.Tag) {
	for _, s := range b.facts.All(places, object) {
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if k.Go != load.GoUnion {
				continue
			}
			if t := b.facts.Tag(b.whole(s), k); t != nil && slices.ContainsFunc(t.Branches, func(s *load.Schema) bool { return b.content(s, object) != nil }) {
				return k, t
			}
		}
	}
	return nil, nil
}

// isTagged reports whether tagged finds something.
func (b *builder) isTagged(places []*load.Schema) bool {
	_, tag := b.tagged(places)
	return tag != nil
}

// asStruct marks the key of a type that has to be a struct, whatever its schema alone would
// give: a variant of a sum.
const asStruct kinds = 1 << 7

func (b *builder) fillSum(n *named) {
	union, t := b.tagged(n.members)
	n.tag = t
	for i, branch := range t.Branches {
		places := b.canonical(append(b.bareAll(n.members, object, union), branch), object)
		k := object
		if b.isTagged(places) || b.loneUnion(places, object) != nil {
			k |= asStruct
		}
		v, _ := b.declare(places, k, shapeStruct)
		v.sums = append(v.sums, n)
		n.variants = append(n.variants, &variant{values: t.Values[i], typ: namedType(v), kinds: object})
	}
}

// loneUnion is the one anyOf or oneOf that is all that is said about a value of one kind; nil
// where there is more, or nothing.
func (b *builder) loneUnion(places []*load.Schema, k kinds) *load.Keyword {
	var union *load.Keyword
	for _, s := range b.facts.All(places, k) {
		for i := range s.Keywords {
			key := &s.Keywords[i]
			if key.Go == load.GoUnion && b.unionContent(key, k) {
				if union != nil {
					return nil
				}
				union = key
			}
		}
		if b.hasContent(b.bareOf(s, k, union), k) {
			return nil
		}
	}
	return union
}

// branchType is the type for a value of one kind that is described by alternatives alone: the
// type that they all have, or a union of theirs.
func (b *builder) branchType(places []*load.Schema, k kinds) *typ {
	key := b.keyOf(places, k)
	if b.named[key] == nil && !b.branching[key] {
		b.branching[key] = true
		var list []*typ
		for _, branch := range b.facts.Branches(b.loneUnion(places, k), k) {
			list = append(list, b.baseOf([]*load.Schema{branch}, k))
		}
		delete(b.branching, key)
		if t := join(list); t.form != formRaw && b.named[key] == nil {
			return t
		}
	}
	n, _ := b.declare(places, k, shapeUnion) // also where a branch leads back here
	return namedType(n)
}

func (b *builder) fillUnion(n *named) {
	if n.kinds.One() {
		b.fillBranches(n)
	} else {
		b.fillKinds(n)
	}
	var labels []string
	for _, v := range n.variants {
		labels = append(labels, v.label)
	}
	distinct := names.Distinct(labels, func(string) bool { return false })
	for _, v := range n.variants {
		v.label = distinct[v.label]
	}
}

// fillBranches gives a union a variant for every branch.
func (b *builder) fillBranches(n *named) {
	for _, branch := range b.facts.Branches(b.loneUnion(n.members, n.kinds), n.kinds) {
		t := b.baseOf([]*load.Schema{branch}, n.kinds)
		if at := slices.IndexFunc(n.variants, func(v *variant) bool { return v.typ.same(t) }); at >= 0 {
			n.variants[at].typ = join([]*typ{n.variants[at].typ, t})
			continue
		}
		label := branchLabel(branch)
		if t.form == formNamed && len(t.named.members) == 1 {
			label = branchLabel(t.named.members[0])
		}
		for slices.ContainsFunc(n.variants, func(v *variant) bool { return v.label == label }) {
			label += names.Exported(branch.Pointer)
		}
		n.variants = append(n.variants, &variant{label: label, typ: t, kinds: n.kinds, schema: branch})
	}
}

// fillKinds gives a union a variant for every kind of value that the schema says more about;
// for every kind where it does not allow them all.
func (b *builder) fillKinds(n *named) {
	for _, kind := range []kinds{text, boolean, number, array, object} {
		k := n.kinds & kind
		if k == 0 || n.kinds == anything&^null && len(b.canonical(n.members, k)) == 0 {
			continue
		}
		t := b.baseOf(n.members, k)
		n.variants = append(n.variants, &variant{label: kindLabel(t, k), typ: t, kinds: k})
	}
}

// kindLabel is the word for a variant that its kind tells apart.
func kindLabel(t *typ, k kinds) string {
	switch k {
	case text:
		return "String"
	case boolean:
		return "Bool"
	case array:
		return "Array"
	case object:
		return "Object"
	default: // the numbers: told apart by their Go type
	}
	switch t.form {
	case formInt64:
		return "Int64"
	case formUint64:
		return "Uint64"
	case formFloat64:
		return "Float64"
	case formNumber, formRaw, formNull, formBool, formString, formSlice, formMap, formNamed:
	}
	return "Number"
}
