package wire

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// ErrPlaceholder means that mcp-go's answer to a tool call is not the result that the
// tool's handler returned, or not JSON, so that there is no place for the envelope. Nothing
// was written.
var ErrPlaceholder = errors.New("the answer does not have the handler's placeholder")

// WriteAnswer writes doc, mcp-go's answer to the message, as one frame without its
// delimiters: the id as it was received and, where the call was answered, the envelope in
// its two places; an error has Message.Error, or at least our own words. A document that is no answer (a notification on an event stream) only
// gets its stand-ins for ids replaced. It may be called once for an answered call. The
// error is ErrPlaceholder or what w returns.
func (m *Message) WriteAnswer(w io.Writer, doc []byte, framing Framing) error {
	t := tapes.Get().(*jsontape.Tape)
	defer releaseTape(t)
	if err := t.Parse(doc, jsontape.Options{}); err != nil {
		return fmt.Errorf("%w: %w", ErrPlaceholder, err)
	}
	var few [4]edit
	edits := few[:0]
	if answers(t) {
		if i := t.Member(0, "id"); i > 0 && m.ID != nil {
			edits = append(edits, edit{token: i, raw: [3][]byte{m.ID}})
		}
		if i := t.Member(0, "error"); i > 0 {
			if m.Error != nil {
				edits = append(edits, edit{token: i, raw: [3][]byte{m.Error.appendTo(nil)}})
			} else {
				edits = m.reword(t, i, edits)
			}
		}
		var err error
		if edits, err = m.Call.place(t, edits); err != nil {
			return err
		}
	}
	edits = restoreIDs(t, edits)
	slices.SortFunc(edits, func(a, b edit) int { return a.token - b.token })

	f := newFrame(w, framing)
	at := 0
	for _, e := range edits {
		k := &t.Tokens[e.token]
		f.bytes(doc[at:k.Start])
		e.write(f)
		at = int(k.End)
	}
	f.bytes(doc[at:])
	return f.finish()
}

// edit is what stands in the place of a token.
type edit struct {
	token  int
	raw    [3][]byte
	quoted bool // as a JSON string
	pieces []Piece
}

func (e *edit) write(f *frame) {
	for _, p := range e.pieces {
		if p.Escaped {
			f.escaped(p.Text)
		} else {
			f.raw(p.Text)
		}
	}
	if !e.quoted {
		for _, part := range e.raw {
			f.raw(part)
		}
		return
	}
	f.bytes([]byte{'"'})
	for _, part := range e.raw {
		f.escaped(part)
	}
	f.bytes([]byte{'"'})
}

// answers reports whether the document answers a request.
func answers(t *jsontape.Tape) bool {
	return t.Member(0, "result") > 0 || t.Member(0, "error") > 0
}

// place appends the two edits that put the envelope where the placeholder is.
func (c *Call) place(t *jsontape.Tape, edits []edit) ([]edit, error) {
	result := t.Member(0, "result")
	if !c.Answered() || result < 0 {
		return edits, nil
	}
	token := c.token
	c.token = ""
	if c.list != "" {
		return c.placeList(t, result, token, edits)
	}
	structured := t.Member(result, "structuredContent")
	content := t.Member(result, "content")
	texts := 1
	if c.noText {
		texts = 0
	}
	if content < 0 || t.Tokens[content].Kind != jsontape.Array || t.Len(content) != texts {
		return nil, ErrPlaceholder
	}
	if c.content != nil {
		return c.placeContent(t, content, structured, token, edits)
	}
	if !isToken(t, structured, token) {
		return nil, ErrPlaceholder
	}
	if !c.noText {
		text := t.Member(content+1, "text")
		if !isToken(t, text, token) {
			return nil, ErrPlaceholder
		}
		edits = append(edits, edit{token: text, raw: c.parts, quoted: true})
	}
	return append(edits, edit{token: structured, raw: c.parts}), nil
}

// placeContent is place for a call whose content the handler has written.
func (c *Call) placeContent(t *jsontape.Tape, content, structured int, token string, edits []edit) ([]edit, error) {
	if !isToken(t, t.Member(content+1, "text"), token) {
		return nil, ErrPlaceholder
	}
	edits = append(edits, edit{token: content, pieces: c.content})
	switch {
	case c.parts[0] != nil && isToken(t, structured, token):
		return append(edits, edit{token: structured, raw: c.parts}), nil
	case c.parts[0] == nil && structured < 0:
		return edits, nil
	}
	return nil, ErrPlaceholder
}

// placeList is place for a call of which the handler has written the whole list.
func (c *Call) placeList(t *jsontape.Tape, result int, token string, edits []edit) ([]edit, error) {
	list := t.Member(result, c.list)
	if list < 0 || t.Tokens[list].Kind != jsontape.Array || t.Len(list) != 1 {
		return nil, ErrPlaceholder
	}
	item := list + 1
	if c.list == ListMessages {
		item = t.Member(item, "content")
	}
	if item < 0 || !isToken(t, t.Member(item, "text"), token) {
		return nil, ErrPlaceholder
	}
	return append(edits, edit{token: list, pieces: c.content}), nil
}

// isToken reports whether the value at token i, which may be -1, is the string that proves
// where a result comes from.
func isToken(t *jsontape.Tape, i int, token string) bool {
	return i >= 0 && t.Tokens[i].Kind == jsontape.String && t.Str(i) == token
}

// restoreIDs appends the edits that restore the id of a subscriptions/listen request where
// mcp-go repeats it: in the _meta of the answer and of the stream's notifications.
func restoreIDs(t *jsontape.Tape, edits []edit) []edit {
	for _, member := range []string{"result", "params"} {
		body := t.Member(0, member)
		if body < 0 {
			continue
		}
		meta := t.Member(body, "_meta")
		if meta < 0 {
			continue
		}
		i := t.Member(meta, mcp.MetaKeySubscriptionID)
		if i < 0 || t.Tokens[i].Kind != jsontape.String {
			continue
		}
		if id, ok := decodeID(t.Bytes(i)); ok {
			edits = append(edits, edit{token: i, raw: [3][]byte{id}})
		}
	}
	return edits
}

// WriteNotification writes doc, a notification of mcp-go, as one frame without its
// delimiters.
func WriteNotification(w io.Writer, doc []byte, framing Framing) error {
	return (&Message{}).WriteAnswer(w, doc, framing)
}
