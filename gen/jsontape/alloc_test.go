package jsontape_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// TestNoAllocation: once the tape is warm, nothing on the good path allocates.
func TestNoAllocation(t *testing.T) {
	var tape jsontape.Tape
	for name, text := range benchTexts() {
		data := []byte(text)
		zero(t, name+": Parse", func() bool { return tape.Parse(data, jsontape.Options{}) == nil })
		zero(t, name+": Parse to depth 2", func() bool { return tape.Parse(data, jsontape.Options{IndexDepth: 2}) == nil })
		if name != "deep" {
			zero(t, name+": Valid", func() bool { return jsontape.Valid(data) == nil })
		}
	}
	for name, text := range manyNames() {
		require.NoError(t, tape.Parse([]byte(text), jsontape.Options{}), name)
		zero(t, name+": RepeatedName", func() bool { return tape.RepeatedName(0) < 0 })
	}
	require.NoError(t, tape.Parse([]byte(`{"a": "plain é", "b\n\ud83d\ude00\ud800": [1, "\n"]}`), jsontape.Options{}))
	buf := make([]byte, 0, 100)
	zero(t, "Str", func() bool { return tape.Str(2) == "plain é" })
	zero(t, "Bytes", func() bool { return len(tape.Bytes(0)) > 0 })
	zero(t, "Len", func() bool { return tape.Len(0) == 2 })
	zero(t, "Member", func() bool { return tape.Member(0, "b\n😀\xed\xa0\x80") == 4 })
	zero(t, "Members and Elements", func() bool {
		n := 0
		for _, value := range tape.Members(0) {
			for range tape.Elements(value) {
				n++
			}
		}
		return n == 2
	})
	zero(t, "Lookup", func() bool { return tape.Lookup("/b\n😀\xed\xa0\x80/1") == 6 })
	zero(t, "AppendQuoted", func() bool { return len(jsontape.AppendQuoted(buf, "a\"é\xff\xed\xa0\x80\n")) > 0 })
	zero(t, "AppendUnquoted", func() bool { return len(jsontape.AppendUnquoted(buf, tape.Bytes(3))) > 0 })
	zero(t, "AppendPointerToken", func() bool { return len(jsontape.AppendPointerToken(buf, "a/~")) > 0 })
	zero(t, "Position", func() bool { line, _ := jsontape.Position(tape.Data, 5); return line == 1 })
}

// TestGrowsOnce: a tape gets the memory for a long document in one piece, at most half as
// much again as it needs, whatever the document begins with.
func TestGrowsOnce(t *testing.T) {
	for name, text := range map[string]string{
		"numbers": `[` + strings.Repeat(`0,`, 1_000_000) + `0]`,
		"members": `{` + strings.Repeat(`"":0,`, 1_000_000) + `"":0}`,
		"late":    `["` + strings.Repeat(`x`, 1_000_000) + `",` + strings.Repeat(`[],`, 1_000_000) + `0]`,
		"nested":  `[` + strings.Repeat(`{"a":[1,{}]},`, 200_000) + `0]`,
	} {
		var tape jsontape.Tape
		data := []byte(text)
		allocs := testing.AllocsPerRun(1, func() {
			tape = jsontape.Tape{}
			if err := tape.Parse(data, jsontape.Options{}); err != nil {
				t.Error(name, err)
			}
		})
		require.LessOrEqual(t, allocs, 6.0, name) // 256, 512, 1024, 2048, 4096, and all
		require.LessOrEqual(t, cap(tape.Tokens), len(tape.Tokens)+len(tape.Tokens)/2+5000, name)
	}
}

func zero(t *testing.T, name string, f func() bool) {
	t.Helper()
	require.Zero(t, testing.AllocsPerRun(1, func() {
		if !f() {
			t.Error(name)
		}
	}), name)
}
