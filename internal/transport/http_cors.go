package transport

import "net/http"

// exposedHeaders are the headers of answers that a page needs, beyond those that browsers
// show anyway: to go on with its session, to come back when there is room, to know that a
// token is wanted.
const exposedHeaders = "Mcp-Session-Id, Retry-After, WWW-Authenticate"

// shareWith lets the page that a request comes from read the answer (Fetch, section CORS
// protocol), whichever it will be: a page that can't read a 401 can't ask for the token,
// and one that can't read a 429 doesn't know when to try again.
func shareWith(h http.Header, r *http.Request, from origin) {
	h.Set("Vary", "Origin")
	if from == allowedOrigin {
		h.Set("Access-Control-Allow-Origin", r.Header.Get("Origin"))
		h.Set("Access-Control-Expose-Headers", exposedHeaders)
	}
}

// isPreflight reports whether a browser asks if a page may send a request.
func isPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Origin") != "" && r.Header.Get("Access-Control-Request-Method") != ""
}

// allowRequest answers a preflight of a page that may use the server. It allows the headers
// that the page asks for, because the protocol adds to them (Mcp-Param-… since 2026-07-28)
// and none of them makes a difference to who may do what. The token doesn't come with a
// preflight, so none is asked for.
func allowRequest(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("Access-Control-Allow-Methods", "GET, POST, DELETE")
	if headers := r.Header.Get("Access-Control-Request-Headers"); headers != "" {
		h.Set("Access-Control-Allow-Headers", headers)
	}
	w.WriteHeader(http.StatusNoContent)
}
