package toolkit

import (
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPublicAddresses: what isn't surely an address of the internet is not reached, however it is
// written.
func TestPublicAddresses(t *testing.T) {
	t.Parallel()
	for _, address := range []string{
		"127.0.0.1", "127.255.255.254", "0.0.0.0", "0.1.2.3", "10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "169.254.169.254", "100.64.0.1", "100.127.255.255", "100.100.100.200",
		"224.0.0.1", "239.1.2.3", "240.0.0.1", "255.255.255.255", "192.0.0.192", "192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "168.63.129.16", "192.88.99.1",
		"::", "::1", "fe80::1", "fe80::1%eth0", "fc00::1", "fd00:ec2::254", "ff02::1", "fec0::1", "::127.0.0.1", "::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::ffff:0:127.0.0.1",
		"64:ff9b::127.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b::169.254.169.254", "64:ff9b:1::127.0.0.1", "2002:7f00:1::", "2002:a00:1::1", "2001:0:7f00:1::", "2001:db8::1", "100::1", "3fff::1", "5f00::1", "4000::1",
	} {
		require.False(t, isPublic(netip.MustParseAddr(address)), address)
	}
	for _, address := range []string{"1.1.1.1", "8.8.8.8", "93.184.216.34", "172.32.0.1", "100.128.0.1", "169.253.0.1", "223.255.255.254", "2606:4700:4700::1111", "2a00:1450:4001::1", "::ffff:8.8.8.8", "64:ff9b::8.8.8.8"} {
		require.True(t, isPublic(netip.MustParseAddr(address)), address)
	}
	require.False(t, isPublic(netip.Addr{}))
}

// TestFetchRefuses: no URL leads to this machine or its network, whatever its host is written as,
// and no redirect either.
func TestFetchRefuses(t *testing.T) {
	t.Parallel()
	reached := false
	inside := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached = true }))
	defer inside.Close()
	port := inside.URL[strings.LastIndexByte(inside.URL, ':'):]
	for _, from := range []string{
		inside.URL, "http://localhost" + port, "http://[::1]" + port, "http://[::ffff:127.0.0.1]" + port, "http://0.0.0.0" + port, "http://0" + port,
		"http://169.254.169.254/latest/meta-data/", "http://[fd00:ec2::254]/", "http://[64:ff9b::7f00:1]" + port,
	} {
		_, err := ImageURL(t.Context(), from)
		var refused *FetchError
		require.ErrorAs(t, err, &refused, from)
	}
	_, err := ImageURL(t.Context(), inside.URL)
	require.EqualError(t, err, "127.0.0.1: the address of this host is not a public one: nothing of this machine or its network is fetched")
	for from, message := range map[string]string{
		"file:///etc/passwd": "only URLs of http and https", "ftp://example.com/x": "only URLs of http and https", "data:image/png;base64,AAAA": "only URLs of http and https",
		"//example.com": "only URLs of http and https", "": "only URLs of http and https", "http://": "names no host", "http://a b/": "no URL", "http://user:secret@example.com/": "no user and no password",
	} {
		_, err := FileURL(t.Context(), from)
		require.ErrorContains(t, err, message, from)
		require.NotContains(t, err.Error(), "secret")
	}
	require.False(t, reached)
}

// only allows one address, of a server in a test, which is on the loopback interface.
func only(server *httptest.Server) fetcher {
	return fetcher{
		allowed: func(a netip.Addr) bool { return strings.Contains(server.URL, "//"+a.String()+":") },
		bytes:   1000, timeout: time.Minute,
	}
}

// TestFetch: a file comes with its type, within limits of size and time, over redirects that lead to
// addresses that may be reached.
func TestFetch(t *testing.T) {
	t.Parallel()
	mux := http.NewServeMux()
	outside := httptest.NewServer(mux)
	defer outside.Close()
	const png = "\x89PNG\r\n\x1a\n0123"
	mux.HandleFunc("/png", func(w http.ResponseWriter, r *http.Request) {
		require.Empty(t, r.Header.Get("Referer"))
		_, _ = io.WriteString(w, png)
	})
	mux.HandleFunc("/mp3", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "ID3") })
	mux.HandleFunc("/text", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/markdown; charset=utf-8")
		_, _ = io.WriteString(w, "# é")
	})
	mux.HandleFunc("/latin", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "text/plain; charset=iso-8859-1")
		_, _ = io.WriteString(w, "\xe9")
	})
	mux.HandleFunc("/large", func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, strings.Repeat("x", 1001)) })
	mux.HandleFunc("/bomb", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		_, _ = z.Write(make([]byte, 1<<20))
		_ = z.Close()
	})
	mux.HandleFunc("/slow", func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	mux.HandleFunc("/missing", http.NotFound)
	mux.HandleFunc("/on/", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, strings.TrimPrefix(r.URL.RequestURI(), "/on"), http.StatusFound)
	})
	mux.HandleFunc("/to", func(w http.ResponseWriter, r *http.Request) {
		http.Redirect(w, r, r.URL.Query().Get("url"), http.StatusTemporaryRedirect)
	})
	f := only(outside)

	image, err := f.image(t.Context(), outside.URL+"/on/on/png?secret=1")
	require.NoError(t, err)
	require.Equal(t, Image{[]byte(png), "image/png"}, image)
	audio, err := f.audio(t.Context(), outside.URL+"/mp3")
	require.NoError(t, err)
	require.Equal(t, "audio/mpeg", audio.MIMEType)
	file, err := f.file(t.Context(), outside.URL+"/text")
	require.NoError(t, err)
	require.Equal(t, File{URI: outside.URL + "/text", MIMEType: "text/markdown", Text: "# é"}, file)
	file, err = f.file(t.Context(), outside.URL+"/latin")
	require.NoError(t, err)
	require.Equal(t, []byte{0xe9}, file.Data)

	for path, message := range map[string]string{
		"/large":                       "127.0.0.1: the file is larger than 1000 bytes",
		"/bomb":                        "127.0.0.1: the file is larger than 1000 bytes",
		"/missing":                     "127.0.0.1: the server answers with status 404 Not Found",
		"/on/on/on/on/on/on/on/png":    "127.0.0.1: the server has sent on more than 5 times",
		"/to?url=file:///etc/passwd":   "only URLs of http and https are fetched",
		"/to?url=http://127.0.0.2:80/": "127.0.0.2: the address of this host is not a public one: nothing of this machine or its network is fetched",
		"/to?url=http://[::1]:80/":     "::1: the address of this host is not a public one: nothing of this machine or its network is fetched",

		"/to?url=http://user:secret@example.com/": "example.com: the URL must hold no user and no password",

		"/text": "the format of the file is not known: take PNG, JPEG, GIF or WebP",
	} {
		_, err := f.image(t.Context(), outside.URL+path)
		require.EqualError(t, err, message, path)
	}
	hasty := f
	hasty.timeout = 50 * time.Millisecond
	_, err = hasty.image(t.Context(), outside.URL+"/slow")
	require.EqualError(t, err, "127.0.0.1: the file did not come within 50ms")
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = f.image(ctx, outside.URL+"/png")
	require.EqualError(t, err, "127.0.0.1: the fetching was cancelled")
	outside.Close()
	_, err = f.image(t.Context(), outside.URL+"/png")
	require.EqualError(t, err, "127.0.0.1: the file can't be fetched: the connection fails")
}

// TestNoProxy: the environment can't send requests elsewhere.
func TestNoProxy(t *testing.T) {
	t.Setenv("HTTP_PROXY", "http://127.0.0.1:1")
	t.Setenv("http_proxy", "http://127.0.0.1:1")
	outside := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "x") }))
	defer outside.Close()
	_, err := only(outside).file(t.Context(), outside.URL)
	require.NoError(t, err)
}
