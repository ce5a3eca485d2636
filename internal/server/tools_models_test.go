package server_test

import (
	"encoding/json"
	"log/slog"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestModelsTakeEveryTool: the APIs of models would take all that tools/list lists, with and
// without typed tools.
func TestModelsTakeEveryTool(t *testing.T) {
	for _, typed := range []bool{false, true} {
		c := startStdio(t, t.Context(), server.New(generated.Registry, transport.Options{}, server.Tools{Typed: typed}))
		tools := listTools(t, c)
		if typed {
			require.Greater(t, len(tools), 5)
		}
		for _, tool := range tools {
			text, err := json.Marshal(tool.InputSchema)
			require.NoError(t, err)
			require.Empty(t, modelapi.Check(tool.Name, text), tool.Name)
		}
	}
}

// TestStrictModes: once a client has closed them, a strict mode takes every tool but those that
// take an object with any members: echo, for its payload is free, and the typed tools of schemas
// with such a member.
func TestStrictModes(t *testing.T) {
	const free = `: this object has no "additionalProperties": false`
	want := map[string]string{
		"echo":                       "/properties/payload" + free,
		"emit_mcp_catalog_v1":        "/$defs/detail/properties/ui" + free,
		"emit_tool_run_report_v1":    "/properties/labels" + free,
		"emit_zenlix-agent-stage-v1": "/properties/extra" + free,
	}
	c := startStdio(t, t.Context(), server.New(generated.Registry, transport.Options{}, server.Tools{Typed: true}))
	for _, tool := range listTools(t, c) {
		found := strictFindings(tool.InputSchema)
		if want[tool.Name] == "" {
			require.Empty(t, found, tool.Name)
			continue
		}
		require.NotEmpty(t, found, tool.Name)
		require.Equal(t, want[tool.Name], found[0].String())
	}
}

// TestNoToolThatModelsRefuse: a typed tool that would be refused is left out, and the log says why.
func TestNoToolThatModelsRefuse(t *testing.T) {
	var log syncBuffer
	accept := func(*jsonrt.Checker, int) bool { return true }
	registry := jsonrt.NewRegistry(
		&jsonrt.Schema{ID: "bad", Source: `{"type":"object","properties":{},"oneOf":[]}`, Tool: "emit_bad", Check: accept},
		&jsonrt.Schema{ID: "good", Source: `{"type":"object","properties":{}}`, Tool: "emit_good", Check: accept},
	)
	c := startStdio(t, t.Context(), server.New(registry, transport.Options{Logger: slog.New(slog.NewTextHandler(&log, nil))}, server.Tools{Typed: true}))
	var names []string
	for _, tool := range listTools(t, c) {
		names = append(names, tool.Name)
	}
	require.Equal(t, []string{"echo", "emit_good", "get_schema", "list_schemas"}, names)
	require.Contains(t, log.String(), "tool=emit_bad")
	require.Contains(t, log.String(), "oneOf at its root")
	require.Contains(t, c.ask(t, call("1", "echo", `{"schema_id":"bad","payload":{}}`)), `"ok":true`)
}
