//go:build suite

package load_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// TestSlipsOfAuthors: in the schemas that people and libraries wrote only what is a slip is warned
// of: keywords of another draft (const and propertyNames in files that say draft 4), lists under items
// in files without $schema, and keywords beside a $ref of drafts that look at nothing else.
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
			if strings.Contains(d.Message, " has no effect beside $ref, in draft") {
				continue
			}
			have[filepath.Base(d.Path)]++
			require.Regexp(t, "checks nothing here, in |a list under items is a form up to 2019-09, and is read so here", d.Message)
		}
	}
	require.Equal(t, want, have)
}
