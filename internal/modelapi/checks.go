package modelapi

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// maxTools are the lengths of lists beyond which somebody refuses tools, the greatest first.
var maxTools = []struct {
	tools int
	who   string
	api   string // as in Rule.Clients
}{
	{512, "Gemini", GeminiAPI},
	{128, "OpenAI's API and VS Code", OpenAIAPI},
	{100, "Windsurf", windsurf},
}

// MaxTools is how many tools an API takes in a request, 0 where no limit is known. api is one of
// those in Rule.Clients.
func MaxTools(api string) int {
	for _, limit := range maxTools {
		if limit.api == api {
			return limit.tools
		}
	}
	return 0
}

func tooManyTools(tools []Tool) []string {
	for _, limit := range maxTools {
		if len(tools) > limit.tools {
			return []string{fmt.Sprintf("the list has %d tools, more than the %d that %s can take", len(tools), limit.tools, limit.who)}
		}
	}
	return nil
}

func repeatedNames(tools []Tool) []string {
	var said []string
	count := map[string]int{}
	for _, t := range tools {
		if count[t.Name]++; count[t.Name] == 2 {
			said = append(said, fmt.Sprintf("several tools are called %q", t.Name))
		}
	}
	return said
}

// toolName is what all three APIs take: Gemini wants a letter or _ first.
var toolName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]*$`)

func nameCharacters(c *checker) {
	switch name := c.tool.Prefix + c.tool.Name; {
	case c.tool.Name == "":
		c.say(0, "the tool has no name")
	case !toolName.MatchString(name):
		c.say(0, "the name may have only letters, digits, _ and -, and begins with a letter or _")
	case c.tool.Prefix != "" && !toolName.MatchString(c.tool.Name):
		c.say(0, "the name begins with a digit or -, and not every client puts a prefix before it")
	}
}

// longName objects to names of at least this many characters and at most that many; 0 is no
// such limit. A known prefix counts where there is none.
func longName(from, to int) func(*checker) {
	return func(c *checker) {
		n, prefix := utf8.RuneCountInString(c.tool.Name), 0
		if to == 0 {
			prefix = len(c.tool.Prefix)
		}
		switch {
		case n+prefix < from, to > 0 && n > to:
		case prefix > 0:
			c.say(0, fmt.Sprintf("the name has %d characters: with %s before it that is more than %d", n, c.tool.Prefix, from-1))
		default:
			c.say(0, fmt.Sprintf("the name has %d characters, more than %d", n, from-1))
		}
	}
}

// maxDescription is how much of a description Claude Code shows to the model, in characters.
const maxDescription = 4096

func longDescription(c *checker) {
	if n := utf8.RuneCountInString(c.tool.Description); n > maxDescription {
		c.say(0, fmt.Sprintf("the description has %d characters, more than %d", n, maxDescription))
	}
}

func rootObject(c *checker) {
	switch {
	case c.tool.Input == nil:
		c.say(0, "the tool has no input schema")
	case !c.schema.isObject():
		c.say(0, "the input schema is not a JSON object")
	}
}

func rootType(c *checker) {
	if s := c.schema; s.isObject() && !(s.is(0, "type", jsontape.String) && s.allows(0, "object")) {
		const what = `the input schema has no "type": "object" at its root`
		at := s.has(0, "type")
		if at >= 0 && slices.Equal(s.strings(at), []string{"object"}) && s.Len(at) == 1 {
			c.mend(at, what, s.replaced(at, `"object"`))
			return
		}
		c.say(max(0, at), what)
	}
}

func rootProperties(c *checker) {
	if s := c.schema; s.isObject() && s.is(0, "type", jsontape.String) && !s.is(0, "properties", jsontape.Object) {
		const what = "the input schema has no properties at its root"
		if s.has(0, "properties") >= 0 {
			c.say(0, what)
			return
		}
		c.mend(0, what, s.inserted(0, member{"properties", "{}"}))
	}
}

// atRoot objects to keywords at the root.
func atRoot(keywords ...string) func(*checker) {
	return func(c *checker) {
		for token, name := range c.schema.rootNames() {
			if slices.Contains(keywords, name) {
				c.say(token, "the input schema has "+name+" at its root")
			}
		}
	}
}

// propertyName is what the Anthropic API takes as the name of a property at the root.
var propertyName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// TakesProperty reports whether every API takes a property of this name at the root.
func TakesProperty(name string) bool { return propertyName.MatchString(name) }

func propertyNames(c *checker) {
	for token, name := range c.schema.rootProperties() {
		if !TakesProperty(name) {
			c.say(token, fmt.Sprintf("the property %q has a name that is not of 1 to 64 letters, digits, _, . and -", name))
		}
	}
}

func arrayItems(c *checker) {
	s := c.schema
	for _, p := range s.places {
		switch {
		case !s.allows(p.token, "array"):
		case s.has(p.token, "items") < 0:
			c.mend(p.token, "this array has no items", s.asItems(p.token))
		case s.is(p.token, "items", jsontape.False):
			at := s.has(p.token, "items")
			c.mend(at, `VS Code takes "items": false for no items`, s.replaced(at, `{"not": {}}`))
		}
	}
}

func lookaround(c *checker) {
	s := c.schema
	for _, p := range s.places {
		if s.is(p.token, "pattern", jsontape.String) {
			if at := s.has(p.token, "pattern"); LooksAround(s.Str(at)) {
				c.say(at, "this pattern looks around")
			}
		}
	}
}

// LooksAround reports whether a regular expression of ECMA-262 has a look-ahead or a
// look-behind: (?= (?! (?<= or (?<!, not escaped and in no class.
func LooksAround(pattern string) bool {
	class := false
	for i := 0; i < len(pattern); i++ {
		switch pattern[i] {
		case '\\':
			i++
		case '[':
			class = true
		case ']':
			class = false
		case '(':
			rest := pattern[i+1:]
			if !class && (strings.HasPrefix(rest, "?=") || strings.HasPrefix(rest, "?!") || strings.HasPrefix(rest, "?<=") || strings.HasPrefix(rest, "?<!")) {
				return true
			}
		}
	}
	return false
}

func refTargets(c *checker) { c.schema.badRefs(c.knows, c.say) }

// badRefs reports references that lead nowhere or out of the schema, but for those that are
// known to be followed.
func (s *schema) badRefs(knows func(ref string) bool, say func(int, string)) {
	anchors := map[string]bool{}
	for _, p := range s.places {
		for _, keyword := range []string{"$anchor", "$dynamicAnchor", "$id", "id"} {
			if s.is(p.token, keyword, jsontape.String) {
				anchors["#"+strings.TrimPrefix(s.Str(s.has(p.token, keyword)), "#")] = true
			}
		}
	}
	for _, p := range s.places {
		if !s.is(p.token, "$ref", jsontape.String) {
			continue
		}
		at := s.has(p.token, "$ref")
		ref := s.Str(at)
		pointer, local := strings.CutPrefix(ref, "#")
		switch {
		case !local && knows != nil && knows(ref):
		case !local:
			say(at, fmt.Sprintf("the reference %q leads out of the schema", ref))
		case pointer == "" || pointer[0] != '/':
			if pointer != "" && !anchors[ref] {
				say(at, fmt.Sprintf("nothing in the schema is called %q", ref))
			}
		case s.find(unescape(pointer)) < 0:
			say(at, fmt.Sprintf("the reference %q leads nowhere", ref))
		}
	}
}

func refs(c *checker) {
	s := c.schema
	for token, name := range s.rootProperties() {
		for _, at := range []int{s.has(token+1, "$ref"), s.has(max(0, s.has(token+1, "items")), "$ref")} {
			if at >= 0 && s.Tokens[at].Kind == jsontape.String {
				c.say(at, fmt.Sprintf("the parameter %q is a reference", name))
			}
		}
	}
}

// says are the keywords by which a client that guesses sees what a value is.
var says = []string{"type", "enum", "const", "anyOf", "oneOf", "allOf", "$ref", "$dynamicRef", "$recursiveRef", "not", "if"}

func untyped(c *checker) {
	s := c.schema
	for token, name := range s.rootProperties() {
		if !slices.ContainsFunc(says, func(k string) bool { return s.has(token+1, k) >= 0 }) && s.Tokens[token+1].Kind != jsontape.False {
			c.mend(token, fmt.Sprintf("the parameter %q has no type", name), s.asAnything(token+1))
		}
	}
}

// maxLevels is how deep schemas may nest for Kimi and for OpenAI's strict mode.
const maxLevels = 10

func depth(c *checker) {
	for _, p := range c.schema.places {
		if p.level == maxLevels+1 && c.schema.holds(p.token) {
			c.say(p.token, fmt.Sprintf("this is more than %d objects and arrays deep", maxLevels))
		}
	}
}

// holds reports whether a schema's values have something inside.
func (s *schema) holds(token int) bool {
	return s.allows(token, "object") || s.allows(token, "array") || s.has(token, "properties") >= 0 || s.has(token, "items") >= 0
}

func outputType(c *checker) {
	if s := c.schema; c.tool.Output != nil && !(s.isObject() && s.is(0, "type", jsontape.String) && s.allows(0, "object")) {
		c.say(0, `the output schema has no "type": "object" at its root`)
	}
}

func outputDialect(c *checker) {
	s := c.schema
	if _, known := s.outputDialect(); !known {
		at := s.has(0, "$schema")
		c.say(at, fmt.Sprintf("the output schema's dialect is %q", s.Str(at)))
	}
}

func outputValid(c *checker) {
	if meta, known := c.schema.outputDialect(); known && c.schema.isObject() {
		c.schema.badRefs(nil, c.say)
		c.schema.invalid(meta, c.say)
	}
}

// rootNames are the names of the root's members.
func (s *schema) rootNames() func(yield func(int, string) bool) {
	if !s.isObject() {
		return func(func(int, string) bool) {}
	}
	return s.names(0)
}

// rootProperties are the names in the root's properties.
func (s *schema) rootProperties() func(yield func(int, string) bool) {
	if !s.isObject() {
		return func(func(int, string) bool) {}
	}
	return s.names(s.has(0, "properties"))
}
