//go:build unix

package gen

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPipes: what is no regular file is refused and never waited for, wherever gen reads.
func TestPipes(t *testing.T) {
	pipe := func(elements ...string) {
		name := filepath.Join(elements...)
		require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		require.NoError(t, syscall.Mkfifo(name, 0o644))
	}
	for _, c := range []struct {
		name  string
		setUp func(dir string)
		flags []string
		fault string
	}{
		{"a schema", func(dir string) { pipe(dir, "schemas", "x.json") }, nil, "schemas/x.json: cannot be read: it is not a regular file but a named pipe; move it away"},
		{"a shared schema", func(dir string) { pipe(dir, "schemas", "common", "x.json") }, nil, "schemas/common/x.json: cannot be read: it is not a regular file but a named pipe"},
		{"behind a link", func(dir string) {
			pipe(dir, "schemas", "pipe")
			require.NoError(t, os.Symlink("pipe", filepath.Join(dir, "schemas", "x.json")))
		}, nil, "schemas/x.json: cannot be read: it is not a regular file but a named pipe"},
		{"a link to itself", func(dir string) {
			require.NoError(t, os.Symlink("x.json", filepath.Join(dir, "schemas", "x.json")))
		}, nil, "schemas/x.json: cannot be read: "},
		{"a mapped schema", func(dir string) {
			pipe(dir, "mapped", "y.json")
			require.NoError(t, os.WriteFile(filepath.Join(dir, "schemas", "x.json"), []byte(`{"$ref":"http://m/y"}`), 0o644))
		}, []string{"-map", "http://m/=mapped"}, "mapped/y.json, to which -map leads, cannot be read: it is not a regular file"},
		{"the output", func(dir string) { pipe(dir, "generated", "x.go") }, nil, "generated/x.go: it is not a regular file but a named pipe; move it away"},
		{"the registry", func(dir string) { pipe(dir, "generated", "registry.go") }, []string{"-check"}, "generated/registry.go: it is not a regular file but a named pipe; move it away"},
		{"the older schemas", func(dir string) { pipe(dir, "old", "x.json") }, []string{"-diff", "old"}, "old/x.json: cannot be read: it is not a regular file but a named pipe"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			require.NoError(t, os.Mkdir("schemas", 0o755))
			c.setUp(dir)
			var stderr bytes.Buffer
			code := withDeadline(t, func() int { return Run(c.flags, io.Discard, &stderr) })
			require.NotZero(t, code)
			require.Contains(t, stderr.String(), c.fault)
		})
	}
}
