package server_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// untilLeft is a middleware in whose calls nothing happens until their context ends.
type untilLeft struct{ entered, left chan struct{} }

func newUntilLeft(s *server.Server) *untilLeft {
	u := &untilLeft{make(chan struct{}, 1), make(chan struct{}, 1)}
	s.Use(func(mcpserver.ToolHandlerFunc) mcpserver.ToolHandlerFunc {
		return func(ctx context.Context, _ mcp.CallToolRequest) (*mcp.CallToolResult, error) {
			u.entered <- struct{}{}
			<-ctx.Done()
			u.left <- struct{}{}
			return nil, ctx.Err()
		}
	})
	return u
}

// wait waits for the call to begin, lets the client leave and waits for the end of the call.
func (u *untilLeft) wait(t *testing.T, leave func()) {
	t.Helper()
	for _, step := range []struct {
		name string
		done chan struct{}
		then func()
	}{{"begin", u.entered, leave}, {"end", u.left, func() {}}} {
		select {
		case <-step.done:
			step.then()
		case <-time.After(patience):
			require.Fail(t, "the call does not "+step.name)
		}
	}
}

// TestClientLeaves: the context of a call ends with its client: with its connection, or with
// notifications/cancelled, in both transports, modes and eras of the protocol.
func TestClientLeaves(t *testing.T) {
	t.Parallel()
	large := `[` + strings.Repeat(`0,`, 200_000) + `0]` // one that waits for its memory
	const modernMeta = `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`
	modern := func(message string) string { return strings.TrimSuffix(message, "}}") + modernMeta + "}}" }
	cancel := func(id string) string {
		return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":` + id + `}}`
	}
	modernHeader := map[string]string{"Mcp-Session-Id": "", "Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "echo"}
	for name, c := range map[string]struct {
		options   transport.Options
		message   string
		header    map[string]string
		cancelled bool
	}{
		"closes":                     {transport.Options{}, echoCall(1, "any", large), nil, false},
		"cancels":                    {transport.Options{}, echoCall(1, "any", large), nil, true},
		"closes, 2026-07-28":         {transport.Options{}, modern(echoCall(1, "any", large)), modernHeader, false},
		"closes, stateless":          {transport.Options{Stateless: true}, echoCall(1, "any", "1"), nil, false},
		"closes, stateless, 2026-07": {transport.Options{Stateless: true}, modern(echoCall(1, "any", large)), modernHeader, false},
	} {
		t.Run("http, "+name, func(t *testing.T) {
			t.Parallel()
			s := server.New(testRegistry(), c.options, server.Tools{})
			u := newUntilLeft(s)
			ts := httptest.NewServer(s.Handler())
			defer ts.Close()
			defer s.Close()
			client := &httpClient{url: ts.URL + "/mcp"}
			client.session = client.post(t, initialize, nil).header.Get("Mcp-Session-Id")
			ctx, leave := context.WithCancel(t.Context())
			defer leave()
			go func() {
				if r, err := client.start(ctx, http.MethodPost, c.message, c.header); err == nil {
					_ = r.Body.Close()
				}
			}()
			u.wait(t, func() {
				if c.cancelled {
					client.post(t, cancel("1"), nil)
				} else {
					leave()
				}
			})
		})
	}
	for name, message := range map[string]string{"2025-11-25": echoCall(1, "any", large), "2026-07-28": modern(echoCall(1, "any", large))} {
		t.Run("stdio, "+name, func(t *testing.T) {
			t.Parallel()
			s := server.New(testRegistry(), transport.Options{}, server.Tools{})
			u := newUntilLeft(s)
			client := startStdio(t, t.Context(), s)
			client.send(t, message)
			u.wait(t, func() { client.send(t, cancel("1")) })
		})
	}
}

// TestWaitingEnds: who waits for memory and leaves gives up the wait. Small messages need
// not wait behind it.
func TestWaitingEnds(t *testing.T) {
	t.Parallel()
	r := newSlow()
	release := sync.OnceFunc(func() { close(r.release) })
	s := server.New(r.Registry, transport.Options{MaxMessageBytes: 1 << 20}, server.Tools{})
	c := startHTTP(t, s)
	t.Cleanup(release) // before the server is waited for
	large := `["\n",` + strings.Repeat(`0,`, 500_000) + `0]`
	first := make(chan response, 1)
	go func() { first <- c.post(t, echoCall(1, "slow", large), nil) }()
	<-r.entered
	ctx, leave := context.WithCancel(t.Context())
	var waiting [2]chan error
	for i := range waiting {
		waiting[i] = make(chan error, 1)
		from := ctx
		if i == 1 {
			from = t.Context()
		}
		go func() {
			resp, err := c.start(from, http.MethodPost, echoCall(2+i, "__schemaless__", large), nil)
			if err == nil {
				err = resp.Body.Close()
			}
			waiting[i] <- err
		}()
	}
	require.Contains(t, c.ask(t, echoCall(9, "__schemaless__", "1")), `"payload":1`, "a small one")
	require.Eventually(t, func() bool {
		return strings.Contains(c.at("/metrics").get(t, nil).body, "\necho_mcp_requests_in_flight "+strconv.Itoa(3)+"\n")
	}, patience, time.Millisecond)
	leave()
	require.ErrorIs(t, <-waiting[0], context.Canceled)
	select {
	case err := <-waiting[1]:
		require.Fail(t, "did not wait", "%v", err)
	default:
	}
	release()
	require.Equal(t, http.StatusOK, (<-first).status)
	require.NoError(t, <-waiting[1])
}
