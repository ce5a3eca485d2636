package oauth

import (
	"context"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/oauth/oauthtest"
)

const resource = "https://mcp.example.com/mcp"

func readMetadata(t *testing.T, text string) *Metadata {
	t.Helper()
	file := filepath.Join(t.TempDir(), "resource.json")
	require.NoError(t, os.WriteFile(file, []byte(text), 0o600))
	m, err := ReadMetadata(file)
	require.NoError(t, err)
	return m
}

// start makes a resource of the authorization servers.
func start(t *testing.T, client *Client, change func(*timing), servers ...*oauthtest.Server) *Resource {
	t.Helper()
	r := &Resource{http: newHTTPClient(), timing: usualTiming(), log: slog.New(slog.DiscardHandler)}
	if change != nil {
		change(&r.timing)
	}
	r.Set(readMetadata(t, oauthtest.Metadata(resource, servers...)), client)
	t.Cleanup(r.Close)
	return r
}

// refused is the refusal of a token.
func refused(t *testing.T, r *Resource, token string) *TokenError {
	t.Helper()
	_, err := r.Check(t.Context(), token)
	var refusal *TokenError
	require.ErrorAs(t, err, &refusal)
	return refusal
}

func TestTokens(t *testing.T) {
	t.Parallel()
	as, other := oauthtest.Start(t), oauthtest.Start(t)
	r := start(t, nil, nil, as)
	now := time.Now().Unix()
	anyKey, err := rsa.GenerateKey(rand.Reader, 2048)
	require.NoError(t, err)
	key := as.Key()
	public, err := json.Marshal(key.Public())
	require.NoError(t, err)
	point, err := key.Key.(*ecdsa.PrivateKey).PublicKey.Bytes()
	require.NoError(t, err)
	good := as.Token(t, as.Claims(resource, nil))
	signed := func(algorithm jose.SignatureAlgorithm, key any, header map[string]any) string {
		return oauthtest.Sign(t, jose.SigningKey{Algorithm: algorithm, Key: key}, as.Claims(resource, nil), header)
	}
	unsigned := func(algorithm string) string {
		claims, err := json.Marshal(as.Claims(resource, nil))
		require.NoError(t, err)
		encode := base64.RawURLEncoding.EncodeToString
		return encode([]byte(`{"alg":"`+algorithm+`"}`)) + "." + encode(claims) + "."
	}
	claims := func(name string, value any) string {
		return as.Token(t, as.Claims(resource, map[string]any{name: value}))
	}
	for _, c := range []struct {
		name, token, message string // the message is "" for a token that is accepted
	}{
		{"good", good, ""},
		{"audience in a list", claims("aud", []string{"https://other.example", resource}), ""},
		{"audience in capitals, with its port", claims("aud", "HTTPS://MCP.Example.com:443/mcp"), ""},
		{"scopes in a list", claims("scope", []string{"a", "echo"}), ""},
		{"old name of scopes", as.Token(t, as.Claims(resource, map[string]any{"scope": nil, "scp": []string{"echo"}})), ""},
		{"just expired", claims("exp", now-10), ""},
		{"clock ahead", as.Token(t, as.Claims(resource, map[string]any{"nbf": now + 10, "iat": now + 10})), ""},
		{"no subject but a client", claims("sub", nil), ""},
		{"type JWT", signed(jose.ES256, key, map[string]any{"typ": "JWT"}), ""},
		{"no type", signed(jose.ES256, key, nil), ""},
		{"no key id", signed(jose.ES256, key.Key, nil), ""},

		{"expired", claims("exp", now-100), "has expired"},
		{"never expires", claims("exp", nil), "does not say when"},
		{"not yet", claims("nbf", now+100), "not valid yet"},
		{"from the future", claims("iat", now+100), "not valid yet"},
		{"another audience", claims("aud", "https://other.example/mcp"), "not for this server"},
		{"audience in another case of its path", claims("aud", "https://mcp.example.com/MCP"), "not for this server"},
		{"audience is a prefix", claims("aud", "https://mcp.example.com"), "not for this server"},
		{"audience begins so", claims("aud", resource+"2"), "not for this server"},
		{"audience over http", claims("aud", "http://mcp.example.com/mcp"), "not for this server"},
		{"no audience", claims("aud", nil), "not for this server"},
		{"no scope", claims("scope", nil), "lacks the scope echo"},
		{"part of a scope", claims("scope", "echoes"), "lacks the scope echo"},
		{"nobody's", as.Token(t, as.Claims(resource, map[string]any{"sub": nil, "client_id": nil})), "for whom"},
		{"bound to a key", claims("cnf", map[string]any{"jkt": "x"}), "bound to a key"},
		{"another issuer", other.Token(t, other.Claims(resource, nil)), "does not accept"},
		{"another issuer's signature", other.Token(t, as.Claims(resource, nil)), "not signed with a key"},
		{"no issuer", claims("iss", nil), "does not accept"},
		{"no algorithm", unsigned("none"), "not a JWT"},
		{"no algorithm, in capitals", unsigned("NONE"), "not a JWT"},
		{"symmetric with the public key", signed(jose.HS256, append(public, public...), map[string]any{"kid": key.KeyID}), "not a JWT"},
		{"symmetric with the public point", signed(jose.HS256, point, map[string]any{"kid": key.KeyID}), "not a JWT"},
		{"another kind of key under the id", signed(jose.RS256, jose.JSONWebKey{Key: anyKey, KeyID: key.KeyID}, nil), "not signed with a key"},
		{"its own key inside", oauthtest.Sign(t, jose.SigningKey{Algorithm: jose.RS256, Key: anyKey}, as.Claims(resource, nil),
			map[string]any{"jwk": jose.JSONWebKey{Key: anyKey.Public()}, "jku": other.URL + oauthtest.KeysPath}), "not signed with a key"},
		{"critical header", signed(jose.ES256, key, map[string]any{"crit": []string{"x"}, "x": 1}), "not signed with a key"},
		{"proof, not token", signed(jose.ES256, key, map[string]any{"typ": "dpop+jwt"}), "of a type"},
		{"type is a number", signed(jose.ES256, key, map[string]any{"typ": 1}), "of a type"},
		{"claims changed", strings.Split(good, ".")[0] + "." + base64.RawURLEncoding.EncodeToString([]byte(`{"iss":"`+as.URL+`"}`)) + "." + strings.Split(good, ".")[2], "not signed with a key"},
		{"opaque", "0123456789abcdef", "not a JWT"},
		{"empty", "", "not a JWT"},
		{"two dots", "..", "not a JWT"},
		{"huge", strings.Repeat("A", 1<<20) + ".e30.e30", "not a JWT"},
		{"as JSON", `{"payload":"e30","signatures":[]}`, "not a JWT"},
	} {
		_, err := r.Check(t.Context(), c.token)
		if c.message == "" {
			require.NoError(t, err, c.name)
			continue
		}
		var refusal *TokenError
		require.ErrorAs(t, err, &refusal, c.name)
		require.Contains(t, refusal.Message, c.message, c.name)
		require.Equal(t, strings.Contains(c.message, "scope"), refusal.Reason == Scope, c.name)
		require.NotEqual(t, Unavailable, refusal.Reason, c.name)
		require.NotContains(t, refusal.Message, `"`, c.name)
	}
	require.Zero(t, other.Asked(oauthtest.KeysPath), "a token led to a server that nobody has configured")
}

// TestOwners: the owner is the issuer and the subject, whatever else tokens say.
func TestOwners(t *testing.T) {
	t.Parallel()
	a, b := oauthtest.Start(t), oauthtest.Start(t)
	r := start(t, nil, nil, a, b)
	owner := func(as *oauthtest.Server, changes map[string]any) string {
		g, err := r.Check(t.Context(), as.Token(t, as.Claims(resource, changes)))
		require.NoError(t, err)
		return g.Owner
	}
	alice := owner(a, nil)
	require.Equal(t, alice, owner(a, map[string]any{"scope": "echo", "client_id": "another"}))
	require.NotEqual(t, alice, owner(a, map[string]any{"sub": "bob"}))
	require.NotEqual(t, alice, owner(b, nil))
	require.NotContains(t, alice, "alice")
}

// TestRotation: a new key is found at its first use.
func TestRotation(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	r := start(t, nil, func(g *timing) { g.pause = 0 }, as)
	old := as.Token(t, as.Claims(resource, nil))
	_, err := r.Check(t.Context(), old)
	require.NoError(t, err)
	as.Rotate(t)
	_, err = r.Check(t.Context(), as.Token(t, as.Claims(resource, nil)))
	require.NoError(t, err)
	require.Equal(t, Invalid, refused(t, r, old).Reason, "the key is gone")
}

// TestUnknownKeysInAFlood: tokens with made-up key ids make the server ask once.
func TestUnknownKeysInAFlood(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	r := start(t, nil, func(g *timing) { g.pause = time.Hour }, as)
	good := as.Token(t, as.Claims(resource, nil))
	var all sync.WaitGroup
	for range 200 {
		bad := oauthtest.Sign(t, jose.SigningKey{Algorithm: jose.ES256, Key: jose.JSONWebKey{Key: as.Key().Key, KeyID: rand.Text()}}, as.Claims(resource, nil), nil)
		all.Go(func() {
			_, err := r.Check(t.Context(), bad)
			var refusal *TokenError
			if !errors.As(err, &refusal) || refusal.Reason != Invalid {
				t.Errorf("%v", err)
			}
		})
	}
	all.Wait()
	_, err := r.Check(t.Context(), good)
	require.NoError(t, err)
	require.Equal(t, 1, as.Asked(oauthtest.KeysPath))
}

// TestOutage: without keys nobody can tell; keys that are known hold while their server is
// away, and are asked for again in the background.
func TestOutage(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	r := start(t, nil, func(g *timing) { g.pause, g.fresh = 0, 0 }, as)
	good := as.Token(t, as.Claims(resource, nil))
	broken := func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) }
	as.Answer(oauthtest.KeysPath, broken)
	require.Equal(t, Unavailable, refused(t, r, good).Reason)
	as.Answer(oauthtest.KeysPath, nil)
	_, err := r.Check(t.Context(), good)
	require.NoError(t, err)
	as.Answer(oauthtest.KeysPath, broken)
	asked := as.Asked(oauthtest.KeysPath)
	require.Eventually(t, func() bool {
		_, err := r.Check(t.Context(), good)
		return err == nil && as.Asked(oauthtest.KeysPath) > asked
	}, time.Minute, time.Millisecond)
	as.Rotate(t)
	require.Equal(t, Unavailable, refused(t, r, as.Token(t, as.Claims(resource, nil))).Reason, "whether there is such a key can't be told")
	for _, i := range r.state.Load().issuers {
		i.timing.keep = 0
	}
	require.Equal(t, Unavailable, refused(t, r, good).Reason, "not forever")
}

// TestBadServers: what an authorization server may get wrong lets nobody in, costs a bounded
// time and is never taken for the client's fault.
func TestBadServers(t *testing.T) {
	t.Parallel()
	text := func(s string) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(s)) }
	}
	elsewhere := oauthtest.Start(t)
	for name, answers := range map[string]map[string]http.HandlerFunc{
		"another issuer": {"/.well-known/oauth-authorization-server": text(`{"issuer":"https://evil.example","jwks_uri":"` + elsewhere.URL + `/keys"}`)},
		"keys over http": {"/.well-known/oauth-authorization-server": func(w http.ResponseWriter, r *http.Request) {
			text(`{"issuer":"http://`+r.Host+`","jwks_uri":"http://192.0.2.1/keys"}`)(w, r)
		}},
		"keys in a file": {"/.well-known/oauth-authorization-server": func(w http.ResponseWriter, r *http.Request) {
			text(`{"issuer":"http://`+r.Host+`","jwks_uri":"file:///etc/passwd"}`)(w, r)
		}},
		"leads elsewhere":    {"/keys": http.RedirectHandler(elsewhere.URL+"/keys", http.StatusFound).ServeHTTP},
		"not JSON":           {"/keys": text("<html>")},
		"no keys":            {"/keys": text(`{"keys":[]}`)},
		"symmetric":          {"/keys": text(`{"keys":[{"kty":"oct","k":"AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"}]}`)},
		"too many keys":      {"/keys": text(`{"keys":[` + strings.Repeat(`{},`, maxKeys) + `{}]}`)},
		"slow":               {"/keys": func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() }},
		"slow in its answer": {"/keys": func(w http.ResponseWriter, r *http.Request) { w.(http.Flusher).Flush(); <-r.Context().Done() }},
		"ends too early": {"/keys": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "100")
			text(`{"keys":[`)(w, nil)
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			as := oauthtest.Start(t)
			for path, h := range answers {
				as.Answer(path, h)
			}
			r := start(t, nil, func(g *timing) { g.timeout = 2 * time.Second }, as)
			require.Equal(t, Unavailable, refused(t, r, as.Token(t, as.Claims(resource, nil))).Reason)
			again := time.Now()
			require.Equal(t, Unavailable, refused(t, r, as.Token(t, as.Claims(resource, nil))).Reason)
			require.Less(t, time.Since(again), time.Second, "the next one need not wait")
		})
	}
	require.Zero(t, elsewhere.Asked("/keys"))
}

// TestHugeAnswer: what is too large is not read, even if it were right.
func TestHugeAnswer(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	padded := func(size int) http.HandlerFunc {
		return func(w http.ResponseWriter, _ *http.Request) {
			key := as.Key()
			text, err := json.Marshal(jose.JSONWebKeySet{Keys: []jose.JSONWebKey{key.Public()}})
			if err != nil {
				t.Error(err)
			}
			_, _ = w.Write(append(text, strings.Repeat(" ", size-len(text))...))
		}
	}
	r := start(t, nil, func(g *timing) { g.pause = 0 }, as)
	token := as.Token(t, as.Claims(resource, nil))
	as.Answer(oauthtest.KeysPath, padded(maxAnswer+1))
	require.Equal(t, Unavailable, refused(t, r, token).Reason)
	as.Answer(oauthtest.KeysPath, padded(maxAnswer))
	_, err := r.Check(t.Context(), token)
	require.NoError(t, err)
}

// TestSlowServerHoldsUpNobodyElse: other issuers' tokens, and those whose key is known.
func TestSlowServerHoldsUpNobodyElse(t *testing.T) {
	t.Parallel()
	slow, quick := oauthtest.Start(t), oauthtest.Start(t)
	r := start(t, nil, func(g *timing) { g.pause, g.fresh, g.timeout = 0, 0, time.Minute }, slow, quick)
	known := slow.Token(t, slow.Claims(resource, nil))
	_, err := r.Check(t.Context(), known)
	require.NoError(t, err)
	asked, release := make(chan struct{}), make(chan struct{})
	defer close(release)
	once := sync.OnceFunc(func() { close(asked) })
	slow.Answer(oauthtest.KeysPath, func(http.ResponseWriter, *http.Request) { once(); <-release })
	slow.Rotate(t)
	unknown := slow.Token(t, slow.Claims(resource, nil))
	ctx, leave := context.WithCancel(t.Context())
	left := make(chan error)
	go func() { _, err := r.Check(ctx, unknown); left <- err }()
	<-asked
	for _, token := range []string{known, quick.Token(t, quick.Claims(resource, nil))} {
		_, err := r.Check(t.Context(), token)
		require.NoError(t, err)
	}
	leave()
	require.ErrorIs(t, <-left, context.Canceled)
}
