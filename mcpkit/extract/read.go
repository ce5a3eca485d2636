package extract

import (
	"bytes"
	"errors"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// defaultWindow is how much of an input is read, and handed to a worker, at once. A longer line,
// and a document of several lines, is taken apart.
const defaultWindow = 256 << 10

// byteOrderMark is what some editors and shells write before a text. RFC 8259, section 8.1, lets a
// reader ignore it: spaces take its place, so that columns and offsets stay what they are.
var byteOrderMark = []byte("\ufeff")

// reading cuts an input into pieces.
type reading struct {
	in       *input
	splitter *splitter
	emit     func(piece) error
}

// all reads the input to its end. The error is one of emit, or of reading.
func (r *reading) all() error {
	for len(r.in.view()) < r.in.window && !r.in.ended() {
		r.in.fill(r.in.window)
		if b := r.in.view(); bytes.HasPrefix(b, byteOrderMark) {
			copy(b, "   ")
		}
		if decided(r.in.view()) {
			break
		}
	}
	read := r.lines
	if isDocument(r.in.view(), r.in.ended()) {
		read = r.documents
	}
	if err := read(); err != nil {
		return err
	}
	return r.in.fault()
}

// decided says whether the beginning of an input is enough to tell lines from documents: its
// first line is JSON.
func decided(b []byte) bool {
	line, _, whole := firstLine(b)
	return whole && jsontape.Valid(line) == nil
}

// firstLine is the first line that is not blank, what follows it, and whether its end is there.
func firstLine(b []byte) (line, rest []byte, whole bool) {
	for {
		line, rest, whole = bytes.Cut(b, []byte{'\n'})
		if !whole || !isBlank(line) {
			return line, rest, whole
		}
		b = rest
	}
}

// isDocument says, by its beginning, whether an input holds documents of several lines. See the
// comment of the package; where the first line goes on in the second but the second is JSON in
// itself, a first line that was cut off is told from the opening bracket of a document by reading
// both together.
func isDocument(b []byte, ended bool) bool {
	first, rest, whole := firstLine(b)
	if !whole || !isBeginning(first) {
		return false
	}
	if second, _, _ := firstLine(rest); jsontape.Valid(second) != nil {
		return true
	}
	var syntax *jsontape.SyntaxError
	err := jsontape.Valid(b)
	return err == nil || errors.As(err, &syntax) &&
		(syntax.Offset == len(b) && !ended || jsontape.Valid(b[:syntax.Offset]) == nil)
}

// isBeginning says whether a line is the beginning of a value that goes on in the next line.
func isBeginning(line []byte) bool {
	line = append(bytes.Clone(line), '\n')
	var syntax *jsontape.SyntaxError
	return errors.As(jsontape.Valid(line), &syntax) && syntax.Offset == len(line)
}

// lines reads JSON lines.
func (r *reading) lines() error {
	for {
		b := r.in.view()
		end := bytes.LastIndexByte(b, '\n') + 1
		if r.in.ended() && r.in.fault() == nil {
			end = len(b)
		}
		switch {
		case end > 0:
			if err := r.emit(piece{kind: pieceLines, data: b[:end], offset: r.in.offset, line: r.in.line}); err != nil {
				return err
			}
			r.in.drop(end)
		case r.in.ended():
			return nil
		case len(b) >= r.in.window:
			if err := r.splitter.longLine(); err != nil {
				return err
			}
			if !r.splitter.lines {
				return r.documents()
			}
		default:
			r.in.fill(r.in.window)
		}
	}
}

// documents reads one document after the other.
func (r *reading) documents() error {
	for {
		b := r.in.view()
		i := spaces(b)
		r.in.drop(i)
		switch {
		case i < len(b):
			if err := r.splitter.document(); err != nil {
				return err
			}
		case r.in.ended():
			return nil
		default:
			r.in.fill(r.in.window)
		}
	}
}
