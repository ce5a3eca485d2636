package pattern

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/dlclark/regexp2/v2"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

func longString(n int) string { return strings.Repeat("a", n) }

func repeatString(s string, n int) string { return strings.Repeat(s, n) }

// words lists n words as alternatives.
func words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = fmt.Sprintf("word%d", i)
	}
	return strings.Join(list, "|")
}

func TestTable(t *testing.T) {
	for _, c := range table {
		p, err := Compile(c.pattern)
		require.NoError(t, err, c.pattern)
		require.Equal(t, c.kind, p.Kind(), "%s is %v: %s", c.pattern, p.kind, comment(p.expr))
		require.Equal(t, c.pattern, p.Pattern())
		for _, s := range c.yes {
			require.True(t, p.Match(s), "%s matches %q (%v %s)", c.pattern, s, p.kind, comment(p.expr))
		}
		for _, s := range c.no {
			require.False(t, p.Match(s), "%s does not match %q (%v %s)", c.pattern, s, p.kind, comment(p.expr))
		}
	}
}

// TestEveryEngineAgrees runs the strings of the table on every engine that can run the
// pattern, not just the one chosen for it.
func TestEveryEngineAgrees(t *testing.T) {
	for _, c := range table {
		p, err := Compile(c.pattern)
		require.NoError(t, err)
		e := newEngines(t, p)
		for _, s := range c.yes {
			e.check(t, s, true)
		}
		for _, s := range c.no {
			e.check(t, s, false)
		}
	}
}

// engines runs a pattern on everything that can run it.
type engines struct {
	pattern   string
	search    *jsonrt.LookPattern // of the expression as it is after expand
	regexp2   *regexp2.Regexp     // of the pattern itself; nil where that means something else there
	automaton *jsonrt.Pattern
	regexp    *regexp.Regexp
}

func newEngines(t *testing.T, p *Program) engines {
	re, err := ecma.Parse(p.pattern)
	require.NoError(t, err)
	e := engines{pattern: p.pattern, search: &jsonrt.LookPattern{Expr: p.node.ecma()}}
	// The engine is not at home with surrogates and writes properties in its own way, so it
	// gets the lowered expression.
	if expr := lower(re).ecma(); !strings.Contains(expr, `\u{d8`) && !strings.Contains(expr, `\u{dfff`) {
		e.regexp2, err = regexp2.Compile(expr, regexp2.ECMAScript|regexp2.Unicode)
		require.NoError(t, err)
		e.regexp2.MatchTimeout = time.Second
	}
	if expr, ok := p.node.re2(); ok {
		e.automaton, e.regexp = &jsonrt.Pattern{Expr: expr}, regexp.MustCompile(expr)
	}
	return e
}

func (e *engines) check(t *testing.T, s string, want bool) {
	t.Helper()
	plenty := purse(1 << 30)
	matched, decided := e.search.Decide(s, &plenty)
	require.True(t, decided)
	require.Equal(t, want, matched, "package search for %s and %q: %s", e.pattern, s, comment(e.search.Expr))
	if len(s) < 1000 && e.regexp2 != nil && utf8.ValidString(s) {
		matched, err := e.regexp2.MatchString(s)
		require.NoError(t, err)
		require.Equal(t, want, matched, "regexp2 for %s and %q", e.pattern, s)
	}
	if e.automaton == nil {
		return
	}
	expr := e.automaton.Expr
	matched, _ = e.automaton.Decide(s, unpaid{})
	require.Equal(t, want, matched, "jsonrt.Pattern for %s and %q: %s", e.pattern, s, comment(expr))
	if utf8.ValidString(s) && !strings.Contains(expr, `\x{D8`) {
		require.Equal(t, want, e.regexp.MatchString(s), "regexp for %s and %q: %s", e.pattern, s, comment(expr))
	}
}

func TestErrorsTellWhere(t *testing.T) {
	for pattern, want := range map[string]Error{
		`[a-z`:         {Offset: 0, Column: 1, Msg: "the class is not closed"},
		`é😀(a`:         {Offset: 6, Column: 3, Msg: "the group is not closed"},
		`a**`:          {Offset: 2, Column: 3, Msg: "nothing to repeat"},
		`^\p{Letters}`: {Offset: 1, Column: 2, Msg: "unknown Unicode property"},
	} {
		_, err := Compile(pattern)
		var failure *Error
		require.ErrorAs(t, err, &failure, pattern)
		require.Equal(t, want, *failure, pattern)
		require.Equal(t, want.Msg, err.Error())
	}
}

func TestLenientPatternsAreMarked(t *testing.T) {
	for pattern, lenient := range map[string]bool{`^[\w.-]+$`: false, `^[\w-.]+$`: true, `\-`: true, `a{,3}`: true, `]`: true} {
		p, err := Compile(pattern)
		require.NoError(t, err)
		require.Equal(t, lenient, p.Lenient(), pattern)
	}
}

// TestLargeRepeatsStaySmall compiles counts that would cost gigabytes if they were unrolled.
func TestLargeRepeatsStaySmall(t *testing.T) {
	for _, pattern := range []string{
		`^[a-z]{0,65535}$`, `^[a-z]{1,2147483647}$`, `[a-z]{1,99999999}`, `^a{99999999}$`, `^(?:a|bc){1,65535}$`,
		`^(?:(?:a{1,1000}b){1,1000}c){1,1000}$`, `^((((a{0,99}){0,99}){0,99}){0,99}){0,99}$`, `^(?:[a-z0-9]{1,4000}\.){4000}$`,
		`^.{0,32768}x.{0,32768}$`, `(?:a{65535}){65535}`, `^((((a?b?){2}){2}){200}){200}$`, `^(a|b){250}$`, `^((a{250}){250}){250}$`,
	} {
		p, err := Compile(pattern)
		require.NoError(t, err, pattern)
		require.Less(t, len(p.expr), maxSource, pattern)
		p.Match("abc")
		p.Match("")
	}
}

// TestHostileStringsEndSoon matches what makes backtracking engines run for ever.
func TestHostileStringsEndSoon(t *testing.T) {
	hostile := strings.Repeat("a", 50_000) + "!"
	for _, pattern := range []string{`^(a+)+$`, `^(a|aa)+$`, `^(a|a)*$`, `^([a-zA-Z0-9])(([\-.]|[_]+)?([a-zA-Z0-9]+))*$`, `(a*)*b`, `^(?!(a+)+$)(a+)+$`} {
		p, err := Compile(pattern)
		require.NoError(t, err)
		require.NotEqual(t, Backtrack, p.Kind(), pattern)
		start := time.Now()
		p.Match(hostile)
		require.Less(t, time.Since(start), 2*time.Second, pattern)
	}
	for _, pattern := range []string{`^(a+)+(?=b)`, `(?=(a+)+b)`, `(?<!(a+)+)b`, `^(?:(?=(a|aa)+$).)+b`} {
		p, err := Compile(pattern)
		require.NoError(t, err)
		require.Equal(t, Look, p.Kind(), pattern)
		require.False(t, p.Match(hostile), pattern)
	}
}

// TestExpand: back-references to groups of a few words need no backtracking.
func TestExpand(t *testing.T) {
	for pattern, kind := range map[string]Kind{
		`^(['"]).*\1$`:                          RE2,
		`^(["'])(?:(?!\1).)*\1$`:                RE2,
		`^(?<q>a|bc)x\k<q>$`:                    OneOf,
		`^(?:(a|b)-\1,)*$`:                      RE2,
		`^(a)(b|c)\2\1$`:                        OneOf,
		`^(?i:(k)\1)$`:                          OneOf,
		`^(a|b)(?:(?!\1-).)*\1$`:                Look,
		`^(a*)\1$`:                              Backtrack, // any number of words
		`^(?:(a)|b)\1$`:                         Backtrack, // may be unset
		`^(a)?\1$`:                              Backtrack,
		`^(a|b)*\1$`:                            Backtrack, // the last of several
		`^\1(a)$`:                               Backtrack,
		`^(?:(?<x>a)|(?<x>b))\k<x>$`:            Backtrack,
		`^([a-z])\1$`:                           Backtrack, // too many
		`^((a|b)\2)\1$`:                         OneOf,
		`^(a|b)(a|b)(a|b)(a|b)(a|b)\1\2\3\4\5$`: OneOf,
	} {
		p, err := Compile(pattern)
		require.NoError(t, err)
		require.Equal(t, kind, p.Kind(), pattern)
	}
}

func TestMatchDoesNotAllocate(t *testing.T) {
	for _, c := range table {
		p, err := Compile(c.pattern)
		require.NoError(t, err)
		if p.Kind() == Look || p.Kind() == Backtrack || p.cost() > 500 {
			continue
		}
		for _, s := range append(append([]string(nil), c.yes...), c.no...) {
			p.Match(s)
			require.Zero(t, testing.AllocsPerRun(5, func() { p.Match(s) }), "%s and %q", c.pattern, s)
		}
	}
}

// cost is that of the largest part.
func (p *Program) cost() int {
	cost := p.node.cost()
	for _, part := range p.parts {
		cost = max(cost, part.program.cost())
	}
	return cost
}

func TestKindHasAName(t *testing.T) {
	for k := Always; k <= Backtrack; k++ {
		require.NotEmpty(t, fmt.Sprint(k))
	}
}
