package client

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Session is a connection to one server. Its methods may be used at the same time.
type Session struct {
	transport Transport
	options   Options

	lastID atomic.Int64
	agreed atomic.Pointer[agreement]
	// renewing keeps two requests from initialising a lost session at the same time.
	renewing sync.Mutex

	// life ends when the session does, and with it whatever it started by itself.
	life    context.Context
	end     context.CancelCauseFunc
	running sync.WaitGroup // the goroutines of the session
	notices sync.WaitGroup // of those, the ones that tell the server of a cancellation
	slots   chan struct{}  // requests of the server that are being answered

	mu      sync.Mutex
	waiting map[int64]*pending
	closed  bool
	stray   error // the last thing that belonged to nothing
	strayAt time.Time
}

// maxServerRequests is how many requests of the server are answered at the same time.
const maxServerRequests = 64

// Info is what a server says of itself.
type Info struct {
	Name, Title, Version string
	// Raw is the whole of it as it came, nil where it said nothing.
	Raw json.RawMessage
}

// Connect opens a transport, agrees with the server on a version of the protocol and gives the
// session, which goes on when ctx has ended. It closes the transport when it fails.
//
// The error wraps a *[VersionError] where there is no version in common, an *[Error] where the
// server refuses, a *[TimeoutError], [ErrLost] where the server has ended, or is what the transport
// says of a server that can't be reached.
func Connect(ctx context.Context, t Transport, options Options) (*Session, error) {
	o := options.withDefaults()
	if err := o.check(); err != nil {
		return nil, err
	}
	s := &Session{transport: t, options: o, waiting: map[int64]*pending{}, slots: make(chan struct{}, maxServerRequests)}
	s.life, s.end = context.WithCancelCause(context.Background())
	err := t.Open(ctx, Handler{Receive: s.receive, Lost: s.lost, Stray: s.report, MaxMessageBytes: o.MaxMessageBytes})
	if err == nil {
		err = s.negotiate(ctx)
	}
	if err != nil {
		_ = s.Close() // the first error is the one that tells
		return nil, err
	}
	return s, nil
}

// Server is what the server says of itself.
func (s *Session) Server() Info { return s.agreed.Load().server }

// Capabilities is what the server offers, a JSON object as it came; {} where it said nothing.
func (s *Session) Capabilities() json.RawMessage { return s.agreed.Load().capabilities }

// Offers reports whether the capabilities of the server have a section: "tools", "resources",
// "prompts", "completions", "logging" …
func (s *Session) Offers(section string) bool {
	m, err := readMessage(s.Capabilities())
	if err != nil {
		return false
	}
	defer m.release()
	return m.raw(0, section) != nil
}

// Instructions is what the server tells the model about its use, "" for nothing.
func (s *Session) Instructions() string { return s.agreed.Load().instructions }

// ProtocolVersion is the version of the protocol that was agreed on, one of Versions.
func (s *Session) ProtocolVersion() string { return s.agreed.Load().version }

// noticeTime is how long Close waits for the server to take notices of cancelled requests.
const noticeTime = time.Second

// Close ends the session and its transport, whose error it returns. Requests that wait for their
// answer end with ErrClosed. It must not be called by a function of Options. A second call does
// nothing.
func (s *Session) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()

	// A program that cancels a request and ends has said so to the server, if that reads at all.
	told := make(chan struct{})
	go func() { s.notices.Wait(); close(told) }()
	patience := time.NewTimer(noticeTime)
	defer patience.Stop()
	select {
	case <-told:
	case <-patience.C:
	}
	s.end(ErrClosed)
	err := s.transport.Close()
	s.running.Wait()
	<-told
	return err
}

// start runs f in a goroutine of the session. It reports false where the session is closed.
func (s *Session) start(f func()) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false
	}
	s.running.Go(f)
	return true
}

// lost is Handler.Lost.
func (s *Session) lost(reason error) {
	if reason == nil {
		s.end(ErrLost)
		return
	}
	s.end(fmt.Errorf("%w: %w", ErrLost, reason))
}

// report is Handler.Stray.
func (s *Session) report(err error) {
	s.mu.Lock()
	s.stray, s.strayAt = err, time.Now()
	s.mu.Unlock()
	if s.options.OnStray != nil {
		s.options.OnStray(err)
	}
}
