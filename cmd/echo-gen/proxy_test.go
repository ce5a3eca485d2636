package main_test

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
	"golang.org/x/mod/zip"
)

const (
	root       = "../.."
	modulePath = "github.com/zenlix/echo-mcp"
	version    = "v0.9.0"
)

// file is a file of this tree, as a module's archive takes it.
type file struct{ name string }

func (f file) Path() string                 { return filepath.ToSlash(f.name) }
func (f file) Lstat() (fs.FileInfo, error)  { return os.Lstat(filepath.Join(root, f.name)) }
func (f file) Open() (io.ReadCloser, error) { return os.Open(filepath.Join(root, f.name)) }

// proxy makes a module proxy that has this tree as a published version, and gives its URL.
func proxy(t *testing.T) string {
	t.Helper()
	var files []zip.File
	require.NoError(t, fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (name == ".git" || name == "bin" || name == "dist" || name == "gen/internal/trial/testdata/build" || d.Name() == "node_modules"):
			return fs.SkipDir // as .gitignore says; other tests may be writing there
		case d.Type().IsRegular():
			files = append(files, file{name})
		}
		return nil
	}))
	dir := t.TempDir()
	versions := filepath.Join(dir, filepath.FromSlash(modulePath), "@v")
	require.NoError(t, os.MkdirAll(versions, 0o755))
	archive, err := os.Create(filepath.Join(versions, version+".zip"))
	require.NoError(t, err)
	require.NoError(t, zip.Create(archive, module.Version{Path: modulePath, Version: version}, files))
	require.NoError(t, archive.Close())
	mod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	info, err := json.Marshal(map[string]any{"Version": version, "Time": time.Unix(0, 0).UTC()})
	require.NoError(t, err)
	for name, text := range map[string][]byte{"list": []byte(version + "\n"), version + ".info": info, version + ".mod": mod} {
		require.NoError(t, os.WriteFile(filepath.Join(versions, name), text, 0o644))
	}
	return "file://" + filepath.ToSlash(dir)
}

// machine is a machine that has Go and nothing else: no module is unpacked, and none comes from
// the network.
type machine struct {
	env []string
}

// newMachine makes a machine whose proxy has this tree and what was fetched to build it.

func newMachine(t *testing.T) machine {
	t.Helper()
	out, err := exec.Command("go", "env", "GOMODCACHE", "GOCACHE").Output()
	require.NoError(t, err)
	caches := strings.Split(string(out), "\n")
	// The modules that go mod tidy asks for, some of them only for the tests of others, are fetched
	// as for any other test, where they aren't there already.
	tidy := exec.Command("go", "mod", "tidy", "-diff")
	tidy.Dir = root
	out, err = tidy.CombinedOutput()
	require.NoError(t, err, string(out))
	home := t.TempDir()
	return machine{append(
		os.Environ(),
		"HOME="+home,
		"GOPATH="+filepath.Join(home, "go"),
		"GOMODCACHE="+filepath.Join(home, "modules"),
		"GOCACHE="+caches[1],
		"GOPROXY="+proxy(t)+",file://"+filepath.ToSlash(filepath.Join(caches[0], "cache", "download")),
		"GOSUMDB=off",
		"GOWORK=",
		// What is built is the same wherever the modules lie, so that the cache has it; what is
		// unpacked can be removed.
		"GOFLAGS=-trimpath -modcacherw",
		"GOTOOLCHAIN=local",
	)}
}

// run runs a command line of a shell in a folder, and gives all that it prints.
func (m machine) run(t *testing.T, dir, line string) string {
	t.Helper()
	out, err := m.try(t, dir, line)
	require.NoError(t, err, "%s\n%s", line, out)
	return out
}

func (m machine) try(t *testing.T, dir, line string) (string, error) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "-euo", "pipefail", "-c", line)
	cmd.Dir, cmd.Env = dir, m.env
	out, err := cmd.CombinedOutput()
	return string(out), err
}
