package transport

import (
	"bufio"
	"context"
	"encoding/json"
	"io"
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// stdioSession is mcp-go's view of the one client of the stdio transport.
type stdioSession struct {
	id            string
	initialized   atomic.Bool
	ready         atomic.Bool // the client has said so
	changes       bool        // App.Changes
	notifications chan mcp.JSONRPCNotification
	level         atomic.Value // mcp.LoggingLevel, if the client asked for one
	version       atomic.Value // string, of the protocol

	mu        sync.Mutex
	listeners map[*listener]struct{}
}

// newNotifications makes the queue of notifications to a client. mcp-go drops those that
// don't fit.
func newNotifications() chan mcp.JSONRPCNotification {
	return make(chan mcp.JSONRPCNotification, 100)
}

// Initialize implements mcp-go's ClientSession.
func (s *stdioSession) Initialize() { s.initialized.Store(true) }

// Initialized implements mcp-go's ClientSession.
func (s *stdioSession) Initialized() bool { return s.initialized.Load() }

// SessionID implements mcp-go's ClientSession.
func (s *stdioSession) SessionID() string { return s.id }

// NotificationChannel implements mcp-go's ClientSession.
func (s *stdioSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notifications }

// SetLogLevel implements mcp-go's SessionWithLogging.
func (s *stdioSession) SetLogLevel(level mcp.LoggingLevel) { s.level.Store(level) }

// GetLogLevel implements mcp-go's SessionWithLogging. No message reaches the level "", which
// is that of a client which asked for none.
func (s *stdioSession) GetLogLevel() mcp.LoggingLevel {
	level, _ := s.level.Load().(mcp.LoggingLevel)
	return level
}

// output writes messages, each as one line. One goroutine writes them all, so that a
// notification which was sent before an answer was made also goes out before it.
type output struct {
	w             *bufio.Writer
	log           *slog.Logger
	notifications <-chan mcp.JSONRPCNotification
	jobs          chan job
	quit          chan struct{}
	done          chan struct{} // closed when the goroutine has ended

	written atomic.Uint64 // bytes that the underlying writer took
	failed  chan struct{} // closed after the first error
	err     error         // the first error; to be read after failed or done
}

// job is one message to be written.
type job struct {
	write func(io.Writer) error
	done  chan struct{}
}

// startOutput starts the goroutine. onError is called after the first error; what is sent
// later is thrown away.
func startOutput(w io.Writer, notifications <-chan mcp.JSONRPCNotification, log *slog.Logger, onError func()) *output {
	o := &output{
		log:           log,
		notifications: notifications,
		jobs:          make(chan job),
		quit:          make(chan struct{}),
		done:          make(chan struct{}),
		failed:        make(chan struct{}),
	}
	o.w = bufio.NewWriterSize(&countingWriter{w, &o.written}, outputPiece)
	go o.run(onError)
	return o
}

func (o *output) run(onError func()) {
	defer close(o.done)
	fail := func(err error) {
		if err != nil && o.err == nil {
			o.err = err
			close(o.failed)
			onError()
		}
	}
	notify := func() {
		for len(o.notifications) > 0 {
			fail(o.notify(<-o.notifications))
		}
	}
	for {
		select {
		case n := <-o.notifications:
			fail(o.notify(n))
		case j := <-o.jobs:
			notify()
			fail(o.line(j.write))
			close(j.done)
		case <-o.quit:
			notify()
			return
		}
	}
}

// notify writes a notification. One that can't be encoded is left out.
func (o *output) notify(n mcp.JSONRPCNotification) error {
	doc, err := json.Marshal(n)
	if err != nil {
		o.log.LogAttrs(context.Background(), slog.LevelError, "a notification can't be encoded",
			slog.String("method", n.Method), slog.Any("error", err))
		return nil
	}
	return o.line(func(w io.Writer) error { return wire.WriteNotification(w, doc, wire.Line) })
}

// line writes one message and its line feed.
func (o *output) line(write func(io.Writer) error) error {
	if o.err != nil {
		return o.err
	}
	if err := write(o.w); err != nil {
		return err
	}
	if err := o.w.WriteByte('\n'); err != nil {
		return err
	}
	return o.w.Flush()
}

// send has a message written and waits until it is, or until writing has failed.
func (o *output) send(write func(io.Writer) error) {
	j := job{write, make(chan struct{})}
	select {
	case o.jobs <- j:
		<-j.done
	case <-o.done:
	}
}

// stop ends the goroutine and returns the first error. If stalled is set it does not wait
// for the goroutine, which may be blocked in a write for ever.
func (o *output) stop(stalled bool) error {
	close(o.quit)
	if !stalled {
		<-o.done
		return o.err
	}
	select {
	case <-o.failed:
		return o.err
	default:
		return nil
	}
}

// outputPiece is how much is written at a time: as much as a pipe of Linux holds.
const outputPiece = 64 << 10

// countingWriter counts what its writer takes. It writes in pieces, so that the count shows
// whether a slow reader of a large answer still reads.
type countingWriter struct {
	w io.Writer
	n *atomic.Uint64
}

func (c *countingWriter) Write(b []byte) (written int, err error) {
	for len(b) > 0 && err == nil {
		var n int
		n, err = c.w.Write(b[:min(len(b), outputPiece)])
		c.n.Add(uint64(n))
		written += n
		b = b[n:]
	}
	return written, err
}
