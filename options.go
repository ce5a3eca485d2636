package echomcp

import (
	"cmp"
	"crypto/tls"
	"log/slog"
	"path"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
	"github.com/zenlix/echo-mcp/internal/web"
)

// Options are the options of a server. The zero value is a server with the defaults.
type Options struct {
	// Info is who the server says it is.
	Info Info
	// Instructions are what a client may tell its model about the server. "" means a text that
	// says how to use the tools.
	Instructions string
	// TypedTools adds a tool for every schema that allows nothing but objects; its arguments are
	// the message. By default there are none.
	TypedTools bool
	// KeepJSONStrings refuses a string that its schema refuses, also where its text is JSON that
	// the schema accepts. By default that text is then the payload.
	KeepJSONStrings bool
	// NoText leaves the text block, which repeats the structured content, out of answers that
	// succeed. By default it is there, for clients that don't read structured content.
	NoText bool
	// Limits bound what messages may be and take.
	Limits Limits
	// HTTP is about the HTTP transport.
	HTTP HTTP
	// Logger gets ids, sizes and outcomes, never a payload or a secret. nil logs nothing; for
	// Main it means the log that its flags describe.
	Logger *slog.Logger
}

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
	// token that is empty is no request's.
	// For another way to know who calls, put a handler before Server.Handler.
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

// tools gives the options about tools in the words of package server.
func (o Options) tools() server.Tools {
	return server.Tools{Typed: o.TypedTools, KeepJSONStrings: o.KeepJSONStrings, NoText: o.NoText}
}

// transport gives the other options in the words of package transport.
func (o Options) transport() transport.Options {
	so := transport.Options{
		Info:             o.implementation(),
		Instructions:     o.Instructions,
		Logger:           o.Logger,
		MaxMessageBytes:  o.Limits.MessageBytes,
		MaxDepth:         o.Limits.Depth,
		DrainTimeout:     o.Limits.DrainTimeout,
		Tokens:           o.HTTP.Tokens,
		AllowedHosts:     o.HTTP.AllowedHosts,
		AllowedOrigins:   o.HTTP.AllowedOrigins,
		Insecure:         o.HTTP.Insecure,
		TLS:              o.HTTP.TLS,
		Stateless:        o.HTTP.Stateless,
		MaxInFlight:      o.HTTP.MaxInFlight,
		MaxInFlightBytes: o.HTTP.MaxInFlightBytes,
		MaxSessions:      o.HTTP.MaxSessions,
		MaxConnections:   o.HTTP.MaxConnections,
		HeaderTimeout:    o.HTTP.HeaderTimeout,
		IdleTimeout:      o.HTTP.IdleTimeout,
		WriteTimeout:     o.HTTP.WriteTimeout,
		BodyTimeout:      o.HTTP.BodyTimeout,
		MinBodyRate:      o.HTTP.MinBodyRate,
		LameDuck:         o.HTTP.LameDuck,
	}
	if !o.HTTP.NoInspector {
		so.Inspector = web.Handler(min(cmp.Or(max(o.Limits.MessageBytes, 0), transport.DefaultMaxMessageBytes), transport.MaxMessageBytesCeiling))
	}
	return so
}

// implementation gives Info in the words of the protocol. That of this module's own program is
// up to package server.
func (o Options) implementation() mcp.Implementation {
	name, version, own := program()
	if own && o.Info == (Info{}) {
		return mcp.Implementation{}
	}
	about := mcp.Implementation{
		Name:        cmp.Or(o.Info.Name, name),
		Version:     cmp.Or(o.Info.Version, version),
		Title:       o.Info.Title,
		Description: cmp.Or(o.Info.Description, server.Description),
		WebsiteURL:  o.Info.Website,
	}
	if o.Info.Icon != "" {
		about.Icons = []mcp.Icon{{Src: o.Info.Icon}}
	}
	return about
}

// programName is how people call the program.
func (o Options) programName() string {
	name, _, _ := program()
	return cmp.Or(o.Info.Name, name)
}

// majorVersion is the end of the path of a module from version 2 on.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// program is the name and the version of the running program by what the go command has written
// into it, and whether it is the one of this module.
func program() (name, version string, own bool) {
	const module = "github.com/zenlix/echo-mcp"
	info, ok := debug.ReadBuildInfo()
	if !ok {
		return "echo-mcp", "", false
	}
	pkg := info.Path
	if pkg == "" || pkg == "command-line-arguments" { // of `go run main.go`
		pkg = info.Main.Path
	}
	pkg = strings.TrimSuffix(pkg, ".test")
	if majorVersion.MatchString(path.Base(pkg)) {
		pkg = path.Dir(pkg)
	}
	return path.Base(pkg), info.Main.Version, pkg == module+"/cmd/echo-mcp"
}
