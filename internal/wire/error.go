package wire

import (
	"context"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Error is what is wrong with a request. For most errors mcp-go knows but one code, and for
// none of them data.
type Error struct {
	Code    int
	Message string
	Data    []byte // JSON text, nil for none
}

// Error implements error.
func (e *Error) Error() string { return e.Message }

// appendTo appends the error object of a JSON-RPC response to dst.
func (e *Error) appendTo(dst []byte) []byte {
	dst = append(dst, `{"code":`...)
	dst = strconv.AppendInt(dst, int64(e.Code), 10)
	dst = append(dst, `,"message":`...)
	dst = jsontape.AppendQuoted(dst, e.Message)
	if e.Data != nil {
		dst = append(append(dst, `,"data":`...), e.Data...)
	}
	return append(dst, '}')
}

// Fail sees that the message which the context carries, if it gets an error from mcp-go,
// gets this one instead. It returns the error for a handler to return.
func Fail(ctx context.Context, err *Error) error {
	if m, ok := ctx.Value(messageKey{}).(*Message); ok {
		m.Error = err
	}
	return err
}

// URI returns the text of the URI that the message which the context carries asks for, as
// it was received; nil if it asks for none.
func URI(ctx context.Context) []byte {
	if m, ok := ctx.Value(messageKey{}).(*Message); ok {
		return m.URI
	}
	return nil
}
