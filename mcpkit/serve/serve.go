// Package serve has the options that all servers of this module share, those over schemas
// (package echomcp) and those of tools (package toolkit): who they are, their limits, HTTP.
package serve

import (
	"crypto/tls"
	"time"
)

// Info is who a server says it is.
type Info struct {
	// Name is the name for programs. "" means the last element of the path of the program's main
	// package. Main takes it for the name by which people run the program, too.
	Name string
	// Title is the name for people. "" means that there is none.
	Title string
	// Version of the server. "" means that of the program's main module.
	Version string
	// Description says in a sentence what the server is for. "" means a sentence about echoing.
	Description string
	// Website is the URL of a page about the server. "" means that there is none.
	Website string
	// Icon is the URI of an image (https: or data:). "" means that there is none.
	Icon string
}

// Limits bound what one message may be. A number that is not positive means the default, one
// beyond the ceiling the ceiling.
type Limits struct {
	// MessageBytes is how large a message may be: a line on stdio, a body over HTTP. The default
	// is 16 MiB, the ceiling 1 GiB.
	MessageBytes int
	// Depth is how deep arrays and objects of a payload may nest. The default is 10,000, the
	// ceiling 100,000.
	Depth int
	// DrainTimeout is how long a server that stops waits for requests under way. The default is
	// 10 s, the ceiling 24 h.
	DrainTimeout time.Duration
}

// HTTP are the options of the HTTP transport. A number that is not positive means the default.
type HTTP struct {
	// Tokens are the bearer tokens of which every request must have one. Empty asks for none; a
	// token that is empty is no request's. For another way to know who calls, put a handler before
	// Server.Handler.
	Tokens []string
	// AllowedHosts are names that the Host header may have besides loopback names and IP
	// addresses. Empty allows no other; "*" allows all.
	AllowedHosts []string
	// AllowedOrigins are origins, such as "https://app.example", whose pages may use the server.
	// Loopback origins on a loopback connection and the server's own need no entry. Empty allows
	// no other; "*" allows all.
	AllowedOrigins []string
	// Insecure lets ListenAndServe listen without Tokens where other machines reach it.
	Insecure bool
	// TLS makes Serve and ListenAndServe speak HTTPS. It holds the certificate. nil is plain HTTP.
	TLS *tls.Config
	// Stateless keeps no sessions, so that each request may reach another process.
	Stateless bool
	// NoInspector leaves out the page at /inspector.
	NoInspector bool
	// MaxInFlight is how many requests are answered at a time, 256 by default, and
	// MaxInFlightBytes how many bytes they may have together, by default four times
	// Limits.MessageBytes. Over a limit the server answers 429 with Retry-After.
	MaxInFlight      int
	MaxInFlightBytes int64
	// MaxSessions is how many sessions are kept, 10,000 by default.
	MaxSessions int
	// MaxConnections is how many connections Serve keeps, 2,048 by default. Beyond it one that
	// waits for its client gives way to a new one.
	MaxConnections int
	// HeaderTimeout, IdleTimeout and WriteTimeout are how long a client may take to send the
	// header of a request (10 s by default), keep a connection without a request (2 min), and
	// read an answer or each MiB of a long one (30 s).
	HeaderTimeout, IdleTimeout, WriteTimeout time.Duration
	// BodyTimeout and MinBodyRate are how fast a body has to come: in each BodyTimeout (10 s by
	// default) as much as MinBodyRate bytes a second make (4 KiB), or all that is left.
	BodyTimeout time.Duration
	MinBodyRate int
	// LameDuck is how long a server that stops still takes new connections. The default is 1 s,
	// or less where nobody is connected.
	LameDuck time.Duration
}
