package e2e_test

import (
	"context"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/e2e"
	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// The tests of this file are named after rows of docs/features.md: each looks at the built
// binary from outside for what its row promises, where no other test does.

// callTool calls a tool and gives the envelope of its answer as it came.
func callTool(t *testing.T, conn rawclient.Conn, id, tool, arguments string) string {
	t.Helper()
	answer, err := conn.Ask(t.Context(), id, conn.Era().Request(id, "tools/call", []byte(`"name":"`+tool+`","arguments":`+arguments)))
	require.NoError(t, err)
	structured, text, err := rawclient.Envelope(answer)
	require.NoError(t, err, string(answer))
	require.JSONEq(t, string(structured), string(text))
	return string(structured)
}

// TestE12NothingIsDefaulted: a schema's default is not filled in, text is not read as a
// number, and members that the schema does not name stay.
func TestE12NothingIsDefaulted(t *testing.T) {
	dir := t.TempDir()
	schema := `{"type":"object","properties":{"n":{"type":"integer","default":5},"on":{"type":"boolean","default":true}}}`
	require.NoError(t, os.Mkdir(filepath.Join(dir, "schemas"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "schemas", "d.json"), []byte(schema), 0o600))
	server := filepath.Join(dir, "echo-mcp")
	require.NoError(t, e2e.Build(t.Context(), "../..", filepath.Join(dir, "schemas"), server))
	everyWay(t, server, nil, func(t *testing.T, conn rawclient.Conn) {
		require.Equal(t, `{"ok":true,"schema_id":"d","payload":{}}`, callTool(t, conn, "1", "echo", `{"schema_id":"d","payload":{}}`))
		require.NoError(t, rawclient.CallEcho(t.Context(), conn, "2", "d", []byte(`{"unknown": {"n":"5"}, "n":5.0}`)))
		require.Contains(t, callTool(t, conn, "3", "echo", `{"schema_id":"d","payload":{"n":"5"}}`), `"path":"/n","message":"must be integer`)
		require.Contains(t, callTool(t, conn, "4", "echo", `{"schema_id":"d","payload":{"on":"true"}}`), `"path":"/on","message":"must be boolean`)
	})
}

// TestE20SessionsSeeTheSame: two sessions, one of which has used the server before, get the
// same list.
func TestE20SessionsSeeTheSame(t *testing.T) {
	s, err := rawclient.StartHTTP(t.Context(), binary)
	require.NoError(t, err)
	first, err := rawclient.DialHTTP(t.Context(), rawclient.Handshake, s.URL)
	require.NoError(t, err)
	list := callTool(t, first, "1", "list_schemas", `{}`)
	require.Contains(t, list, `"schema_id":"zenlix-agent-stage-v1"`)
	require.NoError(t, rawclient.CallEcho(t.Context(), first, "2", "__schemaless__", []byte(`{"schema_id":"of_mine"}`)))
	second, err := rawclient.DialHTTP(t.Context(), rawclient.Handshake, s.URL)
	require.NoError(t, err)
	require.Equal(t, list, callTool(t, second, "1", "list_schemas", `{}`), "the second session's list")
	require.Equal(t, list, callTool(t, first, "3", "list_schemas", `{}`), "the first session's list, again")
	require.NoError(t, first.Close())
	require.NoError(t, second.Close())
	require.NoError(t, s.Stop())
}

// TestE21NoVersions: no answer has a member about a schema's version, and no tool takes one.
func TestE21NoVersions(t *testing.T) {
	everyWay(t, binary, nil, func(t *testing.T, conn rawclient.Conn) {
		for i, c := range []struct {
			tool, arguments string
			members         []string
		}{
			{"list_schemas", `{}`, []string{"schemas"}},
			{"get_schema", `{"schema_id":"zenlix-agent-stage-v1"}`, []string{"schema_id", "description", "builtin", "schema"}},
			{"echo", `{"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"a"}}`, []string{"ok", "schema_id", "payload"}},
		} {
			var envelope map[string]json.RawMessage
			require.NoError(t, json.Unmarshal([]byte(callTool(t, conn, strconv.Itoa(i+1), c.tool, c.arguments)), &envelope))
			require.ElementsMatch(t, c.members, names(envelope), "the members of what %s answers", c.tool)
			var list []map[string]json.RawMessage
			if schemas, ok := envelope["schemas"]; ok {
				require.NoError(t, json.Unmarshal(schemas, &list))
			}
			for _, schema := range list {
				require.Subset(t, []string{"schema_id", "title", "description", "builtin"}, names(schema))
			}
		}
		answer, err := conn.Ask(t.Context(), "9", conn.Era().Request("9", "tools/list", nil))
		require.NoError(t, err)
		var listed struct {
			Result struct {
				Tools []struct {
					Name        string
					InputSchema struct{ Properties map[string]json.RawMessage }
				}
			}
		}
		require.NoError(t, json.Unmarshal(answer, &listed))
		require.Len(t, listed.Result.Tools, 3)
		for _, tool := range listed.Result.Tools {
			require.Subset(t, []string{"schema_id", "payload"}, names(tool.InputSchema.Properties), "what %s takes", tool.Name)
		}
	})
}

func names(members map[string]json.RawMessage) []string {
	list := make([]string, 0, len(members))
	for name := range members {
		list = append(list, name)
	}
	return list
}

// TestE22AnyID: ids that are no file names, no identifiers, or members of every object in
// JavaScript are listed, got and echoed by just that id.
func TestE22AnyID(t *testing.T) {
	ids := []string{"a/b", "über v1", "type", "__proto__", "100%", "..", "😀"}
	dir := t.TempDir()
	var entries []string
	for _, id := range ids {
		quoted, err := json.Marshal(id)
		require.NoError(t, err)
		entries = append(entries, `{"schema_id":`+string(quoted)+`,"schema":{"const":`+string(quoted)+`}}`)
	}
	config := filepath.Join(dir, "builtin-schemas.json")
	require.NoError(t, os.WriteFile(config, []byte(`{"schemas":[`+strings.Join(entries, ",")+"]}"), 0o600))
	out, err := exec.CommandContext(t.Context(), binary, "import", config, "--dir", filepath.Join(dir, "schemas")).CombinedOutput()
	require.NoError(t, err, string(out))
	server := filepath.Join(dir, "echo-mcp")
	require.NoError(t, e2e.Build(t.Context(), "../..", filepath.Join(dir, "schemas"), server))
	everyWay(t, server, nil, func(t *testing.T, conn rawclient.Conn) {
		var list struct {
			Schemas []struct {
				ID string `json:"schema_id"`
			}
		}
		require.NoError(t, json.Unmarshal([]byte(callTool(t, conn, "1", "list_schemas", `{}`)), &list))
		var listed []string
		for _, schema := range list.Schemas {
			listed = append(listed, schema.ID)
		}
		require.ElementsMatch(t, append([]string{"__schemaless__"}, ids...), listed)
		for i, id := range ids {
			quoted, err := json.Marshal(id)
			require.NoError(t, err)
			require.NoError(t, rawclient.CallEcho(t.Context(), conn, strconv.Itoa(10+i), id, quoted))
			require.Contains(t, callTool(t, conn, strconv.Itoa(20+i), "get_schema", `{"schema_id":`+string(quoted)+`}`), `{"const":`+string(quoted)+`}`)
			require.Contains(t, callTool(t, conn, strconv.Itoa(30+i), "echo", `{"schema_id":`+string(quoted)+`,"payload":1}`), `"code":"SCHEMA_VALIDATION_FAILED"`)
		}
	})
}

// TestE27OneOrder: twenty runs, each in a process of its own, print the same faults in the
// same order, which is that of the document.
func TestE27OneOrder(t *testing.T) {
	payload := `{"zz":1,"steps":[{"tool":1,"outcome":{"status":"no"}},2],"aa":1,"run_id":3,"agent":{"b":1,"a":1}}`
	var want string
	for run := range 20 {
		conn, err := rawclient.StartStdio(t.Context(), rawclient.Handshake, binary, "serve")
		require.NoError(t, err)
		got := callTool(t, conn, "1", "echo", `{"schema_id":"tool_run_report_v1","payload":`+payload+`}`)
		require.NoError(t, conn.Close())
		if run == 0 {
			want = got
		}
		require.Equal(t, want, got, "run %d", run)
	}
	at := -1
	for _, path := range []string{"/zz", "/steps/0/tool", "/steps/1", "/aa", "/run_id", "/agent/b", "/agent/a"} {
		next := strings.Index(want, `{"path":"`+path+`"`)
		require.Greater(t, next, at, "the fault at %s does not stand where the document has it: %s", path, want)
		at = next
	}
}

// TestE34PortAndPath: the port is that of PORT where the flag has none, the host is loopback
// where the flag has none, and the protocol is at /mcp.
func TestE34PortAndPath(t *testing.T) {
	for _, flag := range []string{"127.0.0.1", ":PORT"} {
		free, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
		require.NoError(t, err)
		_, port, err := net.SplitHostPort(free.Addr().String())
		require.NoError(t, err)
		require.NoError(t, free.Close())

		cmd := exec.CommandContext(t.Context(), binary, "serve", "--http", strings.ReplaceAll(flag, "PORT", port))
		cmd.Env = append(os.Environ(), "PORT="+port)
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool {
			conn, err := (&net.Dialer{}).DialContext(t.Context(), "tcp", "127.0.0.1:"+port)
			return err == nil && conn.Close() == nil
		}, 30*time.Second, 20*time.Millisecond, "nothing listens on 127.0.0.1 at the port in PORT")
		conn, err := rawclient.DialHTTP(t.Context(), rawclient.Handshake, "http://127.0.0.1:"+port+"/mcp")
		require.NoError(t, err)
		require.NoError(t, rawclient.CallEcho(t.Context(), conn, "1", "__schemaless__", []byte(`1.0`)))
		require.NoError(t, conn.Close())
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		require.NoError(t, cmd.Wait())
	}
}

// TestE35Inspector: the binary serves the page, with the scripts that it names.
func TestE35Inspector(t *testing.T) {
	s, err := rawclient.StartHTTP(t.Context(), binary)
	require.NoError(t, err)
	page := fetch(t, strings.TrimSuffix(s.URL, "/mcp")+"/inspector", "text/html")
	require.Contains(t, page, "<title>Echo MCP")
	require.Contains(t, page, "app.js")
	require.NotEmpty(t, fetch(t, strings.TrimSuffix(s.URL, "/mcp")+"/inspector/app.js", "text/javascript"))
	require.NoError(t, s.Stop())
}

func fetch(t *testing.T, url, contentType string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	require.NoError(t, err)
	answer, err := http.DefaultClient.Do(request)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode, url)
	require.Contains(t, answer.Header.Get("Content-Type"), contentType, url)
	return string(body)
}

// TestE36Identity: the handshake says name, title, version, description and website, and the
// version is that which the command prints.
func TestE36Identity(t *testing.T) {
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, binary, "serve")
	cmd.Stdin = strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"test","version":"1"}}}` + "\n")
	out, err := cmd.Output()
	require.NoError(t, err)
	var answer struct {
		Result struct {
			ServerInfo struct {
				Name, Title, Version, Description, WebsiteURL string
				Icons                                         []struct{ Src string }
			}
		}
	}
	require.NoError(t, json.Unmarshal(out, &answer))
	info := answer.Result.ServerInfo
	require.Equal(t, "echo-mcp", info.Name)
	require.Equal(t, "Echo MCP", info.Title)
	require.Equal(t, "https://github.com/zenlix/echo-mcp", info.WebsiteURL)
	require.Contains(t, info.Description, "byte for byte")
	require.NotEmpty(t, info.Icons)
	require.Regexp(t, "^data:image/", info.Icons[0].Src)
	version, err := exec.CommandContext(ctx, binary, "version").Output()
	require.NoError(t, err)
	require.NotEmpty(t, info.Version)
	require.Contains(t, string(version), info.Version, "echo-mcp version")
}
