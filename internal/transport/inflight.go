package transport

import (
	"context"
	"sync"
	"sync/atomic"
)

// inflight knows the requests under way, so that notifications/cancelled reaches them from
// the moment they were read, also while they wait for their turn. mcp-go keeps such a list
// too, but only of what its handlers run, and answers a cancelled request, which the
// specification asks not to do (2025-11-25, basic/utilities/cancellation).
type inflight struct {
	mu       sync.Mutex
	requests map[string]*request
}

// request is one request under way.
type request struct {
	key       string
	cancel    context.CancelFunc
	cancelled atomic.Bool
}

// begin notes a request. Of two requests with one key, which a client must not send, only
// the second can be cancelled. The caller calls end when the request was answered.
func (f *inflight) begin(ctx context.Context, key string) (context.Context, *request) {
	ctx, cancel := context.WithCancel(ctx)
	r := &request{key: key, cancel: cancel}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.requests == nil {
		f.requests = make(map[string]*request)
	}
	f.requests[key] = r
	return ctx, r
}

func (f *inflight) end(r *request) {
	r.cancel()
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.requests[r.key] == r {
		delete(f.requests, r.key)
	}
}

// cancel ends the request with this key, if it is under way, and sees that it gets no
// answer.
func (f *inflight) cancel(key string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if r := f.requests[key]; r != nil {
		r.cancelled.Store(true)
		r.cancel()
	}
}
