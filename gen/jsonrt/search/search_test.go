package search

import (
	"fmt"
	"math/rand/v2"
	"regexp/syntax"
	"strings"
	"testing"

	"github.com/dlclark/regexp2/v2"
	"github.com/stretchr/testify/require"
)

// purse is a Meter with so many steps.
type purse int

func (p *purse) Spend(steps int) bool {
	*p -= purse(steps)
	return *p >= 0
}

// match decides with plenty of steps.
func match(t *testing.T, expr, s string) bool {
	t.Helper()
	p, err := Compile(expr)
	require.NoError(t, err, expr)
	plenty := purse(1 << 30)
	matched, decided := p.Match(s, &plenty)
	require.True(t, decided, "%s and %q", expr, s)
	return matched
}

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		expr    string
		linear  bool
		yes, no []string
	}{
		{`a(?!b)`, true, []string{"a", "ac"}, []string{"ab", ""}},
		{`(?<!a)b`, true, []string{"b", "cb"}, []string{"ab"}},
		{`(?<=^a)b`, true, []string{"ab"}, []string{"cab", "b"}},
		{`a(?=b$)`, true, []string{"ab", "cab"}, []string{"abc", "a"}},
		{`(?<=a(?=bc))b`, true, []string{"abc"}, []string{"ab", "abd"}},
		{`^(?:(?!aa)[ab])*$`, true, []string{"", "abab", "ba"}, []string{"aa", "baab"}},
		{`(?=(?<=ab)c)`, true, []string{"abc"}, []string{"bc", "ab"}},
		{`\b(?!b)`, true, []string{"a", "b"}, []string{""}},
		{`(?<!\bx)y`, true, []string{"y", "axy"}, []string{"xy", "-xy"}},
		{`^(?:a|bc){2,3}(?!c)`, true, []string{"abc", "bcbcbc"}, []string{"a", "aca", "bcac"}},
		{`^[^](?!x)`, true, []string{"\xed\xa0\xbd", "😀", "\U0010f800"}, []string{"", "\xed\xa0\xbdx"}},
		{`^\u{d83d}(?!x)`, true, []string{"\xed\xa0\xbd"}, []string{"\U0010f83d", "\ufffd", "\xed\xa0\xbe"}},
		{`(?<=\u{d83d})$`, true, []string{"\xed\xa0\xbd", "a\xed\xa0\xbd"}, []string{"😀", "\ufffd", ""}},
		{`(?<![\u{d800}-\u{dfff}é])$`, true, []string{"", "a", "\ufffd"}, []string{"\xed\xa0\xbd", "é"}},
		{`[](?!x)`, true, nil, []string{"", "a"}},
		{`^[^b-da](?!x)`, true, []string{"e", "\x00", "😀"}, []string{"a", "b", "c", "d", "ex"}},

		{`^(a|b)(?:\1)$`, false, []string{"aa", "bb"}, []string{"ab", "aa\n"}},
		{`^(?:[a]|(x))(?:\1)$`, false, []string{"a", "xx"}, []string{"x"}},
		{`^(?:(a)|b)*(?:\1)$`, false, []string{"", "b", "aa", "aab", "bb"}, nil}, // unset anew in every round
		{`^(?:(a)|(b)|x)+(?:\1)(?:\2)$`, false, []string{"aa", "bb", "abb", "xbb", "ax"}, []string{"y", ""}},
		{`^(a?)+(?:\1)$`, false, []string{"", "aa"}, []string{"a", "b"}},                            // an empty round does not count
		{`^(?=(a+))a*b(?:\1)$`, false, []string{"aba", "aabaa"}, []string{"ab", "aaba", "baaabac"}}, // atomic
		{`(?<=(?:\1)(a))c`, false, []string{"aac"}, []string{"ac", "bac"}},
		{`(?<=(a)(?:\1))c`, false, []string{"ac", "aac"}, []string{"bc"}},
		{`^(?!(a)(?:\1))a(?:\1)b`, false, []string{"ab"}, []string{"aab", "aab"}},
		{`^(é+)-(?i:\1)$`, false, []string{"é-É", "éé-éÉ"}, []string{"é-e", "éé-é"}},
		{`^(k)(?i:\1)$`, false, []string{"kK", "kk", "k\u212a"}, []string{"kx"}},
		{`(?<=(?i:\1)(k))$`, false, []string{"\u212ak"}, []string{"xk", "k"}},
		{`^(a{2,3}?)(b{1000,2000})(?:\1)$`, false, []string{"aa" + strings.Repeat("b", 1500) + "aa"}, []string{"aa" + strings.Repeat("b", 999) + "aa", "aa" + strings.Repeat("b", 1500) + "a"}},
		{`^(?:(a)(?:\1)??){2000,}$`, false, []string{strings.Repeat("a", 2000), strings.Repeat("a", 4001)}, []string{"", "aa"}},
		{`^(?:(a?)){5000}(?:\1)b$`, false, []string{"b", "aab", strings.Repeat("a", 5000) + "b"}, []string{""}},
		{`^(?:(a?)){2000,3000}?(?:\1)b$`, false, []string{"b", "aab"}, []string{""}},
	} {
		p, err := Compile(c.expr)
		require.NoError(t, err)
		require.Equal(t, c.linear, p.Linear(), c.expr)
		for _, s := range c.yes {
			require.True(t, match(t, c.expr, s), "%s and %.50q", c.expr, s)
		}
		for _, s := range c.no {
			require.False(t, match(t, c.expr, s), "%s and %.50q", c.expr, s)
		}
	}
}

func TestNotationOfTheCompiler(t *testing.T) {
	for _, expr := range []string{`(a`, `.`, `\d`, `[\w]`, `(?i:a)`, `(?i:[a]\b)`, `(?:(?:a{65535}){65535}b(c)){65535}\1` + strings.Repeat("(?:[ab]|cd)", maxCode/4)} {
		_, err := Compile(expr)
		require.Error(t, err, expr)
	}
}

// TestLinear: what backtracking takes exponential or quadratic time for is decided in time
// linear in the string.
func TestLinear(t *testing.T) {
	for _, expr := range []string{`^(?:a+)+(?=b)`, `^(?:a|a)*(?!a)b$`, `(?=a*b)`, `(?<!a*c)a(?=a*b)`, `^(?=(?:a+)+$)(?:a+)+b`} {
		p, err := Compile(expr)
		require.NoError(t, err)
		steps := func(n int) int {
			left := purse(1 << 30)
			matched, decided := p.Match(strings.Repeat("a", n), &left)
			require.True(t, decided, expr)
			require.False(t, matched, expr)
			return 1<<30 - int(left)
		}
		once, twice := steps(10_000), steps(20_000)
		require.Less(t, twice, 2*once+2*payEvery, expr)
		require.Less(t, once, 40*10_000, expr)
	}
}

// TestUndecided: a search that runs out of steps or memory says so, and says the same every
// time.
func TestUndecided(t *testing.T) {
	p, err := Compile(`^(?:(a+)+c(?:\1)|a+!)$`)
	require.NoError(t, err)
	for n, want := range map[int]bool{5: true, 22: true, 60: true} {
		require.Equal(t, want, match(t, `^(?:(a+)+c(?:\1)|a+!)$`, strings.Repeat("a", n)+"!"))
	}
	for range 3 {
		few := purse(1000)
		_, decided := p.Match(strings.Repeat("a", 22)+"!", &few)
		require.False(t, decided)
	}
	linear, err := Compile(`(?=a*b)`)
	require.NoError(t, err)
	few := purse(1000)
	_, decided := linear.Match(strings.Repeat("a", 5000), &few)
	require.False(t, decided)

	deep, err := Compile(`^((?:ab|c)*)x(?:\1)$`)
	require.NoError(t, err)
	plenty := purse(1 << 40)
	_, decided = deep.Match(strings.Repeat("ab", maxStack), &plenty)
	require.False(t, decided, "there is no room to go back so far")
	require.True(t, match(t, `^((?:ab|c)*)x(?:\1)$`, strings.Repeat("ab", 10_000)+"x"+strings.Repeat("ab", 10_000)))
}

// TestRandomExpressions compares both engines with regexp2 and with each other.
func TestRandomExpressions(t *testing.T) {
	g := generator{Rand: rand.New(rand.NewPCG(3, 4))}
	linear, backtracking := 0, 0
	for range 3000 {
		expr := g.expr(4)
		p, err := Compile(expr)
		require.NoError(t, err, expr)
		re, err := regexp2.Compile(expr, regexp2.ECMAScript|regexp2.Unicode)
		require.NoError(t, err, expr)
		if p.Linear() {
			linear++
		} else {
			backtracking++
		}
		for range 8 {
			s := g.subject()
			got := match(t, expr, s)
			if p.Linear() { // the other engine on the same expression
				other, err := Compile(`(?:` + expr + `)()(?:\` + fmt.Sprint(strings.Count(expr, "(")-strings.Count(expr, "(?")+1) + `)`)
				require.NoError(t, err)
				plenty := purse(1 << 30)
				matched, decided := other.Match(s, &plenty)
				require.True(t, decided)
				require.Equal(t, got, matched, "%s and %q", expr, s)
			}
			want, err := re.MatchString(s)
			require.NoError(t, err)
			require.Equal(t, want, got, "%s and %q", expr, s)
		}
	}
	require.Greater(t, linear, 500)
	require.Greater(t, backtracking, 500)
}

// TestRandomSyntax compares the automaton made of regexp/syntax with the one of the same
// expression in the notation of ECMA-262.
func TestRandomSyntax(t *testing.T) {
	g := generator{Rand: rand.New(rand.NewPCG(5, 6))}
	g.plain = true
	for range 1000 {
		expr := g.expr(4)
		tree, err := syntax.Parse(strings.NewReplacer("^", `\A`, "$", `\z`, `\u{e9}`, "é").Replace(expr), syntax.Perl)
		require.NoError(t, err)
		prog, err := syntax.Compile(tree.Simplify())
		require.NoError(t, err)
		p := FromSyntax(prog)
		for range 8 {
			s := g.subject()
			plenty := purse(1 << 30)
			matched, decided := p.Match(s, &plenty)
			require.True(t, decided)
			require.Equal(t, match(t, expr, s), matched, "%s and %q", expr, s)
		}
	}
}

type generator struct {
	*rand.Rand
	plain bool // no look-around, no back-references
}

func (g *generator) pick(list ...string) string { return list[g.IntN(len(list))] }

func (g *generator) expr(depth int) string {
	if depth == 0 {
		return g.pick("a", "b", "c", "[ab]", "[a-c]", `\u{e9}`, "^", "$", `\b`, `\B`)
	}
	n := 13
	if g.plain {
		n = 9
	}
	switch g.IntN(n) {
	case 0, 1:
		return g.expr(0)
	case 2, 3, 4:
		return g.expr(depth-1) + g.expr(depth-1)
	case 5, 6:
		return "(?:" + g.expr(depth-1) + "|" + g.expr(depth-1) + ")"
	case 7, 8:
		return "(?:" + g.expr(depth-1) + ")" + g.pick("*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?", "+?")
	case 9:
		return g.pick("(?=", "(?!", "(?<=", "(?<!") + g.expr(depth-1) + ")"
	case 10:
		// One group at most, so that its number is known.
		if inner := g.expr(depth - 1); !strings.Contains(strings.ReplaceAll(inner, "(?", ""), "(") {
			return "(" + inner + ")" + g.pick("", "a*", "[ab]?", "b") + `(?:\1)`
		}
	}
	return g.pick("a", "[ab]", "b") + g.pick("*", "+", "?", "{2}", "{1,3}")
}

func (g *generator) subject() string {
	var b strings.Builder
	for range g.IntN(7) {
		b.WriteString(g.pick("a", "b", "c", "a", "b", "é", "-"))
	}
	return b.String()
}
