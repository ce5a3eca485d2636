// Package arguments makes the arguments of a tool from what a person types, "name=value", with
// the types that the tool's input schema gives them.
package arguments

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Error is something typed that makes no argument. Its text says what to type instead.
type Error struct{ Text string }

func (e *Error) Error() string { return e.Text }

// Object makes the JSON object of arguments, in the order given, each "name=value". A value of an
// argument that is a string is the text as it stands; any other is JSON, which stays byte for byte
// as it was typed. Where the schema allows both, or doesn't say, the text is JSON if it can be.
//
// The error, an *Error, is the first argument that is malformed, given twice, not declared where
// the schema declares arguments and opens itself for no others, or not of its type.
func (s *Schema) Object(given []string) ([]byte, error) {
	object := []byte{'{'}
	var seen []string
	for _, text := range given {
		name, value, ok := strings.Cut(text, "=")
		switch {
		case !ok || name == "":
			return nil, &Error{fmt.Sprintf("%q: must be a name, = and a value, such as limit=5", text)}
		case !utf8.ValidString(text):
			return nil, &Error{fmt.Sprintf("%q: must be UTF-8", text)}
		case slices.Contains(seen, name):
			return nil, &Error{fmt.Sprintf("%s: %s is given twice; several values are one JSON array, such as %[2]s='[1,2]'", text, name)}
		}
		at := s.find(name)
		if at < 0 && !s.open {
			return nil, &Error{text + ": " + s.unknown(name)}
		}
		var a Argument
		if at >= 0 {
			a = s.declared[at]
		}
		json, ok := a.value(value)
		if !ok {
			return nil, &Error{fmt.Sprintf("%s: must be %s", text, a.Wanted())}
		}
		if len(seen) > 0 {
			object = append(object, ',')
		}
		object = append(append(jsontape.AppendQuoted(object, name), ':'), json...)
		seen = append(seen, name)
	}
	return append(object, '}'), nil
}

// unknown says that the schema declares no such argument.
func (s *Schema) unknown(name string) string {
	var names []string
	for _, a := range s.declared {
		names = append(names, a.Name)
	}
	text := fmt.Sprintf("there is no argument %q; ", name)
	if nearest := near.Names(name, names); len(nearest) > 0 {
		return text + "did you mean " + strings.Join(nearest, " or ") + "?"
	}
	return text + "there are " + strings.Join(names, ", ")
}

// value is the JSON text of what was typed, if the argument can have it.
func (a Argument) value(text string) (json []byte, ok bool) {
	quoted := jsontape.AppendQuoted(nil, text)
	if len(a.Values) > 0 {
		at := max(slices.Index(a.texts, text), slices.Index(a.Values, text))
		if at < 0 {
			return nil, false
		}
		return []byte(a.texts[at]), true
	}
	var t jsontape.Tape
	if t.Parse([]byte(text), jsontape.Options{}) == nil && a.allows(&t) {
		return []byte(strings.Trim(text, " \t\r\n")), true
	}
	return quoted, len(a.Types) == 0 || slices.Contains(a.Types, "string")
}

// allows says whether the argument can have a JSON value that is typed as JSON. A string is not
// where the argument has types: there the quotes are part of the text.
func (a Argument) allows(t *jsontape.Tape) bool {
	token := t.Tokens[0]
	if len(a.Types) == 0 {
		return true
	}
	return token.Kind != jsontape.String && slices.Contains(a.Types, token.Kind.String()) ||
		token.Kind == jsontape.Number && token.Flags&jsontape.Integer != 0 && slices.Contains(a.Types, "integer")
}

// Brief says in a word or a few what values the argument can have: "integer", "build|run".
func (a Argument) Brief() string {
	if len(a.Values) > 0 && len(a.Values) <= mostValues {
		return strings.Join(a.Values, "|")
	}
	if len(a.Types) == 0 {
		return "any"
	}
	return strings.Join(a.Types, "|")
}

// Choices are all values that the argument can have, as a person types them; nil where there are
// too many to list.
func (a Argument) Choices() []string {
	if len(a.Values) == 0 && slices.Equal(a.Types, []string{"boolean"}) {
		return []string{"true", "false"}
	}
	return a.Values
}

// mostValues is how many values of an enumeration a message lists.
const mostValues = 10

// Wanted says in words what values the argument can have: "an integer, such as 5".
func (a Argument) Wanted() string {
	if len(a.Values) > 0 {
		if more := len(a.Values) - mostValues; more > 0 {
			return fmt.Sprintf("one of %s and %d more", strings.Join(a.Values[:mostValues], ", "), more)
		}
		return "one of " + strings.Join(a.Values, ", ")
	}
	var words []string
	for _, name := range a.Types {
		switch name {
		case "integer":
			name = "an integer, such as 5"
		case "number":
			name = "a number, such as 1.5"
		case "boolean":
			name = "true or false"
		case "string":
			name = "a string"
		case "array":
			name = `a JSON array, such as '["a","b"]'`
		case "object":
			name = `a JSON object, such as '{"a":1}'`
		}
		words = append(words, name)
	}
	return strings.Join(words, "; or ")
}
