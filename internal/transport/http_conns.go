package transport

import (
	"container/list"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// acceptPause is how long a new connection waits before it is looked again whether one
	// of the others gives way.
	acceptPause = 20 * time.Millisecond
	// stuckWrite is how long a client may leave bytes untaken before its connection gives
	// way, too.
	stuckWrite = 2 * time.Second
)

// errStopped is what Accept returns when no more connections are to be taken.
var errStopped = errors.New("the listener was stopped")

// connections is a listener that keeps no more than so many connections at a time. Most
// connections wait for their client: for its handshake, its header, its body, or its next
// request. At the limit one of them makes room for the new one, so that nobody keeps others
// out by opening connections. They are in two groups, those that have begun a request, or
// never sent one, and those that are idle after an answer; of the larger group the one goes
// that has waited longest. So a flood of one kind drives out itself: who comes anew has as
// much time as the whole flood takes to pass by. Connections on which the server works, or
// that are streams, stay, unless their client doesn't take what it is sent; where all are
// such, new ones wait to be accepted.
type connections struct {
	net.Listener // set by Serve
	limit        int

	mu          sync.Mutex
	open        map[*connection]struct{}
	begun, idle list.List // of *connection, the longest waiting first

	gaveWay  atomic.Int64
	draining atomic.Bool // see connection.Close
	stopping atomic.Bool // see stop
	stopTime atomic.Int64
	closed   chan struct{}
	close    func() error
}

func newConnections(limit int) *connections {
	all := &connections{limit: limit, open: make(map[*connection]struct{}), closed: make(chan struct{})}
	all.close = sync.OnceValue(func() error {
		close(all.closed)
		return all.Listener.Close()
	})
	return all
}

// Accept implements net.Listener.
func (all *connections) Accept() (net.Conn, error) {
	begun := time.Now()
	conn, err := all.Listener.Accept()
	for err != nil {
		if !all.stopping.Load() {
			return nil, err
		}
		// Only who has waited for a while knows that nobody is there.
		waited := time.Since(begun)
		if waited >= lastAccept/2 || !errors.Is(err, os.ErrDeadlineExceeded) || time.Since(time.Unix(0, all.stopTime.Load())) > lastAcceptLimit {
			return nil, errors.Join(errStopped, all.close())
		}
		begun = time.Now()
		all.setDeadline()
		conn, err = all.Listener.Accept()
	}
	for !all.makeRoom() {
		select {
		case <-all.closed:
			return nil, errors.Join(errStopped, conn.Close())
		case <-time.After(acceptPause):
		}
		if all.stopping.Load() {
			return nil, errors.Join(errStopped, conn.Close(), all.close())
		}
	}
	c := &connection{Conn: conn, all: all, silentSince: time.Now()}
	c.silent.Store(true)
	all.mu.Lock()
	defer all.mu.Unlock()
	all.open[c] = struct{}{}
	c.wait(&all.begun)
	return c, nil
}

// Close implements net.Listener.
func (all *connections) Close() error { return all.close() }

// stop takes the connections that have been made and then no more: Accept ends.
func (all *connections) stop() {
	all.stopTime.Store(time.Now().UnixNano())
	all.stopping.Store(true)
	refuseNew(all.Listener)
	all.setDeadline()
}

// setDeadline lets Accept end once nobody has come for a while.
func (all *connections) setDeadline() {
	listener, ok := all.Listener.(interface{ SetDeadline(time.Time) error })
	if !ok || listener.SetDeadline(time.Now().Add(lastAccept)) != nil {
		_ = all.close() // Accept says how that went
	}
}

const (
	// lastAccept is how long connections that were made are still looked for.
	lastAccept = 100 * time.Millisecond
	// lastAcceptLimit is how long at most, where they go on to come.
	lastAcceptLimit = time.Second
)

// count is how many connections there are.
func (all *connections) count() int {
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.open)
}

// makeRoom reports whether there is room for one more connection, after closing another if
// need be.
func (all *connections) makeRoom() bool {
	all.mu.Lock()
	if len(all.open) < all.limit {
		all.mu.Unlock()
		return true
	}
	c := all.expendable()
	if c != nil {
		all.forget(c)
	}
	all.mu.Unlock()
	if c == nil {
		return false
	}
	all.gaveWay.Add(1)
	_ = c.Conn.Close() // its client may be gone
	return true
}

// expendable is the connection that gives way, nil if there is none. The caller holds mu.
func (all *connections) expendable() *connection {
	group := &all.begun
	if all.idle.Len() > all.begun.Len() {
		group = &all.idle
	}
	if first := group.Front(); first != nil {
		return first.Value.(*connection)
	}
	since := time.Now().Add(-stuckWrite).UnixNano()
	var stuck *connection
	for c := range all.open {
		if w := c.writing.Load(); w != 0 && w < since {
			stuck, since = c, w
		}
	}
	return stuck
}

// forget lets a connection no longer count. The caller holds mu.
func (all *connections) forget(c *connection) {
	delete(all.open, c)
	c.wait(nil)
}

// setState is the ConnState of http.Server. HTTP/2 says Active and Idle as well.
func (all *connections) setState(conn net.Conn, state http.ConnState) {
	c := beneath(conn)
	if c == nil || state != http.StateIdle {
		return
	}
	secure, ok := conn.(*tls.Conn)
	h2 := ok && secure.ConnectionState().NegotiatedProtocol == "h2"
	all.mu.Lock()
	defer all.mu.Unlock()
	c.h2 = h2
	if _, open := all.open[c]; open && c.requests == 0 {
		c.silentSince = time.Now()
		c.silent.Store(true)
		c.wait(&all.idle)
	}
}

// leftOver is what connections are left.
type leftOver struct {
	h1, h2  int
	working bool // on some request
}

// closeSilent lets go of the connections of HTTP/1 that have been silent for some time, and
// tells what is left. Who has just connected and asked for nothing yet has more time: he is
// about to. HTTP/2 has a way of its own to say goodbye.
func (all *connections) closeSilent(quiet time.Duration) (left leftOver) {
	all.mu.Lock()
	defer all.mu.Unlock()
	now := time.Now()
	for c := range all.open {
		left.working = left.working || c.requests > 0
		if c.h2 {
			left.h2++
			continue
		}
		left.h1++
		wait := quiet
		if c.group != &all.idle {
			wait *= 4
		}
		if c.silent.Load() && !c.leaving && now.Sub(c.silentSince) >= wait {
			c.leaving = true
			c.halfClose()
		}
	}
	return left
}

// connection is one connection. The server's side of it is the goroutine of net/http.
type connection struct {
	net.Conn
	all *connections
	// writing is since when a write waits for the client, in nanoseconds; 0 if none does.
	writing atomic.Int64
	// silent says that nothing came since the last answer, or at all. Whoever sets it holds
	// all.mu.
	silent atomic.Bool

	// The rest is guarded by all.mu.
	silentSince time.Time
	leaving     bool // what still comes is read and thrown away
	h2          bool
	requests    int // that the server works on
	group       *list.List
	place       *list.Element // in group
}

// wait puts the connection at the end of a group of those that wait for their client; nil
// is none. The caller holds all.mu.
func (c *connection) wait(group *list.List) {
	if c.group == group {
		return
	}
	if c.group != nil {
		c.group.Remove(c.place)
	}
	if c.group = group; group != nil {
		c.place = group.PushBack(c)
	}
}

// Read implements net.Conn.
func (c *connection) Read(b []byte) (int, error) {
	for {
		n, err := c.Conn.Read(b)
		if n == 0 || !c.silent.Load() || c.speaks() {
			return n, err
		}
		if err != nil {
			return 0, err
		}
	}
}

// speaks notes that the client of a silent connection has sent something, and reports
// whether that comes in time.
func (c *connection) speaks() bool {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.leaving {
		return false
	}
	c.silent.Store(false)
	if c.group == &c.all.idle {
		c.wait(&c.all.begun)
	}
	return true
}

// Write implements net.Conn.
func (c *connection) Write(b []byte) (int, error) {
	c.writing.Store(time.Now().UnixNano())
	defer c.writing.Store(0)
	return c.Conn.Write(b)
}

// Close implements net.Conn. While the server stops, a client that sends on all the same is
// listened to for a moment, or it might lose the answer before (RFC 9112, section 9.6).
func (c *connection) Close() error {
	c.all.mu.Lock()
	_, open := c.all.open[c]
	linger := open && c.all.draining.Load() && !c.leaving
	c.leaving = true
	c.silent.Store(true)
	c.all.mu.Unlock()
	if linger {
		c.halfClose()
		_, _ = c.Read(make([]byte, 512)) // ends when the client does, or the time
	}
	err := c.Conn.Close()
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.all.forget(c)
	return err
}

// lastWords is how long a client that was told that its connection ends is listened to.
const lastWords = 500 * time.Millisecond

// halfClose tells the client that nothing more will be sent.
func (c *connection) halfClose() {
	_ = c.Conn.SetReadDeadline(time.Now().Add(lastWords)) // fails only on one that is closed
	_ = c.CloseWrite()
}

// SetReadDeadline implements net.Conn. One that is leaving has its last deadline.
func (c *connection) SetReadDeadline(t time.Time) error {
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.leaving {
		return nil
	}
	return c.Conn.SetReadDeadline(t)
}

// CloseWrite is for net/http, which uses it where a client is still sending.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return errors.ErrUnsupported
}

// connectionKey is the key of a request's connection in its context.
type connectionKey struct{}

// newContext is the ConnContext of http.Server.
func (all *connections) newContext(ctx context.Context, conn net.Conn) context.Context {
	if c := beneath(conn); c != nil {
		return context.WithValue(ctx, connectionKey{}, c)
	}
	return ctx
}

// beneath is our connection beneath one of net/http.
func beneath(conn net.Conn) *connection {
	if secure, ok := conn.(*tls.Conn); ok {
		conn = secure.NetConn()
	}
	c, _ := conn.(*connection)
	return c
}

// begin notes that a whole request has come. Without Serve there is no connection to know
// it. The caller calls end when it was answered.
func (c *connection) begin() {
	if c == nil {
		return
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	c.requests++
	c.wait(nil)
}

func (c *connection) end() {
	if c == nil {
		return
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.requests--; c.requests == 0 {
		if _, open := c.all.open[c]; open {
			c.wait(&c.all.begun) // until net/http has sent the rest of the answer
		}
	}
}
