package extract

import (
	"bytes"
	"hash/maphash"
	"math"
	"strconv"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// piece is a part of the input that is looked through at once.
type piece struct {
	kind pieceKind
	data []byte
	// offset and line tell where data[0] stands in the input.
	offset int64
	line   int
	// columns: data[0] is the first character of its line.
	columns bool

	record int64 // offset of the document, or of the element of its array, that the piece belongs to
	// elements: data are elements of the array that the document is, each a record of its own.
	elements bool

	place uint64
	depth int // how many arrays and objects are open around it

	found []found
	ready chan struct{} // takes one value when found is complete
}

type pieceKind uint8

const (
	pieceLines pieceKind = iota // data holds whole lines, each of them JSON
	pieceValue                  // data is a value, or a run of elements or members in brackets
	pieceText                   // data is a part of a string that is only checked
	pieceFault                  // there is no data, found holds an error
)

// look fills p.found.
func (f *finder) look(p *piece) {
	f.found = p.found
	switch p.kind {
	case pieceLines:
		f.lines(p)
	case pieceValue, pieceText:
		f.run(p)
	case pieceFault:
	}
	p.found = f.found
	f.found = nil
}

// lines looks through each line of p.
func (f *finder) lines(p *piece) {
	data, at, line := p.data, 0, p.line
	for at < len(data) {
		end := len(data)
		if i := bytes.IndexByte(data[at:], '\n'); i >= 0 {
			end = at + i
		}
		offset := p.offset + int64(at)
		f.record = offset
		before := len(f.found)
		f.line(data[at:end], line)
		for i := before; i < len(f.found); i++ {
			m := &f.found[i].message
			m.Line, m.Offset = line, offset+int64(f.found[i].at)
		}
		f.identify(f.found[before:], false)
		at = end + 1
		line++
	}
}

// line looks through one line.
func (f *finder) line(text []byte, number int) {
	t := &f.levels[0].tape
	if isBlank(text) {
		return
	}
	may, err := f.parse(text, jsontape.Options{})
	if may {
		f.records(t, f.record, true, spot{})
	}
	if err != nil {
		f.found = append(f.found, found{err: broken(f.options, err, text, f.record, number, true)})
	}
}

// records looks through what t holds, where offset is its place in the input. If it is an array and
// elements is set, each of them is a record of its own.
func (f *finder) records(t *jsontape.Tape, offset int64, elements bool, s spot) {
	if !elements || t.Tokens[0].Kind != jsontape.Array {
		f.value(0, t, 0, s)
		return
	}
	for c := 1; c < t.Next(0); c = t.Next(c) {
		f.record = offset + int64(t.Tokens[c].Start)
		if b := t.Bytes(c); f.candidate(b) || t.HasEscapes() && hasEscapedLetter(b) {
			f.value(0, t, c, s)
		}
	}
}

// parse reads text into the tape of level 0 and says whether it may hold messages. If not, it is
// only checked.
func (f *finder) parse(text []byte, o jsontape.Options) (may bool, err error) {
	t := &f.levels[0].tape
	if !f.candidate(text) {
		check := o
		check.IndexDepth = 1
		if err := t.Parse(text, check); err != nil || !t.HasEscapes() || !hasEscapedLetter(text) {
			return false, err
		}
	}
	err = t.Parse(text, o)
	return err == nil, err
}

// run looks through the value that p is.
func (f *finder) run(p *piece) {
	f.record = p.record
	// A piece of this size may have a tape that is many times as large, so first it is only checked.
	large := len(p.data) > wholeWindows*f.options.window
	options := jsontape.Options{MaxDepth: max(1, jsontape.DefaultMaxDepth-p.depth)}
	if large || p.kind == pieceText {
		options.IndexDepth = 1
	}
	may, err := f.parse(p.data, options)
	if err != nil {
		f.found = append(f.found, found{err: broken(f.options, err, p.data, p.offset, p.line, p.columns)})
		return
	}
	before := len(f.found)
	switch s := (spot{place: p.place}); {
	case !may || p.kind == pieceText:
	case large:
		f.json(0, p.data, s)
	default:
		f.records(&f.levels[0].tape, p.offset, p.elements, s)
	}
	at, line := 0, p.line
	for i := before; i < len(f.found); i++ {
		n := &f.found[i]
		line += bytes.Count(p.data[at:n.at], []byte{'\n'})
		at = n.at
		n.message.Line, n.message.Offset = line, p.offset+int64(at)
	}
	f.identify(f.found[before:], !p.elements) // elements that are records of their own are all here
}

// identify sets what tells the messages of each record apart. later: others of the same record may
// come in another piece.
func (f *finder) identify(all []found, later bool) {
	for len(all) > 0 {
		n := 1
		for n < len(all) && all[n].record == all[0].record {
			n++
		}
		f.identifyRecord(all[:n], later)
		all = all[n:]
	}
}

// identifyRecord does so for one record, where that is needed: where it has several messages, or
// may have more.
func (f *finder) identifyRecord(group []found, later bool) {
	equal, lasting := true, later
	for i := range group {
		g := &group[i]
		if g.err != nil {
			return // then it is alone
		}
		lasting = lasting || g.lasting
		equal = equal && g.message.Failure == nil && g.message.SchemaID == group[0].message.SchemaID &&
			bytes.Equal(g.message.Payload, group[0].message.Payload)
	}
	switch {
	case lasting:
	case len(group) < 2:
		return
	case len(group) == 2 && equal:
		// Most messages are recorded so, and the sieve would say the same.
		a, b := &group[0], &group[1]
		if a.place != b.place && (a.call == b.call || a.call == 0 || b.call == 0) {
			a.known = a.level == 0 && b.level > 0
			b.known = !a.known
		}
		return
	}
	for i := range group {
		g := &group[i]
		g.identified = true
		if !equal || lasting {
			g.value = f.hash(&g.message)
		}
	}
}

// hash is equal for messages that are the same, also where a client has decoded and encoded one.
func (f *finder) hash(m *Message) uint64 {
	h := maphash.String(f.seed, m.SchemaID)
	if m.Failure != nil {
		return mix(h, maphash.String(f.seed, m.Failure.Code), maphash.String(f.seed, m.Failure.Message))
	}
	t := &f.levels[0].tape
	// It has been read as a part of the piece, so it can be read again.
	if t.Parse(m.Payload, jsontape.Options{MaxDepth: jsontape.DepthCeiling}) != nil {
		return mix(h, maphash.Bytes(f.seed, m.Payload), 0)
	}
	return mix(h, f.hashValue(t, 0), 1)
}

func (f *finder) hashValue(t *jsontape.Tape, i int) uint64 {
	k := &t.Tokens[i]
	h := uint64(k.Kind)
	switch k.Kind {
	case jsontape.Number:
		n, err := strconv.ParseFloat(string(t.Bytes(i)), 64)
		if err != nil {
			return uint64(jsontape.Null) // what JavaScript writes for 1e400
		}
		if n == 0 {
			n = 0 // -0 is written as 0
		}
		return mix(h, math.Float64bits(n), 0)
	case jsontape.String:
		return mix(h, maphash.String(f.seed, t.Str(i)), 0)
	case jsontape.Array:
		for c := i + 1; c < int(k.Next); c = t.Next(c) {
			h = mix(h, f.hashValue(t, c), 0)
		}
	case jsontape.Object:
		var members uint64 // in any order
		for n := i + 1; n < int(k.Next); n = t.Next(n + 1) {
			members += mix(maphash.String(f.seed, t.Str(n)), f.hashValue(t, n+1), 0)
		}
		return mix(h, members, 0)
	case jsontape.Invalid, jsontape.Null, jsontape.False, jsontape.True:
	}
	return h
}

// mix makes one number of three; the order counts.
func mix(a, b, c uint64) uint64 {
	const odd = 0x9E3779B97F4A7C15
	h := (a^a>>32)*odd + b
	h = (h^h>>29)*odd + c
	return (h ^ h>>31) * odd
}

// spaces counts the bytes of white space that b begins with.
func spaces(b []byte) int {
	for i, c := range b {
		if !isSpace(c) {
			return i
		}
	}
	return len(b)
}

// isBlank says whether b holds nothing but white space.
func isBlank(b []byte) bool { return spaces(b) == len(b) }

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\r' || c == '\n' }
