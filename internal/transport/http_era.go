package transport

import (
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// eraFault says what is wrong with what the header and _meta of a message say about the
// version of the protocol, nil if nothing. mcp-go finds most of it too, and says it in plain
// text or in its own words.
func eraFault(h http.Header, m *wire.Message) *wire.Error {
	header, meta := h.Get(mcp.HeaderProtocolVersion), m.VersionText()
	since2026 := mcp.IsModernProtocol(header) || m.Since2026()
	// Until 2026-07-28 initialize finds the version, so the header says nothing there.
	if m.Method != wire.MethodInitialize || since2026 {
		if fault := versionFault(header); fault != nil {
			return fault
		}
	}
	// A version that neither side has is one fault, two versions are another.
	if fault := versionFault(meta); fault != nil && (header == "" || header == meta) || !since2026 {
		return fault
	}
	mismatch := func(why string) *wire.Error { return &wire.Error{Code: mcp.HEADER_MISMATCH, Message: why} }
	switch {
	case m.Kind == wire.Response:
		return &wire.Error{Code: wire.CodeInvalidRequest, Message: "since protocol version 2026-07-28 a client sends no responses: the server asks nothing"}
	case h.Get(mcp.HeaderLastEventID) != "":
		return mismatch("since protocol version 2026-07-28 no stream can be resumed: leave the header Last-Event-ID out and send the request again")
	case m.Kind != wire.Request:
		return nil
	case header == "":
		return mismatch("the header " + mcp.HeaderProtocolVersion + " is missing: it must be the version in params._meta, " + meta)
	case meta == "":
		return &wire.Error{
			Code:    wire.CodeInvalidParams,
			Message: `params._meta["` + mcp.MetaKeyProtocolVersion + `"] is missing: it must be the version in the header, ` + header,
		}
	case header != meta:
		return mismatch("the header " + mcp.HeaderProtocolVersion + " says " + header + " and params._meta says " + clipped(meta) + ": send the same version in both")
	}
	return nil
}

// refuseError answers a message, whose id is given, with an error.
func refuseError(w http.ResponseWriter, status int, id []byte, fault *wire.Error) {
	refuseHTTP(w, status, &wire.Refusal{Code: fault.Code, ID: id, Message: fault.Message, Data: fault.Data})
}

// refuseRequest answers a request without a message that could have an id.
func refuseRequest(w http.ResponseWriter, status int, why string) {
	refuseHTTP(w, status, &wire.Refusal{Code: wire.CodeInvalidRequest, ID: []byte("null"), Message: why})
}

// idOrNull is the id of a message that is to be answered, null if it has none.
func idOrNull(m *wire.Message) []byte {
	if m.Kind != wire.Request || m.ID == nil {
		return []byte("null")
	}
	return m.ID
}

// accepts reports whether a client takes an answer of this media type (RFC 9110, section
// 12.5.1): what the most specific range in Accept says that fits. Without Accept it takes any.
func accepts(h http.Header, media string) bool {
	kind, _, _ := strings.Cut(media, "/")
	best, taken, given := -1, false, false
	for _, value := range h.Values("Accept") {
		for accepted := range strings.SplitSeq(value, ",") {
			given = given || strings.TrimSpace(accepted) != ""
			name, params, err := mime.ParseMediaType(accepted)
			if err != nil {
				continue
			}
			specific := -1
			switch name {
			case media:
				specific = 2
			case kind + "/*":
				specific = 1
			case "*/*":
				specific = 0
			}
			if specific > best {
				q, err := strconv.ParseFloat(params["q"], 64)
				best, taken = specific, err != nil || q > 0
			}
		}
	}
	return taken || !given
}
