package server_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"log/slog"
	"net"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestServingURLs: the log says under which URLs a server over HTTP is found: with its real port,
// at a name that answers where it listens on all addresses, with https where there is TLS.
func TestServingURLs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		addr, scheme, host string
		options            transport.Options
		inspector          bool
	}{
		{"127.0.0.1:0", "http", "127.0.0.1", transport.Options{}, false},
		{":0", "http", "127.0.0.1", transport.Options{Inspector: http.NotFoundHandler()}, true},
		{"0.0.0.0:0", "http", "localhost", transport.Options{Insecure: true, Inspector: http.NotFoundHandler()}, true},
		{"[::]:0", "https", "localhost", transport.Options{Insecure: true, TLS: &tls.Config{}}, false}, //nolint:gosec // nobody connects
	} {
		var logged bytes.Buffer
		ctx, stop := context.WithCancel(t.Context())
		stop()
		c.options.Logger = slog.New(slog.NewJSONHandler(&logged, nil))
		_ = server.New(testRegistry(), c.options, server.Tools{}).ListenAndServe(ctx, c.addr) // without a certificate TLS ends at once
		var record struct{ Msg, Address, MCP, Inspector string }
		require.NoError(t, json.NewDecoder(&logged).Decode(&record))
		require.Equal(t, "serving", record.Msg)
		_, port, err := net.SplitHostPort(record.Address)
		require.NoError(t, err)
		require.NotEqual(t, "0", port)
		site := c.scheme + "://" + c.host + ":" + port
		require.Equal(t, site+"/mcp", record.MCP)
		if c.inspector {
			require.Equal(t, site+"/inspector", record.Inspector)
		} else {
			require.Empty(t, record.Inspector)
		}
	}
}
