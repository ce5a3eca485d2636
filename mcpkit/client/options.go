package client

import (
	"cmp"
	"context"
	"encoding/json"
	"runtime/debug"
	"time"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Defaults of [Options].
const (
	// DefaultTimeout is how long a request waits for its answer.
	DefaultTimeout = 30 * time.Second
	// DefaultMaxPages is how many pages a list may have.
	DefaultMaxPages = 1000
	// DefaultMaxMessageBytes is how large a message of the server may be: 256 MiB.
	DefaultMaxMessageBytes = 256 << 20
)

// Options says how a session behaves. The zero value means the defaults.
//
// The functions are called by the goroutine that reads from the server, in the order in which things
// arrive, over HTTP also at the same time. They must not wait for the session, nor close it: what
// takes long belongs into a goroutine. OnRequest has one of its own.
type Options struct {
	// Name, Title and Version introduce the client to the server. Without a name they are the path
	// and the version of the program's main module.
	Name, Title, Version string
	// Timeout bounds each request whose context has no nearer deadline. 0 means DefaultTimeout, and
	// a negative one no limit.
	Timeout time.Duration
	// MaxPages is how many pages a list may have: more are a *PageError. 0 means DefaultMaxPages.
	MaxPages int
	// MaxMessageBytes is how large a message of the server may be. A larger one ends the session. 0
	// means DefaultMaxMessageBytes.
	MaxMessageBytes int
	// Protocol is the protocol version to speak, one of Versions. A server that does not speak it is
	// a *VersionError. "" means the newest that both know, see Connect.
	Protocol string
	// Roots are the folders that the client offers to the server. Nil offers none: roots/list is then
	// refused, as all methods that the client does not have.
	Roots []Root
	// Capabilities is what the client offers, a JSON object, where OnRequest answers more than
	// roots/list: {"sampling":{}}. Nil means roots, if there are any.
	Capabilities json.RawMessage
	// OnNotification gets the notifications of the server; params is nil where there are none. Nil
	// drops them.
	OnNotification func(method string, params json.RawMessage)
	// OnStray gets what belongs to nothing: a reply that no request waits for, noise on stdout, a
	// request of the server that was refused. It is a *StrayError, a *Error for an error reply
	// without an id, or an error of the transport. Nil drops them.
	OnStray func(error)
	// OnRequest answers the requests of the server other than ping, and roots/list where there are
	// Roots. A *Error is sent as it is, ErrNotHandled as "method not found", any other error with
	// the code of an internal error. ctx ends with the session. Nil handles none.
	OnRequest func(ctx context.Context, method string, params json.RawMessage) (json.RawMessage, error)
}

// Root is a folder that a client offers to servers.
type Root struct {
	URI  string `json:"uri"` // begins with file://
	Name string `json:"name,omitempty"`
}

// withDefaults fills in what is not said.
func (o Options) withDefaults() Options {
	if o.Name == "" {
		o.Name = "mcp-client"
		if info, ok := debug.ReadBuildInfo(); ok && info.Main.Path != "" {
			o.Name = info.Main.Path
			o.Version = cmp.Or(o.Version, info.Main.Version)
		}
	}
	o.Version = cmp.Or(o.Version, "0")
	o.Timeout = cmp.Or(o.Timeout, DefaultTimeout)
	o.MaxPages = cmp.Or(o.MaxPages, DefaultMaxPages)
	o.MaxMessageBytes = cmp.Or(o.MaxMessageBytes, DefaultMaxMessageBytes)
	if o.Capabilities == nil {
		o.Capabilities = json.RawMessage(`{}`)
		if o.Roots != nil {
			o.Capabilities = json.RawMessage(`{"roots":{}}`)
		}
	}
	return o
}

// clientInfo is the client as the protocol introduces it.
func (o Options) clientInfo() []byte {
	b := jsontape.AppendQuoted([]byte(`{"name":`), o.Name)
	if o.Title != "" {
		b = jsontape.AppendQuoted(append(b, `,"title":`...), o.Title)
	}
	return append(jsontape.AppendQuoted(append(b, `,"version":`...), o.Version), '}')
}
