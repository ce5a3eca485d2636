package client

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
)

// Call is a message that a [Fake] server got.
type Call struct {
	// Context ends with the transport.
	Context context.Context
	Method  string
	Params  json.RawMessage // nil for none
	// ID is the text of the request's id, "" for a notification.
	ID string
	// Message is the whole message as it was sent.
	Message json.RawMessage
	// Send sends a message to the client before the answer: a notification, a request, or any bytes
	// that a bad server might send.
	Send func(message []byte)
	// Lose ends the connection, as a server does that ends; the error is what Handler.Lost gets.
	Lose func(error)
}

// ErrNoReply is what the function of a [Fake] returns for a request that it leaves unanswered.
var ErrNoReply = errors.New("no reply")

// Fake is a transport to a server that is a function, for tests. It is called for each message that
// the client sends, each time in a goroutine of its own for a request, and returns the result, or an
// error: an *[Error] is the answer with that code, [ErrNoReply] leaves the request unanswered,
// [ErrSessionLost] refuses to take it, any other error is answered with the code of an internal
// error. What it returns for a notification is not looked at.
//
// Nil and no error means the ordinary answer: initialize is agreed to, with the version that the
// client asks for and with tools, resources and prompts on offer; ping is {}; other methods are not
// found.
func Fake(answer func(Call) (json.RawMessage, error)) Transport {
	f := &fake{answer: answer}
	f.ctx, f.cancel = context.WithCancel(context.Background())
	return f
}

type fake struct {
	answer  func(Call) (json.RawMessage, error)
	handler Handler
	ctx     context.Context
	cancel  context.CancelFunc

	mu      sync.Mutex
	closed  bool
	running sync.WaitGroup
}

func (f *fake) Open(_ context.Context, h Handler) error {
	f.handler = h
	return nil
}

func (f *fake) Send(ctx context.Context, m Outgoing) error {
	f.mu.Lock()
	if f.closed {
		f.mu.Unlock()
		return ErrClosed
	}
	f.running.Add(1)
	f.mu.Unlock()
	defer f.running.Done()

	in, err := readMessage(m.Message)
	if err != nil {
		return err
	}
	call := Call{
		Context: f.ctx, Method: m.Method, Params: in.bytes(in.params), ID: m.ID, Message: m.Message,
		Send: f.handler.Receive, Lose: f.handler.Lost,
	}
	in.release()
	result, err := f.answer(call)
	switch {
	case errors.Is(err, ErrSessionLost):
		return err
	case m.ID == "", errors.Is(err, ErrNoReply):
		return nil
	case result == nil && err == nil:
		result, err = ordinary(call)
	}
	var failure *Error
	if err != nil && !errors.As(err, &failure) {
		failure = &Error{Code: -32603, Message: err.Error()}
	}
	if f.ctx.Err() == nil {
		f.handler.Receive(encodeAnswer([]byte(m.ID), result, failure))
	}
	return nil
}

// ordinary is what a server answers that is not told otherwise.
func ordinary(call Call) (json.RawMessage, error) {
	switch call.Method {
	case "initialize":
		var asked struct {
			ProtocolVersion string `json:"protocolVersion"`
		}
		if err := json.Unmarshal(call.Params, &asked); err != nil {
			return nil, err
		}
		return json.RawMessage(`{"protocolVersion":"` + asked.ProtocolVersion + `","capabilities":{"tools":{},"resources":{},"prompts":{}},"serverInfo":{"name":"fake","version":"0"}}`), nil
	case "ping":
		return json.RawMessage(`{}`), nil
	}
	return nil, &Error{Code: -32601, Message: "Method not found: " + call.Method}
}

func (f *fake) Close() error {
	f.mu.Lock()
	f.closed = true
	f.mu.Unlock()
	f.cancel()
	f.running.Wait()
	return nil
}
