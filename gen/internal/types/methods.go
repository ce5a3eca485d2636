package types

import (
	"strconv"

	"github.com/zenlix/echo-mcp/gen/internal/comment"
	"github.com/zenlix/echo-mcp/gen/internal/gosrc"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// message prints what only the type of a message has. With the other methods it makes the type
// a jsonrt.Message.
func (u *unit) message(p *printer) {
	name, decode := u.root.name, "Decode"+u.root.name
	if u.file.Document != nil {
		decode = "decode" + name // the package speaks of tools; who has JSON calls json.Unmarshal
		p.P("// ", decode, " validates data and decodes it.")
	} else {
		p.P("// ", decode, " validates data and decodes it. The errors are those of Validate", name, ", and")
		p.P("// *jsonrt.DecodeError for a number that its Go type cannot hold; the result is then not complete.")
	}
	p.P("func ", decode, "(data []byte) (", name, ", error) {")
	p.P("var v ", name)
	p.P("d, err := jsonrt.ParseValid(data, schema", name, ")")
	p.P("if err != nil {")
	p.P("return v, err")
	p.P("}")
	p.decode("v", u.root.typ, plain, "0", 0)
	p.P("return v, d.Close()")
	p.P("}")
	p.P()
	p.P("func message", name, "(d *jsonrt.Decoder) jsonrt.Message {")
	if value, ok := p.simple(u.root.typ, "0"); ok {
		p.P("return ", value)
	} else {
		p.P("var v ", name)
		p.decode("v", u.root.typ, plain, "0", 0)
		p.P("return v")
	}
	p.P("}")
	p.P()
	p.P("// SchemaID is ", comment.OneLine(strconv.Quote(u.root.id)), ".")
	p.P("func (", name, ") SchemaID() string { return ", gosrc.Lit(u.root.id), " }")
	p.P()
	p.P(marshals(u.root.typ.named))
	p.P("func (v ", name, ") MarshalJSON() ([]byte, error) { return v.AppendJSON(nil) }")
	p.P()
	p.P("// AppendJSON appends what MarshalJSON gives to dst. With an error it gives dst as it was.")
	p.P("func (v ", name, ") AppendJSON(dst []byte) ([]byte, error) {")
	p.P("e := jsonrt.NewEncoder()")
	p.encodePlain("v", u.root.typ, 0)
	p.P("return e.AppendTo(dst)")
	p.P("}")
	p.P()
	p.P("// UnmarshalJSON validates data and decodes it.")
	p.P("func (v *", name, ") UnmarshalJSON(data []byte) error {")
	p.P("x, err := ", decode, "(data)")
	p.P("if err == nil {")
	p.P("*v = x")
	p.P("}")
	p.P("return err")
	p.P("}")
	p.P()
	p.validate(u.root.typ, "Validate(schema"+name+")")
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
	if !n.isMessage() {
		u.innerMethods(p, n)
	}
	p.P("func (v *", n.name, ") decode(d *jsonrt.Decoder, i int) {")
	switch n.shape {
	case shapeStruct:
		p.decodeStruct(n)
	case shapeTuple:
		p.decodeTuple(n)
	case shapeAlias:
		if value, ok := p.simple(n.under, "i"); ok {
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
	if len(n.members) != 1 {
		return "nil"
	}
	return u.checkOf(n.members[0])
}

// checkOf gives the Go expression for the check of a schema. One that is nothing but a
// reference is checked as what it refers to.
func (u *unit) checkOf(s *load.Schema) string {
	for u.options.Check != nil && s != nil {
		if name := u.options.Check(s); name != "" {
			return name
		}
		s = alias(s)
	}
	return "nil"
}

// alias is the schema that s does nothing but refer to, or nil.
func alias(s *load.Schema) *load.Schema {
	var target *load.Schema
	for i := range s.Keywords {
		switch k := &s.Keywords[i]; {
		case k.Go == load.GoRef && target == nil:
			target = k.Target
		case k.Go == load.GoAll && target == nil && len(k.Schemas) == 1:
			target = k.Schemas[0]
		case k.Check == load.NoCheck:
		default:
			return nil
		}
	}
	return target
}

// innerMethods prints the exported methods of a type inside messages.
func (u *unit) innerMethods(p *printer, n *named) {
	p.P(marshals(n))
	p.P("func (v ", n.name, ") MarshalJSON() ([]byte, error) {")
	p.P("e := jsonrt.NewEncoder()")
	p.P("v.encode(e)")
	p.P("return e.AppendTo(nil)")
	p.P("}")
	p.P()
	check := u.check(n)
	if check != "nil" {
		p.P("// UnmarshalJSON validates data and decodes it.")
	} else {
		p.P("// UnmarshalJSON decodes data. Whether it meets the limits of the schema is not checked.")
	}
	p.P("func (v *", n.name, ") UnmarshalJSON(data []byte) error {")
	p.P("var x ", n.name)
	p.P("err := jsonrt.Unmarshal(data, ", check, ", x.decode)")
	p.P("if err == nil {")
	p.P("*v = x")
	p.P("}")
	p.P("return err")
	p.P("}")
	p.P()
	if check != "nil" {
		p.validate(namedType(n), "Check("+check+")")
	}
}

// marshals is the comment of MarshalJSON.
func marshals(n *named) string {
	if n.shape == shapeStruct {
		return "// MarshalJSON encodes v. Members come in the order of the schema, then the others in theirs."
	}
	return "// MarshalJSON encodes v."
}

// validate prints the method Validate. check is the call that checks what was encoded.
func (p *printer) validate(t *typ, check string) {
	p.P("// Validate encodes v and validates the result.")
	p.P("func (v ", t.named.name, ") Validate() error {")
	p.P("e := jsonrt.NewEncoder()")
	p.encodePlain("v", t, 0)
	p.P("return e.", check)
	p.P("}")
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
