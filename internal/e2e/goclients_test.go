package e2e_test

import (
	"context"
	"encoding/json"
	"maps"
	"os/exec"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/mcp"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
)

// goClient is one of the two clients in Go, connected. The clients in JavaScript are in the
// folder clients.
type goClient interface {
	// tools gives the input schema of each tool.
	tools(ctx context.Context) (map[string]json.RawMessage, error)
	call(ctx context.Context, tool string, args any) (goResult, error)
	close() error
}

// goResult is an answer: the text block, which neither client decodes, and what stands beside it.
type goResult struct {
	text    string
	isError bool
	meta    map[string]any
}

// goConnector starts a client, on a server of its own or on a given one, and knows how it
// differs from the other.
type goConnector struct {
	stdio func(ctx context.Context, args ...string) (goClient, error)
	http  func(ctx context.Context, url string) (goClient, error)
	// angle is how the client sends a <.
	angle string
	// hugeOnStdio and hugeOverHTTP are in the errors of a call with a number beyond float64.
	// Neither client can read the answer, and go-sdk fails to name the tool in a header before.
	hugeOnStdio, hugeOverHTTP string
}

// goClients gives both clients by their module's name.
var goClients = map[string]goConnector{
	"go-sdk": {
		stdio: func(ctx context.Context, args ...string) (goClient, error) {
			return connectGoSDK(ctx, &gosdk.CommandTransport{Command: exec.CommandContext(ctx, binary, args...)})
		},
		http: func(ctx context.Context, url string) (goClient, error) {
			return connectGoSDK(ctx, &gosdk.StreamableClientTransport{Endpoint: url})
		},
		angle:        `<`,
		hugeOnStdio:  "1E400",
		hugeOverHTTP: "Mcp-Name",
	},
	"mcp-go": {
		stdio: func(ctx context.Context, args ...string) (goClient, error) {
			c, err := client.NewStdioMCPClient(binary, nil, args...)
			return connectMCPGo(ctx, c, err)
		},
		http: func(ctx context.Context, url string) (goClient, error) {
			c, err := client.NewStreamableHttpClient(url)
			if err == nil {
				err = c.Start(ctx)
			}
			return connectMCPGo(ctx, c, err)
		},
		angle:        `\u003c`,
		hugeOnStdio:  "1E400",
		hugeOverHTTP: "1E400",
	},
}

type goSDK struct{ *gosdk.ClientSession }

func connectGoSDK(ctx context.Context, transport gosdk.Transport) (goClient, error) {
	session, err := gosdk.NewClient(&gosdk.Implementation{Name: "e2e", Version: "1"}, nil).Connect(ctx, transport, nil)
	return goSDK{session}, err
}

func (c goSDK) tools(ctx context.Context) (map[string]json.RawMessage, error) {
	schemas := map[string]json.RawMessage{}
	for tool, err := range c.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		if schemas[tool.Name], err = json.Marshal(tool.InputSchema); err != nil {
			return nil, err
		}
	}
	return schemas, nil
}

func (c goSDK) call(ctx context.Context, tool string, args any) (goResult, error) {
	r, err := c.CallTool(ctx, &gosdk.CallToolParams{Name: tool, Arguments: args})
	if err != nil {
		return goResult{}, err
	}
	return goResult{r.Content[0].(*gosdk.TextContent).Text, r.IsError, r.Meta}, nil
}

func (c goSDK) close() error { return c.Close() }

type mcpGo struct{ *client.Client }

func connectMCPGo(ctx context.Context, c *client.Client, err error) (goClient, error) {
	if err == nil {
		_, err = c.Initialize(ctx, mcp.InitializeRequest{})
	}
	return mcpGo{c}, err
}

func (c mcpGo) tools(ctx context.Context) (map[string]json.RawMessage, error) {
	list, err := c.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	schemas := map[string]json.RawMessage{}
	for _, tool := range list.Tools {
		if schemas[tool.Name], err = json.Marshal(tool.InputSchema); err != nil {
			return nil, err
		}
	}
	return schemas, nil
}

func (c mcpGo) call(ctx context.Context, tool string, args any) (goResult, error) {
	r, err := c.CallTool(ctx, mcp.CallToolRequest{Params: mcp.CallToolParams{Name: tool, Arguments: args}})
	if err != nil {
		return goResult{}, err
	}
	result := goResult{text: r.Content[0].(mcp.TextContent).Text, isError: r.IsError}
	if r.Meta != nil {
		result.meta = r.Meta.AdditionalFields
	}
	return result, nil
}

func (c mcpGo) close() error { return c.Close() }

// everyGoClient runs a test with each client on each transport, and checks that the server
// ends well.
func everyGoClient(t *testing.T, f func(t *testing.T, c goClient, angle, huge string), flags ...string) {
	for name, connect := range goClients {
		t.Run(name+" stdio", func(t *testing.T) {
			ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
			defer cancel()
			c, err := connect.stdio(ctx, append([]string{"serve"}, flags...)...)
			require.NoError(t, err)
			f(t, c, connect.angle, connect.hugeOnStdio)
			require.NoError(t, c.close())
		})
		t.Run(name+" http", func(t *testing.T) {
			s, err := rawclient.StartHTTP(t.Context(), binary, flags...)
			require.NoError(t, err)
			c, err := connect.http(t.Context(), s.URL)
			require.NoError(t, err)
			f(t, c, connect.angle, connect.hugeOverHTTP)
			require.NoError(t, c.close())
			require.NoError(t, s.Stop())
		})
	}
}

// TestGoClients: go-sdk and mcp-go find, read, send and are told what is wrong. What they are
// given as json.RawMessage they send without its white space; numbers and escapes stay as
// they are written.
func TestGoClients(t *testing.T) {
	everyGoClient(t, func(t *testing.T, c goClient, angle, huge string) {
		ctx := t.Context()
		tools, err := c.tools(ctx)
		require.NoError(t, err)
		require.Equal(t, []string{"echo", "get_schema", "list_schemas"}, slices.Sorted(maps.Keys(tools)))

		list, err := c.call(ctx, "list_schemas", nil)
		require.NoError(t, err)
		require.Contains(t, list.text, `"schema_id":"zenlix-agent-stage-v1"`)
		schema, err := c.call(ctx, "get_schema", map[string]any{"schema_id": "zenlix-agent-stage-v1"})
		require.NoError(t, err)
		require.Contains(t, schema.text, `"title": "Agent stage"`)

		for payload, sent := range map[string]string{
			`{"b":1.0,"a":[1E2,-0,9007199254740993]}`: `{"b":1.0,"a":[1E2,-0,9007199254740993]}`,
			`[]`:               `[]`,
			`"57785654"`:       `"57785654"`,
			`"[1]"`:            `"[1]"`,
			`null`:             `null`,
			`true`:             `true`,
			`12`:               `12`,
			`"\u0041\/\ud800"`: `"\u0041\/\ud800"`,
			`{"a": [ "<" ] }`:  `{"a":["` + angle + `"]}`,
		} {
			r, err := c.call(ctx, "echo", echoOf("__schemaless__", payload))
			require.NoError(t, err, payload)
			require.Equal(t, `{"ok":true,"schema_id":"__schemaless__","payload":`+sent+`}`, r.text)
			require.False(t, r.isError)
			require.NotContains(t, r.meta, server.MetaUnwrapped)
		}

		_, err = c.call(ctx, "echo", echoOf("__schemaless__", "1E400"))
		require.ErrorContains(t, err, huge)

		r, err := c.call(ctx, "echo", echoOf("zenlix-agent-stage-v1", `"{\"stage\": \"a\"}"`))
		require.NoError(t, err)
		require.Equal(t, `{"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":{"stage": "a"}}`, r.text)
		require.Equal(t, true, r.meta[server.MetaUnwrapped])

		r, err = c.call(ctx, "echo", echoOf("zenlix-agent-stage-v1", `{"stage":1,"stage_staus":2}`))
		require.NoError(t, err)
		require.True(t, r.isError)
		require.Contains(t, r.text, `"path":"/stage"`)
		require.Contains(t, r.text, `did you mean \"stage_status\"`)

		_, err = c.call(ctx, "no-such-tool", nil)
		require.ErrorContains(t, err, "no-such-tool")

		large := `"` + strings.Repeat("x", 1_000_000) + `"`
		r, err = c.call(ctx, "echo", echoOf("__schemaless__", large))
		require.NoError(t, err)
		require.True(t, r.text == `{"ok":true,"schema_id":"__schemaless__","payload":`+large+`}`)

		var all sync.WaitGroup
		for i := range 20 {
			all.Go(func() {
				r, err := c.call(ctx, "echo", echoOf("__schemaless__", strconv.Itoa(i)))
				if err != nil || !strings.HasSuffix(r.text, `"payload":`+strconv.Itoa(i)+`}`) {
					t.Error(i, r, err)
				}
			})
		}
		all.Wait()
	})
}

// TestGoClientsTypedTools: a tool of a schema's own takes the message as its arguments.
func TestGoClientsTypedTools(t *testing.T) {
	everyGoClient(t, func(t *testing.T, c goClient, _, _ string) {
		tools, err := c.tools(t.Context())
		require.NoError(t, err)
		require.Contains(t, string(tools["emit_zenlix-agent-stage-v1"]), `"stage_status"`)
		r, err := c.call(t.Context(), "emit_zenlix-agent-stage-v1", json.RawMessage(`{"stage":"a","extra":{"n":1.0}}`))
		require.NoError(t, err)
		require.Equal(t, `{"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"a","extra":{"n":1.0}}}`, r.text)
		r, err = c.call(t.Context(), "emit_zenlix-agent-stage-v1", map[string]any{"stage": 1})
		require.NoError(t, err)
		require.True(t, r.isError)
		require.Contains(t, r.text, `"path":"/stage"`)
	}, "--typed-tools")
}

func echoOf(id, payload string) map[string]any {
	return map[string]any{"schema_id": id, "payload": json.RawMessage(payload)}
}
