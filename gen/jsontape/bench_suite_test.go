//go:build suite

package jsontape_test

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
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

// BenchmarkTapeRatio measures the readers side by side with encoding/json.Valid. Each
// iteration is one round over every document; the least time of each set counts. It
// reports the geometric mean over the sets of the speed relative to encoding/json.Valid
// (x_json_valid is that of Parse), and of the speed itself.
func BenchmarkTapeRatio(b *testing.B) {
	sets := benchSets(b)
	var tape jsontape.Tape
	readers := []struct {
		name string
		ok   func(data []byte) bool
	}{
		{"encoding/json", json.Valid},
		{"Valid", func(data []byte) bool { return jsontape.Valid(data) == nil }},
		{"Parse", func(data []byte) bool { return tape.Parse(data, jsontape.Options{}) == nil }},
		{"Parse+RepeatedName", func(data []byte) bool {
			return tape.Parse(data, jsontape.Options{}) == nil && tape.RepeatedName(0) < 0
		}},
	}
	least := make([][]time.Duration, len(readers))
	for r := range readers {
		least[r] = slices.Repeat([]time.Duration{math.MaxInt64}, len(sets))
	}
	for b.Loop() {
		for s, set := range sets {
			for r, reader := range readers {
				start := time.Now()
				for _, doc := range set.docs {
					if !reader.ok(doc) {
						b.Fatalf("%s: refused %s", set.name, doc)
					}
				}
				least[r][s] = min(least[r][s], time.Since(start))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for r, reader := range readers {
		var speed, ratio float64 // logarithms
		for s, set := range sets {
			speed += math.Log(float64(set.size) / 1e6 / least[r][s].Seconds())
			ratio += math.Log(float64(least[0][s]) / float64(least[r][s]))
		}
		speed = math.Exp(speed / float64(len(sets)))
		ratio = math.Exp(ratio / float64(len(sets)))
		b.ReportMetric(speed, "MB/s:"+reader.name)
		switch reader.name {
		case "encoding/json":
		case "Parse":
			b.ReportMetric(ratio, "x_json_valid")
		default:
			b.ReportMetric(ratio, "x_json_valid:"+reader.name)
		}
	}
}
