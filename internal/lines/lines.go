// Package lines is the framing of MCP's stdio transport for a client: one message a line. It
// knows no message and no process.
package lines

import (
	"bytes"
	"fmt"
	"io"
)

// TooLongError says that a line is longer than it may be.
type TooLongError struct{ Limit int }

func (e *TooLongError) Error() string {
	return fmt.Sprintf("a message is longer than the limit of %d bytes", e.Limit)
}

// chunk is how much is read at a time, and the least that a buffer has.
const chunk = 64 << 10

// Read hands each line of r that is not blank to each, without its line break, until r ends. The
// bytes are the callee's to keep. The last line needs no line break. The error is nil at the end of
// r, a *TooLongError for a line of more than limit bytes, or what r returned.
func Read(r io.Reader, limit int, each func(line []byte)) error {
	buf := make([]byte, chunk)
	begin, end := 0, 0 // buf[begin:end] has been read and not handed out
	seen := 0          // buf[begin:seen] holds no line break
	for {
		if i := bytes.IndexByte(buf[seen:end], '\n'); i >= 0 {
			line := buf[begin : seen+i]
			if len(line) > limit {
				return &TooLongError{limit}
			}
			next := seen + i + 1
			if len(line) < chunk {
				hand(bytes.Clone(line), each)
				begin, seen = next, next
				continue
			}
			// A long line keeps the buffer: copying what comes after it is cheaper.
			rest := buf[next:end]
			buf = append(make([]byte, 0, max(chunk, len(rest))), rest...)
			buf = buf[:cap(buf)]
			begin, seen, end = 0, 0, len(rest)
			hand(line[:len(line):len(line)], each)
			continue
		}
		seen = end
		if end-begin > limit {
			return &TooLongError{limit}
		}
		if begin > 0 {
			copy(buf, buf[begin:end])
			begin, seen, end = 0, seen-begin, end-begin
		}
		if end == len(buf) {
			buf = append(buf, make([]byte, len(buf))...)
			buf = buf[:cap(buf)]
		}
		n, err := r.Read(buf[end:])
		end += n
		if err == nil {
			continue
		}
		if last := buf[begin:end]; bytes.IndexByte(last[seen-begin:], '\n') < 0 {
			if len(last) > limit {
				return &TooLongError{limit}
			}
			hand(last, each)
			if err == io.EOF { //nolint:errorlint // Read returns io.EOF itself, see io.Reader
				return nil
			}
			return err
		}
		// Lines came with the end: they go out in the turns that follow, and r tells its end again.
	}
}

func hand(line []byte, each func([]byte)) {
	if len(bytes.Trim(line, " \t\r")) > 0 {
		each(bytes.TrimSuffix(line, []byte("\r")))
	}
}

// Frame is the line that carries a message, with its line break. A message is JSON, so line breaks
// in it stand between tokens, where a space means the same. It may use the spare capacity of
// message, and copies it only where it must.
func Frame(message []byte) []byte {
	if bytes.ContainsAny(message, "\r\n") {
		message = bytes.Clone(message)
		for i, c := range message {
			if c == '\n' || c == '\r' {
				message[i] = ' '
			}
		}
	}
	return append(message, '\n')
}
