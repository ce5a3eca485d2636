package validate

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// faultLines writes `file:line:col: /path: message` for each fault of the document that
// begins on the given line of its file.
func (r *Run) faultLines(name string, first int, f finding) {
	for i := range f.details {
		d := &f.details[i]
		line, column := r.position(f, d)
		b := AppendPlain(r.row[:0], name)
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(first+line-1), 10)
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(column), 10)
		b = append(b, ": "...)
		if d.Path != "" {
			b = AppendPlain(b, d.Path)
			b = append(b, ": "...)
		}
		b = AppendPlain(b, d.Message)
		r.write(append(b, '\n'))
	}
	if f.more > 0 {
		b := AppendPlain(r.row[:0], name)
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(first), 10)
		b = append(b, ":1: and "...)
		b = strconv.AppendInt(b, int64(f.more), 10)
		r.write(append(b, " more\n"...))
	}
	if f.incomplete {
		b := AppendPlain(r.row[:0], name)
		b = append(b, ':')
		b = strconv.AppendInt(b, int64(first), 10)
		r.write(append(b, ":1: and perhaps others: looking for all of them would cost too much\n"...))
	}
}

// lineRow writes `{"line":N,"valid":bool,"details":[…]}`.
func (r *Run) lineRow(name string, number int, f finding) {
	b := append(r.row[:0], '{')
	if r.options.NameFiles {
		b = append(b, `"file":`...)
		b = jsontape.AppendQuoted(b, name)
		b = append(b, ',')
	}
	b = append(b, `"line":`...)
	b = strconv.AppendInt(b, int64(number), 10)
	r.write(r.appendVerdict(b, f, false))
}

// documentRow writes `{"file":name,"valid":bool,"details":[…]}`.
func (r *Run) documentRow(name string, f finding) {
	b := append(r.row[:0], `{"file":`...)
	b = jsontape.AppendQuoted(b, name)
	r.write(r.appendVerdict(b, f, true))
}

// appendVerdict appends what all rows end with. Each detail has the column where it stands
// and, if withLine, the line. Faults beyond those that are listed are counted in "more";
// "incomplete" says that there may be others. "undecided" says that there is no verdict, as it
// would cost too much.
func (r *Run) appendVerdict(b []byte, f finding, withLine bool) []byte {
	b = append(b, `,"valid":`...)
	b = strconv.AppendBool(b, f.valid())
	if f.undecided {
		b = append(b, `,"undecided":true`...)
	}
	if f.incomplete {
		b = append(b, `,"incomplete":true`...)
	}
	b = append(b, `,"details":[`...)
	for i := range f.details {
		if i > 0 {
			b = append(b, ',')
		}
		line, column := r.position(f, &f.details[i])
		b = AppendDetail(b, &f.details[i])
		if withLine {
			b = append(b, `,"line":`...)
			b = strconv.AppendInt(b, int64(line), 10)
		}
		b = append(b, `,"column":`...)
		b = strconv.AppendInt(b, int64(column), 10)
		b = append(b, '}')
	}
	b = append(b, ']')
	if f.more > 0 {
		b = append(b, `,"more":`...)
		b = strconv.AppendInt(b, int64(f.more), 10)
	}
	return append(b, "}\n"...)
}

// AppendDetail appends a detail without its closing brace.
func AppendDetail(b []byte, d *jsonrt.Detail) []byte {
	b = append(b, `{"path":`...)
	b = jsontape.AppendQuoted(b, d.Path)
	b = append(b, `,"message":`...)
	b = jsontape.AppendQuoted(b, d.Message)
	b = append(b, `,"keyword":`...)
	b = jsontape.AppendQuoted(b, d.Keyword)
	b = append(b, `,"schema_path":`...)
	return jsontape.AppendQuoted(b, d.SchemaPath)
}

// write hands one answer to the writer, whose error Flush reports, and keeps its memory.
func (r *Run) write(row []byte) {
	r.row = row
	_, _ = r.out.Write(row)
}

// position is the line and column of a fault in its document: of the name of the member
// concerned, of an array's element, or, where the member is missing, of the nearest value
// that should hold it.
func (r *Run) position(f finding, d *jsonrt.Detail) (line, column int) {
	if f.at >= 0 {
		return jsontape.Position(r.tape.Data, f.at)
	}
	pointer := d.Path
	at := r.tape.Lookup(pointer)
	missing := at < 0
	for at < 0 {
		pointer = pointer[:max(0, strings.LastIndexByte(pointer, '/'))]
		at = r.tape.Lookup(pointer)
	}
	if !missing && pointer != "" {
		parent := r.tape.Lookup(pointer[:strings.LastIndexByte(pointer, '/')])
		if r.tape.Tokens[parent].Kind == jsontape.Object {
			at-- // a member's name stands before its value
		}
	}
	return jsontape.Position(r.tape.Data, int(r.tape.Tokens[at].Start))
}

// AppendPlain appends s for a reader at a terminal: control characters, which could break
// the line or steer the terminal, become \u escapes.
func AppendPlain(b []byte, s string) []byte {
	const hex = "0123456789abcdef"
	for _, c := range s {
		if unicode.IsControl(c) {
			b = append(b, '\\', 'u', '0', '0', hex[c>>4&15], hex[c&15])
		} else {
			b = utf8.AppendRune(b, c)
		}
	}
	return b
}
