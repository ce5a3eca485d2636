package server

import (
	"net/http"
	"sync"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// maxEnded is how many ended sessions are remembered.
const maxEnded = 10_000

// sessionIDs gives out session ids. A session holds nothing that this process would have
// to know, so every well-formed id is accepted, which lets any instance behind a load
// balancer serve it and lets clients go on after a restart. Only ids that a client has
// ended with DELETE are answered 404, as the specification asks (2025-11-25,
// basic/transports, session management); the last maxEnded of them are remembered.
type sessionIDs struct {
	mcpserver.StatelessGeneratingSessionIdManager

	mu    sync.Mutex
	ended map[string]struct{}
	ring  []string // of ended, the oldest at next
	next  int
}

// ResolveSessionIdManager implements mcp-go's SessionIdManagerResolver. Without a request
// mcp-go is only dropping what it holds for an idle session: that does not end it.
func (s *sessionIDs) ResolveSessionIdManager(r *http.Request) mcpserver.SessionIdManager {
	if r == nil {
		return &s.StatelessGeneratingSessionIdManager
	}
	return s
}

// Validate implements mcp-go's SessionIdManager.
func (s *sessionIDs) Validate(id string) (ended bool, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, ended := s.ended[id]; ended {
		return true, nil
	}
	return s.StatelessGeneratingSessionIdManager.Validate(id)
}

// Terminate implements mcp-go's SessionIdManager.
func (s *sessionIDs) Terminate(id string) (notAllowed bool, err error) {
	if _, err := s.StatelessGeneratingSessionIdManager.Validate(id); err != nil {
		return false, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.ended == nil {
		s.ended = make(map[string]struct{})
	}
	if _, known := s.ended[id]; known {
		return false, nil
	}
	if len(s.ring) < maxEnded {
		s.ring = append(s.ring, id)
	} else {
		delete(s.ended, s.ring[s.next])
		s.ring[s.next] = id
		s.next = (s.next + 1) % maxEnded
	}
	s.ended[id] = struct{}{}
	return false, nil
}
