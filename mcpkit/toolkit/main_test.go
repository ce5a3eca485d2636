package toolkit_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// none is a tool's arguments where it takes none.
type none struct{}

// newServer makes a server whose log is kept.
func newServer(t *testing.T, options toolkit.Options) (*toolkit.Server, *log) {
	t.Helper()
	l := &log{}
	options.Logger = slog.New(slog.NewJSONHandler(l, &slog.HandlerOptions{Level: slog.LevelDebug}))
	s := toolkit.New(toolkit.Info{Name: "library", Version: "1.2.3"}, options)
	t.Cleanup(s.Close)
	return s, l
}

// log keeps what is logged.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(b []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(b)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// constant is a tool that always returns the same.
func constant[Out any](value Out) func(context.Context, none) (Out, error) {
	return func(context.Context, none) (Out, error) { return value, nil }
}

// add adds a tool that must be right.
func add[In, Out any](t *testing.T, s *toolkit.Server, name string, handler func(context.Context, In) (Out, error), options ...toolkit.ToolOption) {
	t.Helper()
	require.NoError(t, toolkit.Tool(s, name, "A tool for tests.", handler, options...))
}

// answered is the answer to a request, whose members are as they were sent.
type answered struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result *struct {
		Content    json.RawMessage `json:"content"`
		Structured json.RawMessage `json:"structuredContent"`
		IsError    bool            `json:"isError"`
		Meta       json.RawMessage `json:"_meta"`
		Tools      []toolkit.ToolInfo
		ServerInfo json.RawMessage `json:"serverInfo"`

		Capabilities                                              json.RawMessage
		Resources, ResourceTemplates, Prompts, Contents, Messages json.RawMessage
		NextCursor                                                *string
	} `json:"result"`
	Error *struct {
		Code    int             `json:"code"`
		Message string          `json:"message"`
		Data    json.RawMessage `json:"data"`
	} `json:"error"`
}

// text is the text of the first block.
func (a *answered) text(t *testing.T) string {
	t.Helper()
	require.NotNil(t, a.Result, "%+v", a.Error)
	var blocks []struct{ Text string }
	require.NoError(t, json.Unmarshal(a.Result.Content, &blocks))
	require.NotEmpty(t, blocks)
	return blocks[0].Text
}

// The versions of the protocol that tests speak: before input errors were results, since, and
// without sessions.
const (
	old    = "2025-06-18"
	recent = "2025-11-25"
	modern = "2026-07-28"
)

// client speaks one version of the protocol over one transport.
type client interface {
	// ask sends a request and gives the answer.
	ask(t *testing.T, method, params string) *answered
}

// request makes a request. Since 2026-07-28 each one names the version.
func request(version, id, method, params string) string {
	if params == "" {
		params = "{}"
	}
	if version == modern {
		meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"` + modern + `","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
		if params != "{}" {
			meta += ","
		}
		params = "{" + meta + params[1:]
	}
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"` + method + `","params":` + params + `}`
}

func call(tool, arguments string) string {
	return `{"name":"` + tool + `","arguments":` + arguments + `}`
}

// stdioClient speaks over a connection in memory, which is the transport of stdio.
type stdioClient struct {
	version string
	conn    io.ReadWriteCloser
	lines   *bufio.Reader
	last    int
}

func dialStdio(t *testing.T, s *toolkit.Server, version string) *stdioClient {
	t.Helper()
	c := &stdioClient{version: version, conn: s.Connect(t.Context())}
	c.lines = newLines(c.conn)
	t.Cleanup(func() {
		_ = c.conn.Close()
		_, _ = io.Copy(io.Discard, c.lines)
	})
	if version != modern {
		a := c.ask(t, "initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`)
		require.Nil(t, a.Error)
		c.send(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	}
	return c
}

func (c *stdioClient) send(t *testing.T, message string) {
	t.Helper()
	_, err := io.WriteString(c.conn, message+"\n")
	require.NoError(t, err)
}

// line reads the next message.
func (c *stdioClient) line(t *testing.T) string {
	t.Helper()
	line, err := c.lines.ReadString('\n')
	require.NoError(t, err)
	return strings.TrimSuffix(line, "\n")
}

func (c *stdioClient) ask(t *testing.T, method, params string) *answered {
	t.Helper()
	c.last++
	c.send(t, request(c.version, fmt.Sprint(c.last), method, params))
	for {
		a := &answered{}
		line := c.line(t)
		require.NoError(t, json.Unmarshal([]byte(line), a), line)
		if strings.HasSuffix(a.Method, "/list_changed") {
			continue
		}
		require.Equal(t, fmt.Sprint(c.last), string(a.ID), line)
		return a
	}
}

// httpClient speaks over HTTP.
type httpClient struct {
	version, url, session string
	last                  int
}

func dialHTTP(t *testing.T, s *toolkit.Server, version string) *httpClient {
	t.Helper()
	web := httptest.NewServer(s.Handler())
	t.Cleanup(web.Close)
	t.Cleanup(s.Close)
	c := &httpClient{version: version, url: web.URL + "/mcp"}
	if version != modern {
		r := c.post(t, request(version, "0", "initialize", `{"protocolVersion":"`+version+`","capabilities":{},"clientInfo":{"name":"t","version":"1"}}`), "", "")
		c.session = r.header.Get("Mcp-Session-Id")
		c.post(t, `{"jsonrpc":"2.0","method":"notifications/initialized"}`, "", "")
	}
	return c
}

type response struct {
	status int
	header http.Header
	body   string
}

func (c *httpClient) post(t *testing.T, message, method, name string) response {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, c.url, strings.NewReader(message))
	require.NoError(t, err)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", c.version)
	if c.session != "" {
		r.Header.Set("Mcp-Session-Id", c.session)
	}
	if c.version == modern {
		r.Header.Set("Mcp-Method", method)
		if name != "" {
			r.Header.Set("Mcp-Name", name)
		}
	}
	// A client of its own, so that no connection is left.
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	require.NoError(t, err)
	defer answer.Body.Close()
	body, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	return response{answer.StatusCode, answer.Header, string(body)}
}

func (c *httpClient) ask(t *testing.T, method, params string) *answered {
	t.Helper()
	c.last++
	var named struct{ Name, URI string }
	_ = json.Unmarshal([]byte(params), &named)
	r := c.post(t, request(c.version, fmt.Sprint(c.last), method, params), method, named.Name+named.URI)
	body := r.body
	if strings.HasPrefix(r.header.Get("Content-Type"), "text/event-stream") {
		_, data, found := strings.Cut(body, "data: ")
		require.True(t, found, body)
		body, _, _ = strings.Cut(data, "\n\n")
	}
	a := &answered{}
	require.NoError(t, json.Unmarshal([]byte(body), a), body)
	require.Equal(t, fmt.Sprint(c.last), string(a.ID), body)
	return a
}

// everywhere runs a test over both transports and in all versions.
func everywhere(t *testing.T, s *toolkit.Server, test func(t *testing.T, c client, version string)) {
	t.Helper()
	for _, version := range []string{old, recent, modern} {
		t.Run("stdio "+version, func(t *testing.T) { test(t, dialStdio(t, s, version), version) })
		t.Run("http "+version, func(t *testing.T) { test(t, dialHTTP(t, s, version), version) })
	}
}

// newLines reads lines.
func newLines(r io.Reader) *bufio.Reader { return bufio.NewReaderSize(r, 1<<20) }

// readFile gives the text of a file.
func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	require.NoError(t, err)
	return string(text)
}

// listen opens the stream of a session, and gives its messages.
func (c *httpClient) listen(t *testing.T) <-chan string {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, c.url, http.NoBody)
	require.NoError(t, err)
	r.Header.Set("Accept", "text/event-stream")
	r.Header.Set("Mcp-Session-Id", c.session)
	r.Header.Set("Mcp-Protocol-Version", c.version)
	answer, err := (&http.Client{Transport: &http.Transport{DisableKeepAlives: true}}).Do(r)
	require.NoError(t, err)
	require.Equal(t, http.StatusOK, answer.StatusCode)
	events := make(chan string, 10)
	ended := make(chan bool)
	lines := bufio.NewScanner(answer.Body)
	require.True(t, lines.Scan(), "the comment that begins the stream")
	go func() {
		defer close(ended)
		for lines.Scan() {
			if data, ok := strings.CutPrefix(lines.Text(), "data: "); ok {
				events <- data
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
		_ = answer.Body.Close()
	})
	return events
}
