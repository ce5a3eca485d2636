package transport

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"sync"
	"time"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// answerWriter is the HTTPResponseWriter that mcp-go writes its answer to one message to. It
// gathers a document, or one event of a stream, puts in what belongs there and sends it.
type answerWriter struct {
	w         http.ResponseWriter
	control   *http.ResponseController // its time limits; a recorder in a test has none, and no slow client either
	request   http.Header
	timeout   time.Duration // for the client to take a piece of the answer
	message   *wire.Message
	log       *slog.Logger
	transfers *transfers
	size      int       // of the message as it came
	leave     func()    // gives the place in flight back
	sending   *transfer // the answer, if it is no stream

	status  int  // as set by mcp-go, 0 if not yet
	started bool // the header was sent
	piece   int  // how much of the piece at hand was sent, see pieces
	stream  bool // of events, which mcp-go has begun
	events  bool // the answer is the last event of a stream that progress has begun
	// acknowledged says that acknowledge has seen to the first event.
	acknowledged bool
	buf          bytes.Buffer

	interval time.Duration // between two comments on a stream
	mu       sync.Mutex    // of a stream: its events and comments are sent one at a time
	alive    *time.Timer   // sends the comments, nil before there is a stream
	ended    bool          // net/http has the writer back
}

// Header implements mcp-go's HTTPResponseWriter.
func (a *answerWriter) Header() http.Header { return a.w.Header() }

// WriteHeader implements mcp-go's HTTPResponseWriter. The header is sent with the first byte of
// the answer, except that a stream's goes out at once.
func (a *answerWriter) WriteHeader(status int) {
	if a.status != 0 {
		return
	}
	a.status = status
	if a.stream = hasMedia(a.Header(), eventStream); a.stream {
		a.leave()
		a.mu.Lock()
		a.open()
		a.mu.Unlock()
	}
}

// open sends the header of a stream.
func (a *answerWriter) open() {
	endless(a.control)
	streamHeader(a.Header())
	a.start(a.status)
	a.alive = time.AfterFunc(a.interval, a.comment)
}

// progress sends a notification as an event of the answer, if the client takes a stream for that.
func (a *answerWriter) progress(n mcp.JSONRPCNotification) {
	doc, err := json.Marshal(n)
	if err != nil || a.status != 0 && !a.events || !accepts(a.request, eventStream) {
		return
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.events {
		a.events, a.status = true, http.StatusOK
		a.Header().Set("Content-Type", eventStream)
		a.open()
	}
	a.piece = 0
	if _, err := fmt.Fprintf(pieces{a}, eventHead+"%s\n\n", doc); err == nil {
		_ = a.control.Flush()
	}
	endless(a.control)
}

// eventHead begins an event with a message.
const eventHead = "event: message\ndata: "

// comment sends a comment on a stream, and has the next one sent if the client took it.
func (a *answerWriter) comment() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.ended {
		return
	}
	_ = a.control.SetWriteDeadline(time.Now().Add(a.timeout)) // as in endless
	if writeComment(a.w, a.control) {
		_ = a.control.SetWriteDeadline(time.Time{})
		a.alive.Reset(a.interval)
	}
}

// end ends the comments, before net/http takes the writer back.
func (a *answerWriter) end() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.ended = true
	if a.alive != nil {
		a.alive.Stop()
	}
}

// endless lifts the time limit for writing an answer, which a stream may exceed.
func endless(control *http.ResponseController) {
	// A writer without deadlines (a recorder in a test) has none to lift.
	_ = control.SetWriteDeadline(time.Time{})
}

// start sends the header.
func (a *answerWriter) start(status int) {
	if !a.started {
		a.started = true
		a.w.WriteHeader(status)
	}
}

// Write implements mcp-go's HTTPResponseWriter.
func (a *answerWriter) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.WriteHeader(http.StatusOK)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
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
	return &wire.Refusal{Code: wire.CodeInternalError, ID: a.id(), Message: "internal error"}
}

// id is the id of the message, null if it has none.
func (a *answerWriter) id() []byte {
	if a.message.ID == nil {
		return []byte("null")
	}
	return a.message.ID
}

// CanStream implements mcp-go's HTTPResponseWriter.
func (a *answerWriter) CanStream() bool { return true }

// Flush implements mcp-go's HTTPResponseWriter. Only a stream is ever sent in parts.
func (a *answerWriter) Flush() {
	if a.stream {
		a.mu.Lock()
		defer a.mu.Unlock()
		_ = a.control.SetWriteDeadline(time.Now().Add(a.timeout))
		_ = a.control.Flush()                       // an error shows at the next write
		_ = a.control.SetWriteDeadline(time.Time{}) // until there is more to say
	}
}

// finish sends what mcp-go wrote, unless it went out as a stream.
func (a *answerWriter) finish() {
	if a.stream || a.status == 0 {
		return
	}
	a.leave()
	if a.events {
		a.mu.Lock() // a comment would give more time to a client that has to give way
		defer a.mu.Unlock()
	}
	if a.sending = a.transfers.send(a.control.SetWriteDeadline, a.buf.Len(), a.size); a.sending == nil {
		a.transfers.makeRoom()
		a.extend()
		const why = "the server is busy with answers that their clients don't take"
		if a.events {
			_, err := fmt.Fprintf(a.w, eventHead+"%s\n\n", busyRefusal(a.id(), why).AppendTo(nil))
			a.logUntaken(err)
			return
		}
		busy(a.w, a.id(), why)
		return
	}
	defer a.sending.end()
	a.extend()
	if a.events {
		if doc := bytes.TrimRight(a.buf.Bytes(), "\n"); len(doc) > 0 { // it is not cancelled
			a.logUntaken(a.event(append([]byte(eventHead), doc...)))
		}
		return
	}
	if a.message.Error != nil && a.message.Error.Code == wire.CodeInvalidParams && mcp.IsModernProtocol(a.request.Get(mcp.HeaderProtocolVersion)) {
		a.status = http.StatusBadRequest // what mcp-go gives this code since 2026-07-28
	}
	body := a.buf.Bytes()
	a.Header().Del("Content-Length")
	isDocument := isJSON(a.Header())
	var err error
	switch {
	case a.message.Kind != wire.Request && a.status != http.StatusNotFound:
		// Nothing is answered, not even that mcp-go could not read it.
		a.Header().Del("Content-Type")
		a.start(http.StatusAccepted)
	case isDocument && len(body) > 0:
		err = a.document(pieces{a}, body, wire.Plain)
	case isDocument && a.message.Kind == wire.Request:
		// mcp-go found out after the header that its answer can't be encoded.
		refuseHTTP(a.w, http.StatusInternalServerError, a.internalError())
	case a.status == http.StatusNotFound:
		noSession(a.w, a.request, a.id())
	case a.status >= http.StatusBadRequest:
		refuseHTTP(a.w, a.status, &wire.Refusal{Code: wire.CodeInvalidRequest, ID: a.id(), Message: "the request can't be dealt with: compare it with the MCP specification, Streamable HTTP"})
	default:
		a.start(a.status)
		_, err = a.w.Write(body)
	}
	a.logUntaken(err)
}

// logUntaken logs that the answer could not be sent.
func (a *answerWriter) logUntaken(err error) {
	if err != nil {
		a.log.LogAttrs(context.Background(), slog.LevelDebug, "the client did not take its answer", slog.Any("error", err))
	}
}

// drop answers a request that its client has cancelled: with nothing.
func (a *answerWriter) drop() {
	if !a.stream && !a.events {
		a.extend()
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
			a.extend()
		}
		var n int
		n, err = a.w.Write(b[:min(len(b), answerPiece-a.piece)])
		a.piece = (a.piece + n) % answerPiece
		written += n
		b = b[n:]
	}
	return written, err
}

// extend gives the client its time for the next piece.
func (a *answerWriter) extend() {
	if a.sending != nil {
		a.sending.extend(a.timeout)
		return
	}
	_ = a.control.SetWriteDeadline(time.Now().Add(a.timeout)) // as in endless
}
