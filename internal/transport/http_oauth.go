package transport

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"strconv"
	"strings"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/oauth"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// checkToken lets a request pass that bears an access token for this server (2025-11-25,
// basic/authorization, access token usage), and refuses others as RFC 6750, section 3, says.
func (a *auth) checkToken(w http.ResponseWriter, r *http.Request) {
	token, given := bearer(r)
	switch {
	case len(r.Header.Values("Authorization")) > 1:
		a.refuseToken(w, http.StatusBadRequest, "invalid_request", "send one Authorization header, not several")
		return
	case r.URL.RawQuery != "" && r.URL.Query().Has("access_token"):
		a.refuseToken(w, http.StatusBadRequest, "invalid_request", "send the access token in the Authorization header: this server takes none from the URL, where logs would keep it")
		return
	case !given:
		a.refuseToken(w, http.StatusUnauthorized, "", "an access token is needed: send the header Authorization: Bearer TOKEN; resource_metadata in WWW-Authenticate says where to get one")
		return
	}
	grant, err := a.oauth.Check(r.Context(), token)
	var refusal *oauth.TokenError
	switch {
	case err == nil:
	case !errors.As(err, &refusal):
		return // the client is gone
	case refusal.Reason == oauth.Unavailable:
		w.Header().Set("Retry-After", strconv.Itoa(retryAuthorization))
		refuseHTTP(w, http.StatusServiceUnavailable, &wire.Refusal{
			Code: codeBusy, ID: []byte("null"),
			Message: refusal.Message + ": try again after " + strconv.Itoa(retryAuthorization) + " seconds",
		})
		return
	case refusal.Reason == oauth.Scope:
		a.refuseToken(w, http.StatusForbidden, "insufficient_scope", refusal.Message)
		return
	default:
		a.refuseToken(w, http.StatusUnauthorized, "invalid_token", refusal.Message)
		return
	}
	a.pass(w, r, grant.Owner)
}

// retryAuthorization is after how many seconds a client should come again where the
// authorization server can't be asked.
const retryAuthorization = 5

// refuseToken answers with a challenge that leads to the authorization server.
func (a *auth) refuseToken(w http.ResponseWriter, status int, code, message string) {
	m := a.oauth.Metadata()
	challenge := `Bearer realm="echo-mcp", resource_metadata="` + m.URL + `"`
	if len(m.Scopes) > 0 {
		challenge += `, scope="` + strings.Join(m.Scopes, " ") + `"`
	}
	if code != "" {
		challenge += `, error="` + code + `", error_description="` + message + `"`
		a.log.LogAttrs(context.Background(), slog.LevelDebug, "access token refused", slog.String("error", code), slog.String("reason", message))
	}
	w.Header().Set("WWW-Authenticate", challenge)
	refuseHTTP(w, status, &wire.Refusal{Code: wire.CodeInvalidRequest, ID: []byte("null"), Message: message})
}

// resourceMetadata serves the metadata of the protected resource: where RFC 9728, section
// 3.1, has them, and where clients look that know only the path of this server or only its
// name. They are no secret, so any page may read them.
type resourceMetadata struct{ resource *oauth.Resource }

func (h resourceMetadata) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Access-Control-Allow-Origin", "*")
	m := h.resource.Metadata()
	switch path := strings.TrimSuffix(r.URL.EscapedPath(), "/"); {
	case path != oauth.WellKnown && path != oauth.WellKnown+"/mcp" && path != m.Path:
		Plain(w, http.StatusNotFound, "the metadata of this server are at "+m.URL+"\n")
	case isPreflight(r):
		header.Set("Access-Control-Allow-Methods", "GET")
		header.Set("Access-Control-Allow-Headers", "*")
		header.Set("Access-Control-Max-Age", "86400")
		w.WriteHeader(http.StatusNoContent)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		methodNotAllowed("GET, HEAD").ServeHTTP(w, r)
	default:
		header.Set("Content-Type", "application/json")
		header.Set("Cache-Control", "max-age=300")
		header.Set("Content-Length", strconv.Itoa(len(m.Document)))
		_, _ = w.Write(m.Document) // who asked may be gone
	}
}

type ownerKey struct{}

// pass lets a request of an owner pass, unless it names the session of another: whoever
// learns the id of a session must not take it over (2025-11-25, security best practices,
// session hijacking). The owner of a session stands in its id, so that any replica knows it;
// it is no secret, and an id that is made up opens nothing.
func (a *auth) pass(w http.ResponseWriter, r *http.Request, owner string) {
	if id := r.Header.Get(mcpserver.HeaderKeySessionID); id != "" && a.oauth != nil {
		if session, mark, _ := strings.Cut(id, ownerSeparator); mark != ownerMark(session, owner) {
			noSession(w, r.Header, []byte("null"))
			return
		}
	}
	if owner != "" {
		r = r.WithContext(context.WithValue(r.Context(), ownerKey{}, owner))
	}
	a.next.ServeHTTP(w, r)
}
