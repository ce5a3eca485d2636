package modelapi

import (
	"bytes"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Edit replaces the bytes from Start to End of a schema's text.
type Edit struct {
	Start, End int
	Text       string
}

// Apply makes the edits of all findings about one schema and says how many they were. Of two
// that touch the first in the text is made: another round makes the other.
func Apply(text []byte, found []Finding) (mended []byte, count int) {
	var edits []*Edit
	for _, f := range found {
		if f.Fix != nil {
			edits = append(edits, f.Fix)
		}
	}
	slices.SortStableFunc(edits, func(a, b *Edit) int { return a.Start - b.Start })
	done := 0
	for _, e := range edits {
		if count > 0 && e.Start <= done {
			continue
		}
		mended = append(append(mended, text[done:e.Start]...), e.Text...)
		done = e.End
		count++
	}
	return append(mended, text[done:]...), count
}

// mend reports what say reports, with the edit after which it is so no more, if there is one. The
// schema then still means the same, whatever its draft.
func (c *checker) mend(token int, what string, fix *Edit) {
	c.say(token, what)
	c.found[len(c.found)-1].Fix = fix
}

// replaced is the edit that gives a value another text.
func (s *schema) replaced(token int, text string) *Edit {
	t := &s.Tokens[token]
	return &Edit{int(t.Start), int(t.End), text}
}

// asItems is the edit that gives an array the items {}, nil where some schema asks which items
// others have looked at: these would count.
func (s *schema) asItems(object int) *Edit {
	if s.counts {
		return nil
	}
	return s.inserted(object, member{"items", "{}"})
}

// anyType are the members of a schema that allows anything and says so.
var anyType = []member{{"type", `["object", "array", "string", "number", "boolean", "null"]`}, {"items", "{}"}}

// asAnything is the edit that says of a schema without a type that it allows all.
func (s *schema) asAnything(token int) *Edit {
	switch {
	case s.counts:
		return nil
	case s.Tokens[token].Kind == jsontape.True:
		return s.replaced(token, "{"+anyType[0].text(" ")+", "+anyType[1].text(" ")+"}")
	case s.Tokens[token].Kind != jsontape.Object, s.has(token, "items") >= 0:
		return nil
	}
	return s.inserted(token, anyType...)
}

// member is a member of an object as text.
type member struct{ name, value string }

// text is the member with this after its colon. The same stands after the commas of its value.
func (m member) text(space string) string {
	return `"` + m.name + `":` + space + strings.ReplaceAll(m.value, ", ", ","+space)
}

// inserted is the edit that adds members to an object: after its type, or else before all
// others, in the object's own manner of spaces and lines.
func (s *schema) inserted(object int, members ...member) *Edit {
	t := &s.Tokens[object]
	if s.Len(object) == 0 {
		return &Edit{int(t.Start) + 1, int(t.End) - 1, joined(members, " ", ", ")}
	}
	key := object + 1
	before := string(s.Data[t.Start+1 : s.Tokens[key].Start])
	after := s.Data[s.Tokens[key].End:s.Tokens[key+1].Start]
	space := ""
	if bytes.ContainsAny(after, " \t") {
		space = " "
	}
	separator := "," + space
	if strings.Contains(before, "\n") {
		separator = "," + before
	}
	if value := s.has(object, "type"); value >= 0 {
		end := int(s.Tokens[value].End)
		return &Edit{end, end, separator + joined(members, space, separator)}
	}
	start := int(s.Tokens[key].Start)
	return &Edit{start, start, joined(members, space, separator) + separator}
}

func joined(members []member, space, separator string) string {
	texts := make([]string, len(members))
	for i, m := range members {
		texts[i] = m.text(space)
	}
	return strings.Join(texts, separator)
}
