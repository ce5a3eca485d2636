package server

import (
	"net/http"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// sessionIDs gives out session ids. A session holds nothing that this process would have
// to know, so every well-formed id is accepted, which lets any instance behind a load
// balancer serve it and lets clients go on after a restart. Only ids that a client has
// ended with DELETE are answered 404, as the specification asks (2025-11-25,
// basic/transports, session management); the last maxRecent of them are remembered.
type sessionIDs struct {
	mcpserver.StatelessGeneratingSessionIdManager

	ended recent[struct{}]
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
	if _, ended := s.ended.get(id); ended {
		return true, nil
	}
	return s.StatelessGeneratingSessionIdManager.Validate(id)
}

// Terminate implements mcp-go's SessionIdManager.
func (s *sessionIDs) Terminate(id string) (notAllowed bool, err error) {
	if _, err := s.StatelessGeneratingSessionIdManager.Validate(id); err != nil {
		return false, err
	}
	s.ended.set(id, struct{}{})
	return false, nil
}
