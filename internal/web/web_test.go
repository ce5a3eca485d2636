package web_test

import (
	"bytes"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/web"
)

func do(method, target string, header map[string]string) *http.Response {
	r := httptest.NewRequest(method, target, nil)
	for name, value := range header {
		r.Header.Set(name, value)
	}
	w := httptest.NewRecorder()
	web.Handler(0).ServeHTTP(w, r)
	return w.Result()
}

// served maps the path of each embedded file to its name in the folder page.
func served(t *testing.T) map[string]string {
	t.Helper()
	files := map[string]string{}
	require.NoError(t, fs.WalkDir(os.DirFS("page"), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			files["/inspector/"+name] = name
		}
		return err
	}))
	require.Contains(t, files, "/inspector/index.html")
	delete(files, "/inspector/index.html")
	files["/inspector"] = "index.html"
	return files
}

func TestEveryFileIsServed(t *testing.T) {
	t.Parallel()
	media := map[string]string{
		".css": "text/css; charset=utf-8", ".html": "text/html; charset=utf-8",
		".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
	}
	for at, name := range served(t) {
		want, err := os.ReadFile(path.Join("page", name))
		require.NoError(t, err)
		r := do(http.MethodGet, at, nil)
		require.Equal(t, http.StatusOK, r.StatusCode, at)
		require.Equal(t, string(want), body(t, r), at)
		require.NotEmpty(t, media[path.Ext(name)], at)
		require.Equal(t, media[path.Ext(name)], r.Header.Get("Content-Type"), at)

		head := do(http.MethodHead, at, nil)
		require.Equal(t, http.StatusOK, head.StatusCode, at)
		require.Empty(t, body(t, head), at)
		require.Equal(t, r.Header.Get("Content-Length"), head.Header.Get("Content-Length"), at)
	}
}

func TestCaching(t *testing.T) {
	t.Parallel()
	tags := map[string]bool{}
	for at := range served(t) {
		r := do(http.MethodGet, at, nil)
		require.Equal(t, "no-cache", r.Header.Get("Cache-Control"), at)
		etag := r.Header.Get("ETag")
		require.Regexp(t, `^"[0-9a-f]{24}"$`, etag, at)
		require.False(t, tags[etag], "two files have one tag")
		tags[etag] = true

		same := do(http.MethodGet, at, map[string]string{"If-None-Match": etag})
		require.Equal(t, http.StatusNotModified, same.StatusCode, at)
		require.Empty(t, body(t, same), at)
		other := do(http.MethodGet, at, map[string]string{"If-None-Match": `"another"`})
		require.Equal(t, http.StatusOK, other.StatusCode, at)
	}
}

// TestHeaders: also an answer that is no file of the page binds the browser.
func TestHeaders(t *testing.T) {
	t.Parallel()
	for _, at := range []string{"/inspector", "/inspector/app.js", "/inspector/absent.js", "/inspector/"} {
		h := do(http.MethodGet, at, nil).Header
		policy := map[string]string{}
		for _, directive := range strings.Split(h.Get("Content-Security-Policy"), "; ") {
			name, value, _ := strings.Cut(directive, " ")
			policy[name] = value
		}
		require.Equal(t, map[string]string{
			"default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self'", "connect-src": "'self'",
			"base-uri": "'none'", "form-action": "'none'", "frame-ancestors": "'none'", "require-trusted-types-for": "'script'",
		}, policy, at)
		require.Equal(t, "nosniff", h.Get("X-Content-Type-Options"), at)
		require.Equal(t, "no-referrer", h.Get("Referrer-Policy"), at)
		require.Equal(t, "DENY", h.Get("X-Frame-Options"), at)
		require.Equal(t, "same-origin", h.Get("Cross-Origin-Resource-Policy"), at)
	}
}

func TestOtherRequests(t *testing.T) {
	t.Parallel()
	r := do(http.MethodGet, "/inspector/", nil)
	require.Equal(t, http.StatusMovedPermanently, r.StatusCode)
	require.Equal(t, "../inspector", r.Header.Get("Location"), "relative, for proxies that serve below a prefix")
	for _, at := range []string{"/inspector/absent.js", "/inspector/index.html", "/inspector/page/app.js", "/inspector/../web.go"} {
		require.Equal(t, http.StatusNotFound, do(http.MethodGet, at, nil).StatusCode, at)
	}
	for _, method := range []string{http.MethodPost, http.MethodPut, http.MethodDelete, http.MethodOptions} {
		r := do(method, "/inspector", nil)
		require.Equal(t, http.StatusMethodNotAllowed, r.StatusCode, method)
		require.Equal(t, "GET, HEAD", r.Header.Get("Allow"), method)
	}
}

// TestFilesNeedNothingElse: no file names another origin, but for a base that is never
// fetched and for samples, and the page holds no inline code or style.
func TestFilesNeedNothingElse(t *testing.T) {
	t.Parallel()
	known := regexp.MustCompile(`^https?://(schema\.invalid|example\.com|www\.w3\.org/2000/svg)`)
	sinks := regexp.MustCompile(`innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function|createContextualFragment`)
	for _, name := range served(t) {
		text, err := os.ReadFile(path.Join("page", name))
		require.NoError(t, err)
		for _, url := range regexp.MustCompile(`https?://[^\s"'`+"`"+`)]+`).FindAllString(string(text), -1) {
			require.Regexp(t, known, url, name)
		}
		require.NotRegexp(t, sinks, string(text), name)
	}
	index, err := os.ReadFile("page/index.html")
	require.NoError(t, err)
	require.NotRegexp(t, `(?i)<style|\sstyle=|\son[a-z]+=|<script(?:[^>]*)>[^<]`, string(index))
	for _, reference := range regexp.MustCompile(`(?:src|href)="([^"#]+)"`).FindAllStringSubmatch(string(index), -1) {
		require.Contains(t, served(t), "/"+reference[1], "relative, so that a proxy may serve the page below a prefix")
	}
}

func body(t *testing.T, r *http.Response) string {
	t.Helper()
	var b bytes.Buffer
	_, err := b.ReadFrom(r.Body)
	require.NoError(t, err)
	return b.String()
}

func TestPageSaysTheLimit(t *testing.T) {
	t.Parallel()
	w := httptest.NewRecorder()
	web.Handler(4096).ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/inspector", nil))
	require.Contains(t, w.Body.String(), `<meta name="echo-max-message-bytes" content="4096">`)
}
