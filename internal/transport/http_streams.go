package transport

import (
	"fmt"
	"net/http"
	"slices"
	"sync"
	"time"

	mcpserver "github.com/mark3labs/mcp-go/server"
)

// eventTime is how long a client may take to take an event of its session's stream. They
// are short: a client that doesn't has stopped reading.
const eventTime = time.Second

// sessionStreams are the streams that clients have opened with GET, on which a client gets
// what answers none of its requests (2025-11-25, basic/transports, listening for messages
// from the server). The server writes to them past mcp-go, whose own way to a session ends
// in whichever answer comes first, and turns that and all later ones into streams.
type sessionStreams struct {
	limit    int           // of all streams, those of subscriptions/listen too
	interval time.Duration // between two comments on a stream

	mu        sync.Mutex
	bySession map[string][]*sessionStream
	count     int
	counts    map[string]int // by session
}

// maxStreams is how many streams one session may have. A client needs one; if it comes again
// before the server knows that the last one is dead, two.
const maxStreams = 8

// enter takes a place for a stream of a session, "" without one, if there is one. Who got
// one calls leave.
func (all *sessionStreams) enter(session string) bool {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.count >= all.limit || session != "" && all.counts[session] >= maxStreams {
		return false
	}
	if all.counts == nil {
		all.counts = make(map[string]int)
	}
	all.count++
	all.counts[session]++
	return true
}

func (all *sessionStreams) leave(session string) {
	all.mu.Lock()
	defer all.mu.Unlock()
	all.count--
	if all.counts[session]--; all.counts[session] == 0 {
		delete(all.counts, session)
	}
}

// open is how many streams there are.
func (all *sessionStreams) open() int {
	all.mu.Lock()
	defer all.mu.Unlock()
	return all.count
}

// sessions is how many sessions have a stream.
func (all *sessionStreams) sessions() int {
	all.mu.Lock()
	defer all.mu.Unlock()
	return len(all.bySession)
}

// serve lets next open a stream, and knows it until next returns.
func (all *sessionStreams) serve(w http.ResponseWriter, r *http.Request, next http.Handler) {
	s := &sessionStream{
		w:       w,
		control: http.NewResponseController(w),
		session: r.Header.Get(mcpserver.HeaderKeySessionID),
		h1:      r.ProtoMajor == 1,
		all:     all,
	}
	defer s.close()
	next.ServeHTTP(s, r)
}

func (all *sessionStreams) add(s *sessionStream) {
	all.mu.Lock()
	defer all.mu.Unlock()
	if all.bySession == nil {
		all.bySession = make(map[string][]*sessionStream)
	}
	all.bySession[s.session] = append(all.bySession[s.session], s)
}

func (all *sessionStreams) remove(s *sessionStream) {
	all.mu.Lock()
	defer all.mu.Unlock()
	rest := slices.DeleteFunc(all.bySession[s.session], func(other *sessionStream) bool { return other == s })
	if len(rest) == 0 {
		delete(all.bySession, s.session)
		return
	}
	all.bySession[s.session] = rest
}

// send sends a message to one session, if it has a stream.
func (all *sessionStreams) send(session string, doc []byte) {
	if s := all.newest(session); s != nil {
		s.send(doc)
	}
}

// newest is the stream of a session that was opened last, nil if it has none. A message
// goes to one stream of a session only; the others may be dead, and nobody has noticed yet.
func (all *sessionStreams) newest(session string) *sessionStream {
	all.mu.Lock()
	defer all.mu.Unlock()
	if streams := all.bySession[session]; len(streams) > 0 {
		return streams[len(streams)-1]
	}
	return nil
}

// sendAll sends a message to every session that wants it and waits until it is sent.
func (all *sessionStreams) sendAll(doc []byte, wants func(session string) bool) {
	all.mu.Lock()
	var streams []*sessionStream
	for session, open := range all.bySession {
		if wants(session) {
			streams = append(streams, open[len(open)-1])
		}
	}
	all.mu.Unlock()
	var sending sync.WaitGroup
	for _, s := range streams {
		sending.Go(func() { s.send(doc) })
	}
	sending.Wait()
}

// sessionStream is the ResponseWriter of a GET request. mcp-go and the server may write to
// it at the same time, each an event at a time.
type sessionStream struct {
	w       http.ResponseWriter
	control *http.ResponseController
	session string
	h1      bool
	all     *sessionStreams

	mu     sync.Mutex
	closed bool
	alive  *time.Timer // sends the comments, nil before there is a stream
}

// Header implements http.ResponseWriter.
func (s *sessionStream) Header() http.Header { return s.w.Header() }

// WriteHeader implements http.ResponseWriter. From here on a stream can be sent to. In
// HTTP/1 its connection ends with it: who sees it end because the server stops must not send
// the next request there.
func (s *sessionStream) WriteHeader(status int) {
	if s.h1 {
		s.Header().Set("Connection", "close")
	}
	if !hasMedia(s.Header(), eventStream) {
		s.w.WriteHeader(status)
		return
	}
	streamHeader(s.Header())
	s.w.WriteHeader(status)
	s.all.add(s)
	s.mu.Lock()
	s.alive = time.AfterFunc(s.all.interval, s.comment)
	s.mu.Unlock()
	s.comment() // some proxies hold the header back until there is a body
}

// Write implements http.ResponseWriter.
func (s *sessionStream) Write(b []byte) (n int, err error) {
	s.do(func() { n, err = s.w.Write(b) })
	return n, err
}

// Flush implements http.Flusher.
func (s *sessionStream) Flush() {
	s.do(func() { _ = s.control.Flush() }) // an error shows at the next write
}

// Unwrap gives http.ResponseController the writer beneath.
func (s *sessionStream) Unwrap() http.ResponseWriter { return s.w }

// send sends one event. A client that doesn't take it loses the stream: net/http gives the
// connection up.
func (s *sessionStream) send(doc []byte) {
	s.do(func() {
		if _, err := fmt.Fprintf(s.w, eventHead+"%s\n\n", doc); err == nil {
			_ = s.control.Flush()
		}
	})
}

// comment sends a comment, and has the next one sent if the client took it.
func (s *sessionStream) comment() {
	s.do(func() {
		if writeComment(s.w, s.control) {
			s.alive.Reset(s.all.interval)
		}
	})
}

// do writes within the time limit, unless the request has ended.
func (s *sessionStream) do(write func()) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return
	}
	// A writer without deadlines (a recorder in a test) has no slow client either.
	_ = s.control.SetWriteDeadline(time.Now().Add(eventTime))
	write()
	_ = s.control.SetWriteDeadline(time.Time{})
}

// close ends what can be sent, before net/http takes the writer back.
func (s *sessionStream) close() {
	s.all.remove(s)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if s.alive != nil {
		s.alive.Stop()
	}
}
