package server

import (
	"crypto/sha256"
	"encoding/base64"
	"io"
	"net/http"
	"strings"
	"time"
)

// health answers 200 as long as the process can answer at all.
func health(w http.ResponseWriter, _ *http.Request) {
	plain(w, http.StatusOK, "ok\n")
}

// stuckTime is how long all places in flight have to be taken, without one coming free,
// until the server says that it is not ready. Busy servers are full for moments.
const stuckTime = 5 * time.Second

// ready answers 200 while the server takes new requests, 503 from when it is told to stop
// and while it is stuck.
func (t *httpTransport) ready(w http.ResponseWriter, _ *http.Request) {
	switch {
	case t.draining.Load() || t.streams.Err() != nil:
		plain(w, http.StatusServiceUnavailable, "stopping\n")
	case t.calls.full(stuckTime):
		plain(w, http.StatusServiceUnavailable, "busy\n")
	default:
		plain(w, http.StatusOK, "ok\n")
	}
}

// methodNotAllowed answers requests with a method that a path doesn't have.
func methodNotAllowed(allowed string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Allow", allowed)
		http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
	})
}

func plain(w http.ResponseWriter, status int, text string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, text) // who asked may be gone
}

// listSchemas serves what the tool list_schemas answers.
func (s *Server) listSchemas(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(s.echo.List().Bytes()) // who asked may be gone
}

// schemaFile serves the bytes of a schema's file.
func (s *Server) schemaFile(w http.ResponseWriter, r *http.Request) {
	schema, ok := s.registry.Lookup(r.PathValue("id"))
	if !ok {
		plain(w, http.StatusNotFound, "there is no schema with this id; /schemas has all\n")
		return
	}
	sum := sha256.Sum256([]byte(schema.Source))
	h := w.Header()
	h.Set("Content-Type", schemaMedia)
	h.Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:18])+`"`)
	h.Set("Cache-Control", "no-cache") // ask again, the answer is mostly 304
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(schema.Source))
}
