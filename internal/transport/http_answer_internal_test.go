package transport

import (
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// slowClient is the writer of a client that takes its time: taking is called at each piece that it is
// sent.
type slowClient struct {
	*httptest.ResponseRecorder
	taking func()
	limit  time.Time // for the client to take what it is sent
}

func (c *slowClient) Write(b []byte) (int, error) {
	c.taking()
	return c.ResponseRecorder.Write(b)
}

func (c *slowClient) SetWriteDeadline(at time.Time) error {
	c.limit = at
	return nil
}

// TestGiveWayAfterProgress: an answer that ends a stream of progress is bounded as others are: it
// needs room, and gives way where others need it.
func TestGiveWayAfterProgress(t *testing.T) {
	t.Parallel()
	all := &transfers{bodyLimit: 1, smallLimit: smallBody, answerLimit: 1000}
	answer := func(c *slowClient) string {
		const document = `{"jsonrpc":"2.0","id":1,"result":{}}` + "\n"
		a := &answerWriter{
			w: c, control: http.NewResponseController(c), request: http.Header{"Accept": {"text/event-stream"}}, timeout: time.Hour,
			message: &wire.Message{Kind: wire.Request, ID: []byte(`"x"`)}, log: slog.New(slog.DiscardHandler), transfers: all, size: 100,
			leave: func() {}, interval: time.Hour,
		}
		defer a.end()
		a.progress(mcp.JSONRPCNotification{JSONRPC: "2.0", Notification: mcp.Notification{Method: "notifications/progress"}})
		c.Body.Reset()
		a.WriteHeader(http.StatusOK)
		_, err := a.Write([]byte(document))
		require.NoError(t, err)
		a.finish()
		require.Equal(t, http.StatusOK, c.Code)
		return c.Body.String()
	}

	c := &slowClient{ResponseRecorder: httptest.NewRecorder()}
	c.taking = func() {
		if e := all.answers.Front(); e != nil {
			e.Value.(*transfer).begun = time.Now().Add(-time.Hour)
			all.makeRoom()
		}
	}
	require.Equal(t, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"x\",\"result\":{}}\n\n", answer(c))
	require.True(t, c.limit.Before(time.Now()), "the client had to give way, and gets no more time")
	require.Zero(t, all.answers.Len())
	require.Zero(t, all.unread)

	other := all.send(func(time.Time) error { return nil }, 1000, 0)
	require.Equal(t, "event: message\ndata: {\"jsonrpc\":\"2.0\",\"id\":\"x\",\"error\":{\"code\":-32000,\"message\":\"the server is busy with answers that their clients don't take: try again after 1 second\"}}\n\n",
		answer(&slowClient{ResponseRecorder: httptest.NewRecorder(), taking: func() {}}))
	other.end()
}
