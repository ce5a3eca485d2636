package scaffold

import (
	"io/fs"
	"os"
	"syscall"
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

// TestWording: a folder that can't be used is told with what to do, and without the words of a
// system call.
func TestWording(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{syscall.EACCES, "msgs: you may not write or read there; change its permissions, or choose another folder"},
		{syscall.EPERM, "msgs: you may not write or read there; change its permissions, or choose another folder"},
		{syscall.ENOTDIR, "msgs: a file stands where a folder must be; move it away, or choose another folder"},
		{syscall.EROFS, "msgs: read-only file system; choose another folder"},
		{syscall.ENOSPC, "msgs: no space left on device; choose another folder"},
	} {
		require.EqualError(t, wording("msgs", &fs.PathError{Op: "mkdirat", Path: "/x", Err: c.err}), c.want)
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
