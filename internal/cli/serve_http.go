package cli

import (
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/url"
	"os"
	"strconv"
	"strings"

	"github.com/spf13/pflag"

	"github.com/zenlix/echo-mcp/internal/transport"
)

// httpFlags are the flags that mean nothing on stdio.
var httpFlags = []string{
	"stateless", "auth-token-file", "auth-resource-metadata", "auth-introspection-client", "tls-cert", "tls-key", "insecure", "allowed-origin", "allowed-host",
	"max-in-flight", "max-in-flight-bytes", "max-sessions", "header-timeout", "body-timeout", "idle-timeout",
	"max-connections", "min-body-rate", "lame-duck",
}

// applyHTTP turns the flags about HTTP into options. The error is one of usage.
func (f *serveFlags) applyHTTP(o *transport.Options, given *pflag.FlagSet) error {
	var err error
	if f.addr, err = withPort(f.addr, os.Getenv("PORT")); err != nil {
		return fmt.Errorf("--http: %w", err)
	}
	for _, origin := range o.AllowedOrigins {
		if !isOrigin(origin) {
			return fmt.Errorf("--allowed-origin %s: an origin is a scheme, a host and perhaps a port, such as https://app.example, or * for any", origin)
		}
	}
	for _, host := range o.AllowedHosts {
		if !isHost(host) {
			return fmt.Errorf("--allowed-host %s: it must be a name, such as mcp.example, perhaps with a port, or * for any", host)
		}
	}
	if given.Changed("auth-token-file") {
		if o.Tokens, err = readTokens(f.tokenFile); err != nil {
			return fmt.Errorf("--auth-token-file: %w", err)
		}
	}
	if err := f.oauth.first(given); err != nil {
		return err
	}
	if given.Changed("tls-cert") || given.Changed("tls-key") {
		if f.tlsCert == "" || f.tlsKey == "" {
			return errors.New("--tls-cert and --tls-key go together")
		}
		f.certificate = &certificate{certFile: f.tlsCert, keyFile: f.tlsKey}
		if err := f.certificate.load(); err != nil {
			return fmt.Errorf("--tls-cert: %w", err)
		}
		o.TLS = &tls.Config{GetCertificate: f.certificate.get, MinVersion: tls.VersionTLS12}
	}
	if most := transport.ConnectionLimit(); given.Changed("max-connections") && o.MaxConnections > most {
		return fmt.Errorf("--max-connections %d: the system lets this process have no more than %d (ulimit -n, LimitNOFILE=)", o.MaxConnections, most)
	}
	if given.Changed("lame-duck") {
		return checkLimits(given, map[string]int64{"lame-duck": int64(transport.LameDuckCeiling)})
	}
	return nil
}

// isOrigin reports whether a browser can send this as Origin (RFC 6454, section 6.2), but
// for "null", which is what all pages without an origin send. A final slash is overlooked.
func isOrigin(s string) bool {
	if s == "*" {
		return true
	}
	u, err := url.Parse(strings.TrimSuffix(s, "/"))
	return err == nil && u.Scheme != "" && u.Host != "" && *u == url.URL{Scheme: u.Scheme, Host: u.Host}
}

// isHost reports whether this can stand in a Host header.
func isHost(s string) bool {
	u, err := url.Parse("//" + s)
	return err == nil && s != "" && *u == url.URL{Host: s}
}

// defaultPort is the port where neither the address nor the environment has one.
const defaultPort = "3000"

// withPort completes an address that has no port, or an empty one: with the port given,
// else the default.
func withPort(addr, port string) (string, error) {
	if port == "" {
		port = defaultPort
	}
	host, given, err := net.SplitHostPort(addr)
	switch {
	case err == nil && given != "":
		return addr, checkPort(given)
	case err == nil:
		return net.JoinHostPort(host, port), checkPort(port)
	}
	if _, err := strconv.ParseUint(addr, 10, 16); err == nil {
		return net.JoinHostPort("", addr), nil // a port alone
	}
	// Without a port: a name, an IPv4 address, or an IPv6 address with or without brackets.
	bare := strings.TrimSuffix(strings.TrimPrefix(addr, "["), "]")
	if strings.Contains(bare, ":") && net.ParseIP(bare) == nil {
		return "", err
	}
	return net.JoinHostPort(bare, port), checkPort(port)
}

func checkPort(port string) error {
	if _, err := net.LookupPort("tcp", port); err != nil { //nolint:noctx // looks into a file
		return fmt.Errorf("%q is no port", port)
	}
	return nil
}
