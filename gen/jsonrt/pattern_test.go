package jsonrt

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// expressions are of the kind that the compiler writes.
var expressions = []string{
	`\A\z`, `(?:)`, `a`, `\Aa`, `a\z`, `\Aa\z`, `\A[a-z]+\z`, `\A(?:a+)+\z`, `[Ee][Ss]`, `\A[Kk]\z`, `\A[^\n\r\x{2028}\x{2029}]+\z`,
	`\bfoo\b`, `\Bfoo`, `\A\b`, `\B`, `foo\b\z`, `\A(?:\b|-)+\z`, `\A\p{L}+\z`, `[^\x00-\x{10FFFF}]`, `\A(?:[^\x00-\x{10FFFF}])*\z`, `\A(?s:.)\z`,
	`\A(?:[0-9]+\.)?(?:[0-9]+\.)?[0-9]+\z`, `a|\Ab|c\z`, `\Aa|b`, `[😀-😎]x`, `\A[^a]{2}\z`, `a\Ab`, `\z\A`, `\A(?:|a)+b\z`, `é`, `\A[^é]\z`, `\xE9|ß`,
}

var texts = []string{
	"", "a", "b", "c", "ab", "ba", "k", "K", "\u212a", "es", "ES", "foo", "a foo b", "afoo", "foo_", "éfooé", "\n", "\u2028", "😀", "😀x", "é", "éé", "aé", "1.2.3", "1.2.3.4", "-", "--", "πα", "ß",
	"\ufffd", "x\ufffd",
}

// free is a meter that lets everything pass.
type free struct{}

func (free) Spend(int) bool { return true }

func found(p *Pattern, s string) bool {
	matched, decided := p.Decide(s, free{})
	return matched && decided
}

func TestPatternAgreesWithRegexp(t *testing.T) {
	for _, expr := range expressions {
		p := Pattern{Expr: expr}
		re := regexp.MustCompile(expr)
		for _, s := range texts {
			require.Equal(t, re.MatchString(s), found(&p, s), "%s and %q", expr, s)
		}
		require.NotNil(t, p.automaton, expr)
	}
}

// TestPatternTooLargeForAnAutomaton runs expressions that go to package search.
func TestPatternTooLargeForAnAutomaton(t *testing.T) {
	for _, expr := range []string{
		`\A(?:a|b)*a(?:a|b){16}\z`,                           // a state for each string of 16
		`\A` + strings.Repeat(`[\p{L}\p{N}]?x?`, 300) + `\z`, // too much work
	} {
		p := Pattern{Expr: expr}
		start := time.Now()
		found(&p, "")
		require.Less(t, time.Since(start), 20*time.Second)
		require.Nil(t, p.automaton, expr)
		re := regexp.MustCompile(expr)
		for _, s := range append(texts, strings.Repeat("ab", 10), strings.Repeat("b", 20)) {
			require.Equal(t, re.MatchString(s), found(&p, s), s)
		}
	}
	large := `(?:a|b)*a(?:a|b){16}\z`
	p := Pattern{Expr: `\A\x{D83D}` + large}
	require.True(t, found(&p, "\xed\xa0\xbda"+strings.Repeat("b", 16)))
	require.False(t, found(&p, "\ufffda"+strings.Repeat("b", 16)))
	p = Pattern{Expr: `\A[^a]` + large}
	require.True(t, found(&p, "\xed\xa0\xbda"+strings.Repeat("b", 16)), "a lone surrogate is one code point")
	require.Nil(t, p.automaton)
}

// TestPatternSeesSurrogates: a lone surrogate is one code point, and itself.
func TestPatternSeesSurrogates(t *testing.T) {
	const high, low = "\xed\xa0\xbd", "\xed\xb8\x80"
	for _, c := range []struct {
		expr string
		s    string
		want bool
	}{
		{`\A(?s:.)\z`, high, true},
		{`\A(?s:.){2}\z`, low + high, true},
		{`\A[^a]\z`, low, true},
		{`\A\x{D83D}\z`, high, true},
		{`\A\x{D83D}\z`, low, false},
		{`\A\x{D83D}\z`, "\ufffd", false},
		{`\A\x{FFFD}`, high, false},
		{`\A[\x{D800}-\x{DFFF}]+\z`, low + high, true},
		{`\A[\x{D800}-\x{DFFF}]+\z`, "😀", false},
	} {
		p := Pattern{Expr: c.expr}
		require.Equal(t, c.want, found(&p, c.s), "%s and %q", c.expr, c.s)
	}
	require.Equal(t, 3, Length("a"+high+"😀"))
	require.Equal(t, 0, Length(""))
}

func TestPatternIsLinearAndDoesNotAllocate(t *testing.T) {
	p := Pattern{Expr: `\A(?:a+)+\z`}
	hostile := strings.Repeat("a", 1<<20) + "!"
	start := time.Now()
	require.False(t, found(&p, hostile))
	require.Less(t, time.Since(start), time.Second)
	letters := Pattern{Expr: `\A\p{L}+\z`}
	found(&letters, "")
	require.Zero(t, testing.AllocsPerRun(100, func() {
		found(&p, "aaa")
		found(&letters, "αβγ中文")
	}))
}

func TestPatternMayBeUsedByManyAtOnce(t *testing.T) {
	p := Pattern{Expr: `\A[a-z]+-[0-9]+\z`}
	done := make(chan bool)
	for range 8 {
		go func() { done <- found(&p, "abc-123") }()
	}
	for range 8 {
		require.True(t, <-done)
	}
}

func FuzzPattern(f *testing.F) {
	for _, expr := range expressions {
		for _, s := range texts {
			f.Add(expr, s)
		}
	}
	f.Fuzz(func(t *testing.T, expr, s string) {
		re, err := regexp.Compile(expr)
		if err != nil || len(expr) > 200 || strings.Contains(expr, "(?") || strings.ContainsAny(expr, "^$") || strings.ToValidUTF8(s, "") != s {
			return // flags and line anchors are not written by the compiler
		}
		p := Pattern{Expr: expr}
		require.Equal(t, re.MatchString(s), found(&p, s))
	})
}

func BenchmarkPattern(b *testing.B) {
	for _, expr := range []string{`\A[Ee][Ss]2016(?:\.(?:[Ii][Nn][Tt][Ll]|[Aa][Rr][Rr][Aa][Yy]))?\z`, `\A(?:[a-z]+\.)*[a-z]+\z`, `\A\p{L}+\z`} {
		s := "abc.defghi.jkl"
		p := Pattern{Expr: expr}
		re := regexp.MustCompile(expr)
		b.Run("Pattern/"+expr, func(b *testing.B) {
			for b.Loop() {
				found(&p, s)
			}
		})
		b.Run("regexp/"+expr, func(b *testing.B) {
			for b.Loop() {
				re.MatchString(s)
			}
		})
	}
}

func BenchmarkPatternFirstUse(b *testing.B) {
	for b.Loop() {
		p := Pattern{Expr: `\A[Ee][Ss]2016(?:\.(?:[Ii][Nn][Tt][Ll]|[Aa][Rr][Rr][Aa][Yy]))?\z`}
		found(&p, "x")
	}
}
