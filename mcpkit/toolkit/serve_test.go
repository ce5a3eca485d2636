package toolkit_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"

	mcpclient "github.com/mark3labs/mcp-go/client"
	mcptransport "github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	sdk "github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

// TestT1Identity: the server says who it is.
func TestT1Identity(t *testing.T) {
	t.Parallel()
	s := toolkit.New(toolkit.Info{
		Name: "library", Title: "The library", Version: "1.2.3", Description: "Finds books.", Website: "https://example.com", Icon: "https://example.com/i.png",
	}, toolkit.Options{Instructions: "Search first."})
	add(t, s, "ping", constant("pong"))
	c := &stdioClient{version: recent, conn: s.Connect(t.Context())}
	t.Cleanup(func() { _ = c.conn.Close() })
	_, err := io.WriteString(c.conn, request(recent, "1", "initialize", `{"protocolVersion":"`+recent+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)+"\n")
	require.NoError(t, err)
	var a struct {
		Result struct {
			ServerInfo   json.RawMessage
			Instructions string
			Capabilities json.RawMessage
		}
	}
	require.NoError(t, json.NewDecoder(c.conn).Decode(&a))
	require.JSONEq(t, `{"name":"library","title":"The library","version":"1.2.3","description":"Finds books.","websiteUrl":"https://example.com","icons":[{"src":"https://example.com/i.png"}]}`, string(a.Result.ServerInfo))
	require.Equal(t, "Search first.", a.Result.Instructions)
	require.JSONEq(t, `{"tools":{"listChanged":true},"logging":{}}`, string(a.Result.Capabilities), "what is not there is not declared")
}

// TestT2Dependencies: the toolkit links the standard library, mcp-go and what that needs, the
// reflector and the validator of schemas, and no echo server.
func TestT2Dependencies(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", "{{if not .Standard}}{{.ImportPath}}{{end}}", ".").Output()
	require.NoError(t, err)
	for path := range strings.Lines(string(out)) {
		path = strings.TrimSpace(path)
		for _, not := range []string{"/internal/echo", "/internal/server", "/internal/web", "/internal/cli", "spf13/cobra", "stretchr", "modelcontextprotocol", "/generated"} {
			require.NotContains(t, path, not)
		}
	}
	require.NotContains(t, string(out), "\ntesting\n")
	std, err := exec.CommandContext(t.Context(), "go", "list", "-deps", ".").Output()
	require.NoError(t, err)
	require.NotContains(t, "\n"+string(std), "\ntesting\n", "TestPair needs no package testing")
}

// TestT3Registration: tools are added one after the other, and every mistake of several is seen.
func TestT3Registration(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	err := errors.Join(
		toolkit.Tool(s, "one", "The first.", constant("1"), toolkit.Title("One"), toolkit.WithHints(toolkit.Hints{ReadOnly: true, Idempotent: true, ClosedWorld: true, NonDestructive: true})),
		toolkit.Tool(s, "one", "The same.", constant("2")),
		toolkit.Tool(s, "a/b", "Not a name.", constant("3")),
		toolkit.Tool(s, "two", "The second.", constant("4")),
	)
	require.EqualError(t, err, "tool \"one\": there is a tool of this name already: choose another, or remove that one first\n"+
		"tool \"a/b\": the name must have 1 to 128 characters, each a letter from A to Z or a to z, a digit, or one of _ - .")
	one := toolNamed(t, s, "one")
	require.Equal(t, "One", one.Title)
	require.Equal(t, "The first.", one.Description)
	toolNamed(t, s, "two")
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		a := c.ask(t, "tools/list", "")
		require.Len(t, a.Result.Tools, 2)
		require.Equal(t, "1", c.ask(t, "tools/call", call("one", `{}`)).text(t))
	})
}

// TestT21ServeStdio: a server on stdio answers every call that it has read before its input ends,
// says nothing to blank lines and notifications, and then returns.
func TestT21ServeStdio(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "slow", func(context.Context, none) (string, error) { time.Sleep(50 * time.Millisecond); return "done", nil })
	in := request(old, "1", "initialize", `{"protocolVersion":"`+old+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`) + "\n\n\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n" + request(old, "2", "tools/call", call("slow", `{}`))
	var out bytes.Buffer
	require.NoError(t, s.ServeStdio(t.Context(), strings.NewReader(in), &out))
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	require.Len(t, lines, 2)
	require.Contains(t, lines[1], `"id":2,"result":{"content":[{"type":"text","text":"done"}]`)
	out.Reset()
	require.NoError(t, s.ServeStdio(t.Context(), strings.NewReader("\n\n"), &out))
	require.Empty(t, out.String())

	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r, w := io.Pipe()
	defer w.Close()
	require.NoError(t, s.ServeStdio(ctx, r, &out), "a server whose context ends stops")
	r.Close()
}

// TestT22AnyStreams: any pair of streams will do, several at the same time.
func TestT22AnyStreams(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "ping", constant("pong"))
	ends := make(chan error)
	for range 3 {
		inReader, inWriter := io.Pipe()
		outReader, outWriter := io.Pipe()
		go func() { ends <- s.ServeStdio(t.Context(), inReader, outWriter) }()
		_, err := io.WriteString(inWriter, request(modern, "1", "tools/call", call("ping", `{}`))+"\n")
		require.NoError(t, err)
		var a answered
		require.NoError(t, json.NewDecoder(outReader).Decode(&a))
		require.Equal(t, "pong", a.text(t))
		require.NoError(t, inWriter.Close())
		require.NoError(t, <-ends)
	}
}

type sum struct {
	A int `json:"a"`
	B int `json:"b"`
}

type total struct {
	Sum int `json:"sum"`
}

func addUp(_ context.Context, s sum) (total, error) { return total{s.A + s.B}, nil }

// TestT23InMemory: the clients of mcp-go and of the official SDK speak to a server in memory.
func TestT23InMemory(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "add", addUp)

	conn := s.Connect(t.Context())
	client := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.IOTransport{Reader: conn, Writer: conn}, nil)
	require.NoError(t, err)
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "add", Arguments: sum{2, 3}})
	require.NoError(t, err)
	require.False(t, r.IsError)
	require.Equal(t, map[string]any{"sum": 5.0}, r.StructuredContent)
	require.NoError(t, session.Close())

	conn = s.Connect(t.Context())
	plain := mcpclient.NewClient(mcptransport.NewIO(conn, conn, io.NopCloser(strings.NewReader(""))))
	require.NoError(t, plain.Start(t.Context()))
	_, err = plain.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "t", Version: "1"}}})
	require.NoError(t, err)
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = "add", sum{2, 3}
	result, err := plain.CallTool(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"sum": 5.0}, result.StructuredContent)
	require.NoError(t, plain.Close())
}

// TestHTTPClients: they speak to it over HTTP, too.
func TestHTTPClients(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "add", addUp)
	web := httptest.NewServer(s.Handler())
	defer web.Close()
	defer s.Close()
	own := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}

	client := sdk.NewClient(&sdk.Implementation{Name: "t", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), &sdk.StreamableClientTransport{Endpoint: web.URL + "/mcp", HTTPClient: own}, nil)
	require.NoError(t, err)
	r, err := session.CallTool(t.Context(), &sdk.CallToolParams{Name: "add", Arguments: sum{2, 3}})
	require.NoError(t, err)
	require.Equal(t, map[string]any{"sum": 5.0}, r.StructuredContent)
	r, err = session.CallTool(t.Context(), &sdk.CallToolParams{Name: "add", Arguments: map[string]string{"a": "2"}})
	require.NoError(t, err)
	require.True(t, r.IsError)
	require.NoError(t, session.Close())

	plain, err := mcpclient.NewStreamableHttpClient(web.URL+"/mcp", mcptransport.WithHTTPBasicClient(own))
	require.NoError(t, err)
	require.NoError(t, plain.Start(t.Context()))
	_, err = plain.Initialize(t.Context(), mcp.InitializeRequest{Params: mcp.InitializeParams{ProtocolVersion: mcp.LATEST_PROTOCOL_VERSION, ClientInfo: mcp.Implementation{Name: "t", Version: "1"}}})
	require.NoError(t, err)
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = "add", sum{2, 3}
	result, err := plain.CallTool(t.Context(), request)
	require.NoError(t, err)
	require.Equal(t, map[string]any{"sum": 5.0}, result.StructuredContent)
	require.NoError(t, plain.Close())
}

// TestT24RemovedTools: a tool that was removed is one that there is not; a call under way goes on to
// its end; the name can be used again.
func TestT24RemovedTools(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	everywhere(t, s, func(t *testing.T, c client, _ string) {
		started, release := make(chan bool), make(chan bool)
		add(t, s, "slow", func(context.Context, none) (string, error) { started <- true; <-release; return "done", nil })
		under := make(chan *answered, 1)
		go func() { under <- c.ask(t, "tools/call", call("slow", `{}`)) }()
		<-started
		require.True(t, s.Remove("slow"))
		require.False(t, s.Remove("slow"))
		close(release)
		require.Equal(t, "done", (<-under).text(t))
		a := c.ask(t, "tools/call", call("slow", `{}`))
		require.Equal(t, -32602, a.Error.Code)
		require.Equal(t, `there is no tool "slow"; tools/list has all`, a.Error.Message)
		require.Empty(t, c.ask(t, "tools/list", "").Result.Tools)
	})
}

// TestT25ListChanged: clients that said that they are ready are told once of each change; others are
// told nothing.
func TestT25ListChanged(t *testing.T) {
	t.Parallel()
	const notice = `{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}`
	s, _ := newServer(t, toolkit.Options{})
	c := &stdioClient{version: recent, conn: s.Connect(t.Context())}
	c.lines = newLines(c.conn)
	t.Cleanup(func() { _ = c.conn.Close() })
	add(t, s, "zero", constant(""))
	require.Nil(t, c.ask(t, "initialize", `{"protocolVersion":"`+recent+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`).Error)
	add(t, s, "one", constant(""))
	c.send(t, request(recent, "5", "ping", ""))
	require.Contains(t, c.line(t), `"id":5`, "nothing before the client is ready")
	c.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	require.Nil(t, c.ask(t, "ping", "").Error)
	add(t, s, "two", constant(""))
	require.Equal(t, notice, c.line(t))
	require.True(t, s.Remove("two"))
	require.Equal(t, notice, c.line(t))
	require.False(t, s.Remove("two"), "no change")
	require.Error(t, toolkit.Tool(s, "one", "", constant("")), "no change")
	c.send(t, request(recent, "6", "ping", ""))
	require.Contains(t, c.line(t), `"id":6`)

	m := dialStdio(t, s, modern)
	m.send(t, request(modern, `"listen"`, "subscriptions/listen", `{"notifications":{"toolsListChanged":true}}`))
	require.Contains(t, m.line(t), `"notifications/subscriptions/acknowledged"`)
	add(t, s, "three", constant(""))
	require.JSONEq(t, `{"jsonrpc":"2.0","method":"notifications/tools/list_changed","params":{"_meta":{"io.modelcontextprotocol/subscriptionId":"listen"}}}`, m.line(t))
	m.send(t, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"listen"}}`)

	h := dialHTTP(t, s, recent)
	events := h.listen(t)
	require.NotNil(t, h.ask(t, "ping", ""))
	add(t, s, "four", constant("4"))
	require.Equal(t, notice, <-events)
	require.Equal(t, "4", h.ask(t, "tools/call", call("four", `{}`)).text(t), "an answer is still an answer")
	require.True(t, s.Remove("four"))
	require.Equal(t, notice, <-events)
}

// TestListChangedWaitsForInitialized: over HTTP, too, a client is told nothing before it is ready.
func TestListChangedWaitsForInitialized(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	t.Cleanup(s.Close)
	h := &httpClient{version: recent, url: web.URL + "/mcp"}
	r := h.post(t, request(recent, "0", "initialize", `{"protocolVersion":"`+recent+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`), "", "")
	h.session = r.header.Get("Mcp-Session-Id")
	events := h.listen(t)
	add(t, s, "one", constant(""))
	h.post(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "")
	select {
	case event := <-events:
		t.Fatalf("told before it was ready: %s", event)
	default:
	}
	add(t, s, "two", constant(""))
	require.Contains(t, <-events, "list_changed")
	require.Empty(t, events)
}

// TestT26ToolsWhileConnected: tools come and go while clients list and call them.
func TestT26ToolsWhileConnected(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "stays", addUp)
	var work sync.WaitGroup
	for i := range 4 {
		work.Go(func() {
			for range 25 {
				name := fmt.Sprintf("tool-%d", i)
				if err := toolkit.Tool(s, name, "", addUp); err != nil || !s.Remove(name) {
					t.Errorf("%s: %v", name, err)
				}
			}
		})
		c := toolkit.TestPair(t, s)
		work.Go(func() {
			for range 25 {
				if r, err := c.Call("stays", sum{2, i}); err != nil || r.IsError {
					t.Errorf("%v %v", r, err)
				}
				if tools, err := c.Tools(); err != nil || len(tools) == 0 {
					t.Errorf("%v %v", tools, err)
				}
				_, _ = c.Call(fmt.Sprintf("tool-%d", i), sum{1, 1})
			}
		})
	}
	work.Wait()
	c := toolkit.TestPair(t, s)
	tools, err := c.Tools()
	require.NoError(t, err)
	require.Len(t, tools, 1)
	add(t, s, "new", constant("new"))
	<-c.Changed()
	r, err := c.Call("new", nil)
	require.NoError(t, err)
	require.Equal(t, toolkit.Text("new"), r.Content[0])
}

// TestT29NoEnvironment: the toolkit asks the environment for nothing.
func TestT29NoEnvironment(t *testing.T) {
	t.Parallel()
	out, err := exec.CommandContext(t.Context(), "go", "list", "-deps", "-f", `{{if not .Standard}}{{$d := .Dir}}{{range .GoFiles}}{{$d}}/{{.}}{{"\n"}}{{end}}{{end}}`, ".").Output()
	require.NoError(t, err)
	own := 0
	for file := range strings.Lines(string(out)) {
		file = strings.TrimSpace(file)
		if !strings.Contains(file, "/mcpkit/") {
			continue
		}
		own++
		code := readFile(t, file)
		for _, reads := range []string{"os.Getenv", "os.LookupEnv", "os.Environ", "ProxyFromEnvironment", "http.DefaultTransport", "http.DefaultClient"} {
			require.NotContains(t, code, reads, file)
		}
	}
	require.Greater(t, own, 10)
}

// TestT33TestPair: a test has a connected client, which ends with it, in one line.
func TestT33TestPair(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "add", addUp)
	t.Run("pair", func(t *testing.T) {
		c := toolkit.TestPair(t, s)
		r, err := c.Call("add", sum{2, 3})
		require.NoError(t, err)
		require.Equal(t, `{"sum":5}`, string(r.Structured.(json.RawMessage)))
		_, err = c.Call("add", json.RawMessage(`{"a":`))
		require.ErrorContains(t, err, "error -32700: the message is not JSON", "a call that can't be read is answered, too")
		_, err = c.Call("absent", nil)
		var failure *toolkit.CallError
		require.ErrorAs(t, err, &failure)
		require.Equal(t, -32602, failure.Code)
		t.Cleanup(func() {
			_, err := c.Call("add", sum{2, 3})
			require.NoError(t, err, "it ends after the cleanup of the test")
		})
	})
}

// TestT34OverStdioAndHTTP: a server serves HTTP with the limits and tokens that its options say, and
// stops when its context ends.
func TestT34OverStdioAndHTTP(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{HTTP: toolkit.HTTP{Tokens: []string{"a-token-of-a-test"}, LameDuck: time.Millisecond}})
	add(t, s, "add", addUp)
	ctx, cancel := context.WithCancel(t.Context())
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	url := "http://" + l.Addr().String() + "/mcp"
	c := &httpClient{version: modern, url: url}
	require.Equal(t, http.StatusUnauthorized, c.post(t, request(modern, "1", "tools/list", ""), "tools/list", "").status)
	cancel()
	require.NoError(t, <-served)
	open, _ := newServer(t, toolkit.Options{})
	require.ErrorIs(t, open.ListenAndServe(t.Context(), "0.0.0.0:0"), toolkit.ErrPublicAddress)
}

// TestSlowToolsAnswerOverHTTP: how long a client may take to read an answer does not bound how long
// a tool may take to make it.
func TestSlowToolsAnswerOverHTTP(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{HTTP: toolkit.HTTP{WriteTimeout: 100 * time.Millisecond, LameDuck: time.Millisecond}})
	add(t, s, "slow", func(context.Context, none) (string, error) { time.Sleep(300 * time.Millisecond); return "done", nil })
	ctx, cancel := context.WithCancel(t.Context())
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	require.NoError(t, err)
	served := make(chan error, 1)
	go func() { served <- s.Serve(ctx, l) }()
	c := &httpClient{version: modern, url: "http://" + l.Addr().String() + "/mcp"}
	require.Equal(t, "done", c.ask(t, "tools/call", call("slow", `{}`)).text(t))
	cancel()
	require.NoError(t, <-served)
}

// TestToolsChangeTools: a tool can add and remove tools, itself among them.
func TestToolsChangeTools(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{})
	add(t, s, "once", func(context.Context, none) (bool, error) {
		return s.Remove("once"), toolkit.Tool(s, "next", "", constant("next"))
	}, toolkit.AnyRoot())
	c := toolkit.TestPair(t, s)
	r, err := c.Call("once", nil)
	require.NoError(t, err)
	require.Equal(t, toolkit.Text("true"), r.Content[0])
	<-c.Changed()
	r, err = c.Call("next", nil)
	require.NoError(t, err)
	require.Equal(t, toolkit.Text("next"), r.Content[0])
	_, err = c.Call("once", nil)
	require.ErrorContains(t, err, "there is no tool")
}

// TestStatelessServers: without sessions nobody is told of changes, so nobody is promised that.
func TestStatelessServers(t *testing.T) {
	t.Parallel()
	s, _ := newServer(t, toolkit.Options{HTTP: toolkit.HTTP{Stateless: true}})
	add(t, s, "ping", constant("pong"))
	c := dialHTTP(t, s, recent)
	require.Equal(t, "pong", c.ask(t, "tools/call", call("ping", `{}`)).text(t))
	r := c.post(t, request(recent, "9", "initialize", `{"protocolVersion":"`+recent+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`), "", "")
	require.Contains(t, r.body, `"capabilities":{"tools":{}}`)
	add(t, s, "more", constant(""))
}
