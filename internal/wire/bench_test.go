package wire_test

import (
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// benchMessage is a call with a payload of about 1 MB. No two items are of one length, as
// far as that goes: a processor learns what repeats.
func benchMessage() []byte {
	var items strings.Builder
	for i := 0; items.Len() < 1<<20; i++ {
		fmt.Fprintf(&items, `{"stage":"build","sequence":%d,"message":%q,"ok":true,"took":%d.25},`, i*i, "step is done "+strings.Repeat("x", i*7919%31), i)
	}
	return []byte(call("echo", `{"schema_id":"x","payload":[`+items.String()+`0]}`))
}

func BenchmarkParse(b *testing.B) {
	message := benchMessage()
	for name, p := range map[string]wire.Parser{"checked": {}, "unchecked": {Unchecked: `"x"`}} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(message)))
			b.ReportAllocs()
			for b.Loop() {
				m, r := p.Parse(message)
				if r != nil {
					b.Fatal(r.Message)
				}
				m.Call.Release()
			}
		})
	}
}

func BenchmarkWriteAnswer(b *testing.B) {
	m := parse(b, string(benchMessage()))
	b.SetBytes(int64(len(m.Call.Payload.Text)))
	b.ReportAllocs()
	for b.Loop() {
		token := m.Call.Answer([3][]byte{nil, m.Call.Payload.Text, nil})
		if err := m.WriteAnswer(io.Discard, result(`1`, token), wire.Line); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkScanner(b *testing.B) {
	message := benchMessage()
	b.SetBytes(int64(len(message)))
	b.ReportAllocs()
	for b.Loop() {
		var s wire.Scanner
		s.Scan(message)
	}
}
