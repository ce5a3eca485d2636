package types

import (
	"cmp"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// decodeFunc prints the Decode function of the message.
func (u *unit) decodeFunc(p *printer) {
	name := u.root.name
	p.P("// Decode", name, " validates data and decodes it. The errors are those of Validate", name, ", and")
	p.P("// *jsonrt.DecodeError for a number that its Go type cannot hold; the result is then not complete.")
	p.P("func Decode", name, "(data []byte) (", name, ", error) {")
	p.P("var v ", name)
	p.P("d, err := jsonrt.ParseValid(data, schema", name, ")")
	p.P("if err != nil {")
	p.P("return v, err")
	p.P("}")
	p.decode("v", u.root.typ, plain, "0", 0)
	p.P("return v, d.Close()")
	p.P("}")
	p.P()
}

// methods prints what a type can do.
func (u *unit) methods(p *printer, n *named) {
	switch n.shape {
	case shapeEnum:
		u.constants(p, n)
		return
	case shapeSum:
		p.decodeSum(n)
		return
	case shapeUnion:
		u.union(p, n)
		return
	case shapeStruct, shapeAlias, shapeBox, shapeTuple:
	}
	p.P("// MarshalJSON encodes v. Members come in the order of the schema, then the others by name.")
	p.P("func (v ", n.name, ") MarshalJSON() ([]byte, error) {")
	p.P("var e jsonrt.Encoder")
	p.P("v.encode(&e)")
	p.P("return e.Bytes()")
	p.P("}")
	p.P()
	u.unmarshal(p, n)
	p.P("func (v *", n.name, ") decode(d *jsonrt.Decoder, i int) {")
	switch n.shape {
	case shapeStruct:
		p.decodeStruct(n)
	case shapeTuple:
		p.decodeTuple(n)
	case shapeAlias:
		if value, ok := simple(n.under, "i"); ok {
			p.P("*v = ", n.name, "(", value, ")")
		} else {
			p.decode("(*v)", n.under, plain, "i", 0)
		}
	case shapeBox:
		p.decode("v.Value", n.under, n.under.element(), "i", 0)
	case shapeEnum, shapeSum, shapeUnion:
	}
	p.P("}")
	p.P()
	p.P("func (v *", n.name, ") encode(e *jsonrt.Encoder) {")
	switch n.shape {
	case shapeStruct:
		p.encodeStruct(n)
	case shapeTuple:
		p.encodeTuple(n)
	case shapeAlias:
		p.encodeAlias(n.under)
	case shapeBox:
		p.encode("v.Value", n.under, n.under.element(), 0)
	case shapeEnum, shapeSum, shapeUnion:
	}
	p.P("}")
	p.P()
	for _, sum := range n.sums {
		p.P("func (*", n.name, ") is", sum.name, "() {}")
		p.P()
	}
}

// check gives the Go expression for the check of a type.
func (u *unit) check(n *named) string {
	if u.options.Check == nil || len(n.members) != 1 {
		return "nil"
	}
	return cmp.Or(u.options.Check(n.members[0]), "nil")
}

// unmarshal prints the methods UnmarshalJSON and Validate.
func (u *unit) unmarshal(p *printer, n *named) {
	check := u.check(n)
	if u.isRoot(n) || check != "nil" {
		p.P("// UnmarshalJSON validates data and decodes it.")
	} else {
		p.P("// UnmarshalJSON decodes data. Whether it meets the limits of the schema is not checked.")
	}
	p.P("func (v *", n.name, ") UnmarshalJSON(data []byte) error {")
	switch {
	case !u.isRoot(n):
		p.P("*v = *new(", n.name, ")")
		p.P("return jsonrt.Unmarshal(data, ", check, ", v.decode)")
	default:
		p.P("x, err := Decode", n.name, "(data)")
		p.P("if err == nil {")
		p.P("*v = x")
		p.P("}")
		p.P("return err")
	}
	p.P("}")
	p.P()
	switch {
	case u.isRoot(n):
		p.P("// Validate encodes v and validates the result.")
		p.P("func (v ", n.name, ") Validate() error { return jsonrt.ValidateValue(v, schema", n.name, ".Check) }")
	case check != "nil":
		p.P("// Validate encodes v and validates the result.")
		p.P("func (v ", n.name, ") Validate() error { return jsonrt.ValidateValue(v, ", check, ") }")
	}
	p.P()
}

// encodeAlias encodes *v as the type that it is declared as.
func (p *printer) encodeAlias(t *typ) {
	switch t.form {
	case formSlice, formMap, formRaw, formNamed:
		p.encodePlain("*v", t, 0)
	case formNull, formBool, formString, formInt64, formUint64, formFloat64, formNumber:
		p.encodePlain(t.expr()+"(*v)", t, 0)
	}
}

// decodeStruct prints the loop over the members of an object. It refuses what the encoding of
// the struct could not give back, whether the document was validated or not: an unknown member
// where there is no room for one, a required member that is missing, an empty string where
// that stands for absent.
func (p *printer) decodeStruct(n *named) {
	var required []string
	soft := false
	for _, f := range n.fields {
		if f.required {
			required = append(required, quoted(f.json))
		}
		soft = soft || f.soft
	}
	if len(required) > 0 {
		p.P("required := 0")
	}
	p.P("for m, end := d.Members(i); m < end; m = d.Next(m + 1) {")
	p.P("switch d.Name(m) {")
	for _, f := range n.fields {
		place := "v." + f.name
		p.P("case ", quoted(f.json), ":")
		if f.required {
			p.P("required++")
		}
		p.decode(place, f.typ, f.holder(), "m + 1", 0)
		if f.mustNotBeEmpty() {
			p.P("if ", place, ` == "" {`)
			p.P(`d.Fail(m+1, "must not be empty")`)
			p.P("}")
		}
		if f.soft {
			p.P("if d.Misfit(m) {")
			p.P(place, " = *new(", f.typ.held(f.holder()), ")")
			p.P("v.decodeExtra(d, m)")
			p.P("}")
		}
	}
	p.P("default:")
	switch {
	case n.extra == nil:
		p.P("d.Unknown(m)")
	case soft:
		p.P("v.decodeExtra(d, m)")
	default:
		p.decodeExtra(n)
	}
	p.P("}")
	p.P("}")
	if len(required) > 0 {
		p.P("if required != ", len(required), " {")
		p.P("d.Missing(i, ", strings.Join(required, ", "), ")")
		p.P("}")
	}
	if soft {
		p.P("}")
		p.P()
		p.P("// decodeExtra puts the member whose name is at token m into AdditionalProperties.")
		p.P("func (v *", n.name, ") decodeExtra(d *jsonrt.Decoder, m int) {")
		p.decodeExtra(n)
	}
}

// mustNotBeEmpty reports whether "" stands for an absent member, or is written as the
// constant, so that it must not come from a document.
func (f *field) mustNotBeEmpty() bool {
	isString := f.typ.form == formString || f.typ.form == formNamed && f.typ.named.shape == shapeEnum
	if !isString || f.holder() != plain {
		return false
	}
	return !f.required || f.typ.constant != nil && *f.typ.constant != ""
}

func (p *printer) decodeExtra(n *named) {
	p.P("if v.AdditionalProperties == nil {")
	p.P("v.AdditionalProperties = make(map[string]", n.extra.held(n.extra.element()), ")")
	p.P("}")
	p.decodeEntry("v.AdditionalProperties", n.extra, "m", 1)
}

// ifPresent prints the condition under which an optional field is written.
func (p *printer) ifPresent(f *field, place string) {
	switch h := f.holder(); {
	case h == optional, f.typ.form == formNamed && f.typ.named.shape == shapeUnion:
		p.P("if !", place, ".IsZero() {")
	case h == pointer, f.typ.nilable():
		p.P("if ", place, " != nil {")
	default:
		p.P("if ", place, ` != "" {`)
	}
}

// encodePresent prints the encoding of an optional field that is there.
func (p *printer) encodePresent(f *field, place string) {
	switch h := f.holder(); h {
	case pointer:
		p.encodeHeld(place, f.typ, 0)
	case optional:
		p.encode(place, f.typ, h, 0)
	case plain:
		p.encodePlain(place, f.typ, 0)
	}
}

// shortcut is the method of jsonrt.Encoder that writes an optional member in one call, and
// its argument; "" where there is none.
func (f *field) shortcut(place string) (method, argument string) {
	if f.holder() == pointer {
		switch f.typ.form {
		case formString:
			return "OptString", place
		case formBool:
			return "OptBool", place
		case formInt64:
			return "OptInt64", place
		case formUint64:
			return "OptUint64", place
		case formFloat64:
			return "OptFloat64", place
		case formRaw, formNull, formNumber, formSlice, formMap, formNamed:
		}
		return "", ""
	}
	if f.holder() != plain || f.typ.nullable {
		return "", ""
	}
	switch f.typ.form {
	case formString:
		return "OptText", place
	case formNumber:
		return "OptNumber", place
	case formRaw:
		return "OptRaw", place
	case formNamed:
		switch f.typ.named.shape {
		case shapeEnum:
			return "OptText", "string(" + place + ")"
		case shapeUnion:
			return "OptUnion", place + ".Union"
		case shapeStruct, shapeAlias, shapeBox, shapeSum, shapeTuple:
		}
	case formNull, formBool, formInt64, formUint64, formFloat64, formSlice, formMap:
	}
	return "", ""
}

func (p *printer) encodeStruct(n *named) {
	p.P("e.Object()")
	for _, f := range n.fields {
		place := "v." + f.name
		if f.required {
			p.P("e.Member(", jsonQuoted(f.json), ")")
			p.encode(place, f.typ, f.holder(), 0)
			continue
		}
		if method, argument := f.shortcut(place); method != "" {
			p.P("e.", method, "(", jsonQuoted(f.json), ", ", argument, ")")
			continue
		}
		p.ifPresent(f, place)
		p.P("e.Member(", jsonQuoted(f.json), ")")
		p.encodePresent(f, place)
		p.P("}")
	}
	if n.extra != nil {
		p.encodeEntries("v.AdditionalProperties", n.extra, 0)
	}
	p.P("e.End('}')")
}

func (p *printer) decodeTuple(n *named) {
	p.P("e := d.First(i)")
	p.P("for n := range d.ArrayLen(i) {")
	p.P("switch n {")
	for i, f := range n.fields {
		p.P("case ", i, ":")
		p.decode("v."+f.name, f.typ, f.holder(), "e", 1)
		if f.mustNotBeEmpty() {
			p.P("if v.", f.name, ` == "" {`)
			p.P(`d.Fail(e, "must not be empty")`)
			p.P("}")
		}
	}
	p.P("default:")
	if n.extra == nil {
		p.P("d.Unknown(e)")
	} else {
		p.P("v.Rest = append(v.Rest, *new(", n.extra.held(n.extra.element()), "))")
		p.decode("v.Rest[len(v.Rest)-1]", n.extra, n.extra.element(), "e", 1)
	}
	p.P("}")
	p.P("e = d.Next(e)")
	p.P("}")
	if n.fewest > 0 {
		p.P("d.AtLeast(i, ", n.fewest, ")")
	}
}

func (p *printer) encodeTuple(n *named) {
	p.P("e.Array()")
	optionals := false
	for _, f := range n.fields {
		optionals = optionals || !f.required
	}
	if optionals {
		p.P("missing := false")
	}
	for _, f := range n.fields {
		place := "v." + f.name
		if f.required {
			p.encode(place, f.typ, f.holder(), 0)
			continue
		}
		p.ifPresent(f, place)
		p.P("e.After(missing)")
		p.encodePresent(f, place)
		p.P("} else {")
		p.P("missing = true")
		p.P("}")
	}
	if n.extra != nil {
		p.P("for n := range v.Rest {")
		if optionals {
			p.P("e.After(missing)")
		}
		p.encode("v.Rest[n]", n.extra, n.extra.element(), 1)
		p.P("}")
	}
	p.P("e.End(']')")
}

// decodeSum prints the function that decodes a variant by its tag.
func (p *printer) decodeSum(n *named) {
	p.P("func decode", n.name, "(d *jsonrt.Decoder, i int) ", n.name, " {")
	p.P("switch d.Tag(i, ", quoted(n.tag), ") {")
	var all []string
	for _, v := range n.variants {
		var values []string
		for _, value := range v.values {
			values = append(values, quoted(value))
		}
		all = append(all, values...)
		p.P("case ", strings.Join(values, ", "), ":")
		p.P("v := new(", v.typ.expr(), ")")
		p.P("v.decode(d, i)")
		p.P("return v")
	}
	p.P("}")
	p.P("d.UnknownTag(i, ", quoted(n.tag), ")")
	p.P("return nil")
	p.P("}")
	p.P()
}

// union prints the accessors of a union.
func (u *unit) union(p *printer, n *named) {
	for _, v := range n.variants {
		check := "nil"
		if v.schema != nil && u.options.Check != nil {
			check = cmp.Or(u.options.Check(v.schema), "nil")
		}
		t := v.typ.expr()
		p.P("// As", v.label, " gives the value where it is ", aKind(v.kinds), " of this type.")
		p.P("func (v ", n.name, ") As", v.label, "() (", t, ", bool) {")
		if method, ok := decoderMethod(v.typ); ok {
			p.P("return jsonrt.As(v.Union, ", runtimeKinds(v.kinds), ", ", check, ", (*jsonrt.Decoder).", method, ")")
		} else {
			p.P("return jsonrt.As(v.Union, ", runtimeKinds(v.kinds), ", ", check, ", func(d *jsonrt.Decoder, i int) (x ", t, ") {")
			p.decodePlain("x", v.typ, "i", 1)
			p.P("return x")
			p.P("})")
		}
		p.P("}")
		p.P()
		p.P("// Set", v.label, " makes x the value.")
		p.P("func (v *", n.name, ") Set", v.label, "(x ", t, ") {")
		p.P("v.Union = jsonrt.UnionOf(func(e *jsonrt.Encoder) {")
		p.encodePlain("x", v.typ, 1)
		p.P("})")
		p.P("}")
		p.P()
	}
	check := u.check(n)
	switch {
	case u.isRoot(n):
		p.P("// UnmarshalJSON validates data and decodes it.")
		p.P("func (v *", n.name, ") UnmarshalJSON(data []byte) error { return jsonrt.UnmarshalUnion(data, schema", n.name, ".Check, &v.Union) }")
		p.P()
		p.P("// Validate encodes v and validates the result.")
		p.P("func (v ", n.name, ") Validate() error { return jsonrt.ValidateValue(v, schema", n.name, ".Check) }")
	case check != "nil":
		p.P("// UnmarshalJSON validates data and decodes it.")
		p.P("func (v *", n.name, ") UnmarshalJSON(data []byte) error { return jsonrt.UnmarshalUnion(data, ", check, ", &v.Union) }")
		p.P()
		p.P("// Validate encodes v and validates the result.")
		p.P("func (v ", n.name, ") Validate() error { return jsonrt.ValidateValue(v, ", check, ") }")
	}
	p.P()
}

// decoderMethod is the method of jsonrt.Decoder that decodes the type.
func decoderMethod(t *typ) (string, bool) {
	expr, ok := simple(t, "")
	if !ok || !strings.HasPrefix(expr, "d.") {
		return "", false
	}
	return strings.TrimSuffix(strings.TrimPrefix(expr, "d."), "()"), true
}

// runtimeKinds is the Go expression for a set of kinds.
func runtimeKinds(k kinds) string {
	switch k {
	case text:
		return "jsonrt.String"
	case boolean:
		return "jsonrt.Boolean"
	case array:
		return "jsonrt.Array"
	case object:
		return "jsonrt.Object"
	}
	return "jsonrt.Number"
}

func aKind(k kinds) string {
	word := strings.Join(k.words(), " or ")
	if strings.ContainsRune("aeio", rune(word[0])) {
		return "an " + word
	}
	return "a " + word
}

// constants prints the constants of an enum.
func (u *unit) constants(p *printer, n *named) {
	identifiers := names.Distinct(n.values, func(string) bool { return false })
	p.P("// The values of ", n.name, ".")
	p.P("const (")
	for _, value := range n.values {
		p.P(n.name, "_", identifiers[value], " ", n.name, " = ", quoted(value))
	}
	p.P(")")
	p.P()
	if u.isRoot(n) {
		p.P("// Validate encodes v and validates the result.")
		p.P("func (v ", n.name, ") Validate() error { return jsonrt.ValidateString(string(v), schema", n.name, ".Check) }")
		p.P()
	}
}
