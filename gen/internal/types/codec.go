package types

import (
	"strconv"
	"strings"
)

// simple is the Go expression that decodes the value at tok in one call; false where it takes
// statements.
func (p *printer) simple(t *typ, tok string) (string, bool) {
	value, ok := simpleVariable(t, tok)
	if ok && t.constant != nil && t.form != formNull {
		return "jsonrt.ConstantOf(d, " + tok + ", " + p.lit(t.constant.json) + ", " + value + ")", true
	}
	return value, ok
}

// simpleVariable is simple for a value that is no constant.
func simpleVariable(t *typ, tok string) (string, bool) {
	call := func(method string) (string, bool) { return "d." + method + "(" + tok + ")", true }
	switch t.form {
	case formRaw:
		return call("Raw")
	case formNull:
		return call("Null")
	case formBool:
		return call("Bool")
	case formString:
		return call("String")
	case formInt64:
		return call("Int64")
	case formUint64:
		return call("Uint64")
	case formFloat64:
		return call("Float64")
	case formNumber:
		return call("Number")
	case formNamed:
		switch t.named.shape {
		case shapeEnum:
			return t.named.name + "(d.String(" + tok + "))", true
		case shapeUnion:
			return t.named.name + "{d.Union(" + tok + ")}", true
		case shapeSum:
			return "decode" + t.named.name + "(d, " + tok + ")", true
		case shapeStruct, shapeAlias, shapeBox, shapeTuple:
		}
	case formSlice, formMap:
	}
	return "", false
}

// hasMethods reports whether the type has methods decode and encode.
func (t *typ) hasMethods() bool {
	if t.form != formNamed {
		return false
	}
	switch t.named.shape {
	case shapeStruct, shapeAlias, shapeBox, shapeTuple:
		return true
	case shapeEnum, shapeSum, shapeUnion:
	}
	return false
}

// decode prints the statements that decode the value at token tok into the place lhs. depth
// counts the loops around, to give each its own variables.
func (p *printer) decode(lhs string, t *typ, h holder, tok string, depth int) {
	value, isSimple := p.simple(t, tok)
	switch h {
	case optional, indirect:
		p.P("if d.IsNull(", tok, ") {")
		switch {
		case h == indirect:
			p.P(lhs, " = jsonrt.NullOf[*", t.expr(), "]()")
			p.P("} else {")
			p.P("x := new(", t.expr(), ")")
			p.decodePlain("x", t, tok, depth)
			p.P(lhs, " = jsonrt.Some(x)")
		case isSimple:
			p.P(lhs, " = jsonrt.NullOf[", t.expr(), "]()")
			p.P("} else {")
			p.P(lhs, " = jsonrt.Some(", value, ")")
		default:
			p.P(lhs, " = jsonrt.NullOf[", t.expr(), "]()")
			p.P("} else {")
			p.P("var x ", t.expr())
			p.decodePlain("x", t, tok, depth)
			p.P(lhs, " = jsonrt.Some(x)")
		}
		p.P("}")
	case pointer:
		if t.nullable {
			p.P("if !d.IsNull(", tok, ") {")
			defer p.P("}")
		}
		switch {
		case t.constant != nil:
			p.P(lhs, " = new(", value, ")")
		case t.form == formString, t.form == formBool, t.form == formInt64, t.form == formFloat64:
			p.P(lhs, " = ", strings.Replace(value, "(", "Ptr(", 1))
		case isSimple:
			p.P(lhs, " = new(", value, ")")
		case t.hasMethods():
			p.P(lhs, " = new(", t.expr(), ")")
			p.decodePlain(lhs, t, tok, depth)
		default:
			p.P("x := new(", t.expr(), ")")
			p.decodePlain("(*x)", t, tok, depth)
			p.P(lhs, " = x")
		}
	case plain:
		if t.nullable {
			p.P("if !d.IsNull(", tok, ") {")
			defer p.P("}")
		}
		p.decodePlain(lhs, t, tok, depth)
	}
}

// decodePlain is decode for a value that is there and not null.
func (p *printer) decodePlain(lhs string, t *typ, tok string, depth int) {
	if value, ok := p.simple(t, tok); ok {
		p.P(lhs, " = ", value)
		return
	}
	switch t.form {
	case formSlice:
		n, e := variable("n", depth), variable("e", depth)
		p.P(lhs, " = make(", t.expr(), ", d.ArrayLen(", tok, "))")
		p.P(e, " := d.First(", tok, ")")
		p.P("for ", n, " := range ", lhs, " {")
		p.decode(lhs+"["+n+"]", t.elem, t.elem.element(), e, depth+1)
		p.P(e, " = d.Next(", e, ")")
		p.P("}")
	case formMap:
		m, end := variable("m", depth+1), variable("end", depth+1)
		p.P(lhs, " = make(", t.expr(), ", d.Len(", tok, "))")
		p.P("for ", m, ", ", end, " := d.Members(", tok, "); ", m, " < ", end, "; ", m, " = d.Next(", m, " + 1) {")
		p.decodeEntry(lhs, "Key", t.elem, m, depth+1)
		p.P("}")
	case formNamed:
		p.P(lhs, ".decode(d, ", tok, ")")
	case formRaw, formNull, formBool, formString, formInt64, formUint64, formFloat64, formNumber:
	}
}

// decodeEntry prints the statements that decode the member whose name is at token m into the
// map lhs.
func (p *printer) decodeEntry(lhs, key string, t *typ, m string, depth int) {
	h := t.element()
	if value, ok := p.simple(t, m+" + 1"); ok && h == plain {
		p.P(lhs, "[d.", key, "(", m, ")] = ", value)
		return
	}
	x := variable("x", depth)
	p.P("var ", x, " ", t.held(h))
	p.decode(x, t, h, m+" + 1", depth)
	p.P(lhs, "[d.", key, "(", m, ")] = ", x)
}

func variable(name string, depth int) string {
	if depth == 0 {
		return name
	}
	return name + strconv.Itoa(depth+1)
}

// encode prints the statements that encode the value of the place rhs, which must be
// addressable where its type is declared.
func (p *printer) encode(rhs string, t *typ, h holder, depth int) {
	switch h {
	case optional, indirect:
		x := variable("x", depth)
		if h == indirect {
			p.P("if ", x, ", ok := ", rhs, ".Get(); ok && ", x, " == nil {")
			p.P("e.Missing()")
			p.P("} else if ok {")
		} else {
			p.P("if ", x, ", ok := ", rhs, ".Get(); ok {")
		}
		p.encodeGiven(x, t, depth+1)
		p.P("} else {")
		p.P("e.Null()")
		p.P("}")
	case pointer:
		p.P("if ", rhs, " == nil {")
		if t.nullable {
			p.P("e.Null()")
		} else {
			p.P("e.Missing()")
		}
		p.P("} else {")
		p.encodeHeld(rhs, t, depth)
		p.P("}")
	case plain:
		if t.nullable {
			p.P("if ", rhs, " == nil {")
			p.P("e.Null()")
			p.P("} else {")
			defer p.P("}")
			if t.form == formNamed && t.named.shape == shapeSum {
				p.P(rhs, ".encode(e)") // it is not nil
				return
			}
		}
		p.encodePlain(rhs, t, depth)
	}
}

// encodeHeld encodes what the pointer rhs points to.
func (p *printer) encodeHeld(rhs string, t *typ, depth int) {
	if t.hasMethods() {
		p.P(rhs, ".encode(e)")
		return
	}
	p.encodeGiven("*"+rhs, t, depth)
}

// encodeGiven is encodePlain for a value whose holder can be empty.
func (p *printer) encodeGiven(rhs string, t *typ, depth int) {
	if t.constant != nil && t.form != formNull {
		p.encodeConstant(rhs, t, true)
		return
	}
	p.encodePlain(rhs, t, depth)
}

// encodePlain is encode for a value that is there and not null.
func (p *printer) encodePlain(rhs string, t *typ, depth int) {
	if t.constant != nil && t.form != formNull {
		p.encodeConstant(rhs, t, false)
		return
	}
	call := func(method string) { p.P("e.", method, "(", rhs, ")") }
	switch t.form {
	case formRaw:
		call("Raw")
	case formNull:
		call("NullValue")
	case formBool:
		call("Bool")
	case formString:
		call("String")
	case formInt64:
		call("Int64")
	case formUint64:
		call("Uint64")
	case formFloat64:
		call("Float64")
	case formNumber:
		call("Number")
	case formSlice:
		n := variable("n", depth)
		p.P("e.Array()")
		body := p.Capture(func() { p.encode(indexed(rhs, n), t.elem, t.elem.element(), depth+1) })
		if strings.Contains(body, indexed(rhs, n)) {
			p.P("for ", n, " := range ", rhs, " {")
		} else { // a constant for which any value stands
			p.P("for range ", rhs, " {")
		}
		p.P(body, "}")
		p.P("e.End(']')")
	case formMap:
		p.P("e.Object()")
		p.encodeEntries(rhs, "jsonrt.Keys(e, "+rhs+")", nil, t.elem, depth)
		p.P("e.End('}')")
	case formNamed:
		p.encodeNamed(rhs, t)
	}
}

func (p *printer) encodeNamed(rhs string, t *typ) {
	switch t.named.shape {
	case shapeEnum:
		p.P("e.String(string(", rhs, "))")
	case shapeUnion:
		p.P("e.Union(", rhs, ".Union)")
	case shapeSum:
		p.P("if ", rhs, " == nil {")
		p.P("e.Missing()")
		p.P("} else {")
		p.P(rhs, ".encode(e)")
		p.P("}")
	case shapeStruct, shapeAlias, shapeBox, shapeTuple:
		p.P(rhs, ".encode(e)")
	}
}

// encodeEntries encodes the entries of the map rhs as members, beside those of the fields.
func (p *printer) encodeEntries(rhs, keys string, fields []*field, t *typ, depth int) {
	k := variable("k", depth)
	p.P("for _, ", k, " := range ", keys, " {")
	p.P("e.Name(", k, ")")
	p.repeated(fields, k)
	value := indexed(rhs, k)
	if t.hasMethods() && t.element() == plain {
		// A map entry has no address.
		x := variable("x", depth)
		p.P(x, " := ", value)
		value = x
	}
	p.encode(value, t, t.element(), depth+1)
	p.P("}")
}

func indexed(rhs, index string) string {
	if strings.HasPrefix(rhs, "*") {
		rhs = "(" + rhs + ")"
	}
	return rhs + "[" + index + "]"
}
