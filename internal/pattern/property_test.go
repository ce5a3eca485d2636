package pattern

import (
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt/ecma"
)

func TestProperties(t *testing.T) {
	for name, c := range map[string]struct{ in, out string }{
		"Lu": {"AÉΩ", "aé1"}, "LC": {"aAǅ", "ʰ1"}, "L": {"aʰ中", "1_"}, "Cn": {"\u0378", "a"}, "C": {"\u0378\x00\u200b\ue000", "a"},
		"Nd": {"0৪", "a½"}, "Any": {"a\u0378\x00", ""}, "ASCII": {"a\x00~", "é"}, "Assigned": {"aé", "\u0378"},
		"Alphabetic": {"aⅠ", "1-"}, "Lowercase": {"aªⅰ", "A1"}, "Uppercase": {"AⅠ", "a1"}, "Cased": {"aAǅ", "1中"},
		"Math": {"+∑", "a"}, "Case_Ignorable": {"'.·\u0301", "a "}, "White_Space": {" \u0085\u2003", "a\ufeff"},
		"Default_Ignorable_Code_Point": {"\u00ad\u200b\ufe0f", "a\ufff9"}, "Grapheme_Extend": {"\u0301", "a"}, "Grapheme_Base": {"a 1", "\u0301\n"},
		"ID_Start": {"aé℘", "1_ "}, "ID_Continue": {"a1_\u0301", " -"}, "XID_Start": {"aé", "1\u037a"}, "XID_Continue": {"a1_", "\u037a "},
		"Changes_When_Lowercased": {"AÉ", "a1"}, "Changes_When_Uppercased": {"aß", "A1"}, "Changes_When_Titlecased": {"aß", "A1"},
		"Changes_When_Casemapped": {"aA", "1"}, "Changes_When_Casefolded": {"Aß", "a1\u13a0"}, "Changes_When_NFKC_Casefolded": {"A\u00adﬁ", "a1"},
		"Emoji": {"1#😀©", "a"}, "Emoji_Presentation": {"😀⌚", "1©"}, "Emoji_Modifier": {"🏻", "😀"}, "Emoji_Modifier_Base": {"👍", "😀"},
		"Emoji_Component": {"#1\u200d🏻", "😀"}, "Extended_Pictographic": {"😀©", "1#"}, "Bidi_Mirrored": {"()<«", "a|"},
		"Dash": {"-–", "a_"}, "Sentence_Terminal": {".!?", ","}, "Regional_Indicator": {"🇫", "F"}, "Hex_Digit": {"09afAF", "g"},
		"Script=Greek": {"αΩ", "aµ"}, "Script=Unknown": {"\u0378", "aα"}, "Script=Common": {"1 µ", "a"}, "Script=Inherited": {"\u0301", "a"},
		"Script_Extensions=Devanagari": {"क\u0964", "a"}, "Script_Extensions=Common": {"1 ", "\u0964a"}, "Script_Extensions=Hiragana": {"あー", "ア"},
		"Script=Katakana_Or_Hiragana": {"", "あ"},
	} {
		p, err := Compile(`^\p{` + name + `}$`)
		require.NoError(t, err, name)
		for _, r := range c.in {
			require.True(t, p.Match(string(r)), "%U in %s", r, name)
		}
		for _, r := range c.out {
			require.False(t, p.Match(string(r)), "%U not in %s", r, name)
		}
	}
}

// TestTablesAreWhole looks at every name and every range of the tables.
func TestTablesAreWhole(t *testing.T) {
	for name, table := range binaryTables {
		kind, canonical := ecma.LookupProperty(name, "")
		require.Equal(t, ecma.Binary, kind, name)
		require.Equal(t, name, canonical)
		requireSorted(t, parseTable(table))
	}
	for name, table := range extensionTables {
		_, canonical := ecma.LookupProperty("scx", name)
		require.Equal(t, name, canonical)
		requireSorted(t, parseTable(table))
	}
	for name := range unicode.Scripts {
		_, canonical := ecma.LookupProperty("sc", name)
		require.Equal(t, name, canonical)
		require.NotEmpty(t, property(ecma.ScriptExtensions, name), name)
	}
	for name := range unicode.Categories {
		_, canonical := ecma.LookupProperty("gc", name)
		require.Equal(t, name, canonical)
		require.NotEmpty(t, property(ecma.Category, name), name)
	}
	for alias, name := range unicode.CategoryAliases {
		_, canonical := ecma.LookupProperty(alias, "")
		require.Equal(t, name, canonical, alias)
	}
}

func requireSorted(t *testing.T, s set) {
	t.Helper()
	require.NotEmpty(t, s)
	for i, r := range s {
		require.True(t, 0 < r.lo && r.lo <= r.hi && r.hi <= unicode.MaxRune)
		if i > 0 {
			require.Greater(t, r.lo, s[i-1].hi+1)
		}
	}
}

func TestSets(t *testing.T) {
	s := newSet(span{'c', 'e'}, span{'a', 'b'}, span{'x', 'x'}, span{'d', 'g'})
	require.Equal(t, set{{'a', 'g'}, {'x', 'x'}}, s)
	require.Equal(t, 8, s.size())
	require.Equal(t, s, s.complement().complement())
	require.Equal(t, set{{'f', 'g'}}, s.intersect(set{{'f', 'w'}}))
	require.Equal(t, set{{'a', 'e'}, {'x', 'x'}}, s.minus(set{{'f', 'w'}}))
	require.True(t, s.contains('a') && s.contains('g') && s.contains('x'))
	require.False(t, s.contains('h') || s.contains('A') || s.contains('y'))
	require.Equal(t, set{{'K', 'K'}, {'k', 'k'}, {0x212A, 0x212A}}, set{{'k', 'k'}}.foldCase())
	require.Empty(t, anything.complement())
	require.Equal(t, anything, set(nil).complement())
}
