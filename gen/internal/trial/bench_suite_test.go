//go:build suite

package trial

import (
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// benchDriver validates the instances of every schema with the generated code and with
// santhosh-tekuri/jsonschema, in turn, and prints for each set the nanoseconds a document:
// the verdict on parsed documents, and from bytes to verdict.
const benchDriver = `package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/dlclark/regexp2/v2"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// ecma lets the interpreter run the patterns that package regexp does not take.
type ecma regexp2.Regexp

func (re *ecma) String() string { return (*regexp2.Regexp)(re).String() }

func (re *ecma) MatchString(s string) bool {
	ok, err := (*regexp2.Regexp)(re).MatchString(s)
	return err == nil && ok
}

// best is the least time a call takes, over rounds of at least 20 ms.
func best(documents int, f func()) float64 {
	least := 0.0
	for range 5 {
		n := 0
		start := time.Now()
		for time.Since(start) < 20*time.Millisecond {
			f()
			n++
		}
		if t := float64(time.Since(start).Nanoseconds()) / float64(n*documents); least == 0 || t < least {
			least = t
		}
	}
	return least
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func main() {
	encode := json.NewEncoder(os.Stdout)
	for _, id := range os.Args[2:] {
		schema, _ := Registry.Lookup(id)
		var documents [][]byte
		for _, line := range bytes.Split(must(os.ReadFile(filepath.Join(os.Args[1], id, "instances.jsonl"))), []byte("\n")) {
			if len(line) > 0 && len(documents) < 500 {
				documents = append(documents, line)
			}
		}
		size := 0
		tapes := make([]jsontape.Tape, len(documents))
		values := make([]any, len(documents))
		for i, d := range documents {
			size += len(d)
			if err := tapes[i].Parse(d, jsontape.Options{}); err != nil {
				panic(err)
			}
			values[i] = must(jsonschema.UnmarshalJSON(bytes.NewReader(d)))
			if err := schema.Validate(d); err != nil {
				panic(fmt.Sprint(id, ": ", err))
			}
		}
		c := jsonschema.NewCompiler()
		c.DefaultDraft(jsonschema.Draft7)
		if err := c.AddResource("mem:///"+id, must(jsonschema.UnmarshalJSON(bytes.NewReader([]byte(schema.Source))))); err != nil {
			panic(err)
		}
		c.UseRegexpEngine(func(s string) (jsonschema.Regexp, error) {
			re, err := regexp2.Compile(s, regexp2.ECMAScript)
			return (*ecma)(re), err
		})
		peer := c.MustCompile("mem:///" + id)
		var tape jsontape.Tape
		encode.Encode(map[string]any{
			"Set":        id,
			"Bytes":      float64(size) / float64(len(documents)),
			"Tape":       best(len(documents), func() { for _, d := range documents { tape.Parse(d, jsontape.Options{}) } }),
			"Parsed":     best(len(documents), func() { for i := range tapes { schema.ValidateTape(context.Background(), &tapes[i], 0) } }),
			"Whole":      best(len(documents), func() { for _, d := range documents { schema.Validate(d) } }),
			"PeerParsed": best(len(documents), func() { for _, v := range values { peer.Validate(v) } }),
			"PeerWhole":  best(len(documents), func() { for _, d := range documents { v, _ := jsonschema.UnmarshalJSON(bytes.NewReader(d)); peer.Validate(v) } }),
		})
	}
}
`

// BenchmarkValidators measures the generated validators beside an interpreter over the real
// schemas of the benchmark. The metrics are geometric means over the sets: ns a document, and
// how many times faster than santhosh-tekuri/jsonschema.
func BenchmarkValidators(b *testing.B) {
	root := filepath.Join(Root(b), "..", "shared", "suites", "validation-bench")
	paths, err := filepath.Glob(filepath.Join(root, "*", "instances.jsonl"))
	require.NoError(b, err)
	require.NotEmpty(b, paths)
	schemas := map[string]string{}
	args := []string{root}
	for _, path := range paths {
		id := filepath.Base(filepath.Dir(path))
		data, err := os.ReadFile(filepath.Join(root, id, "schema.json"))
		require.NoError(b, err)
		schemas[id] = string(data)
		args = append(args, id)
	}
	compiled := CompileWith(b, schemas, Options{Default: load.Draft7}, benchDriver)
	require.Empty(b, compiled.Refused)
	for b.Loop() {
		cmd := exec.Command(compiled.program, args...)
		cmd.Stderr = os.Stderr
		out, err := cmd.Output()
		require.NoError(b, err)
		type row struct {
			Set                                               string
			Bytes, Tape, Parsed, Whole, PeerParsed, PeerWhole float64
		}
		var logs struct{ tape, parsed, whole, fasterParsed, fasterWhole float64 }
		lines := strings.Split(strings.TrimSpace(string(out)), "\n")
		for _, line := range lines {
			var r row
			require.NoError(b, json.Unmarshal([]byte(line), &r))
			if testing.Verbose() {
				b.Logf("%-22s %8.0f bytes  tape %7.0f  parsed %7.0f ns (%5.1fx)  whole %7.0f ns (%5.1fx)", r.Set, r.Bytes, r.Tape, r.Parsed, r.PeerParsed/r.Parsed, r.Whole, r.PeerWhole/r.Whole)
			}
			logs.tape += math.Log(r.Tape)
			logs.parsed += math.Log(r.Parsed)
			logs.whole += math.Log(r.Whole)
			logs.fasterParsed += math.Log(r.PeerParsed / r.Parsed)
			logs.fasterWhole += math.Log(r.PeerWhole / r.Whole)
		}
		mean := func(sum float64) float64 { return math.Exp(sum / float64(len(lines))) }
		b.ReportMetric(mean(logs.tape), "ns/tape")
		b.ReportMetric(mean(logs.parsed), "ns/parsed-doc")
		b.ReportMetric(mean(logs.whole), "ns/whole-doc")
		b.ReportMetric(mean(logs.fasterParsed), "x-interpreter-parsed")
		b.ReportMetric(mean(logs.fasterWhole), "x-interpreter-whole")
	}
}
