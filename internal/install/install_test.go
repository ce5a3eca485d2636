package install_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/install"
)

var stdio = install.Server{Name: "echo", Command: "/opt/echo-mcp", Args: []string{"serve"}}

var overHTTP = install.Server{Name: "echo", URL: "http://127.0.0.1:3000/mcp"}

// env is a home folder of its own with the settings of variables.
func env(t *testing.T, goos string, variables map[string]string) install.Env {
	return install.Env{GOOS: goos, Home: t.TempDir(), Getenv: func(name string) string { return variables[name] }}
}

// file puts text where the client looks, and gives the path.
func file(t *testing.T, client string, e install.Env, text string) string {
	t.Helper()
	c, err := install.Plan(client, e, stdio, install.Options{})
	require.NoError(t, err)
	require.NoError(t, os.MkdirAll(filepath.Dir(c.Path), 0o755))
	require.NoError(t, os.WriteFile(c.Path, []byte(text), 0o640))
	return c.Path
}

func TestPaths(t *testing.T) {
	set := map[string]string{
		"APPDATA": "/roaming", "XDG_CONFIG_HOME": "/xdg", "CODEX_HOME": "/codex", "CLAUDE_CONFIG_DIR": "/claude",
		"KIMI_CODE_HOME": "/kimi", "GOOSE_PATH_ROOT": "/goose",
		"CLINE_DIR": "/cline", "CLINE_DATA_DIR": "/data", "CLINE_MCP_SETTINGS_PATH": "/mcp.json",
	}
	for _, c := range []struct {
		client, goos string
		variables    map[string]string
		want         string
	}{
		{"claude-code", "linux", nil, "HOME/.claude.json"},
		{"claude-code", "darwin", set, "/claude/.claude.json"},
		{"claude-desktop", "darwin", set, "HOME/Library/Application Support/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", set, "/roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", "windows", nil, "HOME/AppData/Roaming/Claude/claude_desktop_config.json"},
		{"claude-desktop", "linux", nil, "HOME/.config/Claude/claude_desktop_config.json"},
		{"claude-desktop", "linux", set, "/xdg/Claude/claude_desktop_config.json"},
		{"claude-desktop", "linux", map[string]string{"XDG_CONFIG_HOME": "relative"}, "HOME/.config/Claude/claude_desktop_config.json"},
		{"cursor", "linux", set, "HOME/.cursor/mcp.json"},
		{"cursor", "windows", set, "HOME/.cursor/mcp.json"},
		{"vscode", "darwin", nil, "HOME/Library/Application Support/Code/User/mcp.json"},
		{"vscode", "linux", nil, "HOME/.config/Code/User/mcp.json"},
		{"vscode", "windows", set, "/roaming/Code/User/mcp.json"},
		{"codex", "linux", nil, "HOME/.codex/config.toml"},
		{"codex", "linux", set, "/codex/config.toml"},
		{"gemini", "darwin", nil, "HOME/.gemini/settings.json"},
		{"vscode-insiders", "darwin", nil, "HOME/Library/Application Support/Code - Insiders/User/mcp.json"},
		{"vscode-insiders", "linux", nil, "HOME/.config/Code - Insiders/User/mcp.json"},
		{"vscode-insiders", "windows", set, "/roaming/Code - Insiders/User/mcp.json"},
		{"qwen", "windows", set, "HOME/.qwen/settings.json"},
		{"kimi", "linux", set, "HOME/.kimi/mcp.json"},
		{"windsurf", "windows", set, "HOME/.codeium/windsurf/mcp_config.json"},
		{"zed", "linux", set, "/xdg/zed/settings.json"},
		{"zed", "darwin", set, "HOME/.config/zed/settings.json"},
		{"zed", "windows", set, "/roaming/Zed/settings.json"},
		{"kimi-code", "linux", nil, "HOME/.kimi-code/mcp.json"},
		{"kimi-code", "windows", set, "/kimi/mcp.json"},
		{"cline", "darwin", nil, "HOME/.cline/data/settings/cline_mcp_settings.json"},
		{"cline", "linux", map[string]string{"CLINE_DIR": "/cline"}, "/cline/data/settings/cline_mcp_settings.json"},
		{"cline", "linux", map[string]string{"CLINE_DIR": "/cline", "CLINE_DATA_DIR": "/data"}, "/data/settings/cline_mcp_settings.json"},
		{"cline", "linux", set, "/mcp.json"},
		{"opencode", "linux", nil, "HOME/.config/opencode/opencode.json"},
		{"opencode", "darwin", set, "/xdg/opencode/opencode.json"},
		{"opencode", "windows", nil, "HOME/.config/opencode/opencode.json"},
		{"goose", "linux", nil, "HOME/.config/goose/config.yaml"},
		{"goose", "darwin", nil, "HOME/.config/goose/config.yaml"},
		{"goose", "linux", map[string]string{"XDG_CONFIG_HOME": "/xdg"}, "/xdg/goose/config.yaml"},
		{"goose", "windows", map[string]string{"APPDATA": "/roaming"}, "/roaming/Block/goose/config/config.yaml"},
		{"goose", "windows", nil, "HOME/AppData/Roaming/Block/goose/config/config.yaml"},
		{"goose", "linux", map[string]string{"GOOSE_PATH_ROOT": "relative"}, "HOME/.config/goose/config.yaml"},
		{"goose", "darwin", set, "/goose/config/config.yaml"},
	} {
		e := env(t, c.goos, c.variables)
		change, err := install.Plan(c.client, e, stdio, install.Options{})
		require.NoError(t, err)
		want := c.want
		if rest, ok := cutHome(want); ok {
			want = filepath.Join(e.Home, rest)
		}
		require.Equal(t, want, change.Path, "%s on %s", c.client, c.goos)
		require.Equal(t, install.Created, change.Status)
	}
}

func cutHome(path string) (string, bool) {
	const home = "HOME/"
	if len(path) > len(home) && path[:len(home)] == home {
		return path[len(home):], true
	}
	return path, false
}

// gooseRest is the end of an entry for Goose.
const gooseRest = "    description: \"Validates JSON messages and returns them unchanged\"\n    enabled: true\n    timeout: 300\n"

// TestFreshFiles: what a client without a file gets.
func TestFreshFiles(t *testing.T) {
	program := func(section, kind string) string {
		return "{\n  \"" + section + "\": {\n    \"echo\": {\n" + kind + "      \"command\": \"/opt/echo-mcp\",\n      \"args\": [\n        \"serve\"\n      ]\n    }\n  }\n}\n"
	}
	address := func(section, kind, member string) string {
		return "{\n  \"" + section + "\": {\n    \"echo\": {\n" + kind + "      \"" + member + "\": \"http://127.0.0.1:3000/mcp\"\n    }\n  }\n}\n"
	}
	want := map[string][2]string{
		"claude-code":     {program("mcpServers", "      \"type\": \"stdio\",\n"), address("mcpServers", "      \"type\": \"http\",\n", "url")},
		"claude-desktop":  {program("mcpServers", ""), ""},
		"cursor":          {program("mcpServers", ""), address("mcpServers", "", "url")},
		"vscode":          {program("servers", "      \"type\": \"stdio\",\n"), address("servers", "      \"type\": \"http\",\n", "url")},
		"vscode-insiders": {program("servers", "      \"type\": \"stdio\",\n"), address("servers", "      \"type\": \"http\",\n", "url")},
		"codex":           {"[mcp_servers.echo]\ncommand = \"/opt/echo-mcp\"\nargs = [\"serve\"]\n", "[mcp_servers.echo]\nurl = \"http://127.0.0.1:3000/mcp\"\n"},
		"gemini":          {program("mcpServers", ""), address("mcpServers", "", "httpUrl")},
		"qwen":            {program("mcpServers", ""), address("mcpServers", "", "httpUrl")},
		"kimi":            {program("mcpServers", ""), address("mcpServers", "", "url")},
		"windsurf":        {program("mcpServers", ""), address("mcpServers", "", "serverUrl")},
		"zed":             {program("context_servers", ""), address("context_servers", "", "url")},
		"kimi-code":       {program("mcpServers", ""), address("mcpServers", "", "url")},
		"cline":           {program("mcpServers", "      \"type\": \"stdio\",\n"), address("mcpServers", "      \"type\": \"streamableHttp\",\n", "url")},
		"opencode": {
			"{\n  \"mcp\": {\n    \"echo\": {\n      \"type\": \"local\",\n      \"command\": [\n        \"/opt/echo-mcp\",\n        \"serve\"\n      ]\n    }\n  }\n}\n",
			address("mcp", "      \"type\": \"remote\",\n", "url"),
		},
		"goose": {
			"extensions:\n  echo:\n    type: stdio\n    name: echo\n    cmd: /opt/echo-mcp\n    args: [serve]\n" + gooseRest,
			"extensions:\n  echo:\n    type: streamable_http\n    name: echo\n    uri: \"http://127.0.0.1:3000/mcp\"\n" + gooseRest,
		},
	}
	require.Len(t, want, len(install.Clients()))
	for _, client := range install.Clients() {
		for i, s := range []install.Server{stdio, overHTTP} {
			e := env(t, "linux", nil)
			change, err := install.Plan(client, e, s, install.Options{})
			if want[client][i] == "" {
				var usage *install.UsageError
				require.ErrorAs(t, err, &usage)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, want[client][i], string(change.Text), client)
			backup, err := change.Apply()
			require.NoError(t, err)
			require.Empty(t, backup)
			text, err := os.ReadFile(change.Path)
			require.NoError(t, err)
			require.Equal(t, want[client][i], string(text))
			again, err := install.Plan(client, e, s, install.Options{})
			require.NoError(t, err)
			require.Equal(t, install.Unchanged, again.Status)
			require.Equal(t, string(text), string(again.Text))
		}
	}
}

// change is a file before and after an installation.
type change struct {
	client       string
	server       install.Server
	before, want string
}

// TestEdits: what is there stays as it is, in whatever style it is written.
func TestEdits(t *testing.T) {
	try(t, map[string]change{
		"empty file": {
			"cursor", overHTTP, "",
			"{\n  \"mcpServers\": {\n    \"echo\": {\n      \"url\": \"http://127.0.0.1:3000/mcp\"\n    }\n  }\n}\n",
		},
		"only a comment": {
			"cursor", overHTTP, "\uFEFF// mine\r\n",
			"\uFEFF// mine\r\n{\r\n  \"mcpServers\": {\r\n    \"echo\": {\r\n      \"url\": \"http://127.0.0.1:3000/mcp\"\r\n    }\r\n  }\r\n}\r\n",
		},
		"only a comment, without a line end": {
			"vscode", overHTTP, "/* mine */",
			"/* mine */\n{\n  \"servers\": {\n    \"echo\": {\n      \"type\": \"http\",\n      \"url\": \"http://127.0.0.1:3000/mcp\"\n    }\n  }\n}\n",
		},
		"only a comment, TOML": {
			"codex", overHTTP, "# mine\n",
			"# mine\n\n[mcp_servers.echo]\nurl = \"http://127.0.0.1:3000/mcp\"\n",
		},
		"empty object": {
			"cursor", overHTTP, "{}",
			"{\n  \"mcpServers\": {\n    \"echo\": {\n      \"url\": \"http://127.0.0.1:3000/mcp\"\n    }\n  }\n}",
		},
		"other members, numbers as written": {
			"claude-code", overHTTP, "{\n\t\"n\": 1.0,\n\t\"big\": 12345678901234567890\n}\n",
			"{\n\t\"n\": 1.0,\n\t\"big\": 12345678901234567890,\n\t\"mcpServers\": {\n\t\t\"echo\": {\n\t\t\t\"type\": \"http\",\n\t\t\t\"url\": \"http://127.0.0.1:3000/mcp\"\n\t\t}\n\t}\n}\n",
		},
		"another server, on one line": {
			"gemini", overHTTP, `{"mcpServers":{"a":{"command":"a"}},"x":1}`,
			`{"mcpServers":{"a":{"command":"a"}, "echo": {"httpUrl":"http://127.0.0.1:3000/mcp"}},"x":1}`,
		},
		"comments and a comma at the end": {
			"vscode", overHTTP, "// mine\n{\n  \"servers\": {\n    // first\n    \"a\": { \"command\": \"a\" }, // it\n    // last\n  }, /* end */\n}\n",
			"// mine\n{\n  \"servers\": {\n    // first\n    \"a\": { \"command\": \"a\" }, // it\n    // last\n    \"echo\": {\n      \"type\": \"http\",\n      \"url\": \"http://127.0.0.1:3000/mcp\"\n    },\n  }, /* end */\n}\n",
		},
		"comment after the last member": {
			"vscode", overHTTP, "{\n  \"servers\": {\n    \"a\": {} // it\n  }\n}\n",
			"{\n  \"servers\": {\n    \"a\": {}, // it\n    \"echo\": {\n      \"type\": \"http\",\n      \"url\": \"http://127.0.0.1:3000/mcp\"\n    }\n  }\n}\n",
		},
		"line ends of Windows, and a mark": {
			"cursor", overHTTP, "\uFEFF{\r\n  \"a\": 1\r\n}\r\n",
			"\uFEFF{\r\n  \"a\": 1,\r\n  \"mcpServers\": {\r\n    \"echo\": {\r\n      \"url\": \"http://127.0.0.1:3000/mcp\"\r\n    }\r\n  }\r\n}\r\n",
		},
		"an entry as Cline itself writes it, with its members one level down": {
			"cline", overHTTP, `{"mcpServers":{"echo":{"transport":{"type":"stdio","command":"/old/echo-mcp"},"disabled":true}}}`,
			`{"mcpServers":{"echo":{"disabled":true, "type": "streamableHttp", "url": "http://127.0.0.1:3000/mcp"}}}`,
		},
		"OpenCode 1": {
			"opencode", stdio, `{"mcp":{"echo":{"type":"local","command":["/old/echo-mcp"],"enabled":false}}}`,
			`{"mcp":{"echo":{"type":"local","command":["/opt/echo-mcp","serve"],"enabled":false}}}`,
		},
		"OpenCode 2": {
			"opencode", overHTTP, `{"mcp":{"timeout":{},"servers":{"a":{}}}}`,
			`{"mcp":{"timeout":{},"servers":{"a":{}, "echo": {"type":"remote","url":"http://127.0.0.1:3000/mcp"}}}}`,
		},
		"OpenCode 2 with an entry of version 1": {
			"opencode", stdio, `{"mcp":{"echo":{"type":"local","command":["/old/echo-mcp"]},"servers":{}}}`,
			`{"mcp":{"echo":{"type":"local","command":["/opt/echo-mcp","serve"]},"servers":{}}}`,
		},
		"our entry moves to an address and keeps the rest": {
			"vscode", overHTTP, "{\n  \"servers\": {\n    \"echo\": {\n      \"command\": \"/old/echo-mcp\", // old\n      \"args\": [],\n      \"type\": \"stdio\",\n      \"env\": {\"A\": \"b\"}\n    }\n  }\n}\n",
			"{\n  \"servers\": {\n    \"echo\": {\n      \"type\": \"http\",\n      \"env\": {\"A\": \"b\"},\n      \"url\": \"http://127.0.0.1:3000/mcp\"\n    }\n  }\n}\n",
		},
		"our entry gets a new path": {
			"claude-desktop", stdio, "{\"mcpServers\": {\"echo\": {\"command\": \"C:\\\\old\\\\echo-mcp.exe\", \"args\": [\"serve\"], \"x\": 1}}}",
			"{\"mcpServers\": {\"echo\": {\"command\": \"/opt/echo-mcp\", \"args\": [\"serve\"], \"x\": 1}}}",
		},
		"TOML with comments": {
			"codex", stdio, "# mine\nmodel = \"o\" # the model\n\n[mcp_servers.a]\ncommand = 'a'",
			"# mine\nmodel = \"o\" # the model\n\n[mcp_servers.a]\ncommand = 'a'\n\n[mcp_servers.echo]\ncommand = \"/opt/echo-mcp\"\nargs = [\"serve\"]\n",
		},
		"TOML with a byte order mark": {
			"codex", stdio, "\uFEFF[mcp_servers.echo]\r\ncommand = \"/old/echo-mcp\"\r\nargs = [\"serve\"]\r\n",
			"\uFEFF[mcp_servers.echo]\r\ncommand = \"/opt/echo-mcp\"\r\nargs = [\"serve\"]\r\n",
		},
		"TOML entry changes": {
			"codex", stdio, "[ mcp_servers . \"echo\" ] # ours\r\n  command = \"/old/echo-mcp\" # old\r\nargs = [\r\n  \"x\", # why\r\n]\r\nenv = { A = \"b\" }\r\n[z]\r\ncommand = 1\r\n",
			"[ mcp_servers . \"echo\" ] # ours\r\n  command = \"/opt/echo-mcp\" # old\r\nargs = [\"serve\"]\r\nenv = { A = \"b\" }\r\n[z]\r\ncommand = 1\r\n",
		},
		"TOML entry moves to an address": {
			"codex", overHTTP, "[mcp_servers.echo]\ncommand = \"/old/echo-mcp\"\nargs = [\n]\n# a remark\nstartup_timeout_sec = 5\n\n[mcp_servers.echo.env]\nA = \"b\"\n",
			"[mcp_servers.echo]\nurl = \"http://127.0.0.1:3000/mcp\"\n# a remark\nstartup_timeout_sec = 5\n\n[mcp_servers.echo.env]\nA = \"b\"\n",
		},
	})
}

// try makes changes, with a backup, and makes each again, which must change nothing.
func try(t *testing.T, changes map[string]change) {
	t.Helper()
	for name, c := range changes {
		t.Run(name, func(t *testing.T) {
			e := env(t, "linux", nil)
			path := file(t, c.client, e, c.before)
			change, err := install.Plan(c.client, e, c.server, install.Options{})
			require.NoError(t, err)
			require.Equal(t, c.want, string(change.Text))
			require.Equal(t, install.Updated, change.Status)
			backup, err := change.Apply()
			require.NoError(t, err)
			kept, err := os.ReadFile(backup)
			require.NoError(t, err)
			require.Equal(t, c.before, string(kept))
			info, err := os.Stat(path)
			require.NoError(t, err)
			require.Equal(t, os.FileMode(0o640), info.Mode().Perm())

			again, err := install.Plan(c.client, e, c.server, install.Options{})
			require.NoError(t, err)
			require.Equal(t, install.Unchanged, again.Status)
			backup, err = again.Apply()
			require.NoError(t, err)
			require.Empty(t, backup)
		})
	}
}

// TestRefusals: a file that is not understood is not touched.
func TestRefusals(t *testing.T) {
	for name, c := range map[string]struct{ client, before, says string }{
		"not JSON":            {"cursor", "{\"a\":", "not JSON"},
		"comments, strict":    {"claude-code", "{} // x\n", "can't read"},
		"comma, strict":       {"claude-desktop", "{\"a\":1,}", "can't read"},
		"no object":           {"cursor", "[]", "no object"},
		"servers no object":   {"cursor", `{"mcpServers":[]}`, `"mcpServers" is not an object`},
		"servers null":        {"cursor", `{"mcpServers":null}`, `"mcpServers" is not an object`},
		"entry no object":     {"cursor", `{"mcpServers":{"echo":1}}`, `"echo" is not an object`},
		"repeated":            {"cursor", `{"mcpServers":{},"mcpServers":{}}`, "repeated"},
		"repeated by escape":  {"cursor", `{"mcpServers":{"\u0065cho":{},"echo":{}}}`, "repeated"},
		"not TOML":            {"codex", "a = \n", "line 1"},
		"TOML inline section": {"codex", "mcp_servers = { a = { command = \"a\" } }\n", "can't edit safely"},
		"TOML inline entry":   {"codex", "[mcp_servers]\necho = { command = \"echo-mcp\" }\n", "can't edit safely"},
		"TOML dotted entry":   {"codex", "mcp_servers.echo.command = \"echo-mcp\"\n", "can't edit safely"},
		"TOML list":           {"codex", "[[mcp_servers]]\na = 1\n", "not an object"},
	} {
		t.Run(name, func(t *testing.T) {
			e := env(t, "linux", nil)
			path := file(t, c.client, e, c.before)
			_, err := install.Plan(c.client, e, stdio, install.Options{Force: true})
			var bad *install.FileError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, c.says)
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.Equal(t, c.before, string(text))
		})
	}
	var usage *install.UsageError
	_, err := install.Plan("emacs", env(t, "linux", nil), stdio, install.Options{})
	require.ErrorAs(t, err, &usage)
	for _, address := range []string{"ftp://a", "localhost:3000", "http://", "http://a b"} {
		_, err := install.Plan("cursor", env(t, "linux", nil), install.Server{Name: "echo", URL: address}, install.Options{})
		require.ErrorAs(t, err, &usage, address)
	}
	_, err = install.Plan("cursor", install.Env{GOOS: "linux", Getenv: os.Getenv}, stdio, install.Options{})
	require.ErrorAs(t, err, &usage)
}

// TestForeign: a server of the same name that isn't this one is replaced only by force.
func TestForeign(t *testing.T) {
	for client, before := range map[string]string{
		"cursor":   `{"mcpServers":{"echo":{"command":"/bin/other","env":{}}}}`,
		"gemini":   `{"mcpServers":{"echo":{"httpUrl":"http://other/mcp"}}}`,
		"qwen":     `{"mcpServers":{"echo":{"url":"http://other/mcp"}}}`,
		"cline":    `{"mcpServers":{"echo":{"transport":{"type":"stdio","command":"other"}}}}`,
		"opencode": `{"mcp":{"echo":{"type":"local","command":["other","serve"]}}}`,
		"goose":    "extensions:\n  echo:\n    type: stdio\n    cmd: other\n",
		"codex":    "[mcp_servers.echo]\ncommand = \"other\"\n",
	} {
		e := env(t, "linux", nil)
		file(t, client, e, before)
		_, err := install.Plan(client, e, overHTTP, install.Options{})
		var foreign *install.ForeignError
		require.ErrorAs(t, err, &foreign)
		require.Contains(t, foreign.Other, "other")
		change, err := install.Plan(client, e, overHTTP, install.Options{Force: true})
		require.NoError(t, err)
		require.NotContains(t, string(change.Text), "other")

		named := overHTTP
		named.Name = "zenlix-echo"
		change, err = install.Plan(client, e, named, install.Options{})
		require.NoError(t, err)
		require.Contains(t, string(change.Text), "other")
		require.Contains(t, string(change.Text), `zenlix-echo`)
	}
}

// TestOtherPrograms: a program of another name, built over this module, knows its own entries.
func TestOtherPrograms(t *testing.T) {
	e := env(t, "linux", nil)
	path := file(t, "cursor", e, `{"mcpServers":{"echo":{"command":"C:\\\\old\\\\build-mcp.exe"}}}`)
	var foreign *install.ForeignError
	_, err := install.Plan("cursor", e, stdio, install.Options{})
	require.ErrorAs(t, err, &foreign)
	_, err = install.PlanRemoval("cursor", e, "echo", install.Options{})
	require.ErrorAs(t, err, &foreign)
	o := install.Options{Programs: []string{"renamed", "/new/build-mcp"}}
	change, err := install.Plan("cursor", e, install.Server{Name: "echo", Command: "/new/build-mcp", Args: []string{"serve"}}, o)
	require.NoError(t, err)
	require.Contains(t, string(change.Text), "/new/build-mcp")
	_, err = install.PlanRemoval("cursor", e, "echo", o)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(`{"mcpServers":{"echo":{"command":"/opt/echo-mcp"}}}`), 0o600))
	_, err = install.PlanRemoval("cursor", e, "echo", o)
	require.ErrorAs(t, err, &foreign)
}

// FuzzEdits: whatever a file holds, an edit is refused or changes nothing but the entry; the
// edit itself checks that, so here it must only come to an end, be stable, and be taken back.
func FuzzEdits(f *testing.F) {
	clients := []string{"vscode", "codex", "goose", "opencode"}
	for _, text := range []string{
		"", "{}", "{\"a\":1, // x\n}", "{\"mcpServers\":{\"b\":{}}}", "{\"mcp\":{\"servers\":{\"echo\":{}}}}",
		"[mcp_servers]\n", "[mcp_servers.echo]\ncommand=\"echo-mcp\"\n", "a = '''\n'''\n",
		"extensions:\n  echo: # x\n    cmd: echo-mcp\n  b: &b {c: d}\nz: |+\n  #\n\n", "extensions: {}\n", "? a\n: - b\n  - *c\n", "A: 1\n...\n",
	} {
		for i := range clients {
			f.Add(text, uint8(i))
		}
	}
	f.Fuzz(func(t *testing.T, text string, i uint8) {
		client := clients[int(i)%len(clients)]
		e := env(t, "linux", nil)
		path := file(t, client, e, text)
		change, err := install.Plan(client, e, stdio, install.Options{Force: true})
		if err != nil {
			return
		}
		_, err = change.Apply()
		require.NoError(t, err)
		again, err := install.Plan(client, e, stdio, install.Options{})
		require.NoError(t, err)
		require.Equal(t, install.Unchanged, again.Status, "%s", change.Text)
		if change.Status == install.Updated { // without it the entry is cut out
			require.NoError(t, os.Remove(path+".echo-mcp.bak"))
		}
		removal, err := install.PlanRemoval(client, e, "echo", install.Options{})
		if err != nil {
			require.ErrorContains(t, err, "by hand")
			return
		}
		_, err = removal.Apply()
		require.NoError(t, err)
		removal, err = install.PlanRemoval(client, e, "echo", install.Options{})
		require.NoError(t, err)
		require.Equal(t, install.Absent, removal.Status, "%s", removal.Text)
	})
}
