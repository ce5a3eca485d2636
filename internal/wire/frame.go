package wire

import (
	"bytes"
	"encoding/binary"
	"io"
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
		dst := f.buf[len(f.buf):cap(f.buf)]
		n, p := escapeWords(dst, b)
		// What stopped it is a control character, the end of b, or the end of the room.
		for end := min(len(b), p+8); p < end && len(dst)-n >= worst; p++ {
			if e := escapes[b[p]]; e != "" {
				n += copy(dst[n:], e)
			} else {
				dst[n] = b[p]
				n++
			}
		}
		f.buf = f.buf[:len(f.buf)+n]
		b = b[p:]
	}
}

// escapeWords escapes p bytes of b, eight at a time, into n bytes of dst, as far as there is
// no control character and surely room.
//
// JSON has a quote every few bytes, at no place that a processor could foresee. A loop that
// looks for the next one has to wait for each of them; this one takes every byte of a word
// in the same way, which is a quarter faster.
func escapeWords(dst, b []byte) (n, p int) {
	for p <= len(b)-8 && n <= len(dst)-wordRoom {
		x := binary.LittleEndian.Uint64(b[p:])
		out := (*[wordRoom]byte)(dst[n:])
		p += 8
		control := (x - ones*' ') &^ x
		quote := x ^ ones*'"'
		slash := x ^ ones*'\\'
		if (control|(quote-ones)&^quote|(slash-ones)&^slash)&high == 0 {
			binary.LittleEndian.PutUint64(out[:], x)
			n += 8
			continue
		}
		if control&high != 0 {
			return n, p - 8
		}
		k := escapeByte(out, 0, byte(x))
		k = escapeByte(out, k, byte(x>>8))
		k = escapeByte(out, k, byte(x>>16))
		k = escapeByte(out, k, byte(x>>24))
		k = escapeByte(out, k, byte(x>>32))
		k = escapeByte(out, k, byte(x>>40))
		k = escapeByte(out, k, byte(x>>48))
		k = escapeByte(out, k, byte(x>>56))
		n += int(k)
	}
	return n, p
}

// escapeByte writes c at out[k:], after a backslash if it needs one, and gives the place
// behind it.
func escapeByte(out *[wordRoom]byte, k uint, c byte) uint {
	out[k%wordRoom] = '\\'
	k += slashes[c]
	out[k%wordRoom] = c
	return k + 1
}

// wordRoom is what a word can become.
const wordRoom = 16

const (
	ones = 0x0101010101010101
	high = 0x8080808080808080
)

// slashes has how many backslashes go before a byte that is no control character.
var slashes = [256]uint{'"': 1, '\\': 1}

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
