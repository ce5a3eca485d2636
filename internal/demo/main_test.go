package main

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/e2e"
)

const root = "../.."

// TestReadmeShowsTheDemo: the README's demonstration is what the demo prints.
func TestReadmeShowsTheDemo(t *testing.T) {
	binary := filepath.Join(t.TempDir(), "echo-mcp")
	require.NoError(t, e2e.Build(t.Context(), root, "", binary))
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{binary}, &out))
	require.Equal(t, block(t, "<!-- make demo -->\n```console\n"), out.String())
	require.LessOrEqual(t, strings.Count(out.String(), "\n"), 24, "a demonstration is short")
}

// TestReadmeShowsTheExample: the README's Go code is that of the example, which is compiled
// and run.
func TestReadmeShowsTheExample(t *testing.T) {
	source, err := os.ReadFile("example_test.go")
	require.NoError(t, err)
	_, body, found := strings.Cut(string(source), "func Example() {\n")
	require.True(t, found)
	body, _, found = strings.Cut(body, "\n\t// Output:")
	require.True(t, found)
	body = regexp.MustCompile(`(?m)^\t`).ReplaceAllString(body, "")
	require.Equal(t, block(t, "<!-- internal/demo/example_test.go -->\n```go\n"), body)
}

// block gives the README's code block that begins with start.
func block(t *testing.T, start string) string {
	t.Helper()
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	_, text, found := strings.Cut(string(readme), start)
	require.True(t, found, "README.md has no block %q", start)
	text, _, found = strings.Cut(text, "```\n")
	require.True(t, found)
	return text
}

func TestUsage(t *testing.T) {
	require.ErrorContains(t, run(t.Context(), nil, new(bytes.Buffer)), "wanted the server's binary")
	require.Error(t, run(t.Context(), []string{"/no/such/binary"}, new(bytes.Buffer)))
}
