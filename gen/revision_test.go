package gen

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWithoutGit: where git is missing, -diff git:REV says so and what else there is.
func TestWithoutGit(t *testing.T) {
	t.Setenv("PATH", "")
	_, err := checkOut("schemas", "origin/main")
	require.EqualError(t, err, "-diff git:REV needs git, which is not installed here: install it, or give -diff a folder")
}
