package main

import (
	"bytes"
	"io/fs"
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

// TestReadmeAddsAType: whoever follows the README in a fresh copy of the repository gets a
// message type, sees what the README says, and leaves the tests of documents, demonstration
// and commands green.
func TestReadmeAddsAType(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	require.NoError(t, err)
	parts := regexp.MustCompile("(?s)```sh\n(cat > schemas/.*?)```\n\nThe last command prints `(.*?)`").FindStringSubmatch(string(readme))
	require.NotNil(t, parts)
	commands, fault := parts[1], parts[2]

	dir := t.TempDir()
	copyModule(t, dir)
	cmd := exec.CommandContext(t.Context(), "bash", "-e", "-c", commands)
	cmd.Dir = dir
	var log strings.Builder
	cmd.Stderr = &log
	out, err := cmd.Output()
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)
	require.Equal(t, 1, exit.ExitCode(), "%s%s", out, log.String())
	require.True(t, strings.HasSuffix(string(out), "\n"+fault+"\n"), "%s", out)

	// -trimpath: so that what was compiled for one copy serves the next.
	cmd = exec.CommandContext(t.Context(), "go", "test", "-trimpath", "-count=1", "-skip", "^TestReadmeAddsAType$",
		"./internal/demo", "./internal/house", "./internal/echo", "./internal/cli")
	cmd.Dir = dir
	out, err = cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
}

// copyModule copies the module without what is built or installed, and without git's folder.
func copyModule(t *testing.T, to string) {
	t.Helper()
	from := os.DirFS(root)
	err := fs.WalkDir(from, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (path == ".git" || path == "bin" || path == "dist" || d.Name() == "node_modules"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, path), 0o700)
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		text, err := fs.ReadFile(from, path)
		if err != nil {
			return err
		}
		return os.WriteFile(filepath.Join(to, path), text, info.Mode().Perm())
	})
	require.NoError(t, err)
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
