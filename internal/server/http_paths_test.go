package server_test

import (
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

func TestAccept(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	for accept, status := range map[string]int{
		"": 200, "*/*": 200, "text/*": 200, "text/event-stream": 200, "application/json, text/event-stream;q=0.5": 200,
		"application/json": 406, "text/html": 406, "*/*, text/event-stream;q=0": 406, "text/*;q=0, */*": 406, "nonsense": 406,
	} {
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			request, err := c.start(t.Context(), method, "", map[string]string{"Accept": accept})
			require.NoError(t, err)
			require.NoError(t, request.Body.Close())
			require.Equal(t, status, request.StatusCode, "%s %q", method, accept)
		}
	}
}

// TestHead: HEAD is answered as GET is, without a body, and opens no stream.
func TestHead(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") })
	s := server.New(testRegistry(), transport.Options{Inspector: page}, server.Tools{})
	c := startHTTP(t, s)
	for _, path := range []string{"/mcp", "/mcp/", "/", "/healthz", "/readyz", "/schemas", "/schemas/any", "/schemas/absent", "/inspector", "/absent"} {
		for name, header := range map[string]map[string]string{
			"plain": nil, "a version": {"Mcp-Protocol-Version": "1999-01-01"}, "no session": {"Mcp-Session-Id": ""},
			"another session": {"Mcp-Session-Id": "x"}, "JSON": {"Accept": "application/json"}, "2026": {"Mcp-Protocol-Version": "2026-07-28"},
		} {
			get, err := c.at(path).start(t.Context(), http.MethodGet, "", header)
			require.NoError(t, err)
			require.NoError(t, get.Body.Close())
			require.Eventually(t, func() bool { return s.OpenStreams() == 0 }, patience, 1000)
			head := c.at(path).do(t, t.Context(), http.MethodHead, "", header)
			require.Equal(t, get.StatusCode, head.status, "%s, %s", path, name)
			require.Empty(t, head.body)
			for _, field := range []string{"Content-Type", "Content-Length", "Cache-Control", "X-Accel-Buffering", "Allow", "ETag"} {
				require.Equal(t, get.Header.Get(field), head.header.Get(field), "%s, %s: %s", path, name, field)
			}
			require.Zero(t, s.OpenStreams())
		}
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") })
	c := startHTTP(t, server.New(testRegistry(), transport.Options{Inspector: page}, server.Tools{}))

	slash := c.at("/mcp/")
	require.Contains(t, slash.ask(t, ping), `"result":{}`)
	other := slash.post(t, initialize, nil).header.Get("Mcp-Session-Id")
	require.Equal(t, http.StatusOK, slash.do(t, t.Context(), http.MethodDelete, "", map[string]string{"Mcp-Session-Id": other}).status)

	root := c.at("/")
	for _, accept := range []string{"*/*", "", "application/json"} {
		r := root.get(t, map[string]string{"Accept": accept})
		require.Equal(t, http.StatusOK, r.status)
		require.Contains(t, r.body, "/mcp")
		require.Contains(t, r.body, "/inspector")
	}
	require.Equal(t, "page", root.get(t, map[string]string{"Accept": "text/html,*/*;q=0.8"}).body, "a browser is led to the page")
	r := root.post(t, initialize, nil)
	require.Equal(t, http.StatusMethodNotAllowed, r.status)
	require.Equal(t, "GET, HEAD", r.header.Get("Allow"))
	requireOurs(t, "POST /", "-32600", r.body)
	require.Contains(t, r.body, "MCP is served at /mcp")
	r = root.get(t, map[string]string{"Accept": "text/event-stream"})
	require.Equal(t, http.StatusNotAcceptable, r.status)
	require.Contains(t, r.body, "/mcp")

	for _, path := range []string{"/absent", "/mcp/x", "/sse", "/.well-known/oauth-protected-resource"} {
		r = c.at(path).get(t, nil)
		require.Equal(t, http.StatusNotFound, r.status, path)
		require.Contains(t, r.body, "/mcp", path)
		r = c.at(path).post(t, initialize, nil)
		require.Equal(t, http.StatusNotFound, r.status, path)
		requireOurs(t, path, "-32600", r.body)
	}
	for _, path := range []string{"/healthz", "/readyz", "/metrics", "/schemas", "/schemas/any"} {
		r = c.at(path).post(t, ping, nil)
		require.Equal(t, http.StatusMethodNotAllowed, r.status, path)
		require.Equal(t, "GET, HEAD", r.header.Get("Allow"), path)
	}
	require.NotContains(t, startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{})).at("/").get(t, nil).body, "/inspector")
}
