package models_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/client/models"
)

// tools opens a session with a server that has these tools, a JSON array, and calls each by saying
// its name and arguments.
func tools(t *testing.T, list string) *client.Session {
	t.Helper()
	s, err := client.Connect(t.Context(), client.Fake(func(c client.Call) (json.RawMessage, error) {
		switch c.Method {
		case "tools/list":
			return json.RawMessage(`{"tools":` + list + `}`), nil
		case "tools/call":
			return json.RawMessage(`{"content":[],"structuredContent":` + string(c.Params) + `}`), nil
		}
		return nil, nil
	}), client.Options{})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

const search = `{"name":"search","description":"Finds \"things\".","inputSchema":{ "type":"object", "properties":{"n":{"type":"integer","maximum":10000000000000000001}} }}`

// TestShapes: each API gets its own shape, with the schema's exact bytes.
func TestShapes(t *testing.T) {
	s := tools(t, `[`+search+`]`)
	const schema = `{ "type":"object", "properties":{"n":{"type":"integer","maximum":10000000000000000001}} }`
	for api, want := range map[models.API]string{
		models.OpenAI:          `[{"type":"function","function":{"name":"search","description":"Finds \"things\".","parameters":` + schema + `}}]`,
		models.OpenAIResponses: `[{"type":"function","name":"search","description":"Finds \"things\".","parameters":` + schema + `,"strict":false}]`,
		models.Anthropic:       `[{"name":"search","description":"Finds \"things\".","input_schema":` + schema + `}]`,
		models.Gemini:          `[{"name":"search","description":"Finds \"things\".","parametersJsonSchema":` + schema + `}]`,
	} {
		list, err := models.AsTools(t.Context(), s, api)
		require.NoError(t, err)
		require.Equal(t, want, string(list.JSON()), api)
		require.Empty(t, list.Refused)
		require.Equal(t, schema, string(list.Tools[0].InputSchema))
	}
	_, err := models.AsTools(t.Context(), s, "claude")
	require.ErrorContains(t, err, `there is no API "claude"; those of models are "openai", "openai-responses", "anthropic" and "gemini"`)
}

// TestCall: a tool that a model calls by its name is called by the server's, and what fails is told
// apart from what works.
func TestCall(t *testing.T) {
	long := strings.Repeat("long.", 20)
	s := tools(t, `[{"name":"`+long+`","inputSchema":{"type":"object","properties":{}}}]`)
	list, err := models.AsTools(t.Context(), s, models.OpenAI)
	require.NoError(t, err)
	name := list.Tools[0].Name
	require.Regexp(t, `^(long_){11}_[0-9a-f]{8}$`, name)
	require.LessOrEqual(t, len(name), 64)
	tool, ok := list.Named(name)
	require.True(t, ok)
	require.Equal(t, long, tool.Description, "the name, where there is no description")
	r, err := tool.Call(t.Context(), json.RawMessage(`{ "n" : 1e400 }`))
	require.NoError(t, err)
	require.Equal(t, `{"name":"`+long+`","arguments":{ "n" : 1e400 }}`, string(r.StructuredContent))
	_, err = tool.Call(t.Context(), json.RawMessage(`{"n":`))
	var input *client.InputError
	require.ErrorAs(t, err, &input, "what a model has made up need not be JSON")
	_, ok = list.Named("absent")
	require.False(t, ok)
}

// TestNames: every name becomes one that the APIs take, no two the same, and always the same one.
func TestNames(t *testing.T) {
	plain := `"inputSchema":{"type":"object","properties":{}}`
	odd := []string{"a.b", "a/b", "a_b", "a b", "ä", "", "1st", "-x", strings.Repeat("x", 64), strings.Repeat("x", 65), strings.Repeat("x", 66), "日本語"}
	var list []string
	for _, name := range odd {
		quoted, err := json.Marshal(name)
		require.NoError(t, err)
		list = append(list, `{"name":`+string(quoted)+`,`+plain+`}`)
	}
	all, err := models.AsTools(t.Context(), tools(t, `[`+strings.Join(list, ",")+`]`), models.Gemini)
	require.NoError(t, err)
	require.Empty(t, all.Refused)
	seen := map[string]bool{}
	for i, tool := range all.Tools {
		require.Equal(t, odd[i], tool.Tool.Name)
		require.Regexp(t, `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`, tool.Name)
		require.False(t, seen[tool.Name], "the name %q came twice", tool.Name)
		seen[tool.Name] = true
	}
	require.Equal(t, "a_b", all.Tools[2].Name, "a name that fits stays")
	require.Equal(t, strings.Repeat("x", 64), all.Tools[8].Name)

	// The name does not depend on the others, but where one of them is called so already.
	mapped := all.Tools[0].Name
	alone, err := models.AsTools(t.Context(), tools(t, `[`+list[0]+`]`), models.Gemini)
	require.NoError(t, err)
	require.Equal(t, mapped, alone.Tools[0].Name)
	clash, err := models.AsTools(t.Context(), tools(t, `[`+list[0]+`,{"name":"`+mapped+`",`+plain+`}]`), models.Gemini)
	require.NoError(t, err)
	require.NotEqual(t, mapped, clash.Tools[0].Name)
	require.Equal(t, mapped, clash.Tools[1].Name)
}

// TestRefused: what an API would refuse is left out and told with the rule, unless an edit helps that
// keeps the meaning; what only another API refuses stays.
func TestRefused(t *testing.T) {
	for name, tt := range map[string]struct {
		tool    string
		refused map[models.API]string // rule by API
		schema  string                // what the tool has where it is not refused, "" for its own
	}{
		"no schema":           {`{"name":"a"}`, map[models.API]string{models.OpenAI: "root-object", models.Anthropic: "root-object", models.Gemini: "root-object"}, ""},
		"a union at the root": {`{"name":"a","inputSchema":{"type":"object","properties":{},"anyOf":[{}]}}`, map[models.API]string{models.OpenAI: "root-composition", models.Anthropic: "root-composition"}, ""},
		"an odd property":     {`{"name":"a","inputSchema":{"type":"object","properties":{"a b":{"type":"string"}}}}`, map[models.API]string{models.Anthropic: "property-name"}, ""},
		"a look-ahead":        {`{"name":"a","inputSchema":{"type":"object","properties":{"a":{"type":"string","pattern":"(?=x)"}}}}`, map[models.API]string{models.OpenAI: "pattern-lookaround"}, ""},
		"a reference out":     {`{"name":"a","inputSchema":{"type":"object","properties":{"a":{"$ref":"https://a.example/b"}}}}`, map[models.API]string{models.OpenAI: "ref-target", models.Anthropic: "ref-target", models.Gemini: "ref-target"}, ""},
		"no properties":       {`{"name":"a","inputSchema":{"type":"object"}}`, nil, `{"type":"object","properties":{}}`},
		"no items":            {`{"name":"a","inputSchema":{"type":"object","properties":{"a":{"type":"array"}}}}`, nil, `{"type":"object","properties":{"a":{"type":"array","items":{}}}}`},
		"an output schema":    {`{"name":"a","inputSchema":{"type":"object","properties":{}},"outputSchema":{"type":"string"}}`, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := tools(t, `[`+tt.tool+`,`+search+`]`)
			for _, api := range []models.API{models.OpenAI, models.Anthropic, models.Gemini} {
				list, err := models.AsTools(t.Context(), s, api)
				require.NoError(t, err)
				if rule := tt.refused[api]; rule != "" {
					require.Len(t, list.Tools, 1, "the others stay")
					require.Len(t, list.Refused, 1, api)
					require.Equal(t, rule, list.Refused[0].Rule)
					require.Equal(t, "a", list.Refused[0].Tool.Name)
					require.NotEmpty(t, list.Refused[0].Reason)
					require.NotEmpty(t, list.Refused[0].Remedy)
					require.Contains(t, list.Refused[0].Source, "https://")
					continue
				}
				require.Empty(t, list.Refused, api)
				if api == models.OpenAI && tt.schema != "" {
					require.Equal(t, tt.schema, string(list.Tools[0].InputSchema))
				} else {
					require.Equal(t, string(list.Tools[0].Tool.InputSchema), string(list.Tools[0].InputSchema))
				}
			}
		})
	}
}

// TestListRules: of tools with one name the first stays, and no more are offered than the API takes.
func TestListRules(t *testing.T) {
	var many []string
	for i := range 600 {
		many = append(many, fmt.Sprintf(`{"name":"t%d","inputSchema":{"type":"object","properties":{}}}`, i))
	}
	s := tools(t, `[`+search+`,`+search+`,`+strings.Join(many, ",")+`]`)
	for api, limit := range map[models.API]int{models.OpenAI: 128, models.Gemini: 512, models.Anthropic: 601} {
		list, err := models.AsTools(t.Context(), s, api)
		require.NoError(t, err)
		require.Len(t, list.Tools, limit)
		require.Len(t, list.Refused, 602-limit)
		require.Equal(t, "list-names", list.Refused[0].Rule)
		if limit < 601 {
			require.Equal(t, "list-length", list.Refused[1].Rule)
			require.Equal(t, fmt.Sprintf("%d tools come before it, as many as the API takes", limit), list.Refused[1].Reason)
		}
	}
}
