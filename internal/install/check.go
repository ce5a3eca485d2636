package install

import (
	"fmt"
	"net"
	"net/url"
	"path"
	"regexp"
	"slices"
	"strings"
)

// nameRule holds for every client: they put the server's name before the names of its
// tools, for which models' APIs take these characters, and at most 64 together.
var nameRule = regexp.MustCompile(`^[A-Za-z0-9_-]{1,32}$`)

func checkName(name string) error {
	if !nameRule.MatchString(name) {
		return &UsageError{fmt.Sprintf("--name %q: a name is 1 to 32 letters (a-z, A-Z), digits, - and _, since clients put it before the names of tools", name)}
	}
	return nil
}

// checkReserved refuses a name under which the client keeps settings of its own.
func (c client) checkReserved(name string) error {
	if slices.Contains(c.reserved, name) {
		return &UsageError{fmt.Sprintf("--name %q: %s keeps settings of its own under that name; choose another", name, c.name)}
	}
	return nil
}

// checkURL refuses what is no address, and questions one that looks wrong unless force says
// that it is meant. The answers never repeat an address that may hold a secret.
func checkURL(text string, force bool) (warning string, err error) {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Hostname() == "" {
		return "", &UsageError{"--http: not an http or https address; write one such as http://127.0.0.1:3000/mcp"}
	}
	plain := url.URL{Scheme: u.Scheme, Host: u.Host, Path: u.Path}
	question := func(reason string) error {
		return &UsageError{"--http: " + reason + "; write " + plain.String() + ", or add --force if the address is meant as it is"}
	}
	ends := path.Base(u.Path) == "mcp"
	if !ends {
		plain.Path = strings.TrimRight(u.Path, "/") + "/mcp"
	}
	switch {
	case force:
	case u.User != nil:
		return "", question("the address holds a user name or a password, which would stand readable in the file")
	case u.RawQuery != "" || u.Fragment != "":
		return "", question("the address has a part after ? or #, which this server doesn't need and which may be a secret")
	case !ends:
		return "", question("the address doesn't end in /mcp, where the server answers")
	}
	if ip := net.ParseIP(u.Hostname()); u.Scheme == "http" && u.Hostname() != "localhost" && (ip == nil || !ip.IsLoopback()) {
		warning = "the address begins with http://, so everything sent to " + u.Hostname() + " can be read on the way; use https:// where you can"
	}
	return warning, nil
}
