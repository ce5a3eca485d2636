package transport

import (
	"cmp"
	"crypto/tls"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/oauth"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// Defaults of Options.
const (
	DefaultMaxMessageBytes = wire.DefaultMaxBytes
	DefaultMaxDepth        = jsontape.DefaultMaxDepth
	DefaultDrainTimeout    = 10 * time.Second
	DefaultHeaderTimeout   = 10 * time.Second
	DefaultBodyTimeout     = 10 * time.Second
	DefaultMinBodyRate     = 4 << 10
	DefaultIdleTimeout     = 2 * time.Minute
	DefaultWriteTimeout    = 30 * time.Second
	DefaultLameDuck        = time.Second
	DefaultKeepAlive       = 20 * time.Second
	DefaultMaxInFlight     = 256
	DefaultMaxSessions     = 10_000
	DefaultMaxConnections  = 2048
	DefaultPageSize        = 100
)

// Ceilings of Options: more would not serve anybody and can end the process, by its stack or
// by its memory. More than a ceiling means the ceiling.
const (
	MaxMessageBytesCeiling  = 1 << 30
	MaxDepthCeiling         = wire.MaxDepthCeiling
	MaxInFlightCeiling      = 1 << 16
	MaxInFlightBytesCeiling = 1 << 40
	MaxSessionsCeiling      = 1_000_000
	MaxConnectionsCeiling   = 1 << 20
	MinBodyRateCeiling      = 1 << 30
	PageSizeCeiling         = 100_000
	TimeoutCeiling          = 24 * time.Hour
	LameDuckCeiling         = time.Hour
)

// Options configures a Server. The zero value means the defaults, and no number and no time
// is more than its ceiling.
type Options struct {
	// Info is who the server says it is. The icons are told only where a client asks for them.
	// Without a version that is "dev".
	Info mcp.Implementation
	// Instructions are what initialize tells a model about the server. "" means that there are
	// none.
	Instructions string
	// MaxMessageBytes is how large one message may be: a line on stdio, a body on HTTP. 0
	// means DefaultMaxMessageBytes. The caller of a larger one is told so.
	MaxMessageBytes int
	// MaxDepth is how deep the arrays and objects of a payload may nest. 0 means
	// DefaultMaxDepth.
	MaxDepth int
	// PageSize is how many tools, resources, templates or prompts are on a page of a list. 0 means
	// DefaultPageSize.
	PageSize int
	// Logger gets ids, sizes and outcomes, never a payload, and not more than one record a
	// second with the same message after the first hundred. A handler that blocks blocks
	// requests. nil logs nothing.
	Logger *slog.Logger
	// AllowedOrigins are origins, such as "https://app.example", whose pages may use the
	// HTTP transport. Loopback origins need no entry on a loopback connection, nor does the
	// server's own origin. Empty allows no other origin; "*" allows all.
	AllowedOrigins []string
	// AllowedHosts are names that the Host header may have besides loopback names and IP
	// addresses: "mcp.example", or "mcp.example:8080" for this port only. Empty allows no
	// other; "*" allows all.
	AllowedHosts []string
	// Tokens are the bearer tokens of which every HTTP request must have one. Empty asks
	// for none.
	Tokens []string
	// OAuth makes the HTTP transport a protected resource: every request needs an access token
	// that it accepts, or one of Tokens, and a session belongs to the subject that opened it.
	// nil means that there are no access tokens.
	OAuth *oauth.Resource
	// Insecure lets ListenAndServe listen without Tokens and OAuth where other machines reach it.
	Insecure bool
	// TLS makes the HTTP transport HTTPS. It holds the certificate. nil is plain HTTP.
	TLS *tls.Config
	// Stateless makes the HTTP transport give out no session ids, so that each request may
	// reach another process. Clients can't cancel a request then but by closing it, and get
	// no log messages.
	Stateless bool
	// HeaderTimeout is how long a client may take to send the header of an HTTP request, and
	// for the handshake of TLS, IdleTimeout how long a connection is kept without a request. 0
	// means DefaultHeaderTimeout, DefaultIdleTimeout. Both hold for Serve and ListenAndServe.
	HeaderTimeout, IdleTimeout time.Duration
	// BodyTimeout and MinBodyRate are how fast the body has to come: in each BodyTimeout at
	// least as much as MinBodyRate bytes a second make, or all that is left. A body may take
	// as long as it needs at that pace. 0 means DefaultBodyTimeout and DefaultMinBodyRate.
	BodyTimeout time.Duration
	MinBodyRate int
	// WriteTimeout is how long a client may take to read an answer over HTTP, or each MiB of
	// a long one. 0 means DefaultWriteTimeout.
	WriteTimeout time.Duration
	// MaxInFlight is how many HTTP requests may be dealt with at a time, from when they are
	// there to when their answer is; beyond it the answer is 429. 0 means DefaultMaxInFlight.
	MaxInFlight int
	// MaxConnections is how many connections Serve and ListenAndServe keep at a time. Beyond
	// it one that waits for its client's request makes room for the new one. Half as many
	// streams may be open, eight for each session; beyond it the answer is 429. 0 means
	// DefaultMaxConnections. There are never more than the system lets the process have,
	// see ConnectionLimit.
	MaxConnections int
	// MaxInFlightBytes is how many bytes the messages of these requests may have together, those
	// of at most 64 KiB left out; beyond it the answer to a larger one is 429.
	// 0 means four times MaxMessageBytes; there is always room for the largest message.
	MaxInFlightBytes int64
	// MaxSessions is how many HTTP sessions may be kept; beyond it initialize and the streams
	// of sessions that are not kept are answered 429. Idle sessions are kept for an hour. 0 means
	// DefaultMaxSessions.
	MaxSessions int
	// Inspector serves /inspector and what is below; it sees the whole path. Nobody needs a
	// token for it, as a browser can't send one when it opens a page: it must hold nothing
	// but the page, which then asks for the token. nil means there is none.
	Inspector http.Handler
	// KeepAlive is how long a stream of events is silent until it gets a comment, which keeps
	// clients and proxies from giving it up: proxies close a connection that was silent for 30
	// seconds or a minute, the fetch of Node one after five minutes. 0 means DefaultKeepAlive.
	KeepAlive time.Duration
	// LameDuck is how long an HTTP server that has to stop still takes new connections, while
	// it says at /readyz that it stops and asks its clients to close their connections. 0
	// means DefaultLameDuck, or as long as there are connections if that is less.
	LameDuck time.Duration
	// HandOver says that another server takes this one's place when it ends, for the same clients
	// and perhaps with other lists. The capabilities say that lists change, no answer is fresh for
	// any time, and at the end clients are told to ask again.
	HandOver bool
	// Listening is called by Serve and ListenAndServe with the address. nil is nobody.
	Listening func(net.Addr)
	// DrainTimeout is how long a server that has to stop waits then for the calls under way.
	// 0 means DefaultDrainTimeout.
	DrainTimeout time.Duration
}

// withDefaults puts the defaults in for what is not said.
func (o Options) withDefaults() Options {
	o.Info.Version = cmp.Or(o.Info.Version, "dev")
	for option, values := range map[*int]struct{ otherwise, ceiling int }{
		&o.MaxMessageBytes: {DefaultMaxMessageBytes, MaxMessageBytesCeiling},
		&o.MaxDepth:        {DefaultMaxDepth, MaxDepthCeiling},
		&o.MaxInFlight:     {DefaultMaxInFlight, MaxInFlightCeiling},
		&o.MaxSessions:     {DefaultMaxSessions, MaxSessionsCeiling},
		&o.MaxConnections:  {DefaultMaxConnections, min(MaxConnectionsCeiling, ConnectionLimit())},
		&o.MinBodyRate:     {DefaultMinBodyRate, MinBodyRateCeiling},
		&o.PageSize:        {DefaultPageSize, PageSizeCeiling},
	} {
		if *option <= 0 {
			*option = values.otherwise
		}
		*option = min(*option, values.ceiling)
	}
	if o.MaxInFlightBytes <= 0 {
		o.MaxInFlightBytes = 4 * int64(o.MaxMessageBytes)
	}
	o.MaxInFlightBytes = min(max(o.MaxInFlightBytes, int64(o.MaxMessageBytes)), MaxInFlightBytesCeiling)
	for option, otherwise := range map[*time.Duration]time.Duration{
		&o.DrainTimeout:  DefaultDrainTimeout,
		&o.HeaderTimeout: DefaultHeaderTimeout,
		&o.BodyTimeout:   DefaultBodyTimeout,
		&o.IdleTimeout:   DefaultIdleTimeout,
		&o.WriteTimeout:  DefaultWriteTimeout,
		&o.KeepAlive:     DefaultKeepAlive,
	} {
		if *option <= 0 {
			*option = otherwise
		}
		*option = min(*option, TimeoutCeiling)
	}
	o.LameDuck = min(o.LameDuck, LameDuckCeiling)
	return o
}
