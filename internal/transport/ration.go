package transport

import (
	"context"
	"os"
	"runtime"
	"runtime/debug"
	"sync"

	"golang.org/x/sync/semaphore"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// The memory of messages is rationed twice. What was received is counted as it comes in and
// until it is answered, by wire.Room over HTTP and by the gate on stdio. What it takes to
// read and check a message is many times that, and known only when the message is there: for
// that it waits here until others have been checked. Nothing that a client paces happens in
// between: it ends before the answer is written.

const (
	// smallNeed is what a message may need to wait in the lane of small ones only, so that
	// large ones never keep it out. It is more than ordinary messages of up to 64 KiB need.
	smallNeed = 2 << 20
	// smallEach is what each request in flight adds to the lane of small ones.
	smallEach = 64 << 10
	// restBytes is what the process takes beside messages: its code, connections, sessions.
	restBytes = 32 << 20
)

// ration bounds what all messages that are being checked need together.
type ration struct {
	maxDepth     int
	small, large lane
}

// lane lets messages in, in the order in which they come.
type lane struct {
	limit int64
	room  *semaphore.Weighted

	mu      sync.Mutex
	used    int64
	garbage int64 // what messages have left that the collector may not have found yet
}

func newRation(o Options) *ration {
	r := &ration{maxDepth: o.MaxDepth}
	r.small.limit = max(smallNeed, int64(o.MaxInFlight)*smallEach)
	r.large.limit = max(smallNeed, wire.MaxNeed(int64(o.MaxMessageBytes), o.MaxDepth))
	for _, l := range []*lane{&r.small, &r.large} {
		l.room = semaphore.NewWeighted(l.limit)
	}
	return r
}

// enter waits until there is memory to check the message. The caller calls leave when it is
// checked, once or more often. The error is that of ctx.
func (r *ration) enter(ctx context.Context, message []byte) (leave func(), err error) {
	need := wire.Need(message, r.maxDepth)
	l := &r.small
	if need > smallNeed {
		l = &r.large
	}
	need = min(need, l.limit)
	if err := l.room.Acquire(ctx, need); err != nil {
		return nil, err
	}
	if l == &r.large {
		l.collect(need)
	}
	return sync.OnceFunc(func() { l.leave(need) }), nil
}

// collect sees to it that what earlier messages have left and what those under way need is
// never more than the limit. The collector alone begins too late where a message needs more
// than all that it knows of.
func (l *lane) collect(need int64) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used += need
	if l.used+l.garbage > l.limit {
		runtime.GC()
		runtime.GC() // a pool gives up at the second what it held at the first
		l.garbage = 0
	}
}

func (l *lane) leave(need int64) {
	l.mu.Lock()
	l.used -= need
	l.garbage += need
	l.mu.Unlock()
	l.room.Release(need)
}

// Memory is how many bytes a server with these options takes at most: what its messages
// need while they are checked, what they have while they are received and answered, and what
// it takes beside them. With the default options it is less than 512 MiB.
func (o Options) Memory() int64 {
	o = o.withDefaults()
	r := newRation(o)
	return r.large.limit + r.small.limit + o.MaxInFlightBytes + restBytes
}

// LimitMemory has the collector of this process keep within nine tenths of Options.Memory,
// unless the environment variable GOMEMLIMIT says otherwise. Without a limit it lets garbage
// grow to as much as is in use. The tenth is for what the collector does not see and for
// what it is too late for.
func (o Options) LimitMemory() {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(o.Memory() / 10 * 9)
	}
}
