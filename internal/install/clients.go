package install

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
)

// client is one MCP client: where its file is and what an entry looks like there.
type client struct {
	name string
	path func(Env) string
	// project is the file in a project's folder, with slashes; "" where there is none.
	project string
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

// clients are those whose documentation names one file for servers. OpenCode is not among
// them: its version 1 reads servers in "mcp" and version 2 in "mcp"."servers", from the same
// file (https://opencode.ai/docs/mcp-servers).
var clients = []client{
	{name: "claude-code", path: claudeCode, project: ".mcp.json", section: "mcpServers", kinds: true, url: "url"},
	{
		name: "claude-desktop", path: inConfig("Claude", "claude_desktop_config.json"), section: "mcpServers",
		noURL: "Claude Desktop's file only names servers that it starts; add the address under Settings, Connectors",
	},
	{name: "cursor", path: inHome(".cursor", "mcp.json"), project: ".cursor/mcp.json", lax: true, section: "mcpServers", url: "url"},
	{name: "vscode", path: inConfig("Code", "User", "mcp.json"), project: ".vscode/mcp.json", lax: true, section: "servers", kinds: true, url: "url"},
	{name: "vscode-insiders", path: inConfig("Code - Insiders", "User", "mcp.json"), project: ".vscode/mcp.json", lax: true, section: "servers", kinds: true, url: "url"},
	{name: "codex", path: codex, toml: true, section: "mcp_servers", url: "url"},
	{name: "gemini", path: inHome(".gemini", "settings.json"), project: ".gemini/settings.json", lax: true, section: "mcpServers", url: "httpUrl"},
	// https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp
	{name: "qwen", path: inHome(".qwen", "settings.json"), project: ".qwen/settings.json", lax: true, section: "mcpServers", url: "httpUrl"},
	// https://moonshotai.github.io/kimi-cli/en/customization/mcp.html
	{name: "kimi", path: inHome(".kimi", "mcp.json"), section: "mcpServers", url: "url"},
	// https://docs.windsurf.com/windsurf/cascade/mcp
	{name: "windsurf", path: inHome(".codeium", "windsurf", "mcp_config.json"), section: "mcpServers", url: "serverUrl"},
	// https://zed.dev/docs/ai/mcp and https://zed.dev/docs/configuring-zed
	{name: "zed", path: zed, lax: true, section: "context_servers", url: "url"},
}

// Clients are the names of the clients that are known.
func Clients() []string {
	var names []string
	for _, c := range clients {
		names = append(names, c.name)
	}
	return names
}

// find gives the client of a name, or a *UsageError that lists all and guesses.
func find(name string, env Env) (client, error) {
	for _, c := range clients {
		if c.name == name {
			return c, nil
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "unknown client %q", name)
	if guesses := nearest(name); len(guesses) > 0 {
		fmt.Fprintf(&b, "; did you mean %s?", strings.Join(guesses, " or "))
	}
	b.WriteString("\n" + List(env))
	return client{}, &UsageError{strings.TrimRight(b.String(), "\n")}
}

// nearest gives the clients that a wrong name may have meant: those that it is a
// part of, else those that differ by at most two letters, whatever its case and hyphens.
func nearest(name string) []string {
	bare := func(s string) string {
		return strings.NewReplacer("-", "", "_", "", " ", "").Replace(strings.ToLower(s))
	}
	wrong := bare(name)
	if len(wrong) < 3 {
		return nil
	}
	var exact, part, typo []string
	for _, c := range clients {
		right := bare(c.name)
		switch {
		case wrong == right:
			exact = append(exact, c.name)
		case strings.HasPrefix(right, wrong), strings.HasSuffix(right, wrong), strings.HasPrefix(wrong, right):
			part = append(part, c.name)
		default:
			if _, ok := near.Misspelling(wrong, right); ok {
				typo = append(typo, c.name)
			}
		}
	}
	for _, guesses := range [][]string{exact, part, typo} {
		if len(guesses) > 0 {
			return guesses
		}
	}
	return nil
}

// List is a line for each client with the file that holds its servers.
func List(env Env) string {
	var b strings.Builder
	b.WriteString("clients and their files:\n")
	for _, c := range clients {
		path := c.path(env)
		if rest, err := filepath.Rel(env.Home, path); env.Home != "" && err == nil && filepath.IsLocal(rest) {
			path = filepath.Join("~", rest)
		}
		fmt.Fprintf(&b, "  %-15s  %s\n", c.name, path)
	}
	return b.String()
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

// zed has its settings in ~/.config on macOS too, and in "Zed" on Windows.
func zed(e Env) string {
	switch e.GOOS {
	case "darwin":
		return filepath.Join(e.Home, ".config", "zed", "settings.json")
	case "windows":
		return inConfig("Zed", "settings.json")(e)
	}
	return inConfig("zed", "settings.json")(e)
}
