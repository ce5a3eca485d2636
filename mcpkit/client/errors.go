package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Errors of a session.
var (
	// ErrClosed means that the session was closed.
	ErrClosed = errors.New("the session is closed")
	// ErrLost means that the connection to the server has ended. The error that wraps it wraps the
	// transport's reason too.
	ErrLost = errors.New("the connection to the server has ended")
	// ErrNotHandled is what Options.OnRequest returns for a method that it does not know.
	ErrNotHandled = errors.New("the client does not have this method")
)

// Error says that the server has rejected a request: the error of a JSON-RPC reply. A tool that was
// called and has failed is none, see Result.IsError.
type Error struct {
	// Code is the code: -32601 for a method that the server does not have, -32602 for wrong
	// parameters and unknown tools, and others. It is 0 where the server sent no integer.
	Code int
	// Message is the server's text.
	Message string
	// Data is what the server has added, as it came; nil for nothing.
	Data json.RawMessage
	// Method is the method of the request, "" where the reply does not say what it is about.
	Method string
}

func (e *Error) Error() string {
	message := fmt.Sprintf("error %d: %s", e.Code, e.Message)
	if e.Method == "" {
		return message
	}
	return e.Method + ": " + message
}

// TimeoutError says that no answer came in time. It is context.DeadlineExceeded to errors.Is.
type TimeoutError struct {
	// Method and Name say which request: Name is the tool, the prompt or the URI, or "".
	Method, Name string
	// Limit is how long the request waited.
	Limit time.Duration
	// Stray is the last thing that came meanwhile and was no answer, or nil. It often tells why.
	Stray error
}

func (e *TimeoutError) Error() string {
	text := fmt.Sprintf("%s: no reply within %s", what(e.Method, e.Name), e.Limit)
	if e.Stray != nil {
		text += "; meanwhile: " + e.Stray.Error()
	}
	return text
}

func (e *TimeoutError) Unwrap() []error {
	if e.Stray == nil {
		return []error{context.DeadlineExceeded}
	}
	return []error{context.DeadlineExceeded, e.Stray}
}

// ProtocolError says that a reply is not what the protocol asks for.
type ProtocolError struct {
	// Method is the method of the request.
	Method string
	// Reason says what is wrong with the reply.
	Reason string
}

func (e *ProtocolError) Error() string {
	return e.Method + ": the server's reply breaks the protocol: " + e.Reason
}

// PageError says that a list does not end: the server repeats a cursor, or has more pages than
// Options.MaxPages.
type PageError struct {
	Method string // such as "tools/list"
	Cursor string // the cursor that was not followed
	Pages  int    // how many pages were read
	// Repeated says that the cursor came before; else the list has too many pages.
	Repeated bool
}

func (e *PageError) Error() string {
	if e.Repeated {
		return fmt.Sprintf("%s: after %d pages the server repeats the cursor %s, so its list never ends", e.Method, e.Pages, excerpt([]byte(e.Cursor)))
	}
	return fmt.Sprintf("%s: the list has more than %d pages; the next would be at the cursor %s", e.Method, e.Pages, excerpt([]byte(e.Cursor)))
}

// InputError says that what the caller gave can't be sent. Nothing was sent.
type InputError struct {
	// Method is the method of the request.
	Method string
	// Err says what is wrong; it is a *jsontape.SyntaxError for a text that is not JSON.
	Err error
}

func (e *InputError) Error() string { return e.Method + ": nothing was sent: " + e.Err.Error() }

func (e *InputError) Unwrap() error { return e.Err }

// VersionError says that client and server have no version of the protocol in common.
type VersionError struct {
	Server []string // what the server speaks, as far as it has told
	Client []string // what the client speaks
	Wanted string   // what Options.Protocol asks for, or ""
}

func (e *VersionError) Error() string {
	server := strings.Join(e.Server, ", ")
	switch {
	case e.Wanted != "" && !slices.Contains(e.Client, e.Wanted):
		return fmt.Sprintf("this client does not speak version %q of MCP, only %s", e.Wanted, strings.Join(e.Client, ", "))
	case e.Wanted != "" && server == "":
		return fmt.Sprintf("the server does not speak version %s of MCP", e.Wanted)
	case e.Wanted != "":
		return fmt.Sprintf("the server does not speak version %s of MCP, but %s", e.Wanted, server)
	}
	return fmt.Sprintf("the server speaks version %s of MCP, this client only %s", server, strings.Join(e.Client, ", "))
}

// StrayError tells of a message that belongs to nothing.
type StrayError struct {
	// Reason says why.
	Reason string
	// Message is the message as it came.
	Message []byte
}

func (e *StrayError) Error() string { return e.Reason + ": " + excerpt(e.Message) }

// what names a request.
func what(method, name string) string {
	if name == "" {
		return method
	}
	return method + " " + excerpt([]byte(name))
}

// excerpt shows the beginning of a text that came from elsewhere, quoted.
func excerpt(b []byte) string {
	const most = 200
	if len(b) <= most {
		return fmt.Sprintf("%q", b)
	}
	return fmt.Sprintf("%q and %d bytes more", b[:most], len(b)-most)
}
