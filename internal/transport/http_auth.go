package transport

import (
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"sync/atomic"

	"github.com/zenlix/echo-mcp/internal/oauth"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// ErrPublicAddress means that the server was to be reachable from other machines by
// everybody, which only Options.Insecure allows.
var ErrPublicAddress = errors.New("not listening on an address that other machines reach: there are neither tokens nor OAuth, and Insecure is not set")

// checkExposure returns ErrPublicAddress where everybody on the network could use the
// server. An address that can't be resolved is left to Listen, which says why.
func (s *Server) checkExposure(address string) error {
	if s.options.Insecure || len(s.options.Tokens) > 0 || s.options.OAuth != nil {
		return nil
	}
	addr, err := net.ResolveTCPAddr("tcp", address)
	if err != nil || addr.IP.IsLoopback() {
		return nil //nolint:nilerr // Listen fails on it in a moment
	}
	return fmt.Errorf("%s: %w", address, ErrPublicAddress)
}

// tokens are the bearer tokens that the server knows, as hashes. They can be exchanged. An empty
// one, of an environment variable that is not set say, is no request's: it shuts everybody out.
type tokens struct {
	sums atomic.Pointer[[][sha256.Size]byte]
}

func (t *tokens) set(list []string) {
	sums := make([][sha256.Size]byte, 0, len(list))
	for _, token := range list {
		sums = append(sums, sha256.Sum256([]byte(token)))
	}
	t.sums.Store(&sums)
}

// SetTokens exchanges the bearer tokens: from the next request on those given hold, while
// requests and streams that were let in go on. What was open to everybody stays so, and what
// was not does not become so: it does nothing without tokens, given or before.
func (s *Server) SetTokens(list []string) {
	if len(list) > 0 && len(s.options.Tokens) > 0 {
		s.tokens.set(list)
	}
}

// auth lets requests pass that bear one of the tokens (RFC 6750, section 2.1), or an access
// token for this server. Without tokens and without oauth everybody passes.
type auth struct {
	tokens *tokens
	oauth  *oauth.Resource // nil without
	log    *slog.Logger
	next   http.Handler
}

func (a *auth) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, given := bearer(r)
	sums := *a.tokens.sums.Load()
	switch {
	case given && token != "" && knows(sums, token), len(sums) == 0 && a.oauth == nil:
		a.pass(w, r, "")
		return
	case a.oauth != nil:
		a.checkToken(w, r)
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

// knows reports whether the token is one of those with these hashes. Its time depends
// neither on which one nor on how much of it is right.
func knows(sums [][sha256.Size]byte, token string) bool {
	sum := sha256.Sum256([]byte(token))
	found := 0
	for i := range sums {
		found |= subtle.ConstantTimeCompare(sum[:], sums[i][:])
	}
	return found > 0
}
