package plan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// TestEveryMeaningIsPlanned: what the table of keywords says has a rule, or is read by that of
// the keyword that it stands beside; so a row without its check can't slip in.
func TestEveryMeaningIsPlanned(t *testing.T) {
	read := map[load.Check]bool{
		load.CheckType: true, load.CheckUnevaluatedMembers: true, load.CheckUnevaluatedItems: true, // by plan, first and last
		load.CheckAnchor: true, load.CheckSelfRequired: true, // by load, and by members for each property
	}
	for _, family := range rules() {
		for check := range family {
			require.False(t, read[check], "two rules for one meaning")
			read[check] = true
		}
	}
	for _, k := range load.Keywords() {
		if k.Check != load.NoCheck && k.Beside == "" {
			require.True(t, read[k.Check], k.Name)
		}
		if k.Beside != "" {
			require.NotEmpty(t, load.Rows(k.Beside), k.Name)
		}
	}
}
