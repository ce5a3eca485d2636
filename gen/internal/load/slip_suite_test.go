//go:build suite

package load_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// TestSlipsOfAuthors: in the schemas that people and libraries wrote only keywords of another draft
// are warned of. They are real slips: const and propertyNames in files that say draft 4, and
// additionalItems in files without $schema.
func TestSlipsOfAuthors(t *testing.T) {
	t.Parallel()
	want := map[string]int{
		"staticwebapp.config.json": 1, "web-manifest.json": 8,
		"typebox-board-v1.json": 1, "typebox-calendar.json": 1,
	}
	have := map[string]int{}
	for _, suite := range []string{"schemastore", "authors"} {
		graph, _ := load.Load(load.Options{Dir: filepath.Join("../../../../shared/suites", suite, "schemas")})
		require.Greater(t, len(graph.Messages), 50)
		for _, d := range graph.Warnings {
			have[filepath.Base(d.Path)]++
			require.Contains(t, d.Message, "checks nothing here, in ", d.String())
		}
	}
	require.Equal(t, want, have)
}
