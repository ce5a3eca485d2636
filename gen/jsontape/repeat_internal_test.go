package jsontape

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRoundsWrap: after 2^32 objects the rounds of the hash table begin again, and names of
// the first round must not be taken for names of this one.
func TestRoundsWrap(t *testing.T) {
	var tape Tape
	require.NoError(t, tape.Parse([]byte(`{"\u0061":1,"b":2}`), Options{}))
	for _, round := range []uint32{0, math.MaxUint32 - 1, math.MaxUint32, 0} {
		tape.names.round = round
		require.Equal(t, -1, tape.RepeatedName(0), "round %d", round)
		require.Equal(t, -1, tape.RepeatedName(0), "round %d", round)
	}
}
