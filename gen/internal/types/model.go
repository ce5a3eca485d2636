package types

import (
	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// form is what a Go type is made of.
type form uint8

const (
	formRaw     form = iota // json.RawMessage
	formNull                // jsonrt.NullValue
	formBool                // bool
	formString              // string
	formInt64               // int64
	formUint64              // uint64
	formFloat64             // float64
	formNumber              // json.Number
	formSlice               // []elem
	formMap                 // map[string]elem
	formNamed               // a declared type
)

// typ is the Go type of a value.
type typ struct {
	form     form
	elem     *typ      // of a slice or map
	named    *named    // of a declared type
	nullable bool      // null is possible besides
	nonEmpty bool      // a string that is never ""
	constant *constant // the only value that is valid
	note     string    // why a value stays raw
}

// named is a declared type.
type named struct {
	key     string
	members []*load.Schema // the places that must all hold, see builder.typeOf
	kinds   kinds          // the kinds of value it stands for
	name    string         // given last, by nameTypes
	id      string         // of the message whose type it is, else ""
	suffix  string         // of the name, where several types have the same members

	shape shape
	under *typ // of a shapeAlias: the type that it is declared as

	fields []*field // of a struct, in the order of the schema
	extra  *typ     // value type of AdditionalProperties; nil where no more members are allowed

	values []string // of an enum

	tag      *facts.Tag // of a sum: the member that tells the variants apart
	variants []*variant // of a sum or union
	sums     []*named   // the sums that the struct is a variant of

	fewest int // of a tuple: elements that are always there
}

// isMessage reports whether the type is that of a message.
func (n *named) isMessage() bool { return n.id != "" }

// variant is one form of a sum or union.
type variant struct {
	label  string   // of a union: the word after As
	values []string // of a sum: what its tag says
	typ    *typ
	kinds  kinds        // the kinds of value that it has
	schema *load.Schema // of a union: the branch that has to hold, nil where the kind decides
}

// shape is the kind of declaration.
type shape uint8

const (
	shapeStruct shape = iota
	shapeEnum
	shapeAlias // type X []T and the like
	shapeBox   // struct{ Value T }: a message that T, an interface say, cannot be by itself
	shapeSum   // an interface that only the variants implement
	shapeUnion // a struct around raw JSON with an As method for every variant
	shapeTuple // a struct with a field for every element
)

// field is a declared member of an object.
type field struct {
	json     string // the member's name
	name     string // the Go field's
	typ      *typ
	required bool
	places   []*load.Schema // the schemas of the member
	said     []*load.Schema // where its comment comes from: those, and what they refer to
	indirect bool           // a pointer, because the type contains itself here
	soft     bool           // not proven: a value that does not fit goes to AdditionalProperties
}

// nilable reports whether the Go type has a nil of its own, which can stand for absent.
func (t *typ) nilable() bool {
	switch t.form {
	case formRaw, formSlice, formMap:
		return true
	case formNamed:
		return t.named.shape == shapeSum || t.named.shape == shapeAlias && t.named.under.nilable()
	case formNull, formBool, formString, formInt64, formUint64, formFloat64, formNumber:
	}
	return false
}

// keepsNull reports whether the Go type holds a null as a value like any other.
func (t *typ) keepsNull() bool {
	return t.form == formRaw || t.form == formNull || t.form == formNamed && t.named.shape == shapeUnion
}

// zeroIsAbsent reports whether the zero value is no valid value, so that it can stand for an
// absent member.
func (t *typ) zeroIsAbsent() bool {
	switch t.form {
	case formString:
		return t.nonEmpty
	case formNamed:
		if t.named.shape != shapeEnum {
			return t.named.shape == shapeUnion || t.nilable()
		}
		for _, v := range t.named.values {
			if v == "" {
				return false
			}
		}
		return true
	case formNumber:
		return true // "" is no number
	case formRaw, formSlice, formMap:
		return true
	case formNull, formBool, formInt64, formUint64, formFloat64:
	}
	return false
}

// constant is the one value that a place allows.
type constant struct {
	json  string // its text
	plain string // of a string: what it stands for
}

// withoutConstants is the type for a place where the constants are likely but not certain.
func (t *typ) withoutConstants() *typ {
	c := *t
	c.constant = nil
	if c.elem != nil {
		c.elem = c.elem.withoutConstants()
	}
	return &c
}

// sameConstants reports whether two types that are the same have the same constants.
func (t *typ) sameConstants(u *typ) bool {
	switch {
	case (t.constant == nil) != (u.constant == nil), t.constant != nil && *t.constant != *u.constant:
		return false
	}
	return t.elem == nil || t.elem.sameConstants(u.elem)
}

// implied reports whether the field is written although it is not required and has no value:
// its value can only be the constant. What was decoded without it stays without it.
func (f *field) implied() bool {
	return f.typ.constant != nil && !f.typ.nullable && !f.required && !f.soft
}

// holder says how a Go place holds a value that may be null or absent.
type holder uint8

const (
	plain    holder = iota // the type itself
	pointer                // a pointer: nil is absent, or null
	optional               // jsonrt.Optional: absent, null or a value
	indirect               // jsonrt.Optional of a pointer, where the type contains itself
)

// element is the holder of an array element, a map value or a required member.
func (t *typ) element() holder {
	if t.nullable && !t.nilable() {
		return pointer
	}
	return plain
}

// holder is the holder of the field.
func (f *field) holder() holder {
	switch {
	case f.typ.form == formRaw, f.typ.form == formNamed && f.typ.named.shape == shapeUnion:
		return plain
	case f.required && f.indirect:
		return pointer
	case f.required:
		return f.typ.element()
	case f.typ.nullable && f.indirect:
		return indirect
	case f.typ.nullable:
		return optional
	case f.typ.zeroIsAbsent():
		return plain
	default:
		return pointer
	}
}

// expr is the Go type as source text.
func (t *typ) expr() string {
	switch t.form {
	case formRaw:
		return "json.RawMessage"
	case formNull:
		return "jsonrt.NullValue"
	case formBool:
		return "bool"
	case formString:
		return "string"
	case formInt64:
		return "int64"
	case formUint64:
		return "uint64"
	case formFloat64:
		return "float64"
	case formNumber:
		return "json.Number"
	case formSlice:
		return "[]" + t.elem.held(t.elem.element())
	case formMap:
		return "map[string]" + t.elem.held(t.elem.element())
	case formNamed:
	}
	return t.named.name
}

// held is the Go type in a holder.
func (t *typ) held(h holder) string {
	switch h {
	case pointer:
		return "*" + t.expr()
	case optional:
		return "jsonrt.Optional[" + t.expr() + "]"
	case indirect:
		return "jsonrt.Optional[*" + t.expr() + "]"
	case plain:
	}
	return t.expr()
}

// same reports whether two types are one in Go and in what they allow.
func (t *typ) same(u *typ) bool {
	if t.form != u.form || t.nullable != u.nullable || t.named != u.named || t.nonEmpty != u.nonEmpty {
		return false
	}
	return t.elem == nil || t.elem.same(u.elem)
}
