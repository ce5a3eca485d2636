package types

import (
	"fmt"
	goconstant "go/constant"
	"go/token"
	"math"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// constantOf is the one value of some kinds that const and enum allow at a place; nil where
// there is none or there are more.
func (b *builder) constantOf(members []*load.Schema, k kinds) *constant {
	if !k.One() {
		return nil
	}
	for _, s := range b.facts.All(members, k) {
		t := &s.File.Tape
		for i := range s.Keywords {
			key := &s.Keywords[i]
			only, several := -1, false
			switch key.Go {
			case load.GoConst:
				only = key.Value
			case load.GoEnum:
				for e := range facts.Elements(t, key.Value) {
					if facts.KindOf(t, e)&k != 0 {
						several = only >= 0
						only = e
					}
					if several {
						break
					}
				}
			default: // no list of values
			}
			if only >= 0 && !several && facts.KindOf(t, only)&k != 0 {
				return constantAt(t, only)
			}
		}
	}
	return nil
}

func constantAt(t *jsontape.Tape, v int) *constant {
	if t.Tokens[v].Kind == jsontape.String {
		return stringConstant(t.Str(v))
	}
	return &constant{json: string(t.Bytes(v))}
}

func stringConstant(s string) *constant {
	return &constant{json: string(jsontape.AppendQuoted(nil, s)), plain: s}
}

// encodeConstant prints the encoding of a value that can only be the constant. The zero value
// stands for it, except behind a pointer or in an Optional, where it was given on purpose.
func (p *printer) encodeConstant(rhs string, t *typ, given bool) {
	text := p.lit(t.constant.json)
	switch t.form {
	case formNumber:
		p.P("e.ConstantNumber(", rhs, ", ", text, ")")
	case formRaw:
		p.P("e.ConstantRaw(", rhs, ", ", text, ")")
	case formBool, formString, formInt64, formUint64, formFloat64, formNamed, formNull, formSlice, formMap:
		p.P("e.Constant(", p.agrees(rhs, t, given), ", ", text, ")")
	}
}

// agrees is the Go condition under which the value rhs is the constant, or zero if it was not
// given on purpose.
func (p *printer) agrees(rhs string, t *typ, given bool) string {
	orEqual := func(zero, value string) string {
		if given || value == zero {
			return rhs + " == " + value
		}
		return rhs + " == " + zero + " || " + rhs + " == " + value
	}
	switch t.form {
	case formBool:
		switch {
		case t.constant.json == "false":
			return "!" + rhs
		case given:
			return rhs
		}
		return "true" // false is the zero value
	case formString, formNamed:
		return orEqual(`""`, p.lit(t.constant.plain))
	case formInt64, formUint64:
		n := goconstant.ToInt(goconstant.MakeFromLiteral(t.constant.json[signs(t.constant.json):], token.FLOAT, 0))
		value := n.ExactString()
		if signs(t.constant.json) > 0 && value != "0" {
			value = "-" + value
		}
		return orEqual("0", value)
	case formFloat64:
		f, err := strconv.ParseFloat(t.constant.json, 64)
		if err != nil || math.IsInf(f, 0) {
			f = 0 // float64 cannot hold it, so there is no decoded value either
		}
		return orEqual("0", fmt.Sprint(f+0))
	case formRaw, formNull, formNumber, formSlice, formMap:
	}
	return "true"
}

// signs is 1 where the number begins with a minus.
func signs(number string) int {
	if number[0] == '-' {
		return 1
	}
	return 0
}
