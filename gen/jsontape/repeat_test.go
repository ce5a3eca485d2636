package jsontape_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// repeatedName is RepeatedName in the plainest way.
func repeatedName(tape *jsontape.Tape, root int) int {
	first := -1
	for i := root; i < tape.Next(root); i++ {
		if tape.Tokens[i].Kind != jsontape.Object {
			continue
		}
		seen := map[string]bool{}
		for c := i + 1; c < tape.Next(i); c = tape.Next(c + 1) {
			if seen[tape.Str(c)] && (first < 0 || c < first) {
				first = c
			}
			seen[tape.Str(c)] = true
		}
	}
	return first
}

func TestRepeatedName(t *testing.T) {
	for _, c := range []struct{ text, pointer string }{
		{`1`, ""},
		{`[]`, ""},
		{`{}`, ""},
		{`{"a":1}`, ""},
		{`{"a":1,"b":2}`, ""},
		{`{"a":"a"}`, ""},
		{`["a","a"]`, ""},
		{`{"a":1,"A":2}`, ""},
		{`{"a":{"a":{"a":1}}}`, ""},
		{`[{"a":1},{"a":2}]`, ""},
		{`{"":1," ":2}`, ""},
		{`{"a":1,"a\u0000":2}`, ""},
		{`{"a":1,"a":2}`, "/a"},
		{`{"":1,"":2}`, "/"},
		{`{"é":1,"é":2}`, "/é"},
		{`{"a":1,"b":2,"c":3,"b":4,"a":5}`, "/b"},
		{`[0,{"x":[{"a":1,"a":2}]}]`, "/1/x/0/a"},
		// Names with escapes.
		{`{"a":1,"\u0061":2}`, "/a"},
		{`{"\u0061":1,"a":2}`, "/a"},
		{`{"\u0061":1,"\u0061":2}`, "/a"},
		{`{"/":1,"\/":2}`, "/~1"},
		{`{"\ud83d\ude00":1,"😀":2}`, "/😀"},
		{`{"\ud800":1,"\uD800":2}`, "/\xed\xa0\x80"},
		{`{"\ud800":1,"\ud801":2,"�":3}`, ""},
		{`{"\\u0061":1,"\u0061":2}`, ""},
		// Equal lengths, beginnings and ends.
		{`{"0123456789":1,"0123456798":2}`, ""},
		{`{"01234567a01234567":1,"01234567b01234567":2}`, ""},
		{`{"01234567a01234567":1,"01234567a01234567":2}`, "/01234567a01234567"},
		{`{"01234567":1,"0123456789abcdef":2,"01234567":3}`, "/01234567"},
		// The first one in document order, whether in the inner or in the outer object.
		{`{"a":{"b":1,"b":2},"a":3}`, "/a/b"},
		{`{"a":1,"a":{"b":1,"b":2}}`, "/a"},
		{`{"x":{"y":{"c":1,"c":2},"d":1,"d":2},"x":3}`, "/x/y/c"},
		{`{"x":{"y":{"c":1},"d":1},"x":{"e":1,"e":2}}`, "/x"},
	} {
		tape := parse(t, c.text)
		got := tape.RepeatedName(0)
		require.Equal(t, repeatedName(tape, 0), got, c.text)
		if c.pointer == "" {
			require.Equal(t, -1, got, c.text)
		} else {
			require.Equal(t, c.pointer, tape.Pointer(got), c.text)
			require.NotEqual(t, tape.Lookup(c.pointer)-1, got, "%s: the second of the two is meant", c.text)
		}
	}
}

func TestRepeatedNameBelowRoot(t *testing.T) {
	tape := parse(t, `{"a":{"b":1},"a":[{"c":1,"c":2}],"d":{"e":1}}`)
	for i := range tape.Tokens {
		require.Equal(t, repeatedName(tape, i), tape.RepeatedName(i), "token %d", i)
	}
}

// TestRepeatedMember: only the names of the object itself count.
func TestRepeatedMember(t *testing.T) {
	for _, c := range []struct{ text, pointer string }{
		{`{"a":1,"b":2}`, ""},
		{`{"a":{"b":1,"b":2},"c":3}`, ""},
		{`{"a":{"b":1,"b":2},"a":3}`, "/a"},
		{`{"a":1,"\u0061":2}`, "/a"},
		{`[{"a":1,"a":2}]`, ""},
		{`"a"`, ""},
	} {
		tape := parse(t, c.text)
		got := tape.RepeatedMember(0)
		if c.pointer == "" {
			require.Equal(t, -1, got, c.text)
		} else {
			require.Equal(t, c.pointer, tape.Pointer(got), c.text)
		}
	}
}

// TestRepeatedNameRandom tries objects of every size around the one where the method
// changes, at random, with names that differ little and one tape for all.
func TestRepeatedNameRandom(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	shapes := []string{`"%d"`, `"\u0061%d"`, `"same beginning %d"`, `"%d same end of all"`, `"beginning %d end of it"`, `"é%d"`, `"12345678%[1]d12345678"`}
	var tape jsontape.Tape
	for range 4_000 {
		var object func(depth int) string
		object = func(depth int) string {
			shape := shapes[random.IntN(len(shapes))]
			members := make([]string, random.IntN(40))
			for i := range members {
				name := i
				if random.IntN(80) == 0 {
					name = random.IntN(40)
				}
				value := "0"
				if depth < 3 && random.IntN(10) == 0 {
					value = object(depth + 1)
				}
				members[i] = fmt.Sprintf(shape, name) + ":" + value
			}
			return "{" + strings.Join(members, ",") + "}"
		}
		text := object(1)
		require.NoError(t, tape.Parse([]byte(text), jsontape.Options{}))
		require.Equal(t, repeatedName(&tape, 0), tape.RepeatedName(0), text)
	}
}

// manyNames are documents whose names are expensive to tell apart for a method that
// compares all pairs, compares long equal beginnings again and again, or trusts a hash
// that can be foreseen.
func manyNames() map[string]string {
	object := func(n int, name string) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `,"`+name+`":0`, i)
		}
		return "{" + b.String()[1:] + "}"
	}
	return map[string]string{
		"short":            object(100_000, "%d"),
		"equal beginnings": object(100_000, strings.Repeat("long common prefix ", 10)+"%06d"),
		"equal ends":       object(100_000, "%06d"+strings.Repeat(" long common suffix", 10)),
		"equal prints":     object(100_000, "12345678%06d12345678"),
		"escapes":          object(100_000, `\u0061\n%06d`),
		"small objects":    "[" + strings.Repeat(object(32, "12345678%02d12345678")+",", 3_000) + "0]",
		"nested":           strings.Repeat(`{"a":0,"\u0062":`, 10_000) + "0" + strings.Repeat(`,"c":0}`, 10_000),
	}
}

func TestRepeatedNameLinear(t *testing.T) {
	for name, text := range manyNames() {
		tape := parse(t, text)
		start := time.Now()
		require.Equal(t, -1, tape.RepeatedName(0), name)
		// It takes about 20 ms; comparing all pairs would take minutes.
		require.Less(t, time.Since(start), 5*time.Second, name)
		// The last name of all repeats the first.
		if strings.HasSuffix(text, "0}") {
			name, _, _ := strings.Cut(text[1:], ":")
			tape = parse(t, strings.TrimSuffix(text, "}")+","+name+":1}")
			require.Equal(t, len(tape.Tokens)-2, tape.RepeatedName(0))
		}
	}
}
