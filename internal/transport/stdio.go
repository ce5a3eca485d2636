package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strconv"
	"sync"
	"sync/atomic"
	"time"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// ErrDrain means that requests were still unanswered when the drain limit was over.
var ErrDrain = errors.New("stopped with requests unanswered")

// messageCost is what a message under way counts beside its bytes.
const messageCost = 64 << 10

// stdioSessions numbers the sessions of the stdio transport.
var stdioSessions atomic.Uint64

// ServeStdio speaks the stdio transport: it reads messages from in, one a line, and writes
// answers to out, until one of these:
//
//   - in ends, also without a last line feed: every request read is answered first. Result
//     nil; ErrDrain if nothing moves for the drain limit.
//   - ctx ends: requests read are answered, for as long as the drain limit; a client that
//     asked for notices is told. Result nil or ErrDrain.
//   - out fails: nobody is there to answer. Result the error of out.
//   - in fails: as at its end, but the result is the error of in.
//
// Requests are handled at the same time and their answers may overtake each other, but
// nothing read after an initialize request is answered before it. Reading pauses while the
// messages under way take four times the largest message. A read of in that is blocked
// when ServeStdio returns stays blocked until in ends or is closed.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	loop, stopLoop := context.WithCancel(ctx)
	defer stopLoop()
	requests, cancelRequests := context.WithCancel(context.WithoutCancel(ctx))
	defer cancelRequests()

	session := &stdioSession{id: "stdio-" + strconv.FormatUint(stdioSessions.Add(1), 10), notifications: newNotifications(), changes: s.app.Changes}
	if err := s.mcp.RegisterSession(requests, session); err != nil {
		return fmt.Errorf("registering the session: %w", err)
	}
	defer s.mcp.UnregisterSession(requests, session.id)
	s.stdio.add(session)
	defer s.stdio.remove(session)
	requests = s.mcp.WithContext(requests, session)
	streams, stopStreams := context.WithCancel(requests)
	defer stopStreams()

	c := &stdioConn{
		server:   s,
		session:  session,
		requests: requests,
		streams:  streams,
		out:      startOutput(out, session.notifications, s.log, stopLoop),
		gate:     newGate(4 * s.options.MaxMessageBytes),
	}
	lines := startReading(in, s.options.MaxMessageBytes, loop.Done())
	s.log.LogAttrs(ctx, s.servingLevel(), "serving", slog.String("transport", "stdio"), slog.Int("schemas", s.app.Schemas))

	inErr := c.serve(loop, lines)
	if ctx.Err() != nil {
		s.tellStop(ctx, session)
	}
	s.handOver()
	stopStreams()
	stalled := s.drain(ctx, c)
	cancelRequests()
	outErr := c.out.stop(stalled)
	switch {
	case outErr != nil:
		return fmt.Errorf("writing answers: %w", outErr)
	case inErr != nil:
		return fmt.Errorf("reading messages: %w", inErr)
	case stalled:
		return ErrDrain
	}
	return nil
}

// Connect opens a connection in memory, which ends with Close or with ctx: what is written to it
// are messages of a client, one a line, and what is read are the answers.
func (s *Server) Connect(ctx context.Context) io.ReadWriteCloser {
	client, own := net.Pipe()
	go func() {
		_ = s.ServeStdio(ctx, own, own) // the client sees the end, there is nobody else to tell
		_ = own.Close()
	}()
	return client
}

// drain waits until every request is answered and reports whether it gave up. Once ctx has
// ended that is after the drain limit; before, only after nothing was written for so long.
func (s *Server) drain(ctx context.Context, c *stdioConn) (stalled bool) {
	done := make(chan struct{})
	go func() {
		c.pending.Wait()
		close(done)
	}()
	ended := ctx.Done()
	limit := time.NewTimer(s.options.DrainTimeout)
	defer limit.Stop()
	written := c.out.written.Load()
	for {
		select {
		case <-done:
			return false
		case <-ended:
			ended = nil
			limit.Reset(s.options.DrainTimeout)
		case <-limit.C:
			now := c.out.written.Load()
			if ctx.Err() != nil || now == written {
				return true
			}
			written = now
			limit.Reset(s.options.DrainTimeout)
		}
	}
}

// stdioConn is the stdio transport at work.
type stdioConn struct {
	server   *Server
	session  *stdioSession
	requests context.Context // of requests; outlives the loop while they are drained
	streams  context.Context // of requests that only end when they are told to
	out      *output
	gate     *gate
	inflight inflight
	pending  sync.WaitGroup // requests under way
}

// line is one message read, or the error that ended the input.
type line struct {
	input *wire.Input
	err   error
}

// startReading reads messages in a goroutine, which ends with the input, or at the next
// message after stop. The channel is closed at the end of the input.
func startReading(in io.Reader, maxBytes int, stop <-chan struct{}) <-chan line {
	lines := make(chan line)
	go func() {
		defer close(lines)
		reader := wire.NewLineReader(in, maxBytes)
		for {
			input, err := reader.Next()
			if errors.Is(err, io.EOF) {
				return
			}
			select {
			case lines <- line{input, err}:
			case <-stop:
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return lines
}

// serve takes messages until the input or the loop ends. It returns the error of the input.
func (c *stdioConn) serve(loop context.Context, lines <-chan line) error {
	for {
		select {
		case <-loop.Done():
			return nil
		case l, ok := <-lines:
			if !ok || l.err != nil {
				return l.err
			}
			cost := l.input.Held() + messageCost
			if !c.gate.enter(cost, loop.Done()) {
				return nil
			}
			checked, err := c.server.ration.enter(loop, l.input.Data)
			if err != nil {
				return nil //nolint:nilerr // the loop has ended
			}
			c.take(loop, l.input, checked, func() {
				l.input.Release()
				c.gate.leave(cost)
			})
		}
	}
}

// take deals with one message. Notifications and initialize requests are dealt with when
// it returns; other requests go on in goroutines of their own, as does all writing, so
// that a client which does not read can't keep the loop from ending.
//
// checked is to be called before anything is written: a client that does not read must not
// keep the memory that others need.
// The memory of the message is given back with release.
func (c *stdioConn) take(loop context.Context, input *wire.Input, checked, release func()) {
	size := len(input.Data)
	var m *wire.Message
	var refusal *wire.Refusal
	if input.TooLong != nil {
		m, refusal = input.TooLong.Refuse(c.server.tooLarge())
	} else {
		m, refusal = c.server.parser.Parse(input.Data)
	}
	switch {
	case refusal != nil:
		checked()
		c.server.logRefusal(c.requests, refusal, size)
		c.pending.Go(func() {
			defer release()
			c.out.send(func(w io.Writer) error {
				_, err := w.Write(refusal.AppendTo(nil))
				return err
			})
		})
		return
	case m == nil, m.Kind == wire.Response:
		// Nothing was asked of the other side, so a response answers nothing.
		c.server.logIgnored(c.requests, size)
	case m.Kind == wire.Notification:
		if m.Cancels != nil {
			c.inflight.cancel(wire.IDKey(m.Cancels))
		}
		c.server.dispatch(c.requests, m)
		if m.Method == methodInitialized {
			c.session.ready.Store(true)
		}
	case m.Method == wire.MethodInitialize:
		answered := make(chan struct{})
		c.pending.Go(func() {
			defer close(answered)
			defer release()
			doc := c.server.dispatch(c.requests, m)
			checked()
			c.answer(m, doc)
		})
		select {
		case <-answered:
		case <-loop.Done():
		}
		return
	default:
		c.start(m, checked, release)
		return
	}
	checked()
	release()
}

// start handles a request that may be cancelled.
func (c *stdioConn) start(m *wire.Message, checked, release func()) {
	ctx := c.requests
	if m.Method == wire.MethodSubscriptionsListen {
		ctx = c.streams
		checked()
	}
	ctx, r := c.inflight.begin(ctx, wire.IDKey(m.ID))
	c.pending.Go(func() {
		defer release()
		defer c.inflight.end(r)
		defer checked()
		if r.cancelled.Load() {
			return
		}
		m.Call.OnChecked(checked)
		doc := c.server.dispatch(withProgress(ctx, m, c.session.progress), m)
		m.Call.Release()
		checked()
		if !r.cancelled.Load() {
			c.answer(m, doc)
		}
	})
}

// answer writes mcp-go's answer to a message, if there is one.
func (c *stdioConn) answer(m *wire.Message, doc []byte) {
	if doc == nil {
		return
	}
	c.out.send(func(w io.Writer) error {
		err := m.WriteAnswer(w, doc, wire.Line)
		if errors.Is(err, wire.ErrPlaceholder) {
			c.server.logPlaceholder(c.requests, err)
			_, err = w.Write(c.server.internalError(m))
		}
		return err
	})
}

// gate bounds what is under way by its cost. One goroutine enters, many leave.
type gate struct {
	limit int
	mu    sync.Mutex
	used  int
	left  chan struct{} // gets a value when somebody has left
}

func newGate(limit int) *gate {
	return &gate{limit: limit, left: make(chan struct{}, 1)}
}

// enter waits for room and takes it. What is larger than the limit enters alone. It
// returns false if stop came first.
func (g *gate) enter(cost int, stop <-chan struct{}) bool {
	for {
		g.mu.Lock()
		fits := g.used == 0 || g.used+cost <= g.limit
		if fits {
			g.used += cost
		}
		g.mu.Unlock()
		if fits {
			return true
		}
		select {
		case <-g.left:
		case <-stop:
			return false
		}
	}
}

func (g *gate) leave(cost int) {
	g.mu.Lock()
	g.used -= cost
	g.mu.Unlock()
	select {
	case g.left <- struct{}{}:
	default:
	}
}
