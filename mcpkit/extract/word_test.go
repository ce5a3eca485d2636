package extract

import (
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSearches: what looks at eight bytes at a time finds what looking at each finds.
func TestSearches(t *testing.T) {
	escaped := regexp.MustCompile(`\\u00(3[0-9]|5[cCfF]|6.|7[0-9aA])`)
	str := regexp.MustCompile(`^(?:[^"\\]|\\.)*"`)
	parts := []string{`\`, `u`, `0`, `00`, `61`, `5c`, `7b`, `7A`, `3a`, `"`, `\"`, `\\`, `é`, strings.Repeat("x", 9), `\u00`, `n`}
	random := rand.New(rand.NewPCG(1, 2))
	letters, quotes := 0, 0
	for range 100_000 {
		var text strings.Builder
		for range random.IntN(12) {
			text.WriteString(parts[random.IntN(len(parts))])
		}
		b := []byte(text.String())
		found := hasEscapedLetter(b)
		require.Equal(t, escaped.Match(b), found, "%s", b)
		end, _ := endOfString(b, 0)
		require.Equal(t, len(str.Find(b))-1, end, "%s", b)
		if found {
			letters++
		}
		if end >= 0 {
			quotes++
		}
	}
	require.Greater(t, letters, 1000)
	require.Greater(t, quotes, 1000)
}
