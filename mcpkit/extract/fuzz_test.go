package extract

import (
	"bytes"
	"hash/maphash"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

const sample = `{"ok":true,"schema_id":"a","payload":{"x":1}}`

// seeds are inputs that each go another way.
func seeds() []string {
	inner := q(sample)
	all := []string{
		sample, sample + "\n" + sample + "\n", "\n\n" + sample, "[" + sample + ",{},\n" + sample + "\n]",
		inner, q(inner), q(q(inner)), `{"content":[{"type":"text","text":` + inner + `}],"structuredContent":` + sample + `}`,
		q("Output:\n" + sample + "\ndata: " + sample + "\n"),
		`{"ok":true,"ok":false,"schema_id":"a","schema_id":"b","payload":1}`, `{"ok":false,"ok":true,"schema_id":"a","payload":1}`,
		`{"o\u006b":true,"schem\u0061_id":"a","payload":1}`, `"{\"\u006fk\":true,\"sch\u0065ma_id\":\"a\",\"payload\":[]}"`,
		strings.ReplaceAll(inner, `\"`, `\u0022`), strings.ReplaceAll(q(inner), `\`, `\u005c`),
		`{"payload":{"ok":true,"schema_id":"in","payload":2},"schema_id":"out","ok":true}`,
		`{"ok":true,"schema_id":1,"payload":2}`, `{"ok":1,"schema_id":"a","payload":2}`, `{"schema_id":"a","payload":2}`,
		"{\"a\":\n" + sample + "\n", "{\n\"a\":" + sample + "}\n{\n\"a\":" + sample + "}", "[\n" + sample + "\n]", "[\n1\n]\n[\n2\n]",
		"{\n\"a\": [" + strings.Repeat(sample+",\n", 20) + "{}], \"b\":\n" + q(strings.Repeat("long é\t", 30)) + "}",
		"[\n" + strings.Repeat("[", 100) + sample + strings.Repeat("]", 100) + "]", "[\n1}\n", "[\n{]\n", "[\n1 2]", "{\n\"a\" 1}", "{\n1:2}", "[\n,1]", "[\n1,]",
		"broken", "{", "[", "[\n", `"`, `"\`, "\"\\u00", "\"\n\"", "\xff", "\xef\xbb\xbf{}", "[\n\"\xff\"]", "1\n2", "nul", "- 1", "{}{}",
		"[\n1e400, 1E400, -0, 0, 1.0, 1, " + strings.Repeat("9", 200) + "]", "[\n" + strings.Repeat(" ", 300) + "]", "{\n" + q(strings.Repeat("n", 300)) + ":1}",
		`{"call_id":"1","output":` + inner + "}\n" + `{"call_id":"1","result":{"content":[{"text":` + inner + "}]}}\n",
	}
	return all
}

// pairs reads text and gives schema id and payload of what it found, and whether all was JSON.
func pairs(t *testing.T, text string, window int) (found [][2]string, isJSON bool) {
	isJSON = true
	for m, err := range Messages(strings.NewReader(text), Options{Workers: 1, window: window}) {
		if err != nil {
			var broken *BrokenError
			require.ErrorAs(t, err, &broken)
			require.LessOrEqual(t, broken.Offset, int64(len(text)))
			require.GreaterOrEqual(t, broken.Line, 1)
			isJSON = false
			continue
		}
		require.Equal(t, 1+strings.Count(text[:m.Offset], "\n"), m.Line)
		require.Contains(t, `{"`, text[m.Offset:m.Offset+1], "what begins at the offset")
		found = append(found, [2]string{m.SchemaID, string(m.Payload)})
	}
	return found, isJSON
}

// FuzzMessages: nothing is found that a plain walk does not find, all that it finds is found, and
// what is taken apart holds no other messages.
func FuzzMessages(f *testing.F) {
	for _, s := range seeds() {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		found, isJSON := pairs(t, string(text), 0)
		read := text
		text = bytes.TrimPrefix(text, byteOrderMark)
		var want [][2]string
		whole := true
		if isDocument(text, true) {
			want, whole = walk(text, 0)
		} else {
			for line := range bytes.Lines(text) {
				line = bytes.TrimSuffix(line, []byte{'\n'})
				more, is := walk(line, 0)
				want = append(want, more...)
				whole = whole && (is || isBlank(line))
			}
		}
		if whole || !isDocument(text, true) {
			for _, p := range found {
				require.Contains(t, want, p)
			}
			for _, p := range want {
				require.True(t, slices.ContainsFunc(found, func(g [2]string) bool { return equal(p, g) }), "%q is missing in %q", p, found)
			}
		}
		if !whole {
			// What a document of several values is, one after the other, walk does not know.
			if !isDocument(text, true) {
				require.False(t, isJSON)
			}
			return
		}
		require.True(t, isJSON)
		for _, window := range []int{24, 64, 300} {
			small, isJSON := pairs(t, string(read), window)
			require.True(t, isJSON, "window %d", window)
			for _, p := range small {
				require.Contains(t, want, p)
			}
		}
	})
}

// equal says whether two messages are the same, as the comment of the package has it.
func equal(a, b [2]string) bool {
	f := newFinder(Options{}, maphash.MakeSeed())
	hash := func(p [2]string) uint64 { return f.hash(&Message{SchemaID: p[0], Payload: []byte(p[1])}) }
	return a == b || jsontape.Valid([]byte(a[1])) == nil && hash(a) == hash(b)
}
