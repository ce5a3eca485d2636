package extract

import (
	"bytes"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// benchInputs are recordings of about 2 MB each, so that a round
// fits in the time that a busy machine gives at once: how large the part of messages is decides the
// speed.
func benchInputs() map[string][]byte {
	payload := `{"stage":"build","stage_status":"success","attempt":3,"ratio":0.75,"tags":["linux","amd64"],"detail":{"log":"` + strings.Repeat("ok, next line ", 20) + `","cached":true}}`
	message := `{"ok":true,"schema_id":"zenlix-agent-stage-v1","payload":` + payload + `}`
	result := func(i int) string {
		return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"result":{"content":[{"type":"text","text":%s}],"structuredContent":%s}}`, i, q(message), message)
	}
	talk := func(i int) string {
		return fmt.Sprintf(`{"type":"assistant","uuid":"%032d","timestamp":"2026-11-02T10:00:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":%s}],"usage":{"input_tokens":%d,"output_tokens":311}}}`,
			i, q(strings.Repeat("The build has passed.\nNow the \"tests\" run, and then the rest. ", 12)), i)
	}
	lines := func(line func(i int) string) []byte {
		var b bytes.Buffer
		for i := 0; b.Len() < 2<<20; i++ {
			b.WriteString(line(i) + "\n")
		}
		return b.Bytes()
	}
	return map[string][]byte{
		"transcript": lines(func(i int) string {
			if i%20 == 0 {
				return result(i)
			}
			return talk(i)
		}),
		"messages-only": lines(result),
		"no-messages":   lines(talk),
		"document": []byte("[\n" + strings.ReplaceAll(strings.TrimSpace(string(lines(func(i int) string {
			if i%20 == 0 {
				return result(i)
			}
			return talk(i)
		}))), "\n", ",\n") + "\n]\n"),
		"messages-document": []byte("[\n" + strings.ReplaceAll(strings.TrimSpace(string(lines(result))), "\n", ",\n") + "\n]\n"),
		"one-line-document": []byte("[" + strings.ReplaceAll(strings.TrimSpace(string(lines(talk))), "\n", ",") + "]\n"),
	}
}

// BenchmarkExtract measures, on one core and side by side, the speed relative to that of
// jsontape.Valid on the same bytes, line by line or as a whole. CONTRIBUTING.md says what it must
// not fall below. The least time of each counts.
func BenchmarkExtract(b *testing.B) {
	for name, data := range benchInputs() {
		b.Run(name, func(b *testing.B) {
			extracting, validating := time.Duration(math.MaxInt64), time.Duration(math.MaxInt64)
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				start := time.Now()
				for _, err := range Messages(bytes.NewReader(data), Options{Workers: 1}) {
					if err != nil {
						b.Fatal(err)
					}
				}
				extracting = min(extracting, time.Since(start))
				b.StopTimer()
				start = time.Now()
				if strings.HasSuffix(name, "document") {
					if err := jsontape.Valid(data); err != nil {
						b.Fatal(err)
					}
				} else {
					for line := range bytes.Lines(data) {
						if err := jsontape.Valid(line); err != nil {
							b.Fatal(err)
						}
					}
				}
				validating = min(validating, time.Since(start))
				b.StartTimer()
			}
			b.ReportMetric(float64(validating)/float64(extracting), "x_valid")
		})
	}
}

// BenchmarkExtractCores measures how the speed grows with the number of workers.
func BenchmarkExtractCores(b *testing.B) {
	data := bytes.Repeat(benchInputs()["transcript"], 16)
	for _, workers := range []int{1, 2, 4, 8} {
		b.Run(fmt.Sprint(workers), func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			for b.Loop() {
				for _, err := range Messages(bytes.NewReader(data), Options{Workers: workers}) {
					if err != nil {
						b.Fatal(err)
					}
				}
			}
		})
	}
}
