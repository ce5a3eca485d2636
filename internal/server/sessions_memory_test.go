//go:build !race

package server_test

import (
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// heap is how much memory is in use.
func heap() int {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what pools held
	runtime.ReadMemStats(&m)
	return int(m.HeapAlloc)
}

// maxRecent is how many ids the transport remembers.
const maxRecent = 10_000

// TestMadeUpSessions: session ids that a client makes up, or asks for and leaves, cost
// nothing beyond the last ten thousand, whatever is done with them.
func TestMadeUpSessions(t *testing.T) {
	for mode, o := range map[string]transport.Options{"sessions": {}, "stateless": {Stateless: true}} {
		t.Run(mode, func(t *testing.T) {
			o.Logger = slog.New(slog.NewTextHandler(io.Discard, nil))
			s := server.New(testRegistry(), o, server.Tools{})
			defer s.Close()
			ids := 0
			send := func(method, id, body string) {
				r := httptest.NewRequestWithContext(t.Context(), method, "http://localhost/mcp", strings.NewReader(body))
				r.Header.Set("Content-Type", "application/json")
				r.Header.Set("Mcp-Session-Id", id)
				w := httptest.NewRecorder()
				s.Handler().ServeHTTP(w, r)
				require.Less(t, w.Code, 500, w.Body)
			}
			round := func() {
				for range maxRecent + 1000 {
					ids++
					id := fmt.Sprintf("mcp-session-6ba7b810-9dad-11d1-80b4-%012x", ids)
					send(http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"error"}}`)
					send(http.MethodPost, id, ping)
					send(http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"method":"resources/subscribe","params":{"uri":"x"}}`)
					send(http.MethodPost, id, `{"jsonrpc":"2.0","id":1,"result":{"x":1}}`)
					send(http.MethodPost, id, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":1}}`)
					send(http.MethodPost, fmt.Sprint("no session ", ids), ping)
					send(http.MethodDelete, strings.Replace(id, "80b4", "80b5", 1), "")
				}
			}
			round() // what is remembered is full
			before := heap()
			round()
			require.Less(t, heap()-before, 500_000, "for %d more ids", maxRecent+1000)
		})
	}
}

// TestSessionsAreSmall: a session takes some hundred bytes, whatever the client tells of
// itself.
func TestSessionsAreSmall(t *testing.T) {
	s := server.New(testRegistry(), transport.Options{}, server.Tools{})
	defer s.Close()
	wide := `{"a":[` + strings.Repeat(`{"a":0},`, 5000) + `0]}`
	body := `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{"experimental":` + wide + `},` +
		`"clientInfo":{"name":"` + strings.Repeat("n", 10_000) + `","version":"1","x":` + wide + `}}}`
	begin := func(count int) {
		for range count {
			r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "http://localhost/mcp", strings.NewReader(body))
			r.Header.Set("Content-Type", "application/json")
			w := httptest.NewRecorder()
			s.Handler().ServeHTTP(w, r)
			require.Equal(t, http.StatusOK, w.Code, w.Body)
			require.NotEmpty(t, w.Header().Get("Mcp-Session-Id"))
		}
	}
	begin(10)
	before := heap()
	const count = 1000
	begin(count)
	each := (heap() - before) / count
	t.Logf("%d bytes for a session", each)
	require.Less(t, each, 1000)
}
