package lint_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/lint"
)

// TestMain lets the test binary act as a server over stdio, as FAKE_SERVER says.
func TestMain(m *testing.M) {
	if behaviour := os.Getenv("FAKE_SERVER"); behaviour != "" {
		fakeStdio(behaviour)
		return
	}
	os.Exit(m.Run())
}

// pages are lists of tools by cursor.
var pages = map[string]string{
	"":  `{"tools":[{"name":"a","description":"A","inputSchema":{"type":"object" , "x":1e400}}],"nextCursor":"2"}`,
	"2": `{"tools":[{"name":"b","inputSchema":true,"outputSchema":{}},{"name":"c"}]}`,
}

// answer is what a fake server answers to a message, "" where it owes nothing.
func answer(behaviour string, message []byte) string {
	var request struct {
		ID     json.RawMessage
		Method string
		Params struct{ Cursor string }
	}
	if json.Unmarshal(message, &request) != nil || request.ID == nil {
		return ""
	}
	result := func(text string) string {
		return `{"jsonrpc":"2.0","id":` + string(request.ID) + `,"result":` + text + `}`
	}
	fault := func(code int, text string) string {
		quoted, err := json.Marshal(text)
		if err != nil {
			panic(err) //nolint:forbidigo // a string
		}
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"error":{"code":%d,"message":%s}}`, request.ID, code, quoted)
	}
	switch {
	case behaviour == "modern" && request.Method == "server/discover":
		return result(`{"supportedVersions":["2026-07-28"],"protocolVersion":"2026-07-28","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`)
	case behaviour == "modern" && request.Method == "initialize":
		return fault(-32601, "no such method")
	case behaviour == "unwilling":
		return fault(-32000, "not \x1b[31mtoday")
	case request.Method == "initialize":
		return result(`{"protocolVersion":"2025-06-18","capabilities":{"tools":{}},"serverInfo":{"name":"fake","version":"1"}}`)
	case request.Method != "tools/list":
		return fault(-32601, "no such method")
	case behaviour == "no tools":
		return fault(-32601, "no such method")
	case behaviour == "refuses":
		return fault(-32000, "ask \x1b[31mlater")
	case behaviour == "endless":
		return result(`{"tools":[],"nextCursor":"again"}`)
	case behaviour == "no list":
		return result(`{"tools":7}`)
	}
	return result(pages[request.Params.Cursor])
}

func fakeStdio(behaviour string) {
	fmt.Fprintln(os.Stderr, "fake server:", behaviour)
	switch behaviour {
	case "ends":
		fmt.Fprintf(os.Stderr, "%s\nno key\x07 given\n", strings.Repeat("x", 3000))
		os.Exit(3)
	case "child":
		child := exec.Command(os.Args[0]) //nolint:gosec,noctx // this test
		child.Env = append(os.Environ(), "FAKE_SERVER=listens")
		child.Stdout, child.Stderr = os.Stdout, os.Stderr
		if err := child.Start(); err != nil {
			panic(err) //nolint:forbidigo // the test sees it
		}
		time.Sleep(time.Hour)
	case "listens":
		listener, err := net.Listen("tcp", "127.0.0.1:0") //nolint:noctx // a local listener
		if err != nil {
			panic(err) //nolint:forbidigo // the test sees it
		}
		fmt.Fprintln(os.Stderr, "child at", listener.Addr())
		time.Sleep(time.Hour)
	case "silent":
		time.Sleep(time.Hour)
	case "noise":
		fmt.Fprintln(os.Stdout, "listening…")
	}
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		if text := answer(behaviour, in.Bytes()); text != "" {
			fmt.Fprintln(os.Stdout, text)
		}
	}
	if behaviour == "stays" {
		time.Sleep(time.Hour)
	}
}

// overStdio asks the fake server over stdio, for at most this long.
func overStdio(t *testing.T, behaviour string, most time.Duration) (names []string, err error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), most)
	defer cancel()
	tools, err := lint.Command(ctx, []string{"env", "FAKE_SERVER=" + behaviour, os.Args[0]})
	for _, tool := range tools {
		names = append(names, tool.Name)
	}
	return names, err
}

const long = time.Minute

func TestCommand(t *testing.T) {
	t.Parallel()
	for _, behaviour := range []string{"good", "noise", "stays", "modern"} {
		names, err := overStdio(t, behaviour, long)
		require.NoError(t, err, behaviour)
		require.Equal(t, []string{"a", "b", "c"}, names)
	}
	names, err := overStdio(t, "no tools", long)
	require.NoError(t, err)
	require.Empty(t, names)
	tools, err := lint.Command(t.Context(), []string{"env", "FAKE_SERVER=good", os.Args[0]})
	require.NoError(t, err)
	require.Equal(t, `{"type":"object" , "x":1e400}`, string(tools[0].Input), "the schema's own text")
	require.Equal(t, "A", tools[0].Description)
	require.Nil(t, tools[0].Output)
	require.Equal(t, "{}", string(tools[1].Output))
	require.Nil(t, tools[2].Input)
}

// TestCommandFails: each way to fail is told in plain words, with the end of what the server
// wrote to its standard error.
func TestCommandFails(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ behaviour, text string }{
		{"ends", "the server ended before it answered"},
		{"silent", "the server did not answer in time; --timeout gives it more"},
		{"refuses", `the server refuses tools/list with error -32000: ask \x1b[31mlater`},
		{"unwilling", `the server refuses to connect with error -32000: not \x1b[31mtoday`},
		{"endless", `the server gives the cursor "again" a second time, so its list of tools has no end`},
		{"no list", "the server's answer to tools/list is not a list of tools"},
	} {
		most := long
		if c.behaviour == "silent" {
			most = 2 * time.Second
		}
		_, err := overStdio(t, c.behaviour, most)
		var unreachable *lint.UnreachableError
		require.ErrorAs(t, err, &unreachable, c.behaviour)
		require.Equal(t, c.text, unreachable.Text)
		if c.behaviour == "ends" {
			require.True(t, strings.HasSuffix(unreachable.Stderr, "xxx\nno key\\x07 given") || strings.HasSuffix(unreachable.Stderr, "xxx\nno key\\a given"), unreachable.Stderr)
			require.LessOrEqual(t, len(unreachable.Stderr), 2010)
		} else {
			require.Equal(t, "fake server: "+c.behaviour, unreachable.Stderr)
		}
	}
	_, err := lint.Command(t.Context(), []string{"no-such-program-xyz"})
	require.EqualError(t, err, `can't start "no-such-program-xyz": there is no such program, or it may not be run`)
}

// fakeHTTP is the fake server over streamable HTTP.
func fakeHTTP(t *testing.T, handle http.HandlerFunc) string {
	t.Helper()
	s := httptest.NewServer(handle)
	t.Cleanup(s.Close)
	return s.URL
}

func TestHTTP(t *testing.T) {
	t.Parallel()
	seen := make(chan string, 100)
	url := fakeHTTP(t, func(w http.ResponseWriter, r *http.Request) {
		seen <- r.Header.Get("X-Key")
		message, _ := io.ReadAll(r.Body)
		if text := answer("good", message); text != "" {
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, text)
			return
		}
		w.WriteHeader(http.StatusAccepted)
	})
	tools, err := lint.HTTP(t.Context(), url, map[string]string{"X-Key": "secret"})
	require.NoError(t, err)
	require.Len(t, tools, 3)
	require.Equal(t, "secret", <-seen)
}

func TestHTTPFails(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	status := func(code int) string {
		return fakeHTTP(t, func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no", code) })
	}
	hangs := fakeHTTP(t, func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	})
	page := fakeHTTP(t, func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") })
	for url, text := range map[string]string{
		closed.URL:                    "can't connect: connection refused",
		status(401):                   "the server wants to know who asks (status 401): send a token with --header 'Authorization: Bearer TOKEN'",
		status(404):                   "no MCP server answers there (status 404); most are served at a path such as /mcp",
		status(500):                   "the server answers with status 500",
		page:                          "the server does not answer as an MCP server does",
		hangs:                         "the server did not answer in time; --timeout gives it more",
		"http://no.such.host.invalid": "there is no host no.such.host.invalid",
	} {
		ctx, cancel := context.WithTimeout(t.Context(), map[bool]time.Duration{true: time.Second, false: long}[url == hangs])
		_, err := lint.HTTP(ctx, url, nil)
		cancel()
		var unreachable *lint.UnreachableError
		require.ErrorAs(t, err, &unreachable, text)
		require.Equal(t, text, unreachable.Text)
	}
}
