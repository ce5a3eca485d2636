package streamable

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"strings"
	"syscall"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/printable"
	"github.com/zenlix/echo-mcp/mcpkit/client"
)

// answer hands on what came back to a message.
func (t *Transport) answer(ctx context.Context, response *http.Response, m client.Outgoing, session string) error {
	header := response.Header.Get("Content-Type")
	media, _, _ := mime.ParseMediaType(header)
	switch {
	case media == "text/event-stream" && m.ID != "":
		return t.stream(ctx, response.Body, m, session)
	case media == "application/json":
		body, err := readBody(response, t.handler.MaxMessageBytes)
		switch {
		case err != nil:
			return t.broken(ctx, err)
		case len(bytes.TrimSpace(body)) == 0:
			return t.nothing(response, m)
		}
		if !t.receive(body, m) && m.ID != "" {
			return t.strange(response, header, "JSON that is no reply to the request: "+beginning(body))
		}
		return nil
	case m.ID == "":
		return nil // it was taken; what else it says doesn't matter
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxBody))
	switch {
	case err != nil && ctx.Err() != nil:
		return ctx.Err()
	case len(body) == 0:
		return t.nothing(response, m)
	case header == "":
		header = "no content type"
	default:
		header = "the content type " + printable.Start(header, maxShown)
	}
	return t.strange(response, response.Header.Get("Content-Type"), header+", neither JSON nor an event stream: "+beginning(body))
}

// nothing is what an empty body means: all is well unless there should be a reply.
func (t *Transport) nothing(response *http.Response, m client.Outgoing) error {
	if m.ID == "" {
		return nil
	}
	return t.strange(response, response.Header.Get("Content-Type"), fmt.Sprintf("status %d and an empty body, which is no reply to the request", response.StatusCode))
}

func (t *Transport) strange(response *http.Response, contentType, reason string) error {
	return &AnswerError{URL: t.shown, Status: response.StatusCode, ContentType: contentType, Reason: reason}
}

func beginning(body []byte) string {
	return printable.Start(string(body[:min(len(body), maxShown+1)]), maxShown)
}

// broken is the error of an answer that could not be read to its end.
func (t *Transport) broken(ctx context.Context, err error) error {
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case errors.Is(err, errTooLarge):
		return &TooLargeError{URL: t.shown, Limit: t.handler.MaxMessageBytes}
	case brokeOff(err):
		return &UnreachableError{URL: t.shown, Reason: "the connection broke off in the middle of the answer", Err: err}
	}
	return t.unreachable(err)
}

// brokeOff says of an error that the server, or what is between, has ended the connection.
func brokeOff(err error) bool {
	for _, end := range []error{io.EOF, io.ErrUnexpectedEOF, syscall.ECONNRESET, syscall.EPIPE} {
		if errors.Is(err, end) {
			return true
		}
	}
	return false
}

// readBody reads a body of at most this many bytes. It doesn't reserve what the server only promises.
func readBody(response *http.Response, most int) ([]byte, error) {
	const trusted = 4 << 20
	var b bytes.Buffer
	b.Grow(int(min(max(response.ContentLength, 0), trusted)) + bytes.MinRead)
	_, err := b.ReadFrom(io.LimitReader(response.Body, int64(most)+1))
	if err == nil && b.Len() > most {
		err = errTooLarge
	}
	return b.Bytes(), err
}

// receive hands on a message, and says whether it is the reply to m.
func (t *Transport) receive(message []byte, m client.Outgoing) bool {
	reply := m.ID != "" && replies(message, m.ID)
	if reply && m.Method == "tools/list" && m.Version >= stateless {
		t.learn(message)
	}
	t.handler.Receive(message)
	return reply
}

// replies says that a message is a reply to the request with this id.
func replies(message []byte, id string) bool {
	var tape jsontape.Tape
	if tape.Parse(message, jsontape.Options{MaxDepth: jsontape.DepthCeiling, IndexDepth: 2}) != nil || tape.Tokens[0].Kind != jsontape.Object {
		return false
	}
	found := tape.Member(0, "id")
	return found >= 0 && string(tape.Bytes(found)) == id && tape.Member(0, "method") < 0
}

// refused is the error of a status other than 2xx; nil if the body is a reply to the request.
func (t *Transport) refused(ctx context.Context, response *http.Response, m client.Outgoing, session string) error {
	body, err := readBody(response, t.handler.MaxMessageBytes)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	gone := response.StatusCode == http.StatusNotFound && session != ""
	if err == nil && !gone && m.ID != "" && replies(body, m.ID) {
		t.handler.Receive(body)
		return nil
	}
	fault := t.httpError(response, body)
	if !gone {
		return fault
	}
	t.forget(session)
	return fmt.Errorf("%w: %w", client.ErrSessionLost, fault)
}

// httpError is the error of a status.
func (t *Transport) httpError(response *http.Response, body []byte) *HTTPError {
	h := response.Header
	e := &HTTPError{
		URL: t.shown, Status: response.StatusCode, RetryAfter: printable.Start(h.Get("Retry-After"), maxShown),
		Body:      printable.Start(t.redacted(strings.TrimSpace(string(body[:min(len(body), maxBody)]))), maxBody),
		Challenge: printable.Start(t.redacted(strings.Join(h.Values("WWW-Authenticate"), ", ")), maxShown),
	}
	if location, err := response.Location(); err == nil && response.StatusCode/100 == 3 {
		e.Location = shown(location)
	}
	return e
}

// redacted is a text of the server's without the values of the headers that it was sent.
func (t *Transport) redacted(text string) string {
	for _, values := range t.header {
		for _, value := range values {
			_, token, _ := strings.Cut(value, " ") // "Bearer TOKEN"
			for _, secret := range []string{value, token} {
				if len(secret) >= minSecret {
					text = strings.ReplaceAll(text, secret, "[a header of yours]")
				}
			}
		}
	}
	return text
}

// minSecret is how long the value of a header is at least that would be missed in a text.
const minSecret = 4
