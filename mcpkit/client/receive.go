package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// receive is Handler.Receive: it reads a message and gives it to whom it belongs.
func (s *Session) receive(data []byte) {
	m, err := readMessage(data)
	if err != nil {
		s.report(err)
		return
	}
	switch {
	case m.method >= 0:
		s.received(m, data)
		m.release()
	case m.id >= 0 && m.tape.Tokens[m.id].Kind != jsontape.Null:
		s.replied(m, data)
	case m.err >= 0:
		s.failedUnnamed(m)
		m.release()
	default:
		s.report(&StrayError{"the server has sent a reply without an id", data})
		m.release()
	}
}

// replied gives a reply to the request that waits for it. Nothing else ever ends a request well.
func (s *Session) replied(m message, data []byte) {
	id, ok := replyID(m)
	var p *pending
	if ok {
		p = s.take(id)
	}
	if p == nil {
		reason := "the server has sent a reply to a request that was never made"
		if ok && id <= s.lastID.Load() {
			reason = "the server has sent a late or repeated reply: nobody waits for it any more"
		}
		m.release()
		s.report(&StrayError{reason, data})
		return
	}
	switch {
	case m.err >= 0 && m.result >= 0 && m.tape.Tokens[m.result].Kind != jsontape.Null:
		p.err = &ProtocolError{p.method, "it has both a result and an error: " + excerpt(data)}
	case m.err >= 0:
		p.err = m.failure(p.method)
	case m.result < 0:
		p.err = &ProtocolError{p.method, "it has neither a result nor an error: " + excerpt(data)}
	}
	if p.err != nil {
		m.release()
	} else {
		p.answer = m
	}
	close(p.done)
}

// replyID is the id of a reply, if it can be one of this session's: they are positive integers, and
// a server returns them as they are.
func replyID(m message) (id int64, ok bool) {
	k := &m.tape.Tokens[m.id]
	if k.Kind != jsontape.Number || k.Flags&jsontape.Integer == 0 {
		return 0, false
	}
	id, err := strconv.ParseInt(string(m.bytes(m.id)), 10, 64)
	return id, err == nil && id > 0
}

// failedUnnamed gets an error whose id is null: the server has not understood which request it is
// about (JSON-RPC 2.0, section 5). If only one request waits, it is about that one, which then need
// not wait for its time-out.
func (s *Session) failedUnnamed(m message) {
	e := m.failure("")
	s.mu.Lock()
	var only *pending
	if len(s.waiting) == 1 && m.id >= 0 {
		for id, p := range s.waiting {
			only = p
			delete(s.waiting, id)
		}
	}
	s.mu.Unlock()
	s.report(e)
	if only != nil {
		only.err = &Error{Code: e.Code, Message: e.Message, Data: e.Data, Method: only.method}
		close(only.done)
	}
}

// received gets a notification or a request of the server.
func (s *Session) received(m message, data []byte) {
	if m.tape.Tokens[m.method].Kind != jsontape.String {
		s.report(&StrayError{"the server has sent a message whose method is not a string", data})
		return
	}
	method, params := m.tape.Str(m.method), m.bytes(m.params)
	if m.id < 0 {
		if method == "notifications/progress" {
			s.progressed(m)
		}
		if s.options.OnNotification != nil {
			s.options.OnNotification(method, params)
		}
		return
	}
	id := m.bytes(m.id)
	select {
	case s.slots <- struct{}{}:
	default:
		s.report(&StrayError{fmt.Sprintf("a request of the server was dropped, as %d others wait to be answered", maxServerRequests), data})
		return
	}
	// Answering has a goroutine: it may wait for a person, or for a server that does not read.
	if !s.start(func() { defer func() { <-s.slots }(); s.answer(id, method, params, data) }) {
		<-s.slots
	}
}

// answer answers a request of the server.
func (s *Session) answer(id []byte, method string, params json.RawMessage, data []byte) {
	result, err := s.handle(s.life, method, params)
	var failure *Error
	if err != nil && !errors.As(err, &failure) {
		failure = &Error{Code: -32603, Message: err.Error()}
	}
	if errors.Is(err, ErrNotHandled) {
		failure = &Error{Code: -32601, Message: "Method not found: " + method}
		s.report(&StrayError{"a request of the server was refused, as the client does not have the method " + excerpt([]byte(method)), data})
	}
	ctx, cancel, _ := s.limit(s.life)
	defer cancel()
	if err := s.transport.Send(ctx, Outgoing{Message: encodeAnswer(id, result, failure), Version: s.version()}); err != nil && s.life.Err() == nil {
		s.report(fmt.Errorf("the answer to the server's request %s could not be sent: %w", method, err))
	}
}

// handle gives the result of a request of the server, JSON.
func (s *Session) handle(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
	switch {
	case method == "ping":
		return json.RawMessage(`{}`), nil
	case method == "roots/list" && s.options.Roots != nil:
		roots, err := json.Marshal(s.options.Roots)
		return append(append([]byte(`{"roots":`), roots...), '}'), err
	case s.options.OnRequest == nil:
		return nil, ErrNotHandled
	}
	result, err := s.options.OnRequest(ctx, method, params)
	if err == nil {
		if err := jsontape.Valid(result); err != nil {
			return nil, fmt.Errorf("the client's own answer is not JSON: %w", err)
		}
	}
	return result, err
}

// Progress is what a server tells of a request that takes long.
type Progress struct {
	Progress float64 // how far it is; it only grows
	Total    float64 // of how much; 0 where that is not known
	Message  string  // what it does, "" for nothing
}

// progressed tells who made a request how far it is. The token is the id of the request.
func (s *Session) progressed(m message) {
	token := m.at(m.params, "progressToken")
	if token < 0 {
		return
	}
	id, err := strconv.ParseInt(string(m.bytes(token)), 10, 64)
	if err != nil {
		return
	}
	s.mu.Lock()
	p := s.waiting[id]
	s.mu.Unlock()
	if p == nil || p.progress == nil {
		return
	}
	p.progress(Progress{m.number(m.params, "progress"), m.number(m.params, "total"), m.member(m.params, "message")})
}

// number is a number as float64, 0 where there is none.
func (m message) number(object int, name string) float64 {
	f, err := strconv.ParseFloat(string(m.bytes(m.at(object, name))), 64)
	if err != nil {
		return 0
	}
	return f
}

// cancelled are the parameters of notifications/cancelled.
func cancelled(id []byte, reason string) json.RawMessage {
	b := append([]byte(`{"requestId":`), id...)
	if reason != "" {
		b = jsontape.AppendQuoted(append(b, `,"reason":`...), reason)
	}
	return append(b, '}')
}
