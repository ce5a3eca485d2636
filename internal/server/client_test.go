package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

const (
	initialize  = `{"jsonrpc":"2.0","id":"init","method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`
	initialized = `{"jsonrpc":"2.0","method":"notifications/initialized"}`
	ping        = `{"jsonrpc":"2.0","id":"ping","method":"ping"}`

	// patience is how long a test waits for what must happen.
	patience = 20 * time.Second
)

// client asks a server on either transport.
type client interface {
	// ask sends a message and returns the answer, as it came.
	ask(t *testing.T, message string) string
}

// stdioClient is connected to ServeStdio by pipes.
type stdioClient struct {
	in    *io.PipeWriter
	lines chan string // closed at the end of the output
	ended chan error  // has the result of ServeStdio
}

// startStdio starts ServeStdio. The test's end closes its input; what ServeStdio returns
// then must be nil unless the test takes it from ended.
func startStdio(t *testing.T, ctx context.Context, s *server.Server) *stdioClient {
	t.Helper()
	in, requests := io.Pipe()
	answers, out := io.Pipe()
	c := &stdioClient{in: requests, lines: make(chan string, 10_000), ended: make(chan error, 1)}
	go func() {
		err := s.ServeStdio(ctx, in, out)
		_ = out.Close()
		c.ended <- err
	}()
	go func() {
		defer close(c.lines)
		r := bufio.NewReader(answers)
		for {
			line, err := r.ReadString('\n')
			if err != nil {
				return
			}
			c.lines <- strings.TrimSuffix(line, "\n")
		}
	}()
	t.Cleanup(func() {
		_ = requests.Close()
		_ = in.Close()
		select {
		case err, open := <-c.ended:
			if open {
				require.NoError(t, err)
			}
		case <-time.After(patience):
			t.Error("ServeStdio does not end")
		}
		_ = answers.Close()
		for range c.lines { //nolint:revive // until the reader has ended
		}
	})
	return c
}

func (c *stdioClient) send(t *testing.T, lines ...string) {
	t.Helper()
	for _, l := range lines {
		_, err := io.WriteString(c.in, l+"\n")
		require.NoError(t, err)
	}
}

// next is the next line of output.
func (c *stdioClient) next(t *testing.T) string {
	t.Helper()
	select {
	case line, open := <-c.lines:
		require.True(t, open, "the output has ended")
		return line
	case <-time.After(patience):
		require.Fail(t, "no output")
		return ""
	}
}

func (c *stdioClient) ask(t *testing.T, message string) string {
	t.Helper()
	c.send(t, message)
	return c.next(t)
}

// result waits for ServeStdio to return.
func (c *stdioClient) result(t *testing.T) error {
	t.Helper()
	select {
	case err := <-c.ended:
		close(c.ended)
		return err
	case <-time.After(patience):
		require.Fail(t, "ServeStdio does not end")
		return nil
	}
}

// httpClient is connected to Handler.
type httpClient struct {
	url     string
	session string
}

// startHTTP serves the handler until the test ends.
func startHTTP(t *testing.T, s *server.Server) *httpClient {
	t.Helper()
	ts := httptest.NewServer(s.Handler())
	t.Cleanup(func() {
		s.Close()
		ts.Close()
		http.DefaultClient.CloseIdleConnections()
	})
	c := &httpClient{url: ts.URL + "/mcp"}
	r := c.post(t, initialize, nil)
	require.Equal(t, http.StatusOK, r.status, r.body)
	c.session = r.header.Get("Mcp-Session-Id")
	require.NotEmpty(t, c.session)
	r = c.post(t, initialized, nil)
	require.Equal(t, http.StatusAccepted, r.status)
	require.Empty(t, r.body)
	return c
}

// response is one HTTP response, read whole.
type response struct {
	status int
	header http.Header
	body   string
}

// post posts a message. Headers given override those of the client; "" leaves one out.
func (c *httpClient) post(t *testing.T, message string, header map[string]string) response {
	t.Helper()
	return c.do(t, t.Context(), http.MethodPost, message, header)
}

func (c *httpClient) do(t *testing.T, ctx context.Context, method, message string, header map[string]string) response {
	t.Helper()
	r, err := c.start(ctx, method, message, header)
	require.NoError(t, err)
	defer r.Body.Close()
	body, err := io.ReadAll(r.Body)
	require.NoError(t, err)
	return response{r.StatusCode, r.Header, string(body)}
}

func (c *httpClient) start(ctx context.Context, method, message string, header map[string]string) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, c.url, strings.NewReader(message))
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Accept", "application/json, text/event-stream")
	request.Header.Set("Mcp-Protocol-Version", "2025-11-25")
	if c.session != "" {
		request.Header.Set("Mcp-Session-Id", c.session)
	}
	for name, value := range header {
		switch {
		case name == "Host":
			request.Host = value
		case value == "":
			request.Header.Del(name)
		default:
			request.Header.Set(name, value)
		}
	}
	return http.DefaultClient.Do(request)
}

func (c *httpClient) ask(t *testing.T, message string) string {
	t.Helper()
	return strings.TrimSuffix(c.post(t, message, nil).body, "\n")
}

// overBoth runs a test over both transports, handshake done.
func overBoth(t *testing.T, options transport.Options, test func(t *testing.T, c client)) {
	t.Helper()
	overBothWith(t, options, server.Tools{}, test)
}

// overBothWith is overBoth with other tools.
func overBothWith(t *testing.T, options transport.Options, tools server.Tools, test func(t *testing.T, c client)) {
	t.Helper()
	t.Run("stdio", func(t *testing.T) {
		c := startStdio(t, t.Context(), server.New(testRegistry(), options, tools))
		require.Contains(t, c.ask(t, initialize), `"id":"init","result"`)
		c.send(t, initialized)
		test(t, c)
	})
	t.Run("http", func(t *testing.T) {
		test(t, startHTTP(t, server.New(testRegistry(), options, tools)))
	})
}

// answer is a JSON-RPC response with what the tests look at.
type answer struct {
	JSONRPC string          `json:"jsonrpc"`
	ID      json.RawMessage `json:"id"`
	Result  *struct {
		Content []struct {
			Type, Text string
		} `json:"content"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		IsError           bool            `json:"isError"`
		ResultType        string          `json:"resultType"`
		Meta              map[string]any  `json:"_meta"`
	} `json:"result"`
	Error *struct {
		Code    int    `json:"code"`
		Message string `json:"message"`
	} `json:"error"`
}

func read(t *testing.T, text string) answer {
	t.Helper()
	var a answer
	require.NoError(t, json.Unmarshal([]byte(text), &a), text)
	require.Equal(t, "2.0", a.JSONRPC, text)
	return a
}

// readFailure reads the answer of a failed tool: isError, and one envelope in both places.
func readFailure(t *testing.T, text string) *echo.Error {
	t.Helper()
	a := read(t, text)
	require.NotNil(t, a.Result, text)
	require.True(t, a.Result.IsError, text)
	require.Len(t, a.Result.Content, 1, text)
	require.Equal(t, string(a.Result.StructuredContent), a.Result.Content[0].Text)
	decoder := json.NewDecoder(bytes.NewReader(a.Result.StructuredContent))
	decoder.DisallowUnknownFields()
	var e echo.EchoEnvelope
	require.NoError(t, decoder.Decode(&e), text)
	require.False(t, e.OK)
	require.NotNil(t, e.Error, text)
	return e.Error
}

// call is the call of a tool.
func call(id, tool, arguments string) string {
	return `{"jsonrpc":"2.0","id":` + id + `,"method":"tools/call","params":{"name":"` + tool + `","arguments":` + arguments + `}}`
}
