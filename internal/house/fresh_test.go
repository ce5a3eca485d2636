package house_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGeneratedIsFresh: generated/ is what echo-gen makes of schemas/ today, with the flags of
// generate.go.
func TestGeneratedIsFresh(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "run", "./cmd/echo-gen", "-assert-format", "-check")
	cmd.Dir = root
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "generated/ is stale, run `make generate`:\n%s", out)
}
