package house_test

import (
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestMissingSuites: where test data is missing, a target fails and says which folder, where
// the public ones come from, and where to read on.
func TestMissingSuites(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "bash", ".ci/suites", "no-such-suite")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.Error(t, err)
	for _, want := range []string{
		"no-such-suite", "../shared/suites", "CONTRIBUTING.md", "make suite-official",
		"https://github.com/json-schema-org/JSON-Schema-Test-Suite", "https://github.com/nst/JSONTestSuite",
	} {
		require.Contains(t, string(out), want)
	}
}

// TestSuitesAreLookedFor: every target that compiles the tests of the suites looks for the
// data first, and CONTRIBUTING.md has a row for each folder that is looked for.
func TestSuitesAreLookedFor(t *testing.T) {
	makefile := read(t, "Makefile")
	seen := 0
	for _, target := range strings.Split(makefile, "\n.PHONY: ") {
		if strings.Contains(target, "-tags suite") {
			seen++
			require.Contains(t, target, "\n\t.ci/suites ", target)
		}
	}
	require.Greater(t, seen, 2)

	folders := regexp.MustCompile(`(?m)^SUITES +:= (.*)$`).FindStringSubmatch(makefile)
	require.NotNil(t, folders)
	require.Contains(t, read(t, ".ci/run"), ".ci/suites "+folders[1]+"\n")
	for _, folder := range strings.Fields(folders[1]) {
		require.Contains(t, read(t, "CONTRIBUTING.md"), "\n| `"+folder+"` | ")
	}
}
