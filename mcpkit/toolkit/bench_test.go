package toolkit_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/zenlix/echo-mcp/generated"
	"github.com/zenlix/echo-mcp/mcpkit/toolkit"
)

type outline struct {
	Title string `json:"title" jsonschema:"minLength=1,maxLength=200"`
	Items []struct {
		Index   int    `json:"index" jsonschema:"minimum=1"`
		Heading string `json:"heading" jsonschema:"minLength=1"`
		Notes   string `json:"notes,omitempty"`
	} `json:"items" jsonschema:"minItems=1"`
}

func same[T any](_ context.Context, in T) (T, error) { return in, nil }

// outlineOf makes an outline of about size bytes.
func outlineOf(size int) string {
	var b strings.Builder
	b.WriteString(`{"title":"A","items":[`)
	for i := 1; i == 1 || b.Len() < size-80; i++ {
		if i > 1 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, `{"index":%d,"heading":"Section %d of the report","notes":"step %d is done"}`, i, i, i)
	}
	return b.String() + `]}`
}

// BenchmarkCall measures calls of a tool that gives back what it gets.
func BenchmarkCall(b *testing.B) {
	s := toolkit.New(toolkit.Info{Name: "bench"}, toolkit.Options{Types: generated.Registry})
	for _, err := range []error{
		toolkit.Tool(s, "generated", "", same[generated.ReportOutlineV1]),
		toolkit.Tool(s, "reflected", "", same[outline]),
		toolkit.Tool(s, "raw", "", rawEcho, anyObject),
	} {
		if err != nil {
			b.Fatal(err)
		}
	}
	for _, size := range []int{100, 10_000, 1_000_000} {
		for _, tool := range []string{"generated", "reflected", "raw"} {
			b.Run(fmt.Sprintf("%s/%d", tool, size), func(b *testing.B) {
				conn := s.Connect(b.Context())
				defer conn.Close()
				lines := bufio.NewReaderSize(conn, 1<<20)
				message := request(modern, "1", "tools/call", call(tool, outlineOf(size))) + "\n"
				b.SetBytes(int64(len(message)))
				b.ReportAllocs()
				for b.Loop() {
					go func() { _, _ = io.WriteString(conn, message) }()
					for {
						_, err := lines.ReadSlice('\n')
						if err == nil {
							break
						}
						if !errors.Is(err, bufio.ErrBufferFull) {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
