package arguments

import (
	"iter"
	"net/url"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Argument is an argument that a schema declares.
type Argument struct {
	Name        string
	Description string
	Required    bool
	// Types are the names of the JSON types that it may have, as JSON Schema has them, or nil where
	// the schema doesn't say.
	Types []string
	// Values are the values of an enumeration, as a person types them, or nil.
	Values []string

	// texts are the JSON texts of Values.
	texts []string
}

// Schema is the input schema of a tool: which arguments there are, and of which types. What else
// it says is left to the server.
type Schema struct {
	tape     jsontape.Tape
	declared []Argument
	at       map[string]int // where in declared a name is
	// open says that arguments may have other names, too.
	open bool
}

// ReadSchema reads an input schema. One that is no JSON object declares nothing.
func ReadSchema(schema []byte) *Schema {
	s := &Schema{at: map[string]int{}}
	if s.tape.Parse(schema, jsontape.Options{}) != nil {
		return &Schema{open: true}
	}
	for i := range s.parts(0, "allOf", "anyOf", "oneOf") {
		for name, value := range s.members(s.tape.Member(i, "properties")) {
			if s.find(name) < 0 {
				s.at[name] = len(s.declared)
				s.declared = append(s.declared, s.argument(name, value))
			}
		}
		more := s.tape.Member(i, "additionalProperties")
		s.open = s.open || more >= 0 && s.tape.Tokens[more].Kind != jsontape.False || s.tape.Member(i, "patternProperties") >= 0
	}
	s.open = s.open || len(s.declared) == 0
	for i := range s.parts(0, "allOf") {
		for item := range s.elements(s.tape.Member(i, "required")) {
			if at := s.find(s.text(item)); at >= 0 {
				s.declared[at].Required = true
			}
		}
	}
	return s
}

// Arguments are the declared arguments, in the order of the schema.
func (s *Schema) Arguments() []Argument { return s.declared }

// find is the index of a declared argument, or -1.
func (s *Schema) find(name string) int {
	if at, ok := s.at[name]; ok {
		return at
	}
	return -1
}

// argument is what the schema at a token says of an argument.
func (s *Schema) argument(name string, at int) Argument {
	a := Argument{Name: name}
	seen := map[string]bool{}
	for i := range s.parts(at, "allOf", "anyOf", "oneOf") {
		if a.Description == "" {
			a.Description = s.text(s.tape.Member(i, "description"))
		}
		types := s.tape.Member(i, "type")
		a.addType(s.text(types))
		for item := range s.elements(types) {
			a.addType(s.text(item))
		}
		for value := range s.elements(s.tape.Member(i, "enum")) {
			s.addValue(&a, value, seen)
		}
		if value := s.tape.Member(i, "const"); value >= 0 {
			s.addValue(&a, value, seen)
		}
	}
	return a
}

func (a *Argument) addType(name string) {
	if name != "" && !slices.Contains(a.Types, name) {
		a.Types = append(a.Types, name)
	}
}

// addValue adds the value at a token, unless its text was seen.
func (s *Schema) addValue(a *Argument, i int, seen map[string]bool) {
	text := string(s.tape.Bytes(i))
	if seen[text] {
		return
	}
	seen[text] = true
	a.texts = append(a.texts, text)
	if s.tape.Tokens[i].Kind == jsontape.String {
		text = s.tape.Str(i)
	}
	a.Values = append(a.Values, text)
}

// parts are the schema at a token, what it refers to within the text, and the branches under these
// keywords: each once, since references may lead around.
func (s *Schema) parts(at int, branches ...string) iter.Seq[int] {
	return func(yield func(int) bool) {
		all, seen := []int{at}, map[int]bool{}
		for n := 0; n < len(all); n++ {
			i := all[n]
			if i < 0 || s.tape.Tokens[i].Kind != jsontape.Object || seen[i] {
				continue
			}
			seen[i] = true
			if !yield(i) {
				return
			}
			all = append(all, s.target(s.text(s.tape.Member(i, "$ref"))))
			for _, name := range branches {
				all = slices.AppendSeq(all, s.elements(s.tape.Member(i, name)))
			}
		}
	}
}

// target is the token of what a reference within the schema leads to, or -1.
func (s *Schema) target(ref string) int {
	fragment, within := strings.CutPrefix(ref, "#")
	pointer, err := url.PathUnescape(fragment)
	if !within || err != nil {
		return -1
	}
	return s.tape.Lookup(pointer)
}

// text is the value of a string, or "" where the token is none.
func (s *Schema) text(i int) string {
	if i < 0 || s.tape.Tokens[i].Kind != jsontape.String {
		return ""
	}
	return s.tape.Str(i)
}

// elements are the tokens of the elements of an array, none where the token is no array.
func (s *Schema) elements(array int) iter.Seq[int] {
	if array < 0 {
		return func(func(int) bool) {}
	}
	return s.tape.Elements(array)
}

// members are the names and the tokens of the values of an object.
func (s *Schema) members(object int) iter.Seq2[string, int] {
	return func(yield func(string, int) bool) {
		if object < 0 {
			return
		}
		for name, value := range s.tape.Members(object) {
			if !yield(s.tape.Str(name), value) {
				return
			}
		}
	}
}
