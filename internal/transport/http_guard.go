package transport

import (
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"strings"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// guard keeps web pages that the user happens to visit from using the server: it answers
// 403 where the Host header is a name that this server does not go by (DNS rebinding) or
// the Origin header is a foreign one. Requests without Origin don't come from a page
// (2025-11-25, basic/transports, security warning). Pages that may use the server may also
// read its answers.
type guard struct {
	origins, hosts names
	next           http.Handler
}

// names is a set of lower-case names. "*" in it means all.
type names map[string]struct{}

func newNames(list []string) names {
	n := make(names, len(list))
	for _, name := range list {
		n[strings.ToLower(strings.TrimSuffix(name, "/"))] = struct{}{}
	}
	return n
}

func (n names) has(candidates ...string) bool {
	if _, all := n["*"]; all {
		return true
	}
	for _, c := range candidates {
		if _, ok := n[strings.ToLower(c)]; ok {
			return true
		}
	}
	return false
}

func (g *guard) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	local := onLoopback(r)
	from := g.origin(r, local)
	shareWith(w.Header(), r, from)
	switch {
	case !g.hostAllowed(r.Host, local):
		refuseHTTP(w, http.StatusForbidden, &wire.Refusal{
			Code: wire.CodeInvalidRequest, ID: []byte("null"),
			Message: "the Host header names a host that this server does not answer for; its operator can allow it",
		})
	case from == foreignOrigin:
		refuseHTTP(w, http.StatusForbidden, &wire.Refusal{
			Code: wire.CodeInvalidRequest, ID: []byte("null"),
			Message: "pages of this origin may not use this server; its operator can allow them",
		})
	case isPreflight(r):
		allowRequest(w, r)
	default:
		g.next.ServeHTTP(w, r)
	}
}

// hostAllowed reports whether a Host header may reach the server. A rebound name is a
// name, never an address, so addresses are foreign only on loopback, where nobody has a
// reason to send another.
func (g *guard) hostAllowed(host string, local bool) bool {
	name := hostName(host)
	if isLoopback(name) || g.hosts.has(host, name) {
		return true
	}
	_, err := netip.ParseAddr(name)
	return err == nil && !local
}

// origin is what a request's Origin header says about where it comes from.
type origin uint8

const (
	foreignOrigin origin = iota
	noOrigin             // no page
	ownOrigin            // a page of this server
	allowedOrigin        // a page of an origin in the list, or on loopback any that the machine serves itself
)

func (g *guard) origin(r *http.Request, local bool) origin {
	origins := r.Header.Values("Origin")
	switch {
	case len(origins) == 0:
		return noOrigin
	case len(origins) > 1:
		return foreignOrigin
	case g.origins.has(origins[0]):
		return allowedOrigin
	}
	u, err := url.Parse(origins[0])
	switch {
	case err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https":
		return foreignOrigin
	case strings.EqualFold(u.Host, r.Host):
		return ownOrigin
	case local && isLoopback(u.Hostname()):
		return allowedOrigin
	}
	return foreignOrigin
}

// onLoopback reports whether the request came over a loopback connection. Where that
// can't be told it is taken to be one, for which the rules are stricter.
func onLoopback(r *http.Request) bool {
	addr, ok := r.Context().Value(http.LocalAddrContextKey).(*net.TCPAddr)
	return !ok || addr.IP.IsLoopback()
}

// hostName is the host without port, brackets and final dot.
func hostName(hostPort string) string {
	host, _, err := net.SplitHostPort(hostPort)
	if err != nil {
		host = strings.TrimSuffix(strings.TrimPrefix(hostPort, "["), "]")
	}
	return strings.TrimSuffix(host, ".")
}

func isLoopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(host)
	return err == nil && ip.Unmap().IsLoopback()
}

// refuseHTTP answers with a JSON-RPC error.
func refuseHTTP(w http.ResponseWriter, status int, r *wire.Refusal) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	// If the client is gone, nobody is left to tell.
	_, _ = w.Write(r.AppendTo(nil))
}
