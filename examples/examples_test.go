// Package examples_test builds and runs the programs of this folder, as the README shows them.
package examples_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// bin is the folder of the programs.
var bin string

func TestMain(m *testing.M) {
	code, err := run(m)
	if err != nil {
		_, _ = os.Stderr.WriteString(err.Error() + "\n")
		code = 1
	}
	os.Exit(code)
}

func run(m *testing.M) (code int, err error) {
	if bin, err = os.MkdirTemp("", "echo-mcp-examples-"); err != nil {
		return 1, err
	}
	defer os.RemoveAll(bin)
	for _, args := range [][]string{{"build", "-o", bin, "./..."}, {"vet", "./..."}} {
		if out, err := exec.CommandContext(context.Background(), "go", args...).CombinedOutput(); err != nil {
			return 1, errors.New("go " + args[0] + ": " + string(out))
		}
	}
	return m.Run(), nil
}

func program(name string) string { return filepath.Join(bin, name) }

// TestExamplesAreShort: each program is one file of less than 60 lines.
func TestExamplesAreShort(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*/*")
	require.NoError(t, err)
	require.Len(t, files, 5)
	for _, file := range files {
		require.Equal(t, "main.go", filepath.Base(file))
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		require.Less(t, bytes.Count(text, []byte("\n")), 60, file)
	}
}

// TestToolserver: the official SDK calls the typed tools.
func TestToolserver(t *testing.T) {
	t.Parallel()
	client := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.CommandTransport{Command: exec.CommandContext(t.Context(), program("toolserver"))}, nil)
	require.NoError(t, err)
	tools, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, tools.Tools, 2)
	search := func(arguments map[string]any) *sdk.CallToolResult {
		r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "search", Arguments: arguments})
		require.NoError(t, err)
		return r
	}
	r := search(map[string]any{"text": "programming"})
	require.Equal(t, `{"found":[{"title":"The Practice of Programming","year":1999},{"title":"The Go Programming Language","year":2015}]}`, r.Content[0].(*sdk.TextContent).Text)
	require.False(t, search(map[string]any{"text": "no such book"}).IsError)
	r = search(map[string]any{"txt": "go", "limit": 11})
	require.True(t, r.IsError)
	require.Contains(t, r.Content[0].(*sdk.TextContent).Text, "/text: is required\n/limit: must be at most 10\n/txt: is not allowed here; did you mean \"text\"?")
	require.NoError(t, session.Close())
}

// TestCaller: any server's tools are listed and called, and what fails is told apart.
func TestCaller(t *testing.T) {
	t.Parallel()
	call := func(tool, arguments string, command ...string) (string, error) {
		out, err := exec.CommandContext(t.Context(), program("caller"), append([]string{tool, arguments}, command...)...).Output()
		var exit *exec.ExitError
		if errors.As(err, &exit) {
			return string(exit.Stderr), err
		}
		return string(out), err
	}
	out, err := call("search", `{"text":"practice"}`, program("toolserver"))
	require.NoError(t, err)
	require.Contains(t, out, "search: ")
	require.Contains(t, out, `{"found":[{"title":"The Practice of Programming","year":1999}]}`)
	out, err = call("search", `{"txt":"go"}`, program("toolserver"))
	require.Error(t, err)
	require.Contains(t, out, "the tool has failed: ")
	out, err = call("absent", `{}`, program("toolserver"))
	require.Error(t, err)
	require.Contains(t, out, "the server rejects the call with code -32602: ")
	out, err = call("search", `{}`, program("absent"))
	require.Error(t, err)
	require.Contains(t, out, "can't start the server")
}

// TestConsumer: results become messages, and those that were refused are told of.
func TestConsumer(t *testing.T) {
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), program("consumer"))
	cmd.Stdin = strings.NewReader(`{"content":[{"type":"text","text":"{\"ok\":true,\"schema_id\":\"zenlix-agent-stage-v1\",\"payload\":{\"stage\":\"build\",\"stage_status\":\"success\"}}"}]}
{"structuredContent":{"ok":true,"schema_id":"report_outline_v1","payload":{"title":"Results","items":[{"index":1,"heading":"First"}]}}}
{"isError":true,"structuredContent":{"ok":false,"error":{"code":"SCHEMA_VALIDATION_FAILED","message":"no","schema_id":"report_outline_v1","details":[{"path":"/title","message":"is required"}]}}}
{"content":[]}
`)
	var said bytes.Buffer
	cmd.Stderr = &said
	out, err := cmd.Output()
	require.NoError(t, err)
	require.Equal(t, "stage build: success\noutline \"Results\" with 1 sections\n", string(out))
	require.Equal(t, 2, strings.Count(said.String(), "\n"), said.String())
	require.Contains(t, said.String(), "the agent sent a report_outline_v1 with 1 faults")
}

// serve starts a program that listens, and waits until it does. It is interrupted at the end of the
// test, and must then end well.
func serve(t *testing.T, name string, environment ...string) (site string) {
	t.Helper()
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	address := l.Addr().String()
	require.NoError(t, l.Close())
	cmd := exec.Command(program(name), address) //nolint:noctx // it is interrupted instead
	cmd.Env = append(os.Environ(), environment...)
	var said bytes.Buffer
	cmd.Stderr = &said
	require.NoError(t, cmd.Start())
	t.Cleanup(func() {
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, cmd.Wait(), said.String())
	})
	require.Eventually(t, func() bool {
		conn, err := net.DialTimeout("tcp", address, time.Second)
		if err == nil {
			_ = conn.Close()
		}
		return err == nil
	}, 30*time.Second, 10*time.Millisecond)
	return "http://" + address
}

// TestMux: MCP is one route beside others.
func TestMux(t *testing.T) {
	t.Parallel()
	site := serve(t, "mux")
	r, err := http.Get(site) //nolint:noctx // the server is in this test
	require.NoError(t, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	require.Equal(t, "the shop\n", string(body))
	require.Equal(t, "shop", connect(t, site+"/agents/mcp", "").InitializeResult().ServerInfo.Name)
}

// TestOwnserver: the server is what its options say.
func TestOwnserver(t *testing.T) {
	t.Parallel()
	site := serve(t, "ownserver", "NEWSROOM_TOKEN=a-token-of-a-test")
	r, err := http.Post(site+"/mcp", "application/json", strings.NewReader(`{}`)) //nolint:noctx // as above
	require.NoError(t, err)
	require.NoError(t, r.Body.Close())
	require.Equal(t, http.StatusUnauthorized, r.StatusCode)
	session := connect(t, site+"/mcp", "a-token-of-a-test")
	require.Equal(t, "The newsroom", session.InitializeResult().ServerInfo.Title)
	answer, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "echo", Arguments: map[string]any{"schema_id": "zenlix-agent-stage-v1", "payload": map[string]any{"stage": "build"}}})
	require.NoError(t, err)
	require.Contains(t, answer.Content[0].(*sdk.TextContent).Text, `"payload":{"stage":"build"}`)
}

// connect connects the official SDK's client.
func connect(t *testing.T, url, token string) *sdk.ClientSession {
	t.Helper()
	client := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: bearer(token)}}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { _ = session.Close() })
	return session
}

// bearer sends a token with every request, "" for none.
type bearer string

// RoundTrip implements http.RoundTripper.
func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+string(b))
	}
	return http.DefaultTransport.RoundTrip(r)
}
