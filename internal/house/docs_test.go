package house_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, name))
	require.NoError(t, err)
	return string(text)
}

// TestDocumentedTargetsExist: README and AGENTS name only targets that the Makefile has,
// and the README names them all.
func TestDocumentedTargetsExist(t *testing.T) {
	targets := map[string]bool{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):.*## `).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		targets[m[1]] = true
	}
	require.NotEmpty(t, targets)
	for _, name := range []string{"README.md", "AGENTS.md"} {
		for _, m := range regexp.MustCompile("(?m)(?:`|^)make ([a-z][a-z0-9-]*)").FindAllStringSubmatch(read(t, name), -1) {
			require.True(t, targets[m[1]], "%s speaks of `make %s`, which the Makefile doesn't have", name, m[1])
		}
	}
	for target := range targets {
		require.Contains(t, read(t, "README.md"), "make "+target, "README.md doesn't mention the target")
	}
}

// TestAgentsIsShort: AGENTS.md is read at the start of every session, so it has a ceiling.
func TestAgentsIsShort(t *testing.T) {
	require.LessOrEqual(t, strings.Count(read(t, "AGENTS.md"), "\n"), 80)
}
