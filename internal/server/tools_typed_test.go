package server_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

var typedLimits = transport.Options{MaxDepth: 50, MaxMessageBytes: 1 << 20}

// TestTypedTools: a schema for objects is a tool whose input schema is the schema, and
// whose arguments come back byte for byte.
func TestTypedTools(t *testing.T) {
	overBothWith(t, typedLimits, server.Tools{Typed: true}, func(t *testing.T, c client) {
		var list struct {
			Result struct {
				Tools []struct {
					Name, Title, Description string
					InputSchema              json.RawMessage
					Annotations              map[string]any
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)), &list))
		var names []string
		for _, tool := range list.Result.Tools {
			names = append(names, tool.Name)
			if tool.Name == stageTool {
				require.Equal(t, stageBundle, string(tool.InputSchema))
				require.Equal(t, "Stage", tool.Title)
				require.True(t, strings.HasPrefix(tool.Description, "Agent stage status event\n\n"))
				require.Equal(t, true, tool.Annotations["readOnlyHint"])
			}
		}
		require.Equal(t, []string{"echo", stageTool, "get_schema", "list_schemas"}, names)

		for _, payload := range []string{
			`{"stage":"build"}`,
			`{ "stage" : "\u0061\/<&>\ud800" , "extra" : {"n":[1.0,-0,1E400,9007199254740993],"10":1,"2":2} }`,
			`{"extra":{"schema_id":"x","payload":1,"PAYLOAD":2,"method":"ping","jsonrpc":"1.0"},"stage":"x"}`,
			`{"stage":"` + strings.Repeat("é", 100_000) + `"}`,
		} {
			a := read(t, c.ask(t, call("1", stageTool, payload)))
			require.False(t, a.Result.IsError)
			want := `{"ok":true,"schema_id":"` + stageID + `","payload":` + payload + `}`
			require.Equal(t, want, string(a.Result.StructuredContent))
			require.Equal(t, want, a.Result.Content[0].Text)
		}

		for _, f := range []struct {
			name, arguments string
			code            echo.Code
			path            string
		}{
			{"unknown member", `{"stage":"x","schema_id":"y"}`, echo.CodeSchemaValidationFailed, "/schema_id"},
			{"wrong type", `{"stage":1}`, echo.CodeSchemaValidationFailed, "/stage"},
			{"empty", `{}`, echo.CodeSchemaValidationFailed, "/stage"},
			{"null", `null`, echo.CodeSchemaValidationFailed, ""},
			{"array", `[1]`, echo.CodeSchemaValidationFailed, ""},
			{"repeated name", `{"stage":"a","stage":"b"}`, echo.CodeInvalidRequest, "/stage"},
			{"repeated name inside", `{"stage":"a","extra":{"x":1,"\u0078":2}}`, echo.CodeInvalidRequest, "/extra/x"},
		} {
			e := readFailure(t, c.ask(t, call("1", stageTool, f.arguments)))
			require.Equal(t, f.code, e.Code, f.name)
			require.Equal(t, stageID, e.SchemaID, f.name)
			require.NotEmpty(t, e.Details, f.name)
			require.Equal(t, f.path, e.Details[0].Path, f.name)
		}
		for _, arguments := range []string{`{"payload":{"stage":"a"}}`, `{"schema_id":"x","payload":{"stage":"a"}}`, `{"arguments":{"stage":"a"}}`, `{"raw":"{}"}`} {
			e := readFailure(t, c.ask(t, call("1", stageTool, arguments)))
			require.Contains(t, e.Message, "the arguments are the message itself: send the members of", arguments)
		}
		require.NotContains(t, readFailure(t, c.ask(t, call("1", stageTool, `{"payload":1,"other":2}`))).Message, "itself")

		deep := `{"stage":"a","extra":` + strings.Repeat(`{"x":`, 60) + `1` + strings.Repeat(`}`, 60) + `}`
		require.Equal(t, echo.CodeInvalidRequest, readFailure(t, c.ask(t, call("1", stageTool, deep))).Code)

		without := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + stageTool + `"}}`
		require.Equal(t, "/stage", readFailure(t, c.ask(t, without)).Details[0].Path, "no arguments are an empty object")

		require.Contains(t, c.ask(t, call("1", "echo", `{"schema_id":"`+stageID+`","payload":{"stage":"a"}}`)), `"ok":true`, "echo stays")
		require.Contains(t, c.ask(t, call("1", "emit_any", `{}`)), `-32602`, "what allows more than objects has no tool")
	})
}

// TestNoTypedTools: they are there only when asked for.
func TestNoTypedTools(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		require.NotContains(t, c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`), "emit_")
		require.Contains(t, c.ask(t, call("1", stageTool, `{"stage":"a"}`)), `-32602`)
	})
}
