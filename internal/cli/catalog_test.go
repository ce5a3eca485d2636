package cli

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/generated"
)

// TestCatalogOnATerminal: a person gets a summary, in which nothing that a server says does more
// than stand there.
func TestCatalogOnATerminal(t *testing.T) {
	display, terminal, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: 60}))
	shown := make(chan string)
	go func() {
		all, _ := io.ReadAll(display) // ends with an error when the terminal closes
		shown <- strings.ReplaceAll(string(all), "\r\n", "\n")
	}()
	const definitions = `{"info":{"name":"all\u001b[2J","version":"1"},"tools":[{"name":"first\u001b[31m","title":"First\ntool","inputSchema":{"type":"object"}},{"name":"bad","description":"Is bad.\nVery.","inputSchema":{"type":"objct"}}],
		"resources":[{"name":"r","uri":"x:1"}],"prompts":[{"name":"p"}]}`
	var errs bytes.Buffer
	code := Program{Name: ours, Registry: generated.Registry}.Run(t.Context(), []string{"catalog", "--from", definitions}, os.Stdin, terminal, &errs)
	require.NoError(t, terminal.Close())
	require.Equal(t, exitOK, code)
	require.Empty(t, errs.String())
	require.Equal(t, `all\u001b[2J 1: 2 tools, 1 resource, 1 prompt, 1 error, 0 warnings

Tools
  first\x1b[31m  First\ntool
  bad            Is bad.

Resources
  x:1  r

Prompts
  p  p

Errors and warnings
  tool bad: the input schema can't be used: /type: this is not how JSON Schema has it: must be one of "array", "boolean", "integer", "null", "number", "object", "string"
`, <-shown)
}
