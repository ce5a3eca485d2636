// Package modelapi holds what well-known clients and the APIs of models ask of a tool: a table
// of rules, each with who asks it, what happens otherwise, what to do and where that is
// written. An API that is sent a tool it can't take refuses the whole request, and so every
// other tool of the session with it.
//
// The compiler and the server ask Check, which knows of the rules those that a plain call
// breaks. Package lint asks Lint for all of them.
package modelapi

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Prefix is what clients put before a tool's name when the server is installed as "echo":
// mcp__SERVER__. (https://code.claude.com/docs/en/mcp)
const Prefix = "mcp__echo__"

// MaxName is how long a name may be for OpenAI, Gemini and VS Code, in characters, with what a
// client puts before it.
const MaxName = 64

// SafeName is how long a tool's own name may be for every client: MaxName less a prefix of
// mcp__ and a server's name with __ of up to twelve characters.
const SafeName = 45

// Tool is a tool as tools/list gives it.
type Tool struct {
	Name        string
	Description string
	// Input and Output are the texts of its schemas. Nil is none: a tool must have an input
	// schema and may have an output schema.
	Input, Output []byte
	// Prefix is what the client puts before the name, where that is known.
	Prefix string
}

// Finding is one place that a rule objects to.
type Finding struct {
	Rule *Rule
	// Tool is the index of the tool in the list, -1 where the rule objects to the list.
	Tool int
	// Pointer leads to the place in the input schema, or the output schema where the rule
	// looks at that; "" is its root.
	Pointer string
	// Offset is where the place begins in the schema's text, in bytes.
	Offset int
	// What says what is there, without the place.
	What string
	// Fix is an edit of the schema's text after which the rule does not object to the place. It
	// leaves the schema's meaning as it is. Nil where there is no such edit.
	Fix *Edit
}

// String is the place and what is there.
func (f Finding) String() string {
	if f.Pointer == "" {
		return f.What
	}
	return f.Pointer + ": " + f.What
}

// Options say which rules count. The zero value leaves out what only strict modes ask.
type Options struct {
	// Strict adds the rules of the APIs' strict modes, which few clients turn on.
	Strict bool
	// Schema says that the tools are bare schemas: the rules of names, descriptions and the
	// list don't count.
	Schema bool
	// Knows says of a reference that leads out of a schema that it will be followed before anyone
	// is sent the schema. Nil knows none.
	Knows func(ref string) bool
}

// Lint gives what the rules object to: first what concerns the list, then tool by tool in the
// order of the rules, and for each rule in the order of the text.
func Lint(tools []Tool, o Options) []Finding {
	var found []Finding
	rules := Rules()
	for i := range rules {
		r := &rules[i]
		if r.list == nil || o.Schema || r.Strict && !o.Strict {
			continue
		}
		for _, what := range r.list(tools) {
			found = append(found, Finding{Rule: r, Tool: -1, What: what})
		}
	}
	for n := range tools {
		input, output := read(tools[n].Input), read(tools[n].Output)
		for i := range rules {
			r := &rules[i]
			if r.tool == nil || r.Strict && !o.Strict || o.Schema && (r.Subject == OfName || r.Subject == OfDescription) {
				continue
			}
			c := checker{tool: &tools[n], schema: input, knows: o.Knows}
			if r.Subject == OfOutput {
				c.schema = output
			}
			r.tool(&c)
			slices.SortStableFunc(c.found, func(a, b Finding) int { return cmp.Compare(a.Offset, b.Offset) })
			for _, f := range c.found {
				f.Rule, f.Tool = r, n
				found = append(found, f)
			}
		}
	}
	return found
}

// Check says why a tool of this name and input schema would be refused in a plain call by
// OpenAI's function calling, by Anthropic's Messages API, by Gemini or by a client before
// them, installed as "echo"; nothing if all take it.
func Check(name string, schema []byte) []string {
	var reasons []string
	for _, f := range Lint([]Tool{{Name: name, Input: schema, Prefix: Prefix}}, Options{}) {
		if f.Rule.Level == Refused {
			reasons = append(reasons, f.String())
		}
	}
	return reasons
}

// checker is what a rule sees of one tool.
type checker struct {
	tool   *Tool
	schema *schema
	knows  func(ref string) bool
	found  []Finding
}

// say reports that a rule objects to the schema or member name at a token.
func (c *checker) say(token int, what string) {
	t := &c.schema.Tape
	f := Finding{What: what}
	if len(t.Tokens) > 0 {
		f.Offset = int(t.Tokens[token].Start)
		f.Pointer = c.schema.pointer(token)
	}
	c.found = append(c.found, f)
}

// schema is a schema that has been read.
type schema struct {
	jsontape.Tape
	// places are all schemas in it that are objects, the root first.
	places []place
	// index has the members of the objects that find has looked into: a schema may refer to any of
	// 50,000 definitions 50,000 times.
	index map[int]map[string]int
	// counts says that some schema may ask which items others have looked at.
	counts bool
	// steps says of each token what it stands in, once pointer has been asked.
	steps []step
}

// step is the way from a value or a member's name to the value that it stands in.
type step struct {
	up   int32 // the token of that value, -1 for the root
	name int32 // the token of the member's name, -1 in an array
	at   int32 // the index in an array
}

// pointer is the Pointer of a token. It takes time by the depth of the token, not by how many
// stand beside it.
func (s *schema) pointer(token int) string {
	if s.steps == nil {
		s.steps = make([]step, len(s.Tokens))
		s.steps[0].up = -1
		for i, t := range s.Tokens {
			switch t.Kind {
			case jsontape.Object:
				for k := i + 1; k < s.Next(i); k = s.Next(k + 1) {
					s.steps[k] = step{int32(i), int32(k), 0}
					s.steps[k+1] = s.steps[k]
				}
			case jsontape.Array:
				n := int32(0)
				for e := i + 1; e < s.Next(i); e = s.Next(e) {
					s.steps[e] = step{int32(i), -1, n}
					n++
				}
			case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number, jsontape.String:
			}
		}
	}
	var tokens []string
	for at := s.steps[token]; at.up >= 0; at = s.steps[at.up] {
		name := strconv.Itoa(int(at.at))
		if at.name >= 0 {
			name = s.Str(int(at.name))
		}
		tokens = append(tokens, name)
	}
	var pointer []byte
	for _, name := range slices.Backward(tokens) {
		pointer = jsontape.AppendPointerToken(pointer, name)
	}
	return string(pointer)
}

// place is a schema inside another.
type place struct {
	token int
	// up is the index of the place around it, -1 for the root.
	up int
	// in is the keyword that holds it, "" for the root.
	in string
	// level is how deep the values lie that it is about: 1 for the root, one more for each
	// object and array on the way. What is referred to counts where it stands.
	level int
}

// The keywords that hold schemas, over all drafts, by how they hold them.
var (
	holdsOne  = []string{"additionalItems", "additionalProperties", "contains", "contentSchema", "else", "if", "items", "not", "propertyNames", "then", "unevaluatedItems", "unevaluatedProperties"}
	holdsList = []string{"allOf", "anyOf", "items", "oneOf", "prefixItems"}
	holdsMap  = []string{"$defs", "definitions", "dependentSchemas", "dependencies", "patternProperties", "properties"}
	// goesDown are those that are about what is inside a value.
	goesDown = []string{"additionalItems", "additionalProperties", "contains", "items", "patternProperties", "prefixItems", "properties", "unevaluatedItems", "unevaluatedProperties"}
	// definitions are those that are about nothing unless they are referred to.
	definitions = []string{"$defs", "definitions"}
)

// read reads a schema's text. What is no JSON has no tokens and no places.
func read(text []byte) *schema {
	s := &schema{}
	if text == nil || s.Parse(text, jsontape.Options{}) != nil {
		return s
	}
	s.visit(0, -1, "", 1)
	return s
}

func (s *schema) visit(token, up int, in string, level int) {
	if s.Tokens[token].Kind != jsontape.Object {
		return
	}
	here := len(s.places)
	s.places = append(s.places, place{token, up, in, level})
	for k := token + 1; k < s.Next(token); k = s.Next(k + 1) {
		name, value := s.Str(k), k+1
		s.counts = s.counts || name == "unevaluatedItems"
		inner := level
		switch {
		case slices.Contains(goesDown, name):
			inner++
		case slices.Contains(definitions, name):
			inner = 1
		}
		switch kind := s.Tokens[value].Kind; {
		case kind == jsontape.Object && slices.Contains(holdsMap, name):
			for m := value + 1; m < s.Next(value); m = s.Next(m + 1) {
				s.visit(m+1, here, name, inner)
			}
		case kind == jsontape.Array && slices.Contains(holdsList, name):
			for m := value + 1; m < s.Next(value); m = s.Next(m) {
				s.visit(m, here, name, inner)
			}
		case slices.Contains(holdsOne, name):
			s.visit(value, here, name, inner)
		}
	}
}

// isObject reports whether the root is a JSON object.
func (s *schema) isObject() bool { return len(s.places) > 0 }

// has is the token of the value of a member, -1 if there is none.
func (s *schema) has(object int, name string) int { return s.Member(object, name) }

// is reports whether a member is of a kind.
func (s *schema) is(object int, name string, kind jsontape.Kind) bool {
	m := s.Member(object, name)
	return m >= 0 && s.Tokens[m].Kind == kind
}

// find is the token that a pointer from the root leads to, -1 if there is none.
func (s *schema) find(pointer string) int {
	token := 0
	for pointer != "" {
		if pointer[0] != '/' {
			return -1
		}
		name, rest, more := strings.Cut(pointer[1:], "/")
		pointer = ""
		if more {
			pointer = "/" + rest
		}
		if s.Tokens[token].Kind != jsontape.Object {
			inner := s.Lookup(s.pointer(token) + "/" + name)
			if inner < 0 {
				return -1
			}
			token = inner
			continue
		}
		if s.index == nil {
			s.index = map[int]map[string]int{}
		}
		members := s.index[token]
		if members == nil {
			members = make(map[string]int, s.Len(token))
			for key, n := range s.names(token) {
				members[n] = key + 1
			}
			s.index[token] = members
		}
		value, ok := members[strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")]
		if !ok {
			return -1
		}
		token = value
	}
	return token
}

// strings are the strings in an array, or the one string that stands in its place.
func (s *schema) strings(token int) []string {
	if token < 0 {
		return nil
	}
	if s.Tokens[token].Kind == jsontape.String {
		return []string{s.Str(token)}
	}
	var list []string
	if s.Tokens[token].Kind == jsontape.Array {
		for i := token + 1; i < s.Next(token); i = s.Next(i) {
			if s.Tokens[i].Kind == jsontape.String {
				list = append(list, s.Str(i))
			}
		}
	}
	return list
}

// allows reports whether a schema's type names this one.
func (s *schema) allows(token int, kind string) bool {
	return slices.Contains(s.strings(s.Member(token, "type")), kind)
}

// names gives the token of each member's name and the name.
func (s *schema) names(object int) func(yield func(int, string) bool) {
	return func(yield func(int, string) bool) {
		if object < 0 || s.Tokens[object].Kind != jsontape.Object {
			return
		}
		for k := object + 1; k < s.Next(object); k = s.Next(k + 1) {
			if !yield(k, s.Str(k)) {
				return
			}
		}
	}
}
