package e2e_test

import (
	"errors"
	"io"
	"net"
	"net/http"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

// TestStopUnderLoad: SIGTERM while 24 clients send without a pause costs none of them an
// answer: each is told to close its connection, comes again, and in the end finds nobody.
func TestStopUnderLoad(t *testing.T) {
	for range 3 {
		s, err := rawclient.StartHTTP(t.Context(), binary, "--stateless", "--log-level", "error")
		require.NoError(t, err)
		var clients sync.WaitGroup
		warm := make(chan struct{}, 24)
		for range cap(warm) {
			clients.Go(func() {
				// A transport of its own: one connection, used again and again.
				transport := &http.Transport{}
				defer transport.CloseIdleConnections()
				for first := true; ; first = false {
					status, err := post(transport, s.URL)
					if errors.Is(err, syscall.ECONNREFUSED) {
						return
					}
					if err != nil || status != http.StatusOK {
						t.Error("lost:", status, err)
						return
					}
					if first {
						warm <- struct{}{}
					}
				}
			})
		}
		for range cap(warm) {
			<-warm
		}
		require.NoError(t, s.Signal(syscall.SIGTERM))
		clients.Wait()
		require.NoError(t, s.Wait())
	}
}

// post sends one call that the transport can't send again by itself.
func post(transport *http.Transport, url string) (status int, err error) {
	body := struct{ *strings.Reader }{strings.NewReader(string(rawclient.Echo("1", "__schemaless__", []byte("1.0"))))}
	request, err := http.NewRequest(http.MethodPost, url, body) //nolint:noctx // the server is ours
	if err != nil {
		return 0, err
	}
	request.Header.Set("Content-Type", "application/json")
	r, err := transport.RoundTrip(request)
	if err != nil {
		return 0, err
	}
	defer r.Body.Close()
	_, err = io.Copy(io.Discard, r.Body)
	return r.StatusCode, err
}

// TestStopIsQuick: nobody connected, nothing to wait for.
func TestStopIsQuick(t *testing.T) {
	s, err := rawclient.StartHTTP(t.Context(), binary, "--lame-duck", "1h", "--drain-timeout", "1h")
	require.NoError(t, err)
	require.NoError(t, s.Signal(syscall.SIGTERM))
	require.Eventually(t, func() bool { // the first signal has come
		r, err := http.Get(strings.TrimSuffix(s.URL, "/mcp") + "/readyz") //nolint:noctx // the server is ours
		if err != nil {
			return false
		}
		r.Body.Close()
		return r.StatusCode == http.StatusServiceUnavailable
	}, time.Minute, 10*time.Millisecond)
	require.NoError(t, s.Signal(syscall.SIGTERM))
	var exit *exec.ExitError
	require.ErrorAs(t, s.Wait(), &exit, "the second signal ends it at once")

	s, err = rawclient.StartHTTP(t.Context(), binary)
	require.NoError(t, err)
	begun := time.Now()
	require.NoError(t, s.Stop())
	require.Less(t, time.Since(begun), 10*time.Second, "it did not wait for the drain limit")
}

// TestManyConnections: 5,000 connections on which a request has begun and doesn't go on, or
// none has, keep no good client out.
func TestManyConnections(t *testing.T) {
	for _, sent := range []string{
		"",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-",
		"POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{",
		"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n",
	} {
		s, err := rawclient.StartHTTP(t.Context(), binary, "--stateless", "--log-level", "error")
		require.NoError(t, err)
		addr := strings.TrimSuffix(strings.TrimPrefix(s.URL, "http://"), "/mcp")
		var open []net.Conn
		for i := range 5000 {
			conn, err := net.Dial("tcp", addr) //nolint:noctx // a local port
			require.NoError(t, err)
			open = append(open, conn)
			_, err = conn.Write([]byte(sent))
			require.NoError(t, err)
			if i%500 == 499 {
				status, err := post(&http.Transport{DisableKeepAlives: true}, s.URL)
				require.NoError(t, err)
				require.Equal(t, http.StatusOK, status)
			}
		}
		for _, conn := range open {
			conn.Close()
		}
		require.NoError(t, s.Stop())
	}
}
