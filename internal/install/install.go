// Package install adds the server to the configuration files of MCP clients. What else a
// file holds stays as it is, comments included: the text is edited, never written anew,
// and an edit that would change any other value is refused.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
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

// client is one MCP client: where its file is and what an entry looks like there.
type client struct {
	name string
	path func(Env) string
	// toml says that the file is TOML; else it is JSON, with comments and commas before
	// closing brackets where lax is set.
	toml, lax bool
	// section is the member of the file's root that holds the servers by name.
	section string
	// kinds says that an entry names its transport in "type".
	kinds bool
	// url is the member for the server's address. Without it the client only starts
	// servers, and noURL says what to do instead.
	url, noURL string
}

var clients = []client{
	{name: "claude-code", path: claudeCode, section: "mcpServers", kinds: true, url: "url"},
	{
		name: "claude-desktop", path: inConfig("Claude", "claude_desktop_config.json"), section: "mcpServers",
		noURL: "Claude Desktop's file only names servers that it starts; add the address under Settings, Connectors",
	},
	{name: "cursor", path: inHome(".cursor", "mcp.json"), lax: true, section: "mcpServers", url: "url"},
	{name: "vscode", path: inConfig("Code", "User", "mcp.json"), lax: true, section: "servers", kinds: true, url: "url"},
	{name: "codex", path: codex, toml: true, section: "mcp_servers", url: "url"},
	{name: "gemini", path: inHome(".gemini", "settings.json"), lax: true, section: "mcpServers", url: "httpUrl"},
}

// Clients are the names of the clients that are known.
func Clients() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

func inHome(elements ...string) func(Env) string {
	return func(e Env) string { return filepath.Join(append([]string{e.Home}, elements...)...) }
}

// inConfig is below the folder in which the system keeps the settings of applications.
func inConfig(elements ...string) func(Env) string {
	return func(e Env) string {
		var base string
		switch e.GOOS {
		case "darwin":
			base = filepath.Join(e.Home, "Library", "Application Support")
		case "windows":
			base = e.Getenv("APPDATA")
			if base == "" {
				base = filepath.Join(e.Home, "AppData", "Roaming")
			}
		default:
			base = e.Getenv("XDG_CONFIG_HOME")
			if !filepath.IsAbs(base) { // the XDG specification: others are to be ignored
				base = filepath.Join(e.Home, ".config")
			}
		}
		return filepath.Join(append([]string{base}, elements...)...)
	}
}

func claudeCode(e Env) string {
	if dir := e.Getenv("CLAUDE_CONFIG_DIR"); dir != "" {
		return filepath.Join(dir, ".claude.json")
	}
	return filepath.Join(e.Home, ".claude.json")
}

func codex(e Env) string {
	if dir := e.Getenv("CODEX_HOME"); dir != "" {
		return filepath.Join(dir, "config.toml")
	}
	return filepath.Join(e.Home, ".codex", "config.toml")
}

// UsageError is a wish that can't be granted whatever the file holds.
type UsageError struct{ Msg string }

func (e *UsageError) Error() string { return e.Msg }

// ForeignError says that the name belongs to another server already.
type ForeignError struct{ Path, Name, Other string }

func (e *ForeignError) Error() string {
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
		if err := checkURL(s.URL); err != nil {
			return nil, nil, err
		}
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
	for _, name := range []string{"type", "command", "args", "url", "httpUrl"} {
		if !slices.ContainsFunc(want, func(m member) bool { return m.name == name }) {
			drop = append(drop, name)
		}
	}
	return want, drop, nil
}

func checkURL(text string) error {
	u, err := url.Parse(text)
	if err != nil || (u.Scheme != "http" && u.Scheme != "https") || u.Host == "" {
		return &UsageError{fmt.Sprintf("--http: %q is no http or https address", text)}
	}
	return nil
}

// foreign says what server an entry leads to, if it isn't this program.
func foreign(has map[string]any) string {
	if command, ok := has["command"].(string); ok {
		base := command[strings.LastIndexAny(command, `/\`)+1:]
		if strings.TrimSuffix(base, ".exe") == "echo-mcp" {
			return ""
		}
		return "which starts " + command
	}
	for _, name := range []string{"url", "httpUrl"} {
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
			return &ForeignError{path, s.Name, other}
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
		if m.name == "url" || m.name == "httpUrl" {
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
var errUnsafe = errors.New("is written in a way that this command can't edit safely; print the entry with --print for an empty file and add it by hand")
