package modelapi

import (
	"fmt"
	"slices"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// isObjectSchema reports whether a schema is about objects.
func (s *schema) isObjectSchema(token int) bool {
	return s.allows(token, "object") || s.is(token, "properties", jsontape.Object)
}

func strictClosed(c *checker) {
	s := c.schema
	for _, p := range s.places {
		if s.isObjectSchema(p.token) && !s.is(p.token, "additionalProperties", jsontape.False) {
			c.say(p.token, `this object has no "additionalProperties": false`)
		}
	}
}

func strictRequired(c *checker) {
	s := c.schema
	for _, p := range s.places {
		required := s.required(p.token)
		for token, name := range s.names(s.has(p.token, "properties")) {
			if !required[name] {
				c.say(token, fmt.Sprintf("the property %q is not required", name))
			}
		}
	}
}

// required are the names of the members that a schema requires.
func (s *schema) required(token int) map[string]bool {
	names := map[string]bool{}
	for _, name := range s.strings(s.has(token, "required")) {
		names[name] = true
	}
	return names
}

// strictSays are the keywords by which strict modes see what a value is.
var strictSays = []string{"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref"}

func strictType(c *checker) {
	s := c.schema
	for _, p := range s.places {
		if !slices.Contains([]string{"if", "then", "else", "not"}, p.in) && !slices.ContainsFunc(strictSays, func(k string) bool { return s.has(p.token, k) >= 0 }) {
			c.say(p.token, "this schema says no type")
		}
	}
}

// notStrict are the keywords that OpenAI's strict mode refuses. The documentation names
// allOf, not, dependentRequired, dependentSchemas, if, then and else; the others are those that
// OpenAI's own SDK takes out or refuses before it sends a schema.
var notStrict = []string{
	"allOf", "dependentRequired", "dependentSchemas", "else", "if", "not", "then",
	"$anchor", "$dynamicAnchor", "$dynamicRef", "$recursiveAnchor", "$recursiveRef", "contains", "contentEncoding", "contentMediaType",
	"contentSchema", "dependencies", "maxContains", "maxProperties", "minContains", "minProperties", "oneOf", "patternProperties", "prefixItems",
	"propertyNames", "unevaluatedItems", "unevaluatedProperties", "uniqueItems",
}

func strictKeywords(c *checker) {
	for _, p := range c.schema.places {
		for token, name := range c.schema.names(p.token) {
			if slices.Contains(notStrict, name) {
				c.say(token, "this is the keyword "+name)
			}
		}
	}
}

// strictFormatNames are the formats that OpenAI's strict mode supports.
var strictFormatNames = []string{"date-time", "time", "date", "duration", "email", "hostname", "ipv4", "ipv6", "uuid"}

func strictFormats(c *checker) {
	s := c.schema
	for _, p := range s.places {
		if s.is(p.token, "format", jsontape.String) {
			if at := s.has(p.token, "format"); !slices.Contains(strictFormatNames, s.Str(at)) {
				c.say(at, fmt.Sprintf("this is the format %q", s.Str(at)))
			}
		}
	}
}

// The sizes that OpenAI documents for its strict mode.
const (
	strictProperties   = 5000    // in a schema
	strictEnumValues   = 1000    // in all enums of a schema
	strictText         = 120_000 // characters of names, and of values of enum and const, in a schema
	strictLongEnum     = 250     // strings of an enum beyond which their length counts
	strictLongEnumText = 15_000  // characters of such an enum's strings
)

func strictSizes(c *checker) {
	s := c.schema
	properties, values, text, deep := 0, 0, 0, 0
	for _, p := range s.places {
		if s.holds(p.token) {
			deep = max(deep, p.level)
		}
		for _, keyword := range []string{"properties", "$defs", "definitions"} {
			for _, name := range s.names(s.has(p.token, keyword)) {
				text += utf8.RuneCountInString(name)
				if keyword == "properties" {
					properties++
				}
			}
		}
		if value := s.has(p.token, "const"); value >= 0 {
			text += s.length(value)
		}
		list := s.has(p.token, "enum")
		if list < 0 || s.Tokens[list].Kind != jsontape.Array {
			continue
		}
		n, length := 0, 0
		for i := list + 1; i < s.Next(list); i = s.Next(i) {
			n++
			length += s.length(i)
		}
		values += n
		text += length
		if n > strictLongEnum && length > strictLongEnumText {
			c.say(list, fmt.Sprintf("this enum has %d values of %d characters, more than %d", n, length, strictLongEnumText))
		}
	}
	for _, size := range []struct {
		is, most int
		of       string
	}{
		{deep, maxLevels, "levels of nesting"},
		{properties, strictProperties, "properties"},
		{values, strictEnumValues, "values in enums"},
		{text, strictText, "characters in names and in the values of enum and const"},
	} {
		if size.is > size.most {
			c.say(0, fmt.Sprintf("the schema has %d %s, more than %d", size.is, size.of, size.most))
		}
	}
}

// length is how many characters a value has, a string without its quotes.
func (s *schema) length(token int) int {
	if s.Tokens[token].Kind == jsontape.String {
		return utf8.RuneCountInString(s.Str(token))
	}
	return utf8.RuneCount(s.Bytes(token))
}

// notAnthropic are the keywords that Anthropic's strict mode does not support.
var notAnthropic = []string{
	"exclusiveMaximum", "exclusiveMinimum", "maxItems", "maxLength", "maxProperties", "maximum", "minLength", "minProperties", "minimum", "multipleOf", "uniqueItems",
}

func strictAnthropic(c *checker) {
	s := c.schema
	for _, p := range s.places {
		for token, name := range s.names(p.token) {
			value := token + 1
			switch {
			case slices.Contains(notAnthropic, name):
				c.say(token, "this is the keyword "+name)
			case name == "minItems" && string(s.Bytes(value)) != "0" && string(s.Bytes(value)) != "1":
				c.say(token, "minItems is more than 1")
			case name == "enum" && s.Tokens[value].Kind == jsontape.Array && s.hasContainer(value):
				c.say(token, "this enum has objects or arrays")
			}
		}
	}
	if ref := s.cycle(); ref >= 0 {
		c.say(ref, "the schema is recursive by this reference")
	}
}

// hasContainer reports whether an array has an object or an array in it.
func (s *schema) hasContainer(list int) bool {
	for i := list + 1; i < s.Next(list); i = s.Next(i) {
		if k := s.Tokens[i].Kind; k == jsontape.Object || k == jsontape.Array {
			return true
		}
	}
	return false
}

// cycle is the token of the first reference found that leads to a schema around it, be it by
// other references; -1 if there is none.
func (s *schema) cycle() int {
	index := make(map[int]int, len(s.places))
	inside := make([][]int, len(s.places))
	for i, p := range s.places {
		index[p.token] = i
		if p.up >= 0 {
			inside[p.up] = append(inside[p.up], i)
		}
	}
	const open, done = 1, 2
	state := make([]int, len(s.places))
	var visit func(i int) int
	visit = func(i int) int {
		state[i] = open
		next := inside[i]
		if token := s.places[i].token; s.is(token, "$ref", jsontape.String) {
			ref := s.has(token, "$ref")
			target, known := index[s.target(s.Str(ref))]
			switch {
			case known && state[target] == open:
				return ref
			case known:
				next = append(slices.Clip(next), target)
			}
		}
		for _, n := range next {
			if state[n] == 0 {
				if found := visit(n); found >= 0 {
					return found
				}
			}
		}
		state[i] = done
		return -1
	}
	if len(s.places) == 0 {
		return -1
	}
	return visit(0)
}

// target is the token that a pointer from the root leads to, -1 if none.
func (s *schema) target(ref string) int {
	if len(ref) == 0 || ref[0] != '#' {
		return -1
	}
	return s.find(unescape(ref[1:]))
}

// The sizes that Anthropic documents for the strict tools of a request.
const (
	anthropicTools    = 20
	anthropicOptional = 24
	anthropicUnions   = 16
)

func strictAnthropicList(tools []Tool) []string {
	optional, unions := 0, 0
	for i := range tools {
		s := read(tools[i].Input)
		for _, p := range s.places {
			required := s.required(p.token)
			for token, name := range s.names(s.has(p.token, "properties")) {
				if !required[name] {
					optional++
				}
				if s.is(token+1, "type", jsontape.Array) || s.has(token+1, "anyOf") >= 0 {
					unions++
				}
			}
		}
	}
	var said []string
	for _, size := range []struct {
		is, most int
		of       string
	}{
		{len(tools), anthropicTools, "tools"},
		{optional, anthropicOptional, "optional parameters"},
		{unions, anthropicUnions, "parameters of several types"},
	} {
		if size.is > size.most {
			said = append(said, fmt.Sprintf("the list has %d %s, more than %d", size.is, size.of, size.most))
		}
	}
	return said
}
