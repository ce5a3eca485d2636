package jsontape_test

import (
	"runtime/debug"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

func TestMaxDepth(t *testing.T) {
	arrays := func(n int) string { return strings.Repeat("[", n) + strings.Repeat("]", n) }
	objects := func(n int) string {
		return strings.Repeat(`{"a":`, n-1) + "{}" + strings.Repeat("}", n-1)
	}
	for _, c := range []struct {
		limit int // Options.MaxDepth
		depth int // what it means
	}{{0, jsontape.DefaultMaxDepth}, {-1, jsontape.DefaultMaxDepth}, {1, 1}, {2, 2}, {3, 3}, {500, 500}, {20_000, 20_000}} {
		o := jsontape.Options{MaxDepth: c.limit}
		var tape jsontape.Tape
		for name, nest := range map[string]func(int) string{"arrays": arrays, "objects": objects} {
			if c.depth > 1 {
				require.NoError(t, tape.Parse([]byte(nest(c.depth-1)), o), "%s, limit %d", name, c.limit)
			}
			require.NoError(t, tape.Parse([]byte(nest(c.depth)), o), "%s, limit %d", name, c.limit)
		}
		got := syntaxError(t, arrays(c.depth+1), o)
		require.Equal(t, jsontape.ReasonDepth, got.Reason)
		require.Equal(t, c.depth, got.Offset)
		got = syntaxError(t, objects(c.depth+1), o)
		require.Equal(t, jsontape.ReasonDepth, got.Reason)
		require.Equal(t, len(`{"a":`)*c.depth, got.Offset)
	}
	require.Equal(t, "arrays and objects nest more than 2 deep", syntaxError(t, `[[[`, jsontape.Options{MaxDepth: 2}).Msg)
	// The limit is on what is open at a time; scalars don't count.
	require.NoError(t, new(jsontape.Tape).Parse([]byte(`[[1],[2],{"a":"b"}]`), jsontape.Options{MaxDepth: 2}))
	require.NoError(t, new(jsontape.Tape).Parse([]byte(`1`), jsontape.Options{MaxDepth: 1}))
}

// TestDeep reads as many levels as can be on a small stack, and not more. Were the cost of a
// level to grow with its depth, this would take minutes.
func TestDeep(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(128 << 10))
	const n = jsontape.DepthCeiling
	var tape jsontape.Tape
	for _, text := range []string{
		strings.Repeat("[", n) + strings.Repeat("]", n),
		strings.Repeat(`[{"a":`, n/2) + "0" + strings.Repeat("}]", n/2),
	} {
		for _, indexDepth := range []int{0, 1, 2, n / 2} {
			require.NoError(t, tape.Parse([]byte(text), jsontape.Options{MaxDepth: n, IndexDepth: indexDepth}))
			require.EqualValues(t, len(text), tape.Tokens[0].End)
			require.Equal(t, len(tape.Tokens), tape.Next(0))
		}
		require.Error(t, tape.Parse([]byte(text[:len(text)-1]), jsontape.Options{MaxDepth: n}))
		require.Error(t, tape.Parse([]byte(text[:n]), jsontape.Options{MaxDepth: n}))
		require.Error(t, jsontape.Valid([]byte(text)))
		deeper := jsontape.Options{MaxDepth: 9_000_000}
		require.NoError(t, tape.Parse([]byte(text), deeper))
		require.Equal(t, jsontape.ReasonDepth, syntaxError(t, "["+text+"]", deeper).Reason)
	}
}

func TestIndexDepth(t *testing.T) {
	for _, text := range append([]string{
		`{"a":[1,[2,{"x":[]}]],"b":{"c":3},"d":4}`,
		`[[[[[1],2],3],4],5]`,
		` [ { "a" : { "b" : [ "c" , { "d" : null } ] , "e\n" : -1.5 } } , [ true , [ ] , { } ] , "é" ] `,
	}, accepted...) {
		var tape jsontape.Tape
		for depth := range 8 {
			require.NoError(t, tape.Parse([]byte(text), jsontape.Options{IndexDepth: depth}))
			if depth == 0 {
				depth = 1000
			}
			require.Equal(t, referenceTokens(text, depth), tokens(&tape), "%s, indexed depth %d", text, depth)
		}
	}
	// What is not indexed is checked all the same, and counts for the depth.
	for _, text := range []string{`[[1,]]`, `[{"a" 1}]`, `[["` + "\xff" + `"]]`, `[[01]]`, `[["\x"]]`, `[[tru]]`, `[[[]]`, `[[[]]]]`, `[{]}`, `[[}]`} {
		for depth := range 4 {
			require.Equal(t, syntaxError(t, text, jsontape.Options{}), syntaxError(t, text, jsontape.Options{IndexDepth: depth}), text)
		}
	}
	got := syntaxError(t, `[[[]]]`, jsontape.Options{MaxDepth: 2, IndexDepth: 1})
	require.Equal(t, jsontape.ReasonDepth, got.Reason)
	// A container whose content is not indexed looks empty.
	tape := new(jsontape.Tape)
	require.NoError(t, tape.Parse([]byte(`{"a":{"b":1,"b":2}}`), jsontape.Options{IndexDepth: 2}))
	require.Zero(t, tape.Len(tape.Member(0, "a")))
	require.Equal(t, -1, tape.Lookup("/a/b"))
	require.Equal(t, -1, tape.RepeatedName(0))
}
