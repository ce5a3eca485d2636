package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestStopLosesNothing: while the server stops, clients that send without a pause get an
// answer to everything they have sent, and are told to close their connections. In HTTP/2
// they are also told what was not looked at, and send that again.
func TestStopLosesNothing(t *testing.T) {
	t.Parallel()
	const clients = 24
	for _, secure := range []bool{false, true} {
		for range 3 {
			o := transport.Options{Stateless: true}
			scheme := "http://"
			if secure {
				o.TLS = &tls.Config{Certificates: []tls.Certificate{testCertificate()}, MinVersion: tls.VersionTLS12}
				scheme = "https://"
			}
			var config net.ListenConfig
			config.SetMultipathTCP(false) // as ListenAndServe listens
			listener, err := config.Listen(t.Context(), "tcp", "127.0.0.1:0")
			require.NoError(t, err)
			addr, stop := serveListener(t, server.New(testRegistry(), o, server.Tools{}), listener)
			var busy sync.WaitGroup
			var answered, told atomic.Int64
			warm := make(chan struct{}, clients)
			for range clients {
				transport := &http.Transport{
					ForceAttemptHTTP2: secure,
					TLSClientConfig:   &tls.Config{InsecureSkipVerify: true}, //nolint:gosec // it is ours
				}
				busy.Go(func() {
					defer transport.CloseIdleConnections()
					for first := true; ; first = false {
						begun := time.Now()
						closing, err := postOnce(t.Context(), transport, scheme+addr+"/mcp", secure)
						if errors.Is(err, syscall.ECONNREFUSED) {
							return
						}
						if err != nil {
							t.Error("lost:", scheme, err, time.Since(begun))
							return
						}
						answered.Add(1)
						if closing {
							told.Add(1)
						}
						if first {
							warm <- struct{}{}
						}
					}
				})
			}
			for range clients {
				<-warm
			}
			stop()
			busy.Wait()
			require.Greater(t, answered.Load(), int64(clients))
			if !secure { // GOAWAY is no header
				require.GreaterOrEqual(t, told.Load(), int64(clients))
			}
		}
	}
}

// postOnce sends one request, and reports whether the answer says that the connection closes.
// In HTTP/1 the transport has no way to send it again.
func postOnce(ctx context.Context, transport *http.Transport, url string, h2 bool) (closing bool, err error) {
	body := io.Reader(strings.NewReader(ping))
	if !h2 {
		body = io.MultiReader(body) // which can't be read twice
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, url, body)
	if err != nil {
		return false, err
	}
	request.Header.Set("Content-Type", "application/json")
	r, err := transport.RoundTrip(request)
	if err != nil {
		return false, err
	}
	defer r.Body.Close()
	answer, err := io.ReadAll(r.Body)
	if err == nil && (r.StatusCode != http.StatusOK || !bytes.Contains(answer, []byte(`"result"`))) {
		err = errors.New(r.Status + " " + string(answer))
	}
	return r.Close, err
}

// TestLameDuck: after the signal the server first says at /readyz that it stops, and still
// takes connections and answers.
func TestLameDuck(t *testing.T) {
	t.Parallel()
	ctx, stop := context.WithCancel(t.Context())
	c, ended := serve(t, ctx, server.New(testRegistry(), transport.Options{LameDuck: 3 * time.Second}, server.Tools{}))
	require.Equal(t, "ok\n", c.at("/readyz").get(t, nil).body)
	stop()
	require.Eventually(t, func() bool { return c.at("/readyz").get(t, nil).status == http.StatusServiceUnavailable }, patience, time.Millisecond)
	for _, path := range []string{"/readyz", "/healthz", "/schemas", "/absent"} {
		r, err := c.at(path).start(t.Context(), http.MethodGet, "", nil)
		require.NoError(t, err, path)
		r.Body.Close()
		require.True(t, r.Close, "%s says that the connection closes", path)
	}
	require.Contains(t, c.post(t, ping, nil).body, `"result"`)
	require.NoError(t, <-ended)
	_, err := c.start(t.Context(), http.MethodPost, ping, nil) //nolint:bodyclose // there is none
	require.ErrorIs(t, err, syscall.ECONNREFUSED)
}

// TestStopWithHalfRequests: requests that never come whole are no calls under way: they may
// take the drain limit, but that is no failure.
func TestStopWithHalfRequests(t *testing.T) {
	t.Parallel()
	addr, stop := serveOn(t, server.New(testRegistry(), transport.Options{DrainTimeout: 100 * time.Millisecond}, server.Tools{}))
	for _, sent := range []string{"", "POST /mcp HTT", "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"} {
		conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
		require.NoError(t, err)
		defer conn.Close()
		_, err = io.WriteString(conn, sent)
		require.NoError(t, err)
	}
	stop() // requires that there is no error
}
