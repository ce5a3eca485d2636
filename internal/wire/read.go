package wire

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"sync"
)

// DefaultMaxBytes is how large a message may be where nothing else is said: 16 MiB.
const DefaultMaxBytes = 16 << 20

// maxPooled is the largest buffer that is kept for the next message.
const maxPooled = 2 << 20

var buffers = sync.Pool{New: func() any { b := make([]byte, 0, 4<<10); return &b }}

// Input is one message as it came in. Either Data or TooLong is set.
type Input struct {
	Data []byte
	// TooLong has what could be found out about a message that was not kept, because it is
	// beyond the limit or, where NoRoom says so, because others take up the room.
	TooLong *Scanner
	NoRoom  bool

	buf  *[]byte
	room *Room
	cost int
}

// Release gives the memory of the message back. Data and what points into it must not be
// used any more.
func (in *Input) Release() {
	if in.buf != nil && cap(*in.buf) <= maxPooled {
		buffers.Put(in.buf)
	}
	in.room.leave(in.cost)
	in.buf, in.Data, in.cost = nil, nil, 0
}

// Held is how much memory holds the message. A buffer that others use too counts with what
// the message has of it.
func (in *Input) Held() int { return held(in.Data) }

func held(buf []byte) int {
	if cap(buf) <= maxPooled {
		return len(buf)
	}
	return cap(buf)
}

// collector gathers one message, up to a limit, and scans what is beyond it.
type collector struct {
	max     int
	size    int // of the message, if that is known, else 0
	buf     *[]byte
	scanner *Scanner
	room    *Room // nil has no end
	cost    int   // what the message takes of room
	noRoom  bool
}

func newCollector(limit int) *collector {
	if limit <= 0 {
		limit = DefaultMaxBytes
	}
	buf := buffers.Get().(*[]byte)
	*buf = (*buf)[:0]
	return &collector{max: limit, buf: buf}
}

// add takes the next piece. It copies what it keeps.
func (c *collector) add(piece []byte) {
	if c.scanner == nil && len(*c.buf)+len(piece) > c.max {
		c.overflow()
	}
	if c.scanner != nil {
		c.scanner.Scan(piece)
		return
	}
	c.grow(len(piece))
	*c.buf = append(*c.buf, piece...)
}

// overflow goes over to scanning: the message is larger than the limit, or finds no room.
func (c *collector) overflow() {
	c.scanner = new(Scanner)
	c.scanner.Scan(*c.buf)
	*c.buf = nil
	c.room.leave(c.cost)
	c.cost = 0
}

// grow makes room for n more bytes.
func (c *collector) grow(n int) {
	need := len(*c.buf) + n
	if need <= cap(*c.buf) {
		return
	}
	// A size that is known is only a claim: it gets its memory as the bytes come in.
	capacity := min(2*cap(*c.buf), c.max+readRoom)
	if c.size > 0 {
		capacity = min(8*cap(*c.buf), c.size+readRoom)
	}
	grown := make([]byte, len(*c.buf), max(need, capacity))
	copy(grown, *c.buf)
	*c.buf = grown
}

// readRoom is the least that readFrom reads at a time.
const readRoom = 512

// readFrom reads once from r, into the message itself as long as it is within the limit.
func (c *collector) readFrom(r io.Reader) (n int, err error) {
	if c.scanner != nil {
		if *c.buf == nil {
			*c.buf = make([]byte, 32<<10)
		}
		n, err = r.Read(*c.buf)
		c.scanner.Scan((*c.buf)[:n])
		return n, err
	}
	c.grow(readRoom)
	have := len(*c.buf)
	n, err = r.Read((*c.buf)[have:cap(*c.buf)])
	*c.buf = (*c.buf)[:have+n]
	if have+n > c.max {
		c.overflow()
	} else if !c.room.enter(&c.cost, held(*c.buf)) {
		c.noRoom = true
		c.overflow()
	}
	return n, err
}

func (c *collector) input() *Input {
	if c.scanner != nil {
		return &Input{TooLong: c.scanner, NoRoom: c.noRoom}
	}
	return &Input{Data: *c.buf, buf: c.buf, room: c.room, cost: c.cost}
}

// LineReader reads the messages of the stdio transport, one a line.
type LineReader struct {
	r   *bufio.Reader
	max int
}

// NewLineReader reads from r messages of at most maxBytes bytes; 0 means DefaultMaxBytes.
func NewLineReader(r io.Reader, maxBytes int) *LineReader {
	return &LineReader{bufio.NewReaderSize(r, 64<<10), maxBytes}
}

// Next reads the next line that is not blank. The last line needs no line feed. The error
// is what the reader returned: io.EOF at the end of the input.
func (l *LineReader) Next() (*Input, error) {
	for {
		c := newCollector(l.max)
		var err error
		for {
			var piece []byte
			piece, err = l.r.ReadSlice('\n')
			if n := len(piece); n > 0 && piece[n-1] == '\n' {
				piece = piece[:n-1]
			}
			c.add(piece)
			if !errors.Is(err, bufio.ErrBufferFull) {
				break
			}
		}
		in := c.input()
		if err != nil && !errors.Is(err, io.EOF) {
			in.Release()
			return nil, err
		}
		if in.TooLong != nil || len(bytes.Trim(in.Data, " \t\r")) > 0 {
			return in, nil // an end of input shows again at the next call
		}
		in.Release()
		if err != nil {
			return nil, err
		}
	}
}

// Limits bounds what ReadBody takes.
type Limits struct {
	Message int   // how many bytes a message may have; 0 means DefaultMaxBytes
	Discard int64 // how much of what is not kept is read and thrown away
	Room    *Room // for all messages at a time; nil has no end
}

// ReadBody reads the one message that r, the body of an HTTP request, is. size is how large
// it claims to be, -1 if it doesn't. What is beyond the limits is read on and thrown away,
// to find the message's id and so that a client which sends first and reads later gets its
// answer.
func ReadBody(r io.Reader, size int64, limits Limits) (*Input, error) {
	c := newCollector(limits.Message)
	c.room = limits.Room
	if size > 0 && size <= int64(c.max) {
		c.size = int(size)
	}
	discarded := int64(0)
	for {
		n, err := c.readFrom(r)
		if c.scanner != nil {
			if discarded += int64(n); discarded > limits.Discard {
				return c.input(), nil
			}
		}
		if err != nil {
			in := c.input()
			if errors.Is(err, io.EOF) {
				return in, nil
			}
			in.Release()
			return nil, err
		}
	}
}
