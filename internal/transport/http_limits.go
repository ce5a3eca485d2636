package transport

import (
	"net/http"
	"strconv"
	"sync"
	"time"

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

	mu        sync.Mutex
	used      int64
	fullSince time.Time // if it is
}

// enter takes a place if there is one. Who got one calls leave.
func (l *limiter) enter() bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.used == l.limit {
		return false
	}
	if l.used++; l.used == l.limit {
		l.fullSince = time.Now()
	}
	return true
}

func (l *limiter) leave() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.used--
}

// taken is how many places are taken.
func (l *limiter) taken() int64 {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used
}

// full reports whether all places are taken, and have been for at least so long without one
// of them coming free.
func (l *limiter) full(atLeast time.Duration) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.used == l.limit && time.Since(l.fullSince) >= atLeast
}

// busy answers 429 with the time after which to try again.
func busy(w http.ResponseWriter, id []byte, why string) {
	w.Header().Set("Retry-After", strconv.Itoa(retrySeconds))
	refuseHTTP(w, http.StatusTooManyRequests, busyRefusal(id, why))
}

// busyRefusal is the answer to a message for which there is no room at the moment.
func busyRefusal(id []byte, why string) *wire.Refusal {
	return &wire.Refusal{Code: codeBusy, ID: id, Message: why + ": try again after " + strconv.Itoa(retrySeconds) + " second"}
}

// full reports whether there are as many HTTP sessions and streams as there may be.
func (t *httpTransport) full(s *Server) bool {
	return t.givenSessions()+t.sessionStreams.sessions() >= s.options.MaxSessions
}

// givenSessions is how many sessions there are.
func (t *httpTransport) givenSessions() int {
	if t.sessions == nil {
		return 0
	}
	return t.sessions.given.count()
}
