package transport

import (
	"container/list"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"strings"
	"sync"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// sessionIdleTime is how long a session counts that nobody uses.
const sessionIdleTime = time.Hour

// sessionIDs gives out session ids. A session holds nothing that this process would have
// to know, so every well-formed id is accepted, which lets any instance behind a load
// balancer serve it and lets clients go on after a restart. Only ids that a client has
// ended with DELETE are answered 404, as the specification asks (2025-11-25,
// basic/transports, session management); the last maxRecent of them are remembered.
//
// Nothing is kept of an id that was not given out here, and of those some hundred bytes, to
// count them. mcp-go keeps more, for as long as it thinks that a session lasts: it is made to
// forget (see httpTransport.forget).
type sessionIDs struct {
	mcpserver.StatelessGeneratingSessionIdManager

	given givenSessions
	ended recent[struct{}]
}

type forgetKey struct{}

// ResolveSessionIdManager implements mcp-go's SessionIdManagerResolver. Without a request
// mcp-go is only dropping what it holds for sessions, as it does when it is to forget one:
// that does not end them.
func (s *sessionIDs) ResolveSessionIdManager(r *http.Request) mcpserver.SessionIdManager {
	if r == nil || r.Context().Value(forgetKey{}) != nil {
		return &anySession{}
	}
	if owner, ok := r.Context().Value(ownerKey{}).(string); ok {
		return ownedIDs{s, owner}
	}
	return s
}

// anySession is the manager of ids while mcp-go forgets one: it ends nothing.
type anySession struct {
	mcpserver.StatelessGeneratingSessionIdManager
}

// Validate implements mcp-go's SessionIdManager: a well-formed id may have its owner's mark.
func (a *anySession) Validate(id string) (ended bool, err error) {
	session, mark, marked := strings.Cut(id, ownerSeparator)
	if marked && len(mark) != ownerMarkLen {
		return false, errNoSession
	}
	return a.StatelessGeneratingSessionIdManager.Validate(session)
}

// ownedIDs gives out the session ids of one owner.
type ownedIDs struct {
	*sessionIDs
	owner string
}

// Generate implements mcp-go's SessionIdManager.
func (o ownedIDs) Generate() string {
	session := o.StatelessGeneratingSessionIdManager.Generate()
	id := session + ownerSeparator + ownerMark(session, o.owner)
	o.given.add(id)
	return id
}

// ownerSeparator stands in a session id before the mark of its owner.
const ownerSeparator = "."

// ownerMarkLen is how long a mark is, in bytes.
const ownerMarkLen = 32

var errNoSession = errors.New("no session id of this server")

// ownerMark is what an owner's session id has after the separator, "" for no owner. It
// differs from session to session, so that ids don't tell whose sessions are the same one's.
func ownerMark(session, owner string) string {
	if owner == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(session + ownerSeparator + owner))
	return hex.EncodeToString(sum[:ownerMarkLen/2])
}

// Generate implements mcp-go's SessionIdManager.
func (s *sessionIDs) Generate() string {
	id := s.StatelessGeneratingSessionIdManager.Generate()
	s.given.add(id)
	return id
}

// Validate implements mcp-go's SessionIdManager.
func (s *sessionIDs) Validate(id string) (ended bool, err error) {
	if _, ended := s.ended.get(id); ended {
		return true, nil
	}
	s.given.touch(id)
	return (&anySession{}).Validate(id)
}

// Terminate implements mcp-go's SessionIdManager.
func (s *sessionIDs) Terminate(id string) (notAllowed bool, err error) {
	if _, err := (&anySession{}).Validate(id); err != nil {
		return false, err
	}
	s.given.end(id)
	s.ended.set(id, struct{}{})
	return false, nil
}

// givenSessions are the sessions that were given out, have not ended and were used in the
// last hour. The zero value has none.
type givenSessions struct {
	mu    sync.Mutex
	byID  map[string]*list.Element
	byUse list.List // of givenSession, the one used last in front
}

type givenSession struct {
	id   string
	used time.Time
}

func (g *givenSessions) add(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.byID == nil {
		g.byID = make(map[string]*list.Element)
	}
	g.byID[id] = g.byUse.PushFront(&givenSession{id, time.Now()})
}

// touch notes that a session is used, if it is one of these.
func (g *givenSessions) touch(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if e, ok := g.byID[id]; ok {
		e.Value.(*givenSession).used = time.Now()
		g.byUse.MoveToFront(e)
	}
}

// end leaves a session out from now on.
func (g *givenSessions) end(id string) {
	g.mu.Lock()
	defer g.mu.Unlock()
	if e, ok := g.byID[id]; ok {
		g.byUse.Remove(e)
		delete(g.byID, id)
	}
}

// count is how many there are.
func (g *givenSessions) count() int {
	g.mu.Lock()
	defer g.mu.Unlock()
	for e := g.byUse.Back(); e != nil; e = g.byUse.Back() {
		oldest := e.Value.(*givenSession)
		if time.Since(oldest.used) < sessionIdleTime {
			break
		}
		g.byUse.Remove(e)
		delete(g.byID, oldest.id)
	}
	return g.byUse.Len()
}

// alive reports whether a request names a session that can be used.
func (t *httpTransport) alive(r *http.Request) bool {
	if t.sessions == nil {
		return false
	}
	ended, err := t.sessions.Validate(r.Header.Get(mcpserver.HeaderKeySessionID))
	return err == nil && !ended
}

// forget makes mcp-go forget what it keeps of a session, unless the client has a stream open
// that it needs this for. It is called when mcp-go has begun to keep something: initialize,
// the level of log messages, a stream that ends.
func (t *httpTransport) forget(session string) {
	if session == "" || t.sessions == nil || t.sessionStreams.newest(session) != nil {
		return
	}
	t.mcp.Handle(nowhere{}, &mcpserver.HTTPRequest{
		Method:  http.MethodDelete,
		Header:  http.Header{mcpserver.HeaderKeySessionID: {session}},
		Context: context.WithValue(context.Background(), forgetKey{}, true),
	})
}

// nowhere is where the answer goes that nobody has asked for.
type nowhere struct{}

// Header implements mcp-go's HTTPResponseWriter.
func (nowhere) Header() http.Header { return http.Header{} }

// WriteHeader implements mcp-go's HTTPResponseWriter.
func (nowhere) WriteHeader(int) {}

// Write implements mcp-go's HTTPResponseWriter.
func (nowhere) Write(b []byte) (int, error) { return len(b), nil }

// Flush implements mcp-go's HTTPResponseWriter.
func (nowhere) Flush() {}

// CanStream implements mcp-go's HTTPResponseWriter.
func (nowhere) CanStream() bool { return false }
