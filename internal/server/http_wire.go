package server

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"os"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// wireHandler stands before mcp-go's handler: it takes the payload out of what is posted
// and puts the envelope into the answer.
type wireHandler struct {
	server    *Server
	transport *httpTransport
	inflight  inflight
}

func (h *wireHandler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch r.Method {
	case http.MethodPost:
	case http.MethodGet, http.MethodDelete:
		h.session(w, r)
		return
	case http.MethodHead:
		h.transport.mcp.ServeHTTP(w, r)
		return
	default:
		methodNotAllowed("GET, POST, DELETE").ServeHTTP(w, r)
		return
	}
	// A writer without deadlines (a recorder in a test) has no slow client either.
	control := http.NewResponseController(w)
	_ = control.SetReadDeadline(time.Now().Add(h.server.options.BodyTimeout))
	if !isJSON(r.Header) {
		refuseHTTP(w, http.StatusUnsupportedMediaType, &wire.Refusal{
			Code: wire.CodeInvalidRequest, ID: []byte("null"),
			Message: "the Content-Type must be application/json",
		})
		return
	}
	if !h.transport.calls.enter() {
		busy(w, []byte("null"), "the server is busy")
		return
	}
	leave := sync.OnceFunc(h.transport.calls.leave)
	defer leave()
	input, err := h.read(control, r)
	if errors.Is(err, os.ErrDeadlineExceeded) {
		w.Header().Set("Connection", "close") // what still comes is not read
		refuseHTTP(w, http.StatusRequestTimeout, &wire.Refusal{Code: wire.CodeInvalidRequest, ID: []byte("null"), Message: "the body did not come in time"})
		return
	}
	if err != nil {
		refuseHTTP(w, http.StatusBadRequest, &wire.Refusal{Code: wire.CodeParseError, ID: []byte("null"), Message: "the body could not be read"})
		return
	}
	defer input.Release()
	if input.TooLong != nil {
		w.Header().Set("Connection", "close") // there may be more of it
		if input.NoRoom {
			busy(w, input.TooLong.ID(), "the server is busy with large messages")
			return
		}
		refusal := &wire.Refusal{Code: wire.CodeInvalidRequest, ID: input.TooLong.ID(), Message: "the message is " + h.server.tooLarge()}
		h.server.logRefusal(r.Context(), refusal, 0)
		refuseHTTP(w, http.StatusRequestEntityTooLarge, refusal)
		return
	}
	m, refusal := h.server.parser.Parse(input.Data)
	switch {
	case refusal != nil:
		h.server.logRefusal(r.Context(), refusal, len(input.Data))
		refuseHTTP(w, http.StatusBadRequest, refusal)
	case m == nil:
		w.WriteHeader(http.StatusAccepted)
	case m.Method == wire.MethodInitialize && !h.server.options.Stateless && h.server.full():
		busy(w, m.ID, "the server keeps as many sessions as it may")
	default:
		if m.Method == wire.MethodSubscriptionsListen {
			leave() // a stream is no call under way
		}
		h.forward(w, r, m)
	}
}

// isJSON reports whether the header says that the body is JSON.
func isJSON(h http.Header) bool { return hasMedia(h, "application/json") }

// hasMedia reports whether the header says that the body is of a media type.
func hasMedia(h http.Header, media string) bool {
	given := h.Get("Content-Type")
	if given == media {
		return true
	}
	parsed, _, err := mime.ParseMediaType(given)
	return err == nil && parsed == media
}

// session answers a request about a session: to listen to it, or to end it. mcp-go would
// listen to any id, and call it a failure of its own to be told to end what never was.
func (h *wireHandler) session(w http.ResponseWriter, r *http.Request) {
	listen := r.Method == http.MethodGet
	if ids := h.transport.sessions; ids != nil && !mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		ended, err := ids.Validate(r.Header.Get(mcpserver.HeaderKeySessionID))
		switch {
		case err != nil || ended && listen: // to end it twice is once
			refuseHTTP(w, http.StatusNotFound, &wire.Refusal{
				Code: wire.CodeInvalidRequest, ID: []byte("null"),
				Message: "there is no session with the id in Mcp-Session-Id; initialize gives one",
			})
			return
		case listen && h.server.full():
			busy(w, []byte("null"), "the server keeps as many sessions as it may")
			return
		}
	}
	if listen {
		endless(w)
	}
	h.transport.mcp.ServeHTTP(w, r)
}

// read reads the body within the time limit. Where that fails the limit stays: net/http
// reads on for a while after the answer, and must not wait for what never comes.
func (h *wireHandler) read(control *http.ResponseController, r *http.Request) (*wire.Input, error) {
	limit := h.server.options.MaxMessageBytes
	input, err := wire.ReadBody(r.Body, r.ContentLength, wire.Limits{Message: limit, Discard: 4 * int64(limit), Room: h.transport.room})
	if err == nil && input.TooLong == nil {
		_ = control.SetReadDeadline(time.Time{})
	}
	return input, err
}

// forward gives the message to mcp-go and its answer to the client.
func (h *wireHandler) forward(w http.ResponseWriter, r *http.Request, m *wire.Message) {
	ctx := wire.NewContext(r.Context(), m)
	var under *request
	switch session := r.Header.Get(mcpserver.HeaderKeySessionID); {
	case m.Kind == wire.Request:
		// Without a session, in the protocol since 2026-07-28, a client cancels a request
		// by closing its stream, and nobody asks for the key.
		key := wire.IDKey(m.ID)
		if session != "" {
			key = session + " " + key
		}
		ctx, under = h.inflight.begin(ctx, key)
		defer h.inflight.end(under)
	case m.Cancels != nil && session != "":
		h.inflight.cancel(session + " " + wire.IDKey(m.Cancels))
	}
	if m.Method == wire.MethodSubscriptionsListen {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(h.transport.streams, cancel)()
	}
	r = r.WithContext(ctx)
	r.Body = io.NopCloser(bytes.NewReader(m.Forward))
	r.ContentLength = int64(len(m.Forward))

	a := &answerWriter{w: w, timeout: h.server.options.WriteTimeout, message: m, log: h.server.log, modern: mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion))}
	defer h.recover(ctx, a)
	h.transport.mcp.ServeHTTP(a, r)
	if under != nil && under.cancelled.Load() {
		a.drop()
		return
	}
	a.finish()
}

// recover turns a panic into an internal error, if it is not too late for that.
func (h *wireHandler) recover(ctx context.Context, a *answerWriter) {
	r := recover()
	if r == nil {
		return
	}
	if err, ok := r.(error); ok && errors.Is(err, http.ErrAbortHandler) {
		panic(r) //nolint:forbidigo // net/http's own way to give up a connection
	}
	h.server.logPanic(ctx, r)
	if !a.started {
		refuseHTTP(a.w, http.StatusInternalServerError, a.internalError())
	}
}

// answerWriter is the ResponseWriter that mcp-go writes its answer to one message to. It
// gathers a document, or one event of a stream, puts in what belongs there and sends it.
type answerWriter struct {
	w       http.ResponseWriter
	timeout time.Duration // for the client to take a piece of the answer
	message *wire.Message
	log     *slog.Logger
	modern  bool // of the protocol since 2026-07-28

	status  int  // as set by mcp-go, 0 if not yet
	started bool // the header was sent
	piece   int  // how much of the piece at hand was sent, see pieces
	stream  bool // of events
	// acknowledged says that acknowledge has seen to the first event.
	acknowledged bool
	buf          bytes.Buffer
}

// Header implements http.ResponseWriter.
func (a *answerWriter) Header() http.Header { return a.w.Header() }

// WriteHeader implements http.ResponseWriter. The header is sent with the first byte of
// the answer, except that a stream's goes out at once.
func (a *answerWriter) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	if a.stream = hasMedia(a.Header(), "text/event-stream"); a.stream {
		endless(a.w)
		a.start(status)
	}
}

// endless lifts the time limit for writing an answer, which a stream may exceed.
func endless(w http.ResponseWriter) {
	// A writer without deadlines (a recorder in a test) has none to lift.
	_ = http.NewResponseController(w).SetWriteDeadline(time.Time{})
}

// start sends the header.
func (a *answerWriter) start(status int) {
	if !a.started {
		a.started = true
		a.w.WriteHeader(status)
	}
}

// Write implements http.ResponseWriter.
func (a *answerWriter) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	a.buf.Write(b)
	for a.stream {
		event, _, whole := bytes.Cut(a.buf.Bytes(), []byte("\n\n"))
		if !whole {
			break
		}
		err := a.event(event)
		a.buf.Next(len(event) + 2)
		if err != nil {
			return 0, err
		}
	}
	return len(b), nil
}

// event sends one event of a stream. mcp-go puts the document on one data: line.
func (a *answerWriter) event(event []byte) error {
	head, doc, found := bytes.Cut(event, []byte("data: "))
	if !found {
		_, err := a.w.Write(append(bytes.Clone(event), "\n\n"...))
		return err
	}
	if err := a.acknowledge(doc); err != nil {
		return err
	}
	if _, err := a.w.Write(append(bytes.Clone(head), "data: "...)); err != nil {
		return err
	}
	a.piece = 0 // Flush has lifted the time limit
	if err := a.document(pieces{a}, doc, wire.Event); err != nil {
		return err
	}
	_, err := io.WriteString(a.w, "\n\n")
	return err
}

// document sends one document.
func (a *answerWriter) document(w io.Writer, doc []byte, framing wire.Framing) error {
	err := a.message.WriteAnswer(w, doc, framing)
	if errors.Is(err, wire.ErrPlaceholder) {
		a.log.LogAttrs(context.Background(), slog.LevelError, err.Error())
		_, err = w.Write(a.internalError().AppendTo(nil))
	}
	return err
}

// internalError is the answer to a message that the server failed on.
func (a *answerWriter) internalError() *wire.Refusal {
	id := a.message.ID
	if id == nil {
		id = []byte("null")
	}
	return &wire.Refusal{Code: wire.CodeInternalError, ID: id, Message: "internal error"}
}

// Flush implements http.Flusher. Only a stream is ever sent in parts.
func (a *answerWriter) Flush() {
	if a.stream {
		control := http.NewResponseController(a.w)
		_ = control.SetWriteDeadline(time.Now().Add(a.timeout)) // as in read
		_ = control.Flush()                                     // an error shows at the next write
		_ = control.SetWriteDeadline(time.Time{})               // until there is more to say
	}
}

// Unwrap gives http.ResponseController the writer beneath.
func (a *answerWriter) Unwrap() http.ResponseWriter { return a.w }

// finish sends what mcp-go wrote, unless it went out as a stream.
func (a *answerWriter) finish() {
	if a.stream || a.status == 0 {
		return
	}
	if a.modern && a.message.ErrorCode == wire.CodeInvalidParams {
		a.status = http.StatusBadRequest // what mcp-go gives this code since 2026-07-28
	}
	body := a.buf.Bytes()
	a.Header().Del("Content-Length")
	json := isJSON(a.Header())
	var err error
	switch {
	case json && len(body) > 0:
		err = a.document(pieces{a}, body, wire.Plain)
	case json && a.message.Kind == wire.Request:
		// mcp-go found out after the header that its answer can't be encoded.
		refuseHTTP(a.w, http.StatusInternalServerError, a.internalError())
	default:
		a.start(a.status)
		_, err = a.w.Write(body)
	}
	if err != nil {
		a.log.LogAttrs(context.Background(), slog.LevelDebug, "the client did not take its answer", slog.Any("error", err))
	}
}

// drop answers a request that its client has cancelled: with nothing.
func (a *answerWriter) drop() {
	if !a.stream {
		a.Header().Del("Content-Type")
		a.start(http.StatusAccepted)
	}
}

// pieces sends the header before the first byte of the body. It writes in pieces and gives
// the client a time limit for each; the last one holds for what is still buffered when the
// handler is done.
type pieces struct{ a *answerWriter }

// answerPiece is how much of an answer has to be taken within the time limit.
const answerPiece = 1 << 20

func (p pieces) Write(b []byte) (written int, err error) {
	a := p.a
	a.start(a.status)
	for len(b) > 0 && err == nil {
		if a.piece == 0 {
			_ = http.NewResponseController(a.w).SetWriteDeadline(time.Now().Add(a.timeout)) // as in endless
		}
		var n int
		n, err = a.w.Write(b[:min(len(b), answerPiece-a.piece)])
		a.piece = (a.piece + n) % answerPiece
		written += n
		b = b[n:]
	}
	return written, err
}
