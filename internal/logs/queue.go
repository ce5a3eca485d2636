// Package logs keeps a log from holding up who writes it. Clients of a server on stdio need
// not read its standard error (2025-11-25, basic/transports), a log collector may stand
// still, and what strangers do must not fill a disk.
package logs

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"sync"
	"time"
)

// maxPending is how many bytes of records wait for a writer that is slow.
const maxPending = 256 << 10

// Queue is an io.Writer that never waits. What is written to it is a record; one goroutine
// passes the records on, in order. Those for which there is no room are dropped and counted,
// and the count is told once there is room again.
type Queue struct {
	w    io.Writer
	note func(dropped int) []byte
	wake chan struct{} // gets a value when there is something to do
	done chan struct{} // closed when the goroutine has ended

	mu      sync.Mutex
	pending []byte
	dropped int
	closed  bool
}

// NewQueue makes a queue to w, whose writes may fail or block for ever. newHandler makes the
// handler that words the record about dropped ones. Close ends it.
func NewQueue(w io.Writer, newHandler func(io.Writer) slog.Handler) *Queue {
	q := &Queue{w: w, wake: make(chan struct{}, 1), done: make(chan struct{})}
	q.note = func(dropped int) []byte {
		var b bytes.Buffer
		slog.New(newHandler(&b)).LogAttrs(context.Background(), slog.LevelError,
			"log records were dropped: nobody read them", slog.Int("count", dropped))
		return b.Bytes()
	}
	go q.run()
	return q
}

// Write implements io.Writer. It always takes the whole record, and keeps or drops it.
func (q *Queue) Write(record []byte) (int, error) {
	q.mu.Lock()
	if q.closed || q.dropped > 0 || len(q.pending)+len(record) > maxPending {
		q.dropped++
	} else {
		q.pending = append(q.pending, record...)
	}
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	return len(record), nil
}

// run passes records on until the queue is closed and empty.
func (q *Queue) run() {
	defer close(q.done)
	var records []byte
	for {
		q.mu.Lock()
		records, q.pending = q.pending, records[:0]
		dropped, closed := q.dropped, q.closed
		q.dropped = 0
		q.mu.Unlock()
		if dropped > 0 {
			records = append(records, q.note(dropped)...)
		}
		if len(records) > 0 {
			_, _ = q.w.Write(records) // who read it may be gone, and nobody else is to be told
			continue
		}
		if closed {
			return
		}
		<-q.wake
	}
}

// Close takes no more records and waits until those that it has are passed on, but not
// longer than for this time.
func (q *Queue) Close(timeout time.Duration) {
	q.mu.Lock()
	q.closed = true
	q.mu.Unlock()
	select {
	case q.wake <- struct{}{}:
	default:
	}
	limit := time.NewTimer(timeout)
	defer limit.Stop()
	select {
	case <-q.done:
	case <-limit.C:
	}
}
