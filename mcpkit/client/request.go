package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"
)

// Request sends a request of any method and gives the result as it came, which may be any JSON.
// params is a JSON object, or nil for none; what the protocol asks for in its _meta is added. An
// error reply is an *[Error], and see [Session.CallTool] for the other errors.
func (s *Session) Request(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	m, err := s.ask(ctx, method, params)
	if err != nil {
		return nil, err
	}
	defer m.release()
	return m.bytes(m.result), nil
}

// Notify sends a notification. params is a JSON object, or nil for none. There is no answer: nil
// means that it was sent.
func (s *Session) Notify(ctx context.Context, method string, params json.RawMessage) error {
	if len(params) > 0 {
		if _, _, err := readParams(method, params); err != nil {
			return err
		}
	}
	begun := time.Now()
	ctx, cancel, limit := s.limit(ctx)
	defer cancel()
	sent := make(chan error, 1)
	out := Outgoing{Message: encodeNotification(method, params), Method: method, Version: s.version()}
	if !s.start(func() { sent <- s.transport.Send(ctx, out) }) {
		return s.ended(method)
	}
	select {
	case err := <-sent:
		if err != nil {
			return fmt.Errorf("%s: %w", method, err)
		}
		return nil
	case <-ctx.Done():
		return s.stopped(ctx, request{method: method}, begun, limit)
	case <-s.life.Done():
		return s.ended(method)
	}
}

// ask is Request for what goes on reading the answer. The caller releases it.
func (s *Session) ask(ctx context.Context, method string, raw json.RawMessage) (message, error) {
	p, name, err := readParams(method, raw)
	if err != nil {
		return message{}, err
	}
	return s.sendThrough(ctx, request{method: method, name: name, params: p})
}

// request is what a request is made from, each time that it is sent.
type request struct {
	method, name string
	params       params
	progress     func(Progress)
	// handshake says that the request agrees on a version; version is then the one to say, or "".
	handshake bool
	version   string
}

// pending is a request that waits for its answer. Who takes it out of Session.waiting sets answer or
// err and closes done.
type pending struct {
	method   string
	progress func(Progress)
	done     chan struct{}
	answer   message
	err      error
}

// send sends a request and waits for the answer, which has a result. A session that the server has
// forgotten begins anew, once.
func (s *Session) send(ctx context.Context, r request) (message, error) {
	before := s.agreed.Load()
	m, err := s.sendOnce(ctx, r)
	if err == nil || before == nil || !errors.Is(err, ErrSessionLost) {
		return m, err
	}
	if err := s.renew(ctx, before); err != nil {
		return message{}, fmt.Errorf("%s: the server has forgotten the session, and a new one can't be had: %w", r.method, err)
	}
	return s.sendOnce(ctx, r)
}

func (s *Session) sendOnce(ctx context.Context, r request) (message, error) {
	begun := time.Now()
	ctx, cancel, limit := s.limit(ctx)
	if err := ctx.Err(); err != nil {
		cancel()
		return message{}, s.stopped(ctx, r, begun, limit)
	}
	p := &pending{method: r.method, progress: r.progress, done: make(chan struct{})}
	id := s.lastID.Add(1)
	text := strconv.AppendInt(nil, id, 10)
	out := Outgoing{ID: string(text), Method: r.method, Name: r.name, Version: r.version}
	var meta []metaMember
	if r.progress != nil {
		meta = append(meta, metaMember{"progressToken", text})
	}
	if !r.handshake {
		out.Version = s.version()
	}
	if stateless(out.Version) {
		meta = append(meta, s.introduction(out.Version)...)
	}
	out.Message = encodeRequest(text, r.method, r.params, meta)

	s.mu.Lock()
	s.waiting[id] = p
	s.mu.Unlock()
	sent := make(chan error, 1)
	// Sending has a goroutine: a server that doesn't read must not hold the caller beyond ctx. The
	// transport may go on reading the rest of an answer after the part that counts has come.
	if !s.start(func() {
		sent <- s.transport.Send(ctx, out)
		close(sent)
		select {
		case <-p.done:
		case <-ctx.Done():
		}
		cancel()
	}) {
		cancel()
		s.take(id)
		return message{}, s.ended(r.method)
	}
	failed := sent
	for {
		select {
		case <-p.done:
			return p.answer, p.err
		case err := <-failed:
			if err == nil {
				failed = nil
				continue
			}
			stopped := ctx.Err() != nil
			cancel()
			if s.take(id) == nil { // the answer came before the error
				<-p.done
				return p.answer, p.err
			}
			switch {
			case stopped:
				return message{}, s.stopped(ctx, r, begun, limit)
			case s.life.Err() != nil:
				return message{}, s.ended(r.method)
			}
			return message{}, fmt.Errorf("%s: %w", what(r.method, r.name), err)
		case <-ctx.Done():
			if s.take(id) == nil {
				<-p.done
				return p.answer, p.err
			}
			err := s.stopped(ctx, r, begun, limit)
			s.giveUp(ctx, r, text, sent, err)
			return message{}, err
		case <-s.life.Done():
			cancel()
			if s.take(id) == nil {
				<-p.done
				return p.answer, p.err
			}
			return message{}, s.ended(r.method)
		}
	}
}

// take takes a request out of those that wait; nil where it does not wait any more.
func (s *Session) take(id int64) *pending {
	s.mu.Lock()
	defer s.mu.Unlock()
	p := s.waiting[id]
	delete(s.waiting, id)
	return p
}

// errTimeout is the cause of a context that ends by Options.Timeout.
var errTimeout = errors.New("time-out")

// limit bounds a request in time. limit is how long it may take, 0 for as long as it wants.
func (s *Session) limit(ctx context.Context) (_ context.Context, cancel context.CancelFunc, limit time.Duration) {
	deadline, bounded := ctx.Deadline()
	if bounded {
		limit = time.Until(deadline)
	}
	if t := s.options.Timeout; t > 0 && (!bounded || t < limit) {
		ctx, cancel = context.WithTimeoutCause(ctx, t, errTimeout)
		return ctx, cancel, t
	}
	ctx, cancel = context.WithCancel(ctx)
	return ctx, cancel, limit
}

// stopped is the error of a request whose context has ended.
func (s *Session) stopped(ctx context.Context, r request, begun time.Time, limit time.Duration) error {
	if errors.Is(ctx.Err(), context.DeadlineExceeded) {
		e := &TimeoutError{Method: r.method, Name: r.name, Limit: limit.Round(time.Millisecond)}
		s.mu.Lock()
		defer s.mu.Unlock()
		if s.strayAt.After(begun) {
			e.Stray = s.stray
		}
		return e
	}
	if cause := context.Cause(ctx); cause != ctx.Err() { //nolint:errorlint // is there one beside it?
		return fmt.Errorf("%s: %w: %w", what(r.method, r.name), ctx.Err(), cause)
	}
	return fmt.Errorf("%s: %w", what(r.method, r.name), ctx.Err())
}

// ended is the error of a request of a session that has ended.
func (s *Session) ended(method string) error {
	err := context.Cause(s.life)
	if err == nil {
		err = ErrClosed
	}
	return fmt.Errorf("%s: %w", method, err)
}

// noticeLimit bounds how long a notice of a cancelled request may wait to be sent.
const noticeLimit = 5 * time.Second

// giveUp tells the server that nobody waits for the answer to a request any more, without making
// the caller wait for that. The handshake must not be cancelled (MCP 2025-11-25, basic/utilities/
// cancellation).
func (s *Session) giveUp(ctx context.Context, r request, id []byte, sent <-chan error, why error) {
	if r.handshake {
		return
	}
	reason := ""
	if cause := context.Cause(ctx); cause != ctx.Err() { //nolint:errorlint // is there one beside it?
		reason = cause.Error()
	}
	if errors.Is(why, context.DeadlineExceeded) {
		reason = why.Error()
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	s.notices.Add(1)
	s.running.Go(func() {
		defer s.notices.Done()
		ctx, cancel := context.WithTimeout(s.life, noticeLimit)
		defer cancel()
		select {
		case <-sent: // closed when it is sent, which this must not overtake
		case <-ctx.Done():
			return
		}
		out := Outgoing{Message: encodeNotification("notifications/cancelled", cancelled(id, reason)), Method: "notifications/cancelled", Version: s.version()}
		if err := s.transport.Send(ctx, out); err != nil && ctx.Err() == nil {
			s.report(fmt.Errorf("the server could not be told that %s was cancelled: %w", r.method, err))
		}
	})
}
