package cli

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
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
