package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/install"
)

// remove takes the server out of the client's file, and gives what the file holds then.
func remove(t *testing.T, client string, e install.Env) (status, text string) {
	t.Helper()
	change, err := install.PlanRemoval(client, e, "echo", install.Options{})
	require.NoError(t, err)
	_, err = change.Apply()
	require.NoError(t, err)
	now, err := os.ReadFile(change.Path)
	require.NoError(t, err)
	return change.Status, string(now)
}

// TestRoundTrips: an installation taken back leaves the bytes that were there, for every
// client, on stdio and over HTTP, in whatever style the file is written.
func TestRoundTrips(t *testing.T) {
	strict := []string{
		"", " \n", "{}", "{ }\n", "{\n}\n", "\uFEFF{}\r\n", "{\"SECTION\":{}}", "{\n\t\"SECTION\": {\n\t}\n}",
		"{\"a\":1,\"SECTION\":{\"b\":{\"command\":\"b\"}},\"c\":[1.0]}",
		"{\r\n  \"SECTION\": {\r\n    \"b\": {\"command\": \"b\"}\r\n  },\r\n  \"z\": 1\r\n}\r\n",
		"\uFEFF{\n\t\"SECTION\": {\n\t\t\"b\": {}   }}",
	}
	lax := append([]string{
		"// mine\n", "/* a */", "{\n  // first\n  \"SECTION\": {\n    \"b\": {}, // it\n    // last\n  }, /* end */\n}\n",
		"{\"SECTION\": {\"b\": {} /* it */} // x\n}", "{\"SECTION\": { // none\n }}",
	}, strict...)
	tomls := []string{
		"", "# mine\n", "\uFEFFmodel = \"o\"\r\n", "a = 1", "[SECTION.b]\ncommand = 'b' # it\n\n\n", "[SECTION]\n", "a = '''\n[SECTION.echo]\n'''\n\n",
	}
	yamls := []string{
		"", "# mine\n", "\uFEFF# mine\r\nA: 1\r\n", "A: 1", "---\nA: 1\n", "SECTION:\n", "SECTION: {} # none\n", "SECTION: ~\nZ: 1\n",
		"A: 1\nSECTION:\n    b:\n        type: builtin # it\n        enabled: true\n    # last\n\n# end\nZ: |\n  # text\n\n",
		"SECTION:\n  # only this\nZ: [1,\n2]\n", "SECTION:\n  b:\n    cmd: b\n    args:\n    - x\n    - y",
	}
	for _, client := range install.Clients() {
		fresh, err := install.Plan(client, env(t, "linux", nil), stdio, install.Options{})
		require.NoError(t, err)
		section := strings.Trim(strings.Fields(string(fresh.Text))[0], `":`)
		texts := strict
		switch client {
		case "codex":
			section, texts = "mcp_servers", tomls
		case "goose":
			texts = yamls
		case "cursor", "vscode", "vscode-insiders", "gemini", "qwen", "zed", "opencode":
			texts = lax
		}
		for _, text := range texts {
			text = strings.ReplaceAll(text, "SECTION", section)
			for _, s := range []install.Server{stdio, overHTTP} {
				if s.URL != "" && client == "claude-desktop" {
					continue
				}
				e := env(t, "linux", nil)
				file(t, client, e, text)
				change, err := install.Plan(client, e, s, install.Options{})
				require.NoError(t, err, "%s %q", client, text)
				_, err = change.Apply()
				require.NoError(t, err)
				status, now := remove(t, client, e)
				require.Equal(t, install.Removed, status)
				require.Equal(t, text, now, client)
				status, now = remove(t, client, e)
				require.Equal(t, install.Absent, status)
				require.Equal(t, text, now, client)
			}
		}
	}
}

// TestCuts: without a backup that fits, the entry alone is cut out.
func TestCuts(t *testing.T) {
	const ours = `"echo": {"command": "/a/echo-mcp"}`
	for _, c := range []struct{ client, before, want string }{
		{"cursor", `{"mcpServers": {` + ours + `}}`, `{"mcpServers": {}}`},
		{"cursor", "{\n  \"mcpServers\": {\n    " + ours + "\n  }\n}\n", "{\n  \"mcpServers\": {}\n}\n"},
		{"cursor", `{"mcpServers": {` + ours + `, "b": {}}}`, `{"mcpServers": { "b": {}}}`},
		{"cursor", `{"mcpServers": {"b": {}, ` + ours + `}}`, `{"mcpServers": {"b": {}}}`},
		{"cursor", "{\"mcpServers\": {\n  \"a\": {}, // a\n  " + ours + ", // ours\n  \"b\": {},\n}}", "{\"mcpServers\": {\n  \"a\": {}, // a\n   // ours\n  \"b\": {},\n}}"},
		{"cursor", "{\"mcpServers\": {\n  \"a\": {}, // a\n  " + ours + "\n}}", "{\"mcpServers\": {\n  \"a\": {} // a\n}}"},
		{"cursor", "{\"mcpServers\": {\n  \"a\": {}, // a\n  " + ours + "}}", "{\"mcpServers\": {\n  \"a\": {} // a\n  }}"},
		{"codex", "a = 1\n\n[mcp_servers.echo]\ncommand = \"echo-mcp\"\n# note\nargs = [\n]\n\n[mcp_servers.echo.env]\nA = \"b\"\n\n# of z\n[z]\nb = 1\n", "a = 1\n\n# of z\n[z]\nb = 1\n"},
		{"codex", "[mcp_servers]\necho = { command = \"echo-mcp\" }\nb = { command = \"b\" }\n", "[mcp_servers]\nb = { command = \"b\" }\n"},
		{"codex", "mcp_servers.echo.command = \"echo-mcp\"\nx = 1\n", "x = 1\n"},
		{"opencode", `{"mcp": {"timeout": {"startup": 1}, "servers": {"echo": {"command": ["/a/echo-mcp"]}, "b": {}}}}`, `{"mcp": {"timeout": {"startup": 1}, "servers": { "b": {}}}}`},
		{"opencode", `{"mcp": {"echo": {"command": ["/a/echo-mcp"]}, "servers": {"b": {}}}}`, `{"mcp": { "servers": {"b": {}}}}`},
		{"goose", "A: 1\nextensions:\n  b:\n    cmd: b\n  # of echo\n  echo: # ours\n    cmd: echo-mcp\n    # note\n    args:\n    - serve\n    # deeper\n\n  # of c\n  c:\n    cmd: c\n", "A: 1\nextensions:\n  b:\n    cmd: b\n  # of echo\n\n  # of c\n  c:\n    cmd: c\n"},
		{"goose", "'extensions' : # all\r\n  echo: {cmd: echo-mcp}\r\nZ: 1\r\n", "'extensions' : {} # all\r\nZ: 1\r\n"},
		{"goose", "extensions:\n  b: {cmd: b}\n  echo:\n    cmd: echo-mcp\n    envs:\n      A: |+\n        # text\n\n\nZ: 1", "extensions:\n  b: {cmd: b}\n\n\nZ: 1"},
	} {
		e := env(t, "linux", nil)
		file(t, c.client, e, "")
		change, err := install.PlanRemoval(c.client, e, "echo", install.Options{})
		require.NoError(t, err)
		require.NoError(t, os.WriteFile(change.Path, []byte(c.before), 0o600))
		status, now := remove(t, c.client, e)
		require.Equal(t, install.Removed, status)
		require.Equal(t, c.want, now)
		kept, err := os.ReadFile(change.Path + ".echo-mcp.bak")
		require.NoError(t, err)
		require.Equal(t, c.before, string(kept))
	}
}

// TestRemovalRefused: another's program stays unless forced, and so does a file that is not
// understood.
func TestRemovalRefused(t *testing.T) {
	for _, c := range []struct {
		client, before string
		forced         bool
	}{
		{"cursor", `{"mcpServers":{"echo":{"command":"/bin/other"}}}`, true},
		{"codex", "[mcp_servers.echo]\ncommand = \"other\"\n", true},
		{"cursor", `{"mcpServers":`, false},
		{"cursor", `{"mcpServers":{"echo":1}}`, false},
		{"cursor", `{"mcpServers":{"echo":{},"echo":{}}}`, false},
		{"codex", "mcp_servers = { echo = { command = \"echo-mcp\" } }\n", false},
		{"goose", "extensions:\n  echo:\n    cmd: other\n", true},
		{"goose", "extensions:\n  echo:\n    type: other\n", true},
		{"goose", "extensions: {echo: {cmd: echo-mcp}}\n", false},
		{"goose", "extensions:\n  echo: &a {cmd: echo-mcp}\nb: *a\n", false},
	} {
		e := env(t, "linux", nil)
		path := filepath.Join(e.Home, ".cursor", "mcp.json")
		switch c.client {
		case "codex":
			path = filepath.Join(e.Home, ".codex", "config.toml")
		case "goose":
			path = filepath.Join(e.Home, ".config", "goose", "config.yaml")
		}
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(c.before), 0o600))
		_, err := install.PlanRemoval(c.client, e, "echo", install.Options{})
		if c.forced {
			var named *install.ForeignError
			require.ErrorAs(t, err, &named)
			require.NotContains(t, err.Error(), "replaces")
			change, err := install.PlanRemoval(c.client, e, "echo", install.Options{Force: true})
			require.NoError(t, err)
			require.NotContains(t, string(change.Text), "other")
			continue
		}
		var bad *install.FileError
		require.ErrorAs(t, err, &bad, c.before)
		now, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, c.before, string(now))
	}
	e := env(t, "linux", nil)
	change, err := install.PlanRemoval("cursor", e, "echo", install.Options{})
	require.NoError(t, err)
	require.Equal(t, install.Absent, change.Status)
	_, err = change.Apply()
	require.NoError(t, err)
	require.NoFileExists(t, change.Path)
}
