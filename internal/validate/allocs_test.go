//go:build !race

package validate_test

import (
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/validate"
)

// TestValidLinesCostNothing: a thousand valid lines allocate no more than one does.
func TestValidLinesCostNothing(t *testing.T) {
	for _, asJSON := range []bool{false, true} {
		cost := func(lines int) float64 {
			in := strings.Repeat("{\"stage\":\"a\"}\n", lines)
			return testing.AllocsPerRun(20, func() {
				r := validate.New(io.Discard, validate.Options{Schema: stage, JSON: asJSON})
				require.NoError(t, r.Lines("f", strings.NewReader(in)))
			})
		}
		require.InDelta(t, cost(1), cost(1000), 1)
	}
}
