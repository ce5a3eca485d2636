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
	// beside is the name of another file in the same folder that the client reads as well;
	// it is edited where it alone is there.
	beside string
	// project is the file in a project's folder, with slashes; "" where there is none.
	project string
	// trust says that the project's file is read only after the person has agreed to it.
	trust string
	// format is how the file is written.
	format format
	// sections lead to the object that holds the servers by name. Where there are several,
	// the later ones are used in files that have them.
	sections [][]string
	// reserved are names beside those of servers that mean something else.
	reserved []string
	// form is what an entry looks like.
	form form
	// expands says how variables are written in entries. Clients with the same sections have the
	// same, but for those that know more in files of their own.
	expands expander
	// key gives the name under which the entry of a server stands; nil is the name itself.
	key func(string) string
	// noURL says that the client only starts servers, and what to do instead.
	noURL string
}

var (
	mcpServers = [][]string{{"mcpServers"}}
	strict     = jsonFile{}
	lax        = jsonFile{lax: true}

	// typed is the form of clients that name the transport.
	typed = form{kind: "type", stdio: "stdio", http: "http", command: "command", args: "args", urls: []string{"url"}}
	// gemini is the form of Gemini CLI, which took "url" for the older transport.
	gemini = form{command: "command", args: "args", urls: []string{"httpUrl", "url"}, stale: []string{"type"}}
)

// clients are those whose documentation names one file for servers. docs/deploy.md says
// which were left out, and why.
var clients = []client{
	{name: "claude-code", path: inNamed("CLAUDE_CONFIG_DIR", "", ".claude.json"), project: ".mcp.json", format: strict, sections: mcpServers, form: typed, expands: dollar},
	{
		name: "claude-desktop", path: inConfig("Claude", "claude_desktop_config.json"), format: strict, sections: mcpServers, form: plain,
		noURL: "Claude Desktop's file only names servers that it starts; add the address under Settings, Connectors",
	},
	{name: "cursor", path: inHome(".cursor", "mcp.json"), project: ".cursor/mcp.json", format: lax, sections: mcpServers, form: plain},
	{name: "vscode", path: inConfig("Code", "User", "mcp.json"), project: ".vscode/mcp.json", format: lax, sections: [][]string{{"servers"}}, form: typed, expands: dollar},
	{name: "vscode-insiders", path: inConfig("Code - Insiders", "User", "mcp.json"), project: ".vscode/mcp.json", format: lax, sections: [][]string{{"servers"}}, form: typed, expands: dollar},
	// https://developers.openai.com/codex/mcp and, for projects,
	// https://developers.openai.com/codex/config-basic
	{
		name: "codex", path: inNamed("CODEX_HOME", ".codex", "config.toml"), project: ".codex/config.toml",
		trust:  "Codex reads this file only in projects that you trust: start it there and say yes",
		format: tomlFile{}, sections: [][]string{{"mcp_servers"}}, form: plain,
	},
	{name: "gemini", path: inHome(".gemini", "settings.json"), project: ".gemini/settings.json", format: lax, sections: mcpServers, form: gemini},
	// https://qwenlm.github.io/qwen-code-docs/en/users/features/mcp
	{name: "qwen", path: inHome(".qwen", "settings.json"), project: ".qwen/settings.json", format: lax, sections: mcpServers, form: gemini},
	// https://moonshotai.github.io/kimi-cli/en/customization/mcp.html
	{name: "kimi", path: inHome(".kimi", "mcp.json"), format: strict, sections: mcpServers, form: plain},
	// https://moonshotai.github.io/kimi-code/en/customization/mcp.html; it follows Kimi CLI
	{name: "kimi-code", path: inNamed("KIMI_CODE_HOME", ".kimi-code", "mcp.json"), project: ".kimi-code/mcp.json", format: strict, sections: mcpServers, form: plain},
	// https://docs.windsurf.com/windsurf/cascade/mcp, and as a second source
	// https://github.com/github/github-mcp-server/blob/main/docs/installation-guides/install-windsurf.md
	{
		name: "windsurf", path: inHome(".codeium", "windsurf", "mcp_config.json"), format: strict, sections: mcpServers,
		form: form{command: "command", args: "args", urls: []string{"serverUrl", "url"}, stale: []string{"type"}},
	},
	// https://zed.dev/docs/ai/mcp and https://zed.dev/docs/configuring-zed; the paths also in
	// https://github.com/zed-industries/zed/blob/main/crates/paths/src/paths.rs, and a
	// project's file in https://zed.dev/docs/worktree-trust
	{
		name: "zed", path: zed, project: ".zed/settings.json",
		trust:  "Zed starts the servers of this file only in folders that you trust: open the folder and agree",
		format: lax, sections: [][]string{{"context_servers"}}, form: plain,
	},
	// https://docs.cline.bot/mcp/mcp-overview; the paths and forms also in
	// https://github.com/cline/cline/blob/main/sdk/packages/shared/src/storage/paths.ts and
	// .../sdk/packages/core/src/extensions/mcp/config-loader.ts: an address without a type is
	// that of an SSE server, and "transport" may hold the other members.
	{
		name: "cline", path: cline, format: strict, sections: mcpServers,
		form: form{
			kind: "type", stdio: "stdio", http: "streamableHttp", command: "command", args: "args",
			urls: []string{"url"}, stale: []string{"transport", "transportType"},
		},
	},
	// https://opencode.ai/v1/docs/mcp-servers for version 1. Version 2 reads that form too
	// (https://opencode.ai/docs/migrate-v1) beside its own, "mcp"."servers"
	// (https://opencode.ai/docs/mcp-servers), which version 1 refuses.
	{
		name: "opencode", path: inXDG("opencode", "opencode.json"), beside: "opencode.jsonc", project: "opencode.json",
		format: lax, sections: [][]string{{"mcp"}, {"mcp", "servers"}}, reserved: []string{"servers", "timeout"}, expands: curly,
		form: form{kind: "type", stdio: "local", http: "remote", command: "command", urls: []string{"url"}},
	},
	// https://block.github.io/goose/docs/guides/config-files; which members must be there is in
	// https://github.com/block/goose/blob/main/crates/goose/src/agents/extension.rs, and in
	// .../crates/goose/src/config/extensions.rs that it looks for names in lower case.
	{
		name: "goose", path: goose, format: yamlFile{}, sections: [][]string{{"extensions"}}, key: strings.ToLower, expands: dollar,
		form: form{
			kind: "type", stdio: "stdio", http: "streamable_http", command: "cmd", args: "args", urls: []string{"uri"}, named: "name",
			fixed: []member{
				{"description", "Validates JSON messages and returns them unchanged", true},
				{"enabled", true, true},
				{"timeout", 300, true}, // in seconds; what Goose itself writes
			},
		},
	},
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
