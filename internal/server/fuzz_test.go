package server_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/echo"
	"github.com/zenlix/echo-mcp/internal/rawclient"
	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// FuzzEcho: every JSON text comes back byte for byte over both transports.
func FuzzEcho(f *testing.F) {
	for _, payload := range exact {
		if len(payload) < 1000 {
			f.Add([]byte(payload))
		}
	}
	f.Add([]byte(pretty))
	s := server.New(testRegistry(), transport.Options{}, server.Tools{})
	f.Cleanup(s.Close)
	handler := s.Handler()
	f.Fuzz(func(t *testing.T, payload []byte) {
		payload = bytes.Trim(payload, " \t\r\n") // what stands around a value is not of it
		if jsontape.Valid(payload) != nil {
			return
		}
		message := rawclient.Echo(`"fuzz"`, echo.Schemaless, payload)
		if !bytes.Contains(payload, []byte("\n")) {
			lines, err := run(t, s, bytes.NewReader(message))
			require.NoError(t, err)
			require.Len(t, lines, 1)
			require.NoError(t, rawclient.CheckEcho([]byte(lines[0]), echo.Schemaless, payload))
		}
		r := httptest.NewRequest(http.MethodPost, "http://localhost/mcp", bytes.NewReader(message))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Mcp-Session-Id", "mcp-session-"+strings.Repeat("0", 32))
		w := httptest.NewRecorder()
		handler.ServeHTTP(w, r)
		require.Equal(t, http.StatusOK, w.Code)
		require.NoError(t, rawclient.CheckEcho(w.Body.Bytes(), echo.Schemaless, payload))
	})
}
