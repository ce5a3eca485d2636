// Package web serves the inspector: one page that is an MCP client of the server that it
// comes from. It lists the schemas, explains them, and sends payloads to the real server.
package web

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"strings"
	"time"
)

// The page has no build step: what is embedded is what a browser gets.
//
//go:embed page
var page embed.FS

// policy lets the page load its own files and talk to its own origin, and nothing else:
// no inline code, no frames, no forms that navigate, no HTML made from strings.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'"

// headers are set on every answer.
var headers = map[string]string{
	"Content-Security-Policy":      policy,
	"Cross-Origin-Resource-Policy": "same-origin",
	"Referrer-Policy":              "no-referrer",
	"X-Content-Type-Options":       "nosniff",
	"X-Frame-Options":              "DENY",
	// A browser keeps the files and asks with their ETag whether they are still right, so
	// that after an update it never mixes the files of two versions.
	"Cache-Control": "no-cache",
}

// mediaTypes are written down because the mime package asks the operating system, whose
// answer may be another.
var mediaTypes = map[string]string{
	".css":  "text/css; charset=utf-8",
	".html": "text/html; charset=utf-8",
	".js":   "text/javascript; charset=utf-8",
	".svg":  "image/svg+xml",
}

// file is one embedded file, ready to be sent.
type file struct {
	media, etag string
	data        []byte
}

// Handler serves the page at /inspector and its files below /inspector/. The page expects
// the MCP endpoint beside itself, at /mcp. All addresses in it are relative, so that a
// proxy may serve both under a prefix. maxMessageBytes is the size of the largest message
// that the endpoint takes, in bytes, which the page tells people before they send more; 0
// leaves that to the server's answer. It panics if the embedded files can't be read, which
// is a mistake in this package.
func Handler(maxMessageBytes int) http.Handler {
	files := mustRead(maxMessageBytes)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h := w.Header()
		for name, value := range headers {
			h.Set(name, value)
		}
		f, ok := files[r.URL.Path]
		switch {
		case r.Method != http.MethodGet && r.Method != http.MethodHead:
			h.Set("Allow", "GET, HEAD")
			http.Error(w, "method not allowed", http.StatusMethodNotAllowed)
		case r.URL.Path == "/inspector/":
			// Relative, because a proxy may serve the page under a prefix.
			h.Set("Location", "../inspector")
			w.WriteHeader(http.StatusMovedPermanently)
		case !ok:
			http.NotFound(w, r)
		default:
			h.Set("Content-Type", f.media)
			h.Set("ETag", f.etag)
			http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(f.data))
		}
	})
}

// limitUnset is what stands in the page where the server's limit belongs.
const limitUnset = `name="echo-max-message-bytes" content="0"`

// mustRead gives the embedded files by the path of their URL.
func mustRead(maxMessageBytes int) map[string]file {
	files := map[string]file{}
	err := fs.WalkDir(page, "page", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := page.ReadFile(name)
		if err != nil {
			return err
		}
		at := "/inspector/" + strings.TrimPrefix(name, "page/")
		if at == "/inspector/index.html" {
			at = "/inspector"
			limit := strings.Replace(limitUnset, "0", strconv.Itoa(maxMessageBytes), 1)
			data = bytes.Replace(data, []byte(limitUnset), []byte(limit), 1)
		}
		sum := sha256.Sum256(data)
		files[at] = file{media: mediaTypes[path.Ext(name)], etag: `"` + hex.EncodeToString(sum[:12]) + `"`, data: data}
		return nil
	})
	if err != nil {
		panic("the inspector's files: " + err.Error()) //nolint:forbidigo // they are part of the binary
	}
	return files
}
