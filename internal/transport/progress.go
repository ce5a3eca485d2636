package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"sync"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// Progress of requests (2025-11-25, basic/utilities/progress).
//
// It is told to those only who ask for it with a token, goes where the answer goes, before it, and
// no later than it: on stdio between the answers, over HTTP in the answer itself, which becomes a
// stream of events with it. mcp-go would send it to whichever request of the session comes first.

// progress is where a request's progress is told.
type progress struct {
	token json.RawMessage
	send  func(mcp.JSONRPCNotification)

	mu   sync.Mutex
	last float64
	over bool
}

type progressKey struct{}

// withProgress returns a context with which Progress works, if the message asks for it.
func withProgress(ctx context.Context, m *wire.Message, send func(mcp.JSONRPCNotification)) context.Context {
	if m.ProgressToken == nil || m.Kind != wire.Request {
		return ctx
	}
	return context.WithValue(ctx, progressKey{}, &progress{
		token: bytes.Clone(m.ProgressToken), // a notice may wait in a queue when the message is gone
		send:  send, last: math.Inf(-1),
	})
}

// Progress tells the client of the request in ctx that so much of a total is done. It does nothing
// where the client has not asked for that, where done is not more than the last time or no finite
// number, and after EndProgress. A total that is no finite number above 0 is unknown.
func Progress(ctx context.Context, done, total float64) {
	p, ok := ctx.Value(progressKey{}).(*progress)
	if !ok {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.over || math.IsNaN(done) || math.IsInf(done, 0) || done <= p.last {
		return
	}
	p.last = done
	n := mcp.JSONRPCNotification{JSONRPC: mcp.JSONRPC_VERSION}
	n.Method = "notifications/progress"
	n.Params.AdditionalFields = map[string]any{"progressToken": p.token, "progress": done}
	if total > 0 && !math.IsInf(total, 0) {
		n.Params.AdditionalFields["total"] = total
	}
	p.send(n)
}

// EndProgress is to be called before the request in ctx is answered: what a handler that goes on
// tells later is dropped.
func EndProgress(ctx context.Context) {
	if p, ok := ctx.Value(progressKey{}).(*progress); ok {
		p.mu.Lock()
		p.over = true
		p.mu.Unlock()
	}
}

// progress queues a notification for the client. Where half the queue is full, since the client does
// not read as fast, it is left out: the next one says more, and other notices need the room.
func (s *stdioSession) progress(n mcp.JSONRPCNotification) {
	if len(s.notifications) > cap(s.notifications)/2 {
		return
	}
	select {
	case s.notifications <- n:
	default:
	}
}
