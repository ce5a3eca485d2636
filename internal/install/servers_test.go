package install_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/install"
)

// launches writes a client's file and reads its servers.
func launches(t *testing.T, name, text string) (*install.Launches, string, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.FromSlash(name))
	require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	l, err := install.ReadLaunches(path, install.Env{})
	return l, path, err
}

// TestReadLaunches: the entry of a server in the file of each client that install knows.
func TestReadLaunches(t *testing.T) {
	t.Parallel()
	set := map[string]string{"TOKEN": "hush", "NAME": "n", "EMPTY": ""}
	started := install.Launch{Name: "s", Command: "npx", Args: []string{"-y", "x"}, Env: []string{"A=1", "B=hush"}}
	asked := install.Launch{Name: "s", URL: "https://x.test/mcp", Headers: map[string]string{"Authorization": "Bearer hush"}}
	for _, c := range []struct {
		client, file, text string
		want               install.Launch
	}{
		{"claude-code", ".mcp.json", `{"mcpServers":{"s":{"type":"stdio","command":"npx","args":["-y","x"],"env":{"B":"${TOKEN}","A":"1"}}}}`, started},
		{"claude-code", ".mcp.json", `{"mcpServers":{"s":{"type":"http","url":"https://${HOST:-x.test}/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}}}`, asked},
		{"claude-code", ".claude.json", `{"projects":{"HERE":{"mcpServers":{"s":{"command":"npx","args":["-y","x"],"env":{"A":"1","B":"${TOKEN}"}}}}},"mcpServers":{"s":{"command":"other"}}}`, started},
		{"claude-code", ".claude.json", `{"projects":{"ABOVE":{"mcpServers":{"s":{"command":"npx","args":["-y","x"],"env":{"A":"1","B":"${TOKEN}"}}}}}}`, started},
		{"claude-desktop", "claude_desktop_config.json", `{"mcpServers":{"s":{"command":"npx","args":["-y","x"],"env":{"A":"1","B":"hush"}}}}`, started},
		{"cursor", ".cursor/mcp.json", "\uFEFF// mine\n{\"mcpServers\":{\"s\":{\"command\":\"npx\",\"args\":[\"-y\",\"x\",],\"env\":{\"A\":1,\"B\":\"${env:TOKEN}\"}},}}", started},
		{"cursor", "mcp.json", `{"mcpServers":{"s":{"url":"https://x.test/mcp","headers":{"Authorization":"Bearer ${env:TOKEN}"}}}}`, asked},
		{"vscode", ".vscode/mcp.json", `{"inputs":[],"servers":{"s":{"type":"stdio","command":"npx","args":["-y","x"],"env":{"A":"1","B":"${env:TOKEN}","C":null}}}}`, started},
		{"vscode", ".vscode/mcp.json", `{"servers":{"s":{"type":"http","url":"https://x.test/mcp","headers":{"Authorization":"Bearer ${env:TOKEN}"}}}}`, asked},
		{"vscode", "settings.json", `{"mcp":{"servers":{"s":{"command":"npx","args":["-y","x"],"env":{"A":"1","B":"${env:TOKEN}"}}}}}`, started},
		{"vscode", ".vscode/mcp.json", `{"servers":{"s":{"command":"${workspaceFolder}${/}run","args":["${workspaceFolderBasename}","${userHome}${pathSeparator}a","${unknown.thing}","${command:x}"],"cwd":"${workspaceFolder}"}}}`, install.Launch{Name: "s", Command: "WS/run", Args: []string{"BASE", "/home/me/a", "${unknown.thing}", "${command:x}"}, Dir: "WS"}},
		{"codex", "config.toml", "model = \"x\"\n[mcp_servers.s]\ncommand = \"npx\"\nargs = [\"-y\", \"x\"]\nenv = { A = \"1\", B = \"hush\" }\n", started},
		{"codex", "config.toml", "[mcp_servers.s]\nurl = \"https://x.test/mcp\"\nbearer_token_env_var = \"TOKEN\"\n", asked},
		{"codex", "config.toml", "[mcp_servers.s]\nurl = \"https://x.test/mcp\"\n[mcp_servers.s.http_headers]\nX = \"${TOKEN}\"\n[mcp_servers.s.env_http_headers]\nY = \"TOKEN\"\n", install.Launch{Name: "s", URL: "https://x.test/mcp", Headers: map[string]string{"X": "${TOKEN}", "Y": "hush"}}},
		{"gemini", ".gemini/settings.json", `{"theme":"x","mcpServers":{"s":{"command":"npx","args":["-y","x"],"env":{"A":"1","B":"$TOKEN"}}}}`, started},
		{"gemini", ".gemini/settings.json", `{"mcpServers":{"s":{"httpUrl":"https://x.test/mcp","headers":{"Authorization":"Bearer ${TOKEN}"}}}}`, asked},
		{"qwen", ".qwen/settings.json", `{"mcpServers":{"s":{"httpUrl":"https://x.test/mcp","headers":{"Authorization":"Bearer $TOKEN"}}}}`, asked},
		{"kimi", "mcp.json", `{"mcpServers":{"s":{"url":"https://x.test/mcp","headers":{"Authorization":"Bearer hush"}}}}`, asked},
		{"windsurf", "mcp_config.json", `{"mcpServers":{"s":{"serverUrl":"https://x.test/mcp","headers":{"Authorization":"Bearer ${env:TOKEN}"}}}}`, asked},
		{"zed", "settings.json", `{"context_servers":{"s":{"source":"custom","command":"npx","args":["-y","x"],"env":{"A":"1","B":"hush"}}, /* of an extension */ "e":{"settings":{}}}}`, started},
		{"zed", "settings.json", `{"context_servers":{"s":{"command":{"path":"npx","args":["-y","x"],"env":{"A":"1","B":"hush"}}}}}`, started},
		{"zed", "settings.json", `{"context_servers":{"s":{"command":"sh","args":["-c","echo ${TOKEN}"]}}}`, install.Launch{Name: "s", Command: "sh", Args: []string{"-c", "echo ${TOKEN}"}}},
		{"cline", "cline_mcp_settings.json", `{"mcpServers":{"s":{"type":"streamableHttp","url":"https://x.test/mcp","headers":{"Authorization":"Bearer hush"}}}}`, asked},
		{"cline", "cline_mcp_settings.json", `{"mcpServers":{"s":{"transport":{"type":"stdio","command":"npx","args":["-y","x"],"env":{"A":"1","B":"hush"}}}}}`, started},
		{"opencode", "opencode.jsonc", `{"mcp":{"s":{"type":"local","command":["npx","-y","x"],"environment":{"A":"1","B":"{env:TOKEN}"},"enabled":false}}}`, started},
		{"opencode", "opencode.json", `{"mcp":{"timeout":5,"servers":{"s":{"type":"remote","url":"https://x.test/mcp","headers":{"Authorization":"Bearer {env:TOKEN}"}}}}}`, asked},
		{"goose", "config.yaml", "extensions:\n  developer:\n    type: builtin\n    enabled: true\n  s:\n    type: stdio\n    cmd: npx\n    args: [-y, x]\n    envs: {A: 1, B: \"${TOKEN}\"}\n", started},
		{"goose", "config.yaml", "extensions:\n  s:\n    type: streamable_http\n    uri: https://x.test/mcp\n    headers:\n      Authorization: Bearer ${TOKEN}\n", asked},
	} {
		here, err := os.Getwd()
		require.NoError(t, err)
		text := strings.NewReplacer("HERE", filepath.ToSlash(here), "ABOVE", filepath.ToSlash(filepath.Dir(here))).Replace(c.text)
		l, path, err := launches(t, c.file, text)
		require.NoError(t, err, c.text)
		require.Equal(t, []string{"s"}, l.Names(), c.text)
		e := install.Env{Home: "/home/me", Getenv: func(name string) string { return set[name] }}
		got, err := l.Find("", e)
		require.NoError(t, err, c.text)
		workspace := filepath.Dir(filepath.Dir(path))
		c.want.Command, c.want.Dir = strings.Replace(c.want.Command, "WS", workspace, 1), strings.Replace(c.want.Dir, "WS", workspace, 1)
		if len(c.want.Args) > 0 && c.want.Args[0] == "BASE" {
			c.want.Args[0] = filepath.Base(workspace)
		}
		if c.want.URL != "" && c.want.Headers == nil {
			c.want.Headers = map[string]string{}
		}
		require.Equal(t, c.want, got, "%s: %s", c.client, c.text)
		named, err := l.Find("s", e)
		require.NoError(t, err)
		require.Equal(t, got, named)
	}
}

// TestReadLaunchesOfAClient: the name of a client stands for its file.
func TestReadLaunchesOfAClient(t *testing.T) {
	t.Parallel()
	e := env(t, "linux", nil)
	file(t, "codex", e, "[mcp_servers.s]\ncommand = \"x\"\n")
	l, err := install.ReadLaunches("codex", e)
	require.NoError(t, err)
	require.Equal(t, []string{"s"}, l.Names())
	_, err = install.ReadLaunches("goose", e)
	require.ErrorContains(t, err, filepath.Join(e.Home, ".config", "goose", "config.yaml")+": can't be read: no such file or directory")
}

// TestFindFaults: what is wrong with a wish or an entry, in the words of who wrote it.
func TestFindFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ file, text, server, want string }{
		{"a.json", `{"mcpServers":{"github":{"command":"a"},"files":{"command":"b"}}}`, "", `has several servers; choose one with --server: files, github`},
		{"a.json", `{"mcpServers":{"github":{"command":"a"},"files":{"command":"b"}}}`, "gihtub", `has no server "gihtub"; did you mean github?`},
		{"a.json", `{"mcpServers":{"github":{"command":"a"},"files":{"command":"b"}}}`, "zzz", `has no server "zzz"; it has files, github`},
		{"a.json", `{"mcpServers":{}}`, "x", "it has no servers"},
		{"a.json", `{"other":1}`, "", "it has no servers"},
		{"a.json", `{"mcpServers":[]}`, "", "it has no servers"},
		{"a.json", `{"mcpServers":{"s":{"command":""}}}`, "", `the server "s" has neither a command nor a URL`},
		{"a.json", `{"mcpServers":{"s":{"command":"a","env":{"T":"${MISSING}"}}}}`, "s", `the server "s" needs the variable MISSING, which is not set in the environment`},
		{"a.json", `{"servers":{"s":{"command":"a","args":["${input:key}"]}}}`, "s", `the server "s" asks for the input "key", which only the client can ask for`},
		{"a.toml", "[mcp_servers.s]\nurl = \"http://x\"\nbearer_token_env_var = \"MISSING\"\n", "s", `needs the variable MISSING`},
		{"a.json", `{"mcp":{"s":{"command":["a","{file:gone.txt}"]}}}`, "s", "gone.txt, which can't be read"},
		{"a.json", `{"mcpServers":{"s":{"type":"sse","url":"http://x/sse"}}}`, "", `the older transport "sse", which is not supported`},
	} {
		l, _, err := launches(t, c.file, c.text)
		require.NoError(t, err, c.text)
		_, err = l.Find(c.server, install.Env{Getenv: func(string) string { return "" }})
		require.ErrorContains(t, err, c.want, c.text)
	}
	for _, c := range []struct{ file, text, want string }{
		{"a.json", `{"mcpServers":`, "a.json: not JSON: "},
		{"a.toml", "x = ", "a.toml: not TOML: line 1"},
		{"a.yaml", "a: [", "a.yaml: not YAML"},
		{"a.json", `{"a":1,"a":2}`, `the member name "a" is repeated`},
	} {
		_, _, err := launches(t, c.file, c.text)
		var fault *install.FileError
		require.ErrorAs(t, err, &fault)
		require.ErrorContains(t, err, c.want)
		require.NotContains(t, err.Error(), "try again", "the person does not add a server")
	}
}

// TestLaunchWarnings: what a client would read and this package does not is said.
func TestLaunchWarnings(t *testing.T) {
	t.Parallel()
	l, _, err := launches(t, "mcp.json", `{"servers":{"s":{"command":"a","envFile":".env"}}}`)
	require.NoError(t, err)
	got, err := l.Find("", install.Env{})
	require.NoError(t, err)
	require.Len(t, got.Warnings, 1)
	require.Contains(t, got.Warnings[0], `"envFile" of the server "s" is not read`)
}
