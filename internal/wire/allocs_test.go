//go:build !race

package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// TestParseAllocates: what Parse allocates does not depend on the payload.
func TestParseAllocates(t *testing.T) {
	var p wire.Parser
	message := []byte(call("echo", `{"schema_id":"x","payload":[`+strings.Repeat(`{"a":"b"},`, 10_000)+`0]}`))
	allocs := testing.AllocsPerRun(10, func() {
		m, r := p.Parse(message)
		if r != nil {
			t.Fatal(r.Message)
		}
		m.Call.Release()
	})
	require.LessOrEqual(t, allocs, 10.0)
}

// TestScannerIsSmall: a message of any size and depth takes no memory.
func TestScannerIsSmall(t *testing.T) {
	piece := []byte(strings.Repeat(`[{"id":1,"method":"x","a":"b\"c"`, 1000))
	var s wire.Scanner
	s.Scan([]byte(`{"params":{"arguments":`))
	require.Zero(t, testing.AllocsPerRun(100, func() { s.Scan(piece) }))
}

// TestAnswerAllocates: writing an answer does not copy the payload.
func TestAnswerAllocates(t *testing.T) {
	m := parse(t, call("echo", `{"payload":[`+strings.Repeat(`{"a":"b"},`, 100_000)+`0]}`))
	var out countWriter
	allocated := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			token := m.Call.Answer([3][]byte{nil, m.Call.Payload.Text, nil})
			if err := m.WriteAnswer(&out, result(`1`, token), wire.Line); err != nil {
				b.Fatal(err)
			}
		}
	}).AllocedBytesPerOp()
	require.Less(t, allocated, int64(len(m.Call.Payload.Text)/20))
}

type countWriter int

func (c *countWriter) Write(b []byte) (int, error) { *c += countWriter(len(b)); return len(b), nil }

// TestExcessIsCheap: a message of which too much would go to mcp-go costs its tape, and
// nothing else that grows with it.
func TestExcessIsCheap(t *testing.T) {
	var p wire.Parser
	const count = 100_000
	for name, c := range map[string]struct {
		text   string
		tokens int
	}{
		"objects":       {`{"jsonrpc":"2.0","id":1,"method":"ping","params":{"_meta":{"a":` + smallValues(count) + `}}}`, 3 * count},
		"notification":  {`{"jsonrpc":"2.0","method":"x","params":{"a":` + smallValues(count) + `}}`, 3 * count},
		"a long method": {`{"jsonrpc":"2.0","id":1,"method":"` + strings.Repeat("x", 1_000_000) + `"}`, 0},
		"a long id":     {`{"jsonrpc":"2.0","method":"ping","id":"` + strings.Repeat("é", 1_000_000) + `"}`, 0},
		"a long name":   {`{"jsonrpc":"2.0","id":1,"method":"ping","\u0061` + strings.Repeat("x", 1_000_000) + `":1}`, 0},
		"a long tool":   {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"` + strings.Repeat("x", 1_000_000) + `"}}`, 0},
	} {
		message := []byte(c.text)
		result := testing.Benchmark(func(b *testing.B) {
			for range b.N {
				if m, _ := p.Parse(message); m != nil {
					b.Fatal("taken")
				}
			}
		})
		require.Less(t, result.AllocedBytesPerOp(), int64(24*c.tokens+100_000), name)
	}
}
