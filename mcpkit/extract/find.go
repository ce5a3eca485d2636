package extract

import (
	"bytes"
	"errors"
	"hash/maphash"
	"math/bits"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/envelope"
)

const (
	// maxNesting is how many strings around a message are taken off.
	maxNesting = 16
	// leastEnvelope is the size of {"ok":true,"schema_id":"","payload":0} less a few bytes: what
	// is shorter needs no look.
	leastEnvelope = 30
	// wholeWindows is the size, in windows, beyond which a value is read piece by piece: the tape
	// of a value can be eight times as large as its text.
	wholeWindows = 16
)

// found is a message with what tells it from others, or an error.
type found struct {
	message Message
	err     error
	at      int // where it begins in the piece
	level   int // how many strings stand around it

	record int64  // offset of the line or document that it stands in
	place  uint64 // names on the way from there to it
	call   uint64 // hash of CallID, 0 without
	value  uint64 // hash of schema and payload
	// lasting: another line may tell of the same call.
	lasting bool
	// identified: value is set, so it has to be asked whether the message is known.
	identified bool
	known      bool // another record of it has been given
}

// spot is where a walk has come to: the path to it, and the call that it belongs to.
type spot struct {
	place   uint64
	callID  string
	lasting bool
}

// finder looks for messages. Each worker has one; it keeps its memory.
type finder struct {
	options Options
	seed    maphash.Seed
	levels  [maxNesting + 1]level
	names   map[string]string // schema ids, so that each is in memory once
	found   []found
	slab    []byte // holds payloads that were given away, see clone
	record  int64
	base    int // where in the piece the value begins that is looked through
	at      int // where in the piece the outermost string begins, while inside of one
}

// level is the memory for what is inside of so many strings.
type level struct {
	text []byte
	tape jsontape.Tape
}

// candidate says whether b may hold an envelope, given that it has no escaped letters. Every
// envelope has a member schema_id or, if it is one of a failure, members ok and error. As they are
// words, they read the same in a string inside of a string.
func (f *finder) candidate(b []byte) bool { return candidate(b, f.options.Failures) }

func candidate(b []byte, failures bool) bool {
	if hasSchemaID(b) {
		return true
	}
	return failures && bytes.Contains(b, []byte("error")) &&
		(bytes.Contains(b, []byte(`ok"`)) || bytes.Contains(b, []byte(`ok\`)))
}

// hasSchemaID is bytes.Contains for schema_id. It looks for the low line, which is seldom in text.
func hasSchemaID(b []byte) bool {
	const name = "schema_id"
	const before = len("schema")
	for at := 0; ; at++ {
		i := bytes.IndexByte(b[at:], '_')
		if i < 0 {
			return false
		}
		at += i
		if at >= before && len(b)-at >= len(name)-before && string(b[at-before:at+len(name)-before]) == name {
			return true
		}
	}
}

// hasEscapedLetter says whether b has a \u escape of a letter, a digit, a low line or a backslash,
// of which the names of an envelope could be made, in strings inside of strings too.
func hasEscapedLetter(b []byte) bool {
	for at := 0; ; at++ {
		at = indexUnicodeEscape(b, at)
		if at < 0 || len(b) < at+6 {
			return false
		}
		if b[at+2] != '0' || b[at+3] != '0' {
			continue
		}
		switch c, low := b[at+4], b[at+5]|0x20; c {
		case '3':
			if b[at+5] <= '9' {
				return true
			}
		case '5':
			if low == 'c' || low == 'f' {
				return true
			}
		case '6', '7':
			if c == '6' || low <= 'a' {
				return true
			}
		}
	}
}

// indexUnicodeEscape is where the first \u of b[at:] stands in b, or -1. It is bytes.Index for
// texts with many other escapes.
func indexUnicodeEscape(b []byte, at int) int {
	for ; at+8 < len(b); at += 8 {
		if m := zeros((word(b, at) ^ low*'\\') | (word(b, at+1) ^ low*'u')); m != 0 {
			return at + bits.TrailingZeros64(m)/8
		}
	}
	if i := bytes.Index(b[at:], []byte(`\u`)); i >= 0 {
		return at + i
	}
	return -1
}

// value looks for messages in the value at token i.
func (f *finder) value(depth int, t *jsontape.Tape, i int, s spot) {
	k := &t.Tokens[i]
	switch k.Kind {
	case jsontape.String:
		if k.End-k.Start > leastEnvelope {
			f.text(depth, t, i, s)
		}
	case jsontape.Array:
		for c := i + 1; c < int(k.Next); c = t.Next(c) {
			f.value(depth, t, c, s)
		}
	case jsontape.Object:
		f.object(depth, t, i, s, false)
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number:
	}
}

// object looks whether the object at token i is an envelope and, if not and unless shallow, for
// envelopes in it. It says whether the object is one.
func (f *finder) object(depth int, t *jsontape.Tape, i int, s spot, shallow bool) bool {
	ok := -1
	end := t.Next(i)
	worth := false // whether it has a member that is worth a look
	for n := i + 1; n < end; n = t.Next(n + 1) {
		v := n + 1
		k := &t.Tokens[v]
		switch k.Kind {
		case jsontape.Object, jsontape.Array:
			worth = true
		case jsontape.String:
			worth = worth || k.End-k.Start > leastEnvelope
		case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number:
		}
		switch name(t, n) {
		case "ok":
			if ok < 0 {
				ok = v
			}
		case "tool_use_id", "tool_call_id":
			if k.Kind == jsontape.String {
				s.callID, s.lasting = t.Str(v), false
			}
		case "call_id":
			if k.Kind == jsontape.String {
				s.callID, s.lasting = t.Str(v), true
			}
		}
	}
	if ok > 0 && (t.Tokens[ok].Kind == jsontape.True || f.options.Failures) {
		if e, is := envelope.At(t, i); is {
			f.add(depth, t, i, s, e)
			return true
		}
	}
	if !worth || shallow {
		return false
	}
	for n := i + 1; n < end; n = t.Next(n + 1) {
		switch k := &t.Tokens[n+1]; {
		case k.Kind == jsontape.Object || k.Kind == jsontape.Array,
			k.Kind == jsontape.String && k.End-k.Start > leastEnvelope:
			inside := s
			inside.place = f.below(s.place, t.Bytes(n))
			f.value(depth, t, n+1, inside)
		}
	}
	return false
}

// name is the name at token n if it is as short as those that matter, else "".
func name(t *jsontape.Tape, n int) string {
	k := &t.Tokens[n]
	if k.Flags&jsontape.Escaped == 0 && k.End-k.Start > uint32(len(`"tool_call_id"`)) {
		return ""
	}
	return t.Str(n)
}

// below is the place of a member, given its name with quotes.
func (f *finder) below(place uint64, name []byte) uint64 { return below(f.seed, place, name) }

func below(seed maphash.Seed, place uint64, name []byte) uint64 {
	return mix(place, maphash.Bytes(seed, name), 2)
}

// text looks for messages in what the string at token i says.
func (f *finder) text(depth int, t *jsontape.Tape, i int, s spot) {
	quoted := t.Bytes(i)
	if depth == maxNesting || !f.candidate(quoted) && (t.Tokens[i].Flags&jsontape.Escaped == 0 || !hasEscapedLetter(quoted)) {
		return
	}
	if depth == 0 {
		f.at = f.base + int(t.Tokens[i].Start)
	}
	in := &f.levels[depth+1]
	in.text = jsontape.AppendUnquoted(in.text[:0], quoted)
	s.place = f.below(s.place, nil)
	if f.json(depth+1, in.text, s) {
		return
	}
	// It is prose, or a recorded stream, with JSON in it.
	for line := range bytes.Lines(in.text) {
		line = bytes.TrimPrefix(bytes.TrimSpace(line), []byte("data:"))
		if len(line) > leastEnvelope && (f.candidate(line) || hasEscapedLetter(line)) {
			f.json(depth+1, line, s)
		}
	}
}

// json looks for messages in text, which stands in so many strings, and says whether it is JSON.
func (f *finder) json(depth int, text []byte, s spot) bool {
	t := &f.levels[depth].tape
	large := len(text) > wholeWindows*f.options.window
	if !large && !bytes.HasPrefix(text, []byte(`{"ok"`)) {
		if t.Parse(text, jsontape.Options{}) != nil {
			return false
		}
		f.value(depth, t, 0, s)
		return true
	}
	// Most probably it is an envelope, whose payload need not be on the tape.
	if t.Parse(text, jsontape.Options{IndexDepth: 2}) != nil {
		return false
	}
	switch t.Tokens[0].Kind {
	case jsontape.Object:
		switch {
		case f.object(depth, t, 0, s, true):
		case large:
			f.inPieces(depth, text, s)
		case t.Parse(text, jsontape.Options{}) == nil:
			f.value(depth, t, 0, s)
		}
	case jsontape.Array:
		f.inPieces(depth, text, s)
	case jsontape.String:
		f.text(depth, t, 0, s)
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True, jsontape.Number:
	}
	return true
}

// add notes the message of the envelope at token i.
func (f *finder) add(depth int, t *jsontape.Tape, i int, s spot, e envelope.Envelope) {
	m := Message{File: f.options.File}
	if e.Refusal != nil {
		failure := Failure(*e.Refusal)
		m.SchemaID, m.Failure = failure.SchemaID, &failure
	} else {
		m.SchemaID = f.intern(e.SchemaID)
	}
	if f.options.SchemaID != "" && m.SchemaID != f.options.SchemaID {
		return
	}
	if n := len(f.found); n > 0 && e.Refusal == nil && f.found[n-1].record == f.record && bytes.Equal(f.found[n-1].message.Payload, e.Payload) {
		m.Payload = f.found[n-1].message.Payload // most probably only one of the two is given
	} else {
		m.Payload = f.clone(e.Payload)
	}
	at := f.at
	if depth == 0 {
		at = f.base + int(t.Tokens[i].Start)
	}
	n := found{message: m, at: at, level: depth, record: f.record, place: s.place}
	if s.callID != "" {
		n.message.CallID = strings.Clone(s.callID) // it was a view into the piece
		n.call, n.lasting = maphash.String(f.seed, s.callID), s.lasting
	}
	f.found = append(f.found, n)
}

// clone copies a payload for the caller. Small ones share their memory, so that not each needs a
// call of the allocator; who keeps one of them keeps no more than slab bytes.
func (f *finder) clone(b []byte) []byte {
	const slab = 8 << 10
	if len(b) > slab/8 {
		return bytes.Clone(b)
	}
	if len(b) > cap(f.slab)-len(f.slab) {
		f.slab = make([]byte, 0, slab)
	}
	at := len(f.slab)
	f.slab = append(f.slab, b...)
	return f.slab[at:len(f.slab):len(f.slab)]
}

// intern gives id as a string of its own, the same one for the same id.
func (f *finder) intern(id string) string {
	if known, ok := f.names[id]; ok {
		return known
	}
	if len(f.names) > 1000 { // ids are names of schemas, not data: these are hostile
		clear(f.names)
	}
	own := strings.Clone(id)
	f.names[own] = own
	return own
}

// broken words an error of the tape at data, which begins at an offset and on a line of the input.
func broken(o Options, err error, data []byte, offset int64, line int, columns bool) *BrokenError {
	b := &BrokenError{File: o.File, Line: line, Offset: offset, Reason: err.Error()}
	var syntax *jsontape.SyntaxError
	if !errors.As(err, &syntax) {
		return b
	}
	b.Reason = syntax.Msg
	if syntax.Reason == jsontape.ReasonSyntax || syntax.Reason == jsontape.ReasonUTF8 {
		b.Reason = "not JSON: " + syntax.Msg
	}
	row, column := jsontape.Position(data, syntax.Offset)
	b.Offset += int64(syntax.Offset)
	b.Line += row - 1
	if columns || row > 1 {
		b.Column = column
	}
	return b
}
