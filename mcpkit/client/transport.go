package client

import (
	"context"
	"errors"
)

// Transport carries the messages of one session. Each is one JSON-RPC message, without a line
// break at its end. A Transport serves one session.
//
// One whose requests stand alone, so that a request which the server does not know harms nothing
// but itself (an HTTP request does, a line of stdio does not), has a method Independent() bool that
// says so. [Connect] then asks for the stateless protocol first.
type Transport interface {
	// Open starts it. ctx bounds the start only. The functions of h may be called from any
	// goroutine, also at the same time, until Close returns. They do not block for long.
	Open(ctx context.Context, h Handler) error
	// Send sends one message. It returns when the message is on its way, or as late as when the
	// answer to a request was handed to Handler.Receive; an error says that no answer will come.
	// It is called from many goroutines at the same time, and returns soon after ctx or the
	// Transport has ended. ctx bounds the wait for the answer too.
	Send(ctx context.Context, m Outgoing) error
	// Close ends it, and whatever it started; no function of the Handler runs when it returns. A
	// second call does nothing.
	Close() error
}

// Handler is what a [Transport] gives its news to.
type Handler struct {
	// Receive gets each message of the server. The bytes are the callee's to keep.
	Receive func(message []byte)
	// Lost says that nothing more will come, and why: an error with the exit status and the tail of
	// stderr, say. Nil means that the server has ended the connection in good order.
	Lost func(error)
	// Stray gets what is no message: noise on stdout and the like.
	Stray func(error)
	// MaxMessageBytes is how large a message may be. A Transport stops to read one that is larger,
	// and says so by Lost, or by the error of Send if it knows what the message answers.
	MaxMessageBytes int
}

// Outgoing is a message to send, with what a transport may have to say about it outside of it: the
// headers Mcp-Method, Mcp-Name and MCP-Protocol-Version of streamable HTTP.
type Outgoing struct {
	// Message is the JSON text. The session does not touch it again, so a Transport may append to it
	// in place.
	Message []byte
	// ID is the text of the request's id, "" for a notification or an answer.
	ID string
	// Method is the method, "" for an answer.
	Method string
	// Name is what the request is about, where the protocol has a header for it: the tool, the
	// prompt, the URI of the resource. Else "".
	Name string
	// Version is the protocol version of the session, "" until it is agreed on.
	Version string
}

// ErrSessionLost is what Transport.Send wraps where the server no longer knows the session (HTTP
// status 404). The session is then initialised once more, and the request sent again.
var ErrSessionLost = errors.New("the server no longer knows the session")
