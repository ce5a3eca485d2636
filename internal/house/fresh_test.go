package house_test

import (
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestGeneratedIsFresh: what echo-gen has written is what it writes today, with the flags of
// generate.go.
func TestGeneratedIsFresh(t *testing.T) {
	const shop = "mcpkit/client/typed/internal/shopmcp"
	for _, args := range [][]string{{"-assert-format"}, {"-catalog", shop + "/shop.json", "-out", shop}} {
		cmd := exec.CommandContext(t.Context(), "go", append([]string{"run", "./cmd/echo-gen", "-check"}, args...)...)
		cmd.Dir = root
		out, err := cmd.CombinedOutput()
		require.NoError(t, err, "what echo-gen has written is stale, run `make generate`:\n%s", out)
	}
}
