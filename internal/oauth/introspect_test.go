package oauth

import (
	"net/http"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/oauth/oauthtest"
)

var asker = &Client{ID: oauthtest.ClientID, Secret: oauthtest.ClientSecret}

func TestIntrospection(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	r := start(t, asker, nil, as)
	now := time.Now().Unix()
	for _, c := range []struct {
		name, message string
		changes       map[string]any
	}{
		{"good", "", nil},
		{"Bearer", "", map[string]any{"token_type": "bearer"}},
		{"only what must be", "", map[string]any{"iss": nil, "iat": nil, "nbf": nil, "exp": nil, "jti": nil}},
		{"not active", "not valid", map[string]any{"active": false}},
		{"another audience", "not for this server", map[string]any{"aud": "https://other.example"}},
		{"no audience", "not for this server", map[string]any{"aud": nil}},
		{"another issuer", "another authorization server", map[string]any{"iss": "https://other.example"}},
		{"expired all the same", "expired", map[string]any{"exp": now - 100}},
		{"not yet", "not valid yet", map[string]any{"nbf": now + 100}},
		{"another kind", "no bearer token", map[string]any{"token_type": "DPoP"}},
		{"bound to a key", "bound to a key", map[string]any{"cnf": map[string]any{"x5t#S256": "x"}}},
		{"no scope", "lacks the scope", map[string]any{"scope": "other"}},
	} {
		_, err := r.Check(t.Context(), as.Opaque(as.Claims(resource, c.changes)))
		if c.message == "" {
			require.NoError(t, err, c.name)
			continue
		}
		var refusal *TokenError
		require.ErrorAs(t, err, &refusal, c.name)
		require.Contains(t, refusal.Message, c.message, c.name)
		require.NotEqual(t, Unavailable, refusal.Reason, c.name)
	}
	require.Equal(t, Invalid, refused(t, r, as.Token(t, as.Claims(resource, nil))).Reason, "only the server's word counts")
}

// TestAnswersHoldForAWhile: many requests with one token are one question, good or bad.
func TestAnswersHoldForAWhile(t *testing.T) {
	t.Parallel()
	as := oauthtest.Start(t)
	r := start(t, asker, func(g *timing) { g.active, g.gone = time.Hour, time.Hour }, as)
	token := as.Opaque(as.Claims(resource, nil))
	var all sync.WaitGroup
	for range 50 {
		all.Go(func() {
			if _, err := r.Check(t.Context(), token); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for range 50 {
		require.Equal(t, Invalid, refused(t, r, "unknown").Reason)
	}
	require.Equal(t, 2, as.Asked(oauthtest.IntrospectionPath))

	// Not longer than it takes to be revoked, or to expire.
	r = start(t, asker, func(g *timing) { g.active = 0 }, as)
	_, err := r.Check(t.Context(), token)
	require.NoError(t, err)
	as.Revoke(token)
	require.Equal(t, Invalid, refused(t, r, token).Reason)
	r = start(t, asker, func(g *timing) { g.active = time.Hour }, as)
	token = as.Opaque(as.Claims(resource, map[string]any{"exp": time.Now().Add(1500*time.Millisecond - leeway).Unix()}))
	_, err = r.Check(t.Context(), token)
	require.NoError(t, err)
	require.Eventually(t, func() bool { _, err := r.Check(t.Context(), token); return err != nil }, time.Minute, 50*time.Millisecond)
}

func TestIntrospectionOutage(t *testing.T) {
	t.Parallel()
	for name, h := range map[string]http.HandlerFunc{
		"failure":     func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"not JSON":    func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("yes")) },
		"other shape": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(`{"active":"yes"}`)) },
		"elsewhere":   http.RedirectHandler("/keys", http.StatusTemporaryRedirect).ServeHTTP,
		"slow":        func(_ http.ResponseWriter, r *http.Request) { _ = r.ParseForm(); <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			as := oauthtest.Start(t)
			r := start(t, asker, func(g *timing) { g.timeout = 2 * time.Second }, as)
			token := as.Opaque(as.Claims(resource, nil))
			as.Answer(oauthtest.IntrospectionPath, h)
			require.Equal(t, Unavailable, refused(t, r, token).Reason)
			as.Answer(oauthtest.IntrospectionPath, nil)
			_, err := r.Check(t.Context(), token)
			require.NoError(t, err, "a failure is not remembered")
		})
	}
	as := oauthtest.Start(t)
	r := start(t, &Client{ID: oauthtest.ClientID, Secret: "wrong"}, nil, as)
	refusal := refused(t, r, as.Opaque(as.Claims(resource, nil)))
	require.Equal(t, Unavailable, refusal.Reason, "our fault is not the client's")
	require.ErrorContains(t, refusal.Unwrap(), "client_secret of this server")
}

// TestAnswersAreBounded: a flood of bad tokens pushes out no good one, and takes little.
func TestAnswersAreBounded(t *testing.T) {
	t.Parallel()
	var s answers
	for i := range 3 * maxAnswers {
		s.set([32]byte{byte(i), byte(i >> 8), byte(i >> 16)}, answer{until: time.Now().Add(time.Hour)})
	}
	require.Len(t, s.byKey, maxAnswers)
	_, ok := s.get([32]byte{})
	require.False(t, ok)
}
