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
func Render(g *load.Graph, o Options) (files map[string][]byte, roots map[string]string, diags load.Diagnostics) {
	roots = map[string]string{}
	b, units := derive(g, o)
	b.checkOverrides(g)
	if len(b.faults) > 0 {
		return nil, nil, b.faults.Sorted()
	}
	for _, m := range g.Messages {
		roots[m.ID] = names.Message(m.ID)
	}
	files = map[string][]byte{}
	for f, u := range units {
		source, err := u.render()
		if err != nil {
			diags = append(diags, load.Diagnostic{Path: f.Path, Message: fmt.Sprintf("cannot render the Go types, which is a fault of the generator: %v", err)})
			continue
		}
		files[names.FileBase(names.File(f.Name), "types")+".go"] = source
	}
	return files, roots, diags.Sorted()
}

// derive works out and names all types, by the file that they belong to.
func derive(g *load.Graph, o Options) (*builder, map[*load.File]*unit) {
	b := newBuilder(g, o)
	units := map[*load.File]*unit{}
	unitOf := func(f *load.File) *unit {
		if units[f] == nil {
			units[f] = &unit{file: f, options: o}
		}
		return units[f]
	}
	for _, m := range g.Messages {
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
	typ      *typ
	schema   *load.Schema
}

// rootOf works out the type of a message. A struct or enum of the message's own file gets the
// message's name; any other type is declared under that name.
func (b *builder) rootOf(m *load.Message) *root {
	name := names.Message(m.ID)
	t := b.typeOf([]*load.Schema{m.Schema})
	r := &root{id: m.ID, name: name, typ: t, schema: m.Schema}
	if t.form == formNamed && !t.nullable {
		if n := t.named; n.members[0].File == m.Schema.File && n.name == "" {
			n.name = name
		}
		return r // under its own name, or as an alias of a type of another file
	}
	shape := shapeAlias
	if t.nullable || t.form == formRaw || t.form == formNull {
		shape = shapeBox
	}
	n := &named{key: "root " + m.ID, members: []*load.Schema{m.Schema}, name: name, shape: shape, under: t}
	b.named[n.key] = n
	r.typ = &typ{form: formNamed, named: n}
	return r
}
