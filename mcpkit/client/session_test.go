package client_test

import (
	"context"
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	echomcp "github.com/zenlix/echo-mcp"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestSessionWithTheEchoServer(t *testing.T) {
	server := echomcp.New(generated.Registry, echomcp.Options{})
	for _, version := range []string{"", "2026-07-28", "2025-06-18", "2024-11-05"} {
		t.Run(version, func(t *testing.T) {
			s, err := client.Connect(t.Context(), client.InMemory(server.Connect), client.Options{Protocol: version})
			require.NoError(t, err)
			defer s.Close()
			tools, err := s.Tools(t.Context())
			require.NoError(t, err)
			require.NotEmpty(t, tools)
			payload := `{ "stage" : "a\u0062" }`
			r, err := s.CallTool(t.Context(), "echo", json.RawMessage(`{"schema_id":"zenlix-agent-stage-v1","payload":`+payload+`}`))
			require.NoError(t, err)
			require.Contains(t, r.Text(), payload)
			require.Contains(t, string(r.StructuredContent), payload)
		})
	}
}

func TestFake(t *testing.T) {
	s, err := client.Connect(t.Context(), client.Fake(func(c client.Call) (json.RawMessage, error) {
		if c.Method == "tools/call" {
			return json.RawMessage(`{"content":[{"type":"text","text":"hi"}]}`), nil
		}
		return nil, nil
	}), client.Options{})
	require.NoError(t, err)
	r, err := s.CallTool(context.Background(), "x", nil)
	require.NoError(t, err)
	require.Equal(t, "hi", r.Text())
	require.NoError(t, s.Close())
}
