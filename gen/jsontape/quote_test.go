package jsontape_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// unquoted pairs JSON strings with their values.
var unquoted = []struct{ text, value string }{
	{`""`, ""},
	{`"plain"`, "plain"},
	{`"é€😀"`, "é€😀"},
	{`"\"\\\/\b\f\n\r\t"`, "\"\\/\b\f\n\r\t"},
	{`"\u0041\u00e9\u20AC\uFFFF\u0000"`, "Aé€\uffff\x00"},
	{`"\ud83d\ude00"`, "😀"},
	{`"\uD800\uDC00\uDBFF\uDFFF"`, "\U00010000\U0010ffff"},
	{`"a\nb\nc"`, "a\nb\nc"},
	{`"\\u0041"`, `\u0041`},
	{`"\\\\"`, `\\`},
	// Lone surrogates, alone and beside all that might be taken for their partner.
	{`"\ud800"`, "\xed\xa0\x80"},
	{`"\udbff"`, "\xed\xaf\xbf"},
	{`"\udc00"`, "\xed\xb0\x80"},
	{`"\udfff"`, "\xed\xbf\xbf"},
	{`"\ud83dx"`, "\xed\xa0\xbdx"},
	{`"\ud83d\n"`, "\xed\xa0\xbd\n"},
	{`"\ud83d\u0041"`, "\xed\xa0\xbdA"},
	{`"\ud83dude00"`, "\xed\xa0\xbdude00"},
	{`"\ud83d\\ude00"`, "\xed\xa0\xbd\\ude00"},
	{`"\ud83d\ud83d\ude00"`, "\xed\xa0\xbd😀"},
	{`"\ude00\ud83d"`, "\xed\xb8\x80\xed\xa0\xbd"},
	{`"\udc00\ude00"`, "\xed\xb0\x80\xed\xb8\x80"},
	{`"\ud7ff\ue000"`, "\ud7ff\ue000"},
}

func TestStr(t *testing.T) {
	for _, c := range unquoted {
		tape := parse(t, "[ "+c.text+" ]")
		require.Equal(t, c.value, tape.Str(1), c.text)
		require.Equal(t, c.text, string(tape.Bytes(1)))
		require.Equal(t, "x"+c.value, string(jsontape.AppendUnquoted([]byte("x"), []byte(c.text))), c.text)
		// The value is found under its name, and nothing like it is.
		tape = parse(t, `{"other": 0, `+c.text+`: 1}`)
		require.Equal(t, 4, tape.Member(0, c.value), c.text)
		require.Equal(t, -1, tape.Member(0, c.value+"x"), c.text)
		require.Equal(t, -1, tape.Member(0, strings.ToUpper(c.value)+"\x01"), c.text)
		if c.value != "" {
			require.Equal(t, -1, tape.Member(0, ""), c.text)
			require.Equal(t, -1, tape.Member(0, c.value[:len(c.value)-1]), c.text)
			require.Equal(t, -1, tape.Member(0, c.value[:len(c.value)-1]+"\xff"), c.text)
		}
	}
}

func TestAppendQuoted(t *testing.T) {
	for _, c := range []struct{ value, text string }{
		{"", `""`},
		{"plain /é😀\u2028\x7f", `"plain /é😀` + "\u2028\x7f" + `"`},
		{"\"\\", `"\"\\"`},
		{"\b\f\n\r\t", `"\b\f\n\r\t"`},
		{"\x00\x01\x0b\x1e\x1f", `"\u0000\u0001\u000b\u001e\u001f"`},
		{"a\nb\"c", `"a\nb\"c"`},
		// Surrogates.
		{"\xed\xa0\x80", `"\ud800"`},
		{"\xed\xaf\xbf", `"\udbff"`},
		{"\xed\xb0\x80", `"\udc00"`},
		{"\xed\xbf\xbfx", `"\udfffx"`},
		{"\xed\xa6\x95", `"\ud995"`},
		{"\xed\xa0\xbd\xed\xb8\x80", `"\ud83d\ude00"`}, // two that meet are one character
		// Everything else that is not UTF-8.
		{"\xff", `"�"`},
		{"a\xc0\x80b", `"a��b"`},
		{"\xed\xa0", `"��"`},
		{"\xed\xa0x", `"��x"`},
		{"\xed\xc0\x80", `"���"`},
		{"\xed", `"�"`},
		{"\xf4\x90\x80\x80", `"����"`},
		{"\ufffd", `"�"`},
	} {
		got := string(jsontape.AppendQuoted([]byte("x"), c.value))
		require.Equal(t, "x"+c.text, got, "%q", c.value)
		require.True(t, json.Valid([]byte(c.text)))
	}
}

func TestHasEscapes(t *testing.T) {
	var tape jsontape.Tape
	require.True(t, tape.HasEscapes(), "a tape that Parse did not make may hold anything")
	for document, want := range map[string]bool{`["a","é"]`: false, `{"a":"\n"}`: true, `{"\u0061":1}`: true, `[[["\\"]]]`: true, `1`: false} {
		require.NoError(t, tape.Parse([]byte(document), jsontape.Options{IndexDepth: 1}))
		require.Equal(t, want, tape.HasEscapes(), document)
	}
}
