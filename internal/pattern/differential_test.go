package pattern

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestRandomPatternsOnEveryEngine writes patterns at random and runs random strings on every
// engine: the form chosen, the automaton, package search, package regexp and regexp2 must agree.
func TestRandomPatternsOnEveryEngine(t *testing.T) {
	g := generator{rand.New(rand.NewPCG(1, 2))}
	kinds := map[Kind]int{}
	for range 500 {
		pattern := g.anchored()
		p, err := Compile(pattern)
		require.NoError(t, err, pattern)
		kinds[p.Kind()]++
		e := newEngines(t, p)
		for range 10 {
			s := g.subject()
			e.check(t, s, p.Match(s))
		}
	}
	for k := Always; k <= Backtrack; k++ {
		require.NotZero(t, kinds[k], "no pattern became %v", k)
	}
}

// FuzzMatch does the same with patterns and strings of the fuzzer's.
func FuzzMatch(f *testing.F) {
	for _, c := range table {
		for _, s := range append([]string{""}, append(c.yes, c.no...)...) {
			if len(s) < 100 {
				f.Add(c.pattern, s)
			}
		}
	}
	f.Fuzz(func(t *testing.T, pattern, s string) {
		if len(pattern) > 100 || len(s) > 100 || strings.ToValidUTF8(s, "") != s {
			return
		}
		p, err := Compile(pattern)
		if err != nil || p.Kind() == Backtrack {
			return
		}
		p.Emit("patternX")
		if p.node.cost() < 1000 {
			e := newEngines(t, p)
			e.check(t, s, p.Match(s))
		}
	})
}

type generator struct{ *rand.Rand }

func pick[T any](g generator, list ...T) T { return list[g.IntN(len(list))] }

func (g generator) anchored() string {
	pattern := g.pattern(4)
	switch g.IntN(6) {
	case 5:
		return pick(g, "a", "foo", "[ab]", "(?:a|b)") + pick(g, "$", "\\.js$", "-$")
	case 0:
		return "^" + pattern + "$"
	case 1:
		return "^" + pattern
	case 2:
		return "^(?:" + pattern + ")$"
	}
	return pattern
}

func (g generator) atom() string {
	return pick(g, "a", "b", "c", "-", "é", "😀", ".", `\d`, `\w`, `\W`, `\s`, `\S`, `\D`, "[ab]", "[^a]", "[a-c]", `[^\d]`,
		`[\w-]`, "[^]", "[]", `\p{L}`, `[^\p{L}a]`, `\u{1F600}`, `\ud83d`, `\n`, `\u2028`, `\b`, `\B`, "^", "$", "ab", "abc", "k",
		"[😀-😎]", `\P{Lu}`, `\xE9`, `[\ud800-\udfff]`, "1", "(?i:k)", "[A-Z]")
}

func (g generator) pattern(depth int) string {
	if depth == 0 {
		return g.atom()
	}
	switch g.IntN(14) {
	case 0, 1, 2:
		return g.atom()
	case 3, 4, 5:
		return g.pattern(depth-1) + g.pattern(depth-1)
	case 6, 7:
		return "(?:" + g.pattern(depth-1) + "|" + g.pattern(depth-1) + ")"
	case 8:
		return "(" + g.pattern(depth-1) + ")" + pick(g, "", "", `\1`)
	case 9, 10:
		return "(?:" + g.pattern(depth-1) + ")" + pick(g, "*", "+", "?", "{2}", "{1,2}", "{0,3}", "{2,}", "*?", "+?", "{0}")
	case 11:
		return pick(g, "(?=", "(?!", "(?<=", "(?<!") + g.pattern(depth-1) + ")"
	}
	atom := pick(g, "a", "[ab]", `\d`, ".", `\w`, "[^a]", `\S`, "é", "[a-z]")
	return atom + pick(g, "*", "+", "?", "{2}", "{1,3}")
}

// subject makes a string, at times with lone surrogates in it. A high one is never followed
// by a low one: that would be one code point.
func (g generator) subject() string {
	var b strings.Builder
	for range g.IntN(6) {
		b.WriteString(pick(g, "a", "b", "c", "a", "b", "-", "1", "k", "é", "😀", "\n", "\u2028", "K", "A", " ", "_", "\u212a", "\xed\xa0\xbd", "\ufffd", "\U0010f83d"))
	}
	return b.String()
}
