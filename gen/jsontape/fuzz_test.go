package jsontape_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// seeds are the documents of every table.
func seeds() []string {
	list := append([]string{pointerDoc}, accepted...)
	for _, c := range refused {
		list = append(list, c.text)
	}
	for _, c := range unquoted {
		list = append(list, c.text, "{"+c.text+":1,"+c.text+":2}")
	}
	return list
}

// FuzzParse holds everything that can be said about a document against a second opinion.
func FuzzParse(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s), uint8(2))
	}
	f.Fuzz(func(t *testing.T, data []byte, depth uint8) {
		var tape jsontape.Tape
		err := tape.Parse(data, jsontape.Options{})
		// encoding/json has the same grammar and depth limit, but lets what is not UTF-8 pass.
		require.Equal(t, json.Valid(data) && utf8.Valid(data), err == nil, "%v", err)
		require.Equal(t, err, jsontape.Valid(data))
		var shallow jsontape.Tape
		require.Equal(t, err, shallow.Parse(data, jsontape.Options{IndexDepth: int(depth)}))
		if err != nil {
			var fault *jsontape.SyntaxError
			require.ErrorAs(t, err, &fault)
			require.NotEmpty(t, fault.Msg)
			require.LessOrEqual(t, fault.Offset, len(data))
			require.NotContains(t, fault.Msg, "expected ,", "no words for this state")
			if at := invalidAt(string(data)); fault.Reason == jsontape.ReasonUTF8 {
				require.Equal(t, at, fault.Offset)
			} else if at >= 0 {
				require.Less(t, fault.Offset, at)
			}
			return
		}
		if depth == 0 {
			depth = 255
		}
		require.Equal(t, referenceTokens(string(data), int(depth)), tokens(&shallow))
		for i, k := range tape.Tokens {
			require.NoError(t, jsontape.Valid(tape.Bytes(i)), "token %d", i)
			if k.Kind == jsontape.String {
				checkString(t, &tape, i)
			}
		}
		require.Equal(t, repeatedName(&tape, 0), tape.RepeatedName(0))
	})
}

// checkString compares the value of a string with what encoding/json makes of it.
func checkString(t *testing.T, tape *jsontape.Tape, i int) {
	value := tape.Str(i)
	require.Equal(t, value, string(jsontape.AppendUnquoted(nil, tape.Bytes(i))))
	var want string
	require.NoError(t, json.Unmarshal(tape.Bytes(i), &want))
	require.Equal(t, want, replaceSurrogates(value))
	require.Equal(t, value, string(jsontape.AppendUnquoted(nil, jsontape.AppendQuoted(nil, value))))
}

// replaceSurrogates puts U+FFFD for each lone surrogate, as encoding/json does.
func replaceSurrogates(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == 0xED && s[i+1] >= 0xA0 {
			b.WriteRune(utf8.RuneError)
			i += 2
		} else {
			b.WriteByte(s[i])
		}
	}
	return b.String()
}

// FuzzQuoted: what AppendQuoted writes is JSON, and reading it gives the string back,
// except for bytes that are not UTF-8.
func FuzzQuoted(f *testing.F) {
	for _, c := range unquoted {
		f.Add(c.value)
	}
	f.Add("\xff\xed\xa0")
	f.Add("\xed\xa0\xbd\xed\xb8\x80")
	f.Fuzz(func(t *testing.T, s string) {
		quoted := jsontape.AppendQuoted(nil, s)
		require.NoError(t, jsontape.Valid(quoted))
		var want string
		require.NoError(t, json.Unmarshal(quoted, &want))
		got := string(jsontape.AppendUnquoted(nil, quoted))
		if utf8.ValidString(s) {
			require.Equal(t, s, want)
			require.Equal(t, s, got)
		}
		require.Equal(t, got, string(jsontape.AppendUnquoted(nil, jsontape.AppendQuoted(nil, got))))
	})
}

// FuzzLookup: every pointer leads back to its token, and no pointer makes Lookup fail.
func FuzzLookup(f *testing.F) {
	f.Add(pointerDoc, "/foo/2/1/deep/0")
	f.Add(`{"a~b":[{"c/d":1}]}`, "/a~0b/0/c~1d")
	f.Fuzz(func(t *testing.T, text, pointer string) {
		var tape jsontape.Tape
		if tape.Parse([]byte(text), jsontape.Options{}) != nil {
			return
		}
		if i := tape.Lookup(pointer); i >= 0 {
			require.Equal(t, pointer, tape.Pointer(i))
		}
		if tape.RepeatedName(0) >= 0 || len(tape.Tokens) > 1000 {
			return
		}
		for i := range tape.Tokens {
			if found := tape.Lookup(tape.Pointer(i)); found != i {
				require.Equal(t, i+1, found, "only a name has another token's pointer")
			}
		}
	})
}
