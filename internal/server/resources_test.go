package server_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// params is a request with parameters.
func params(method, params string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"` + method + `","params":` + params + `}`
}

func TestResources(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		var list struct {
			Result struct {
				Resources []struct {
					URI, Name, Title, Description, MIMEType string
					Size                                    int
				}
				NextCursor string
			}
		}
		require.NoError(t, json.Unmarshal([]byte(c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)), &list))
		require.Len(t, list.Result.Resources, 3)
		require.Empty(t, list.Result.NextCursor)
		r := list.Result.Resources[2]
		require.Equal(t, "schema://"+stageID, r.URI)
		require.Equal(t, stageID, r.Name)
		require.Equal(t, "Stage", r.Title)
		require.Equal(t, "Agent stage status event", r.Description)
		require.Equal(t, "application/schema+json", r.MIMEType)
		require.Equal(t, len(stageSource), r.Size)
		require.Contains(t, c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"resources/templates/list"}`), `"uriTemplate":"schema://{schema_id}"`)

		for _, uri := range []string{"schema://" + stageID, "schema://zenlix%2Dagent-stage-v1"} {
			var read struct {
				Result struct {
					Contents []struct{ URI, MIMEType, Text string }
				}
			}
			require.NoError(t, json.Unmarshal([]byte(c.ask(t, params("resources/read", `{"uri":"`+uri+`"}`))), &read))
			require.Len(t, read.Result.Contents, 1)
			require.Equal(t, uri, read.Result.Contents[0].URI)
			require.Equal(t, "application/schema+json", read.Result.Contents[0].MIMEType)
			require.Equal(t, stageSource, read.Result.Contents[0].Text, "the bytes of the file")
		}
	})
}

// noResources are URIs that no resource has, as texts of JSON.
var noResources = []string{
	`"schema://absent"`, `"schema://__schemaless__"`, `"schema://%zz"`, `"schema:///any"`, `"file:///etc/passwd"`, `"any"`, `""`,
	`"schema:\/\/\u0061bsent"`, `"schema://\ud800"`, `"test://<&>\"\\\u2028"`,
}

// noResource is the error for such a URI, which comes back as it was received.
func noResource(code, uri string) string {
	return `{"jsonrpc":"2.0","id":1,"error":{"code":` + code + `,"message":"there is no such resource; resources/list has all","data":{"uri":` + uri + `}}}`
}

func TestNoResource(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, uri := range noResources {
			for _, method := range []string{"resources/read", "resources/subscribe", "resources/unsubscribe"} {
				require.Equal(t, noResource("-32002", uri), c.ask(t, params(method, `{"uri":`+uri+`}`)))
			}
		}
		require.Equal(t, `{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"params.uri is missing: it must be a string (resources/read)"}}`,
			c.ask(t, params("resources/read", `{}`)))
	})
}

// TestModernNoResource: since 2026-07-28 a resource that is not there is an invalid
// parameter, which over HTTP is status 400.
func TestModernNoResource(t *testing.T) {
	t.Parallel()
	stdio := startStdio(t, t.Context(), server.New(testRegistry(), transport.Options{}, server.Tools{}))
	http := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	for _, uri := range noResources {
		message, header := modern(`1`, "resources/read", `"uri":`+uri)
		require.Equal(t, noResource("-32602", uri), stdio.ask(t, message))

		var name string
		require.NoError(t, json.Unmarshal([]byte(uri), &name))
		if name == "" || strings.ContainsFunc(name, func(r rune) bool { return r > '~' }) {
			continue // no header has such a value
		}
		header["Mcp-Name"] = name
		r := http.post(t, message, header)
		require.Equal(t, 400, r.status, r.body)
		require.Equal(t, noResource("-32602", uri), strings.TrimSuffix(r.body, "\n"))
	}
}

// TestSubscriptions: a resource that exists can be subscribed to, and nothing ever comes of
// it, as none changes.
func TestSubscriptions(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, uri := range []string{"schema://any", "schema://" + stageID, "schema://zenlix%2Dagent-stage-v1"} {
			for _, method := range []string{"resources/subscribe", "resources/subscribe", "resources/unsubscribe", "resources/unsubscribe"} {
				require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, c.ask(t, params(method, `{"uri":"`+uri+`"}`)))
			}
		}
	})
}

// TestOddResources: an id may be any text.
func TestOddResources(t *testing.T) {
	t.Parallel()
	ids := []string{"a b", "über v1", "a/b?c#d", "100%", "__proto__", "{x}"}
	var schemas []*jsonrt.Schema
	for _, id := range ids {
		schemas = append(schemas, &jsonrt.Schema{ID: id, Source: `{"title":"` + id + `"}`, Check: func(*jsonrt.Checker, int) bool { return true }})
	}
	c := startStdio(t, t.Context(), server.New(jsonrt.NewRegistry(schemas...), transport.Options{}, server.Tools{}))
	var list struct {
		Result struct{ Resources []struct{ URI, Name string } }
	}
	require.NoError(t, json.Unmarshal([]byte(c.ask(t, `{"jsonrpc":"2.0","id":1,"method":"resources/list"}`)), &list))
	require.Len(t, list.Result.Resources, len(ids))
	for _, r := range list.Result.Resources {
		require.NotContains(t, r.URI, " ")
		a := c.ask(t, params("resources/read", `{"uri":"`+r.URI+`"}`))
		require.Contains(t, a, `{\"title\":\"`+r.Name+`\"}`)
	}
	for _, uri := range []string{`"schema://a b"`, `"schema://über%20v1"`, `"schema://100%"`, `"schema://{x}"`} {
		require.Equal(t, noResource("-32002", uri), c.ask(t, params("resources/read", `{"uri":`+uri+`}`)), "not written as a URI")
	}
}

// TestPages: long lists come in pages, and all of them together are the list.
func TestPages(t *testing.T) {
	t.Parallel()
	const n = 250
	var schemas []*jsonrt.Schema
	for i := range n {
		id := fmt.Sprintf("schema_%03d", i)
		schemas = append(schemas, &jsonrt.Schema{ID: id, Tool: "emit_" + id, Source: `{"type":"object","properties":{}}`, Check: func(*jsonrt.Checker, int) bool { return true }})
	}
	c := startStdio(t, t.Context(), server.New(jsonrt.NewRegistry(schemas...), transport.Options{}, server.Tools{Typed: true}))
	for method, want := range map[string]int{"tools/list": n + 3, "resources/list": n} {
		seen := map[string]bool{}
		cursor, pages := "", 0
		for {
			var list struct {
				Result struct {
					Tools, Resources []struct{ Name string }
					NextCursor       string
				}
			}
			require.NoError(t, json.Unmarshal([]byte(c.ask(t, params(method, `{"cursor":"`+cursor+`"}`))), &list))
			for _, item := range append(list.Result.Tools, list.Result.Resources...) {
				require.False(t, seen[item.Name])
				seen[item.Name] = true
			}
			pages++
			if cursor = list.Result.NextCursor; cursor == "" {
				break
			}
		}
		require.Len(t, seen, want)
		require.Equal(t, 3, pages)
		require.Equal(t, -32602, read(t, c.ask(t, params(method, `{"cursor":"%"}`))).Error.Code)
	}
	completion := c.ask(t, params("completion/complete", `{"ref":{"type":"ref/prompt","name":"emit"},"argument":{"name":"schema_id","value":"SCHEMA_"}}`))
	require.Contains(t, completion, `"total":250`)
	require.Contains(t, completion, `"hasMore":true`)
	require.Equal(t, 100, strings.Count(completion, `"schema_`))
}

func TestCompletion(t *testing.T) {
	overBoth(t, transport.Options{}, func(t *testing.T, c client) {
		for _, f := range []struct{ ref, argument, value, want string }{
			{`{"type":"ref/prompt","name":"emit"}`, "schema_id", "", `["__schemaless__","any","panics","zenlix-agent-stage-v1"]`},
			{`{"type":"ref/prompt","name":"emit"}`, "schema_id", "A", `["any","__schemaless__","panics","zenlix-agent-stage-v1"]`},
			{`{"type":"ref/prompt","name":"emit"}`, "schema_id", "zen", `["zenlix-agent-stage-v1"]`},
			{`{"type":"ref/prompt","name":"emit"}`, "schema_id", "nope", `[]`},
			{`{"type":"ref/resource","uri":"schema://{schema_id}"}`, "schema_id", "", `["any","panics","zenlix-agent-stage-v1"]`},
		} {
			text := c.ask(t, params("completion/complete", `{"ref":`+f.ref+`,"argument":{"name":"`+f.argument+`","value":"`+f.value+`"}}`))
			var a struct {
				Result struct {
					Completion struct {
						Values  json.RawMessage
						HasMore bool
					}
				}
			}
			require.NoError(t, json.Unmarshal([]byte(text), &a))
			require.JSONEq(t, f.want, string(a.Result.Completion.Values), text)
			require.False(t, a.Result.Completion.HasMore)
		}
		for _, ref := range []string{`{"type":"ref/prompt","name":"absent"}`, `{"type":"ref/resource","uri":"file:///{path}"}`} {
			text := c.ask(t, params("completion/complete", `{"ref":`+ref+`,"argument":{"name":"schema_id","value":""}}`))
			require.Equal(t, -32602, read(t, text).Error.Code)
		}
	})
}
