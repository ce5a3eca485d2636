package transport

import (
	"cmp"
	"path"
	"regexp"
	"runtime/debug"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/mcpkit/serve"
)

// NewOptions gives the options that all servers of this module share in the words of this
// package.
func NewOptions(info serve.Info, limits serve.Limits, http serve.HTTP) Options {
	name, version, _ := Program()
	o := Options{
		Info: mcp.Implementation{
			Name:        cmp.Or(info.Name, name),
			Version:     cmp.Or(info.Version, version),
			Title:       info.Title,
			Description: info.Description,
			WebsiteURL:  info.Website,
		},
		MaxMessageBytes:  limits.MessageBytes,
		MaxDepth:         limits.Depth,
		DrainTimeout:     limits.DrainTimeout,
		Tokens:           http.Tokens,
		AllowedHosts:     http.AllowedHosts,
		AllowedOrigins:   http.AllowedOrigins,
		Insecure:         http.Insecure,
		TLS:              http.TLS,
		Stateless:        http.Stateless,
		MaxInFlight:      http.MaxInFlight,
		MaxInFlightBytes: http.MaxInFlightBytes,
		MaxSessions:      http.MaxSessions,
		MaxConnections:   http.MaxConnections,
		HeaderTimeout:    http.HeaderTimeout,
		IdleTimeout:      http.IdleTimeout,
		WriteTimeout:     http.WriteTimeout,
		BodyTimeout:      http.BodyTimeout,
		MinBodyRate:      http.MinBodyRate,
		LameDuck:         http.LameDuck,
	}
	if info.Icon != "" {
		o.Info.Icons = []mcp.Icon{{Src: info.Icon}}
	}
	return o
}

// majorVersion is the end of the path of a module from version 2 on.
var majorVersion = regexp.MustCompile(`^v[0-9]+$`)

// Program is the name and the version of the running program by what the go command has written
// into it, and whether it is the one of this module.
func Program() (name, version string, own bool) {
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
