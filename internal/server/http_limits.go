package server

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strconv"
	"sync/atomic"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// codeBusy is the code of the JSON-RPC error with which the server turns a request away
// that it would take at another time. It is in the range left to servers.
const codeBusy = -32000

// retrySeconds is when to come again.
const retrySeconds = 1

// limiter counts what is under way up to a limit.
type limiter struct {
	limit int64
	used  atomic.Int64
}

// enter takes a place if there is one. Who got one calls leave.
func (l *limiter) enter() bool {
	if l.used.Add(1) > l.limit {
		l.used.Add(-1)
		return false
	}
	return true
}

func (l *limiter) leave() { l.used.Add(-1) }

// patient lets a client send its message to the end where the answer needed no look at it:
// 401, say, or 429. Most clients write first and read later, and would get a connection that
// is reset in place of the answer. What is larger than any message may be, and a client that
// waits to be asked for its message (RFC 9110, section 10.1.1), is not waited for.
type patient struct {
	limit   int64
	timeout time.Duration // as for any body
	next    http.Handler
}

func (p *patient) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Body == http.NoBody {
		p.next.ServeHTTP(w, r)
		return
	}
	body := &unreadBody{ReadCloser: r.Body}
	r.Body = body
	p.next.ServeHTTP(w, r)   // a refusal is short: net/http sends it when this function returns,
	r.Body = body.ReadCloser // and looks then at what kind of body it is
	if body.read || r.Header.Get("Expect") != "" {
		return
	}
	// A writer without deadlines (a recorder in a test) has no slow client either.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(p.timeout))
	if _, err := io.CopyN(io.Discard, body, p.limit+1); errors.Is(err, io.EOF) {
		_ = control.SetReadDeadline(time.Time{}) // else net/http gives the connection up
	}
}

// unreadBody knows whether somebody has begun to read it.
type unreadBody struct {
	io.ReadCloser
	read bool
}

func (b *unreadBody) Read(p []byte) (int, error) {
	b.read = true
	return b.ReadCloser.Read(p)
}

// busy answers 429 with the time after which to try again.
func busy(w http.ResponseWriter, id []byte, why string) {
	w.Header().Set("Retry-After", strconv.Itoa(retrySeconds))
	refuseHTTP(w, http.StatusTooManyRequests, &wire.Refusal{
		Code: codeBusy, ID: id, Message: why + ": try again after " + strconv.Itoa(retrySeconds) + " second",
	})
}

// sessionHooks counts the sessions that mcp-go keeps: those with a stream.
func (s *Server) sessionHooks(hooks *mcpserver.Hooks) {
	hooks.AddOnRegisterSession(func(_ context.Context, _ mcpserver.ClientSession) { s.streaming.Add(1) })
	hooks.AddOnUnregisterSession(func(_ context.Context, _ mcpserver.ClientSession) { s.streaming.Add(-1) })
}

// full reports whether there are as many HTTP sessions and streams as there may be.
func (t *httpTransport) full(s *Server) bool {
	return int64(t.givenSessions())+s.streaming.Load() >= int64(s.options.MaxSessions)
}

// givenSessions is how many sessions there are.
func (t *httpTransport) givenSessions() int {
	if t.sessions == nil {
		return 0
	}
	return t.sessions.given.count()
}
