package server_test

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// listedTool is a tool as tools/list tells of it.
type listedTool struct {
	Name                      string
	Meta                      map[string]any `json:"_meta"`
	InputSchema, OutputSchema map[string]any
}

// listTools asks for the tools.
func listTools(t *testing.T, c client) []listedTool {
	t.Helper()
	var list struct {
		Result struct{ Tools []listedTool }
	}
	require.NoError(t, json.Unmarshal([]byte(c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)), &list))
	require.NotEmpty(t, list.Result.Tools)
	return list.Result.Tools
}

// TestEveryPropertyHasAType: clients that choose by a type how to send a value find one, at
// every depth of the schemas that are the server's own.
func TestEveryPropertyHasAType(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		seen := 0
		var walk func(at string, schema any)
		walk = func(at string, schema any) {
			s, isObject := schema.(map[string]any)
			require.True(t, isObject, "%s is no object", at)
			require.NotEmpty(t, s["type"], "%s has no type", at)
			seen++
			if properties, ok := s["properties"].(map[string]any); ok {
				for name, property := range properties {
					walk(at+"/"+name, property)
				}
			}
			// What may be anything says that its items may be, too, and ends there.
			if items, ok := s["items"].(map[string]any); ok && len(items) > 0 {
				walk(at+"/items", items)
			}
		}
		for _, tool := range listTools(t, c) {
			walk(tool.Name+" input", tool.InputSchema)
			walk(tool.Name+" output", tool.OutputSchema)
		}
		require.Greater(t, seen, 30)
	})
}

// guess is how a client that guesses by a property's schema sends a value that was typed, or
// written by a model, as JSON text. "" is not at all: the client's API refuses the tool, and the
// catalogue with it.
type guess func(property map[string]any, text string) string

// firstType is the first type that a property has, "" if it has none.
func firstType(property map[string]any) string {
	switch t := property["type"].(type) {
	case string:
		return t
	case []any:
		if len(t) > 0 {
			first, _ := t[0].(string)
			return first
		}
	}
	return ""
}

// quoted is text as a JSON string.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err) //nolint:forbidigo // a string can be encoded
	}
	return string(b)
}

// guesses are models of the clients that were seen to send strings.
var guesses = map[string]guess{
	// A property without a type is a string, as for Claude Code and Codex.
	"no type is a string": func(property map[string]any, text string) string {
		if firstType(property) == "" {
			return quoted(text)
		}
		return text
	},
	// The first type decides, as for the command line of the Inspector: text is parsed for
	// object, array, number and boolean, and sent as it is for all else.
	"the first type decides": func(property map[string]any, text string) string {
		switch firstType(property) {
		case "object", "array", "number", "boolean":
			return text
		}
		return quoted(text)
	},
	// A strict mode refuses a property without a type. What else it can't take, such as an object
	// with any members, clients send as the plain call that it is, as OpenAI's agents SDK does.
	"strict mode": func(property map[string]any, text string) string {
		for _, f := range strictFindings(map[string]any{"type": "object", "properties": map[string]any{"p": property}}) {
			if f.Rule.ID == "strict-type" && f.Pointer == "/properties/p" {
				return ""
			}
		}
		return text
	},
}

// strictFindings are the rules of strict modes that an input schema breaks once it is closed,
// and all its properties required, as clients that use a strict mode do.
func strictFindings(schema map[string]any) []modelapi.Finding {
	var closed func(v any)
	closed = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for _, inner := range v {
				closed(inner)
			}
			if properties, ok := v["properties"].(map[string]any); ok && v["type"] == "object" {
				v["additionalProperties"], v["required"] = false, slices.Sorted(maps.Keys(properties))
			}
		case []any:
			for _, inner := range v {
				closed(inner)
			}
		}
	}
	copied := mustDecode[map[string]any](mustEncode(schema))
	closed(copied)
	var found []modelapi.Finding
	for _, f := range modelapi.Lint([]modelapi.Tool{{Input: mustEncode(copied)}}, modelapi.Options{Schema: true, Strict: true}) {
		if f.Rule.Strict && slices.Contains(f.Rule.Clients, "OpenAI API") {
			found = append(found, f)
		}
	}
	return found
}

func mustEncode(v any) []byte {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) //nolint:forbidigo // values that were decoded from JSON
	}
	return b
}

func mustDecode[T any](text []byte) (v T) {
	if err := json.Unmarshal(text, &v); err != nil {
		panic(err) //nolint:forbidigo // text that was encoded
	}
	return v
}

// TestClientsThatGuess: such clients send the value itself, not a string of it, and take the
// catalogue.
func TestClientsThatGuess(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		var payload map[string]any
		for _, tool := range listTools(t, c) {
			if tool.Name == "echo" {
				payload = tool.InputSchema["properties"].(map[string]any)["payload"].(map[string]any)
			}
		}
		for name, guess := range guesses {
			require.Contains(t, []string{"", `"{\"a\":1}"`}, guess(map[string]any{}, `{"a":1}`), "%s sends a string where there is no type, or nothing", name)
			require.NotEmpty(t, guess(map[string]any{"type": "string"}, `"x"`), name)
			sent := guess(payload, `{"stage":"build"}`)
			require.Equal(t, `{"stage":"build"}`, sent, name)
			require.Contains(t, c.ask(t, call("1", "echo", `{"schema_id":"`+stageID+`","payload":`+sent+`}`)), `"payload":{"stage":"build"}}`, name)
		}
	})
}

// TestResultSize: every tool asks Claude Code for the longest result it shows.
func TestResultSize(t *testing.T) {
	overBothWith(t, typedLimits, server.Tools{Typed: true}, func(t *testing.T, c client) {
		for _, tool := range listTools(t, c) {
			require.InDelta(t, 500_000, tool.Meta["anthropic/maxResultSizeChars"], 0, tool.Name)
		}
	})
}

// TestCacheHints: lists and resources say how long they hold, and whether for all callers.
func TestCacheHints(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for method, params := range map[string]string{
			"server/discover": "", "tools/list": "", "prompts/list": "", "resources/list": "", "resources/templates/list": "", "resources/read": `"uri":"schema://any"`,
		} {
			message, header := modern("1", method, params)
			if params != "" {
				header["Mcp-Name"] = "schema://any"
			}
			text := ""
			if h, ok := c.(*httpClient); ok {
				text = h.post(t, message, header).body
			} else {
				text = c.ask(t, message)
			}
			require.True(t, strings.Contains(text, `"ttlMs":3600000`) && strings.Contains(text, `"cacheScope":"public"`), "%s: %s", method, text)
		}
	})
	s := startHTTP(t, server.New(testRegistry(), transport.Options{Stateless: false}, server.Tools{}))
	require.NotContains(t, s.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), "ttlMs", "older versions don't have it")
	secret := server.New(testRegistry(), transport.Options{Tokens: []string{"0123456789abcdef0123456789abcdef"}}, server.Tools{})
	c := startStdio(t, t.Context(), secret)
	message, _ := modern("1", "tools/list", "")
	require.Contains(t, c.ask(t, message), `"cacheScope":"private"`, "what needs a token is not for shared caches")
}
