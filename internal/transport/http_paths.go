package transport

import (
	"cmp"
	"net/http"
	"strings"
)

// readOnly lets GET and HEAD pass.
func readOnly(next http.Handler) http.Handler {
	refuse := methodNotAllowed("GET, HEAD")
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodGet && r.Method != http.MethodHead {
			refuse.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// root answers at /: a browser is led to the page, if there is one; others are told where
// things are. An MCP client that was given the address without /mcp gets an error that says so.
func (s *Server) root(w http.ResponseWriter, r *http.Request) {
	switch {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD")
		refuseRequest(w, http.StatusMethodNotAllowed, "MCP is served at /mcp: add /mcp to the URL")
	case strings.Contains(r.Header.Get("Accept"), eventStream):
		refuseRequest(w, http.StatusNotAcceptable, "MCP is served at /mcp: add /mcp to the URL")
	case s.options.Inspector != nil && strings.Contains(r.Header.Get("Accept"), "text/html"):
		// Relative, because a proxy may serve the page under a prefix.
		w.Header().Set("Location", "inspector")
		w.WriteHeader(http.StatusFound)
	default:
		Plain(w, http.StatusOK, "This is "+cmp.Or(s.options.Info.Title, s.options.Info.Name)+". "+s.paths())
	}
}

// unknown answers where nothing is.
func (s *Server) unknown(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost && isJSON(r.Header) {
		refuseRequest(w, http.StatusNotFound, "there is nothing at this path: MCP is served at /mcp")
		return
	}
	Plain(w, http.StatusNotFound, "There is nothing at this path. "+s.paths())
}

// paths tells what there is.
func (s *Server) paths() string {
	text := "MCP clients use /mcp."
	if s.options.Inspector != nil {
		text += " A page to try it is at /inspector."
	}
	if s.app.About != "" {
		text += " " + s.app.About
	}
	return text + " The state is at /healthz and /readyz, metrics are at /metrics.\n"
}
