package transport

import (
	"context"
	"log/slog"
)

// messagesOnly leaves the attributes of log records out. Those of mcp-go hold what callers
// send: session ids, errors that quote a message.
type messagesOnly struct{ handler slog.Handler }

// Enabled implements slog.Handler.
func (m messagesOnly) Enabled(ctx context.Context, level slog.Level) bool {
	return m.handler.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (m messagesOnly) Handle(ctx context.Context, r slog.Record) error {
	return m.handler.Handle(ctx, slog.NewRecord(r.Time, r.Level, r.Message, r.PC))
}

// WithAttrs implements slog.Handler.
func (m messagesOnly) WithAttrs([]slog.Attr) slog.Handler { return m }

// WithGroup implements slog.Handler.
func (m messagesOnly) WithGroup(string) slog.Handler { return m }
