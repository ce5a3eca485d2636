//go:build !race

package search

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMatchDoesNotAllocate(t *testing.T) {
	for _, expr := range []string{`(?<=a)b(?!c)`, `^(a|b)+(?:\1)$`} {
		p, err := Compile(expr)
		require.NoError(t, err)
		plenty := purse(1 << 40)
		p.Match("aabbab", &plenty)
		require.Zero(t, testing.AllocsPerRun(100, func() { p.Match("aabbabb", &plenty) }), expr)
	}
}
