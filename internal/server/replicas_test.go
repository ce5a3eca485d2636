package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
)

// TestReplicas: three stateless replicas behind a load balancer that knows nothing of
// sessions answer every request of both eras of the protocol, byte for byte. One of them is
// told to stop in the middle: it answers what it has accepted, and the others do the rest.
// That no call was taken by a replica without its answer reaching the client shows in the
// figures: the replicas count exactly as many calls as there were.
func TestReplicas(t *testing.T) {
	t.Parallel()
	const clients, calls = 6, 40
	var urls []string
	var replicas []*server.Server
	var stops []context.CancelFunc
	for range 3 {
		s := server.New(testRegistry(), server.Options{Stateless: true})
		addr, stop := serveOn(t, s)
		replicas = append(replicas, s)
		stops = append(stops, stop)
		urls = append(urls, "http://"+addr)
	}
	balancer := rawclient.NewBalancer(urls...)
	front := httptest.NewServer(balancer)
	defer front.Close()

	half := make(chan struct{})
	var answered atomic.Int64
	var group sync.WaitGroup
	for n := range clients {
		group.Go(func() {
			conn, err := rawclient.DialHTTP(t.Context(), []rawclient.Era{rawclient.Handshake, rawclient.Stateless}[n%2], front.URL+"/mcp")
			if err != nil {
				t.Error(err)
				return
			}
			defer conn.Close()
			for i := range calls {
				id := strconv.Itoa(n*calls + i)
				payload := []byte(`{"stage":"` + strings.Repeat("é<&>", 1<<(i%11)) + `","extra":{"n":[1.0,` + id + `]}}`)
				text, err := conn.Ask(t.Context(), id, conn.Era().Echo(id, stageID, payload))
				if err == nil {
					err = rawclient.CheckEcho(text, stageID, payload)
				}
				if err != nil {
					t.Errorf("call %s: %v", id, err)
				}
				if answered.Add(1) == clients*calls/2 {
					close(half)
				}
			}
		})
	}
	<-half
	stops[1]() // fails the test where it ends with calls unanswered
	group.Wait()
	require.EqualValues(t, clients*calls, answered.Load())
	require.EqualValues(t, clients*calls, handled(t, replicas...))
	require.Positive(t, handled(t, replicas[1]))
	require.Less(t, handled(t, replicas[1]), handled(t, replicas[0]))
	t.Logf("%d requests went to another replica than the first", balancer.Moved())
	stops[0]()
	stops[2]()
}

// handled is how many calls of echo succeeded on the servers, by their own figures.
func handled(t *testing.T, servers ...*server.Server) (n int) {
	t.Helper()
	for _, s := range servers {
		w := httptest.NewRecorder()
		s.Handler().ServeHTTP(w, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "http://127.0.0.1/metrics", nil))
		for line := range strings.Lines(w.Body.String()) {
			if rest, ok := strings.CutPrefix(line, `echo_mcp_calls_total{outcome="ok",schema="`+stageID+`",tool="echo"} `); ok {
				count, err := strconv.Atoi(strings.TrimSpace(rest))
				require.NoError(t, err)
				n += count
			}
		}
	}
	return n
}
