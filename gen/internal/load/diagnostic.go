package load

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Diagnostic is one fault of a schema file, at the place that has to be repaired.
type Diagnostic struct {
	Path         string // the file, as the user named it
	Line, Column int    // from 1; columns count code points. 0 if the file as a whole is meant
	Pointer      string // RFC 6901 pointer of the value at fault
	Message      string
	Source       string // the line of the file
}

// String renders the diagnostic as one line: path:line:column: /pointer: message.
func (d Diagnostic) String() string {
	s := d.Path
	if d.Line > 0 {
		s += fmt.Sprintf(":%d:%d", d.Line, d.Column)
	}
	s += ": "
	if d.Pointer != "" {
		s += d.Pointer + ": "
	}
	return s + d.Message
}

// Diagnostics is the list of all faults of a run, sorted by file and place.
type Diagnostics []Diagnostic

// Sorted gives the diagnostics by file, line, column and message, each once.
func (ds Diagnostics) Sorted() Diagnostics {
	sorted := slices.Clone(ds)
	slices.SortStableFunc(sorted, func(a, b Diagnostic) int {
		return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column), cmp.Compare(a.Message, b.Message))
	})
	return slices.Compact(sorted)
}

// At makes a diagnostic about the value (or member name) at token tok of f.
func (f *File) At(tok int, format string, args ...any) Diagnostic {
	d := f.atOffset(int(f.Tape.Tokens[tok].Start), format, args...)
	d.Pointer = f.Tape.Pointer(tok)
	return d
}

func (f *File) atOffset(offset int, format string, args ...any) Diagnostic {
	line, column := jsontape.Position(f.Tape.Data, offset)
	return Diagnostic{Path: f.Path, Line: line, Column: column, Message: fmt.Sprintf(format, args...), Source: lineAt(f.Tape.Data, offset)}
}

// lineAt cuts out the line around offset, at most 120 bytes of it.
func lineAt(data []byte, offset int) string {
	const widest = 120
	offset = min(offset, len(data))
	from, to := offset, offset
	for from > 0 && data[from-1] != '\n' && offset-from < widest/2 {
		from--
	}
	for to < len(data) && data[to] != '\n' && data[to] != '\r' && to-from < widest {
		to++
	}
	return string(data[from:to])
}
