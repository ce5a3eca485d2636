package echomcp_test

import (
	"encoding/json"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp"
	"github.com/zenlix/echo-mcp/generated"
)

// call is a call of echo. Go values would round the number.
const (
	payload = `{"stage":"build","note":9007199254740993.0}`
	noted   = `{"schema_id":"__schemaless__","payload":` + payload + `}`
)

// connect gives the official SDK's client in memory.
func connect(t *testing.T, s *echomcp.Server) *gosdk.ClientSession {
	t.Helper()
	conn := s.Connect(t.Context())
	session, err := gosdk.NewClient(&gosdk.Implementation{Name: "t", Version: "1"}, nil).
		Connect(t.Context(), &gosdk.IOTransport{Reader: conn, Writer: conn}, nil)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, session.Close()) })
	return session
}

// TestInfo: the options say who the server is, and nothing of Echo MCP is left then.
func TestInfo(t *testing.T) {
	session := connect(t, echomcp.New(generated.Registry, echomcp.Options{
		Info: echomcp.Info{
			Name: "msgs", Title: "Messages", Version: "1.2.3", Description: "Ours.", Website: "https://example.com",
			Icon: "https://example.com/icon.png",
		},
		Instructions: "Call echo.",
	}))
	about := session.InitializeResult()
	require.Equal(t, "Call echo.", about.Instructions)
	require.Equal(t, "msgs", about.ServerInfo.Name)
	require.Equal(t, "Messages", about.ServerInfo.Title)
	require.Equal(t, "1.2.3", about.ServerInfo.Version)
	require.Equal(t, "https://example.com", about.ServerInfo.WebsiteURL)
	require.Len(t, about.ServerInfo.Icons, 1)
	require.Equal(t, "https://example.com/icon.png", about.ServerInfo.Icons[0].Source)
}

// TestNameOfTheProgram: without options the server is named after the program that it runs in,
// which is not Echo MCP.
func TestNameOfTheProgram(t *testing.T) {
	about := connect(t, echomcp.New(generated.Registry, echomcp.Options{})).InitializeResult()
	require.Equal(t, "echo-mcp", about.ServerInfo.Name) // of this test's binary: echo-mcp.test
	require.Empty(t, about.ServerInfo.Title)
	require.Empty(t, about.ServerInfo.Icons)
	require.Contains(t, about.Instructions, "list_schemas")
}

// TestParseResult: what either SDK makes of a result keeps the payload's bytes, and so does the
// JSON of the result.
func TestParseResult(t *testing.T) {
	want := echomcp.Result{SchemaID: "__schemaless__", Payload: json.RawMessage(payload)}
	for name, options := range map[string]echomcp.Options{"with text": {}, "without": {NoText: true}} {
		t.Run(name, func(t *testing.T) {
			session := connect(t, echomcp.New(generated.Registry, options))
			result, err := session.CallTool(t.Context(), &gosdk.CallToolParams{Name: "echo", Arguments: json.RawMessage(noted)})
			require.NoError(t, err)
			got, err := echomcp.ParseResult(result)
			require.NoError(t, err)
			require.Equal(t, want.SchemaID, got.SchemaID)
			if !options.NoText { // else the SDK has only Go values of it
				require.Equal(t, want, got)
			}
		})
	}
	t.Run("mcp-go", func(t *testing.T) {
		conn := echomcp.New(generated.Registry, echomcp.Options{}).Connect(t.Context())
		c := client.NewClient(transport.NewIO(conn, conn, io.NopCloser(strings.NewReader(""))))
		require.NoError(t, c.Start(t.Context()))
		t.Cleanup(func() { require.NoError(t, c.Close()) })
		_, err := c.Initialize(t.Context(), mcp.InitializeRequest{})
		require.NoError(t, err)
		result, err := c.CallTool(t.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "echo", Arguments: json.RawMessage(noted)}})
		require.NoError(t, err)
		got, err := echomcp.ParseResult(result)
		require.NoError(t, err)
		require.Equal(t, want, got)
	})
}

// TestParseResultJSON reads results as they are recorded.
func TestParseResultJSON(t *testing.T) {
	text := func(envelope string) string {
		quoted, err := json.Marshal(envelope)
		require.NoError(t, err)
		return string(quoted)
	}
	ok := `{"ok":true,"schema_id":"a","payload":{"n": 1e400}}`
	refused := `{"ok":false,"error":{"code":"SCHEMA_VALIDATION_FAILED","message":"no","schema_id":"a","details":[{"path":"/n","message":"is required","keyword":"required","schema_path":"#/required"}]}}`
	for name, tt := range map[string]struct{ result, payload, failure string }{
		"structured":             {`{"content":[],"structuredContent":` + ok + `}`, `{"n": 1e400}`, ""},
		"text":                   {`{"content":[{"type":"text","text":` + text(ok) + `}]}`, `{"n": 1e400}`, ""},
		"text before structured": {`{"content":[{"type":"text","text":` + text(ok) + `}],"structuredContent":{"ok":true,"schema_id":"a","payload":{"n":null}}}`, `{"n": 1e400}`, ""},
		"prose before it":        {`{"content":[{"type":"text","text":"Here it is:"},{"type":"text","text":` + text(ok) + `}]}`, `{"n": 1e400}`, ""},
		"deep":                   {`{"structuredContent":{"ok":true,"schema_id":"a","payload":` + strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000) + `}}`, strings.Repeat("[", 9_000) + strings.Repeat("]", 9_000), ""},
		"refused":                {`{"isError":true,"content":[{"type":"text","text":` + text(refused) + `}],"structuredContent":` + refused + `}`, "", "SCHEMA_VALIDATION_FAILED: no\n/n: is required"},
		"another tool":           {`{"content":[{"type":"text","text":"pong"}]}`, "", "the result is not that of an echo: it has neither structured content nor a text that is an envelope"},
		"another's structure":    {`{"content":[],"structuredContent":{"ok":true}}`, "", "the result is not that of an echo: it holds no envelope"},
		"no object":              {`[]`, "", "the result is not that of an echo: it is not an object"},
		"no JSON":                {`{`, "", "the result is not that of an echo: it is not JSON: "},
	} {
		t.Run(name, func(t *testing.T) {
			r, err := echomcp.ParseResult([]byte(tt.result))
			if tt.failure == "" {
				require.NoError(t, err)
				require.Equal(t, echomcp.Result{SchemaID: "a", Payload: json.RawMessage(tt.payload)}, r)
				return
			}
			require.ErrorContains(t, err, tt.failure)
			var failure *echomcp.CallError
			if strings.HasPrefix(tt.failure, "SCHEMA") {
				require.ErrorAs(t, err, &failure)
				require.Equal(t, echomcp.CodeSchemaValidationFailed, failure.Code)
				require.Equal(t, "/n", failure.Details[0].Path)
			} else {
				require.ErrorIs(t, err, echomcp.ErrNoEnvelope)
			}
		})
	}
}

// TestHandlerUnderAPrefix: the handler is one among others, wherever it is mounted.
func TestHandlerUnderAPrefix(t *testing.T) {
	s := echomcp.New(generated.Registry, echomcp.Options{})
	t.Cleanup(s.Close)
	mux := http.NewServeMux()
	mux.Handle("/agents/", http.StripPrefix("/agents", s.Handler()))
	web := httptest.NewServer(mux)
	t.Cleanup(web.Close)
	session, err := gosdk.NewClient(&gosdk.Implementation{Name: "t", Version: "1"}, nil).
		Connect(t.Context(), &gosdk.StreamableClientTransport{Endpoint: web.URL + "/agents/mcp"}, nil)
	require.NoError(t, err)
	tools, err := session.ListTools(t.Context(), nil)
	require.NoError(t, err)
	require.Len(t, tools.Tools, 3)
	require.NoError(t, session.Close())
	for path, status := range map[string]int{"/agents/inspector": 200, "/agents/healthz": 200, "/agents/schemas": 200, "/inspector": 404} {
		r, err := http.Get(web.URL + path) //nolint:noctx // of this test's server
		require.NoError(t, err)
		require.NoError(t, r.Body.Close())
		require.Equal(t, status, r.StatusCode, path)
	}
}

// TestLibrarySpeaksOfNoFlags: who embeds the server has no command line.
func TestLibrarySpeaksOfNoFlags(t *testing.T) {
	var log strings.Builder
	s := echomcp.New(generated.Registry, echomcp.Options{
		Limits: echomcp.Limits{MessageBytes: 2_000, Depth: 10}, Logger: slog.New(slog.NewTextHandler(&log, nil)),
		HTTP: echomcp.HTTP{Tokens: []string{"0123456789abcdef"}, NoInspector: true},
	})
	t.Cleanup(s.Close)
	require.ErrorIs(t, echomcp.New(generated.Registry, echomcp.Options{}).ListenAndServe(t.Context(), "0.0.0.0:0"), echomcp.ErrPublicAddress)
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	var said strings.Builder
	said.WriteString(echomcp.ErrPublicAddress.Error())
	for _, r := range []struct{ method, path, host, origin, token, body string }{
		{"POST", "/mcp", "", "", "", `{}`},
		{"POST", "/mcp", "evil.example", "", "0123456789abcdef", `{}`},
		{"POST", "/mcp", "", "https://evil.example", "0123456789abcdef", `{}`},
		{"POST", "/mcp", "", "", "0123456789abcdef", `{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 3_000) + `"}`},
		{"POST", "/mcp", "", "", "0123456789abcdef", `{"jsonrpc":"2.0","id":1,"method":"ping","params":` + strings.Repeat("[", 300) + strings.Repeat("]", 300) + `}`},
		{"GET", "/inspector", "", "", "", ""},
		{"GET", "/", "", "", "", ""},
	} {
		request, err := http.NewRequestWithContext(t.Context(), r.method, web.URL+r.path, strings.NewReader(r.body))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Authorization", "Bearer "+r.token)
		if r.host != "" {
			request.Host = r.host
		}
		if r.origin != "" {
			request.Header.Set("Origin", r.origin)
		}
		answer, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		require.NoError(t, answer.Body.Close())
		said.Write(text)
	}
	require.NotRegexp(t, `(^|\s)--?[a-z]`, said.String()+log.String())
	require.NotContains(t, said.String(), "inspector")
}

// TestConnectEnds: closing the connection ends the server's side of it, and so does the context.
func TestConnectEnds(t *testing.T) {
	s := echomcp.New(generated.Registry, echomcp.Options{Limits: echomcp.Limits{DrainTimeout: time.Second}})
	conn := s.Connect(t.Context())
	_, err := conn.Write([]byte(`{"jsonrpc":"2.0","id":1,"method":"ping"}` + "\n"))
	require.NoError(t, err)
	answer := make([]byte, 100)
	n, err := conn.Read(answer)
	require.NoError(t, err)
	require.JSONEq(t, `{"jsonrpc":"2.0","id":1,"result":{}}`, string(answer[:n]))
	require.NoError(t, conn.Close())
	_, err = conn.Write([]byte("\n"))
	require.ErrorIs(t, err, io.ErrClosedPipe)
}
