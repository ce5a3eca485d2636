package server_test

import (
	"crypto/rand"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/oauth"
	"github.com/zenlix/echo-mcp/internal/oauth/oauthtest"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

const resource = "https://mcp.example.com/mcp"

func readMetadata(t *testing.T, text string) *oauth.Metadata {
	t.Helper()
	file := filepath.Join(t.TempDir(), "resource.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	m, err := oauth.ReadMetadata(file)
	require.NoError(t, err)
	return m
}

// startOAuth starts a server that is a protected resource of the authorization server.
func startOAuth(t *testing.T, as *oauthtest.Server, o transport.Options) *httpClient {
	t.Helper()
	o.OAuth = oauth.New(readMetadata(t, oauthtest.Metadata(resource, as)), nil, slog.New(slog.DiscardHandler))
	t.Cleanup(o.OAuth.Close)
	return startClosed(t, o)
}

// startClosed starts a server that nobody has initialized, as it lets nobody in without a
// token.
func startClosed(t *testing.T, o transport.Options) *httpClient {
	t.Helper()
	s := server.New(testRegistry(), o, server.Tools{})
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		ts.Close()
	})
	return &httpClient{url: ts.URL + "/mcp"}
}

func bearer(token string) map[string]string {
	return map[string]string{"Authorization": "Bearer " + token}
}

func TestOAuthChallenges(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	var log syncBuffer
	c := startOAuth(t, as, transport.Options{Tokens: []string{token}, Logger: slog.New(slog.NewTextHandler(&log, nil))})
	const lead = `Bearer realm="echo-mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp", scope="echo"`
	good := as.Token(t, as.Claims(resource, nil))
	for _, f := range []struct {
		name, query string
		header      map[string]string
		status      int
		challenge   string // "" for none
	}{
		{"none", "", nil, 401, lead},
		{"basic", "", map[string]string{"Authorization": "Basic " + good}, 401, lead},
		{"expired", "", bearer(as.Token(t, as.Claims(resource, map[string]any{"exp": 1}))), 401, lead + `, error="invalid_token", error_description="the access token has expired"`},
		{"another audience", "", bearer(as.Token(t, as.Claims("https://other.example", nil))), 401, lead + `, error="invalid_token", error_description="the access token is not for this server: ask for one with resource=` + resource + `"`},
		{"no scope", "", bearer(as.Token(t, as.Claims(resource, map[string]any{"scope": "other"}))), 403, lead + `, error="insufficient_scope", error_description="the access token lacks the scope echo"`},
		{"in the URL", "?access_token=" + good, nil, 400, lead + `, error="invalid_request"`},
		{"in the URL, escaped", "?a=b&access%5Ftoken=" + good, bearer(good), 400, lead + `, error="invalid_request"`},
		{"in both", "?access_token=" + good, bearer(good), 400, lead + `, error="invalid_request"`},
		{"good", "", bearer(good), 200, ""},
		{"a token of the file", "", bearer(token), 200, ""},
	} {
		for path, method := range map[string]string{"/mcp": http.MethodPost, "/mcp/": http.MethodPost, "/metrics": http.MethodGet, "/schemas": http.MethodGet} {
			message := ""
			if method == http.MethodPost {
				message = initialize
			}
			r := c.at(path+f.query).do(t, t.Context(), method, message, f.header)
			require.Equal(t, f.status, r.status, "%s %s: %s", f.name, path, r.body)
			if challenge := r.header.Get("WWW-Authenticate"); f.challenge == "" {
				require.Empty(t, challenge, f.name)
			} else {
				require.True(t, strings.HasPrefix(challenge, f.challenge), "%s: %s", f.name, challenge)
			}
			if f.status >= 400 {
				require.Contains(t, r.body, `"jsonrpc":"2.0","id":null,"error":{"code":-32600`)
			}
		}
	}
	for _, secret := range []string{good, token, "alice", "agent"} {
		require.NotContains(t, log.String(), secret)
	}
}

// TestOAuthTwoHeaders: which of two tokens counts must not be a matter of taste.
func TestOAuthTwoHeaders(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	c := startOAuth(t, as, transport.Options{})
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.at("/schemas").url, nil)
	require.NoError(t, err)
	good := "Bearer " + as.Token(t, as.Claims(resource, nil))
	request.Header["Authorization"] = []string{good, good}
	r, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer r.Body.Close()
	require.Equal(t, http.StatusBadRequest, r.StatusCode)
	require.Contains(t, r.Header.Get("WWW-Authenticate"), `error="invalid_request"`)
}

func TestOAuthMetadata(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	c := startOAuth(t, as, transport.Options{})
	for _, path := range []string{oauth.WellKnown, oauth.WellKnown + "/mcp", oauth.WellKnown + "/mcp/"} {
		// Without a token, from any page, under any name.
		r := c.at(path).get(t, map[string]string{"Origin": "https://any.example", "Host": "any.example"})
		require.Equal(t, http.StatusOK, r.status)
		require.Equal(t, "application/json", r.header.Get("Content-Type"))
		require.Equal(t, "*", r.header.Get("Access-Control-Allow-Origin"))
		require.Equal(t, `{"resource":"`+resource+`","authorization_servers":["`+as.URL+`"],"scopes_supported":["echo"],"resource_name":"Echo"}`, r.body)
		r = c.at(path).do(t, t.Context(), http.MethodOptions, "", map[string]string{
			"Origin": "https://any.example", "Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "mcp-protocol-version",
		})
		require.Equal(t, http.StatusNoContent, r.status)
		require.Equal(t, "*", r.header.Get("Access-Control-Allow-Headers"))
		require.Equal(t, http.StatusMethodNotAllowed, c.at(path).post(t, "", nil).status)
	}
	r := c.at(oauth.WellKnown+"/other").get(t, nil)
	require.Equal(t, http.StatusNotFound, r.status)
	require.Contains(t, r.body, "https://mcp.example.com/.well-known/oauth-protected-resource/mcp")
	// Without OAuth there are none: clients then know that there is nothing to sign in to.
	require.Equal(t, http.StatusNotFound, startClosed(t, transport.Options{Tokens: []string{token}}).at(oauth.WellKnown).get(t, nil).status)
}

// TestOAuthOutage: who can't be asked opens nothing and is not the client's fault.
func TestOAuthOutage(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	c := startOAuth(t, as, transport.Options{Tokens: []string{token}})
	as.Answer(oauthtest.KeysPath, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusBadGateway) })
	r := c.post(t, initialize, bearer(as.Token(t, as.Claims(resource, nil))))
	require.Equal(t, http.StatusServiceUnavailable, r.status)
	require.Equal(t, "5", r.header.Get("Retry-After"))
	require.Empty(t, r.header.Get("WWW-Authenticate"))
	require.Contains(t, r.body, "try again after 5 seconds")
	require.Equal(t, http.StatusOK, c.post(t, initialize, bearer(token)).status, "tokens of the file need nobody")
}

// TestSessionsBelongToTheirSubject: whoever learns a session's id gets nothing by it.
func TestSessionsBelongToTheirSubject(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	c, replica := startOAuth(t, as, transport.Options{Tokens: []string{token}}), startOAuth(t, as, transport.Options{Tokens: []string{token}})
	alice := as.Token(t, as.Claims(resource, nil))
	again := as.Token(t, as.Claims(resource, map[string]any{"jti": rand.Text()}))
	bob := as.Token(t, as.Claims(resource, map[string]any{"sub": "bob"}))
	const ping = `{"jsonrpc":"2.0","id":2,"method":"ping"}`
	open := func(access string) (session string) {
		r := c.post(t, initialize, bearer(access))
		require.Equal(t, http.StatusOK, r.status, r.body)
		return r.header.Get("Mcp-Session-Id")
	}
	use := func(c *httpClient, method, access, session string) int {
		message := ""
		if method == http.MethodPost {
			message = ping
		}
		return c.do(t, t.Context(), method, message, map[string]string{"Authorization": "Bearer " + access, "Mcp-Session-Id": session}).status
	}
	hers, his, files := open(alice), open(bob), open(token)
	require.NotContains(t, hers, "alice")
	bare, _, _ := strings.Cut(hers, ".")
	_, hisMark, _ := strings.Cut(his, ".")
	for _, at := range []*httpClient{c, replica} {
		for _, f := range []struct {
			access, session string
			status          int
		}{
			{alice, hers, 200},
			{again, hers, 200},
			{bob, his, 200},
			{token, files, 200},
			{bob, hers, 404},
			{token, hers, 404},
			{alice, his, 404},
			{alice, files, 404},
			{bob, bare, 404},
			{bob, bare + "." + hisMark, 404},
			{token, bare + ".", 404},
		} {
			require.Equal(t, f.status, use(at, http.MethodPost, f.access, f.session), "%+v", f)
		}
	}
	require.Equal(t, 404, use(c, http.MethodDelete, bob, hers))
	require.Equal(t, 404, use(c, http.MethodGet, bob, hers))
	require.Equal(t, 200, use(c, http.MethodPost, alice, hers), "nobody else has ended it")
	require.Equal(t, 200, use(c, http.MethodDelete, alice, hers))
	require.Equal(t, 404, use(c, http.MethodPost, alice, hers))
	// Made-up ids take no memory, whatever their length.
	require.Equal(t, 404, use(startHTTP(t, server.New(testRegistry(), transport.Options{}, server.Tools{})), http.MethodDelete, "", files+"."+strings.Repeat("a", 8<<10)))
}

// TestOAuthReload: what SIGHUP exchanges holds from the next request on.
func TestOAuthReload(t *testing.T) {
	t.Parallel()
	as, next := oauthtest.Start(t), oauthtest.Start(t)
	o := oauth.New(readMetadata(t, oauthtest.Metadata(resource, as)), nil, slog.New(slog.DiscardHandler))
	defer o.Close()
	c := startClosed(t, transport.Options{OAuth: o})
	old, fresh := as.Token(t, as.Claims(resource, nil)), next.Token(t, next.Claims("https://new.example/mcp", nil))
	status := func(access string) int { return c.at("/schemas").get(t, bearer(access)).status }
	require.Equal(t, []int{200, 401}, []int{status(old), status(fresh)})
	o.Set(readMetadata(t, oauthtest.Metadata("https://new.example/mcp", next)), nil)
	require.Equal(t, []int{401, 200}, []int{status(old), status(fresh)})
	require.Contains(t, c.at("/schemas").get(t, nil).header.Get("WWW-Authenticate"), "https://new.example/")
}

// TestOAuthPages: a page that may use the server reads its challenges; the inspector's page
// is there without a token.
func TestOAuthPages(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	page := http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "page") })
	for _, stateless := range []bool{false, true} {
		c := startOAuth(t, as, transport.Options{Inspector: page, Stateless: stateless, AllowedOrigins: []string{"https://app.example"}})
		require.Equal(t, "page", c.at("/inspector").get(t, nil).body)
		r := c.post(t, initialize, map[string]string{"Origin": "https://app.example"})
		require.Equal(t, http.StatusUnauthorized, r.status)
		require.Equal(t, "https://app.example", r.header.Get("Access-Control-Allow-Origin"))
		require.Contains(t, r.header.Get("Access-Control-Expose-Headers"), "WWW-Authenticate")
		require.Equal(t, http.StatusNoContent, c.do(t, t.Context(), http.MethodOptions, "", map[string]string{
			"Origin": "https://app.example", "Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "authorization",
		}).status)
		require.Equal(t, http.StatusOK, c.post(t, initialize, bearer(as.Token(t, as.Claims(resource, nil)))).status)
	}
}
