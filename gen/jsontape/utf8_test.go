package jsontape_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// invalidAt is the index of the first byte that unicode/utf8 does not accept, or -1.
func invalidAt(s string) int {
	for i := 0; i < len(s); {
		r, size := utf8.DecodeRuneInString(s[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// TestUTF8 puts every pair of first and second bytes, with third and fourth ones from the
// edges of what is allowed, into a string and compares the verdict with unicode/utf8.
func TestUTF8(t *testing.T) {
	edges := []byte{0x7F, 0x80, 0xBF, 0xC0}
	for first := 0x80; first < 0x100; first++ {
		for second := range 0x100 {
			for _, third := range edges {
				for _, fourth := range edges {
					doc := []byte{'"', byte(first), byte(second), third, fourth, '"'}
					got := -1
					if err := jsontape.Valid(doc); err != nil {
						var fault *jsontape.SyntaxError
						if !errors.As(err, &fault) || fault.Reason != jsontape.ReasonUTF8 {
							require.NoError(t, err, "% x", doc)
						}
						got = fault.Offset
					}
					if want := invalidAt(string(doc)); got != want {
						require.Equal(t, want, got, "% x", doc)
					}
					if first < 0xF0 {
						break // three bytes at most
					}
				}
			}
		}
	}
}

func TestNotUTF8(t *testing.T) {
	for _, c := range []struct {
		text  string
		where int
		msg   string
	}{
		// In a string, also where the document ends within the sequence.
		{"\"\xff\"", 1, "expected UTF-8, found byte 0xFF"},
		{"\"a\x80\"", 2, "expected UTF-8, found byte 0x80"},
		{"\"\xc0\x80\"", 1, "expected UTF-8, found byte 0xC0"},
		{"\"\xe0\x9f\xbf\"", 1, "expected UTF-8, found byte 0xE0"},
		{"\"\xed\xa0\x80\"", 1, "expected UTF-8, found byte 0xED"},
		{"\"\xf4\x90\x80\x80\"", 1, "expected UTF-8, found byte 0xF4"},
		{"\"\xc3", 1, "expected UTF-8, found byte 0xC3"},
		{"\"\xe2\x82", 1, "expected UTF-8, found byte 0xE2"},
		{"\"\xf0\x9f\x98", 1, "expected UTF-8, found byte 0xF0"},
		{"\"1234567é\xe2\x82\"", 10, "expected UTF-8, found byte 0xE2"},
		{"{\"\xff\":1}", 2, "expected UTF-8, found byte 0xFF"},
		{"\"\\\xff\"", 2, "expected UTF-8, found byte 0xFF"},
		{"\"\\u00\xff0\"", 5, "expected UTF-8, found byte 0xFF"},
		// In every other state.
		{"\xff", 0, "expected UTF-8, found byte 0xFF"},
		{"\xff\xfe[\x00]\x00", 0, "expected UTF-8, found UTF-16"},
		{"\xfe\xff\x00[\x00]", 0, "expected UTF-8, found UTF-16"},
		{"[\xc3]", 1, "expected UTF-8, found byte 0xC3"},
		{"[1\x80", 2, "expected UTF-8, found byte 0x80"},
		{"{\x80", 1, "expected UTF-8, found byte 0x80"},
		{"{\"a\"\x80", 4, "expected UTF-8, found byte 0x80"},
		{"{\"a\":1,\x80", 7, "expected UTF-8, found byte 0x80"},
		{"-\x80", 1, "expected UTF-8, found byte 0x80"},
		{"1 \x80", 2, "expected UTF-8, found byte 0x80"},
	} {
		got := syntaxError(t, c.text, jsontape.Options{})
		require.Equal(t, jsontape.SyntaxError{Offset: c.where, Reason: jsontape.ReasonUTF8, Msg: c.msg}, *got, "%q", c.text)
	}
}

// TestUTF8Places moves characters of every length over every place of a word, and cuts
// them off at the end of the document.
func TestUTF8Places(t *testing.T) {
	for _, char := range []string{"\u0080", "\u07ff", "\u0800", "\ud7ff", "\ue000", "\uffff", "\U00010000", "\U0010ffff"} {
		for before := range 10 {
			for after := range 10 {
				text := `"` + strings.Repeat("a", before) + char + strings.Repeat("b", after) + char + `"`
				require.NoError(t, jsontape.Valid([]byte(text)), "%q", text)
				for cut := 1; cut < len(char); cut++ {
					fault := syntaxError(t, text[:1+before+cut], jsontape.Options{})
					require.Equal(t, jsontape.ReasonUTF8, fault.Reason)
					require.Equal(t, 1+before, fault.Offset)
				}
			}
		}
	}
}
