// Package types turns the graph of schemas into Go: a type for every message and everything
// inside it, and the functions that decode and encode it.
//
// It works in four steps.
//
//   - build derives a Go type for every place where a value can stand, by widening only: a
//     type is chosen where all valid values fit it. kinds says which kinds of value a place
//     allows; place, which schemas speak of a value of one kind there; object, union, list,
//     text and number, what comes of it.
//   - name and override give names to the types that need one.
//   - lower has go-jsonschema print the declarations.
//   - codec, codec_struct, methods and forms print the decoding and encoding, which works on
//     the tape and needs no reflection.
//
// What becomes of a schema: structs with AdditionalProperties where more members are allowed;
// slices, maps and tuples; string types with constants for lists of values; an interface that
// only its variants implement where a member tells the branches of a union apart; for other
// unions a struct around the raw value with As methods; json.RawMessage where the schema says
// nothing. A member is a soft field where its type is what the schema means but does not
// enforce (a branch that may not apply, properties without type): a value that does not fit
// goes to AdditionalProperties. So every valid document fits, and what was decoded encodes to
// an equal value. Decoding itself refuses what it could not give back, whether the document
// was validated or not.
//
// The type of a message is always a type of its own, under the message's name, with a method set,
// so that its values are jsonrt.Messages and a type switch tells them from all others. Where what
// build derives is an interface, may be null or is raw, the message is a struct around it; where
// it is the type of another place, the message has a copy.
//
// A constant is written whatever the Go value, as long as that does not say something else: the
// zero value stands for it, also where the member is not required. Where a document that was
// read did not have it, the value remembers that.
//
// A field through which a struct would contain itself holds a pointer.
//
// go-jsonschema serves as a printer of structs. What it makes of a schema by itself loses
// data or does not compile for most real schemas, so it is given a lowered document in which
// nothing is left for it to decide, and its output is checked against what was asked for.
package types

import (
	"fmt"
	"maps"
	"slices"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// Options say how types are rendered.
type Options struct {
	// Package is the name of the generated package.
	Package string
	// ExactNumbers makes every number a json.Number, which keeps its text.
	ExactNumbers bool
	// Check names the generated function that checks a schema; "" where there is none. The
	// UnmarshalJSON methods of the types inside a message type call it. Nil means none.
	Check func(*load.Schema) string
}

// Render gives the source of the types, by file name, and the name of each message's Go type,
// by schema id. The files declare, for a message type X, besides its types
//
//	func DecodeX(data []byte) (X, error)
//
// and rely on the variable schemaX of type *jsonrt.Schema, which the emitter prints. The ids
// of the graph give distinct Go names. Output is deterministic. Where the diagnostics are not
// empty the files must not be used.
func Render(known *facts.Facts, o Options) (files map[string][]byte, roots map[string]string, diags load.Diagnostics) {
	roots = map[string]string{}
	b, units := derive(known, o)
	b.checkOverrides(known.Graph)
	if len(b.faults) > 0 {
		return nil, nil, b.faults.Sorted()
	}
	for _, m := range known.Graph.Messages {
		roots[m.ID] = m.GoName()
	}
	files = map[string][]byte{}
	for f, u := range units {
		source, err := u.render()
		if err != nil {
			diags = append(diags, load.Diagnostic{Path: f.Path, Message: fmt.Sprintf("cannot render the Go types, which is a fault of the generator: %v", err)})
			continue
		}
		files[names.FileBase(f.GoPrefix(), "types")+".go"] = source
	}
	return files, roots, diags.Sorted()
}

// derive works out and names all types, by the file that they belong to.
func derive(known *facts.Facts, o Options) (*builder, map[*load.File]*unit) {
	b := newBuilder(known, o)
	units := map[*load.File]*unit{}
	unitOf := func(f *load.File) *unit {
		if units[f] == nil {
			units[f] = &unit{file: f, options: o}
		}
		return units[f]
	}
	for _, m := range known.Graph.Messages {
		unitOf(m.Schema.File).root = b.rootOf(m)
	}
	b.fill()
	b.prune(units)
	b.nameTypes()
	for _, n := range b.named {
		u := unitOf(n.members[0].File)
		u.types = append(u.types, n)
	}
	breakCycles(b.named)
	return b, units
}

// prune forgets the declared types that were only considered.
func (b *builder) prune(units map[*load.File]*unit) {
	used := map[*named]bool{}
	var visit func(t *typ)
	visit = func(t *typ) {
		if t == nil {
			return
		}
		visit(t.elem)
		n := t.named
		if n == nil || used[n] {
			return
		}
		used[n] = true
		visit(n.under)
		visit(n.extra)
		for _, f := range n.fields {
			visit(f.typ)
		}
		for _, v := range n.variants {
			visit(v.typ)
		}
	}
	for _, u := range units {
		if u.root != nil {
			visit(u.root.typ)
		}
	}
	maps.DeleteFunc(b.named, func(_ string, n *named) bool { return !used[n] })
	for n := range used {
		n.sums = slices.DeleteFunc(n.sums, func(sum *named) bool { return !used[sum] })
	}
}

// root is the Go type of a message.
type root struct {
	id, name string
	typ      *typ // a declared type of the message's own, with its name
}

// rootOf works out the type of a message. It is declared in the message's file, under the
// message's name, and has a method set of its own, so that it can be a jsonrt.Message: no
// interface, and no other name for a type that stands for something else too.
func (b *builder) rootOf(m *load.Message) *root {
	t := b.typeOf([]*load.Schema{m.Schema})
	own := *t
	switch {
	case t.form == formNamed && !t.nullable && t.named.shape != shapeSum:
		own.named = b.ownType(m, t.named)
	case t.form == formNamed, t.nullable, t.form == formRaw, t.form == formNull:
		own = typ{form: formNamed, named: b.wrapped(m, shapeBox, t)}
	default:
		own = typ{form: formNamed, named: b.wrapped(m, shapeAlias, t)}
	}
	own.named.name, own.named.id = m.GoName(), m.ID
	return &root{id: m.ID, name: own.named.name, typ: &own}
}

// ownType is n where n is what the message's schema declares. Where n is the type of another
// place, which the message refers to and may say more about, it is a copy.
func (b *builder) ownType(m *load.Message, n *named) *named {
	for s := m.Schema; s != nil; s = alias(s) {
		if s == n.members[0] && len(n.members) == 1 && s.File == m.Schema.File {
			return n
		}
	}
	c := *n
	c.key, c.members = rootKey(m), append([]*load.Schema{m.Schema}, n.members...)
	b.named[c.key] = &c
	b.queue = append(b.queue, &c)
	for _, s := range n.members {
		b.overridden[siteOf(s)] = true // x-go-name is heeded where the type is used as such
	}
	return &c
}

// wrapped declares the type of a message around t.
func (b *builder) wrapped(m *load.Message, shape shape, t *typ) *named {
	n := &named{key: rootKey(m), members: []*load.Schema{m.Schema}, shape: shape, under: t}
	b.named[n.key] = n
	return n
}

func rootKey(m *load.Message) string { return "root " + m.ID }
