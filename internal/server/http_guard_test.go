package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

func TestHTTPGuard(t *testing.T) {
	t.Parallel()
	open := startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{}))
	own := strings.TrimSuffix(open.url, "/mcp")
	listed := startHTTP(t, server.New(testRegistry(), transport.Options{
		AllowedOrigins: []string{"https://app.example", "https://slash.example/"},
		AllowedHosts:   []string{"mcp.example", "Other.Example:8080"},
	}, server.Tools{}))
	all := startHTTP(t, server.New(testRegistry(), transport.Options{AllowedOrigins: []string{"*"}, AllowedHosts: []string{"*"}}, server.Tools{}))
	for _, c := range []struct {
		client       *httpClient
		host, origin string
		status       int
	}{
		{open, "", "", 200},
		{open, "localhost", "", 200},
		{open, "localhost:3000", "", 200},
		{open, "LOCALHOST.", "", 200},
		{open, "127.0.0.1", "", 200},
		{open, "127.1.2.3:99", "", 200},
		{open, "[::1]", "", 200},
		{open, "[::1]:3000", "", 200},
		{open, "attacker.example", "", 403},
		{open, "attacker.example:80", "", 403},
		{open, "localhost.attacker.example", "", 403},
		{open, "192.0.2.1", "", 403},
		{open, "10.0.0.1:3000", "", 403},
		{open, "", own, 200},
		{open, "", "http://localhost:6274", 200},
		{open, "", "https://127.0.0.1", 200},
		{open, "", "http://[::1]:5", 200},
		{open, "", "https://attacker.example", 403},
		{open, "", "https://localhost.attacker.example", 403},
		{open, "", "null", 403},
		{open, "", "file://", 403},
		{open, "", "ftp://localhost", 403},
		{open, "", "localhost", 403},
		{open, "", "https://app.example", 403},
		{listed, "", "https://app.example", 200},
		{listed, "", "HTTPS://APP.EXAMPLE", 200},
		{listed, "", "https://slash.example", 200},
		{listed, "", "http://app.example", 403},
		{listed, "", "https://app.example:444", 403},
		{listed, "mcp.example", "", 200},
		{listed, "mcp.example:3000", "", 200},
		{listed, "mcp.example", "https://mcp.example", 200},
		{listed, "other.example:8080", "", 200},
		{listed, "other.example:8081", "", 403},
		{listed, "other.example", "", 403},
		{all, "anything.example", "", 200},
		{all, "", "https://anything.example", 200},
	} {
		r := c.client.post(t, ping, map[string]string{"Host": orHost(c.host, c.client), "Origin": c.origin})
		require.Equal(t, c.status, r.status, "Host %q, Origin %q: %s", c.host, c.origin, r.body)
		if c.status == 403 {
			require.Equal(t, -32600, read(t, r.body).Error.Code)
			require.Contains(t, r.body, "its operator can allow")
		}
		for _, method := range []string{http.MethodGet, http.MethodDelete} {
			if c.status == 403 {
				require.Equal(t, 403, c.client.do(t, t.Context(), method, "", map[string]string{"Host": orHost(c.host, c.client), "Origin": c.origin}).status)
			}
		}
	}
}

func orHost(host string, c *httpClient) string {
	if host != "" {
		return host
	}
	return strings.TrimSuffix(strings.TrimPrefix(c.url, "http://"), "/mcp")
}
