package streamable

import (
	"bufio"
	"bytes"
	"io"
	"strconv"
	"time"
)

// events reads a stream of events (https://html.spec.whatwg.org/multipage/server-sent-events.html,
// section 9.2.6).
type events struct {
	body io.Closer
	r    *bufio.Reader
	most int // bytes of an event's data
	// begun says that the first line was read, which may begin with a byte order mark; afterCR that a
	// line feed which comes next belongs to the line before.
	begun, afterCR bool
	// lastID is the id of the last event that came in full.
	lastID string
	// retry is how long the server asks to wait before coming back, negative if it didn't say.
	retry time.Duration
}

func newEvents(body io.ReadCloser, most int) *events {
	return &events{body: body, r: bufio.NewReaderSize(body, 32<<10), most: most, retry: -1}
}

// goOn goes on with another body.
func (e *events) goOn(body io.ReadCloser) {
	e.close()
	e.body, e.begun, e.afterCR = body, false, false
	e.r.Reset(body)
}

func (e *events) close() { _ = e.body.Close() }

// next gives the data of the next event that is a message and has data. It is the caller's to keep.
// An event that the end of the stream cuts off is none. The errors are errTooLarge and those of the
// reader: io.EOF at the end.
func (e *events) next() ([]byte, error) {
	var data []byte
	id, kind, has := e.lastID, "", false
	for {
		line, err := e.line(len(data))
		if err != nil {
			return nil, err
		}
		if len(line) == 0 {
			e.lastID = id
			if len(data) > 0 && (kind == "" || kind == "message") {
				return data, nil
			}
			data, kind, has = nil, "", false
			continue
		}
		field, value, _ := bytes.Cut(line, []byte(":"))
		value = bytes.TrimPrefix(value, []byte(" "))
		switch string(field) {
		case "data":
			if has {
				data = append(data, '\n')
			}
			if len(data)+len(value) > e.most {
				return nil, errTooLarge
			}
			if !has {
				data = value // all of it, most often: not copied
			} else {
				data = append(data, value...)
			}
			has = true
		case "event":
			kind = string(value)
		case "id":
			if bytes.IndexByte(value, 0) < 0 {
				id = string(value)
			}
		case "retry":
			if ms, err := strconv.ParseUint(string(value), 10, 31); err == nil {
				e.retry = time.Duration(ms) * time.Millisecond
			}
		}
	}
}

// line reads a line without its end, which is CR, LF or both. It doesn't wait for what may follow a
// CR. before is how much data the event has already.
func (e *events) line(before int) ([]byte, error) {
	var line []byte
	for {
		if _, err := e.r.Peek(1); err != nil {
			return nil, err
		}
		piece, err := e.r.Peek(e.r.Buffered())
		if err != nil {
			return nil, err
		}
		if e.afterCR {
			if e.afterCR = false; piece[0] == '\n' {
				_, _ = e.r.Discard(1)
				continue
			}
		}
		end := lineEnd(piece)
		whole := end >= 0
		if !whole {
			end = len(piece)
		}
		if before+len(line)+end > e.most+len("data: ") {
			return nil, errTooLarge
		}
		line = append(line, piece[:end]...)
		if whole {
			e.afterCR = piece[end] == '\r'
			end++
		}
		_, _ = e.r.Discard(end)
		if !whole {
			continue
		}
		if !e.begun {
			e.begun, line = true, bytes.TrimPrefix(line, []byte("\uFEFF"))
		}
		return line, nil
	}
}

// lineEnd is where the first line ends, -1 if it doesn't.
func lineEnd(b []byte) int {
	n := bytes.IndexByte(b, '\n')
	if n >= 0 {
		b = b[:n]
	}
	if r := bytes.IndexByte(b, '\r'); r >= 0 {
		return r
	}
	return n
}
