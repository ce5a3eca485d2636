package types

import (
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/names"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// decodeSum prints the function that decodes a variant by its tag.
func (p *printer) decodeSum(n *named) {
	p.P("func decode", n.name, "(d *jsonrt.Decoder, i int) ", n.name, " {")
	read := "Tag"
	if n.tag.Kind != text {
		read = "TagText"
	}
	p.P("switch d.", read, "(i, ", gosrc.Lit(n.tag.Member), ") {")
	for _, v := range n.variants {
		var values []string
		for _, value := range v.values {
			values = append(values, gosrc.Lit(value))
		}
		p.P("case ", strings.Join(values, ", "), ":")
		p.P("v := new(", v.typ.expr(), ")")
		p.P("v.decode(d, i)")
		p.P("return v")
	}
	p.P("}")
	p.P("d.UnknownTag(i, ", gosrc.Lit(n.tag.Member), ")")
	p.P("return nil")
	p.P("}")
	p.P()
}

// union prints the accessors of a union.
func (u *unit) union(p *printer, n *named) {
	for _, v := range n.variants {
		check := "nil"
		if v.schema != nil {
			check = u.checkOf(v.schema)
		}
		t := v.typ.expr()
		p.P("// As", v.label, " gives the value where it is ", aKind(v.kinds), " of this type.")
		p.P("func (v ", n.name, ") As", v.label, "() (", t, ", bool) {")
		if method, ok := p.decoderMethod(v.typ); ok {
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
	if check := u.check(n); check != "nil" && !n.isMessage() {
		p.P("// UnmarshalJSON validates data and decodes it.")
		p.P("func (v *", n.name, ") UnmarshalJSON(data []byte) error { return jsonrt.UnmarshalUnion(data, ", check, ", &v.Union) }")
		p.P()
		p.validate(namedType(n), "Check("+check+")")
	}
}

// decoderMethod is the method of jsonrt.Decoder that decodes the type.
func (p *printer) decoderMethod(t *typ) (string, bool) {
	expr, ok := p.simple(t, "")
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
	default: // the numbers: they are one kind at run time
		return "jsonrt.Number"
	}
}

func aKind(k kinds) string {
	word := strings.Join(words(k), " or ")
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
		if text := constantText(n.members, value); text != "" {
			p.Comment(text)
		}
		p.P(n.name, "_", identifiers[value], " ", n.name, " = ", gosrc.Lit(value))
	}
	p.P(")")
	p.P()
}

// constantText is what the schema says about one value of an enum whose values are branches.
func constantText(members []*load.Schema, value string) string {
	for _, s := range members {
		for i := range s.Keywords {
			k := &s.Keywords[i]
			if k.Go != load.GoUnion {
				continue
			}
			for _, branch := range k.Schemas {
				c := branch.Shows(load.GoConst)
				if c == nil {
					continue
				}
				if t := &branch.File.Tape; t.Tokens[c.Value].Kind == jsontape.String && t.Str(c.Value) == value {
					return describe([]*load.Schema{branch})
				}
			}
		}
	}
	return ""
}
