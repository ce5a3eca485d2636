package extract

import (
	"bytes"
	"errors"
	"fmt"
	"hash/maphash"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// A value that is too large for the window is taken apart: into runs of elements or members that
// are complete, each of which is put in brackets again and read like a line. What is left over
// here is little: to find where values end, which takes brackets, commas and the quotes of
// strings, and to know where in the grammar a run begins. The runs themselves are checked where
// they are read.
//
// Whatever is smaller than half a window stays whole, so most messages do. Larger ones are kept
// whole, up to a limit, where they look like messages: objects that have a member of an envelope,
// and strings that hold JSON.

// splitter takes large values apart.
type splitter struct {
	in      *input
	emit    func(piece) error
	options Options
	seed    maphash.Seed

	lines bool // the value ends with its line
	// undecided: that is not sure yet, as nothing was read before. If the line ends inside the
	// value, it is a document.
	undecided bool

	record int64
	open   []container // those that were taken apart, around the view
	want   want
	size   int // of the view, at most

	// The scan of what is in view, up to pos.
	pos    int
	inside []bracket // those that are open in the view
	comma  int       // the last one that belongs to the innermost of open, or -1
	str    int       // where the string begins that pos is in, or -1
	held   int       // where the value begins that is kept whole, or -1
	ended  int       // where the line in view ends, as far as it is known, or -1
	past   int       // how far the end of the line was searched for

	tape    jsontape.Tape
	scratch []byte
}

// container is an array or an object that was taken apart, or the place of the whole value.
type container struct {
	kind   byte // '[', '{' or 0
	place  uint64
	line   int
	offset int64
}

// bracket is an array or an object that is open in the view.
type bracket struct{ start, comma int }

// want is what must come next, at the beginning of the view.
type want uint8

const (
	wantValue want = iota // an element or member
	wantFirst             // an element or member, or the end
	wantNext              // a comma, or the end
)

// errBroken ends a value in which the splitter has met a fault, and reported it.
var errBroken = errors.New("broken")

// longLine reads a line that is longer than the window, and drops it. If it turns out to be the
// first of a document, s.lines is false then.
func (s *splitter) longLine() error {
	s.lines, s.undecided = true, s.in.offset == 0
	err := s.whole()
	if !s.lines {
		return s.nextDocument(err)
	}
	for err == nil { // nothing may follow
		b, whole := s.more()
		i := spaces(b)
		s.drop(i)
		switch {
		case i < len(b):
			err = s.fault(0, "not JSON: expected the end of the line after its value, found "+quoted(b[i:]))
		case !whole:
			s.in.fill(s.in.window)
			continue
		}
		break
	}
	if err != nil && !errors.Is(err, errBroken) {
		return err
	}
	for {
		b := s.in.view()
		if i := bytes.IndexByte(b, '\n'); i >= 0 {
			s.in.drop(i + 1)
			return nil
		}
		s.in.drop(len(b))
		if s.in.ended() {
			return nil
		}
		s.in.fill(s.in.window)
	}
}

// document reads a value, or what can be read of it, and drops it.
func (s *splitter) document() error {
	s.lines = false
	return s.nextDocument(s.whole())
}

// nextDocument goes to where another document may begin after one that was read with this error.
func (s *splitter) nextDocument(err error) error {
	if !errors.Is(err, errBroken) {
		return err
	}
	for {
		b := s.in.view()
		if s.in.lineStarts && s.in.offset > s.record && len(b) > 0 && (b[0] == '{' || b[0] == '[') {
			return nil
		}
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			i = len(b) - 1
		}
		s.in.drop(i + 1)
		if len(s.in.view()) == 0 {
			if s.in.ended() {
				return nil
			}
			s.in.fill(s.in.window)
		}
	}
}

// whole reads one value of any kind.
func (s *splitter) whole() error {
	s.record = s.in.offset
	s.open = append(s.open[:0], container{})
	s.want = wantValue
	s.rest()
	return s.run()
}

// inner reads what is in an array or object, whose opening bracket is the first byte in view.
func (s *splitter) inner(place uint64) error {
	s.open = append(s.open[:0], container{}, container{kind: s.in.view()[0], place: place, line: s.in.line, offset: s.in.offset})
	s.want = wantFirst
	s.rest()
	s.in.drop(1)
	return s.run()
}

// rest forgets the scan: it begins again at the beginning of the view.
func (s *splitter) rest() {
	s.pos, s.comma, s.str, s.held, s.size, s.inside = 0, -1, -1, -1, s.in.window, s.inside[:0]
	s.ended, s.past = -1, 0
}

// more is what is in view of the value, and whether nothing comes behind it.
func (s *splitter) more() (b []byte, whole bool) {
	b = s.in.view()
	if !s.lines {
		return b, s.in.ended()
	}
	if s.ended < 0 {
		if i := bytes.IndexByte(b[s.past:], '\n'); i >= 0 {
			s.ended = s.past + i
		}
		s.past = len(b)
	}
	if s.ended >= 0 {
		return b[:s.ended], true
	}
	return b, s.in.ended()
}

// drop moves the view, and the scan with it.
func (s *splitter) drop(k int) {
	s.in.drop(k)
	move := func(at *int) {
		if *at >= 0 {
			*at = max(-1, *at-k)
		}
	}
	s.pos = max(0, s.pos-k)
	s.past = max(0, s.past-k)
	move(&s.comma)
	move(&s.str)
	move(&s.held)
	move(&s.ended)
	for i := range s.inside {
		s.inside[i].start -= k
		move(&s.inside[i].comma)
	}
}

// run reads on until the value ends.
func (s *splitter) run() error {
	for len(s.open) > 1 || s.want != wantNext {
		b, whole := s.more()
		if s.pos == 0 && s.str < 0 && len(s.inside) == 0 {
			if i := spaces(b); i > 0 {
				s.drop(i)
				continue
			}
			if len(b) > 0 {
				moved, err := s.between(b)
				if err != nil {
					return err
				}
				if moved {
					continue
				}
			}
		}
		stop := s.scan(b)
		if stop == scanAll && whole && s.fits(b) {
			stop = scanValue
		}
		var err error
		switch stop {
		case scanValue:
			err = s.value(b[:s.pos])
		case scanClosed:
			err = s.elements(b, 0, s.pos)
			if err == nil {
				s.drop(s.pos)
				s.want = wantNext
				s.pos, s.comma = 0, -1
			}
		case scanAll:
			switch {
			case whole && s.in.fault() != nil && s.in.ended():
				return errBroken // the fault is reported in the end
			case whole && s.undecided && s.str < 0 && !s.in.ended():
				s.lines, s.undecided, s.ended = false, false, -1
			case whole:
				err = s.endsEarly(b)
			case len(b) >= s.size:
				err = s.cut(b)
			default:
				s.in.fill(s.size)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// between deals with what stands between runs: commas and closing brackets. It says whether it has
// moved the view.
func (s *splitter) between(b []byte) (moved bool, err error) {
	in := s.open[len(s.open)-1]
	c := b[0]
	switch {
	case in.kind == 0:
		if bytes.IndexByte([]byte(`{["-0123456789tfn`), c) < 0 {
			return false, s.fault(0, "not JSON: expected a value, found "+quoted(b))
		}
		return false, nil
	case c == ',' && s.want == wantNext:
		s.drop(1)
		s.want = wantValue
		return true, nil
	case c == closing(in.kind) && s.want != wantValue:
		s.drop(1)
		s.open = s.open[:len(s.open)-1]
		s.want = wantNext
		return true, nil
	case s.want == wantNext:
		return false, s.fault(0, fmt.Sprintf("not JSON: expected ',' or '%c', found %s", closing(in.kind), quoted(b)))
	case c == ',' || c == ']' || c == '}':
		return false, s.fault(0, "not JSON: expected a value or member, found "+quoted(b))
	}
	return false, nil
}

func closing(kind byte) byte { return kind + 2 } // '[' ']', '{' '}'

// quoted is the first character of b for a message.
func quoted(b []byte) string { return fmt.Sprintf("%q", []rune(string(b[:min(len(b), 4)]))[0]) }

// elements emits b[from:to], elements or members that belong to the innermost open container.
func (s *splitter) elements(b []byte, from, to int) error {
	in := s.open[len(s.open)-1]
	s.scratch = append(append(append(s.scratch[:0], in.kind), b[from:to]...), closing(in.kind))
	return s.piece(pieceValue, s.scratch, b, from, 1, in.place)
}

// push takes the array or object apart that begins at b[at].
func (s *splitter) push(b []byte, at int, place uint64) {
	s.open = append(s.open, container{
		kind: b[at], place: place, line: s.in.line + bytes.Count(b[:at], []byte{'\n'}), offset: s.in.offset + int64(at),
	})
}

// piece emits data, whose byte at index shift stands at b[at].
func (s *splitter) piece(kind pieceKind, data, b []byte, at, shift int, place uint64) error {
	record := s.record
	inArray := len(s.open) > 1 && s.open[1].kind == '['
	switch {
	case inArray && len(s.open) > 2:
		record = s.open[2].offset
	case inArray:
		record = s.in.offset + int64(at)
	}
	return s.emit(piece{
		kind: kind, data: data, record: record, elements: inArray && len(s.open) == 2 && shift == 1 || len(s.open) == 1, place: place, depth: max(0, len(s.open)-2),
		offset: s.in.offset + int64(at-shift), line: s.in.line + bytes.Count(b[:at], []byte{'\n'}),
		columns: at == shift && s.in.lineStarts,
	})
}

// value emits what is in view, a value that was kept whole, with its name if it has one.
func (s *splitter) value(b []byte) error {
	start := max(0, s.held)
	place, err := s.prefix(b, 0, start)
	if err != nil {
		return err
	}
	if err := s.piece(pieceValue, b[start:], b, start, 0, place); err != nil {
		return err
	}
	k := len(b)
	s.rest()
	s.in.drop(k)
	s.want = wantNext
	return nil
}

// prefix checks what stands before a value in the innermost open container, and gives the place
// of the value.
func (s *splitter) prefix(b []byte, from, to int) (uint64, error) {
	in := s.open[len(s.open)-1]
	if in.kind != '{' {
		if !isBlank(b[from:to]) {
			return 0, s.fault(from, "not JSON: expected ',' after an element, found another value")
		}
		return in.place, nil
	}
	s.scratch = append(append(append(s.scratch[:0], '{'), b[from:to]...), '0', '}')
	if err := s.tape.Parse(s.scratch, jsontape.Options{}); err != nil {
		e := broken(s.options, err, s.scratch, 0, 0, false)
		return 0, s.fault(from, e.Reason)
	}
	if len(s.tape.Tokens) != 3 {
		return 0, s.fault(from, "not JSON: expected one member name")
	}
	return below(s.seed, in.place, s.tape.Bytes(1)), nil
}

// fault reports what is wrong at b[at] of the view, and that the value can't be read on.
func (s *splitter) fault(at int, reason string) error {
	if err := s.report(s.in.view(), at, reason); err != nil {
		return err
	}
	return errBroken
}

func (s *splitter) report(b []byte, at int, reason string) error {
	return s.emit(piece{kind: pieceFault, found: []found{{err: &BrokenError{
		File: s.options.File, Line: s.in.line + bytes.Count(b[:at], []byte{'\n'}), Offset: s.in.offset + int64(at), Reason: reason,
	}}}})
}

// endsEarly emits what is complete of a value that has no end, and reports that.
func (s *splitter) endsEarly(b []byte) error {
	base, comma, taken := 0, s.comma, 0
	for {
		if comma >= 0 {
			if err := s.elements(b, base, comma); err != nil {
				return err
			}
			base = comma + 1
		}
		if taken == len(s.inside) || len(s.open) > jsontape.DefaultMaxDepth {
			break
		}
		child := s.inside[taken]
		place, err := s.prefix(b, base, child.start)
		if err != nil {
			return err
		}
		s.push(b, child.start, place)
		base, comma = child.start+1, child.comma
		taken++
	}
	last := bytes.TrimRight(b[base:], " \t\r\n")
	if s.str < 0 && (bytes.HasSuffix(last, []byte{'}'}) || bytes.HasSuffix(last, []byte{']'})) && len(s.open) > 1 {
		if err := s.elements(b, base, base+len(last)); err != nil {
			return err
		}
	}
	what := "the document"
	if s.lines {
		what = "the line"
	}
	reason := what + " ends inside a value"
	if in := s.open[len(s.open)-1]; in.kind != 0 {
		kind := "array"
		if in.kind == '{' {
			kind = "object"
		}
		reason = fmt.Sprintf("%s ends inside the %s that begins on line %d", what, kind, in.line)
	}
	if err := s.report(b, len(b), "not JSON: "+reason); err != nil {
		return err
	}
	s.drop(len(b))
	return errBroken
}
