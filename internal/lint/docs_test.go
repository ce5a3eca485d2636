package lint_test

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// TestDocumentHasEveryRule: the tables in docs/lint.md are those of the rules.
func TestDocumentHasEveryRule(t *testing.T) {
	t.Parallel()
	document, err := os.ReadFile("../../docs/lint.md")
	require.NoError(t, err)
	const head = "|---|---|---|---|---|---|\n"
	plain, strict := head, head
	for _, r := range modelapi.Rules() {
		links := make([]string, len(r.Sources))
		for i, source := range r.Sources {
			links[i] = fmt.Sprintf("[%d](%s)", i+1, source)
		}
		row := fmt.Sprintf("| `%s` | %s | %s | %s | %s | %s |\n", r.ID, r.Level, strings.Join(r.Clients, ", "), r.Effect, r.Remedy, strings.Join(links, " "))
		if r.Strict {
			strict += row
		} else {
			plain += row
		}
	}
	for _, table := range []string{plain, strict} {
		require.Contains(t, string(document), table+"\n", "docs/lint.md should have this table:\n%s", table)
	}
}
