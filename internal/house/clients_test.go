package house_test

import (
	"encoding/json"
	"maps"
	"regexp"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/mod/modfile"
)

// TestClientsNameVersions: docs/clients.md gives each client in the version that the tests
// run, and leaves out none that `make e2e-clients` runs.
func TestClientsNameVersions(t *testing.T) {
	own := npmVersions(t, "internal/e2e/clients/package.json")
	tested := npmVersions(t, "internal/e2e/package.json")
	maps.Copy(tested, own)
	module, err := modfile.Parse("go.mod", []byte(read(t, "go.mod")), nil)
	require.NoError(t, err)
	for _, required := range module.Require {
		tested[required.Mod.Path] = required.Mod.Version[1:] // without the v
	}

	named := map[string]bool{}
	for _, m := range regexp.MustCompile("`([^` ]+)` ([0-9]+\\.[0-9]+\\.[0-9]+[^ ,|]*)").FindAllStringSubmatch(read(t, "docs/clients.md"), -1) {
		require.Equal(t, tested[m[1]], m[2], "docs/clients.md: the version of %s", m[1])
		named[m[1]] = true
	}
	for _, name := range slices.Concat(slices.Collect(maps.Keys(own)), []string{"github.com/modelcontextprotocol/go-sdk", "github.com/mark3labs/mcp-go"}) {
		require.True(t, named[name], "docs/clients.md does not name %s", name)
	}
}

// npmVersions gives the packages that a package.json names for its tests, with their versions.
func npmVersions(t *testing.T, name string) map[string]string {
	t.Helper()
	var file struct {
		DevDependencies map[string]string `json:"devDependencies"`
	}
	require.NoError(t, json.Unmarshal([]byte(read(t, name)), &file))
	require.NotEmpty(t, file.DevDependencies)
	return file.DevDependencies
}
