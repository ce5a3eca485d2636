package cli

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/fakeserver"
)

// TestVisible: nothing of what a server sends moves a terminal's cursor, and JSON stays the same
// JSON. What people write stays as it is.
func TestVisible(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"plain\n\ttext":         "plain\n\ttext",
		"a\x1b[31mb":            `a\u001b[31mb`,
		"bell\a back\b cr\rx":   `bell\u0007 back\u0008 cr\u000dx`,
		"dos\r\nline":           "dos\nline",
		"c1\u009b31m":           `c1\u009b31m`,
		"rtl\u202e":             `rtl\u202e`,
		"tag\U000e0041":         `tag\udb40\udc41`,
		"é ü 日本\u3000\u00a0👩‍💻": "é ü 日本\u3000\u00a0👩‍💻",
		"\xff":                  "\uFFFD",
	} {
		require.Equal(t, want, visible(text), "%q", text)
	}
	json := `{"a":"` + "\u009b\u202e\x7f\U000e0041" + `"}`
	require.NoError(t, jsontape.Valid([]byte(visible(json))))
}

// TestTerminal: a result is escaped on a terminal, and goes through byte for byte elsewhere.
func TestTerminal(t *testing.T) {
	t.Parallel()
	const payload = `"` + "\u009b31m" + `"`
	args := []string{"call", "echo", "--args", `{"schema_id":"__schemaless__","payload":` + payload + `}`}
	var out, errs bytes.Buffer
	require.Equal(t, exitOK, odd().Run(t.Context(), args, strings.NewReader(""), &out, &errs), errs.String())
	require.Equal(t, `{"ok":true,"schema_id":"__schemaless__","payload":`+payload+"}\n", out.String())

	master, slave, err := pty.Open()
	require.NoError(t, err)
	defer master.Close()
	require.Equal(t, exitOK, odd().Run(t.Context(), args, strings.NewReader(""), slave, &errs), errs.String())
	require.NoError(t, slave.Close())
	screen := make([]byte, 1000)
	n, err := master.Read(screen)
	require.NoError(t, err)
	require.Equal(t, `{"ok":true,"schema_id":"__schemaless__","payload":"\u009b31m"}`+"\r\n", string(screen[:n]))
}

// TestTable: on a terminal a line of a table ends at its edge.
func TestTable(t *testing.T) {
	t.Parallel()
	cmd := odd().newRoot()
	var out bytes.Buffer
	cmd.SetOut(&out)
	o := newOutput(cmd)
	o.width = 12
	o.table(" ", [][]string{{"a", "short"}, {"länger", "cut off here"}, {"b"}})
	require.NoError(t, o.Flush())
	require.Equal(t, " a       sh…\n länger  cu…\n b\n", out.String())
}

// TestLateServer: a server that doesn't answer in time had its time; the command ends soon.
func TestLateServer(t *testing.T) {
	t.Parallel()
	for _, method := range []string{"initialize", "tools/list"} {
		var out, errs bytes.Buffer
		script := `{"` + method + `":{"sleep":60}}`
		began := time.Now()
		require.Equal(t, exitUnreachable, odd().Run(t.Context(), []string{"tools", "--timeout", "300ms", "--", "fake-mcp", script}, strings.NewReader(""), &out, &errs), errs.String())
		require.Less(t, time.Since(began), 30*time.Second, "it would sleep for a minute")
		require.Contains(t, errs.String(), method+": no reply within 300ms; --timeout gives it more time\n")
	}
}

// overHTTP serves a script over HTTP and gives its URL and what it was sent as headers.
func overHTTP(t *testing.T, script string) (url string, sent func() http.Header) {
	t.Helper()
	handler, err := fakeserver.HTTP(script)
	require.NoError(t, err)
	var mu sync.Mutex
	var last http.Header
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPost {
			mu.Lock()
			last = r.Header
			mu.Unlock()
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL + "/mcp", func() http.Header {
		mu.Lock()
		defer mu.Unlock()
		return last
	}
}

// TestOverHTTP: the headers of --header go out with each request, those of a client's file too, and
// no message ever shows their values.
func TestOverHTTP(t *testing.T) {
	t.Parallel()
	url, sent := overHTTP(t, `{}`)
	code, out, errs := runIt(t, "tools", "--http", url, "--header", "authorization: Bearer hush", "--header", "X-Many: 1", "--header", "X-Many: 2")
	require.Equal(t, exitOK, code, errs)
	require.Equal(t, "a\n", out)
	require.Empty(t, errs)
	require.Equal(t, "Bearer hush", sent().Get("Authorization"))
	require.Equal(t, []string{"1", "2"}, sent().Values("X-Many"))

	file := filepath.Join(t.TempDir(), "mcp.json")
	require.NoError(t, os.WriteFile(file, []byte(`{"servers":{"web":{"type":"http","url":"`+url+`","headers":{"Authorization":"Bearer hush","X-Own":"file"}}}}`), 0o600))
	code, _, errs = runIt(t, "tools", "--config", file, "--header", "X-Own: command line")
	require.Equal(t, exitOK, code, errs)
	require.Equal(t, "Bearer hush", sent().Get("Authorization"))
	require.Equal(t, []string{"command line"}, sent().Values("X-Own"))
}

// TestOverHTTPFails: each way in which there is no server is told in plain words.
func TestOverHTTPFails(t *testing.T) {
	t.Parallel()
	closed := httptest.NewServer(http.NotFoundHandler())
	closed.Close()
	status := func(code int) string {
		s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "no \x1b[2J", code) }))
		t.Cleanup(s.Close)
		return s.URL
	}
	page := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "<html>") }))
	t.Cleanup(page.Close)
	silent, _ := overHTTP(t, "silent list")
	for _, c := range []struct{ url, want string }{
		{closed.URL, "connection refused"},
		{status(401), "401 Unauthorized: it wants a token"},
		{status(404), "most are at a path such as /mcp"},
		{status(500), "500 Internal Server Error"},
		{page.URL, "answered with"},
		{silent, "tools/list: no reply within 2s; --timeout gives it more time"},
		{"http://no.such.host.invalid/mcp", "there is no host no.such.host.invalid"},
	} {
		code, out, errs := runIt(t, "tools", "--http", c.url+"?key=hush", "--timeout", "2s", "--header", "Authorization: Bearer hush")
		require.Equal(t, exitUnreachable, code, "%s: %s", c.want, errs)
		require.Empty(t, out)
		require.Contains(t, errs, c.want)
		require.NotContains(t, errs, "hush")
		require.NotContains(t, errs, "\x1b")
	}
}

// TestHostileServers: whatever a server does, a command ends with an exit code that says so, without
// printing half a list or a character that a terminal would obey.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	codes := map[string]int{
		"decent": exitOK, "repeated cursor": exitUnreachable, "pages": exitOK, "endless pages": exitUnreachable, "noise": exitOK, "stderr": exitOK,
		"stderr, no line": exitOK, "death": exitUnreachable, "death at start": exitUnreachable, "wrong id": exitUnreachable, "no id": exitUnreachable,
		"error, null id": exitRejected, "neither": exitUnreachable, "notifications": exitOK, "asks": exitOK, "silent": exitUnreachable,
		"silent list": exitUnreachable, "slow": exitUnreachable, "stays": exitOK, "deep schema": exitOK, "same $id": exitOK,
	}
	for script, want := range codes {
		t.Run(script, func(t *testing.T) {
			t.Parallel()
			limit := "2s"
			if want == exitOK || script == "endless pages" {
				limit = "60s"
			}
			code, out, errs := runIt(t, "tools", "--timeout", limit, "--", "fake-mcp", script)
			require.Equal(t, want, code, errs)
			require.Equal(t, want == exitOK, out != "", out)
			require.NotContains(t, errs, "\a")
		})
	}
}
