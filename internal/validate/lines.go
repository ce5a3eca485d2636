package validate

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// inBuffer is how much of a stream is read at once.
const inBuffer = 256 << 10

// Lines checks in, which holds one JSON document a line, and reports each line's faults
// under name. Lines end with a line feed, which the last one may lack. Blank lines are
// counted and skipped. A line that isn't JSON, or is too long, is a fault of that line only.
//
// The error is one of reading in or of writing the answers; faults of documents are none.
func (r *Run) Lines(name string, in io.Reader) error {
	br := bufio.NewReaderSize(in, inBuffer)
	for number := 1; ; number++ {
		if br.Buffered() == 0 {
			// The next read may have to wait, for instance for a program that writes
			// our input: it shall have its answers first.
			if err := r.Flush(); err != nil {
				return err
			}
		}
		line, tooLong, err := r.readLine(br)
		if err != nil && !errors.Is(err, io.EOF) {
			return err
		}
		if err == nil || len(line) > 0 {
			r.line(name, number, line, tooLong)
		}
		if err != nil {
			return r.Flush()
		}
	}
}

func (r *Run) line(name string, number int, line []byte, tooLong bool) {
	if isBlank(line) {
		r.totals.Blank++
		return
	}
	var f finding
	if tooLong {
		r.totals.NotJSON++
		f.details = []jsonrt.Detail{{Message: r.tooLong()}}
	} else {
		f = r.check(line)
	}
	if r.options.JSON {
		r.lineRow(name, number, f)
	} else {
		r.faultLines(name, number, f)
	}
}

// readLine gives the next line without its line feed; the bytes are good until the next
// call. Of a line longer than MaxBytes it keeps only the beginning, and says so, but reads
// it to its end. The error is io.EOF after the last line, with or without a line before it.
func (r *Run) readLine(br *bufio.Reader) (line []byte, tooLong bool, err error) {
	line, err = br.ReadSlice('\n')
	if errors.Is(err, bufio.ErrBufferFull) {
		r.long = append(r.long[:0], line...)
		for errors.Is(err, bufio.ErrBufferFull) {
			line, err = br.ReadSlice('\n')
			// One byte beyond the limit, and the line feed, are enough to know.
			r.long = append(r.long, line[:min(len(line), max(0, r.options.MaxBytes+2-len(r.long)))]...)
		}
		line = r.long
	}
	line = bytes.TrimSuffix(line, []byte{'\n'})
	return line, len(line) > r.options.MaxBytes, err
}

// isBlank says whether a line holds nothing but JSON's white space.
func isBlank(line []byte) bool {
	for _, c := range line {
		if c != ' ' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}
