package types

import (
	"slices"
	"strings"
)

// decodeStruct prints the loop over the members of an object. It refuses what the encoding of
// the struct could not give back, whether the document was validated or not: an unknown member
// where there is no room for one, a required member that is missing, an empty string where
// that stands for absent.
func (p *printer) decodeStruct(n *named) {
	var required []string
	soft := false
	for _, f := range n.fields {
		if f.required {
			required = append(required, p.lit(f.json))
		}
		soft = soft || f.soft
	}
	if len(required) > 0 {
		p.P("required := 0")
	}
	if n.extra != nil {
		p.P("mark := d.Mark()")
	}
	implied := n.implied()
	for i := range implied {
		p.P("v.absent[", i, "] = true")
	}
	p.P("for m, end := d.Members(i); m < end; m = d.Next(m + 1) {")
	p.P("switch d.Name(m) {")
	for _, f := range n.fields {
		place := "v." + f.name
		p.P("case ", p.lit(f.json), ":")
		if at := slices.Index(implied, f); at >= 0 {
			p.P("v.absent[", at, "] = false")
		}
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
	if n.extra != nil {
		p.P("v.order = d.Order(mark)")
	}
	if soft {
		p.P("}")
		p.P()
		p.P("// decodeExtra puts the member whose name is at token m into AdditionalProperties.")
		p.P("func (v *", n.name, ") decodeExtra(d *jsonrt.Decoder, m int) {")
		p.decodeExtra(n)
	}
}

// mustNotBeEmpty reports whether "" stands for an absent member, so that it must not come
// from a document.
func (f *field) mustNotBeEmpty() bool {
	isString := f.typ.form == formString || f.typ.form == formNamed && f.typ.named.shape == shapeEnum
	if !isString || f.holder() != plain {
		return false
	}
	return !f.required
}

func (p *printer) decodeExtra(n *named) {
	p.P("if v.AdditionalProperties == nil {")
	p.P("v.AdditionalProperties = make(map[string]", n.extra.held(n.extra.element()), ")")
	p.P("}")
	p.decodeEntry("v.AdditionalProperties", "ExtraKey", n.extra, "m", 1)
}

// ifPresent prints the condition under which an optional field is written.
func (p *printer) ifPresent(f *field, place string) {
	switch h := f.holder(); {
	case h == optional, h == indirect, f.typ.form == formNamed && f.typ.named.shape == shapeUnion:
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
	case optional, indirect:
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

// implied lists the fields whose constant is written although nothing requires them.
func (n *named) implied() []*field {
	var list []*field
	for _, f := range n.fields {
		if f.implied() {
			list = append(list, f)
		}
	}
	return list
}

// repeated prints the refusal of entries of AdditionalProperties that would be there twice.
// The entry of a soft field may stand for the field.
func (p *printer) repeated(fields []*field, key string) {
	var declared []string
	for _, f := range fields {
		if !f.soft {
			declared = append(declared, p.lit(f.json))
		}
	}
	if len(fields) == 0 {
		return
	}
	p.P("switch ", key, " {")
	if len(declared) > 0 {
		p.P("case ", strings.Join(declared, ", "), ":")
		p.P("e.Repeated()")
	}
	for _, f := range fields {
		if f.soft {
			p.P("case ", p.lit(f.json), ":")
			p.ifPresent(f, "v."+f.name)
			p.P("e.Repeated()")
			p.P("}")
		}
	}
	p.P("}")
}

func (p *printer) encodeStruct(n *named) {
	if len(n.sums) > 0 {
		p.P("if v == nil {")
		p.P("e.Missing()")
		p.P("return")
		p.P("}")
	}
	implied := n.implied()
	p.P("e.Object()")
	for _, f := range n.fields {
		place := "v." + f.name
		if f.required {
			p.P("e.Member(", p.jsonLit(f.json), ")")
			p.encode(place, f.typ, f.holder(), 0)
			continue
		}
		if at := slices.Index(implied, f); at >= 0 {
			p.ifPresent(f, place)
			p.P("e.Member(", p.jsonLit(f.json), ")")
			p.encodePresent(f, place)
			p.P("} else if !v.absent[", at, "] {")
			p.P("e.OptConstant(", p.jsonLit(f.json), ", ", p.lit(f.typ.constant.json), ")")
			p.P("}")
			continue
		}
		if method, argument := f.shortcut(place); method != "" {
			p.P("e.", method, "(", p.jsonLit(f.json), ", ", argument, ")")
			continue
		}
		p.ifPresent(f, place)
		p.P("e.Member(", p.jsonLit(f.json), ")")
		p.encodePresent(f, place)
		p.P("}")
	}
	if n.extra != nil {
		p.encodeEntries("v.AdditionalProperties", "jsonrt.OrderedKeys(e, v.AdditionalProperties, v.order)", n.fields, n.extra, 0)
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
