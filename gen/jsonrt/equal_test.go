package jsonrt

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

func parseTape(t testing.TB, text string) *jsontape.Tape {
	t.Helper()
	var tape jsontape.Tape
	require.NoError(t, tape.Parse([]byte(text), jsontape.Options{}))
	return &tape
}

func TestRuneCount(t *testing.T) {
	for text, want := range map[string]int{
		`""`:                         0,
		`"abc"`:                      3,
		`"éé"`:                       2,
		`"e\u0301"`:                  2,
		`"😀😀"`:                       2,
		`"\ud83d\ude00\ud83d\ude00"`: 2,
		`"😀\ud83d\ude00"`:            2,
		`"\ud800"`:                   1,
		`"\ud800x"`:                  2,
		`"\udc00\ud800"`:             2,
		`"\ud800\ud800\udc00"`:       2,
		`"\ud83d\n"`:                 2,
		`"\ud83d\\ude00"`:            7,
		`"\"\\\/\b\f\n\r\t\u0041"`:   9,
		`"a\u00e9b"`:                 3,
		`"\uD83D\uDE00é"`:            2,
		`"\\"`:                       1,
		`"é\\u0041"`:                 7,
	} {
		require.Equal(t, want, RuneCount(parseTape(t, text), 0), text)
	}
	tape := parseTape(t, `{"\u00e9😀x":1}`)
	require.Equal(t, 3, RuneCount(tape, 1), "a member name")
}

// equalGroups holds groups of equal values; no two groups are equal.
var equalGroups = [][]string{
	{`null`},
	{`true`},
	{`false`},
	{`0`, `-0`, `0.0`, `0e7`},
	{`1`, `1.0`, `10e-1`},
	{`9007199254740993`},
	{`9007199254740992`},
	{`1e99999999999999999999`, `10e99999999999999999998`},
	{`""`},
	{`"0"`},
	{`"1"`, `"\u0031"`},
	{`"true"`},
	{`"a/b"`, `"a\/b"`, `"\u0061/b"`},
	{`"é"`, `"\u00e9"`, `"\u00E9"`},
	{`"e\u0301"`, "\"e\u0301\""},
	{`"😀"`, `"\ud83d\ude00"`, `"\uD83D\uDE00"`},
	{`"\ud83d"`},
	{`"\ude00\ud83d"`},
	{`"\ufffd"`, `"�"`},
	{`"\ud800"`},
	{`"\ud801"`},
	{`[]`},
	{`{}`},
	{`[[]]`},
	{`[{}]`},
	{`[null]`},
	{`[1,2]`, `[1.0,2.0]`, ` [ 1 , 2 ] `},
	{`[2,1]`},
	{`[1,2,3]`},
	{`[1,[2]]`},
	{`[[1],2]`},
	{`{"a":1,"b":2}`, `{"b":2,"a":1}`, `{"\u0062":2.0,"a":1}`},
	{`{"a":2,"b":1}`},
	{`{"a":1}`},
	{`{"a":1,"c":2}`},
	{`{"a":{"b":2}}`},
	{`{"A":1,"b":2}`},
	{`{"x":1,"a":[1],"b":{"c":1,"d":2}}`, `{"x":1,"b":{"d":2,"c":1},"a":[1]}`, `{"b":{"d":2,"c":1},"a":[1.0],"x":1}`},
	{`{"":1,"a":{},"b":[]}`, `{"b":[],"":1,"a":{}}`},
	{`{"":1,"a":[],"b":{}}`},
	{`{"a":"b"}`},
	{`["a","b"]`},
	{`{"\ud800":1,"é":2}`, `{"é":2,"\ud800":1}`},
}

func TestEqual(t *testing.T) {
	for i, group := range equalGroups {
		for j, others := range equalGroups {
			for _, a := range group {
				for _, b := range others {
					require.Equal(t, i == j, Equal(parseTape(t, a), 0, parseTape(t, b), 0), "%s = %s", a, b)
				}
			}
		}
	}
}

func TestUnique(t *testing.T) {
	for _, c := range []struct {
		text          string
		first, second int // numbers of the items, or -1
	}{
		{`[]`, -1, -1},
		{`[1]`, -1, -1},
		{`[1,1.0]`, 0, 1},
		{`[10000000000,1.0e10]`, 0, 1},
		{`[1,true]`, -1, -1},
		{`[0,false]`, -1, -1},
		{`["1",1]`, -1, -1},
		{`[{"a":1,"b":2},{"b":2,"a":1}]`, 0, 1},
		{`[9007199254740993,9007199254740992]`, -1, -1},
		{`[1,2,3,2,1]`, 1, 3},
		{`[1,2,1,2,1]`, 0, 2},
		{`[[1],[2],[[1]],[1]]`, 0, 3},
		{`["\ud800","\ud801","\ufffd"]`, -1, -1},
	} {
		// The same items again behind many others, which are hashed; also beyond the stack.
		for _, others := range []int{0, 20, 100} {
			var filler strings.Builder
			for n := range others {
				switch n % 4 {
				case 0:
					fmt.Fprintf(&filler, `"filler %d",`, n)
				case 1:
					fmt.Fprintf(&filler, `[%d.75],`, n)
				case 2:
					fmt.Fprintf(&filler, `{"filler":%d},`, n)
				case 3:
					fmt.Fprintf(&filler, `1%024d,`, n)
				}
			}
			text := "[" + filler.String() + c.text[1:]
			if c.text == "[]" {
				text = "[" + strings.TrimSuffix(filler.String(), ",") + "]"
			}
			tape := parseTape(t, text)
			first, second, ok := Unique(tape, 0)
			require.Equal(t, c.first < 0, ok, text)
			if !ok {
				require.Equal(t, c.first+others, itemNumber(tape, first), text)
				require.Equal(t, c.second+others, itemNumber(tape, second), text)
			}
		}
	}
}

// itemNumber is the place in the root array of the item at token i.
func itemNumber(tape *jsontape.Tape, i int) int {
	number := 0
	for k := 1; k < i; k = tape.Next(k) {
		number++
	}
	return number
}

// TestUniqueHashesAgreeWithEqual puts the groups of equal values through the hashed path.
func TestUniqueHashesAgreeWithEqual(t *testing.T) {
	var all []string
	for _, group := range equalGroups {
		all = append(all, group[0])
	}
	_, _, ok := Unique(parseTape(t, "["+strings.Join(all, ",")+"]"), 0)
	require.True(t, ok)
	for i, group := range equalGroups {
		for _, other := range group {
			tape := parseTape(t, "["+strings.Join(all, ",")+","+other+"]")
			first, second, ok := Unique(tape, 0)
			require.False(t, ok, other)
			require.Equal(t, i, itemNumber(tape, first), other)
			require.Equal(t, len(all), itemNumber(tape, second), other)
		}
	}
}

func TestEqualAndUniqueCostIsBounded(t *testing.T) {
	const n = 50_000
	list := func(item func(n int) string) string {
		var b strings.Builder
		b.WriteByte('[')
		for i := range n {
			if i > 0 {
				b.WriteByte(',')
			}
			b.WriteString(item(i))
		}
		b.WriteByte(']')
		return b.String()
	}
	prefix := strings.Repeat("p", 100)
	start := time.Now()
	for name, text := range map[string]string{
		"integers":   list(func(i int) string { return fmt.Sprint(i) }),
		"decimals":   list(func(i int) string { return fmt.Sprintf("%d.125e-7", i) }),
		"exponents":  list(func(i int) string { return fmt.Sprintf("1e99999999999999%06d", i) }),
		"strings":    list(func(i int) string { return fmt.Sprintf(`"%s%d"`, prefix, i) }),
		"surrogates": list(func(i int) string { return fmt.Sprintf(`"\ud8%02x\ud8%02x\ud8%02x"`, i%251, i/251%251, i/251/251) }),
		"objects":    list(func(i int) string { return fmt.Sprintf(`{"a":%d,"b":%d}`, i, n-i) }),
		"swapped":    list(func(i int) string { return fmt.Sprintf(`[%d,"%d"]`, i%317, i/317) }),
		// Every level has two items, and the one that goes on is as large as it can be.
		"deep":        strings.Repeat("[[0],", 5000) + "1" + strings.Repeat("]", 5000),
		"deep object": strings.Repeat(`[{"a":1},{"a":`, 2500) + "2" + strings.Repeat("}]", 2500),
	} {
		tape := parseTape(t, text)
		for i, token := range tape.Tokens {
			if token.Kind == jsontape.Array {
				_, _, ok := Unique(tape, i)
				require.True(t, ok, name)
			}
		}
	}

	// Members in opposite order at every level: comparing values before their place is sure
	// would double the work with each level.
	a := strings.Repeat(`{"a":0,"b":`, 9000) + "1" + strings.Repeat("}", 9000)
	b := strings.Repeat(`{"b":`, 9000) + "1" + strings.Repeat(`,"a":0}`, 9000)
	require.True(t, Equal(parseTape(t, a), 0, parseTape(t, b), 0))
	var forth, back []string
	for i := range n {
		forth = append(forth, fmt.Sprintf(`"%s%d":%d`, prefix, i, i))
		back = append(back, fmt.Sprintf(`"%s%d":%d`, prefix, n-1-i, n-1-i))
	}
	require.True(t, Equal(
		parseTape(t, "{"+strings.Join(forth, ",")+"}"), 0,
		parseTape(t, "{"+strings.Join(back, ",")+"}"), 0))
	require.Less(t, time.Since(start), time.Minute)
}

func TestEqualAndUniqueDoNotAllocate(t *testing.T) {
	var scalars []string
	for i := range stackItems {
		scalars = append(scalars, []string{fmt.Sprintf(`"s\u00e9%d"`, i), fmt.Sprintf(`%d.5`, i)}[i%2])
	}
	tape := parseTape(t, `[["a","b",1,2,null,true],[`+strings.Join(scalars, ",")+`],"\u00e9\ud83d\ude00",{"a":[1,{"b":"\n"}]}]`)
	second := tape.Next(1)
	text := tape.Next(second)
	object := tape.Next(text)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		Unique(tape, 1)
		Unique(tape, second)
		RuneCount(tape, text)
		Equal(tape, object, tape, object)
	}))
}

// FuzzUnique compares Unique with comparing all pairs, and RuneCount with decoding.
func FuzzUnique(f *testing.F) {
	for _, group := range equalGroups {
		f.Add("[" + strings.Join(group, ",") + "]")
	}
	f.Fuzz(func(t *testing.T, text string) {
		var tape jsontape.Tape
		if tape.Parse([]byte(text), jsontape.Options{}) != nil || tape.RepeatedName(0) >= 0 {
			return
		}
		for i, token := range tape.Tokens {
			switch token.Kind {
			case jsontape.String:
				decoded := tape.Str(i)
				count := 0
				for s := decoded; s != ""; count++ {
					r, size := utf8.DecodeRuneInString(s)
					if r == utf8.RuneError && size == 1 {
						size = 3 // a surrogate
					}
					s = s[size:]
				}
				require.Equal(t, count, RuneCount(&tape, i))
			case jsontape.Array:
				var items []uint32
				for k := i + 1; k < int(token.Next); k = tape.Next(k) {
					items = append(items, uint32(k))
				}
				if len(items) > 60 {
					continue
				}
				first, second, ok := uniquePairwise(&tape, items)
				hashedFirst, hashedSecond, hashedOK := uniqueHashed(&tape, items)
				require.Equal(t, []any{first, second, ok}, []any{hashedFirst, hashedSecond, hashedOK})
			default:
			}
		}
	})
}

func BenchmarkUnique(b *testing.B) {
	for _, n := range []int{4, 8, 50, 1000, 50000} {
		var items []string
		for i := range n {
			items = append(items, fmt.Sprintf(`"item-%d"`, i))
		}
		tape := parseTape(b, "["+strings.Join(items, ",")+"]")
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				Unique(tape, 0)
			}
		})
	}
}
