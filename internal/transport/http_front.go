package transport

import (
	"io"
	"net/http"
)

// front stands before all paths. It gives every answer the headers that all have, watches
// the pace of the body, and tells the connection when a request is there and when it was
// answered.
//
// It also lets a client send its message to the end where the answer needed no look at it:
// 401, say. Most clients write first and read later, and would get a connection that is
// reset in place of the answer. What is larger than any message may be, and a client that
// waits to be asked for its message (RFC 9110, section 10.1.1), is not waited for.
type front struct {
	transport *httpTransport
	pace      pace
	limit     int64 // of a message
	next      http.Handler
}

func (f *front) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := w.Header()
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Cache-Control", "no-store") // who may keep an answer says so
	if f.transport.draining.Load() {
		h.Set("Connection", "close") // net/http makes GOAWAY of it in HTTP/2
	}
	c, _ := r.Context().Value(connectionKey{}).(*connection)
	if r.Body == http.NoBody {
		c.begin()
		defer c.end()
		f.next.ServeHTTP(w, r)
		return
	}
	body := &pacedBody{
		ReadCloser: r.Body, control: http.NewResponseController(w), pace: f.pace, all: f.transport.transfers, whole: c.begin,
	}
	defer func() {
		if body.end(false); body.complete {
			c.end()
		}
	}()
	ours := r.WithContext(r.Context()) // net/http looks later at what kind of body its own has
	ours.Body = body
	f.next.ServeHTTP(w, ours) // a refusal is short: net/http sends it when this function returns
	if !body.read && r.Header.Get("Expect") == "" {
		_, _ = io.CopyN(io.Discard, body, f.limit+1) // net/http looks at how that went
	}
}
