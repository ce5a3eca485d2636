package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// promptText asks for the prompt and returns its text.
func promptText(t *testing.T, c client, id string) string {
	t.Helper()
	var a struct {
		Result struct {
			Messages []struct {
				Role    string
				Content struct{ Type, Text string }
			}
		}
	}
	text := c.ask(t, params("prompts/get", `{"name":"emit","arguments":{"schema_id":"`+id+`"}}`))
	require.NoError(t, json.Unmarshal([]byte(text), &a))
	require.Len(t, a.Result.Messages, 1, text)
	require.Equal(t, "user", a.Result.Messages[0].Role)
	return a.Result.Messages[0].Content.Text
}

func TestPrompt(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		list := c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"prompts/list"}`)
		require.Contains(t, list, `"name":"emit"`)
		require.Contains(t, list, `"required":true`)

		text := promptText(t, c, stageID)
		require.Contains(t, text, `schema_id "`+stageID+`"`)
		require.Contains(t, text, stageBundle)
		require.NotContains(t, text, stageTool, "no typed tools here")
		require.Contains(t, promptText(t, c, "__schemaless__"), `any JSON value`)

		for _, arguments := range []string{`{}`, `{"schema_id":""}`, `{"schema_id":"absent"}`} {
			a := read(t, c.ask(t, params("prompts/get", `{"name":"emit","arguments":`+arguments+`}`)))
			require.NotNil(t, a.Error, arguments)
			require.Equal(t, -32602, a.Error.Code, arguments)
			require.Contains(t, a.Error.Message, "list_schemas")
		}
	})
}

// TestPromptExamples: the example of the prompt is accepted by echo.
func TestPromptExamples(t *testing.T) {
	t.Parallel()
	c := startStdio(t, t.Context(), server.New(generated.Registry, transport.Options{}, server.Tools{Typed: true}))
	for _, schema := range generated.Registry.Schemas() {
		text := promptText(t, c, schema.ID)
		require.Contains(t, text, "call the tool "+schema.Tool)
		_, payload, found := strings.Cut(text, "A payload that is valid:\n\n")
		require.True(t, found, text)
		payload = strings.TrimSuffix(payload, "\n")
		require.Contains(t, c.ask(t, call("1", "echo", `{"schema_id":"`+schema.ID+`","payload":`+payload+`}`)), `"ok":true`)
		require.Contains(t, c.ask(t, call("1", schema.Tool, payload)), `"ok":true`)
	}
}

func TestPromptWithoutExample(t *testing.T) {
	t.Parallel()
	never := &jsonrt.Schema{ID: "never", Source: `false`, Check: func(c *jsonrt.Checker, v int) bool { return c.Fail(v, "#", "", "is never valid") }}
	c := startStdio(t, t.Context(), server.New(jsonrt.NewRegistry(never), transport.Options{}, server.Tools{}))
	require.Contains(t, promptText(t, c, "never"), "No example could be made")
}

// TestEmptyRegistry: without schemas there are no resources, and no word of them.
func TestEmptyRegistry(t *testing.T) {
	t.Parallel()
	c := startStdio(t, t.Context(), server.New(jsonrt.Registry{}, transport.Options{}, server.Tools{Typed: true}))
	require.NotContains(t, c.ask(t, initialize), `"resources"`)
	require.Contains(t, c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`), `-32601`)
}
