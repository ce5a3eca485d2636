package server_test

import (
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

func TestMetrics(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{Info: mcp.Implementation{Version: "1.2.3"}}, server.Tools{Typed: true}))
	for _, message := range []string{
		call("1", "list_schemas", `{}`),
		call("1", "get_schema", `{"schema_id":"any"}`),
		call("1", "echo", `{"schema_id":"any","payload":"hush"}`),
		call("1", "echo", `{"schema_id":"any","payload":"hush"}`),
		call("1", "echo", `{"schema_id":"`+stageID+`","payload":"hush"}`),
		call("1", "echo", `{"schema_id":"hush","payload":"hush"}`),
		call("1", "echo", `{"schema_id":"__schemaless__","payload":1}`),
		call("1", "echo", `{"schema_id":"panics","payload":1}`),
		call("1", "echo", `{"hush":1}`),
		call("1", stageTool, `{"stage":"hush"}`),
		call("1", "hush", `{"hush":1}`),
		`hush`,
	} {
		c.ask(t, message)
	}
	r := c.at("/metrics").get(t, nil)
	require.True(t, strings.HasPrefix(r.header.Get("Content-Type"), "text/plain"))
	for _, line := range []string{
		`echo_mcp_calls_total{outcome="ok",schema="",tool="list_schemas"} 1`,
		`echo_mcp_calls_total{outcome="ok",schema="any",tool="get_schema"} 1`,
		`echo_mcp_calls_total{outcome="ok",schema="any",tool="echo"} 2`,
		`echo_mcp_calls_total{outcome="schema_validation_failed",schema="` + stageID + `",tool="echo"} 1`,
		`echo_mcp_calls_total{outcome="schema_not_found",schema="",tool="echo"} 1`,
		`echo_mcp_calls_total{outcome="ok",schema="__schemaless__",tool="echo"} 1`,
		`echo_mcp_calls_total{outcome="internal_error",schema="panics",tool="echo"} 1`,
		`echo_mcp_calls_total{outcome="invalid_request",schema="",tool="echo"} 1`,
		`echo_mcp_calls_total{outcome="ok",schema="` + stageID + `",tool="` + stageTool + `"} 1`,
		`echo_mcp_payload_bytes_total{schema="any"} 12`,
		`echo_mcp_payload_bytes_total{schema="` + stageID + `"} 22`,
		`echo_mcp_call_duration_seconds_count{tool="echo"} 7`,
		`echo_mcp_http_requests_total{code="400"} 1`,
		`echo_mcp_http_requests_total{code="202"} 1`,
		`echo_mcp_requests_in_flight 0`,
		`echo_mcp_sessions 1`,
		`echo_mcp_schemas 3`,
		`echo_mcp_build_info{version="1.2.3"} 1`,
	} {
		require.Contains(t, r.body, line+"\n")
	}
	require.Contains(t, r.body, "go_goroutines")
	require.NotContains(t, r.body, "hush")
}

func TestNoText(t *testing.T) {
	overBothWith(t, transport.Options{}, server.Tools{NoText: true}, func(t *testing.T, c client) {
		text := c.ask(t, call("1", "echo", `{"schema_id":"any","payload":[1.0,"\u0041"]}`))
		require.Equal(t, `{"jsonrpc":"2.0","id":1,"result":{"content":[],"structuredContent":{"ok":true,"schema_id":"any","payload":[1.0,"\u0041"]}}}`, text)
		require.Equal(t, "SCHEMA_NOT_FOUND", string(readFailure(t, c.ask(t, call("1", "echo", `{"schema_id":"x","payload":1}`))).Code))
	})
}
