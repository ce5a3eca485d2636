package wire

import (
	"context"
	"crypto/rand"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Call is what was taken out of one tools/call request, and what is to be put into its
// answer. It belongs to the goroutine that handles the request.
type Call struct {
	Tool string
	// SchemaID and Payload are the two arguments that the tools know. Of a tool whose
	// arguments are the payload, Payload holds them all.
	SchemaID, Payload Argument
	// Text is what the request's _meta says of the text block of its answer, under MetaText:
	// "none", "full", or "" where it says nothing.
	Text string
	// Others are the arguments that the tools don't know, at most eight of them; of a tool whose
	// arguments are the payload, there are none.
	Others []Other
	// Fault says why the arguments can't be used, "" if they can: not an object, a name
	// twice, a limit exceeded.
	Fault string

	tape    *jsontape.Tape // nil if it has no tokens for what is in the payload
	payload int            // the payload's token
	checked func()         // see OnChecked

	token   string
	parts   [3][]byte
	noText  bool
	list    string  // see AnswerList, "" for another answer
	content []Piece // nil where the content is the envelope as text, or nothing
}

// Piece is a piece of JSON text that is written into an answer.
type Piece struct {
	Text []byte
	// Escaped writes Text, which is UTF-8, as the inside of a JSON string. By default it is JSON
	// and written as it is.
	Escaped bool
}

// Argument is one argument of a call. Its zero value is an argument that is not there.
type Argument struct {
	Text []byte        // as received
	Kind jsontape.Kind // Invalid where the argument is missing
}

// MetaText is the member of a call's _meta that says whether the answer has a text block.
const MetaText = "io.github.zenlix.echo-mcp/text"

// readText reads what the _meta at token meta, 0 being no _meta, says of the text block.
func (c *Call) readText(t *jsontape.Tape, meta int) {
	if meta == 0 || t.Tokens[meta].Kind != jsontape.Object {
		return
	}
	i := t.Member(meta, MetaText)
	if i < 0 {
		return
	}
	if t.Tokens[i].Kind == jsontape.String {
		c.Text = t.Str(i)
	}
	if c.Text != "none" && c.Text != "full" && c.Fault == "" {
		c.Fault = `_meta["` + MetaText + `"] must be "full" or "none"`
	}
}

// Other is an argument that is not known, by its name, cut if long.
type Other struct {
	Name string
	Kind jsontape.Kind
}

// maxOthers is how many such arguments a call keeps.
const maxOthers = 8

// fill fills the call from the arguments object at token i; 0 means there is none.
// Where the arguments are the whole payload, their absence is the empty object, as the
// protocol allows to leave them out.
func (c *Call) fill(t *jsontape.Tape, i int, whole bool) {
	if whole {
		c.Payload = Argument{emptyObject, jsontape.Object}
		if i != 0 {
			c.Payload, c.payload = argument(t, i), i
		}
		return
	}
	if i == 0 || t.Tokens[i].Kind == jsontape.Null {
		return
	}
	if k := t.Tokens[i].Kind; k != jsontape.Object {
		c.Fault = "arguments must be a JSON object, not " + article(k)
		return
	}
	var id, payload int
	c.Fault = members(t, i, argumentNames, []*int{&id, &payload})
	if id != 0 {
		c.SchemaID = argument(t, id)
	}
	if payload != 0 {
		c.Payload, c.payload = argument(t, payload), payload
	}
	for n := i + 1; n < t.Next(i) && len(c.Others) < maxOthers; n = t.Next(n + 1) {
		if v := n + 1; v != id && v != payload {
			text := t.Bytes(n)
			if len(text) > maxQuoted {
				text = append([]byte(clip(text)), '"')
			}
			c.Others = append(c.Others, Other{string(jsontape.AppendUnquoted(nil, text)), t.Tokens[v].Kind})
		}
	}
}

func argument(t *jsontape.Tape, i int) Argument {
	return Argument{t.Bytes(i), t.Tokens[i].Kind}
}

// keep keeps the tape for Tape if it can stand for one made of the payload alone, with the
// same limit of depth.
func (c *Call) keep(t *jsontape.Tape, maxDepth int, whole bool) {
	// Arguments that are the payload have a container less around them than the limit of the
	// message allows for. A level takes two brackets: short ones can't be too deep.
	if c.payload == 0 || whole && len(c.Payload.Text) > 2*maxDepth && deeper(t, c.payload, maxDepth) {
		return
	}
	c.tape = t
}

// deeper reports whether the containers of the value at token i nest deeper than a limit. To look
// costs a fraction of what it costs to read the value once more.
func deeper(t *jsontape.Tape, i, limit int) bool {
	var ends []int // of the containers around a token
	for c, end := i, t.Next(i); c < end; c++ {
		for len(ends) > 0 && ends[len(ends)-1] <= c {
			ends = ends[:len(ends)-1]
		}
		if k := t.Tokens[c].Kind; k == jsontape.Object || k == jsontape.Array {
			if ends = append(ends, t.Next(c)); len(ends) > limit {
				return true
			}
		}
	}
	return false
}

// Tape is the message's tape and the token of the payload on it, which has tokens for all
// that is in it. The tape is nil where there is none that could be used: the payload then
// has to be read. It may be used until Release.
func (c *Call) Tape() (t *jsontape.Tape, payload int) { return c.tape, c.payload }

// Release gives the memory of the tape back. It may be called more than once.
func (c *Call) Release() {
	if c != nil && c.tape != nil {
		releaseTape(c.tape)
		c.tape = nil
	}
}

// OnChecked says what Checked calls.
func (c *Call) OnChecked(f func()) {
	if c != nil {
		c.checked = f
	}
}

// Checked is for a handler that goes on after it has read its payload, and may take its time: it
// gives back the tape, and the memory that reading and checking a message takes, for which
// others wait.
func (c *Call) Checked() {
	c.Release()
	if c.checked != nil {
		c.checked()
	}
}

// Answer keeps the envelope, which is the three parts one after the other, for
// Message.WriteAnswer. The parts must not change until then. It returns the token that the
// handler's result must have as its only text block and as its structured content. A later
// Answer replaces an earlier one.
func (c *Call) Answer(parts [3][]byte) (token string) {
	c.token, c.parts, c.noText, c.content, c.list = rand.Text(), parts, false, nil, ""
	return c.token
}

// AnswerWithoutText is Answer for a result that has no text block: its content is empty.
func (c *Call) AnswerWithoutText(parts [3][]byte) (token string) {
	token = c.Answer(parts)
	c.noText = true
	return token
}

// AnswerContent is Answer for a result whose content the handler has written: content is the text
// of the array, and structured that of the structured content, nil for none. The handler's result
// must have the token as its only text block and, unless structured is nil, as its structured
// content.
func (c *Call) AnswerContent(content []Piece, structured []byte) (token string) {
	token = c.Answer([3][]byte{structured})
	c.content = content
	return token
}

// The lists that AnswerList replaces, and the methods whose results have them.
const (
	ListContents = "contents" // resources/read
	ListMessages = "messages" // prompts/get
)

// AnswerList is Answer for a result whose list, ListContents or ListMessages, the handler has
// written: items is the text of the array. The handler's result must have one item in that list,
// whose text is the token.
func (c *Call) AnswerList(list string, items []Piece) (token string) {
	token = c.Answer([3][]byte{})
	c.list, c.content = list, items
	return token
}

// Answered reports whether the call has an envelope that was not written yet.
func (c *Call) Answered() bool {
	return c != nil && c.token != ""
}

type messageKey struct{}

// NewContext returns a context that carries the message to its handler.
func NewContext(ctx context.Context, m *Message) context.Context {
	return context.WithValue(ctx, messageKey{}, m)
}

// FromContext returns the call of the message that NewContext put into the context, nil if
// there is none.
func FromContext(ctx context.Context) *Call {
	if m, ok := ctx.Value(messageKey{}).(*Message); ok {
		return m.Call
	}
	return nil
}

// MessageFrom returns the message that NewContext put into the context, nil if there is none.
func MessageFrom(ctx context.Context) *Message {
	m, _ := ctx.Value(messageKey{}).(*Message)
	return m
}
