package e2e_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// TestReplicaDies: three stateless processes behind a load balancer, one of which dies in
// the middle without a word. Every call is answered right all the same. (What a replica
// does that is told to stop is tested in internal/server.)
func TestReplicaDies(t *testing.T) {
	const clients, calls = 6, 60
	var replicas []*rawclient.Server
	var urls []string
	for range 3 {
		s, err := rawclient.StartHTTP(t.Context(), binary, "--stateless", "--log-level", "warn")
		require.NoError(t, err)
		replicas = append(replicas, s)
		urls = append(urls, strings.TrimSuffix(s.URL, "/mcp"))
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
				payload := []byte(`{"n":[1.0,` + id + `],"s":"` + strings.Repeat("é<&>", 1<<(i%16)) + `"}`)
				text, err := conn.Ask(t.Context(), id, conn.Era().Echo(id, "__schemaless__", payload))
				if err == nil {
					err = rawclient.CheckEcho(text, "__schemaless__", payload)
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
	require.NoError(t, replicas[1].Kill())
	group.Wait()
	require.EqualValues(t, clients*calls, answered.Load())
	require.Positive(t, balancer.Moved())
	require.NoError(t, replicas[0].Stop())
	require.NoError(t, replicas[2].Stop())
}
