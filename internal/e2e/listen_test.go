package e2e_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// TestListenIsAcknowledged: whoever subscribes is first told to what, every time, also where
// that is nothing.
func TestListenIsAcknowledged(t *testing.T) {
	s, err := rawclient.StartHTTP(t.Context(), binary)
	require.NoError(t, err)
	conn, err := rawclient.DialHTTP(t.Context(), rawclient.Stateless, s.URL)
	require.NoError(t, err)
	for i := range 300 {
		id := strconv.Itoa(i + 1)
		r, err := conn.Post(t.Context(), conn.Era().Request(id, "subscriptions/listen", []byte(`"notifications":{"toolsListChanged":true}`)), nil)
		require.NoError(t, err)
		ack := strings.Index(string(r.Body), `"method":"notifications/subscriptions/acknowledged"`)
		result := strings.Index(string(r.Body), `"result"`)
		require.GreaterOrEqual(t, ack, 0, string(r.Body))
		require.Less(t, ack, result, string(r.Body))
		_, err = r.Message(id)
		require.NoError(t, err)
	}
	require.NoError(t, s.Stop())
}
