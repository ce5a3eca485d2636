// Package install adds the server to the configuration files of MCP clients. What else a
// file holds stays as it is, comments included: the text is edited, never written anew,
// and an edit that would change any other value is refused.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Server is what a client is told: a program to start, or where a running server is.
type Server struct {
	// Name is the server's name in the file.
	Name string
	// Command and Args start the server on stdio.
	Command string
	Args    []string
	// URL leads to a running server; then Command and Args are not used.
	URL string
}

// Env is what decides where a client's file is.
type Env struct {
	GOOS   string // as runtime.GOOS
	Home   string // the user's home folder
	Getenv func(string) string
}

// UsageError is a wish that can't be granted whatever the file holds.
type UsageError struct{ Msg string }

func (e *UsageError) Error() string { return e.Msg }

// ForeignError says that the name belongs to another server. Removal says that it was to be
// taken out, not replaced.
type ForeignError struct {
	Path, Name, Other string
	Removal           bool
}

func (e *ForeignError) Error() string {
	if e.Removal {
		return fmt.Sprintf("%s has a server %q that is not this one, %s; --force removes it, --name chooses another name", e.Path, e.Name, e.Other)
	}
	return fmt.Sprintf("%s has a server %q already, %s; --force replaces it, --name chooses another name", e.Path, e.Name, e.Other)
}

// FileError says that a file can't be edited, and where the trouble is.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// member is one member of an entry; value is a string or a []string.
type member struct {
	name  string
	value any
}

// entry gives the members that an entry must have, and the names of those it must not have:
// an entry that starts a program doesn't also lead to an address.
func (c client) entry(s Server) (want []member, drop []string, err error) {
	kind := "stdio"
	if s.URL != "" {
		kind = "http"
		if c.url == "" {
			return nil, nil, &UsageError{c.noURL}
		}
	}
	if c.kinds {
		want = append(want, member{"type", kind})
	}
	if s.URL != "" {
		want = append(want, member{c.url, s.URL})
	} else {
		want = append(want, member{"command", s.Command}, member{"args", s.Args})
	}
	for _, name := range append([]string{"type", "command", "args"}, addresses...) {
		if !slices.ContainsFunc(want, func(m member) bool { return m.name == name }) {
			drop = append(drop, name)
		}
	}
	return want, drop, nil
}

// addresses are the members in which clients keep a server's address.
var addresses = []string{"url", "httpUrl", "serverUrl"}

// foreign says what server an entry leads to, if it isn't this program.
func foreign(has map[string]any) string {
	if command, ok := has["command"].(string); ok {
		base := command[strings.LastIndexAny(command, `/\`)+1:]
		if strings.TrimSuffix(base, ".exe") == "echo-mcp" {
			return ""
		}
		return "which starts " + command
	}
	for _, name := range addresses {
		if address, ok := has[name].(string); ok {
			return "which leads to " + address
		}
	}
	return ""
}

// bom is the byte order mark that some editors put before the text: it stays.
const bom = "\uFEFF"

// edit gives the text of the file with the server in it. Without a change it is the text
// itself.
func (c client) edit(text []byte, path string, s Server, force bool) ([]byte, error) {
	want, drop, err := c.entry(s)
	if err != nil {
		return nil, err
	}
	editor := editJSON
	if c.toml {
		editor = editTOML
	}
	body := bytes.TrimPrefix(text, []byte(bom))
	mark := text[:len(text)-len(body)]
	edited, err := editor(body, c, s.Name, want, drop, func(has map[string]any) error {
		if other := foreign(has); other != "" && !force && !sameAddress(has, want) {
			return &ForeignError{path, s.Name, other, false}
		}
		return nil
	})
	var named *ForeignError
	if err != nil && !errors.As(err, &named) {
		return nil, &FileError{path, err}
	}
	if err != nil {
		return nil, err
	}
	return slices.Concat(mark, edited), nil
}

// sameAddress says whether the entry leads to the address that is wanted.
func sameAddress(has map[string]any, want []member) bool {
	for _, m := range want {
		if slices.Contains(addresses, m.name) {
			return has[m.name] == m.value
		}
	}
	return false
}

// merged is what an entry must hold after the edit.
func merged(has map[string]any, want []member, drop []string) map[string]any {
	out := map[string]any{}
	for name, value := range has {
		if !slices.Contains(drop, name) {
			out[name] = value
		}
	}
	for _, m := range want {
		out[m.name] = m.value
		if list, ok := m.value.([]string); ok {
			items := make([]any, len(list))
			for i, item := range list {
				items[i] = item
			}
			out[m.name] = items
		}
	}
	return out
}

// errUnsafe is returned where an edit would change more than the entry: better none then.
var errUnsafe = errors.New("is written in a way that this command can't edit safely; edit it by hand")
