package jsontape

import "unsafe"

// DefaultMaxDepth is how deep arrays and objects may nest where Options does not say
// otherwise. It is the limit of encoding/json.
const DefaultMaxDepth = 10_000

// DepthCeiling is the greatest limit of depth. Reading takes no stack, but most of what walks
// over a tape takes some for each level: up to a kilobyte, and Go ends a process whose stack
// is larger than a gigabyte.
const DepthCeiling = 1 << 17

// Options says how a document is read. The zero value means the defaults.
type Options struct {
	// MaxDepth is how deep arrays and objects may nest: 1 allows [] and refuses [[]].
	// 0 means DefaultMaxDepth, and more than DepthCeiling means DepthCeiling.
	MaxDepth int
	// IndexDepth says which values get tokens: the root is at depth 1, its elements or
	// members (and their names) at depth 2, and so on. Values deeper than IndexDepth are
	// checked as strictly as the others but have no token, so a container at exactly this
	// depth is one token, with nothing inside it. 0 means that every value is indexed.
	IndexDepth int
}

// Tape is the index of one document. The zero value is ready for Parse; a Tape that is
// used for one document after the other keeps its memory.
//
// Reading methods may run at the same time, except RepeatedName, which uses memory that
// belongs to the Tape. Methods that take a token index panic where it is not on the tape.
type Tape struct {
	// Data is the document as given to Parse. The Tape points into it, so it must not
	// change while the Tape is in use.
	Data []byte
	// Tokens are in document order; Tokens[0] is the root. Only Parse makes tokens.
	Tokens []Token

	distinct bool // no object is unsure, see Token
	plain    bool // no string holds an escape
	names    names
}

// Parse reads data, which must hold exactly one JSON value (RFC 8259) with nothing but
// white space around it, and indexes it. It is strict: UTF-8 without overlong forms and
// surrogates, no byte order mark, no extension of the grammar. Numbers may have any size
// and an escape may stand for a lone surrogate. Names may repeat, see RepeatedName.
//
// The error is nil or a *SyntaxError, after which the Tape has no tokens.
func (t *Tape) Parse(data []byte, o Options) error {
	t.Data = data
	r := reader{tokens: t.Tokens[:cap(t.Tokens)], maxDepth: o.MaxDepth, indexDepth: o.IndexDepth}
	ok := r.run(data)
	t.Tokens = r.tokens[:r.used]
	t.distinct, t.plain = r.unsure == 0, r.flags&Escaped == 0
	if !ok {
		t.Tokens = t.Tokens[:0]
		return r.explain(data)
	}
	return nil
}

// Valid gives the error that Parse with default options would give, without a tape.
func Valid(data []byte) error {
	// Only open containers keep a token, so these are enough for ordinary documents.
	var tokens [32]Token
	r := reader{tokens: tokens[:], indexDepth: 1}
	if !r.run(data) {
		return r.explain(data)
	}
	return nil
}

// HasEscapes reports whether some string or member name of the document, indexed or not, may
// hold an escape. It is sure if it says no.
func (t *Tape) HasEscapes() bool { return !t.plain }

// Bytes is the exact text of token i, a view into Data. A string includes its quotes.
func (t *Tape) Bytes(i int) []byte {
	k := &t.Tokens[i]
	return t.Data[k.Start:k.End:k.End]
}

// Str is the value of the String token i, with escapes decoded. Without escapes it is a
// view into Data and costs no allocation. A lone surrogate such as \ud800 becomes the
// three bytes that UTF-8 would use if it encoded surrogates (WTF-8), so that different
// strings stay different.
func (t *Tape) Str(i int) string {
	k := &t.Tokens[i]
	text := t.Data[k.Start+1 : k.End-1]
	if k.Flags&Escaped != 0 {
		text = appendUnescaped(make([]byte, 0, len(text)), text)
	}
	return unsafe.String(unsafe.SliceData(text), len(text))
}

// Next is the index of the token after token i and everything inside it. For a member
// name this is the member's value.
func (t *Tape) Next(i int) int {
	return int(t.Tokens[i].Next)
}

// Len counts the elements of an array or the members of an object. It is 0 for every
// other token and for a container whose content is not indexed (Options.IndexDepth).
func (t *Tape) Len(i int) int {
	k := &t.Tokens[i]
	if k.Kind != Array && k.Kind != Object {
		return 0
	}
	n := 0
	for c := i + 1; c < int(k.Next); c = t.Next(c) {
		n++
	}
	if k.Kind == Object {
		n /= 2
	}
	return n
}

// Member is the token of the value of the member that has this name, compared exactly
// after unescaping, in the object at token obj. It is -1 where there is none or the token
// is no object. Where a name is repeated the first counts.
func (t *Tape) Member(obj int, name string) int {
	k := &t.Tokens[obj]
	if k.Kind != Object {
		return -1
	}
	for c := obj + 1; c < int(k.Next); c = t.Next(c + 1) {
		if t.equalString(c, name) {
			return c + 1
		}
	}
	return -1
}

// equalString reports whether the String token i has the value s. It does not allocate.
func (t *Tape) equalString(i int, s string) bool {
	k := &t.Tokens[i]
	text := t.Data[k.Start+1 : k.End-1]
	if k.Flags&Escaped == 0 {
		return string(text) == s
	}
	return equalUnescaped(text, s)
}
