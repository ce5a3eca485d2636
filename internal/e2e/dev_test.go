package e2e_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	gosdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// devLimit is how long a change may take to be seen in tests, on a machine that does other things
// too. What it takes on one that does not is in docs/dev.md.
const devLimit = time.Minute

// author is a module with schemas, and the files that its author changes.
type author struct {
	t   *testing.T
	dir string
}

// newAuthor makes a module with so many message types, all of which have a price but for the first.
func newAuthor(t *testing.T, types int) *author {
	t.Helper()
	checkout, err := filepath.Abs("../..")
	require.NoError(t, err)
	a := &author{t, t.TempDir()}
	mod, err := os.ReadFile(filepath.Join(checkout, "go.mod"))
	require.NoError(t, err)
	_, requires, _ := strings.Cut(string(mod), "require (")
	a.write("go.mod", "module example.com/shop\n\ngo 1.26.0\n\ntool github.com/zenlix/echo-mcp/cmd/echo-gen\n\nrequire github.com/zenlix/echo-mcp v0.0.0\n\nreplace github.com/zenlix/echo-mcp => "+checkout+"\n\nrequire ("+requires)
	sums, err := os.ReadFile(filepath.Join(checkout, "go.sum"))
	require.NoError(t, err)
	a.write("go.sum", string(sums))
	a.write("main.go", "package main\n\nimport (\n\t\"example.com/shop/messages\"\n\t\"github.com/zenlix/echo-mcp\"\n)\n\nfunc main() { echomcp.Main(messages.Registry) }\n")
	a.write("messages/generate.go", "package messages\n\n//go:generate go tool echo-gen -schemas ../schemas -out . -package messages\n")
	a.write("schemas/shared/price.json", `{"type": "number", "minimum": 0}`)
	for i := range types {
		price := `, "price": {"$ref": "shared/price.json"}`
		if i == 0 {
			price = ""
		}
		a.write(fmt.Sprintf("schemas/type%d_v1.json", i), `{"title": "first", "type": "object", "properties": {"n": {"type": "integer"}`+price+`}}`)
	}
	return a
}

// write writes a file as editors do: another one that is then renamed.
func (a *author) write(name, text string) {
	a.t.Helper()
	path := filepath.Join(a.dir, filepath.FromSlash(name))
	require.NoError(a.t, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(a.t, os.WriteFile(path+"~", []byte(text), 0o644))
	require.NoError(a.t, os.Rename(path+"~", path))
}

func (a *author) remove(name string) {
	a.t.Helper()
	require.NoError(a.t, os.Remove(filepath.Join(a.dir, filepath.FromSlash(name))))
}

// dev makes the command that the author runs.
func (a *author) dev(ctx context.Context, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, binary, append([]string{"dev"}, args...)...)
	cmd.Dir = a.dir
	cmd.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOPROXY=off", "GOWORK=off", "TMPDIR="+a.t.TempDir())
	return cmd
}

// devClient is go-sdk's client of a server that changes.
type devClient struct {
	*gosdk.ClientSession
	notices atomic.Int64 // that the list of tools changed
}

func (a *author) connect(transport gosdk.Transport) *devClient {
	a.t.Helper()
	c := &devClient{}
	var err error
	c.ClientSession, err = gosdk.NewClient(&gosdk.Implementation{Name: "e2e", Version: "1"}, &gosdk.ClientOptions{
		ToolListChangedHandler: func(context.Context, *gosdk.ToolListChangedRequest) { c.notices.Add(1) },
	}).Connect(a.t.Context(), transport, nil)
	require.NoError(a.t, err)
	return c
}

// answer calls a tool and gives the text of its answer.
func (c *devClient) answer(t *testing.T, tool string, args any) string {
	t.Helper()
	r, err := c.CallTool(t.Context(), &gosdk.CallToolParams{Name: tool, Arguments: args})
	require.NoError(t, err)
	return r.Content[0].(*gosdk.TextContent).Text
}

// until waits until an answer has a text, and logs how long that took.
func (c *devClient) until(t *testing.T, what, tool string, args any, text string) {
	t.Helper()
	begun := time.Now()
	for {
		answer := c.answer(t, tool, args)
		if strings.Contains(answer, text) {
			t.Logf("%s: seen after %.1fs", what, time.Since(begun).Seconds())
			return
		}
		require.Less(t, time.Since(begun), devLimit, "%s: %s", what, answer)
		time.Sleep(20 * time.Millisecond)
	}
}

// noticed waits until the client was told more than before.
func (c *devClient) noticed(t *testing.T, before int64) {
	t.Helper()
	require.Eventually(t, func() bool { return c.notices.Load() > before }, devLimit, 10*time.Millisecond, "no tools/list_changed")
}

// TestDevStdio: what an author does to schemas reaches a client on stdio.
func TestDevStdio(t *testing.T) {
	a := newAuthor(t, 3)
	cmd := a.dev(t.Context())
	c := a.connect(&gosdk.CommandTransport{Command: cmd})
	a.whileCalling(c, func() {
		a.breaksAndMends(c)
		a.changesTheRest(c)
	})
	require.NoError(t, c.Close())
	require.Zero(t, cmd.ProcessState.ExitCode())
}

// TestDevHTTP: and one over HTTP.
func TestDevHTTP(t *testing.T) {
	a := newAuthor(t, 3)
	cmd, url, ended := a.serve()
	c := a.connect(&gosdk.StreamableClientTransport{Endpoint: url})
	a.whileCalling(c, func() { a.breaksAndMends(c) })
	require.NoError(t, c.Close())
	require.NoError(t, cmd.Process.Signal(syscall.SIGINT))
	require.NoError(t, cmd.Wait())
	<-ended
}

// TestDevLeavesNothing: also when it is killed no server outlives it.
func TestDevLeavesNothing(t *testing.T) {
	a := newAuthor(t, 1)
	cmd, url, ended := a.serve()
	c := a.connect(&gosdk.StreamableClientTransport{Endpoint: url})
	c.until(t, "start", "get_schema", map[string]any{"schema_id": "type0_v1"}, "first")
	require.NoError(t, cmd.Process.Kill())
	select {
	case <-ended:
	case <-time.After(devLimit):
		t.Fatal("something of it still runs")
	}
	require.Error(t, cmd.Wait())
}

// serve starts dev over HTTP. ended is closed when no process has its standard error any more:
// neither it nor what it has started.
func (a *author) serve() (cmd *exec.Cmd, url string, ended <-chan struct{}) {
	a.t.Helper()
	cmd = a.dev(a.t.Context(), "--http", "127.0.0.1:0", "--json")
	stderr, ours, err := os.Pipe()
	require.NoError(a.t, err)
	cmd.Stderr = ours
	require.NoError(a.t, cmd.Start())
	require.NoError(a.t, ours.Close())
	events := bufio.NewScanner(stderr)
	for url == "" && events.Scan() {
		var serving struct{ URL string }
		require.NoError(a.t, json.Unmarshal(events.Bytes(), &serving), events.Text())
		url = serving.URL
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		for events.Scan() { //nolint:revive // until nobody writes any more
		}
		_ = stderr.Close()
	}()
	return cmd, url, done
}

// whileCalling has the client call all the time while the author does something. No call may be
// lost.
func (a *author) whileCalling(c *devClient, does func()) {
	t := a.t
	stop := make(chan struct{})
	var calls atomic.Int64
	var calling sync.WaitGroup
	for range 2 {
		calling.Go(func() {
			for {
				select {
				case <-stop:
					return
				case <-time.After(2 * time.Millisecond):
				}
				if _, err := c.CallTool(t.Context(), &gosdk.CallToolParams{Name: "echo", Arguments: echoOf("__schemaless__", `{"n":1}`)}); err != nil {
					t.Errorf("a call was lost: %v", err)
					return
				}
				calls.Add(1)
			}
		})
	}
	defer func() {
		close(stop)
		calling.Wait()
		t.Logf("%d calls, none lost; %d notices", calls.Load(), c.notices.Load())
	}()
	does()
}

// breaksAndMends changes a schema, puts a fault into it, and mends that.
func (a *author) breaksAndMends(c *devClient) {
	t, get := a.t, map[string]any{"schema_id": "type0_v1"}
	c.until(t, "start", "get_schema", get, "first")

	before := c.notices.Load()
	a.write("schemas/type0_v1.json", `{"title": "second", "type": "object", "required": ["n"]}`)
	c.until(t, "a change", "get_schema", get, "second")
	require.Contains(t, c.answer(t, "echo", echoOf("type0_v1", `{}`)), "SCHEMA_VALIDATION_FAILED")
	c.noticed(t, before)

	a.write("schemas/type0_v1.json", `{"title": "third", "type": 5}`)
	c.until(t, "a fault", "echo", echoOf("type1_v1", `{}`), `"code":"INVALID_SCHEMA_DEFINITION"`)
	require.Contains(t, c.answer(t, "get_schema", get), `schemas/type0_v1.json:1:28: /type: `)
	before = c.notices.Load()
	a.write("schemas/type0_v1.json", `{"title": "fourth", "type": "object"}`)
	c.until(t, "mended", "get_schema", get, "fourth")
	c.noticed(t, before)
}

// changesTheRest changes what else there is: a definition that schemas share, which schemas there
// are, and Go code.
func (a *author) changesTheRest(c *devClient) {
	t := a.t
	require.Contains(t, c.answer(t, "echo", echoOf("type1_v1", `{"price":1}`)), `"ok":true`)
	a.write("schemas/shared/price.json", `{"type": "number", "minimum": 2}`)
	c.until(t, "a shared definition", "echo", echoOf("type1_v1", `{"price":1}`), `"path":"/price"`)

	a.write("schemas/deep/er/unused.json", `{"type": "string"}`)
	a.write("schemas/added_v1.json", `{"$ref": "deep/er/unused.json"}`)
	c.until(t, "a new file", "echo", echoOf("added_v1", `"x"`), `"ok":true`)
	a.remove("schemas/added_v1.json")
	c.until(t, "a file removed", "echo", echoOf("added_v1", `"x"`), `SCHEMA_NOT_FOUND`)

	a.write("main.go", "package main\n\nfunc main() { serve() }\n")
	c.until(t, "a fault in Go", "list_schemas", nil, `main.go:3:15: undefined: serve`)
	a.write("main.go", "package main\n\nimport (\n\t\"example.com/shop/messages\"\n\t\"github.com/zenlix/echo-mcp\"\n)\n\nfunc main() {\n\techomcp.Main(messages.Registry.Without(\"type2_v1\"))\n}\n")
	c.until(t, "Go code", "get_schema", map[string]any{"schema_id": "type2_v1"}, `SCHEMA_NOT_FOUND`)
}

// TestDevCompilesWhatChanged: one change among fifty message types compiles that one, and it alone.
func TestDevCompilesWhatChanged(t *testing.T) {
	a := newAuthor(t, 50)
	logged := filepath.Join(a.dir, "compiled")
	a.write("toolexec", "#!/bin/sh\necho \"$@\" >> "+logged+"\nexec \"$@\"\n")
	require.NoError(t, os.Chmod(filepath.Join(a.dir, "toolexec"), 0o755))
	cmd := a.dev(t.Context())
	cmd.Env = append(cmd.Env, "GOFLAGS=-mod=mod -toolexec="+filepath.Join(a.dir, "toolexec"))
	c := a.connect(&gosdk.CommandTransport{Command: cmd})
	get := map[string]any{"schema_id": "type7_v1"}
	c.until(t, "start", "get_schema", get, "first")
	compiled, err := os.ReadFile(logged)
	require.NoError(t, err)
	require.Contains(t, string(compiled), "-p example.com/shop/messages ")
	for _, title := range []string{"second", "third"} {
		require.NoError(t, os.Remove(logged))
		a.write("schemas/type7_v1.json", `{"title": "`+title+`", "type": "object"}`)
		c.until(t, title, "get_schema", get, title)
		compiled, err = os.ReadFile(logged)
		require.NoError(t, err)
		require.Contains(t, string(compiled), "-p example.com/shop/internal/echodevpatch0 ")
		require.NotContains(t, string(compiled), "-p example.com/shop/messages ")
	}
	require.NoError(t, c.Close())
}

// TestDevEras: on stdio a client of each era is told of every change, and of nothing else: one
// that listens since 2026-07-28 sees one stream, however many servers there were.
func TestDevEras(t *testing.T) {
	a := newAuthor(t, 1)
	t.Chdir(a.dir)
	t.Setenv("GOFLAGS", "-mod=mod")
	t.Setenv("GOPROXY", "off")
	t.Setenv("GOWORK", "off")
	t.Setenv("TMPDIR", t.TempDir())
	for era, want := range map[rawclient.Era][]string{
		rawclient.Handshake: {
			`{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`,
			`{"jsonrpc":"2.0","method":"notifications/resources/list_changed"}`,
			`{"jsonrpc":"2.0","method":"notifications/prompts/list_changed"}`,
		},
		rawclient.Stateless: {
			`{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"listen"}}}`,
		},
	} {
		t.Run(string(era), func(t *testing.T) {
			conn, err := rawclient.StartStdio(t.Context(), era, binary, "dev")
			require.NoError(t, err)
			var extra []string
			news := func(n int) {
				require.Eventually(t, func() bool { return len(conn.Extra()) >= n }, devLimit, 10*time.Millisecond)
				extra = nil
				for _, m := range conn.Extra() {
					extra = append(extra, string(m))
				}
			}
			skipped := 0
			if era == rawclient.Stateless {
				require.NoError(t, conn.Send(era.Request(`"listen"`, "subscriptions/listen", []byte(`"notifications":{"toolsListChanged":true}`))))
				news(1)
				require.Contains(t, extra[0], "notifications/subscriptions/acknowledged")
				skipped = 1
			}
			for i := range 2 {
				title := fmt.Sprintf("%s %d", era, i)
				a.write("schemas/type0_v1.json", `{"title": "`+title+`"}`)
				require.Eventually(t, func() bool {
					id := fmt.Sprint(time.Now().UnixNano())
					answer, err := conn.Ask(t.Context(), id, era.Request(id, "tools/call", []byte(`"name":"list_schemas"`)))
					return err == nil && strings.Contains(string(answer), title)
				}, devLimit, 20*time.Millisecond)
				news(skipped + (i+1)*len(want))
				require.Equal(t, want, extra[skipped+i*len(want):])
			}
			require.NoError(t, conn.Close())
		})
	}
}
