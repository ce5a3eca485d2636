package install

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
)

// span is a piece of a text, from start up to end.
type span struct{ start, end int }

// edit puts another text in the place of a span.
type edit struct {
	span
	text string
}

// splice makes edits that don't overlap. Of those that start at the same place the first
// comes first.
func splice(text []byte, edits []edit) []byte {
	slices.SortStableFunc(edits, func(a, b edit) int { return a.start - b.start })
	var out []byte
	done := 0
	for _, e := range edits {
		out = append(append(out, text[done:e.start]...), e.text...)
		done = e.end
	}
	return append(out, text[done:]...)
}

// newlineOf is the line end that a file has.
func newlineOf(text []byte) string {
	if bytes.Contains(text, []byte("\r\n")) {
		return "\r\n"
	}
	return "\n"
}

// inline writes a value on one line, as TOML and YAML both read it.
func inline(value any, quoted func(string) string) string {
	switch v := value.(type) {
	case string:
		return quoted(v)
	case []string:
		items := make([]string, len(v))
		for i, item := range v {
			items[i] = quoted(item)
		}
		return "[" + strings.Join(items, ", ") + "]"
	default:
		return fmt.Sprint(v)
	}
}

// object is an object whose members keep their order.
type object []member

// nested puts members below objects, one for each name of a path.
func nested(path []string, members []member) []member {
	for _, name := range slices.Backward(path) {
		members = []member{{name: name, value: object(members)}}
	}
	return members
}
