package house_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/module"
)

// TestFileNamesTravel: every file of the module has a name that Go puts into a module's
// archive. One that it refuses, an emoji say, would make `go install` of the module fail.
func TestFileNamesTravel(t *testing.T) {
	files := 0
	err := fs.WalkDir(os.DirFS(root), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == ".git" || d.Name() == "node_modules" || path == "bin"):
			return filepath.SkipDir
		case d.IsDir():
			return nil
		}
		files++
		return module.CheckFilePath(path)
	})
	require.NoError(t, err)
	require.Greater(t, files, 20, "looked at too few files: is the root of the module elsewhere?")
}
