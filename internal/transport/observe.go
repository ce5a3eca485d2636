package transport

import (
	"context"
	"log/slog"
	"time"
)

// Outcome is what the log and the metrics are told of a call. It holds nothing that a caller made
// up: only names that the server knows.
type Outcome struct {
	// Tool is the name of a tool that there is.
	Tool string
	// SchemaID is the id of a schema that there is, or "".
	SchemaID string
	// Code says why the call failed, "" if it did not.
	Code string
	// PayloadBytes is the size of what was sent.
	PayloadBytes int
	// Took is the time from the call to its answer, without reading and writing.
	Took time.Duration
}

// Observe logs and counts one call that was answered.
func (s *Server) Observe(ctx context.Context, o Outcome) {
	s.metrics.Load().observe(o)
	s.log.LogAttrs(ctx, slog.LevelDebug, "call",
		slog.String("tool", o.Tool),
		slog.Int("payload_bytes", o.PayloadBytes),
		slog.String("code", o.Code),
		slog.String("schema_id", o.SchemaID),
		slog.Duration("took", o.Took))
}

// OpenStreams is how many streams of events are open over HTTP.
func (s *Server) OpenStreams() int { return s.http().sessionStreams.open() }

// Options are the options of the server, with the defaults for what was not said.
func (s *Server) Options() Options { return s.options }
