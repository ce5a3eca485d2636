// Package modelapi holds what the APIs of models ask of a tool. An API that is sent a tool it
// can't take refuses the whole request, and so every other tool of the session with it.
//
// Each rule names where it comes from. Much of it is documented only by the API's own error.
package modelapi

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Prefix is what clients put before a tool's name when the server is installed as "echo":
// mcp__SERVER__. (github.com/xsyetopz/claudetto/wiki/Claude-Code-MCP-Runtime)
const Prefix = "mcp__echo__"

// MaxName is how long a name may be, in characters, prefix included: 64 for OpenAI and for
// Gemini. (cloud.google.com/vertex-ai/generative-ai/docs, FunctionDeclaration.name)
const MaxName = 64

// SafeName is how long a tool's own name may be for every client: MaxName less a prefix of
// mcp__ and a server's name with __ of up to twelve characters.
const SafeName = 45

// propertyName is what the Anthropic API takes as the name of a property at the root.
// (github.com/anthropics/claude-code: "Property keys should match pattern", as in
// github.com/twilio-labs/mcp issue 58)
var propertyName = regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`)

// toolName is what all three take: Gemini wants a letter or _ first.
var toolName = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]*$`)

// notAtRoot are keywords that no input schema may have at its root. OpenAI refuses them all:
// "schema must have type 'object' and not have 'oneOf'/'anyOf'/'allOf'/'enum'/'const'/'not' at
// the top level" (github.com/goruck/home-generative-agent pull request 545); Anthropic oneOf,
// anyOf and allOf (github.com/anthropics/claude-code issue 5973). A $ref hides the type.
var notAtRoot = []string{"oneOf", "anyOf", "allOf", "enum", "const", "not", "$ref", "$dynamicRef", "$recursiveRef"}

// elsewhere are keywords that make a schema depend on its place or on its dialect. Anthropic
// checks against draft 2020-12 whatever $schema says.
// (github.com/anthropics/claude-code issue 7365: "It must match JSON Schema draft 2020-12")
var elsewhere = []string{"$schema", "$id", "id"}

// Check says why a tool of this name and input schema would be refused by OpenAI's function
// calling, by Anthropic's Messages API or by Gemini; nothing if all three take it. It does not
// check that the schema is a valid one of draft 2020-12.
func Check(name string, schema []byte) []string {
	var faults []string
	if !toolName.MatchString(name) {
		faults = append(faults, "the name may have only letters, digits, _ and -, and begins with a letter or _")
	}
	if len(Prefix)+len(name) > MaxName {
		faults = append(faults, fmt.Sprintf("the name has %d characters: with %s before it that is more than %d", len(name), Prefix, MaxName))
	}
	var root map[string]json.RawMessage
	if err := json.Unmarshal(schema, &root); err != nil {
		return append(faults, "the input schema is not a JSON object")
	}
	if string(root["type"]) != `"object"` {
		faults = append(faults, `the input schema has not "type": "object" at its root`)
	}
	for _, k := range notAtRoot {
		if _, ok := root[k]; ok {
			faults = append(faults, "the input schema has "+k+" at its root")
		}
	}
	for _, k := range elsewhere {
		if v, ok := root[k]; ok && strings.HasPrefix(string(v), `"`) {
			faults = append(faults, "the input schema has "+k+" at its root")
		}
	}
	var properties map[string]json.RawMessage
	if err := json.Unmarshal(root["properties"], &properties); err != nil {
		faults = append(faults, "the input schema has no properties at its root")
	}
	for name := range properties {
		if !propertyName.MatchString(name) {
			faults = append(faults, fmt.Sprintf("the property %q has a name that is not of 1 to 64 letters, digits, _, . and -", name))
		}
	}
	slices.Sort(faults)
	return faults
}
