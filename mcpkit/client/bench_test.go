//go:build !race

package client_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"testing"
	"time"

	peer "github.com/mark3labs/mcp-go/client"
	peertransport "github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/lines"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// payload is a JSON object of about a megabyte, of records as tools return them.
func payload() []byte {
	b := []byte(`{"records":[`)
	for i := 0; len(b) < 1<<20; i++ {
		if i > 0 {
			b = append(b, ',')
		}
		b = fmt.Appendf(b, `{"id":%d,"name":"record %d","score":%d.25,"tags":["a","b","c"],"note":"a \"quoted\" note of some length"}`, i, i, i)
	}
	return append(b, "]}"...)
}

// answering is a server that costs nothing: it finds the id of a request at its beginning and
// answers with a result that was made before.
func answering(content []byte) func(context.Context) io.ReadWriteCloser {
	handshake := []byte(`{"protocolVersion":"2025-11-25","capabilities":{"tools":{}},"serverInfo":{"name":"s","version":"1"}}`)
	return func(context.Context) io.ReadWriteCloser {
		ours, theirs := net.Pipe()
		go func() {
			_ = lines.Read(theirs, 1<<30, func(line []byte) {
				head := line[:min(len(line), 200)]
				_, rest, ok := bytes.Cut(head, []byte(`"id":`))
				if !ok {
					return // a notification
				}
				id := rest[:bytes.IndexAny(rest, ",}")]
				result := content
				if bytes.Contains(head, []byte(`"initialize"`)) {
					result = handshake
				}
				answer := append(append([]byte(`{"jsonrpc":"2.0","id":`), id...), `,"result":`...)
				_, _ = theirs.Write(append(append(answer, result...), "}\n"...))
			})
		}()
		return ours
	}
}

// callers are a session of this package and mcp-go's client, each on a connection to the same
// server, as a function that makes one call.
func callers(tb testing.TB) (ours, theirs func()) {
	tb.Helper()
	arguments := json.RawMessage(payload())
	text, err := json.Marshal(string(arguments))
	require.NoError(tb, err)
	server := answering([]byte(`{"content":[{"type":"text","text":` + string(text) + `}]}`))

	s, err := client.Connect(tb.Context(), client.InMemory(server), client.Options{})
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, s.Close()) })

	conn := server(tb.Context())
	c := peer.NewClient(peertransport.NewIO(conn, conn, io.NopCloser(strings.NewReader(""))), peer.WithProtocolVersion("2025-11-25"))
	require.NoError(tb, c.Start(tb.Context()))
	tb.Cleanup(func() { _ = c.Close() })
	_, err = c.Initialize(tb.Context(), mcp.InitializeRequest{})
	require.NoError(tb, err)

	ours = func() {
		r, err := s.CallTool(tb.Context(), "t", arguments)
		if err != nil || r.Text() != string(arguments) {
			tb.Fatal("the result is not what was sent", err)
		}
	}
	theirs = func() {
		r, err := c.CallTool(tb.Context(), mcp.CallToolRequest{Params: mcp.CallToolParams{Name: "t", Arguments: arguments}})
		if err != nil || r.Content[0].(mcp.TextContent).Text != string(arguments) {
			tb.Fatal("the result is not what was sent", err)
		}
	}
	return ours, theirs
}

// BenchmarkCall is a call with 1 MB of arguments and 1 MB of result, here and by mcp-go's client, on
// the same server over the framing of stdio. The figure that counts is of-mcp-go: what part of
// mcp-go's time a call takes.
func BenchmarkCall(b *testing.B) {
	ours, theirs := callers(b)
	var here, there []time.Duration
	b.SetBytes(int64(len(payload())))
	for b.Loop() {
		here = append(here, measure(ours))
		there = append(there, measure(theirs))
	}
	slices.Sort(here)
	slices.Sort(there)
	b.ReportMetric(float64(here[len(here)/2].Microseconds()), "µs/call")
	b.ReportMetric(float64(here[len(here)/2])/float64(there[len(there)/2]), "of-mcp-go")
}

func measure(call func()) time.Duration {
	begun := time.Now()
	call()
	return time.Since(begun)
}

// TestCallCost: a call of 1 MB costs at most a fifth of what it costs with mcp-go's client. Both take
// turns, and the best of each counts, so that a busy machine slows down both.
func TestCallCost(t *testing.T) {
	ours, theirs := callers(t)
	here, there := time.Hour, time.Hour
	for range 5 {
		here, there = min(here, measure(ours)), min(there, measure(theirs))
	}
	require.LessOrEqual(t, float64(here)/float64(there), 0.2, "%s here, %s with mcp-go", here, there)
}
