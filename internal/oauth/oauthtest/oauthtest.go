// Package oauthtest is an authorization server for tests: metadata, keys that rotate,
// introspection, and tokens of every kind, good and bad. The end-to-end tests use a real one.
package oauthtest

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"maps"
	"net/http"
	"net/http/httptest"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/go-jose/go-jose/v4/jwt"
	"github.com/stretchr/testify/require"
)

// The client that may ask about tokens. Both parts need escaping (RFC 6749, section 2.3.1).
const (
	ClientID     = "echo mcp"
	ClientSecret = "p@ss:wörd+%"
)

// Server is an authorization server. Its handlers can be exchanged while it runs.
type Server struct {
	*httptest.Server

	mu       sync.Mutex
	key      jose.JSONWebKey // the private one that signs
	public   []jose.JSONWebKey
	asked    map[string]int
	override map[string]http.HandlerFunc
	active   map[string]map[string]any
}

const (
	metadataPath = "/.well-known/oauth-authorization-server"
	// KeysPath and IntrospectionPath are where the server is asked.
	KeysPath          = "/keys"
	IntrospectionPath = "/introspect"
)

// Start starts a server with one key, which ends with the test.
func Start(t *testing.T) *Server {
	t.Helper()
	s := &Server{asked: map[string]int{}, override: map[string]http.HandlerFunc{}, active: map[string]map[string]any{}}
	s.Rotate(t)
	s.Server = httptest.NewServer(http.HandlerFunc(s.serve))
	t.Cleanup(s.Close)
	return s
}

// Rotate makes a new key, which signs from now on. Old ones are gone.
func (s *Server) Rotate(t *testing.T) {
	t.Helper()
	private, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.key = jose.JSONWebKey{Key: private, KeyID: rand.Text(), Algorithm: "ES256", Use: "sig"}
	s.public = []jose.JSONWebKey{s.key.Public()}
}

// Key is the private key that signs.
func (s *Server) Key() jose.JSONWebKey {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.key
}

// Answer exchanges what a path answers; nil for as usual.
func (s *Server) Answer(path string, h http.HandlerFunc) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.override[path] = h
}

// Asked is how often a path was asked for.
func (s *Server) Asked(path string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked[path]
}

func (s *Server) serve(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.asked[r.URL.Path]++
	h, public := s.override[r.URL.Path], s.public
	s.mu.Unlock()
	var answer any
	switch {
	case h != nil:
		h(w, r)
		return
	case r.URL.Path == metadataPath:
		answer = map[string]any{"issuer": s.URL, "jwks_uri": s.URL + KeysPath, "introspection_endpoint": s.URL + IntrospectionPath}
	case r.URL.Path == KeysPath:
		answer = jose.JSONWebKeySet{Keys: public}
	case r.URL.Path == IntrospectionPath && r.Method == http.MethodPost:
		if id, secret, ok := r.BasicAuth(); !ok || id != "echo+mcp" || secret != "p%40ss%3Aw%C3%B6rd%2B%25" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		s.mu.Lock()
		claims := s.active[r.PostFormValue("token")]
		s.mu.Unlock()
		about := map[string]any{"active": claims != nil}
		maps.Copy(about, claims)
		answer = about
	default:
		http.NotFound(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(answer) // who asked may be gone
}

// Claims are those of a good token for a resource, changed by what is given: nil takes one
// away.
func (s *Server) Claims(resource string, changes map[string]any) map[string]any {
	now := time.Now().Unix()
	claims := map[string]any{
		"iss": s.URL, "aud": resource, "sub": "alice", "client_id": "agent", "scope": "echo other",
		"iat": now, "nbf": now, "exp": now + 3600, "jti": rand.Text(),
	}
	for name, value := range changes {
		claims[name] = value
		if value == nil {
			delete(claims, name)
		}
	}
	return claims
}

// Token signs claims with the server's key and the type at+jwt.
func (s *Server) Token(t *testing.T, claims map[string]any) string {
	t.Helper()
	return Sign(t, jose.SigningKey{Algorithm: jose.ES256, Key: s.Key()}, claims, map[string]any{"typ": "at+jwt"})
}

// Opaque makes a token that only introspection tells something about: these claims.
func (s *Server) Opaque(claims map[string]any) string {
	token := "opaque-" + rand.Text()
	s.mu.Lock()
	defer s.mu.Unlock()
	s.active[token] = claims
	return token
}

// Revoke makes an opaque token inactive.
func (s *Server) Revoke(token string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.active, token)
}

// Sign signs claims, with these further members in the header.
func Sign(t *testing.T, key jose.SigningKey, claims, header map[string]any) string {
	t.Helper()
	options := &jose.SignerOptions{}
	for name, value := range header {
		options.WithHeader(jose.HeaderKey(name), value)
	}
	signer, err := jose.NewSigner(key, options)
	require.NoError(t, err)
	token, err := jwt.Signed(signer).Claims(claims).Serialize()
	require.NoError(t, err)
	return token
}

// Metadata is a file of metadata that names a resource and its authorization servers, and
// asks for the scope echo.
func Metadata(resource string, servers ...*Server) string {
	list := ""
	for i, s := range servers {
		if i > 0 {
			list += ", "
		}
		list += strconv.Quote(s.URL)
	}
	return `{"resource": ` + strconv.Quote(resource) + `, "authorization_servers": [` + list + `], "scopes_supported": ["echo"], "resource_name": "Echo"}`
}
