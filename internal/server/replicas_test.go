package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
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
		s := server.New(testRegistry(), transport.Options{Stateless: true}, server.Tools{})
		addr, stop := serveOn(t, s)
		replicas = append(replicas, s)
		stops = append(stops, stop)
		urls = append(urls, "http://"+addr)
	}
	balancer := rawclient.NewBalancer(urls...)
	front := httptest.NewServer(balancer)
	defer front.Close()

	half, ended := make(chan struct{}), make(chan error, 1)
	crowd := rawclient.Crowd{
		URL: front.URL + "/mcp", Clients: clients, Calls: calls, Schema: stageID,
		Payload: func(number int) string {
			return `{"stage":"` + strings.Repeat("é<&>", 1<<(number%11)) + `","extra":{"n":[1.0,` + strconv.Itoa(number) + `]}}`
		},
		Half: func() { close(half) },
	}
	var answered int64
	go func() {
		var err error
		answered, err = crowd.Run(t.Context())
		ended <- err
	}()
	<-half
	stops[1]() // fails the test where it ends with calls unanswered
	require.NoError(t, <-ended)
	require.EqualValues(t, clients*calls, answered)
	require.EqualValues(t, clients*calls, handled(t, replicas...))
	// It still took calls for a while, but once it has ended the others do all.
	before := handled(t, replicas[1])
	require.Positive(t, before)
	crowd.Half = func() {}
	answered, err := crowd.Run(t.Context())
	require.NoError(t, err)
	require.EqualValues(t, clients*calls, answered)
	require.EqualValues(t, 2*clients*calls, handled(t, replicas...))
	require.Equal(t, before, handled(t, replicas[1]))
	require.Positive(t, balancer.Moved())
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
