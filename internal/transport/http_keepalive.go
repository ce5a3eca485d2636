package transport

import (
	"io"
	"net/http"
)

// streamComment is a comment of a stream of events, which clients ignore (HTML Living
// Standard, section 9.2.6). It ends with a blank line, so that it can't run into an event.
const streamComment = ": keep-alive\n\n"

// streamHeader sets the headers that every stream of events has: nobody may store it, and
// nginx and what is built like it must not hold it back.
func streamHeader(h http.Header) {
	h.Set("Cache-Control", "no-store")
	h.Set("X-Accel-Buffering", "no")
}

// writeComment sends a comment. It reports whether the client took it.
func writeComment(w io.Writer, control *http.ResponseController) bool {
	_, err := io.WriteString(w, streamComment)
	return err == nil && control.Flush() == nil
}
