package server

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"net"
	"net/http"
	"strings"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// ErrPublicAddress means that the server was to be reachable from other machines by
// everybody, which only Options.Insecure allows.
var ErrPublicAddress = errors.New("not listening on an address that other machines reach without a token (--auth-token-file), unless --insecure says so")

// checkExposure returns ErrPublicAddress where everybody on the network could use the
// server. An address that can't be resolved is left to Listen, which says why.
func (s *Server) checkExposure(address string) error {
	if s.options.Insecure || len(s.options.Tokens) > 0 {
		return nil
	}
	addr, err := net.ResolveTCPAddr("tcp", address)
	if err != nil || addr.IP.IsLoopback() {
		return nil //nolint:nilerr // Listen fails on it in a moment
	}
	return fmt.Errorf("%s: %w", address, ErrPublicAddress)
}

// auth lets requests pass that bear one of the tokens (RFC 6750, section 2.1). Without
// tokens everybody passes.
type auth struct {
	tokens [][sha256.Size]byte
	next   http.Handler
}

func newAuth(tokens []string, next http.Handler) http.Handler {
	if len(tokens) == 0 {
		return next
	}
	a := &auth{next: next}
	for _, t := range tokens {
		a.tokens = append(a.tokens, sha256.Sum256([]byte(t)))
	}
	return a
}

func (a *auth) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, given := bearer(r)
	if given && a.knows(token) {
		a.next.ServeHTTP(w, r)
		return
	}
	challenge := `Bearer realm="echo-mcp"`
	message := "a bearer token is needed: send the header Authorization: Bearer TOKEN"
	if given {
		challenge += `, error="invalid_token"`
		message = "the bearer token is not one that this server knows"
	}
	w.Header().Set("WWW-Authenticate", challenge)
	refuseHTTP(w, http.StatusUnauthorized, &wire.Refusal{Code: wire.CodeInvalidRequest, ID: []byte("null"), Message: message})
}

// bearer is the token of a request.
func bearer(r *http.Request) (token string, given bool) {
	values := r.Header.Values("Authorization")
	if len(values) != 1 {
		return "", false
	}
	scheme, token, _ := strings.Cut(values[0], " ")
	return strings.TrimSpace(token), strings.EqualFold(scheme, "Bearer")
}

// knows reports whether the token is one of the server's. Its time depends neither on
// which one nor on how much of it is right.
func (a *auth) knows(token string) bool {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for i := range a.tokens {
		found |= subtle.ConstantTimeCompare(sum[:], a.tokens[i][:])
	}
	return found == 1
}
