package lookaround

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		expr    string
		yes, no []string
	}{
		{`a(?!b)`, []string{"a", "ac"}, []string{"ab", ""}},
		{`(?<!a)b`, []string{"b", "cb"}, []string{"ab"}},
		{`^(a|b)(?:\1)$`, []string{"aa", "bb"}, []string{"ab", "aa\n"}},
		{`^(?:[a]|(x))(?:\1)$`, []string{"a", "xx"}, []string{"x"}},
		{`^[^](?!x)`, []string{"\xed\xa0\xbd", "😀", "\U0010f800"}, []string{"", "\xed\xa0\xbdx"}},
		// The stand-ins of surrogates, as the compiler writes them.
		{`^\u{10f83d}(?!x)`, []string{"\xed\xa0\xbd"}, []string{"\U0010f83d", "\ufffd", "\xed\xa0\xbe"}},
		{`^\u{d83d}(?!x)`, []string{"\U0010f83d"}, []string{"\xed\xa0\xbd"}},
	} {
		require.NoError(t, Check(c.expr))
		p := Pattern{Expr: c.expr}
		for _, s := range c.yes {
			require.True(t, p.Match(s), "%s and %q", c.expr, s)
		}
		for _, s := range c.no {
			require.False(t, p.Match(s), "%s and %q", c.expr, s)
		}
	}
}

func TestCheckRefusesWhatTheEngineRefuses(t *testing.T) {
	require.Error(t, Check(`(a`))
}

func TestTimeAndMemoryAreLimited(t *testing.T) {
	p := Pattern{Expr: `^(?:a+)+(?=b)`}
	start := time.Now()
	require.False(t, p.Match(strings.Repeat("a", 50)+"!"))
	require.Less(t, time.Since(start), 20*TimeLimit)

	p = Pattern{Expr: `^(?:ab|c)*(?!x)$`}
	require.True(t, p.Match(strings.Repeat("ab", 4096)), "an ordinary long string is decided")

	// A string of 256 KiB has eight times the limit.
	p = Pattern{Expr: `^a(?!b)`}
	require.False(t, p.Match(strings.Repeat("ab", 1<<17)))
	require.Equal(t, 8*TimeLimit, p.engines[3].MatchTimeout)
	require.Nil(t, p.engines[0].Regexp)
}
