package transport

import (
	"io"
	"net/http"
	"time"
)

// health answers 200 as long as the process can answer at all.
func health(w http.ResponseWriter, _ *http.Request) {
	Plain(w, http.StatusOK, "ok\n")
}

// stuckTime is how long all places in flight have to be taken, without one coming free,
// until the server says that it is not ready. Busy servers are full for moments.
const stuckTime = 5 * time.Second

// ready answers 200 while the server takes new requests, 503 from when it is told to stop
// and while it is stuck.
func (t *httpTransport) ready(w http.ResponseWriter, _ *http.Request) {
	switch {
	case t.draining.Load() || t.streams.Err() != nil:
		Plain(w, http.StatusServiceUnavailable, "stopping\n")
	case t.calls.full(stuckTime):
		Plain(w, http.StatusServiceUnavailable, "busy\n")
	default:
		Plain(w, http.StatusOK, "ok\n")
	}
}

// methodNotAllowed answers requests with a method that a path doesn't have.
func methodNotAllowed(allowed string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allowed)
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	})
}

// Plain answers with a text.
func Plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // who asked may be gone
}
