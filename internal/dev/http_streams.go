package dev

import (
	"bufio"
	"bytes"
	"io"
	"mime"
	"net/http"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// A stream on which a client listens would end with its server. Some clients open another one then,
// others never do. So the front opens it again at the next server, with the request of the client,
// and the client sees one stream.

// maxListen is how long a request may be that opens a stream.
const maxListen = 64 << 10

// opensStream reports whether a request may open a stream on which a client listens: GET, and
// subscriptions/listen since protocol 2026-07-28. The body of such a one can be sent again.
func opensStream(r *http.Request) (bool, error) {
	if r.Method == http.MethodGet {
		return true, nil
	}
	if r.Method != http.MethodPost || r.ContentLength <= 0 || r.ContentLength > maxListen {
		return false, nil
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return false, err
	}
	r.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(body)), nil }
	r.Body, _ = r.GetBody()
	m := parse(body)
	return m != nil && m.Method == wire.MethodSubscriptionsListen, nil
}

// parse reads a message, nil if it can't be read.
func parse(data []byte) *wire.Message {
	var parser wire.Parser
	m, _ := parser.Parse(data)
	if m != nil {
		m.Call.Release()
	}
	return m
}

// isStream reports whether a response is a stream of events.
func isStream(r *http.Response) bool {
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && r.StatusCode == http.StatusOK && media == "text/event-stream"
}

// lasting is the body of a stream that goes on at the next server when a server is replaced.
func (f *httpFront) lasting(r *http.Request, s *httpServer, body io.ReadCloser) io.ReadCloser {
	out, in := io.Pipe()
	go func() {
		defer in.Close()
		begins := true
		for {
			answer, err := copyEvents(in, body, begins)
			_ = body.Close()
			if err != nil {
				return // the client is gone
			}
			if !f.replaced(s) {
				_, _ = in.Write(answer)
				return
			}
			again := r.Clone(r.Context())
			if r.GetBody != nil {
				again.Body, _ = r.GetBody() // has no error: see opensStream
			}
			var response *http.Response
			if s, response, err = f.send(again); err != nil {
				return
			}
			if body = response.Body; !isStream(response) {
				_ = body.Close()
				return
			}
			begins = false
		}
	}()
	return out
}

// replaced reports whether another server has taken the place of this one.
func (f *httpFront) replaced(s *httpServer) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return s.leaving
}

// copyEvents passes events on, until the stream ends or the client is gone, which is the error.
// It gives back the event that answers subscriptions/listen, with which the server ends it, and
// leaves out the one that begins it where the client has seen one.
func copyEvents(w io.Writer, stream io.Reader, begins bool) (answer []byte, err error) {
	lines := bufio.NewReader(stream)
	var event, data []byte
	for {
		line, err := lines.ReadBytes('\n')
		event = append(event, line...)
		if text, ok := bytes.CutPrefix(line, []byte("data: ")); ok {
			data = append(data, text...)
		}
		if err == nil && len(bytes.TrimRight(line, "\r\n")) > 0 {
			continue
		}
		switch m := parse(data); {
		case m != nil && m.Kind == wire.Response:
			answer = bytes.Clone(event)
		case m != nil && m.Method == methodAcknowledged && !begins:
		default:
			if _, err := w.Write(event); err != nil {
				return nil, err
			}
		}
		if err != nil {
			return answer, nil //nolint:nilerr // whatever ended it: the server says whether the stream goes on
		}
		event, data = event[:0], data[:0]
	}
}
