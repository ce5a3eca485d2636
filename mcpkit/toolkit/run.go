package toolkit

import (
	"context"
	"time"

	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// run runs a function of the author within its time, 0 for any. The error is that of f, errTimeout,
// errPanic, or that of ctx.
func (s *Server) run(ctx context.Context, timeout time.Duration, f run) (any, error) {
	defer transport.EndProgress(ctx)
	if timeout == 0 {
		return s.guarded(ctx, f)
	}
	limited, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	type outcome struct {
		value any
		err   error
	}
	// The function may go on for as long as it likes: nobody waits for what comes too late.
	done := make(chan outcome, 1)
	go func() {
		value, err := s.guarded(limited, f)
		done <- outcome{value, err}
	}()
	select {
	case o := <-done:
		if o.err == nil || limited.Err() == nil {
			return o.value, o.err
		}
	case <-limited.Done():
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	return nil, errTimeout
}

// guarded runs a function and turns a panic into errPanic.
func (s *Server) guarded(ctx context.Context, f run) (value any, err error) {
	defer func() {
		if r := recover(); r != nil {
			s.transport.LogPanic(ctx, r)
			value, err = nil, errPanic
		}
	}()
	return f(ctx)
}

// late is the error of a request that took more than its time.
func late(what string, limit time.Duration) *wire.Error {
	return &wire.Error{Code: wire.CodeInternalError, Message: "the " + what + " did not answer within " + limit.String() + ": try again, or with less to do"}
}

// cancelled is the error of a request that its client has given up.
func cancelled() *wire.Error {
	return &wire.Error{Code: wire.CodeInternalError, Message: "the call was cancelled"}
}

// Progress tells the client how far the call, or the reading of a resource or prompt, is whose
// context ctx is: so much of a total is done, in any unit. It does nothing where the client has not
// asked to be told, where done is not more than the last time or not finite, and once the function
// has returned. A total of 0 is unknown.
//
// It costs a message each time: tell it some times a second at most. A client that does not read them
// as fast does not get all (2025-11-25, basic/utilities/progress).
func Progress(ctx context.Context, done, total float64) { transport.Progress(ctx, done, total) }
