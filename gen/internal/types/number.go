package types

import (
	"math"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// numberType is int64 for integers, uint64 or json.Number where the schema itself says that
// they go beyond, and float64 for what may have a fraction.
func (b *builder) numberType(members []*load.Schema, k kinds) *typ {
	if b.options.ExactNumbers {
		return &typ{form: formNumber}
	}
	if k != integer {
		return &typ{form: formFloat64}
	}
	largest := jsonrt.MustDecimal("18446744073709551615")
	form := formInt64
	notNegative := false
	widen := func(t *jsontape.Tape, v int) {
		switch text := t.Bytes(v); {
		case jsonrt.CompareInt(text, math.MinInt64) < 0, jsonrt.CompareNumber(text, &largest) > 0:
			form = formNumber
		case jsonrt.CompareInt(text, math.MaxInt64) > 0 && form == formInt64:
			form = formUint64
		}
	}
	for _, s := range b.facts.All(members, integer) {
		t := &s.File.Tape
		for i := range s.Keywords {
			key := &s.Keywords[i]
			isNumber := t.Tokens[key.Value].Kind == jsontape.Number
			switch key.Go {
			case load.GoLeast:
				if isNumber {
					widen(t, key.Value)
					notNegative = notNegative || jsonrt.CompareInt(t.Bytes(key.Value), 0) >= 0
				}
			case load.GoMost:
				if isNumber {
					widen(t, key.Value)
				}
			case load.GoConst:
				if isNumber {
					widen(t, key.Value)
				}
			case load.GoEnum:
				for e := range facts.Elements(t, key.Value) {
					if t.Tokens[e].Kind == jsontape.Number {
						widen(t, e)
					}
				}
			default: // the others do not say how large a number is
			}
		}
	}
	if form == formUint64 && !notNegative {
		form = formNumber
	}
	return &typ{form: form}
}

// atLeastOne reports whether the number is 1 or more.
func atLeastOne(t *jsontape.Tape, v int) bool {
	return t.Tokens[v].Kind == jsontape.Number && jsonrt.CompareInt(t.Bytes(v), 1) >= 0
}
