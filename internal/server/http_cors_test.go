package server_test

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

const page = "https://app.example"

// TestPagesReadEveryAnswer: a page of an allowed origin reads what the server says,
// whatever that is. Without the headers of CORS a browser would only tell it that the
// request failed.
func TestPagesReadEveryAnswer(t *testing.T) {
	t.Parallel()
	r := newSlow()
	s := server.New(r.Registry, transport.Options{
		AllowedOrigins: []string{page, "https://Slash.example/"}, MaxMessageBytes: 1000, MaxInFlight: 1, Tokens: []string{token},
	}, server.Tools{})
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		ts.Close()
	})
	c := &httpClient{url: ts.URL + "/mcp"}
	bearer := map[string]string{"Authorization": "Bearer " + token}
	c.session = c.post(t, initialize, bearer).header.Get("Mcp-Session-Id")
	big := echoCall(1, "slow", `"`+strings.Repeat("x", 2000)+`"`)
	ask := func(method, path, message, origin string, header map[string]string) response {
		all := maps.Clone(bearer)
		all["Origin"] = origin
		maps.Copy(all, header)
		return c.at(path).do(t, t.Context(), method, message, all)
	}
	got := make(chan response, 1)
	for _, f := range []struct {
		name, method, path, message string
		header                      map[string]string
		status                      int
	}{
		{"an answer", "POST", "/mcp", ping, nil, 200},
		{"not JSON", "POST", "/mcp", `{`, nil, 400},
		{"no token", "POST", "/mcp", ping, map[string]string{"Authorization": ""}, 401},
		{"wrong token", "POST", "/mcp", ping, map[string]string{"Authorization": "Bearer wrong"}, 401},
		{"foreign host", "POST", "/mcp", ping, map[string]string{"Host": "attacker.example"}, 403},
		{"no such session", "POST", "/mcp", ping, map[string]string{"Mcp-Session-Id": "x"}, 404},
		{"wrong method", "PUT", "/mcp", ping, nil, 405},
		{"too large", "POST", "/mcp", big, nil, 413},
		{"no JSON", "POST", "/mcp", ping, map[string]string{"Content-Type": "text/plain"}, 415},
		{"busy", "POST", "/mcp", ping, nil, 429},
		{"the list", "GET", "/schemas", "", nil, 200},
		{"a schema", "GET", "/schemas/slow", "", nil, 200},
		{"no schema", "GET", "/schemas/absent", "", nil, 404},
		{"no token for the list", "GET", "/schemas", "", map[string]string{"Authorization": ""}, 401},
	} {
		if f.status == http.StatusTooManyRequests {
			go func() { got <- c.post(t, echoCall(1, "slow", `[1.0]`), bearer) }()
			<-r.entered
		}
		for origin, shown := range map[string]string{
			page:                    page,
			"https://slash.example": "https://slash.example",
			"http://localhost:6274": "http://localhost:6274", // a page of this machine
			"":                      "",
		} {
			a := ask(f.method, f.path, f.message, origin, f.header)
			require.Equal(t, f.status, a.status, "%s of %q: %s", f.name, origin, a.body)
			require.Equal(t, shown, a.header.Get("Access-Control-Allow-Origin"), "%s of %q", f.name, origin)
			require.Equal(t, "Origin", a.header.Get("Vary"), "%s of %q: caches keep the answers apart", f.name, origin)
			if shown != "" {
				for _, name := range []string{"Mcp-Session-Id", "Retry-After", "WWW-Authenticate"} {
					require.Contains(t, a.header.Get("Access-Control-Expose-Headers"), name, f.name)
				}
			}
		}
		// Pages of other origins learn nothing.
		for _, origin := range []string{"https://evil.example", "null"} {
			a := ask(f.method, f.path, f.message, origin, f.header)
			require.Equal(t, http.StatusForbidden, a.status, "%s of %q", f.name, origin)
			require.Empty(t, a.header.Get("Access-Control-Allow-Origin"), "%s of %q", f.name, origin)
		}
	}
	close(r.release)
	<-got
}

// TestPreflight: before it sends the headers that the protocol has, a browser asks, without
// the token, whether it may.
func TestPreflight(t *testing.T) {
	t.Parallel()
	s := server.New(testRegistry(), transport.Options{AllowedOrigins: []string{page}, Tokens: []string{token}}, server.Tools{})
	ts := httptest.NewServer(s.Handler())
	defer ts.Close()
	defer s.Close()
	c := &httpClient{url: ts.URL}
	const wanted = "authorization,content-type,last-event-id,mcp-method,mcp-name,mcp-param-region,mcp-protocol-version,mcp-session-id"
	ask := func(path, origin string) response {
		return c.at(path).do(t, t.Context(), http.MethodOptions, "", map[string]string{
			"Origin": origin, "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": wanted,
		})
	}
	for _, path := range []string{"/mcp", "/schemas", "/schemas/any", "/metrics"} {
		for _, origin := range []string{page, "http://127.0.0.1:5173"} {
			r := ask(path, origin)
			require.Equal(t, http.StatusNoContent, r.status, path)
			require.Equal(t, origin, r.header.Get("Access-Control-Allow-Origin"), path)
			require.Equal(t, wanted, r.header.Get("Access-Control-Allow-Headers"), path)
			for _, method := range []string{"GET", "POST", "DELETE"} {
				require.Contains(t, r.header.Get("Access-Control-Allow-Methods"), method, path)
			}
		}
		r := ask(path, "https://evil.example")
		require.Equal(t, http.StatusForbidden, r.status, path)
		for name := range r.header {
			require.NotContains(t, name, "Access-Control-", path)
		}
		// What doesn't ask for a page is a method like any other.
		r = c.at(path).do(t, t.Context(), http.MethodOptions, "", map[string]string{"Authorization": "Bearer " + token})
		require.Equal(t, http.StatusMethodNotAllowed, r.status, path)
		require.Contains(t, r.header.Get("Allow"), "GET", path)
	}
}

// TestAnyOrigin: "*" lets every page read.
func TestAnyOrigin(t *testing.T) {
	t.Parallel()
	c := startHTTP(t, server.New(testRegistry(), transport.Options{AllowedOrigins: []string{"*"}}, server.Tools{}))
	for _, origin := range []string{page, "null"} {
		r := c.post(t, ping, map[string]string{"Origin": origin})
		require.Equal(t, http.StatusOK, r.status)
		require.Equal(t, origin, r.header.Get("Access-Control-Allow-Origin"))
	}
}
