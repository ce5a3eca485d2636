package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/install"
)

// TestNames: a name that a client or a model's API refuses is a usage error with the rule.
func TestNames(t *testing.T) {
	for name, ok := range map[string]bool{
		"echo": true, "My_echo-2": true, strings.Repeat("a", 32): true,
		"": false, "my server!": false, "a.b": false, "\u00e9cho": false, strings.Repeat("a", 33): false, "a\n": false,
	} {
		for _, client := range install.Clients() {
			_, err := install.Plan(client, env(t, "linux", nil), install.Server{Name: name, Command: "/echo-mcp", Args: []string{"serve"}}, install.Options{})
			if ok {
				require.NoError(t, err, name)
				continue
			}
			var usage *install.UsageError
			require.ErrorAs(t, err, &usage, name)
			require.ErrorContains(t, err, "1 to 32 letters")
		}
	}
}

// TestAddresses: one that looks wrong is questioned, says what to write and repeats no secret.
func TestAddresses(t *testing.T) {
	for address, want := range map[string]string{
		"http://127.0.0.1:3000":               "write http://127.0.0.1:3000/mcp,",
		"http://127.0.0.1:3000/":              "write http://127.0.0.1:3000/mcp,",
		"https://a.example/echo":              "write https://a.example/echo/mcp,",
		"https://u:hunter2@a.example/mcp":     "write https://a.example/mcp,",
		"https://hunter2@a.example/mcp":       "write https://a.example/mcp,",
		"https://a.example/mcp?token=hunter2": "write https://a.example/mcp,",
		"https://a.example/mcp#hunter2":       "write https://a.example/mcp,",
	} {
		s := install.Server{Name: "echo", URL: address}
		_, err := install.Plan("cursor", env(t, "linux", nil), s, install.Options{})
		var usage *install.UsageError
		require.ErrorAs(t, err, &usage, address)
		require.ErrorContains(t, err, want)
		require.NotContains(t, err.Error(), "hunter2")
		change, err := install.Plan("cursor", env(t, "linux", nil), s, install.Options{Force: true})
		require.NoError(t, err, address)
		require.Contains(t, string(change.Text), address)
	}
	for address, warns := range map[string]bool{
		"http://127.0.0.1:3000/mcp": false, "http://[::1]:3000/mcp": false, "http://localhost:3000/mcp/": false,
		"https://a.example/echo/mcp": false, "http://a.example/mcp": true, "http://10.0.0.5:3000/mcp": true,
	} {
		change, err := install.Plan("cursor", env(t, "linux", nil), install.Server{Name: "echo", URL: address}, install.Options{})
		require.NoError(t, err, address)
		require.Equal(t, warns, len(change.Warnings) > 0, address)
	}
}

// TestGuesses: a wrong client is answered with the list and what may have been meant.
func TestGuesses(t *testing.T) {
	for wrong, want := range map[string]string{
		"claude":    "did you mean claude-code or claude-desktop?",
		"vs-code":   "did you mean vscode?",
		"code":      "did you mean claude-code or vscode or codex or kimi-code or opencode?",
		"Cursor":    "did you mean cursor?",
		"windsrf":   "did you mean windsurf?",
		"qwen-code": "did you mean qwen?",
		"kimi-cli":  "did you mean kimi?",
		"open-code": "did you mean opencode?",
		"goos":      "did you mean goose?",
	} {
		_, err := install.Plan(wrong, env(t, "linux", nil), stdio, install.Options{})
		require.ErrorContains(t, err, want)
		for _, client := range install.Clients() {
			require.ErrorContains(t, err, "\n  "+client+" ")
		}
	}
	_, err := install.Plan("emacs", env(t, "linux", nil), stdio, install.Options{})
	require.ErrorContains(t, err, "~/.cursor/mcp.json")
	require.NotContains(t, err.Error(), "did you mean")
}

// TestProjects: the file of a project, where the client has one.
func TestProjects(t *testing.T) {
	want := map[string]string{
		"claude-code": ".mcp.json", "vscode": ".vscode/mcp.json", "vscode-insiders": ".vscode/mcp.json",
		"cursor": ".cursor/mcp.json", "gemini": ".gemini/settings.json", "qwen": ".qwen/settings.json",
		"codex": ".codex/config.toml", "zed": ".zed/settings.json", "kimi-code": ".kimi-code/mcp.json", "opencode": "opencode.json",
	}
	for _, client := range install.Clients() {
		e, dir := env(t, "linux", nil), t.TempDir()
		change, err := install.Plan(client, e, stdio, install.Options{Project: dir})
		if want[client] == "" {
			var usage *install.UsageError
			require.ErrorAs(t, err, &usage, client)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, filepath.Join(dir, want[client]), change.Path)
		require.Equal(t, client == "codex" || client == "zed", strings.Contains(strings.Join(change.Warnings, ""), "you trust"), client)
		_, err = change.Apply()
		require.NoError(t, err)
		entries, err := os.ReadDir(e.Home)
		require.NoError(t, err)
		require.Empty(t, entries)
	}
	_, err := install.Plan("cursor", env(t, "linux", nil), stdio, install.Options{Project: "/does/not/exist"})
	require.ErrorContains(t, err, "is no folder")
}

// TestReserved: where servers stand beside other settings, none takes the name of one.
func TestReserved(t *testing.T) {
	for _, name := range []string{"servers", "timeout"} {
		e := env(t, "linux", nil)
		file(t, "opencode", e, `{"mcp":{"timeout":{"startup":1},"servers":{}}}`)
		s := stdio
		s.Name = name
		_, err := install.Plan("opencode", e, s, install.Options{Force: true})
		var usage *install.UsageError
		require.ErrorAs(t, err, &usage)
		require.ErrorContains(t, err, "settings of its own")
		_, err = install.PlanRemoval("opencode", e, name, install.Options{Force: true})
		require.ErrorAs(t, err, &usage)
		_, err = install.Plan("cursor", e, s, install.Options{})
		require.NoError(t, err)
	}
}

// TestTurnedOff: a server that is switched off stays so, and the person is told.
func TestTurnedOff(t *testing.T) {
	for client, before := range map[string]string{
		"goose":    "extensions:\n  echo:\n    cmd: echo-mcp\n    enabled: false\n",
		"opencode": `{"mcp":{"echo":{"command":["echo-mcp"],"enabled":false}}}`,
		"codex":    "[mcp_servers.echo]\ncommand = \"echo-mcp\"\nenabled = false\n",
		"cline":    `{"mcpServers":{"echo":{"command":"echo-mcp","disabled":true}}}`,
		"cursor":   `{"mcpServers":{"echo":{"command":"echo-mcp","disabled":false,"enabled":true}}}`,
	} {
		e := env(t, "linux", nil)
		file(t, client, e, before)
		change, err := install.Plan(client, e, stdio, install.Options{})
		require.NoError(t, err)
		require.Regexp(t, `abled"? ?[:=] ?(true|false)`, string(change.Text), client)
		require.Equal(t, client != "cursor", len(change.Warnings) > 0, client)
	}
}

// TestDocumented: the table for people has a row for each client, with a project's file.
func TestDocumented(t *testing.T) {
	text, err := os.ReadFile("../../docs/deploy.md")
	require.NoError(t, err)
	for _, client := range install.Clients() {
		_, row, found := strings.Cut(string(text), "\n| `"+client+"` |")
		require.True(t, found, client)
		row, _, _ = strings.Cut(row, "\n")
		dir := t.TempDir()
		change, err := install.Plan(client, env(t, "linux", nil), stdio, install.Options{Project: dir})
		project := " |"
		if err == nil {
			path, err := filepath.Rel(dir, change.Path)
			require.NoError(t, err)
			project = " `" + path + "` |"
		}
		require.Contains(t, strings.SplitAfter(row, "|")[1], project, client)
	}
}
