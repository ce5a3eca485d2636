package server

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
	"time"

	"github.com/zenlix/echo-mcp/internal/transport"
)

// listSchemas serves what the tool list_schemas answers.
func (s *Server) listSchemas(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = w.Write(s.echo.List().Bytes()) // who asked may be gone
}

// schemaFile serves the bytes of a schema's file.
func (s *Server) schemaFile(w http.ResponseWriter, r *http.Request) {
	schema, ok := s.registry.Lookup(r.PathValue("id"))
	if !ok {
		transport.Plain(w, http.StatusNotFound, "there is no schema with this id; /schemas has all\n")
		return
	}
	sum := sha256.Sum256([]byte(schema.Source))
	h := w.Header()
	h.Set("Content-Type", schemaMedia)
	h.Set("ETag", `"`+base64.RawURLEncoding.EncodeToString(sum[:18])+`"`)
	h.Set("Cache-Control", "no-cache") // ask again, the answer is mostly 304
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(schema.Source))
}
