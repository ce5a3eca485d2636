package stdio

import (
	"bufio"
	"bytes"
	"errors"
)

// readSize is how much is read at once: what a pipe holds.
const readSize = 64 << 10

var errTooLong = errors.New("line too long")

// readLine reads a line without its end, of at most this many bytes; longer ones are errTooLong. The
// last one may come with an error, and need no end.
func readLine(r *bufio.Reader, most int) ([]byte, error) {
	var line []byte
	for {
		piece, err := r.ReadSlice('\n')
		if len(line)+len(bytes.TrimSuffix(piece, []byte("\n"))) > most {
			return nil, errTooLong
		}
		line = append(line, piece...)
		if !errors.Is(err, bufio.ErrBufferFull) {
			return bytes.TrimSuffix(line, []byte("\n")), err
		}
	}
}

// line is a message as a line with its end. It makes spaces of line breaks: no JSON string holds one,
// so all of them stand between tokens.
func line(message []byte) []byte {
	if bytes.IndexByte(message, '\n') >= 0 || bytes.IndexByte(message, '\r') >= 0 {
		clean := bytes.Clone(message)
		for i, c := range clean {
			if c == '\n' || c == '\r' {
				clean[i] = ' '
			}
		}
		message = clean
	}
	return append(message, '\n')
}
