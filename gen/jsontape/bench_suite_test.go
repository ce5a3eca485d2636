//go:build suite

package jsontape_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// benchSet is the documents of one folder of validation-bench.
type benchSet struct {
	name string
	docs [][]byte
	size int
}

// benchSets reads every document of validation-bench. None found is fatal.
func benchSets(tb testing.TB) []benchSet {
	tb.Helper()
	files, err := filepath.Glob("../../../shared/suites/validation-bench/*/instances.jsonl")
	require.NoError(tb, err)
	require.NotEmpty(tb, files, "validation-bench is missing")
	var sets []benchSet
	for _, file := range files {
		data, err := os.ReadFile(file)
		require.NoError(tb, err)
		set := benchSet{name: filepath.Base(filepath.Dir(file))}
		for line := range bytes.Lines(data) {
			// Each document gets memory of its own, as a message would.
			doc := bytes.Clone(bytes.TrimSuffix(line, []byte("\n")))
			set.docs = append(set.docs, doc)
			set.size += len(doc)
		}
		require.NotEmpty(tb, set.docs, file)
		sets = append(sets, set)
	}
	return sets
}

// BenchmarkTapeRatio measures Parse, Valid and encoding/json.Valid side by side. Each
// iteration is one round over every document; the least time of each set counts. It
// reports the geometric mean over the sets of the speed relative to encoding/json.Valid,
// and the speeds themselves in MB/s.
func BenchmarkTapeRatio(b *testing.B) {
	sets := benchSets(b)
	var tape jsontape.Tape
	readers := []func(data []byte) bool{
		func(data []byte) bool { return tape.Parse(data, jsontape.Options{}) == nil },
		func(data []byte) bool { return jsontape.Valid(data) == nil },
		json.Valid,
	}
	least := make([][]time.Duration, len(readers))
	for r := range least {
		least[r] = make([]time.Duration, len(sets))
		for s := range sets {
			least[r][s] = math.MaxInt64
		}
	}
	for b.Loop() {
		for s, set := range sets {
			for r, read := range readers {
				start := time.Now()
				for _, doc := range set.docs {
					if !read(doc) {
						b.Fatalf("%s: refused %s", set.name, doc)
					}
				}
				least[r][s] = min(least[r][s], time.Since(start))
			}
		}
	}
	speed := make([]float64, len(readers)) // geometric mean of bytes per second
	for r := range readers {
		for s, set := range sets {
			speed[r] += math.Log(float64(set.size) / least[r][s].Seconds())
		}
		speed[r] = math.Exp(speed[r] / float64(len(sets)))
	}
	if testing.Verbose() {
		for s, set := range sets {
			b.Logf("%-22s %5.2f %5.2f", set.name, least[2][s].Seconds()/least[0][s].Seconds(), least[2][s].Seconds()/least[1][s].Seconds())
		}
	}
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(speed[0]/speed[2], "x_json_valid")
	b.ReportMetric(speed[1]/speed[2], "x_json_valid(Valid)")
	b.ReportMetric(speed[0]/1e6, "MB/s(Parse)")
	b.ReportMetric(speed[1]/1e6, "MB/s(Valid)")
	b.ReportMetric(speed[2]/1e6, "MB/s(encoding/json)")
}
