package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"

	echomcp "github.com/zenlix/echo-mcp"
	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/client"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// eras are the versions of both eras, and "" for what Connect finds out.
var eras = []string{"", "2026-07-28", "2025-11-25", "2024-11-05"}

// TestEchoServerInMemory: payloads go to an echo server in this program and come back unchanged, in
// both eras.
func TestEchoServerInMemory(t *testing.T) {
	server := echomcp.New(generated.Registry, echomcp.Options{Info: echomcp.Info{Name: "echo"}})
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			s, err := client.Connect(t.Context(), client.InMemory(server.Connect), client.Options{Protocol: version, OnStray: func(err error) { t.Error(err) }})
			require.NoError(t, err)
			defer func() { require.NoError(t, s.Close()) }()
			require.Equal(t, "echo", s.Server().Name)
			if version != "" {
				require.Equal(t, version, s.ProtocolVersion())
			}
			require.True(t, s.Offers("tools"))
			tools, err := s.Tools(t.Context())
			require.NoError(t, err)
			require.NotEmpty(t, tools)
			const payload = `{ "stage" : "a\u0062" }`
			r, err := s.CallTool(t.Context(), "echo", json.RawMessage(`{"schema_id":"zenlix-agent-stage-v1","payload":`+payload+`}`))
			require.NoError(t, err)
			require.False(t, r.IsError)
			require.Equal(t, `{"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":`+payload+`}`, string(r.StructuredContent))
			require.Equal(t, string(r.StructuredContent), r.Text())
			resources, err := s.Resources(t.Context())
			require.NoError(t, err)
			contents, err := s.ReadResource(t.Context(), resources[0].URI)
			require.NoError(t, err)
			require.NotEmpty(t, contents.Contents[0].Text)
			prompts, err := s.Prompts(t.Context())
			require.NoError(t, err)
			require.NotEmpty(t, prompts)
			_, err = s.CallTool(t.Context(), "absent", nil)
			var refused *client.Error
			require.ErrorAs(t, err, &refused)
			require.Equal(t, -32602, refused.Code)
		})
	}
}

// TestToolkitServerInMemory: a server of typed tools.
func TestToolkitServerInMemory(t *testing.T) {
	type query struct {
		Text string `json:"text"`
	}
	server := toolkit.New(toolkit.Info{Name: "words"}, toolkit.Options{})
	require.NoError(t, toolkit.Tool(server, "count", "Counts words.", func(_ context.Context, q query) (map[string]int, error) {
		if q.Text == "" {
			return nil, fmt.Errorf("nothing to count")
		}
		return map[string]int{"words": len(strings.Fields(q.Text))}, nil
	}))
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			s, err := client.Connect(t.Context(), client.InMemory(server.Connect), client.Options{Protocol: version})
			require.NoError(t, err)
			defer func() { require.NoError(t, s.Close()) }()
			r, err := s.CallTool(t.Context(), "count", json.RawMessage("{\"text\":\n\"a b c\"}"))
			require.NoError(t, err)
			require.Equal(t, `{"words":3}`, string(r.StructuredContent))
			r, err = s.CallTool(t.Context(), "count", json.RawMessage(`{"text":""}`))
			require.NoError(t, err)
			require.True(t, r.IsError)
			require.Contains(t, r.Text(), "nothing to count")
		})
	}
}

// TestMCPGoServerInMemory: a server that is none of this project's, over the framing of stdio.
func TestMCPGoServerInMemory(t *testing.T) {
	connect := func(ctx context.Context) io.ReadWriteCloser {
		server := mcpserver.NewMCPServer("peer", "1", mcpserver.WithToolCapabilities(true), mcpserver.WithPaginationLimit(2))
		for i := range 5 {
			server.AddTool(mcp.NewTool(fmt.Sprintf("t%d", i)), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return mcp.NewToolResultText(fmt.Sprint(r.GetArguments()["n"])), nil
			})
		}
		ours, theirs := net.Pipe()
		go func() {
			_ = mcpserver.NewStdioServer(server).Listen(ctx, theirs, theirs)
			_ = theirs.Close()
		}()
		return ours
	}
	for _, version := range eras {
		t.Run(version, func(t *testing.T) {
			s, err := client.Connect(t.Context(), client.InMemory(connect), client.Options{Protocol: version})
			require.NoError(t, err)
			defer func() { require.NoError(t, s.Close()) }()
			require.Equal(t, "peer", s.Server().Name)
			tools, err := s.Tools(t.Context())
			require.NoError(t, err)
			require.Len(t, tools, 5, "all pages")
			r, err := s.CallTool(t.Context(), "t3", json.RawMessage(`{"n":7}`))
			require.NoError(t, err)
			require.Equal(t, "7", r.Text())
			_, err = s.Prompts(t.Context())
			require.ErrorContains(t, err, "prompts/list: error -32601")
		})
	}
}

// TestTooLarge: a message beyond the limit ends the session, with a reason.
func TestTooLarge(t *testing.T) {
	ours, theirs := net.Pipe()
	go func() {
		buf := make([]byte, 4096)
		_, _ = theirs.Read(buf)
		endless := bytes.Repeat([]byte{' '}, 1024)
		for err := error(nil); err == nil; {
			_, err = theirs.Write(endless)
		}
	}()
	_, err := client.Connect(t.Context(), client.InMemory(func(context.Context) io.ReadWriteCloser { return ours }), client.Options{MaxMessageBytes: 100_000})
	require.ErrorContains(t, err, "initialize: the connection to the server has ended: a message is longer than the limit of 100000 bytes")
	require.ErrorIs(t, err, client.ErrLost)
}

// TestDeafServer: a server that does not read holds nobody up beyond the time-out.
func TestDeafServer(t *testing.T) {
	ours, theirs := net.Pipe()
	defer theirs.Close()
	_, err := client.Connect(t.Context(), client.InMemory(func(context.Context) io.ReadWriteCloser { return ours }), client.Options{Timeout: 50_000_000})
	require.Equal(t, "initialize", requireTimeout(t, err).Method)
}
