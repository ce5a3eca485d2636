package ecma

import (
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// grammar lists patterns with the verdicts of the u grammar and of the lenient reading.
var grammar = []struct {
	pattern         string
	strict, lenient bool
}{
	{``, true, true},
	{`a`, true, true},
	{`a|b`, true, true},
	{`|`, true, true},
	{`()`, true, true},
	{`a*b+c?d*?e+?f??`, true, true},
	{`a{1}b{2,}c{3,4}d{5}?`, true, true},
	{`a{2,1}`, false, false},
	{`a{99999999999999999999}`, true, true},
	{`a{99999999999999999999,1}`, false, false},
	{`*`, false, false},
	{`+a`, false, false},
	{`a**`, false, false},
	{`a|*`, false, false},
	{`(?:*)`, false, false},
	{`^*`, false, false},
	{`$+`, false, false},
	{`\b+`, false, false},
	{`a{`, false, true},
	{`a{1`, false, true},
	{`a{,5}`, false, true},
	{`{`, false, true},
	{`{a}`, false, true},
	{`{1}`, false, false},
	{`a{1}{2}`, false, false},
	{`}`, false, true},
	{`]`, false, true},
	{`a]`, false, true},
	{`(`, false, false},
	{`)`, false, false},
	{`(a`, false, false},
	{`a)`, false, false},
	{`((a)`, false, false},
	{`[`, false, false},
	{`[a`, false, false},
	{`[]`, true, true},
	{`[^]`, true, true},
	{`[]a]`, false, true},
	{`[a-z]`, true, true},
	{`[z-a]`, false, false},
	{`[a-]`, true, true},
	{`[-a]`, true, true},
	{`[a-b-c]`, true, true},
	{`[--a]`, true, true},
	{`[a--]`, false, false},
	{`[\w-z]`, false, true},
	{`[a-\d]`, false, true},
	{`[\w-]`, true, true},
	{`[\w-\d]`, false, true},
	{`[\]]`, true, true},
	{`[[]`, true, true},
	{`[(]`, true, true},
	{`[\b\-]`, true, true},
	{`[\B]`, false, true},
	{`[\1]`, false, true},
	{`[\c]`, false, true},
	{`[\c1]`, false, true},
	{`[\cA]`, true, true},
	{`\d\D\s\S\w\W\b\B`, true, true},
	{`\f\n\r\t\v\0`, true, true},
	{`\00`, false, true},
	{`\01`, false, true},
	{`\x41`, true, true},
	{`\x4`, false, true},
	{`\xg1`, false, true},
	{`\u0041`, true, true},
	{`\u004`, false, true},
	{`\u{41}`, true, true},
	{`\u{10FFFF}`, true, true},
	{`\u{110000}`, false, true},
	{`\u{}`, false, true},
	{`\u{0000000000041}`, true, true},
	{`\ud83d\udc32`, true, true},
	{`\ud83d`, true, true},
	{`\ud83d\u`, false, true},
	{`\cA`, true, true},
	{`\cz`, true, true},
	{`\c`, false, true},
	{`\c1`, false, true},
	{`\^\$\\\.\*\+\?\(\)\[\]\{\}\|\/`, true, true},
	{`\-`, false, true},
	{`\_`, false, true},
	{`\@`, false, true},
	{`\ `, false, true},
	{`\"`, false, true},
	{`\a`, false, true},
	{`\Z`, false, true},
	{`\é`, false, true},
	{`\`, false, false},
	{`a\`, false, false},
	{`[\`, false, false},
	{`(a)\1`, true, true},
	{`\1(a)`, true, true},
	{`\1`, false, true},
	{`\2(a)`, false, true},
	{`\9`, false, true},
	{`\8`, false, true},
	{`(a)\10`, false, true},
	{`\99999999999999999999`, false, true},
	{`(?:a)`, true, true},
	{`(?=a)`, true, true},
	{`(?!a)`, true, true},
	{`(?<=a)`, true, true},
	{`(?<!a)`, true, true},
	{`(?=a)*`, false, true},
	{`(?!a){2}`, false, true},
	{`(?<=a)*`, false, false},
	{`(?<!a)+`, false, false},
	{`(?<n>a)`, true, true},
	{`(?<n>a)\k<n>`, true, true},
	{`\k<n>(?<n>a)`, true, true},
	{`(?<n>a)\k<m>`, false, false},
	{`(?<n>a)\k`, false, false},
	{`\k`, false, true},
	{`\k<n>`, false, true},
	{`(?<n>a)(?<n>b)`, false, false},
	{`(?<n>a)|(?<n>b)`, true, true},
	{`(?:(?<n>a)|(?<n>b))\k<n>`, true, true},
	{`(?:(?<n>a)|b)(?<n>c)`, false, false},
	{`(?<n>(?<n>a))`, false, false},
	{`(?<1>a)`, false, false},
	{`(?<>a)`, false, false},
	{`(?<n`, false, false},
	{`(?<n-m>a)`, false, false},
	{`(?<$_é1>a)`, true, true},
	{`(?<\u0061>a)\k<a>`, true, true},
	{`(?<\u{62}>a)\k<b>`, true, true},
	{`(?<a\x>b)`, false, false},
	{`(?P<n>a)`, false, false},
	{`(?P=n)`, false, false},
	{`(?#c)a`, false, false},
	{`(?>a)`, false, false},
	{`(?i)a`, false, false},
	{`(?`, false, false},
	{`(?<`, false, false},
	{`(?a)`, false, false},
	{`(?`, false, false},
	{`(?i:a)`, true, true},
	{`(?im-s:a)`, true, true},
	{`(?-i:a)`, true, true},
	{`(?-:a)`, false, false},
	{`(?i-i:a)`, false, false},
	{`(?ii:a)`, false, false},
	{`(?i-m-s:a)`, false, false},
	{`(?u:a)`, false, false},
	{`(?i`, false, false},
	{`\p{L}`, true, true},
	{`\P{L}`, true, true},
	{`\p{Letter}`, true, true},
	{`\p{digit}`, true, true},
	{`\p{gc=Lu}`, true, true},
	{`\p{General_Category=Uppercase_Letter}`, true, true},
	{`\p{Script=Greek}`, true, true},
	{`\p{sc=Grek}`, true, true},
	{`\p{scx=Latin}`, true, true},
	{`\p{Alpha}`, true, true},
	{`\p{ASCII}`, true, true},
	{`\p{Emoji}`, true, true},
	{`[\p{L}\d-]`, true, true},
	{`\p{Greek}`, false, false},
	{`\p{Script}`, false, false},
	{`\p{Script=}`, false, false},
	{`\p{=L}`, false, false},
	{`\p{gc=Greek}`, false, false},
	{`\p{l}`, false, false},
	{`\p{}`, false, false},
	{`\p{L`, false, false},
	{`\pL`, false, false},
	{`\p`, false, false},
	{`[\p{Nope}]`, false, false},
	{`\p{Any=L}`, false, false},
	{`\p{ASCII=Yes}`, false, false},
	{`\p{Latn}`, false, false},
	{`\p{ L}`, false, false},
	{"a\nb", true, true},
	{"\xed\xa0\x80", true, true},
	{`😀{2}`, true, true},
	{`[😀-😎]`, true, true},
	{`<([_:\w][_:\w-.\d]*)\/`, false, true},
	{`[0-9a-z-_.]+`, true, true},
}

func TestGrammar(t *testing.T) {
	for _, c := range grammar {
		require.Equal(t, c.strict, Valid(c.pattern), "%s under u", c.pattern)
		re, err := Parse(c.pattern)
		require.Equal(t, c.lenient, err == nil, "%s leniently: %v", c.pattern, err)
		if err == nil {
			require.Equal(t, !c.strict, re.Lenient, c.pattern)
		}
	}
}

func TestSyntaxErrorTellsWhere(t *testing.T) {
	for pattern, want := range map[string]SyntaxError{
		`ab(cd`:         {2, "the group is not closed"},
		`é(?i)a`:        {2, `flags for the rest of the pattern are unknown to ECMA-262; write "(?i: … )" around what they are for`},
		`a(?P<n>b)`:     {1, `"(?P" is unknown to ECMA-262; a named group is "(?<name> … )"`},
		`[a-z][z-a]`:    {6, "the range is in the wrong order"},
		`**/*.js`:       {0, "nothing to repeat"},
		`a\p{Nope}`:     {1, "unknown Unicode property"},
		`(?<n>a)\k<m>`:  {7, "there is no group named m"},
		`(?<n>)(?<n>)b`: {12, "the group name n is used twice"},
		`ab)`:           {2, `")" closes no group`},
		`x[abc`:         {1, "the class is not closed"},
		`a{3,2}`:        {1, "the counts are in the wrong order"},
	} {
		_, err := Parse(pattern)
		var syntax *SyntaxError
		require.ErrorAs(t, err, &syntax, pattern)
		require.Equal(t, want, *syntax, pattern)
		require.Equal(t, want.Msg, err.Error())
	}
}

func TestTreeHoldsWhatWasWritten(t *testing.T) {
	re, err := Parse(`^(?<y>[^\d\p{sc=Greek}a-c]{2,3}?)(?:\1|\k<y>)(?<!x)\B$`)
	require.NoError(t, err)
	require.Equal(t, 1, re.Groups)
	sub := re.Root.Sub
	require.Equal(t, []Op{Start, Group, Group, Look, Boundary, End}, []Op{sub[0].Op, sub[1].Op, sub[2].Op, sub[3].Op, sub[4].Op, sub[5].Op})
	repeat := sub[1].Sub[0]
	require.True(t, repeat.Lazy && repeat.Min == 2 && repeat.Max == 3)
	class := repeat.Sub[0]
	require.True(t, class.Negate)
	require.Equal(t, []Item{{Escape: 'd'}, {Escape: 'p', Property: "sc", Value: "Greek"}, {Lo: 'a', Hi: 'c'}}, class.Items)
	require.Equal(t, []int{1}, sub[2].Sub[0].Sub[0].Indexes)
	require.Equal(t, []int{1}, sub[2].Sub[0].Sub[1].Indexes)
	require.True(t, sub[3].Behind && sub[3].Negate)
	require.True(t, sub[4].Negate)

	re, err = Parse(`a(?i:b(?-i:c)d)e`)
	require.NoError(t, err)
	outer := re.Root.Sub[1].Sub[0].Sub
	require.Equal(t, []Flags{IgnoreCase, 0, IgnoreCase}, []Flags{outer[0].Flags, outer[1].Sub[0].Flags, outer[2].Flags})
	require.Zero(t, re.Root.Sub[2].Flags)
}

func TestEscapesMeanTheirCharacters(t *testing.T) {
	for pattern, want := range map[string]rune{
		`\t`: '\t', `\v`: '\v', `\0`: 0, `\cJ`: '\n', `\cj`: '\n', `\x41`: 'A', `\u0041`: 'A', `\u{1F600}`: '😀',
		`\ud83d\ude00`: '😀', `\ud83d`: 0xD83D, `\/`: '/', `\-`: '-', `\101`: 'A', `\8`: '8', `😀`: '😀',
		"\xed\xa0\x80": 0xD800,
	} {
		re, err := Parse(pattern)
		require.NoError(t, err, pattern)
		node := re.Root
		if node.Op == Concat {
			node = node.Sub[0]
		}
		require.Equal(t, Char, node.Op, pattern)
		require.Equal(t, want, node.Char, pattern)
	}
}

// TestParseCostIsLinear parses what a payload could hold for the format "regex".
func TestParseCostIsLinear(t *testing.T) {
	const n = 30_000
	start := time.Now()
	for _, pattern := range []string{
		strings.Repeat("(", n), strings.Repeat("(?:", n), strings.Repeat("[", n), strings.Repeat("a|", n), strings.Repeat("a{", n),
		strings.Repeat(`\p{sc=Zanb}`, n), "[" + strings.Repeat(`\p{L}`, n) + "]", strings.Repeat(`\k<a>`, n) + "(?<a>)",
		strings.Repeat(`(?<a>)|`, n), strings.Repeat("a{1,", n), `\p{` + strings.Repeat("L", n), strings.Repeat(`\p{`, n),
		strings.Repeat(strings.Repeat("(", 900)+strings.Repeat(")", 900), n/1800), "a{" + strings.Repeat("9", n) + "}",
	} {
		Valid(pattern)
		_, _ = Parse(pattern)
	}
	require.Less(t, time.Since(start), time.Minute)
}

func FuzzParse(f *testing.F) {
	for _, c := range grammar {
		f.Add(c.pattern)
	}
	f.Fuzz(func(t *testing.T, pattern string) {
		re, err := Parse(pattern)
		if Valid(pattern) {
			require.NoError(t, err)
			require.False(t, re.Lenient)
		}
		if err != nil {
			var syntax *SyntaxError
			require.ErrorAs(t, err, &syntax)
			require.True(t, 0 <= syntax.Offset && syntax.Offset <= len(pattern))
		}
	})
}

// TestValidTakesLittleMemory: the verdict on a text from a stranger keeps no tree of it.
func TestValidTakesLittleMemory(t *testing.T) {
	const size = 4 << 20
	for name, unit := range map[string]string{
		"characters": "a", "classes": "[a]", "escapes": `\d`, "repeats": "a+", "groups": "(?:a)", "alternatives": "a|",
		"captures": "(a)", "references": `\k<a>`, "properties": `\p{L}`, "looks": "(?=a)",
	} {
		text := strings.Repeat(unit, size/len(unit))
		if name == "references" {
			text = "(?<a>b)" + text
		}
		for _, text := range []string{text, "[" + strings.Repeat("a-z", size/3) + "]", "[" + strings.Repeat(`\w`, size/2)} {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			Valid(text)
			runtime.ReadMemStats(&after)
			require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(16<<20), "%s: %.20s…", name, text)
		}
	}
	require.True(t, Valid(strings.Repeat("(a)", maxGroups)))
	require.False(t, Valid(strings.Repeat("(a)", maxGroups+1)))
	require.True(t, Valid(`\k<a>(?<a>b)\k<a>`))
	require.False(t, Valid(`(?<a>b)\k<b>`))
}
