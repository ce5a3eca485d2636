package jsontape_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

func parse(t testing.TB, text string) *jsontape.Tape {
	t.Helper()
	tape := new(jsontape.Tape)
	require.NoError(t, tape.Parse([]byte(text), jsontape.Options{}))
	return tape
}

func TestParseTokens(t *testing.T) {
	tape := parse(t, ` {"a" : [1, -2.5e+7 ,true], "b\n": {"é":null}, "c":"" } `)
	type token struct {
		text string
		next int
		kind jsontape.Kind
		f    jsontape.Flags
	}
	var got []token
	for i, k := range tape.Tokens {
		got = append(got, token{string(tape.Bytes(i)), tape.Next(i), k.Kind, k.Flags})
	}
	require.Equal(t, []token{
		{`{"a" : [1, -2.5e+7 ,true], "b\n": {"é":null}, "c":"" }`, 12, jsontape.Object, 0},
		{`"a"`, 2, jsontape.String, 0},
		{`[1, -2.5e+7 ,true]`, 6, jsontape.Array, 0},
		{`1`, 4, jsontape.Number, jsontape.Integer},
		{`-2.5e+7`, 5, jsontape.Number, 0},
		{`true`, 6, jsontape.True, 0},
		{`"b\n"`, 7, jsontape.String, jsontape.Escaped},
		{`{"é":null}`, 10, jsontape.Object, 0},
		{`"é"`, 9, jsontape.String, jsontape.NonASCII},
		{`null`, 10, jsontape.Null, 0},
		{`"c"`, 11, jsontape.String, 0},
		{`""`, 12, jsontape.String, 0},
	}, got)
	require.Equal(t, 3, tape.Len(0))
	require.Equal(t, 3, tape.Len(2))
	require.Equal(t, 7, tape.Member(0, "b\n"))
	require.Equal(t, "/b\n/é", tape.Pointer(9))
	require.Equal(t, "/b\n/é", tape.Pointer(8))
	require.Equal(t, "/1", tape.PointerFrom(2, 4))
	require.Equal(t, 4, tape.Lookup("/a/1"))
	require.Equal(t, -1, tape.Lookup("/a/01"))
	require.Equal(t, -1, tape.RepeatedName(0))
}

func TestIndexDepth(t *testing.T) {
	text := `{"a":[1,[2,{"x":[]}]],"b":{"c":3},"d":4}`
	for depth, want := range map[int]string{
		1: `{"a":[1,[2,{"x":[]}]],"b":{"c":3},"d":4}`,
		2: `{"a":[1,[2,{"x":[]}]],"b":{"c":3},"d":4} "a" [1,[2,{"x":[]}]] "b" {"c":3} "d" 4`,
		3: `{"a":[1,[2,{"x":[]}]],"b":{"c":3},"d":4} "a" [1,[2,{"x":[]}]] 1 [2,{"x":[]}] "b" {"c":3} "c" 3 "d" 4`,
	} {
		var tape jsontape.Tape
		require.NoError(t, tape.Parse([]byte(text), jsontape.Options{IndexDepth: depth}))
		var got []string
		for i := range tape.Tokens {
			got = append(got, string(tape.Bytes(i)))
		}
		require.Equal(t, want, strings.Join(got, " "))
	}
}

func TestVerdicts(t *testing.T) {
	for _, text := range []string{
		``, ` `, `1`, `01`, `-`, `-0`, `1.`, `1.5`, `1e`, `1e+`, `1E+5`, `.5`, `+1`, `"`, `"a`, `"\`, `"\u`, `"\u12`, `"\u12G4"`, `"\u12aF"`,
		"\"\t\"", `"\x"`, `[`, `]`, `[1`, `[1,`, `[1,]`, `[,]`, `[1 2]`, `[1]]`, `{`, `}`, `{"a"`, `{"a":`, `{"a":1`, `{"a":1,`, `{"a":1,}`, `{"a" 1}`, `{a:1}`,
		`{"a":1}`, `{"a":1,"b":[]}`, `[{}]`, `[}`, `{]`, `[1}`, `{"a":1]`, `tru`, `true`, `truex`, `false`, `fals`, `null`, `nul`, `nulll`, ` [ ] `, ` { } `, "\ufeff1", "1\x00",
		`12345678`, `123456789012345678901234567890`, `1.123456789e123456789`, `"12345678"`, `"1234567"`, `"123456\n78"`,
	} {
		err := jsontape.Valid([]byte(text))
		require.Equal(t, json.Valid([]byte(text)), err == nil, "%q: %v", text, err)
		var tape jsontape.Tape
		require.Equal(t, err, error(tape.Parse([]byte(text), jsontape.Options{})))
		if err != nil {
			t.Log(text, err)
		}
	}
}

func TestRepeatedName(t *testing.T) {
	tape := parse(t, `{"a":{"x":1,"\u0078":2},"b":0,"a":1}`)
	i := tape.RepeatedName(0)
	require.Equal(t, `"\u0078"`, string(tape.Bytes(i)))
	require.Equal(t, "/a/x", tape.Pointer(i))
}

func TestQuote(t *testing.T) {
	for _, s := range []string{"", "a", "\"\\\b\f\n\r\t\x00\x1f\x7f", "é😀\u2028", "\xed\xa0\x80x\xed\xbf\xbf"} {
		q := jsontape.AppendQuoted(nil, s)
		require.Equal(t, s, string(jsontape.AppendUnquoted(nil, q)), "%s", q)
	}
	require.Equal(t, `"�"`, string(jsontape.AppendQuoted(nil, "\xff")))
	require.Equal(t, "😀\xed\xa0\xbd", string(jsontape.AppendUnquoted(nil, []byte(`"\ud83d\ude00\ud83d"`))))
}
