package install_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/install"
)

// TestLinks: a file that is a link into a folder of dotfiles stays a link.
func TestLinks(t *testing.T) {
	e := env(t, "linux", nil)
	dotfiles := filepath.Join(e.Home, "dotfiles")
	require.NoError(t, os.MkdirAll(filepath.Join(e.Home, ".cursor"), 0o755))
	require.NoError(t, os.MkdirAll(dotfiles, 0o755))
	link := filepath.Join(e.Home, ".cursor", "mcp.json")
	require.NoError(t, os.Symlink("../dotfiles/mcp.json", link)) // leads to nothing yet
	for _, s := range []install.Server{stdio, overHTTP} {
		change, err := install.Plan("cursor", e, s, install.Options{})
		require.NoError(t, err)
		require.Equal(t, link, change.Path)
		_, err = change.Apply()
		require.NoError(t, err)
		to, err := os.Readlink(link)
		require.NoError(t, err)
		require.Equal(t, "../dotfiles/mcp.json", to)
		text, err := os.ReadFile(filepath.Join(dotfiles, "mcp.json"))
		require.NoError(t, err)
		require.Equal(t, string(change.Text), string(text))
	}
	// The folder is a link as well: ".." begins where it leads to.
	elsewhere := filepath.Join(t.TempDir(), "deep")
	require.NoError(t, os.MkdirAll(filepath.Join(elsewhere, "codex"), 0o755))
	require.NoError(t, os.MkdirAll(filepath.Join(elsewhere, "shared"), 0o755))
	require.NoError(t, os.Symlink(filepath.Join(elsewhere, "codex"), filepath.Join(e.Home, ".codex")))
	require.NoError(t, os.Symlink("../shared/codex.toml", filepath.Join(elsewhere, "codex", "config.toml")))
	shared := filepath.Join(elsewhere, "shared", "codex.toml")
	require.NoError(t, os.WriteFile(shared, []byte("model = \"o\"\n"), 0o600))
	change, err := install.Plan("codex", e, stdio, install.Options{})
	require.NoError(t, err)
	require.Equal(t, install.Updated, change.Status)
	_, err = change.Apply()
	require.NoError(t, err)
	text, err := os.ReadFile(shared)
	require.NoError(t, err)
	require.Equal(t, string(change.Text), string(text))
	require.Contains(t, string(text), "model")

	loop := filepath.Join(e.Home, ".gemini", "settings.json")
	require.NoError(t, os.MkdirAll(filepath.Dir(loop), 0o755))
	require.NoError(t, os.Symlink("settings.json", loop))
	_, err = install.Plan("gemini", e, stdio, install.Options{})
	require.ErrorContains(t, err, "symbolic links")
}

// TestBackups: none is written over another, and nothing else is left beside the file.
func TestBackups(t *testing.T) {
	e := env(t, "linux", nil)
	path := file(t, "cursor", e, "{}")
	var backups []string
	for _, s := range []install.Server{stdio, overHTTP, stdio} {
		change, err := install.Plan("cursor", e, s, install.Options{Force: true})
		require.NoError(t, err)
		backup, err := change.Apply()
		require.NoError(t, err)
		backups = append(backups, filepath.Base(backup))
	}
	require.Equal(t, []string{"mcp.json.echo-mcp.bak", "mcp.json.echo-mcp.bak2", "mcp.json.echo-mcp.bak3"}, backups)
	entries, err := os.ReadDir(filepath.Dir(path))
	require.NoError(t, err)
	require.Len(t, entries, 4)
}

// TestChangedMeanwhile: what another program wrote after the file was read is not lost.
func TestChangedMeanwhile(t *testing.T) {
	e := env(t, "linux", nil)
	path := file(t, "cursor", e, "{}")
	change, err := install.Plan("cursor", e, stdio, install.Options{})
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, []byte(`{"new":1}`), 0o600))
	_, err = change.Apply()
	require.ErrorContains(t, err, "try again")
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, `{"new":1}`, string(text))
}

// TestBeside: of two files that the client reads, the one that is there is edited.
func TestBeside(t *testing.T) {
	dir := t.TempDir()
	other := filepath.Join(dir, "opencode.jsonc")
	require.NoError(t, os.WriteFile(other, []byte("{} // mine\n"), 0o600))
	o := install.Options{Project: dir}
	change, err := install.Plan("opencode", env(t, "linux", nil), stdio, o)
	require.NoError(t, err)
	require.Equal(t, other, change.Path)
	require.Equal(t, install.Updated, change.Status)
	require.NoError(t, os.WriteFile(filepath.Join(dir, "opencode.json"), []byte("{}"), 0o600))
	change, err = install.Plan("opencode", env(t, "linux", nil), stdio, o)
	require.NoError(t, err)
	require.Equal(t, filepath.Join(dir, "opencode.json"), change.Path)
}

// TestStrangeFiles: what is no file of settings is refused by name, and not read.
func TestStrangeFiles(t *testing.T) {
	for says, put := range map[string]func(path string) error{
		"config.yaml: it is not a file": func(path string) error { return os.Symlink(os.DevNull, path) },
		"it has 64 MB":                  func(path string) error { return errors.Join(os.WriteFile(path, nil, 0o600), os.Truncate(path, 64<<20)) },
		"try again":                     func(path string) error { return os.Mkdir(path, 0o700) },
	} {
		e := env(t, "linux", nil)
		path := file(t, "goose", e, "")
		require.NoError(t, os.Remove(path))
		require.NoError(t, put(path))
		for _, plan := range []func() (*install.Change, error){
			func() (*install.Change, error) { return install.Plan("goose", e, stdio, install.Options{}) },
			func() (*install.Change, error) { return install.PlanRemoval("goose", e, "echo", install.Options{}) },
		} {
			_, err := plan()
			var bad *install.FileError
			require.ErrorAs(t, err, &bad)
			require.ErrorContains(t, err, says)
		}
	}
}
