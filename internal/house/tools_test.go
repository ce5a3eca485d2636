package house_test

import (
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// root is the module's folder, seen from the folder in which the tests of this package run.
const root = "../.."

// TestToolListsAgree: tools.go explains exactly the tools that go.mod pins.
func TestToolListsAgree(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "go.mod"))
	require.NoError(t, err)
	mod, err := modfile.Parse("go.mod", text, nil)
	require.NoError(t, err)
	var pinned []string
	for _, tool := range mod.Tool {
		pinned = append(pinned, tool.Path)
	}

	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, filepath.Join(root, "tools.go"), nil, parser.ParseComments)
	require.NoError(t, err)
	var explained []string
	for _, spec := range file.Imports {
		path, err := strconv.Unquote(spec.Path.Value)
		require.NoError(t, err)
		explained = append(explained, path)
		require.NotEmpty(t, spec.Doc.Text(), "tools.go doesn't say what %s is for", path)
	}
	slices.Sort(pinned)
	slices.Sort(explained)
	require.Equal(t, pinned, explained, "the tool lines of go.mod and the imports of tools.go differ")

	generate, err := parser.ParseFile(fset, filepath.Join(root, "generate.go"), nil, parser.PackageClauseOnly)
	require.NoError(t, err)
	require.Equal(t, generate.Name.Name, file.Name.Name)
}
