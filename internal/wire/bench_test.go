package wire_test

import (
	"io"
	"strings"
	"testing"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// benchMessage is a call with a payload of about 1 MB.
func benchMessage() []byte {
	const item = `{"stage":"build","sequence":12,"message":"step 12 is done, on to the next one","ok":true,"took":12.25}`
	return []byte(call("echo", `{"schema_id":"x","payload":[`+strings.Repeat(item+",", 1<<20/len(item))+item+`]}`))
}

func BenchmarkParse(b *testing.B) {
	message := benchMessage()
	var p wire.Parser
	b.SetBytes(int64(len(message)))
	b.ReportAllocs()
	for b.Loop() {
		if _, r := p.Parse(message); r != nil {
			b.Fatal(r.Message)
		}
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
