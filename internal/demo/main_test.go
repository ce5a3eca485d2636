package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/e2e"
)

const root = "../.."

// TestReadmeShowsTheDemo: the README's demonstration is what the demo prints, for a server
// with the message types that the README lists. Whoever adds one of their own need not
// change the README.
func TestReadmeShowsTheDemo(t *testing.T) {
	want := block(t, "<!-- make demo -->\n```text\n")
	list, _, found := strings.Cut(want, "\n\n")
	require.True(t, found)
	schemas := filepath.Join(t.TempDir(), "schemas")
	require.NoError(t, os.CopyFS(schemas, os.DirFS(filepath.Join(root, "schemas"))))
	files, err := filepath.Glob(filepath.Join(schemas, "*.json"))
	require.NoError(t, err)
	for _, file := range files {
		if !strings.Contains(list, "  "+strings.TrimSuffix(filepath.Base(file), ".json")+" ") {
			require.NoError(t, os.Remove(file))
		}
	}

	binary := filepath.Join(t.TempDir(), "echo-mcp")
	require.NoError(t, e2e.Build(t.Context(), root, schemas, binary))
	var out bytes.Buffer
	require.NoError(t, run(t.Context(), []string{binary}, &out))
	require.Equal(t, want, out.String())
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

// TestReadmeAddsAType: the message type that the README adds compiles, and its last command
// prints what the README says.
func TestReadmeAddsAType(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	parts := regexp.MustCompile("(?s)cat > schemas/(\\w+)\\.json <<'JSON'\n(.*?)JSON\n.*?echo '(.*?)'.*?prints `(.*?)`").FindStringSubmatch(string(readme))
	require.NotNil(t, parts)
	id, schema, payload, fault := parts[1], parts[2], parts[3], parts[4]

	dir := t.TempDir()
	require.NoError(t, os.Mkdir(filepath.Join(dir, "schemas"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "schemas", id+".json"), []byte(schema), 0o600))
	binary := filepath.Join(dir, "echo-mcp")
	require.NoError(t, e2e.Build(t.Context(), root, filepath.Join(dir, "schemas"), binary))
	cmd := exec.CommandContext(t.Context(), binary, "validate", "--schema", id)
	cmd.Stdin = strings.NewReader(payload)
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode())
	require.Equal(t, fault+"\n", string(out))
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
