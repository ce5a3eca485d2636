package wire

import (
	"bytes"
	"encoding/binary"
	"io"
	"math/bits"
	"sync"
)

// Framing says how a transport delimits messages, which decides what may stand in a raw
// line break between the tokens of a payload.
type Framing uint8

const (
	// Plain is an HTTP body of its own: every byte is sent as it is.
	Plain Framing = iota
	// Line ends a message with a line feed, so none may stand inside. A payload that came
	// in such a line has none; in other envelopes (a schema's file, a payload unwrapped
	// from a string) it becomes a space.
	Line
	// Event is the data of a server-sent event: each line break, be it LF, CR LF or CR,
	// starts a new data: line, which the receiver joins with LF. No event can carry a CR, so
	// of a payload with CR between its tokens only the text block is exact there.
	Event
)

// frameSize is how much is gathered before it is written.
const frameSize = 32 << 10

// frame writes one message. The first error sticks.
type frame struct {
	w       io.Writer
	framing Framing
	buf     []byte
	err     error
}

var frames = sync.Pool{New: func() any { return &frame{buf: make([]byte, 0, frameSize)} }}

func newFrame(w io.Writer, framing Framing) *frame {
	f := frames.Get().(*frame)
	f.w, f.framing, f.buf, f.err = w, framing, f.buf[:0], nil
	return f
}

// finish writes what is left and gives the frame back.
func (f *frame) finish() error {
	f.flush()
	err := f.err
	f.w = nil
	frames.Put(f)
	return err
}

func (f *frame) flush() {
	if f.err == nil && len(f.buf) > 0 {
		_, f.err = f.w.Write(f.buf)
	}
	f.buf = f.buf[:0]
}

// bytes writes b as it is. What is large goes out without being copied.
func (f *frame) bytes(b []byte) {
	if len(b) > cap(f.buf)-len(f.buf) {
		f.flush()
		if len(b) >= cap(f.buf) {
			if f.err == nil {
				_, f.err = f.w.Write(b)
			}
			return
		}
	}
	f.buf = append(f.buf, b...)
}

// raw writes JSON as it is, save for the line breaks that the framing can't carry.
func (f *frame) raw(b []byte) {
	switch f.framing {
	case Plain:
	case Line:
		for i := bytes.IndexByte(b, '\n'); i >= 0; i = bytes.IndexByte(b, '\n') {
			f.bytes(b[:i])
			f.bytes([]byte{' '})
			b = b[i+1:]
		}
	case Event:
		for i := bytes.IndexAny(b, "\r\n"); i >= 0; i = bytes.IndexAny(b, "\r\n") {
			f.bytes(b[:i])
			f.bytes([]byte("\ndata: "))
			if b[i] == '\r' && i+1 < len(b) && b[i+1] == '\n' {
				i++
			}
			b = b[i+1:]
		}
	}
	f.bytes(b)
}

// escaped writes b, which is UTF-8, as the inside of a JSON string: quotes, backslashes and
// control characters are escaped, nothing else.
func (f *frame) escaped(b []byte) {
	const worst = 6 // bytes that one byte can become
	for len(b) > 0 {
		if cap(f.buf)-len(f.buf) < 8*worst {
			f.flush()
		}
		// As many bytes as surely fit, eight at a time.
		dst := f.buf[len(f.buf):cap(f.buf)]
		n := 0
		for len(b) >= 8 && len(dst)-n >= 8+worst {
			x := binary.LittleEndian.Uint64(b)
			binary.LittleEndian.PutUint64(dst[n:], x)
			special := specialBytes(x)
			if special == 0 {
				n += 8
				b = b[8:]
				continue
			}
			i := bits.TrailingZeros64(special) / 8
			n += i
			if c := b[i]; c >= ' ' {
				dst[n], dst[n+1] = '\\', c
				n += 2
			} else {
				n += copy(dst[n:], escapes[c])
			}
			b = b[i+1:]
		}
		if len(b) < 8 {
			for len(b) > 0 && len(dst)-n >= worst {
				if e := escapes[b[0]]; e != "" {
					n += copy(dst[n:], e)
				} else {
					dst[n] = b[0]
					n++
				}
				b = b[1:]
			}
		}
		f.buf = f.buf[:len(f.buf)+n]
	}
}

// specialBytes has the top bit of the lowest byte of x that must be escaped set, and no
// bit below it; bits above it mean nothing. 0 means that no byte must be escaped.
func specialBytes(x uint64) uint64 {
	const (
		ones = 0x0101010101010101
		high = 0x8080808080808080
	)
	quote := x ^ ones*'"'
	slash := x ^ ones*'\\'
	return ((x-ones*0x20)&^x | (quote-ones)&^quote | (slash-ones)&^slash) & high
}

// escapes has what stands for each byte in a JSON string, "" where that is the byte itself.
var escapes = func() (e [256]string) {
	const hex = "0123456789abcdef"
	for c := range 0x20 {
		e[c] = `\u00` + string(hex[c>>4]) + string(hex[c&15])
	}
	e['\b'], e['\f'], e['\n'], e['\r'], e['\t'] = `\b`, `\f`, `\n`, `\r`, `\t`
	e['"'], e['\\'] = `\"`, `\\`
	return e
}()
