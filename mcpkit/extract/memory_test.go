//go:build !race

package extract

import (
	"bytes"
	"io"
	"runtime/debug"
	"runtime/metrics"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// endless gives a beginning, then a part again and again, then an end.
func endless(begin, part, end string) io.Reader {
	const size = 300 << 20
	return io.MultiReader(strings.NewReader(begin), io.LimitReader(&again{part: []byte(strings.Repeat(part, 1+100_000/len(part)))}, size-size%int64(len(part))), strings.NewReader(end))
}

type again struct {
	part []byte
	at   int
}

func (a *again) Read(b []byte) (int, error) {
	n := copy(b, a.part[a.at:])
	a.at = (a.at + n) % len(a.part)
	return n, nil
}

// TestMemory: inputs of hundreds of megabytes, in lines, in one document, in one line, in one
// string, take no more than 32 MiB of heap at any time.
func TestMemory(t *testing.T) {
	message := `{"ok":true,"schema_id":"a","payload":{"stage":"build","log":"` + strings.Repeat("ok ", 500) + `"}}`
	// Garbage is collected at once, so that what is counted is in use.
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	for name, c := range map[string]struct {
		in     io.Reader
		faults int
	}{
		"lines":                 {endless("", `{"content":[{"text":"`+strings.Repeat("prose ", 3000)+`"}]}`+"\n"+message+"\n", ""), 0},
		"a document":            {endless("[\n", "  "+message+",\n", "  {}\n]\n"), 0},
		"a line":                {endless("[", message+",", "{}]"), 0},
		"a string":              {endless(`{"a":"`, "0123456789 \\n", `"}`), 0},
		"a string without end":  {endless(`{"a":"`, "x", ""), 1},
		"white space":           {endless("[", " ", "]"), 0},
		"opening brackets":      {endless("", "[", ""), 1},
		"no JSON, and no lines": {endless("", "x", ""), 1},
	} {
		t.Run(name, func(t *testing.T) {
			sample := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}}
			most, reads := uint64(0), 0
			in := readerFunc(func(b []byte) (int, error) {
				if reads++; reads%16 == 0 {
					metrics.Read(sample)
					most = max(most, sample[0].Value.Uint64())
				}
				return c.in.Read(b)
			})
			faults := 0
			for _, err := range Messages(in, Options{Workers: 2}) {
				if err != nil {
					faults++
				}
			}
			require.Equal(t, c.faults, faults)
			require.Less(t, most, uint64(32<<20))
			require.NotZero(t, most)
		})
	}
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }

// TestLinesWithoutMessagesCostNothing: a thousand of them allocate no more than one does.
func TestLinesWithoutMessagesCostNothing(t *testing.T) {
	cost := func(lines int) float64 {
		in := []byte(strings.Repeat(`{"type":"user","content":[{"text":"a \"quoted\" word"}]}`+"\n", lines))
		return testing.AllocsPerRun(20, func() {
			for _, err := range Messages(bytes.NewReader(in), Options{Workers: 1}) {
				require.NoError(t, err)
			}
		})
	}
	require.InDelta(t, cost(1), cost(1000), 2)
}
