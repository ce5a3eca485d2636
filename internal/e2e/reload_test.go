package e2e_test

import (
	"bufio"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"math/big"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/rawclient"
)

const (
	oldToken = "the-old-token-of-some-length"
	newToken = "the-new-token-of-some-length"
)

// TestHangup: SIGHUP exchanges tokens and certificate for new connections and requests, while
// a stream goes on; what is bad is logged and exchanges nothing.
func TestHangup(t *testing.T) {
	dir := t.TempDir()
	tokens, cert, key := filepath.Join(dir, "tokens"), filepath.Join(dir, "cert.pem"), filepath.Join(dir, "key.pem")
	write := func(name, text string) { require.NoError(t, os.WriteFile(name, []byte(text), 0o600)) }
	write(tokens, oldToken+"\n")
	writeCertificate(t, cert, key, 1)
	s, err := rawclient.StartHTTP(t.Context(), binary, "--auth-token-file", tokens, "--tls-cert", cert, "--tls-key", key)
	require.NoError(t, err)
	url := strings.Replace(s.URL, "http:", "https:", 1)
	hangup := func(says string) {
		before := len(s.Said())
		require.NoError(t, s.Signal(syscall.SIGHUP))
		require.Eventually(t, func() bool { return strings.Contains(s.Said()[before:], says) }, time.Minute, 10*time.Millisecond, says)
	}
	// ask is a request on a connection of its own.
	ask := func(method, token, session, message string) (status int, serial int64, r *http.Response) {
		transport := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}} //nolint:gosec // it is ours
		request, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(message))
		require.NoError(t, err)
		request.Header.Set("Content-Type", "application/json")
		request.Header.Set("Accept", "application/json, text/event-stream")
		request.Header.Set("Authorization", "Bearer "+token)
		request.Header.Set("Mcp-Session-Id", session)
		r, err = transport.RoundTrip(request)
		require.NoError(t, err)
		t.Cleanup(func() {
			r.Body.Close()
			transport.CloseIdleConnections()
		})
		return r.StatusCode, r.TLS.PeerCertificates[0].SerialNumber.Int64(), r
	}
	status, serial, r := ask(http.MethodPost, oldToken, "", string(rawclient.Handshake.Request("0", "initialize",
		[]byte(`"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}`))))
	require.Equal(t, http.StatusOK, status)
	require.EqualValues(t, 1, serial)
	session := r.Header.Get("Mcp-Session-Id")
	setLevel := string(rawclient.Handshake.Request("1", "logging/setLevel", []byte(`"level":"notice"`)))
	status, _, _ = ask(http.MethodPost, oldToken, session, setLevel)
	require.Equal(t, http.StatusOK, status)
	status, _, stream := ask(http.MethodGet, oldToken, session, "")
	require.Equal(t, http.StatusOK, status)
	ping := string(rawclient.Handshake.Request("2", "ping", nil))
	now := func(old, fresh int, serial int64) {
		got, with, _ := ask(http.MethodPost, oldToken, session, ping)
		require.Equal(t, old, got)
		require.Equal(t, serial, with)
		got, _, _ = ask(http.MethodPost, newToken, session, ping)
		require.Equal(t, fresh, got)
	}
	now(200, 401, 1)

	write(tokens, newToken+"\n")
	writeCertificate(t, cert, key, 2)
	hangup("certificate read again")
	now(401, 200, 2)

	write(tokens, "short\n")
	write(key, "no key")
	hangup("the certificate stays as it was")
	require.Contains(t, s.Said(), "the tokens stay as they were")
	require.Contains(t, s.Said(), "a token must have at least 16 characters")
	now(401, 200, 2)

	require.NoError(t, os.Remove(tokens))
	writeCertificate(t, cert, key, 3)
	hangup("certificate read again")
	now(401, 200, 3)
	require.NotContains(t, s.Said(), newToken)

	require.NoError(t, s.Signal(syscall.SIGTERM))
	event, err := bufio.NewReader(stream.Body).ReadString('}') // the stream has lasted until now
	require.NoError(t, err)
	require.Contains(t, event, "notifications/message")
	require.NoError(t, s.Wait())
}

// writeCertificate writes a certificate for loopback, with its key.
func writeCertificate(t *testing.T, certFile, keyFile string, serial int64) {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	require.NoError(t, err)
	template := &x509.Certificate{
		SerialNumber: big.NewInt(serial), NotAfter: time.Now().Add(time.Hour), IPAddresses: []net.IP{net.IPv4(127, 0, 0, 1)},
	}
	cert, err := x509.CreateCertificate(rand.Reader, template, template, &key.PublicKey, key)
	require.NoError(t, err)
	private, err := x509.MarshalPKCS8PrivateKey(key)
	require.NoError(t, err)
	for name, block := range map[string]*pem.Block{certFile: {Type: "CERTIFICATE", Bytes: cert}, keyFile: {Type: "PRIVATE KEY", Bytes: private}} {
		require.NoError(t, os.WriteFile(name, pem.EncodeToMemory(block), 0o600))
	}
}

// TestTokensThatOthersMayRead: a warning says so, and only then.
func TestTokensThatOthersMayRead(t *testing.T) {
	tokens := filepath.Join(t.TempDir(), "tokens")
	require.NoError(t, os.WriteFile(tokens, []byte(oldToken), 0o600))
	for mode, warns := range map[os.FileMode]bool{0o600: false, 0o400: false, 0o640: true, 0o604: true, 0o644: true} {
		require.NoError(t, os.Chmod(tokens, mode))
		s, err := rawclient.StartHTTP(t.Context(), binary, "--auth-token-file", tokens)
		require.NoError(t, err)
		require.NoError(t, s.Stop())
		require.Equal(t, warns, strings.Contains(s.Said(), "others may read"), "%s: %s", mode, s.Said())
	}
}
