package scaffold

import (
	"io/fs"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// TestGoVersion: a new module asks for the Go that this module needs.
func TestGoVersion(t *testing.T) {
	text, err := os.ReadFile("../../../go.mod")
	require.NoError(t, err)
	file, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	require.Equal(t, file.Go.Version, goVersion)
}

// TestReadme: the README shows the server as it is written.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("../../../README.md")
	require.NoError(t, err)
	text, err := (&survey{Options: Options{Module: "example.com/msgs", Package: "messages"}}).fill("main.go.tmpl")
	require.NoError(t, err)
	require.Contains(t, string(readme), "```go\n"+string(text)+"```\n")
}

// TestVersion: the version of Echo MCP is required where it is known and the module has none.
func TestVersion(t *testing.T) {
	for _, c := range []struct{ before, version, want string }{
		{"", "v1.2.3", "module example.com/m\n\ngo 1.26.0\n\nrequire github.com/zenlix/echo-mcp v1.2.3\n\ntool github.com/zenlix/echo-mcp/cmd/echo-gen\n"},
		{"module example.com/m\n\ngo 1.26\n", "v1.2.3", "module example.com/m\n\ngo 1.26\n\nrequire github.com/zenlix/echo-mcp v1.2.3\n\ntool github.com/zenlix/echo-mcp/cmd/echo-gen\n"},
		{"module example.com/m\n\nrequire github.com/zenlix/echo-mcp v1.0.0\n", "v1.2.3", "module example.com/m\n\nrequire github.com/zenlix/echo-mcp v1.0.0\n\ntool github.com/zenlix/echo-mcp/cmd/echo-gen\n"},
		{"module example.com/m\n\ntool (\n\tgithub.com/zenlix/echo-mcp/cmd/echo-gen\n)\n", "", ""},
	} {
		s := &survey{Options: Options{Module: "example.com/m", Version: c.version}}
		if c.before != "" {
			file, err := modfile.Parse("go.mod", []byte(c.before), nil)
			require.NoError(t, err)
			s.goMod = file
		}
		got, err := s.module()
		require.NoError(t, err)
		require.Equal(t, c.want, string(got))
	}
}

// TestCreateNeverReplaces: a file that comes up at the last moment is kept.
func TestCreateNeverReplaces(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, root.Close()) })
	require.NoError(t, create(root, "a/b.txt", []byte("first")))
	require.ErrorIs(t, create(root, "a/b.txt", []byte("second")), fs.ErrExist)
	text, err := root.ReadFile("a/b.txt")
	require.NoError(t, err)
	require.Equal(t, "first", string(text))
}
