package client

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// maxRounds is how often a server may answer one request by asking for input.
const maxRounds = 10

// InputRequiredError says that a server wants something of the client before it answers a request,
// and the client can't give it. In the era without a handshake servers send no requests: they answer
// with what they want to know, and the request is made again with that (SEP-2322, multi round-trip
// requests).
type InputRequiredError struct {
	Method string // of the request
	Wants  string // the method that the client would have to have, such as elicitation/create
	Err    error  // why it gave nothing; ErrNotHandled where it does not have the method
}

func (e *InputRequiredError) Error() string {
	return fmt.Sprintf("%s: the server asks for %s before it answers, and gets none: %s", e.Method, e.Wants, e.Err)
}

func (e *InputRequiredError) Unwrap() error { return e.Err }

// sendThrough sends a request, and again with what the server asks for in place of an answer, until
// there is one.
func (s *Session) sendThrough(ctx context.Context, r request) (message, error) {
	asked := r.params
	for range maxRounds {
		m, err := s.send(ctx, r)
		if err != nil || !stateless(s.version()) || m.member(m.result, "resultType") != "input_required" {
			return m, err
		}
		input, err := s.input(ctx, r.method, m)
		m.release()
		if err != nil {
			return message{}, err
		}
		r.params = asked.with(input)
	}
	return message{}, &ProtocolError{r.method, "the server asks for input " + strconv.Itoa(maxRounds) + " times and does not answer"}
}

// input is what a server has asked for, as members for the parameters of the request.
func (s *Session) input(ctx context.Context, method string, m message) ([]byte, error) {
	b := []byte(`"inputResponses":{`)
	if asked := m.at(m.result, "inputRequests"); asked >= 0 && m.tape.Tokens[asked].Kind == jsontape.Object {
		for k := asked + 1; k < m.tape.Next(asked); k = m.tape.Next(k + 1) {
			wants := m.member(k+1, "method")
			answer, err := s.handle(ctx, wants, m.raw(k+1, "params"))
			if err != nil {
				if errors.Is(err, ErrNotHandled) {
					s.report(&StrayError{"the server asks for input that the client can't give", m.bytes(k + 1)})
				}
				return nil, &InputRequiredError{method, wants, err}
			}
			if b[len(b)-1] != '{' {
				b = append(b, ',')
			}
			b = append(append(append(b, m.bytes(k)...), ':'), answer...)
		}
	}
	b = append(b, '}')
	if state := m.raw(m.result, "requestState"); state != nil {
		b = append(append(b, `,"requestState":`...), state...)
	}
	return b, nil
}

// with adds members to parameters, before all others.
func (p params) with(members []byte) params {
	begin := bytes.IndexByte(p.head, '{') + 1
	rest := p.head[begin:]
	head := append([]byte{'{'}, members...)
	if !p.empty || p.inMeta {
		head = append(head, ',')
	}
	p.head = append(head, rest...)
	p.empty = p.empty && p.inMeta
	return p
}
