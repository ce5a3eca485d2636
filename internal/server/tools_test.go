package server_test

import (
	"bytes"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// exact are payloads that decoding and encoding would alter, or that look like something
// package wire deals in. None has a line feed.
var exact = []string{
	`1.0`, `1e2`, `1E400`, `1e10000000`, `-0`, `0.1000`, `12345678901234567890123`, `9007199254740993`,
	`{"b":1,"a":2,"10":0,"2":0}`, `{"a":1,"a":2}`, `{"":1}`, `{"__proto__":{"x":1},"constructor":2}`,
	`"<a href='x'>&amp;</a>"`, "\"a\u2028b\u2029c\u0085\"", `"\u0041"`, `"\/"`, `"\ud800"`, `"\udc00\ud800"`, `"\u0000"`, `"a\"b\\c\n"`, `"😀é́ ключ"`,
	"{ \"a\" :\t[ 1 , 2 ] ,\r\"b\" : { } }", `null`, `true`, `""`, `[]`, `{}`, `"{\"a\":1}"`, `"57785654"`,
	`{"ok":true,"schema_id":"x","payload":{"structuredContent":{"text":"payload"}}}`,
	`{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"x"}],"structuredContent":"x"}}`,
	`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{}}}`,
	`"\u0001payload:0000000000000000"`, `"data: x\n\nevent: message"`, `"echo-mcp.id:LTA"`,
	strings.Repeat("[", 9_990) + strings.Repeat("]", 9_990),
	`"` + strings.Repeat("x", 300_000) + `"`,
	`[` + strings.Repeat(`"\\\"", `, 50_000) + `0]`,
}

func TestEchoIsExact(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, schema := range []string{echo.Schemaless, "any"} {
			for _, payload := range exact {
				if schema == "any" && payload == `{"a":1,"a":2}` {
					continue // refused: see TestFailures
				}
				answer := c.ask(t, string(rawclient.Echo("7", schema, []byte(payload))))
				require.NoError(t, rawclient.CheckEcho([]byte(answer), schema, []byte(payload)), "%.200s", payload)
				require.True(t, strings.HasPrefix(answer, `{"jsonrpc":"2.0","id":7,"result":`), "%.200s", answer)
				require.NotContains(t, answer, `"isError":true`)
			}
		}
	})
}

func TestIDsAreExact(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, id := range []string{`42`, `0`, `-1`, `-0`, `9007199254740993`, `123456789012345678901234567890`, `"req-abc"`, `"9"`, `""`, `"a<b>&"`, `"\u0041\/"`, "\"\u2028é\"", `"echo-mcp.id:LTA"`} {
			require.Equal(t, `{"jsonrpc":"2.0","id":`+id+`,"result":{}}`, c.ask(t, `{"jsonrpc":"2.0","id":`+id+`,"method":"ping"}`))
			require.Contains(t, c.ask(t, call(id, "echo", `{"schema_id":"any","payload":1}`)), `{"jsonrpc":"2.0","id":`+id+`,"result":`)
			require.Contains(t, c.ask(t, call(id, "absent", `{}`)), `{"jsonrpc":"2.0","id":`+id+`,"error":`)
			require.Contains(t, c.ask(t, `{"jsonrpc":"2.0","id":`+id+`,"method":"absent"}`), `{"jsonrpc":"2.0","id":`+id+`,"error":`)
		}
	})
}

func TestListAndGet(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, arguments := range []string{`{}`, `null`, `{"random_string":"x"}`} {
			a := read(t, c.ask(t, call("1", "list_schemas", arguments)))
			var list echo.ListEnvelope
			require.NoError(t, json.Unmarshal(a.Result.StructuredContent, &list))
			require.Equal(t, []string{echo.Schemaless, "any", "panics", stageID}, ids(list.Schemas))
			require.Equal(t, string(a.Result.StructuredContent), a.Result.Content[0].Text)
		}
		a := read(t, c.ask(t, call("2", "get_schema", `{"schema_id":"`+stageID+`"}`)))
		want := `{"schema_id":"` + stageID + `","description":"Agent stage status event","builtin":true,"schema":` + strings.TrimSpace(stageSource) + `}`
		require.Equal(t, want, a.Result.Content[0].Text, "the text block has the file's own bytes")
		require.JSONEq(t, want, string(a.Result.StructuredContent))
		require.Contains(t, string(a.Result.StructuredContent), "<stage> & \u2028")

		a = read(t, c.ask(t, call("3", "get_schema", `{"schema_id":"__schemaless__"}`)))
		require.Contains(t, string(a.Result.StructuredContent), `"builtin":true,"schema":null}`)
	})
}

func ids(list []echo.SchemaInfo) (ids []string) {
	for _, s := range list {
		ids = append(ids, s.SchemaID)
	}
	return ids
}

func TestFailures(t *testing.T) {
	overBoth(t, transport.Options{MaxDepth: 100}, func(t *testing.T, c client) {
		for _, f := range []struct {
			name, tool, arguments string
			code                  echo.Code
			says                  string
		}{
			{"no payload", "echo", `{"schema_id":"__schemaless__"}`, echo.CodeInvalidRequest, `"payload" is missing`},
			{"no schema_id", "echo", `{"payload":1}`, echo.CodeInvalidRequest, `"schema_id" is missing`},
			{"empty schema_id", "echo", `{"schema_id":"","payload":1}`, echo.CodeInvalidRequest, `must not be empty`},
			{"schema_id 5", "echo", `{"schema_id":5,"payload":1}`, echo.CodeInvalidRequest, `must be a string`},
			{"schema_id null", "echo", `{"schema_id":null,"payload":1}`, echo.CodeInvalidRequest, `must be a string`},
			{"no arguments", "echo", `null`, echo.CodeInvalidRequest, `"schema_id" is missing`},
			{"arguments a string", "echo", `"{}"`, echo.CodeInvalidRequest, `must be a JSON object`},
			{"payload twice", "echo", `{"schema_id":"__schemaless__","payload":1,"payload":2}`, echo.CodeInvalidRequest, `twice`},
			{"Payload", "echo", `{"schema_id":"__schemaless__","Payload":1}`, echo.CodeInvalidRequest, `"Payload"`},
			{"unknown id", "echo", `{"schema_id":"zenlix-agent-stage","payload":1}`, echo.CodeSchemaNotFound, `did you mean "zenlix-agent-stage-v1"?`},
			{"repeated name", "echo", `{"schema_id":"any","payload":{"a":1,"a":2}}`, echo.CodeInvalidRequest, `twice`},
			{"string of JSON", "echo", `{"schema_id":"` + stageID + `","payload":"{\"stage\":1}"}`, echo.CodeSchemaValidationFailed, `about the value inside it`},
			{"other case", "echo", `{"schema_id":"` + stageID + `","payload":{"Stage":"a"}}`, echo.CodeSchemaValidationFailed, `details`},
			{"too deep", "echo", `{"schema_id":"__schemaless__","payload":` + strings.Repeat("[", 101) + strings.Repeat("]", 101) + `}`, echo.CodeInvalidRequest, `deeper than 100 levels, the limit of this server`},
			{"much too deep", "echo", `{"schema_id":"__schemaless__","payload":` + strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000) + `}`, echo.CodeInvalidRequest, `the limit of this server`},
			{"panic", "echo", `{"schema_id":"panics","payload":1}`, echo.CodeInternalError, `log`},
			{"schemaId", "echo", `{"schemaId":"any","payload":1}`, echo.CodeInvalidRequest, `got "schemaId": did you mean "schema_id"?`},
			{"schema", "echo", `{"schema":"any","payload":1}`, echo.CodeInvalidRequest, `did you mean "schema_id"?`},
			{"id", "get_schema", `{"id":"any"}`, echo.CodeInvalidRequest, `did you mean "schema_id"?`},
			{"message", "echo", `{"schema_id":"any","message":1}`, echo.CodeInvalidRequest, `got "message": did you mean "payload"?`},
			{"data", "echo", `{"schema_id":"any","data":1}`, echo.CodeInvalidRequest, `did you mean "payload"?`},
			{"content", "echo", `{"schema_id":"any","content":1}`, echo.CodeInvalidRequest, `did you mean "payload"?`},
			{"arguments inside", "echo", `{"arguments":{"schema_id":"any","payload":1}}`, echo.CodeInvalidRequest, `got "arguments": send its members directly`},
			{"input", "get_schema", `{"input":{"schema_id":"any"}}`, echo.CodeInvalidRequest, `got "input": send its members directly`},
			{"raw", "echo", `{"raw":"{}"}`, echo.CodeInvalidRequest, `got "raw" (string) where "schema_id" and "payload" are expected`},
			{"get: raw", "get_schema", `{"raw":true}`, echo.CodeInvalidRequest, `got "raw" (boolean) where "schema_id" is expected`},
			{"the message itself", "echo", `{"schema_id":"any","stage":"x"}`, echo.CodeInvalidRequest, `got "stage" (string) where`},
			{"a long name", "echo", `{"` + strings.Repeat("é", 500) + `":1}`, echo.CodeInvalidRequest, `…" (number)`},
			{"get: no schema_id", "get_schema", `{}`, echo.CodeInvalidRequest, `"schema_id" is missing`},
			{"get: unknown id", "get_schema", `{"schema_id":"nope"}`, echo.CodeSchemaNotFound, `nope`},
		} {
			text := c.ask(t, call("1", f.tool, f.arguments))
			e := readFailure(t, text)
			require.Equal(t, f.code, e.Code, f.name)
			require.Contains(t, e.Message, f.says, f.name)
			require.NotContains(t, text, "secret")
		}

		e := readFailure(t, c.ask(t, call("1", "echo", `{"schema_id":"`+stageID+`","payload":{"stage":1,"stage_staus":"x"}}`)))
		require.Equal(t, []echo.Detail{
			{Path: "/stage", Message: "must be string", Keyword: "type", SchemaPath: "#/properties/stage/type"},
			{Path: "/stage_staus", Message: `is not allowed here; did you mean "stage_status"?`, Keyword: "additionalProperties", SchemaPath: "#/additionalProperties"},
		}, e.Details)

		require.Contains(t, c.ask(t, ping), `"result":{}`)
	})
}

// TestProtocolErrors: what is wrong with a message, not with a call, is a JSON-RPC error.
func TestProtocolErrors(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, f := range []struct {
			name, message string
			code          int
			id            string
		}{
			{"unknown tool", call("1", "absent", `{"payload":1e400}`), -32602, `1`},
			{"no tool", `{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, -32602, `1`},
			{"tool 5", `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":5}}`, -32602, `1`},
			{"unknown method", `{"jsonrpc":"2.0","id":1,"method":"absent"}`, -32601, `1`},
			{"section not offered", `{"jsonrpc":"2.0","id":1,"method":"tasks/list"}`, -32601, `1`},
			{"no method", `{"jsonrpc":"2.0","id":1}`, -32600, `1`},
			{"no jsonrpc", `{"id":1,"method":"ping"}`, -32600, `1`},
			{"id null", `{"jsonrpc":"2.0","id":null,"method":"ping"}`, -32600, `null`},
			{"METHOD", `{"jsonrpc":"2.0","id":1,"method":"tools/list","METHOD":"ping"}`, -32600, `1`},
			{"batch", `[` + ping + `]`, -32600, `null`},
			{"not JSON", `not json`, -32700, `null`},
			{"not UTF-8", call("1", "echo", "{\"schema_id\":\"__schemaless__\",\"payload\":\"a\xffb\"}"), -32700, `null`},
			{"deep, no call", `{"jsonrpc":"2.0","id":1,"method":"ping","params":{"x":` + strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000) + `}}`, -32600, `1`},
			{"params mcp-go can't decode", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"cursor":5}}`, -32602, `1`},
			{"number mcp-go can't decode", `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"x":1e400}}}`, -32600, `1`},
		} {
			a := read(t, c.ask(t, f.message))
			require.Nil(t, a.Result, f.name)
			require.NotNil(t, a.Error, f.name)
			require.Equal(t, f.code, a.Error.Code, f.name)
			require.Equal(t, f.id, string(a.ID), f.name)
		}
		require.Contains(t, c.ask(t, ping), `"result":{}`)
	})
}

// TestUnwrap: a string that its schema refuses and that holds JSON which it accepts is that
// JSON, marked in the result; other results have no such mark.
func TestUnwrap(t *testing.T) {
	text := call("1", "echo", `{"schema_id":"`+stageID+`","payload":"{\n \"stage\": \"\\u0061\"}"}`)
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		a := read(t, c.ask(t, text))
		require.False(t, a.Result.IsError)
		require.Equal(t, `{"ok":true,"schema_id":"`+stageID+`","payload":{`+"\n"+` "stage": "\u0061"}}`, a.Result.Content[0].Text)
		require.JSONEq(t, a.Result.Content[0].Text, string(a.Result.StructuredContent))
		require.Equal(t, true, a.Result.Meta[server.MetaUnwrapped])
		for _, other := range []string{
			`{"schema_id":"` + stageID + `","payload":{"stage":"a"}}`,
			`{"schema_id":"` + stageID + `","payload":"{\"stage\":1}"}`,
			`{"schema_id":"__schemaless__","payload":"{\"stage\":1}"}`,
		} {
			require.NotContains(t, read(t, c.ask(t, call("1", "echo", other))).Result.Meta, server.MetaUnwrapped)
		}
	})
	overBothWith(t, transport.Options{}, server.Tools{NoText: true}, func(t *testing.T, c client) {
		a := read(t, c.ask(t, text))
		require.Empty(t, a.Result.Content)
		require.Equal(t, true, a.Result.Meta[server.MetaUnwrapped])
	})
	overBothWith(t, transport.Options{}, server.Tools{KeepJSONStrings: true}, func(t *testing.T, c client) {
		a := read(t, c.ask(t, text))
		require.True(t, a.Result.IsError)
		require.Contains(t, a.Result.Content[0].Text, "got a string that holds JSON; send the value itself")
		require.NotContains(t, a.Result.Meta, server.MetaUnwrapped)
	})
}

// TestTools holds what tools/list tells against the contract, and the answers of all tools
// against the output schemas.
func TestTools(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		var list struct {
			Result struct {
				Tools []struct {
					Name, Title, Description  string
					InputSchema, OutputSchema map[string]any
					Annotations               map[string]any
				}
			}
		}
		require.NoError(t, json.Unmarshal([]byte(c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`)), &list))
		var names []string
		output := map[string]*jsonschema.Schema{}
		for _, tool := range list.Result.Tools {
			names = append(names, tool.Name)
			require.NotEmpty(t, tool.Title)
			require.NotEmpty(t, tool.Description)
			require.Equal(t, map[string]any{"title": tool.Title, "readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": false}, tool.Annotations)
			for _, schema := range []map[string]any{tool.InputSchema, tool.OutputSchema} {
				require.Equal(t, "object", schema["type"], "clients want an object at the root")
				require.Contains(t, schema, "properties")
				require.NotContains(t, schema, "$schema")
				require.NotContains(t, schema, "additionalProperties")
			}
			compiler := jsonschema.NewCompiler()
			require.NoError(t, compiler.AddResource("mem:"+tool.Name, tool.OutputSchema))
			compiled, err := compiler.Compile("mem:" + tool.Name)
			require.NoError(t, err)
			output[tool.Name] = compiled
			if tool.Name == "echo" {
				require.Equal(t, []any{"schema_id", "payload"}, tool.InputSchema["required"])
				payload := tool.InputSchema["properties"].(map[string]any)["payload"].(map[string]any)
				require.Len(t, payload, 3, "the payload is described, not constrained")
				require.Equal(t, map[string]any{}, payload["items"], "arrays of anything, and said to be so")
				require.Equal(t, []any{"object", "array", "string", "number", "boolean", "null"}, payload["type"])
				require.Contains(t, payload["description"], "object")
			}
		}
		require.Equal(t, []string{"echo", "get_schema", "list_schemas"}, names)

		for _, f := range []struct{ tool, arguments string }{
			{"list_schemas", `{}`},
			{"list_schemas", `[]`},
			{"get_schema", `{"schema_id":"` + stageID + `"}`},
			{"get_schema", `{"schema_id":"any"}`},
			{"get_schema", `{"schema_id":"__schemaless__"}`},
			{"get_schema", `{"schema_id":"nope"}`},
			{"echo", `{"schema_id":"any","payload":null}`},
			{"echo", `{"schema_id":"any","payload":[1]}`},
			{"echo", `{"schema_id":"nope","payload":[1]}`},
			{"echo", `{"schema_id":"` + stageID + `","payload":[1]}`},
			{"echo", `{}`},
		} {
			a := read(t, c.ask(t, call("1", f.tool, f.arguments)))
			value, err := jsonschema.UnmarshalJSON(bytes.NewReader(a.Result.StructuredContent))
			require.NoError(t, err)
			require.NoError(t, output[f.tool].Validate(value), "%s %s", f.tool, f.arguments)
		}
	})
}

// TestLogs: what is logged has sizes and outcomes, never what was sent.
func TestLogs(t *testing.T) {
	var log syncBuffer
	options := transport.Options{Logger: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug})), MaxMessageBytes: 5_000}
	overBoth(t, options, func(t *testing.T, c client) {
		for _, message := range []string{
			call("1", "echo", `{"schema_id":"any","payload":"hush"}`),
			call("1", "echo", `{"schema_id":"hush","payload":"hush"}`),
			call("1", "echo", `{"schema_id":"`+stageID+`","payload":"hush"}`),
			call("1", "echo", `{"schema_id":"panics","payload":"hush"}`),
			call("1", "hush", `{"hush":"hush"}`),
			call("1", "echo", `{"payload":"hush hush`+strings.Repeat("x", 5_000)+`"}`),
			`{"jsonrpc":"2.0","id":"hush","method":"hush","hush":1,"METHOD":1}`,
			`hush`,
		} {
			c.ask(t, message)
		}
	})
	c := startHTTP(t, server.New(testRegistry(), options, server.Tools{}))
	stateless := httptest.NewServer(server.New(testRegistry(), transport.Options{Logger: options.Logger, Stateless: true}, server.Tools{}).Handler())
	defer stateless.Close()
	for _, c := range []*httpClient{c, {url: stateless.URL + "/mcp"}} {
		for _, method := range []string{http.MethodPost, http.MethodDelete, http.MethodGet} {
			c.do(t, t.Context(), method, `{"jsonrpc":"2.0","id":1,"result":"hush"}`, map[string]string{"Mcp-Session-Id": "hush"})
		}
	}
	text := log.String()
	require.NotContains(t, text, "hush")
	require.NotContains(t, text, "secret")
	require.Contains(t, text, "tool=echo payload_bytes=6 code=SCHEMA_VALIDATION_FAILED")
	require.Contains(t, text, "level=ERROR msg=panic stack=")
}
