package e2e_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/oauth/oauthtest"
	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// TestHangupOAuth: SIGHUP reads the metadata and the client's credentials again; what is bad
// is logged with file and member, and exchanges nothing. The log holds no token and no secret.
func TestHangupOAuth(t *testing.T) {
	as, next := oauthtest.Start(t), oauthtest.Start(t)
	const resource = "https://mcp.example.com/mcp"
	dir := t.TempDir()
	metadata, client := filepath.Join(dir, "oauth.json"), filepath.Join(dir, "client.json")
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write(metadata, oauthtest.Metadata(resource, as))
	write(client, `{"client_id":"`+oauthtest.ClientID+`","client_secret":"not-the-secret"}`)
	s, err := rawclient.StartHTTP(t.Context(), binary, "--auth-resource-metadata", metadata, "--auth-introspection-client", client)
	require.NoError(t, err)
	hangup := func(says string) {
		before := len(s.Said())
		require.NoError(t, s.Signal(syscall.SIGHUP))
		require.Eventually(t, func() bool { return strings.Contains(s.Said()[before:], says) }, time.Minute, 10*time.Millisecond, says)
	}
	token, other := as.Opaque(as.Claims(resource, nil)), next.Opaque(next.Claims(resource, nil))
	status := func(token string) int {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.Replace(s.URL, "/mcp", "/schemas", 1), nil)
		require.NoError(t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		r, err := http.DefaultClient.Do(request)
		require.NoError(t, err)
		r.Body.Close()
		return r.StatusCode
	}
	require.Equal(t, http.StatusServiceUnavailable, status(token))
	write(client, `{"client_id":"`+oauthtest.ClientID+`","client_secret":"`+oauthtest.ClientSecret+`"}`)
	hangup("metadata of the resource read again")
	require.Equal(t, []int{http.StatusOK, http.StatusUnauthorized}, []int{status(token), status(other)})
	write(metadata, `{"resource":"mcp.example.com"}`)
	hangup("authorization_servers: is missing")
	require.Equal(t, http.StatusOK, status(token))
	write(metadata, oauthtest.Metadata(resource, next))
	hangup("metadata of the resource read again")
	require.Equal(t, []int{http.StatusUnauthorized, http.StatusOK}, []int{status(token), status(other)})
	require.NoError(t, s.Stop())
	for _, secret := range []string{token, other, oauthtest.ClientSecret, "not-the-secret", "alice"} {
		require.NotContains(t, s.Said(), secret)
	}
}
