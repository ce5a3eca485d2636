package wire

import (
	"bytes"

	"github.com/mark3labs/mcp-go/mcp"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// How much of a member the Scanner keeps. What is longer counts as unknown.
const (
	maxScannedName = 256
	maxScannedID   = 4 << 10
	maxScannedMeta = maxForwardBytes / 2
)

// Scanner finds what identifies a message that is too large or too deep to be read: its id
// and method, the tool's name and the _meta of its params. It takes the message in pieces
// of any size, in constant memory. It does not check the grammar: of a message that
// Parser.Parse accepts it finds what Parse finds, of other bytes it finds something or
// nothing. The zero value is ready.
type Scanner struct {
	depth    int  // containers that are open
	inString bool // between quotes
	escaped  bool // after a backslash
	object   bool // the message is an object
	inParams bool // in the object that is the value of params
	complete bool // the message's last bracket was seen

	want    phase // in the object at hand, where that is the message or its params
	key     [9]byte
	keyLen  int // len(key) or more: no name that is looked for
	current *scanned
	scalar  bool // current is a number or literal and ends with the first byte after it
	level   int  // depth at which current ends, if it is a container

	id, method, name, meta scanned
}

type phase uint8

const (
	wantKey phase = iota
	wantColon
	wantValue
	wantComma
)

// scanned is a value found, as text.
type scanned struct {
	text []byte
	seen int  // how often the member was there
	over bool // too long to be kept
	done bool // its end was seen
}

// valid is the text if the member was there once, whole, and is JSON of the kind wanted.
func (v *scanned) valid(kind jsontape.Kind) ([]byte, bool) {
	if v.seen != 1 || v.over || !v.done {
		return nil, false
	}
	var t jsontape.Tape
	if t.Parse(v.text, jsontape.Options{}) != nil || t.Tokens[0].Kind != kind || t.RepeatedName(0) >= 0 {
		return nil, false
	}
	return v.text, true
}

// Scan takes the next piece of the message.
func (s *Scanner) Scan(piece []byte) {
	for _, c := range piece {
		s.next(c)
	}
}

// next takes one byte.
func (s *Scanner) next(c byte) {
	if s.inString {
		s.inText(c)
		return
	}
	switch c {
	case ' ', '\t', '\n', '\r':
		s.endScalar()
		s.keep(c)
	case '"':
		s.inString = true
		switch {
		case !s.tracked():
			s.keep(c)
		case s.want == wantKey:
			s.keyLen = 0
		default:
			s.begin(c)
		}
	case '{', '[':
		s.open(c)
	case '}', ']':
		s.close(c)
	case ',':
		s.endScalar()
		s.keep(c)
		if s.tracked() {
			s.want = wantKey
		}
	case ':':
		s.keep(c)
		if s.tracked() {
			s.want = wantValue
		}
	default:
		if s.tracked() && s.want == wantValue {
			s.begin(c)
			s.scalar = s.current != nil
			return
		}
		s.keep(c)
	}
}

// tracked reports whether the innermost container is the message or its params.
func (s *Scanner) tracked() bool {
	return s.object && (s.depth == 1 || s.depth == 2 && s.inParams)
}

// inText takes one byte of a string or its closing quote.
func (s *Scanner) inText(c byte) {
	isKey := s.tracked() && s.want == wantKey
	if c == '"' && !s.escaped {
		s.inString = false
		if isKey {
			s.want = wantColon
			return
		}
		s.keep(c)
		if s.tracked() {
			s.end()
		}
		return
	}
	s.escaped = c == '\\' && !s.escaped
	if !isKey {
		s.keep(c)
	} else if s.keyLen < len(s.key) {
		s.key[s.keyLen] = c
		s.keyLen++
	}
}

// begin takes the first byte of a value in a tracked object.
func (s *Scanner) begin(c byte) {
	s.want = wantComma
	if s.current = s.member(); s.current == nil {
		return
	}
	s.current.seen++
	s.current.text = s.current.text[:0]
	s.level = s.depth
	s.keep(c)
}

// member is where the value after the present key is kept, nil if it is of no interest.
func (s *Scanner) member() *scanned {
	key := string(s.key[:s.keyLen])
	switch {
	case s.depth == 1 && key == "id":
		return &s.id
	case s.depth == 1 && key == "method":
		return &s.method
	case s.depth == 2 && key == "name":
		return &s.name
	case s.depth == 2 && key == "_meta":
		return &s.meta
	}
	return nil
}

// keep adds a byte to the value being kept, if any.
func (s *Scanner) keep(c byte) {
	v := s.current
	if v == nil || v.over {
		return
	}
	limit := maxScannedName
	switch v {
	case &s.id:
		limit = maxScannedID
	case &s.meta:
		limit = maxScannedMeta
	}
	if len(v.text) == limit {
		v.over = true
		return
	}
	v.text = append(v.text, c)
}

// end ends the value being kept.
func (s *Scanner) end() {
	if s.current != nil {
		s.current.done = true
		s.current = nil
	}
	s.scalar = false
}

func (s *Scanner) endScalar() {
	if s.scalar {
		s.end()
	}
}

// open takes an opening bracket.
func (s *Scanner) open(c byte) {
	params := false
	switch {
	case s.depth == 0:
		s.object = c == '{' && !s.complete
	case s.tracked() && s.want == wantValue:
		params = s.depth == 1 && c == '{' && string(s.key[:s.keyLen]) == "params"
		s.begin(c)
	default:
		s.keep(c)
	}
	s.depth++
	if params {
		s.inParams = true
	}
	if s.tracked() && (s.depth == 1 || params) {
		s.want = wantKey
	}
}

// close takes a closing bracket.
func (s *Scanner) close(c byte) {
	s.endScalar()
	if s.depth == 0 {
		return
	}
	s.depth--
	s.keep(c)
	if s.current != nil && s.depth == s.level {
		s.end()
	}
	switch {
	case s.depth == 0:
		s.complete = true
	case s.depth == 1:
		s.inParams = false
		s.want = wantComma
	case s.tracked():
		s.want = wantComma
	}
}

// ID is the text of the message's id, null if it has none that can be used.
func (s *Scanner) ID() []byte {
	if text, ok := s.id.valid(jsontape.String); ok {
		return text
	}
	if text, ok := s.id.valid(jsontape.Number); ok && !bytes.ContainsAny(text, ".eE") {
		return text
	}
	return null
}

// Method is the name of the message's method, "" if it has none that can be used. A message with
// an id and without a method is an answer.
func (s *Scanner) Method() string {
	text, ok := s.method.valid(jsontape.String)
	if !ok {
		return ""
	}
	return string(jsontape.AppendUnquoted(nil, text))
}

// Refuse makes what Parser.Parse would have made of the message, had it not been what why
// says. The call of a tool is left to the tool, with why as its fault; anything else gets
// -32600, unless it is plainly a notification, which gets no answer.
func (s *Scanner) Refuse(why string) (*Message, *Refusal) {
	id := s.ID()
	method, _ := s.method.valid(jsontape.String)
	name, named := s.name.valid(jsontape.String)
	calls := method != nil && string(jsontape.AppendUnquoted(nil, method)) == MethodToolsCall
	switch {
	case s.complete && s.id.seen == 0 && method != nil:
		return nil, nil
	case !calls || !named || string(id) == "null":
		return nil, &Refusal{Code: CodeInvalidRequest, ID: id, Message: "the message is " + why}
	}
	m := &Message{Kind: Request, ID: id, Method: MethodToolsCall, Call: &Call{
		Tool:  string(jsontape.AppendUnquoted(nil, name)),
		Fault: "the message is " + why,
	}}
	var t jsontape.Tape
	if t.Parse(id, jsontape.Options{}) == nil && !survives(id, &t.Tokens[0]) {
		id = encodeID(id)
	}
	m.Forward = append(m.Forward, `{"jsonrpc":"2.0","id":`...)
	m.Forward = append(m.Forward, id...)
	m.Forward = append(m.Forward, `,"method":"tools/call","params":{"name":`...)
	m.Forward = append(m.Forward, name...)
	if meta, ok := s.meta.valid(jsontape.Object); ok && countValues(meta) <= maxForwardValues/2 {
		m.Forward = append(append(m.Forward, `,"_meta":`...), meta...)
		if t.Parse(meta, jsontape.Options{}) == nil {
			if i := t.Member(0, mcp.MetaKeyProtocolVersion); i > 0 && t.Tokens[i].Kind == jsontape.String {
				m.Version = t.Bytes(i)
			}
		}
	}
	m.Forward = append(m.Forward, `,"arguments":{}}}`...)
	return m, nil
}
