package e2e_test

import (
	"net/http/httptest"
	"strconv"
	"strings"
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

	var killed error
	crowd := rawclient.Crowd{
		URL: front.URL + "/mcp", Clients: clients, Calls: calls, Schema: "__schemaless__",
		Payload: func(number int) string {
			return `{"n":[1.0,` + strconv.Itoa(number) + `],"s":"` + strings.Repeat("é<&>", 1<<(number%16)) + `"}`
		},
		Half: func() { killed = replicas[1].Kill() },
	}
	answered, err := crowd.Run(t.Context())
	require.NoError(t, err)
	require.NoError(t, killed)
	require.EqualValues(t, clients*calls, answered)
	require.Positive(t, balancer.Moved())
	require.NoError(t, replicas[0].Stop())
	require.NoError(t, replicas[2].Stop())
}
