package dev

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestParseLine: the folders and the package are those that echo-gen would use.
func TestParseLine(t *testing.T) {
	from := t.TempDir()
	for line, want := range map[string]schemaSet{
		`go tool echo-gen`: {shown: "schemas", schemas: "schemas", out: "generated", pkg: "generated"},
		`go tool echo-gen -schemas ../s -out . -package m -assert-format`:   {shown: "../s", schemas: "../s", out: ".", pkg: "m"},
		`go run github.com/zenlix/echo-mcp/cmd/echo-gen@latest --schemas=s`: {shown: "s", schemas: "s", out: "generated", pkg: "generated"},
		`go run ./cmd/echo-gen -default-dialect draft7 -out "my out"`:       {shown: "schemas", schemas: "schemas", out: "my out", pkg: "generated"},
		`echo-gen -map https://a.example/=../shared -package m`:             {shown: "schemas", schemas: "schemas", out: "generated", pkg: "m", maps: []string{"../shared"}},
	} {
		set, ok := parseLine(from, words(line))
		require.True(t, ok, line)
		require.Equal(t, words(line), set.command)
		require.Equal(t, want.shown, set.shown, line)
		require.Equal(t, filepath.Join(from, want.schemas), set.schemas, line)
		require.Equal(t, filepath.Join(from, want.out), set.out, line)
		require.Equal(t, want.pkg, set.pkg, line)
		require.Len(t, set.maps, len(want.maps), line)
		for i, dir := range want.maps {
			require.Equal(t, filepath.Join(from, dir), set.maps[i], line)
		}
	}
	for _, line := range []string{`stringer -type Kind`, `go tool echo-gen init .`, `go tool echo-gen -check`, ``} {
		_, ok := parseLine(from, words(line))
		require.False(t, ok, line)
	}
}

// moduleFiles writes files below a new folder.
func moduleFiles(t *testing.T, files map[string]string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir()) // as the go command gives it
	require.NoError(t, err)
	for name, text := range files {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

const generateLine = "package messages\n\n//go:generate go tool echo-gen -schemas ../schemas -out .\n"

// TestFindModule: what there is to run is found; where something is missing, the error says what to
// do.
func TestFindModule(t *testing.T) {
	files := func(more map[string]string) map[string]string {
		more["go.mod"] = "module example.com/m\n\ngo 1.26\n"
		return more
	}
	const program = "package main\n\nfunc main() {}\n"
	for name, c := range map[string]struct {
		files      map[string]string
		main       string
		want, says string
	}{
		"here":       {files: files(map[string]string{"main.go": program, "m/g.go": generateLine}), want: "."},
		"in cmd":     {files: files(map[string]string{"cmd/s/main.go": program, "cmd/t/t.go": "package t\n", "m/g.go": generateLine}), want: "cmd/s"},
		"named":      {files: files(map[string]string{"a/main.go": program, "m/g.go": generateLine}), main: "./a", want: "a"},
		"by import":  {files: files(map[string]string{"a/main.go": program, "m/g.go": generateLine}), main: "example.com/m/a", want: "a"},
		"no module":  {files: map[string]string{"main.go": program}, says: "in no Go module"},
		"no line":    {files: files(map[string]string{"main.go": program}), says: "echo-gen@latest init"},
		"no program": {files: files(map[string]string{"m/g.go": generateLine}), says: "--main ./cmd/server"},
		"several":    {files: files(map[string]string{"cmd/a/a.go": program, "cmd/b/b.go": program, "m/g.go": generateLine}), says: "--main ./cmd/a or --main ./cmd/b"},
		"not one":    {files: files(map[string]string{"a/a.go": "package a\n", "m/g.go": generateLine}), main: "./a", says: "--main ./a: there is no Go package main"},
		"a line elsewhere": {
			files: files(map[string]string{"main.go": program, "testdata/g.go": generateLine, "vendor/x/g.go": generateLine, "sub/go.mod": "module x\n", "sub/g.go": generateLine}),
			says:  "no Go file of the module example.com/m",
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOWORK", "off")
			dir := moduleFiles(t, c.files)
			m, err := findModule(t.Context(), dir, c.main)
			if c.says != "" {
				var usage *UsageError
				require.True(t, errors.As(err, &usage), "%v", err)
				require.Contains(t, usage.Reason, c.says)
				return
			}
			require.NoError(t, err)
			require.Equal(t, filepath.Join(dir, c.want), m.main)
			require.Equal(t, filepath.Join(dir, "schemas"), m.sets[0].schemas)
		})
	}
	t.Run("no Go", func(t *testing.T) {
		t.Setenv("PATH", t.TempDir())
		_, err := findModule(t.Context(), t.TempDir(), "")
		require.ErrorContains(t, err, "https://go.dev/doc/install")
	})
}

// TestMessages: paths of schemas are shown as seen from where the author is, and what says nothing
// of schemas is left out.
func TestMessages(t *testing.T) {
	dir := moduleFiles(t, nil)
	set, _ := parseLine(filepath.Join(dir, "messages"), words("go tool echo-gen -schemas ../schemas -out ."))
	shown := func(path string) string {
		rel, err := filepath.Rel(dir, path)
		require.NoError(t, err)
		return rel
	}
	out := "../schemas/a.json:3:5: /type: no\n../schemas/b.json: cannot be read\necho-gen: 2 message types, 5 files (1 written, 0 removed)\nexit status 1\n"
	require.Equal(t, []string{"schemas/a.json:3:5: /type: no", "schemas/b.json: cannot be read"}, set.messages([]byte(out), shown))
}
