package runtimeschema

import (
	"maps"
	"math"
	"math/big"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Most schemas, those of Go types among them, use a few keywords only. Whether a value satisfies
// such a schema is found out on the tape, without the values that the library wants, which takes a
// thirtieth of the time. That only ever says yes: where it does not, and for other schemas, the
// library decides.

// plain is what a schema of those keywords wants of a value.
type plain struct {
	types     jsonrt.Types // 0 is any
	integer   bool         // numbers must be integers
	strings   []string     // of enum and const, nil for any
	minLength int
	maxLength int
	pattern   jsonschema.Regexp
	format    *jsonschema.Format
	bounds    []bound
	divisor   *jsonrt.Decimal

	properties []property
	byName     map[string]int // into properties, nil where they are few
	required   uint64
	closed     bool   // no other properties
	rest       *plain // nil is any
	minMembers int
	maxMembers int

	items    *plain // nil is any
	minItems int
	maxItems int
	unique   bool

	all []*plain // each must be satisfied
	any []*plain // one must be, nil for none
}

// property is what there is about the name of a member: what its value must be, nil for anything,
// and the bit that is set where it is required.
type property struct {
	name  string
	value *plain
	bit   uint64
}

// few is how many names are found faster by looking at each of them.
const few = 8

// property finds what there is about a name, nil if nothing.
func (p *plain) property(name string) *property {
	if p.byName != nil {
		if i, ok := p.byName[name]; ok {
			return &p.properties[i]
		}
		return nil
	}
	for i := range p.properties {
		if p.properties[i].name == name {
			return &p.properties[i]
		}
	}
	return nil
}

// bound is a limit of a number.
type bound struct {
	limit jsonrt.Decimal
	holds func(compared int) bool
}

// plainOf reads a compiled schema. It returns false where that has other keywords.
func plainOf(s *jsonschema.Schema) (*plain, bool) {
	r := plainReader{done: make(map[*jsonschema.Schema]*plain), looked: make(map[*jsonschema.Schema]bool)}
	p := r.read(s)
	return p, !r.other
}

type plainReader struct {
	done   map[*jsonschema.Schema]*plain
	looked map[*jsonschema.Schema]bool // by loops: true when it is through
	other  bool
}

// maxRequired is how many names can be required.
const maxRequired = 64

// read reads one schema, nil for none.
func (r *plainReader) read(s *jsonschema.Schema) *plain {
	if p, ok := r.done[s]; ok || s == nil {
		return p
	}
	p := &plain{maxLength: math.MaxInt, maxMembers: math.MaxInt, maxItems: math.MaxInt}
	r.done[s] = p
	switch {
	case s.Bool != nil:
		r.other = r.other || !*s.Bool
		return p
	case hasOthers(s) || r.loops(s):
		r.other = true
	}
	if r.other {
		return p
	}
	r.value(p, s)
	r.object(p, s)
	r.array(p, s)
	if s.Ref != nil {
		p.all = append(p.all, r.read(s.Ref))
	}
	for _, part := range s.AllOf {
		p.all = append(p.all, r.read(part))
	}
	for _, part := range s.AnyOf {
		p.any = append(p.any, r.read(part))
	}
	return p
}

// hasOthers reports whether a schema has keywords that plain does not know.
func hasOthers(s *jsonschema.Schema) bool {
	return s.RecursiveRef != nil || s.DynamicRef != nil || s.Not != nil || s.If != nil || s.OneOf != nil ||
		s.PropertyNames != nil || s.PatternProperties != nil || s.Dependencies != nil || s.DependentRequired != nil || s.DependentSchemas != nil ||
		s.UnevaluatedProperties != nil || s.UnevaluatedItems != nil || s.Contains != nil || s.PrefixItems != nil || s.AdditionalItems != nil ||
		s.ContentEncoding != nil || s.ContentMediaType != nil || s.ContentSchema != nil || len(s.Extensions) > 0 ||
		s.Ref != nil && s.DraftVersion < 2019 || len(s.Required) > maxRequired
}

// loops reports whether a schema comes to itself without looking at another value on the way.
func (r *plainReader) loops(s *jsonschema.Schema) bool {
	if through, met := r.looked[s]; met {
		return !through
	}
	r.looked[s] = false
	for _, part := range append(append([]*jsonschema.Schema{s.Ref}, s.AllOf...), s.AnyOf...) {
		if part != nil && r.loops(part) {
			return true
		}
	}
	r.looked[s] = true
	return false
}

// value reads what a schema says of values that are no containers, and of types.
func (r *plainReader) value(p *plain, s *jsonschema.Schema) {
	if s.Types != nil {
		names := s.Types.ToStrings()
		for _, name := range names {
			p.types |= typeNames[name]
		}
		p.integer = slices.Contains(names, "integer") && !slices.Contains(names, "number")
	}
	wanted := []any(nil)
	if s.Enum != nil {
		wanted = s.Enum.Values
		r.other = r.other || len(wanted) == 0 // an enum of nothing allows nothing
	}
	if s.Const != nil {
		r.other = r.other || wanted != nil
		wanted = []any{*s.Const}
	}
	for _, value := range wanted {
		name, ok := value.(string)
		r.other = r.other || !ok
		p.strings = append(p.strings, name)
	}
	p.minLength, p.maxLength = valueOr(s.MinLength, 0), valueOr(s.MaxLength, math.MaxInt)
	p.pattern, p.format = s.Pattern, s.Format
	for limit, holds := range map[*big.Rat]func(int) bool{
		s.Minimum:          func(c int) bool { return c >= 0 },
		s.Maximum:          func(c int) bool { return c <= 0 },
		s.ExclusiveMinimum: func(c int) bool { return c > 0 },
		s.ExclusiveMaximum: func(c int) bool { return c < 0 },
	} {
		if limit != nil {
			p.bounds = append(p.bounds, bound{jsonrt.MustDecimal(decimal(limit)), holds})
		}
	}
	if s.MultipleOf != nil {
		p.divisor = new(jsonrt.MustDecimal(decimal(s.MultipleOf)))
	}
}

// typeNames are the types by their names.
var typeNames = map[string]jsonrt.Types{
	"null": jsonrt.Null, "boolean": jsonrt.Boolean, "number": jsonrt.Number, "integer": jsonrt.Number,
	"string": jsonrt.String, "object": jsonrt.Object, "array": jsonrt.Array,
}

func valueOr(n *int, otherwise int) int {
	if n == nil {
		return otherwise
	}
	return *n
}

// object reads what a schema says of objects.
func (r *plainReader) object(p *plain, s *jsonschema.Schema) {
	p.minMembers, p.maxMembers = valueOr(s.MinProperties, 0), valueOr(s.MaxProperties, math.MaxInt)
	for _, name := range slices.Sorted(maps.Keys(s.Properties)) {
		p.properties = append(p.properties, property{name: name, value: r.read(s.Properties[name])})
	}
	rest, closed := s.AdditionalProperties.(bool)
	p.closed = closed && !rest
	if schema, ok := s.AdditionalProperties.(*jsonschema.Schema); ok {
		p.rest = r.read(schema)
	}
	for i, name := range s.Required {
		known := p.property(name)
		if known == nil {
			// What is required and not described would be one of the rest.
			r.other = r.other || p.closed || p.rest != nil
			p.properties = append(p.properties, property{name: name})
			known = &p.properties[len(p.properties)-1]
		}
		known.bit = 1 << i
		p.required |= known.bit
	}
	if len(p.properties) > few {
		p.byName = make(map[string]int, len(p.properties))
		for i := range p.properties {
			p.byName[p.properties[i].name] = i
		}
	}
}

// array reads what a schema says of arrays.
func (r *plainReader) array(p *plain, s *jsonschema.Schema) {
	p.minItems, p.maxItems, p.unique = valueOr(s.MinItems, 0), valueOr(s.MaxItems, math.MaxInt), s.UniqueItems
	p.items = r.read(s.Items2020)
	switch items := s.Items.(type) {
	case *jsonschema.Schema:
		p.items = r.read(items)
	case []*jsonschema.Schema:
		r.other = true
	}
}

// accepts reports whether the value at token v surely satisfies the schema.
func (p *plain) accepts(c *jsonrt.Checker, v int) bool {
	if p == nil {
		return true
	}
	if p.types != 0 && !c.Is(v, p.types) {
		return false
	}
	switch c.Kind(v) {
	case jsontape.Object:
		if !p.acceptsObject(c, v) {
			return false
		}
	case jsontape.Array:
		if !p.acceptsArray(c, v) {
			return false
		}
	case jsontape.String:
		if !p.acceptsString(c, v) {
			return false
		}
	case jsontape.Number:
		if !p.acceptsNumber(c, v) {
			return false
		}
	case jsontape.Null, jsontape.False, jsontape.True, jsontape.Invalid:
		if p.strings != nil {
			return false
		}
	}
	for _, part := range p.all {
		if !part.accepts(c, v) {
			return false
		}
	}
	return p.any == nil || slices.ContainsFunc(p.any, func(branch *plain) bool {
		return c.Spend(1) && branch.accepts(c, v) // branches that contain themselves can cost any amount
	})
}

func (p *plain) acceptsObject(c *jsonrt.Checker, v int) bool {
	if p.strings != nil || !within(c, v, p.minMembers, p.maxMembers) {
		return false
	}
	seen := uint64(0)
	for i, end := v+1, c.Next(v); i < end; i = c.Next(i + 1) {
		value := p.rest
		if known := p.property(c.Name(i)); known != nil {
			value = known.value
			seen |= known.bit
		} else if p.closed {
			return false
		}
		if !value.accepts(c, i+1) {
			return false
		}
	}
	return seen == p.required
}

func (p *plain) acceptsArray(c *jsonrt.Checker, v int) bool {
	if p.strings != nil || !within(c, v, p.minItems, p.maxItems) {
		return false
	}
	if p.items != nil {
		for i, end := v+1, c.Next(v); i < end; i = c.Next(i) {
			if !p.items.accepts(c, i) {
				return false
			}
		}
	}
	if !p.unique {
		return true
	}
	loud := c.Quiet()
	defer c.Restore(loud)
	return c.Unique(v, "")
}

// within reports whether a container has as many elements or members as it may have.
func within(c *jsonrt.Checker, v, least, most int) bool {
	if least <= 1 && most == math.MaxInt {
		return least == 0 || c.Next(v) > v+1
	}
	n := c.Len(v)
	return least <= n && n <= most
}

func (p *plain) acceptsString(c *jsonrt.Checker, v int) bool {
	text := c.Name(v)
	if p.strings != nil && !slices.Contains(p.strings, text) {
		return false
	}
	if p.minLength > len(text) {
		return false // a character has at least one byte
	}
	if p.minLength > 1 || p.maxLength < len(text) {
		if n := c.Runes(v); n < p.minLength || n > p.maxLength {
			return false
		}
	}
	return (p.pattern == nil || p.pattern.MatchString(text)) && (p.format == nil || p.format.Validate(text) == nil)
}

func (p *plain) acceptsNumber(c *jsonrt.Checker, v int) bool {
	if p.strings != nil || p.integer && !c.IsInteger(v) {
		return false
	}
	for i := range p.bounds {
		if b := &p.bounds[i]; !b.holds(jsonrt.CompareNumber(c.Text(v), &b.limit)) {
			return false
		}
	}
	return p.divisor == nil || jsonrt.MultipleOf(c.Text(v), p.divisor)
}
