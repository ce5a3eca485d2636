package server_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"log/slog"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// peer is an echo server as a user of mcp-go would write it: the payload is decoded into
// any and the structured result is encoded again.
func peer() *mcpserver.StdioServer {
	s := mcpserver.NewMCPServer("peer", "1", mcpserver.WithToolCapabilities(false))
	s.AddTool(mcp.NewTool("echo",
		mcp.WithString("schema_id", mcp.Required()),
		mcp.WithAny("payload", mcp.Required()),
	), func(_ context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		id, err := r.RequireString("schema_id")
		if err != nil {
			return mcp.NewToolResultError(err.Error()), nil
		}
		return mcp.NewToolResultJSON(map[string]any{"ok": true, "schema_id": id, "payload": r.GetArguments()["payload"]})
	})
	stdio := mcpserver.NewStdioServer(s)
	stdio.SetErrorLogger(slog.NewLogLogger(slog.DiscardHandler, slog.LevelError))
	return stdio
}

// payloadOf makes a JSON array of small objects, the kind of payload agents send, of about
// size bytes.
func payloadOf(size int) string {
	var b strings.Builder
	b.WriteString(`{"events":[`)
	for i := 0; ; i++ {
		item := fmt.Sprintf(`{"stage":"build","sequence":%d,"message":"step %d is done, on to the next one","ok":true,"took":%d.25}`, i, i, i)
		if i > 0 && b.Len()+len(item)+3 > size {
			break
		}
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(item)
	}
	b.WriteString(`]}`)
	return b.String()
}

// BenchmarkEchoStdio is one echo over stdio, this server beside the peer, through pipes of
// the operating system.
func BenchmarkEchoStdio(b *testing.B) {
	servers := []struct {
		name  string
		serve func(context.Context, io.Reader, io.Writer) error
	}{
		{"this", server.New(testRegistry(), transport.Options{}, server.Tools{}).ServeStdio},
		{"peer", peer().Listen},
	}
	for _, size := range []int{100, 10 << 10, 1 << 20, 10 << 20} {
		line := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"echo","arguments":{"schema_id":"__schemaless__","payload":` + payloadOf(size) + "}}}\n")
		for _, s := range servers {
			b.Run(strconv.Itoa(size)+"/"+s.name, func(b *testing.B) {
				in, requests, err := os.Pipe()
				require.NoError(b, err)
				answers, out, err := os.Pipe()
				require.NoError(b, err)
				ended := make(chan error, 1)
				go func() { ended <- s.serve(context.Background(), in, out) }()
				reader := bufio.NewReaderSize(answers, 64<<10)
				b.SetBytes(int64(len(line)))
				for b.Loop() {
					go func() { _, _ = requests.Write(line) }()
					got := 0
					for {
						piece, err := reader.ReadSlice('\n')
						got += len(piece)
						if err == nil {
							break
						}
						require.ErrorIs(b, err, bufio.ErrBufferFull)
					}
					require.Greater(b, got, len(line))
				}
				require.NoError(b, requests.Close())
				require.NoError(b, <-ended)
				require.NoError(b, in.Close())
				require.NoError(b, out.Close())
				require.NoError(b, answers.Close())
			})
		}
	}
}
