package logs

import (
	"context"
	"log/slog"
	"strings"
	"sync"
	"time"
)

// A message, whoever causes it, is logged limitBurst times at once and after that once in
// limitEvery. That is ten megabytes a day at most.
const (
	limitBurst = 100
	limitEvery = time.Second
	// maxMessages is how many messages have a limit of their own; others share one.
	maxMessages = 256
)

// Limit makes a handler that leaves records out where there are too many with one message.
// The next one that is not left out has the number of them as left_out. Records below
// slog.LevelInfo are for who wants to see everything, and are never left out. Messages that
// differ from the first digit on, as with addresses in them, are one.
func Limit(next slog.Handler) slog.Handler {
	return limited{next, &limits{byMessage: make(map[string]*limit)}}
}

type limited struct {
	next   slog.Handler
	limits *limits
}

// limits has how much of each message was logged.
type limits struct {
	mu        sync.Mutex
	byMessage map[string]*limit
}

type limit struct {
	free    int // how many records may pass now
	since   time.Time
	leftOut int
}

// pass reports whether a record passes, and how many like it did not before.
func (l *limits) pass(message string, now time.Time) (leftOut int, ok bool) {
	if i := strings.IndexAny(message, "0123456789"); i >= 0 {
		message = message[:i]
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	m := l.byMessage[message]
	if m == nil {
		if len(l.byMessage) >= maxMessages {
			message = ""
		}
		if m = l.byMessage[message]; m == nil {
			m = &limit{free: limitBurst, since: now}
			l.byMessage[strings.Clone(message)] = m
		}
	}
	if more := int(now.Sub(m.since) / limitEvery); more > 0 {
		m.free = min(m.free+more, limitBurst)
		m.since = now
	}
	if m.free == 0 {
		m.leftOut++
		return 0, false
	}
	m.free--
	leftOut, m.leftOut = m.leftOut, 0
	return leftOut, true
}

// Enabled implements slog.Handler.
func (l limited) Enabled(ctx context.Context, level slog.Level) bool {
	return l.next.Enabled(ctx, level)
}

// Handle implements slog.Handler.
func (l limited) Handle(ctx context.Context, r slog.Record) error {
	if r.Level >= slog.LevelInfo {
		leftOut, ok := l.limits.pass(r.Message, time.Now())
		if !ok {
			return nil
		}
		if leftOut > 0 {
			r = r.Clone()
			r.AddAttrs(slog.Int("left_out", leftOut))
		}
	}
	return l.next.Handle(ctx, r)
}

// WithAttrs implements slog.Handler.
func (l limited) WithAttrs(attrs []slog.Attr) slog.Handler {
	return limited{l.next.WithAttrs(attrs), l.limits}
}

// WithGroup implements slog.Handler.
func (l limited) WithGroup(name string) slog.Handler {
	return limited{l.next.WithGroup(name), l.limits}
}
