package jsontape_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// The document of RFC 6901, section 5, and names that need care.
const pointerDoc = `{
	"foo": ["bar", "baz", [10, {"deep": [[], {}]}]],
	"": 0, "a/b": 1, "c%d": 2, "e^f": 3, "g|h": 4, "i\\j": 5, "k\"l": 6, " ": 7, "m~n": 8,
	"~1": 9, "/": {"": {"~": 10}}, "\u0041\ud800": 11, "0": 12, "-": 13
}`

func TestPointers(t *testing.T) {
	tape := parse(t, pointerDoc)
	for pointer, text := range map[string]string{
		"":                strings.TrimSpace(pointerDoc),
		"/foo":            `["bar", "baz", [10, {"deep": [[], {}]}]]`,
		"/foo/0":          `"bar"`,
		"/foo/1":          `"baz"`,
		"/foo/2/0":        `10`,
		"/foo/2/1":        `{"deep": [[], {}]}`,
		"/foo/2/1/deep":   `[[], {}]`,
		"/foo/2/1/deep/0": `[]`,
		"/foo/2/1/deep/1": `{}`,
		"/":               `0`,
		"/a~1b":           `1`,
		"/c%d":            `2`,
		"/e^f":            `3`,
		"/g|h":            `4`,
		"/i\\j":           `5`,
		"/k\"l":           `6`,
		"/ ":              `7`, //nolint:gocritic // the name is a space
		"/m~0n":           `8`,
		"/~01":            `9`,
		"/~1//~0":         `10`,
		"/A\xed\xa0\x80":  `11`,
		"/0":              `12`,
		"/-":              `13`,
	} {
		i := tape.Lookup(pointer)
		require.NotEqual(t, -1, i, pointer)
		require.Equal(t, text, string(tape.Bytes(i)), pointer)
		require.Equal(t, pointer, tape.Pointer(i))
	}
	for _, pointer := range []string{
		"foo", " ", "#/foo", "/bar", "/Foo", "/foo/", "/foo/3", "/foo/-", "/foo/00", "/foo/01", "/foo/+1", "/foo/-1", "/foo/ 1", "/foo/1.0", "/foo/1e0", "/foo/٣",
		"/foo/18446744073709551616", "/foo/9223372036854775808", "/foo/99999999999999999999999", "/foo/0/0", "/foo/0/", "/foo/2/1/deep/1/0", "/foo/2/1/deep/0/0", "//", "/0/0",
		"/m~n", "/m~", "/m~2n", "/~", "/~1/~2", "/a/b",
	} {
		require.Equal(t, -1, tape.Lookup(pointer), pointer)
	}
	require.Equal(t, -1, new(jsontape.Tape).Lookup(""))
	require.Equal(t, 1, parse(t, `{"a":1,"a":2}`).Lookup("/a")-1, "the first of two members counts")
}

// TestPointerEveryToken compares each token's pointer with one that is made on the way
// down, and looks it up.
func TestPointerEveryToken(t *testing.T) {
	for _, text := range append([]string{pointerDoc, `[[1,[2]],{"a":[{"b":3}],"c":{}},4]`}, accepted...) {
		tape := parse(t, text)
		var visit func(root, i int, pointer string)
		visit = func(root, i int, pointer string) {
			require.Equal(t, pointer, tape.PointerFrom(root, i), text)
			index := 0
			for c := i + 1; c < tape.Next(i); c = tape.Next(c) {
				if tape.Tokens[i].Kind == jsontape.Array {
					visit(root, c, pointer+"/"+string(rune('0'+index)))
				} else if index%2 == 0 {
					name := strings.NewReplacer("~", "~0", "/", "~1").Replace(tape.Str(c))
					require.Equal(t, pointer+"/"+name, tape.PointerFrom(root, c), text)
					visit(root, c+1, pointer+"/"+name)
				}
				index++
			}
		}
		for root := range tape.Tokens {
			visit(root, root, "")
		}
		for i := range tape.Tokens {
			require.Equal(t, tape.PointerFrom(0, i), tape.Pointer(i))
		}
	}
	tape := parse(t, `[[1],[2]]`)
	require.Empty(t, tape.PointerFrom(1, 4), "outside of the root")
	require.Empty(t, tape.PointerFrom(3, 2), "outside of the root")
}

func TestAppendPointerToken(t *testing.T) {
	for name, want := range map[string]string{"": "/", "a": "/a", "a/b": "/a~1b", "~": "/~0", "~1": "/~01", "//": "/~1~1", "é": "/é"} {
		require.Equal(t, "x"+want, string(jsontape.AppendPointerToken([]byte("x"), name)))
	}
}

func TestLen(t *testing.T) {
	tape := parse(t, `{"a":[1,[2,3],{}],"b":"c","d":{"e":null}}`)
	for i, want := range []int{3, 0, 3, 0, 2, 0, 0, 0, 0, 0, 0, 1, 0, 0} {
		require.Equal(t, want, tape.Len(i), "token %d", i)
	}
	require.Equal(t, -1, tape.Member(2, "a"), "an array has no members")
	require.Equal(t, -1, tape.Member(3, "1"))
}

func TestKind(t *testing.T) {
	for kind, name := range map[jsontape.Kind]string{
		jsontape.Invalid: "invalid", jsontape.Null: "null", jsontape.False: "boolean", jsontape.True: "boolean", jsontape.Number: "number",
		jsontape.String: "string", jsontape.Object: "object", jsontape.Array: "array",
	} {
		require.Equal(t, name, kind.String())
	}
}
