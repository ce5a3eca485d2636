package types

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// builder turns places into Go types.
type builder struct {
	options Options
	facts   *facts.Facts
	named   map[string]*named
	queue   []*named
	faults  load.Diagnostics

	overridden map[site]bool // schemas whose x-go-name was used

	contents  map[closureKey]*load.Schema
	bares     map[bareKey]*load.Schema
	bare      map[*load.Schema]barely // what bareOf made
	tupling   map[string]bool         // arrays whose elements are being worked out, by keyOf
	branching map[string]bool         // unions whose branches are being worked out, by keyOf

	// steps counts the places looked at. There may be 2^n of them in a schema of length n.
	steps, mostSteps int

	// stack holds the keys of the slices and maps being worked out, recursive those that
	// turned out to contain themselves and therefore must be declared.
	stack     []string
	recursive map[string]bool
}

// A schema is looked at a few times: for its own place, and for each place that refers to it.
const fewSteps, stepsForEach = 20_000, 50

func newBuilder(f *facts.Facts, o Options) *builder {
	return &builder{
		mostSteps: fewSteps + stepsForEach*len(f.Schemas()),
		options:   o, facts: f, named: map[string]*named{}, overridden: map[site]bool{},
		contents: map[closureKey]*load.Schema{},
		bares:    map[bareKey]*load.Schema{}, bare: map[*load.Schema]barely{}, tupling: map[string]bool{}, branching: map[string]bool{}, recursive: map[string]bool{},
	}
}

// fill works out what is inside the declared types, which may declare more.
func (b *builder) fill() {
	for len(b.queue) > 0 {
		n := b.queue[0]
		b.queue = b.queue[1:]
		switch n.shape {
		case shapeStruct:
			b.fillStruct(n)
		case shapeSum:
			b.fillSum(n)
		case shapeUnion:
			b.fillUnion(n)
		case shapeTuple:
			b.fillTuple(n)
		case shapeEnum, shapeAlias, shapeBox:
		}
	}
}

// typeOf gives the Go type of a place. It only ever widens: every value that satisfies all
// members fits the type.
func (b *builder) typeOf(members []*load.Schema) *typ {
	if b.steps++; b.steps > b.mostSteps {
		if b.steps == b.mostSteps+1 {
			b.faults = append(b.faults, members[0].File.At(members[0].Tok, "the Go types of these schemas would not stay small: more than %d places were looked at by the time this one was reached. Schemas that are combined in many ways, by allOf or by $ref beside other keywords, have a type for each combination: combine fewer, or give the combinations names in $defs", b.mostSteps))
		}
		return raw("any JSON value")
	}
	k := b.facts.KindsOf(members)
	if k == null {
		return &typ{form: formNull, constant: b.constantOf(members, null)}
	}
	t := b.baseOf(members, k&^null)
	switch {
	case !t.keepsNull():
		t.nullable = k&null != 0
	case k&null != 0:
		t.constant = nil // null stands in the same value, so that there are two
	}
	return t
}

// baseOf is typeOf for the kinds besides null.
func (b *builder) baseOf(members []*load.Schema, k kinds) *typ {
	only := b.constantOf(members, k)
	if only != nil && k&(array|object) != 0 {
		t := raw("only this one value is valid")
		t.constant = only
		return t
	}
	t := b.variableOf(members, k)
	if only != nil && t.constant == nil {
		t.constant = only
	}
	return t
}

// variableOf is baseOf where the value is no constant array or object.
func (b *builder) variableOf(members []*load.Schema, k kinds) *typ {
	switch {
	case k == 0:
		return raw("no value is valid here")
	case k == text:
		return b.stringType(members)
	case k == boolean:
		return &typ{form: formBool}
	case k&^number == 0:
		return b.numberType(members, k)
	case k == array:
		return b.arrayType(members)
	case k == object:
		return b.objectType(members)
	}
	return b.mixedType(members, k)
}

func raw(note string) *typ { return &typ{form: formRaw, note: note} }

// declare gives the declared type for a place and kinds, a new one the first time.
func (b *builder) declare(members []*load.Schema, k kinds, shape shape) (n *named, isNew bool) {
	key := b.keyOf(members, k)
	if n = b.named[key]; n != nil {
		return n, false
	}
	n = &named{key: key, members: members, kinds: k, shape: shape}
	b.named[key] = n
	b.queue = append(b.queue, n)
	return n, true
}

func namedType(n *named) *typ { return &typ{form: formNamed, named: n} }

// container gives the type that build makes for a slice or map, declared where the type
// contains itself without a declared type in between.
func (b *builder) container(places []*load.Schema, k kinds, build func([]*load.Schema) *typ) *typ {
	key := b.keyOf(places, k)
	if at := slices.Index(b.stack, key); at >= 0 {
		for _, on := range b.stack[at:] {
			b.recursive[on] = true
		}
		n, _ := b.declare(places, k, shapeAlias)
		return namedType(n)
	}
	if n := b.named[key]; n != nil {
		return namedType(n)
	}
	b.stack = append(b.stack, key)
	t := build(places)
	b.stack = b.stack[:len(b.stack)-1]
	if !b.recursive[key] {
		return t
	}
	n, _ := b.declare(places, k, shapeAlias)
	n.under = t
	return namedType(n)
}

// join is the type that the values of all the types fit; raw where there is none better.
func join(list []*typ) *typ {
	for _, t := range list[1:] {
		if !t.same(list[0]) {
			return raw("of several types, see the schema")
		}
	}
	for _, t := range list[1:] {
		if !t.sameConstants(list[0]) {
			return list[0].withoutConstants()
		}
	}
	return list[0]
}

// mixedType is the type for values of several kinds: a union, or raw JSON where the schema
// says nothing about any of them.
func (b *builder) mixedType(members []*load.Schema, k kinds) *typ {
	places := b.canonical(members, k)
	if len(places) == 0 {
		if k|null == anything {
			return raw("any JSON value")
		}
		return raw("one of " + strings.Join(words(k), ", "))
	}
	n, _ := b.declare(places, k, shapeUnion)
	return namedType(n)
}
