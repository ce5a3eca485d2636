package catalog

import (
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/runtimeschema"
)

// schemaText is a schema as text.
type schemaText struct {
	jsontape.Tape
	looked int // how many bytes of schemas keywords has looked at
}

// parse reads a schema; none at all is true.
func (s *schemaText) parse(text []byte) {
	if text == nil || s.Parse(text, jsontape.Options{}) != nil {
		_ = s.Parse([]byte("true"), jsontape.Options{})
	}
}

// maxReferences bounds how many references in a row are followed.
const maxReferences = 16

// follow is the schema that the one at token i stands for where it has nothing but a reference.
func (s *schemaText) follow(i int) int {
	for range maxReferences {
		ref := s.Member(i, "$ref")
		if ref < 0 || s.Len(i) > 1 || s.Tokens[ref].Kind != jsontape.String {
			break
		}
		target := runtimeschema.Find(&s.Tape, s.Str(ref))
		if target < 0 {
			break
		}
		i = target
	}
	return i
}

// keywords are the keywords of the schema at token i, by name, with those of the schema that it
// refers to.
func (s *schemaText) keywords(i int) map[string]int {
	all := make(map[string]int)
	for range maxReferences {
		if s.Tokens[i].Kind != jsontape.Object {
			break
		}
		s.looked += len(s.Bytes(i))
		for m := i + 1; m < s.Next(i); m = s.Next(m + 1) {
			if name := s.Str(m); all[name] == 0 {
				all[name] = m + 1
			}
		}
		ref := s.Member(i, "$ref")
		if ref < 0 || s.Tokens[ref].Kind != jsontape.String {
			break
		}
		target := runtimeschema.Find(&s.Tape, s.Str(ref))
		if target < 0 {
			break // a name or an anchor: its text is compared
		}
		delete(all, "$ref")
		i = target
	}
	return all
}

// text is the text of the value at token i, the same for all ways to write a string.
func (s *schemaText) text(i int) string {
	if s.Tokens[i].Kind == jsontape.String {
		return quote(s.Str(i))
	}
	return string(s.Bytes(i))
}

// texts are the texts of the values in the list at token i, in its order, or of the one value that
// stands there instead.
func (s *schemaText) texts(i int) []string {
	if s.Tokens[i].Kind != jsontape.Array {
		return []string{s.text(i)}
	}
	var list []string
	for e := i + 1; e < s.Next(i); e = s.Next(e) {
		list = append(list, s.text(e))
	}
	return list
}

// short is the text of a value, cut where it is long.
func (s *schemaText) short(i int) string { return cut(string(s.Bytes(i)), maxShort) }

// members are the members of the object at token i by name, and the names in order.
func (s *schemaText) members(i int) (names []string, values map[string]int) {
	values = make(map[string]int)
	if i == 0 || s.Tokens[i].Kind != jsontape.Object {
		return nil, values
	}
	for m := i + 1; m < s.Next(i); m = s.Next(m + 1) {
		names = append(names, s.Str(m))
		values[s.Str(m)] = m + 1
	}
	return names, values
}
