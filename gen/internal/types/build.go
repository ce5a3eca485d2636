package types

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// builder turns places of schemas into Go types. A place is named by the schemas that must
// all hold there: one for a member with one declaration, several where allOf or a reference
// brings more.
type builder struct {
	options  Options
	possible map[*load.Schema]kinds
	named    map[string]*named
	queue    []*named
	closures map[*load.Schema][]*load.Schema

	// stack holds the keys of the slices and maps being worked out, recursive those that
	// turned out to contain themselves and therefore must be declared.
	stack     []string
	recursive map[string]bool
}

func newBuilder(g *load.Graph, o Options) *builder {
	return &builder{options: o, possible: possibleKinds(reachable(g)), named: map[string]*named{}, closures: map[*load.Schema][]*load.Schema{}, recursive: map[string]bool{}}
}

// fill works out what is inside the declared types, which may declare more.
func (b *builder) fill() {
	for len(b.queue) > 0 {
		n := b.queue[0]
		b.queue = b.queue[1:]
		if n.shape == shapeStruct {
			b.fillStruct(n)
		}
	}
}

// kindsOf is what kinds a value can have that satisfies all members.
func (b *builder) kindsOf(members []*load.Schema) kinds {
	k := anything
	for _, s := range members {
		if of, known := b.possible[s]; known {
			k &= of
		}
	}
	return k
}

// typeOf gives the Go type for a value that satisfies all members. It only ever widens: every
// such value fits the type.
func (b *builder) typeOf(members []*load.Schema) *typ {
	k := b.kindsOf(members)
	t := b.baseOf(members, k&^null)
	if k == null {
		t = &typ{form: formNull}
	}
	t.nullable = k&null != 0 && t.form != formNull && t.form != formRaw
	return t
}

// baseOf is typeOf for the kinds besides null.
func (b *builder) baseOf(members []*load.Schema, k kinds) *typ {
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
	case k|null == anything:
		return raw("any JSON value")
	}
	return raw("one of " + strings.Join(k.words(), ", "))
}

func raw(note string) *typ { return &typ{form: formRaw, note: note} }

// closure lists the schemas that apply wherever s does: s, what it refers to, and the
// branches of its allOf, in the order in which a reader meets them.
func (b *builder) closure(s *load.Schema) []*load.Schema {
	if list, known := b.closures[s]; known {
		return list
	}
	var list []*load.Schema
	seen := map[*load.Schema]bool{}
	var visit func(*load.Schema)
	visit = func(s *load.Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		list = append(list, s)
		for i := range s.Keywords {
			switch k := &s.Keywords[i]; k.Name {
			case "$ref":
				visit(k.Target)
			case "allOf":
				for _, sub := range k.Schemas {
					visit(sub)
				}
			}
		}
	}
	visit(s)
	b.closures[s] = list
	return list
}

// all is the closure of several members.
func (b *builder) all(members []*load.Schema) []*load.Schema {
	if len(members) == 1 {
		return b.closure(members[0])
	}
	var list []*load.Schema
	seen := map[*load.Schema]bool{}
	for _, m := range members {
		for _, s := range b.closure(m) {
			if !seen[s] {
				seen[s] = true
				list = append(list, s)
			}
		}
	}
	return list
}

// canonical finds the places that give a type its content: it steps from a schema that only
// refers to another one to that other one, leaves out what says nothing about the content or
// is said by another member, and sorts. No member is left where nothing says anything.
func (b *builder) canonical(members []*load.Schema) []*load.Schema {
	var list []*load.Schema
	for _, m := range members {
		if s := b.content(m, map[*load.Schema]bool{}); s != nil && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	list = slices.DeleteFunc(list, func(s *load.Schema) bool {
		for _, other := range list {
			if other != s && slices.Contains(b.closure(other), s) && !slices.Contains(b.closure(s), other) {
				return true
			}
		}
		return false
	})
	slices.SortFunc(list, comparePlaces)
	return list
}

// comparePlaces sorts message types before shared files, then by file and place.
func comparePlaces(a, b *load.Schema) int {
	shared := func(s *load.Schema) int { return strings.Count(s.File.Name, "/") }
	return cmp.Or(cmp.Compare(min(shared(a), 1), min(shared(b), 1)), cmp.Compare(a.File.Name, b.File.Name), cmp.Compare(a.Tok, b.Tok))
}

// content is the one schema in the closure of s that s only passes on to; s itself where it
// has content of its own or combines several; nil where there is no content at all.
func (b *builder) content(s *load.Schema, on map[*load.Schema]bool) *load.Schema {
	if on[s] {
		return nil
	}
	on[s] = true
	defer delete(on, s)
	if hasContent(s) {
		return s
	}
	var only *load.Schema
	for i := range s.Keywords {
		k := &s.Keywords[i]
		parts := k.Schemas
		switch k.Name {
		case "$ref":
			parts = []*load.Schema{k.Target}
		case "allOf":
		default:
			continue
		}
		for _, part := range parts {
			if part == nil {
				continue
			}
			switch c := b.content(part, on); {
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

// hasContent reports whether the schema itself says what is inside an array or object, or
// lists values or branches.
func hasContent(s *load.Schema) bool {
	for i := range s.Keywords {
		k := &s.Keywords[i]
		switch k.Name {
		case "properties", "patternProperties", "prefixItems", "anyOf", "oneOf", "dependentSchemas", "enum":
			return true
		case "additionalProperties", "items", "additionalItems":
			if len(k.Schemas) != 1 || !allowsAnything(k.Schemas[0]) {
				return true
			}
		}
	}
	return false
}

// allowsAnything reports whether the schema is true or {}.
func allowsAnything(s *load.Schema) bool {
	if s.Bool != nil {
		return *s.Bool
	}
	return len(s.Keywords) == 0
}

// declare gives the declared type for these members and kinds, a new one the first time.
func (b *builder) declare(members []*load.Schema, k kinds, shape shape) (n *named, isNew bool) {
	key := keyOf(members, k)
	if n = b.named[key]; n != nil {
		return n, false
	}
	n = &named{key: key, members: members, kinds: k, shape: shape}
	b.named[key] = n
	b.queue = append(b.queue, n)
	return n, true
}

func keyOf(members []*load.Schema, k kinds) string {
	var key strings.Builder
	for _, s := range members {
		key.WriteString(s.File.Name)
		key.WriteByte('#')
		key.WriteString(s.Pointer)
		key.WriteByte('\n')
	}
	key.WriteByte(byte('0' + k))
	return key.String()
}

func (b *builder) stringType(members []*load.Schema) *typ {
	var best *load.Schema
	var values []string
	nonEmpty := false
	for _, s := range b.all(members) {
		if k := s.Keyword("minLength"); k != nil && atLeastOne(&s.File.Tape, k.Value) {
			nonEmpty = true
		}
		k := s.Keyword("enum")
		if k == nil {
			continue
		}
		if list := strs(&s.File.Tape, k.Value); len(list) > 1 && (best == nil || len(list) < len(values)) {
			best, values = s, list
		}
	}
	if best == nil {
		return &typ{form: formString, nonEmpty: nonEmpty}
	}
	n, isNew := b.declare([]*load.Schema{best}, text, shapeEnum)
	if isNew {
		n.values = values
	}
	return &typ{form: formNamed, named: n}
}

// strs are the strings of an array.
func strs(t *jsontape.Tape, v int) []string {
	var list []string
	for e := range elements(t, v) {
		if t.Tokens[e].Kind == jsontape.String {
			list = append(list, t.Str(e))
		}
	}
	return list
}

func (b *builder) arrayType(members []*load.Schema) *typ {
	return b.container(b.canonical(members), array, func(places []*load.Schema) *typ {
		return &typ{form: formSlice, elem: b.elementType(places)}
	})
}

// container gives the type that build makes for a slice or map, declared where the type
// contains itself without a declared type in between.
func (b *builder) container(places []*load.Schema, k kinds, build func([]*load.Schema) *typ) *typ {
	key := keyOf(places, k)
	if at := slices.Index(b.stack, key); at >= 0 {
		for _, on := range b.stack[at:] {
			b.recursive[on] = true
		}
		n, _ := b.declare(places, k, shapeAlias)
		return &typ{form: formNamed, named: n}
	}
	if n := b.named[key]; n != nil {
		return &typ{form: formNamed, named: n}
	}
	b.stack = append(b.stack, key)
	t := build(places)
	b.stack = b.stack[:len(b.stack)-1]
	if !b.recursive[key] {
		return t
	}
	n, _ := b.declare(places, k, shapeAlias)
	n.under = t
	return &typ{form: formNamed, named: n}
}

// elementType is the type that every element of the array fits.
func (b *builder) elementType(members []*load.Schema) *typ {
	var every []*load.Schema // what holds for every element
	for _, s := range b.all(members) {
		if s.Keyword("prefixItems") != nil {
			continue
		}
		if k := s.Keyword("items"); k != nil && len(k.Schemas) == 1 && !isList(s, k) {
			every = append(every, k.Schemas[0])
		}
	}
	if len(every) == 0 {
		return raw("any JSON value")
	}
	return b.typeOf(every)
}

// isList reports whether items holds an array of schemas, as before 2020-12.
func isList(s *load.Schema, k *load.Keyword) bool {
	return s.File.Tape.Tokens[k.Value].Kind == jsontape.Array
}

func (b *builder) objectType(members []*load.Schema) *typ {
	places := b.canonical(members)
	if len(places) == 0 {
		return &typ{form: formMap, elem: raw("any JSON value")}
	}
	if b.isUnion(places) {
		return raw("one of several objects, see the schema")
	}
	if len(b.properties(places)) == 0 {
		return b.container(places, object, func(places []*load.Schema) *typ {
			elem := b.extraType(places)
			if elem == nil {
				elem = raw("no member is allowed")
			}
			return &typ{form: formMap, elem: elem}
		})
	}
	n, _ := b.declare(places, object, shapeStruct)
	return &typ{form: formNamed, named: n}
}

// isUnion reports whether the object is described by alternatives alone.
func (b *builder) isUnion(places []*load.Schema) bool {
	alternatives := false
	for _, s := range b.all(places) {
		if s.Keyword("properties") != nil {
			return false
		}
		for _, name := range []string{"anyOf", "oneOf"} {
			if k := s.Keyword(name); k != nil {
				alternatives = true
			}
		}
	}
	return alternatives
}

// property is a member that a schema declares by name.
type property struct {
	name     string
	places   []*load.Schema
	required bool
}

// properties lists the declared members of an object that satisfies all members, in the
// order of the schemas. A member that can never be there is left out.
func (b *builder) properties(members []*load.Schema) []*property {
	var list []*property
	byName := map[string]*property{}
	all := b.all(members)
	for _, s := range all {
		k := s.Keyword("properties")
		if k == nil {
			continue
		}
		for i, name := range k.Names {
			p := byName[name]
			if p == nil {
				p = &property{name: name}
				byName[name] = p
				list = append(list, p)
			}
			p.places = append(p.places, k.Schemas[i])
		}
	}
	for _, s := range all {
		if k := s.Keyword("required"); k != nil {
			for _, name := range strs(&s.File.Tape, k.Value) {
				if p := byName[name]; p != nil {
					p.required = true
				}
			}
		}
		// additionalProperties speaks of the members that only other schemas declare.
		additional := s.Keyword("additionalProperties")
		if additional == nil || len(additional.Schemas) != 1 || s.Keyword("patternProperties") != nil {
			continue
		}
		own := map[string]bool{}
		if k := s.Keyword("properties"); k != nil {
			for _, name := range k.Names {
				own[name] = true
			}
		}
		for _, p := range list {
			if !own[p.name] {
				p.places = append(p.places, additional.Schemas[0])
			}
		}
	}
	return slices.DeleteFunc(list, func(p *property) bool { return b.kindsOf(p.places) == 0 })
}

// extraType is the type that every member fits that no schema declares by name; nil where
// there can be none.
func (b *builder) extraType(members []*load.Schema) *typ {
	best := raw("any JSON value")
	for _, s := range b.all(members) {
		additional, patterns := s.Keyword("additionalProperties"), s.Keyword("patternProperties")
		if additional == nil || len(additional.Schemas) != 1 {
			continue // any member that matches no pattern may have any value
		}
		var candidates []*typ
		if b.kindsOf(additional.Schemas) != 0 {
			candidates = append(candidates, b.typeOf(additional.Schemas))
		}
		if patterns != nil {
			for _, sub := range patterns.Schemas {
				if b.kindsOf([]*load.Schema{sub}) != 0 {
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

// join is the type that the values of all the types fit.
func join(list []*typ) *typ {
	for _, t := range list[1:] {
		if !t.same(list[0]) {
			return raw("of several types, see the schema")
		}
	}
	return list[0]
}

func (b *builder) fillStruct(n *named) {
	for _, p := range b.properties(n.members) {
		f := &field{json: p.name, typ: b.typeOf(p.places), required: p.required, places: p.places}
		if f.typ.form != formNamed {
			f.places = b.all(p.places) // a declared type has comments of its own
		}
		n.fields = append(n.fields, f)
	}
	n.extra = b.extraType(n.members)
	var all []string
	for _, f := range n.fields {
		all = append(all, f.json)
	}
	identifiers := names.Distinct(all, func(id string) bool { return reservedFields[id] })
	for _, f := range n.fields {
		f.name = identifiers[f.json]
	}
}

// reservedFields are the names that generated code itself gives to fields and methods.
var reservedFields = map[string]bool{"AdditionalProperties": true, "MarshalJSON": true, "UnmarshalJSON": true, "Validate": true}
