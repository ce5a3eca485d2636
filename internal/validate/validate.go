// Package validate checks files against a compiled schema: whole files of one JSON document
// each, or streams of one document a line. It is what `echo-mcp validate` runs.
//
// Streams may be of any size: only the line at hand is held in memory, and a valid line
// costs no allocation.
package validate

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// DefaultMaxBytes is the size beyond which a document isn't read: 256 MiB.
const DefaultMaxBytes = 256 << 20

// Options says what is checked and how the answer looks.
type Options struct {
	// Schema is what every document must satisfy. With nil every document is valid that is
	// JSON, as for echo.Schemaless.
	Schema *jsonrt.Schema
	// JSON makes the answer one JSON object for every document instead of one line of
	// text for every fault.
	JSON bool
	// NameFiles puts the name of its file into each JSON object of a line. Objects of
	// whole documents always have it, as do lines of text.
	NameFiles bool
	// MaxBytes is the size of the longest document that is read; a longer one is a fault
	// of its own. 0 means DefaultMaxBytes.
	MaxBytes int
	// MaxDepth is how deep arrays and objects may nest. 0 means jsontape.DefaultMaxDepth,
	// and more than jsontape.DepthCeiling means that.
	MaxDepth int
}

// Totals counts documents by verdict. A document that breaks a limit counts as NotJSON.
type Totals struct {
	Valid, Invalid, NotJSON int
	// Undecided counts the documents whose verdict would cost too much (jsonrt.UndecidedError).
	Undecided int
	// Blank counts lines with nothing but white space. They are no documents.
	Blank int
	// Unreadable counts files that could not be opened, or not be read to their end. The
	// caller knows them.
	Unreadable int
}

// String is the summary for people: "3 documents: 1 valid, 1 invalid, 1 not JSON".
func (t Totals) String() string {
	var b strings.Builder
	n := t.Valid + t.Invalid + t.NotJSON + t.Undecided
	fmt.Fprintf(&b, "%d %s: %d valid, %d invalid", n, plural(n, "document"), t.Valid, t.Invalid)
	if t.NotJSON > 0 {
		fmt.Fprintf(&b, ", %d not JSON", t.NotJSON)
	}
	if t.Undecided > 0 {
		fmt.Fprintf(&b, ", %d undecided", t.Undecided)
	}
	if t.Blank > 0 {
		fmt.Fprintf(&b, "; %d blank %s skipped", t.Blank, plural(t.Blank, "line"))
	}
	if t.Unreadable > 0 {
		fmt.Fprintf(&b, "; %d %s could not be read", t.Unreadable, plural(t.Unreadable, "file"))
	}
	return b.String()
}

func plural(n int, noun string) string {
	if n == 1 {
		return noun
	}
	return noun + "s"
}

// Run checks one file after the other. It is made by New.
type Run struct {
	options Options
	out     *bufio.Writer
	totals  Totals
	tape    jsontape.Tape
	long    []byte // a line longer than the reader's buffer
	row     []byte // an answer before it is written
}

// New makes a Run that writes its answers to out. Nothing is certain to be written before
// Flush.
func New(out io.Writer, o Options) *Run {
	o.MaxBytes = cmp.Or(o.MaxBytes, DefaultMaxBytes)
	return &Run{options: o, out: bufio.NewWriterSize(out, 64<<10)}
}

// Totals counts what was checked so far.
func (r *Run) Totals() Totals { return r.totals }

// Flush writes the answers that are still in memory. Its error is the first one of any
// write.
func (r *Run) Flush() error { return r.out.Flush() }

// Document checks in, which holds one JSON document, and reports its faults under name.
// The error is one of reading in or of writing the answer; faults of the document are none.
func (r *Run) Document(name string, in io.Reader) error {
	var buf bytes.Buffer
	if _, err := buf.ReadFrom(io.LimitReader(in, int64(r.options.MaxBytes)+1)); err != nil {
		return err
	}
	f := r.check(buf.Bytes())
	if r.options.JSON {
		r.documentRow(name, f)
	} else {
		r.faultLines(name, 1, f)
	}
	return r.Flush()
}

// finding is the answer for one document.
type finding struct {
	details []jsonrt.Detail
	more    int
	// incomplete: there may be faults that were not looked for. undecided: there is no verdict.
	incomplete, undecided bool
	// at is the offset of the one fault that stands for the whole document where it is
	// not JSON, or has a repeated name. It is -1 where the details' pointers tell.
	at int
}

func (f *finding) valid() bool { return len(f.details) == 0 }

// check gives the verdict on one document and counts it. Nothing is allocated for a valid
// one.
func (r *Run) check(data []byte) finding {
	if len(data) > r.options.MaxBytes {
		r.totals.NotJSON++
		return finding{at: 0, details: []jsonrt.Detail{{Message: r.tooLong()}}}
	}
	if err := r.tape.Parse(data, jsontape.Options{MaxDepth: r.options.MaxDepth}); err != nil {
		r.totals.NotJSON++
		return notJSON(err)
	}
	if r.options.Schema == nil {
		r.totals.Valid++
		return finding{}
	}
	err := r.options.Schema.ValidateTape(context.Background(), &r.tape, 0)
	if err == nil {
		r.totals.Valid++
		return finding{}
	}
	var undecided *jsonrt.UndecidedError
	if errors.As(err, &undecided) {
		r.totals.Undecided++
		return finding{at: -1, undecided: true, details: []jsonrt.Detail{{
			Path: undecided.Path, SchemaPath: undecided.SchemaPath,
			Message: "can't be decided: checking this against " + undecided.SchemaPath + " takes more work than one document may cost",
		}}}
	}
	r.totals.Invalid++
	var invalid *jsonrt.ValidationError
	if errors.As(err, &invalid) {
		return finding{at: -1, details: invalid.Details, more: invalid.More, incomplete: invalid.Incomplete}
	}
	var repeated *jsonrt.RepeatedNameError
	if errors.As(err, &repeated) {
		at := int(r.tape.Tokens[r.tape.RepeatedName(0)].Start)
		message := strings.TrimPrefix(repeated.Error(), repeated.Path+": ")
		return finding{at: at, details: []jsonrt.Detail{{Path: repeated.Path, Message: message}}}
	}
	return finding{at: 0, details: []jsonrt.Detail{{Message: err.Error()}}}
}

func (r *Run) tooLong() string {
	return fmt.Sprintf("longer than %d bytes", r.options.MaxBytes)
}

// notJSON makes the fault of a document that the tape refused.
func notJSON(err error) finding {
	var syntax *jsontape.SyntaxError
	if !errors.As(err, &syntax) {
		return finding{details: []jsonrt.Detail{{Message: err.Error()}}}
	}
	return finding{at: syntax.Offset, details: []jsonrt.Detail{{Message: Wording(syntax)}}}
}

// Wording says why a document was refused before any schema saw it. A limit that was exceeded
// is not a fault of grammar, so it isn't called one.
func Wording(err *jsontape.SyntaxError) string {
	if err.Reason == jsontape.ReasonSyntax || err.Reason == jsontape.ReasonUTF8 {
		return "not JSON: " + err.Msg
	}
	return err.Msg
}
