package transport

import (
	"context"
	"errors"
	"mime"
	"net/http"
	"os"
	"strconv"
	"strings"
	"sync"

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
	case http.MethodGet, http.MethodHead, http.MethodDelete:
		h.session(w, r)
		return
	default:
		w.Header().Set("Allow", "GET, HEAD, POST, DELETE")
		refuseRequest(w, http.StatusMethodNotAllowed, "this method means nothing here: messages come with POST")
		return
	}
	if fault := contentFault(r.Header); fault != "" {
		refuseHTTP(w, http.StatusUnsupportedMediaType, &wire.Refusal{Code: wire.CodeInvalidRequest, ID: []byte("null"), Message: fault})
		return
	}
	if h.transport.calls.full(0) {
		busy(w, []byte("null"), "the server is busy") // the message need not come at all
		return
	}
	limit := h.server.options.MaxMessageBytes
	input, err := wire.ReadBody(r.Body, r.ContentLength, wire.Limits{Message: limit, Discard: 4 * int64(limit), Room: h.transport.room})
	if err != nil {
		h.refuseUnread(w, r, err)
		return
	}
	defer input.Release()
	if input.TooLong != nil {
		w.Header().Set("Connection", "close") // there may be more of it
		if input.NoRoom {
			h.transport.transfers.makeRoom()
			busy(w, input.TooLong.ID(), "the server is busy with large messages")
			return
		}
		refusal := &wire.Refusal{Code: wire.CodeInvalidRequest, ID: input.TooLong.ID(), Message: "the message is " + h.server.tooLarge()}
		h.server.logRefusal(r.Context(), refusal, 0)
		refuseHTTP(w, http.StatusRequestEntityTooLarge, refusal)
		return
	}
	// Only now, as nobody shall hold a place by sending slowly.
	if !h.transport.calls.enter() {
		busy(w, []byte("null"), "the server is busy")
		return
	}
	leave := sync.OnceFunc(h.transport.calls.leave)
	defer leave()
	checked, err := h.server.ration.enter(r.Context(), input.Data)
	if err != nil {
		return // the client is gone
	}
	defer checked()
	m, refusal := h.server.parser.Parse(input.Data)
	var fault *wire.Error
	if m != nil {
		fault = eraFault(r.Header, m)
	}
	switch {
	case refusal != nil:
		checked()
		h.server.logRefusal(r.Context(), refusal, len(input.Data))
		refuseHTTP(w, http.StatusBadRequest, refusal)
	case fault != nil:
		checked()
		m.Call.Release()
		refuseError(w, http.StatusBadRequest, idOrNull(m), fault)
	case m != nil && m.Kind == wire.Response && h.transport.sessions != nil && !h.transport.alive(r):
		noSession(w, r.Header, []byte("null"))
	case m == nil, m.Kind == wire.Response:
		// Nothing was asked of the other side, so a response answers nothing.
		h.server.logIgnored(r.Context(), len(input.Data))
		w.WriteHeader(http.StatusAccepted)
	case m.Method == wire.MethodInitialize && !h.server.options.Stateless && h.transport.full(h.server):
		busy(w, m.ID, "the server keeps as many sessions as it may")
	case m.Method == wire.MethodSubscriptionsListen:
		leave() // a stream is no call under way
		checked()
		session := r.Header.Get(mcpserver.HeaderKeySessionID)
		if !h.transport.sessionStreams.enter(session) {
			busy(w, m.ID, "as many streams are open as may be")
			return
		}
		defer h.transport.sessionStreams.leave(session)
		h.forward(w, r, m, len(input.Data), checked, leave)
	default:
		h.forward(w, r, m, len(input.Data), checked, leave)
	}
}

// refuseUnread answers a request whose body did not come.
func (h *wireHandler) refuseUnread(w http.ResponseWriter, r *http.Request, err error) {
	refusal := &wire.Refusal{Code: wire.CodeInvalidRequest, ID: []byte("null")}
	w.Header().Set("Connection", "close") // what still comes is not read
	body, paced := r.Body.(*pacedBody)
	switch {
	case paced && body.gaveWay:
		busy(w, refusal.ID, "the body came slowly and others needed the room")
	case errors.Is(err, os.ErrDeadlineExceeded):
		refusal.Message = "the body did not come in time: send at least " + strconv.Itoa(h.server.options.MinBodyRate) + " bytes a second"
		refuseHTTP(w, http.StatusRequestTimeout, refusal)
	default:
		refusal.Code, refusal.Message = wire.CodeParseError, "the body could not be read"
		refuseHTTP(w, http.StatusBadRequest, refusal)
	}
}

// contentFault says why a body with this header can't be read, "" if it can.
func contentFault(h http.Header) string {
	if !isJSON(h) {
		return "the Content-Type must be application/json"
	}
	if coding := h.Get("Content-Encoding"); coding != "" && !strings.EqualFold(coding, "identity") {
		return "the body must not be compressed: send it without Content-Encoding"
	}
	return ""
}

// isJSON reports whether the header says that the body is JSON.
func isJSON(h http.Header) bool { return hasMedia(h, "application/json") }

// eventStream is the media type of a stream.
const eventStream = "text/event-stream"

// hasMedia reports whether the header says that the body is of a media type.
func hasMedia(h http.Header, media string) bool {
	given := h.Get("Content-Type")
	if given == media {
		return true
	}
	parsed, _, err := mime.ParseMediaType(given)
	return err == nil && parsed == media
}

// session answers a request about a session: to listen to it, which HEAD only pretends to
// do, or to end it. mcp-go would listen to any id, and call it a failure of its own to be told
// to end what never was.
func (h *wireHandler) session(w http.ResponseWriter, r *http.Request) {
	listen := r.Method != http.MethodDelete
	version := r.Header.Get(mcp.HeaderProtocolVersion)
	id := r.Header.Get(mcpserver.HeaderKeySessionID)
	if fault := versionFault(version); fault != nil {
		refuseError(w, http.StatusBadRequest, []byte("null"), fault)
		return
	}
	switch since2026 := mcp.IsModernProtocol(version); {
	case since2026 || h.transport.sessions == nil:
		why := "this server keeps no sessions: there is no stream to open and nothing to end, send messages with POST"
		if since2026 {
			why = "protocol version 2026-07-28 has no sessions: send messages with POST, subscriptions/listen among them"
		}
		w.Header().Set("Allow", http.MethodPost)
		refuseRequest(w, http.StatusMethodNotAllowed, why)
		return
	case listen && !accepts(r.Header, eventStream):
		refuseRequest(w, http.StatusNotAcceptable, "the answer is a stream of events: the header Accept must allow text/event-stream. Messages are sent with POST")
		return
	}
	switch ended, err := h.transport.sessions.Validate(id); {
	case err != nil || ended:
		noSession(w, r.Header, []byte("null"))
		return
	case !listen:
		h.transport.mcp.ServeHTTP(w, r)
		return
	case h.transport.full(h.server):
		busy(w, []byte("null"), "the server keeps as many sessions as it may")
		return
	case !h.transport.sessionStreams.enter(id):
		busy(w, []byte("null"), "as many streams are open as may be")
		return
	}
	defer h.transport.sessionStreams.leave(id)
	if r.Method == http.MethodHead {
		w.Header().Set("Content-Type", eventStream)
		streamHeader(w.Header())
		w.WriteHeader(http.StatusOK)
		return
	}
	endless(http.NewResponseController(w))
	h.transport.sessionStreams.serve(w, r, h.transport.mcp)
	h.transport.forget(id)
}

// noSession answers a request for a session that is not there: with 404, upon which a client
// starts a new one, or 400 where the request names none (2025-11-25, basic/transports,
// session management). id is that of the message.
func noSession(w http.ResponseWriter, request http.Header, id []byte) {
	status, message := http.StatusNotFound, "there is no session with the id in Mcp-Session-Id; initialize gives one"
	if request.Get(mcpserver.HeaderKeySessionID) == "" {
		status, message = http.StatusBadRequest, "the header Mcp-Session-Id is missing; initialize gives its value"
	}
	refuseHTTP(w, status, &wire.Refusal{Code: wire.CodeInvalidRequest, ID: id, Message: message})
}

// forward gives the message, which came in size bytes, to mcp-go and its answer to the
// client. In between it calls checked, and leave, which gives the place in flight back: a
// client that takes its time over the answer must hold neither.
func (h *wireHandler) forward(w http.ResponseWriter, r *http.Request, m *wire.Message, size int, checked, leave func()) {
	ctx := wire.NewContext(r.Context(), m)
	var under *request
	switch session := r.Header.Get(mcpserver.HeaderKeySessionID); {
	case session == "":
		// In the protocol since 2026-07-28 a client cancels a request by closing its stream.
	case m.Kind == wire.Request:
		ctx, under = h.inflight.begin(ctx, session+" "+wire.IDKey(m.ID))
		defer h.inflight.end(under)
	case m.Cancels != nil:
		h.inflight.cancel(session + " " + wire.IDKey(m.Cancels))
	}
	if m.Method == wire.MethodSubscriptionsListen {
		var cancel context.CancelFunc
		ctx, cancel = context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(h.transport.streams, cancel)()
	}
	a := &answerWriter{
		w: w, control: http.NewResponseController(w), request: r.Header, timeout: h.server.options.WriteTimeout, message: m,
		log: h.server.log, transfers: h.transport.transfers, size: size, leave: leave,
		interval: h.transport.sessionStreams.interval,
	}
	defer a.end()
	defer h.recover(ctx, a)
	m.Call.OnChecked(checked)
	h.transport.mcp.Handle(a, &mcpserver.HTTPRequest{Method: r.Method, URL: r.URL, Header: r.Header, Body: m.Forward, Context: withProgress(ctx, m, a.progress)})
	h.transport.noteReady(m, w.Header().Get(mcpserver.HeaderKeySessionID), r.Header.Get(mcpserver.HeaderKeySessionID))
	switch m.Method {
	case wire.MethodInitialize:
		h.transport.forget(w.Header().Get(mcpserver.HeaderKeySessionID))
	case wire.MethodSetLevel:
		h.transport.forget(r.Header.Get(mcpserver.HeaderKeySessionID))
	}
	m.Call.Release()
	checked()
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
	h.server.LogPanic(ctx, r)
	if !a.started {
		a.extend()
		refuseHTTP(a.w, http.StatusInternalServerError, a.internalError())
	}
}
