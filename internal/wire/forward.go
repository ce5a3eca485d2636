package wire

import (
	"slices"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// What mcp-go gets is small by construction. Its decoder takes some eighty bytes of memory
// for each byte of a message that is made of small values, reads a message a dozen times
// over, and keeps what initialize says for as long as the session: that must not be
// multiplied with what a stranger likes to send. Two things see to it. The parts of a
// message that this server has a use for, but mcp-go has not, are left out: the arguments of
// a tool call, and of initialize the capabilities of the client and all but its name. What
// remains has these limits, on every method and transport; real messages have a few hundred
// bytes and some twenty values there.
const (
	maxForwardBytes  = 64 << 10
	maxForwardValues = 1024 // member names count too
)

// maxClientName is how long a value that tells who a client is may be, to be passed on.
const maxClientName = 256

// cut is a piece of text and what stands there instead.
type cut struct {
	start, end int
	text       []byte
}

// cutToken cuts the value at token i.
func cutToken(t *jsontape.Tape, i int, text []byte) cut {
	return cut{int(t.Tokens[i].Start), int(t.Tokens[i].End), text}
}

var (
	null        = []byte("null")
	emptyObject = []byte("{}")
)

// cuts are what has to be done to a message before mcp-go sees it, in the order of the text.
func (r *reading) cuts(m *Message) []cut {
	t := r.tape
	var cuts []cut
	if m.Kind == Request {
		cuts = appendIDCut(cuts, t, r.id)
	}
	if i := r.taken(m); i != 0 {
		cuts = append(cuts, cutToken(t, i, emptyObject))
	}
	switch m.Method {
	case MethodInitialize:
		cuts = r.appendClientCuts(cuts)
	case methodCancelled:
		if r.requestID != 0 {
			cuts = appendIDCut(cuts, t, r.requestID)
		}
	}
	slices.SortFunc(cuts, func(a, b cut) int { return a.start - b.start })
	return cuts
}

// appendClientCuts leaves out what nobody asks about the client of an initialize request.
// What is not of the kind that the protocol wants stays, for mcp-go to refuse.
func (r *reading) appendClientCuts(cuts []cut) []cut {
	t := r.tape
	if r.params == 0 {
		return cuts
	}
	if i := t.Member(r.params, "capabilities"); i > 0 && t.Tokens[i].Kind == jsontape.Object {
		cuts = append(cuts, cutToken(t, i, emptyObject))
	}
	info := t.Member(r.params, "clientInfo")
	if info < 0 || t.Tokens[info].Kind != jsontape.Object {
		return cuts
	}
	text := []byte{'{'}
	for _, name := range []string{"name", "title", "version"} {
		if i := t.Member(info, name); i > 0 && len(t.Bytes(i)) <= maxClientName {
			if len(text) > 1 {
				text = append(text, ',')
			}
			text = append(append(text, `"`+name+`":`...), t.Bytes(i)...)
		}
	}
	return append(cuts, cutToken(t, info, append(text, '}')))
}

// forward makes the text for mcp-go. It returns what is too large about it, "" if nothing,
// and makes no text then.
func (r *reading) forward(m *Message) (fault string) {
	cuts := r.cuts(m)
	size := len(r.tape.Data)
	for _, c := range cuts {
		size += len(c.text) - (c.end - c.start)
	}
	if size > maxForwardBytes {
		return r.excess(m, size, "bytes", maxForwardBytes)
	}
	m.Forward = replace(r.tape.Data, cuts, size)
	if values := countValues(m.Forward); values > maxForwardValues {
		return r.excess(m, values, "values", maxForwardValues)
	}
	return ""
}

// excess words that a message has more than the limit of something.
func (r *reading) excess(m *Message, n int, what string, limit int) string {
	beside := ""
	if r.taken(m) != 0 {
		beside = " beside the arguments"
	}
	return "the message has " + strconv.Itoa(n) + " " + what + beside + ", more than the " + strconv.Itoa(limit) +
		" that it may have there; the largest part is " + r.largest(m)
}

// largest is the pointer to the largest member of the message, or of its params, that goes
// to mcp-go. A long name stands in it as it was written, cut off.
func (r *reading) largest(m *Message) string {
	t := r.tape
	parent, name, size := "", 0, 0
	for at, obj := range []int{0, r.params} { // without params the message itself, twice
		if t.Tokens[obj].Kind != jsontape.Object {
			continue
		}
		for i := obj + 1; i < t.Next(obj); i = t.Next(i + 1) {
			value := i + 1
			if value == r.params || value == r.taken(m) {
				continue
			}
			if n := int(t.Tokens[value].End - t.Tokens[i].Start); n > size {
				parent, name, size = []string{"", "/params"}[at], i, n
			}
		}
	}
	if text := t.Bytes(name); len(text) > maxQuoted {
		return parent + "/" + clip(text[1:])
	}
	return t.Pointer(name + 1)
}

// countValues is how many values and member names a JSON text has, as far as that matters:
// each takes two bytes, so a short text can't have too many.
func countValues(text []byte) int {
	if len(text) <= 2*maxForwardValues {
		return 0
	}
	t := tapes.Get().(*jsontape.Tape)
	defer releaseTape(t)
	// It has been read before, with a limit of depth: this one must not be less.
	if t.Parse(text, jsontape.Options{MaxDepth: maxForwardBytes}) != nil {
		return 0
	}
	return len(t.Tokens)
}

// replace returns text with the cuts, which are in order, made; that has size bytes. Without
// cuts it is text.
func replace(text []byte, cuts []cut, size int) []byte {
	if len(cuts) == 0 {
		return text
	}
	out := make([]byte, 0, size)
	at := 0
	for _, c := range cuts {
		out = append(append(out, text[at:c.start]...), c.text...)
		at = c.end
	}
	return append(out, text[at:]...)
}
