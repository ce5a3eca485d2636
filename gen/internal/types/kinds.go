package types

import "github.com/zenlix/echo-mcp/gen/internal/facts"

// kinds is a set of kinds of JSON value.
type kinds = facts.Kinds

// The kinds, by short names: nearly every line here is about them.
const (
	null     = facts.Null
	boolean  = facts.Boolean
	integer  = facts.Integer
	fraction = facts.Fraction
	text     = facts.String
	array    = facts.Array
	object   = facts.Object
	number   = facts.Number
	anything = facts.Any
)

// words names the kinds as JSON Schema does, for comments.
func words(k kinds) []string {
	var words []string
	for _, kind := range []kinds{null, boolean, text, array, object} {
		if k&kind != 0 {
			words = append(words, kind.Names()...)
		}
	}
	if k&fraction != 0 {
		words = append(words, "number")
	} else if k&integer != 0 {
		words = append(words, "integer")
	}
	return words
}
