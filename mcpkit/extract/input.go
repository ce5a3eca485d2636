package extract

import (
	"bytes"
	"errors"
	"io"
)

// input is a window onto an input: the bytes that were read and not yet dropped.
type input struct {
	r          io.Reader
	window     int // how much is kept in view where nobody asks for more
	buf        []byte
	start, n   int // buf[start:n] is in view
	offset     int64
	line       int  // of the first byte in view
	lineStarts bool // the first byte in view is the first of its line
	end        error
}

func newInput(r io.Reader, window int) *input {
	return &input{r: r, window: window, buf: make([]byte, window), line: 1, lineStarts: true}
}

// view is what can be seen. It is good until the next fill.
func (in *input) view() []byte { return in.buf[in.start:in.n] }

// ended says that nothing comes after what is in view.
func (in *input) ended() bool { return in.end != nil }

// fault is the error that ended the input, nil if that was its end.
func (in *input) fault() error {
	if errors.Is(in.end, io.EOF) {
		return nil
	}
	return in.end
}

// fill reads once, unless size bytes are in view or the input has ended.
func (in *input) fill(size int) {
	if in.n-in.start >= size || in.end != nil {
		return
	}
	if len(in.buf)-in.start < size {
		old := in.view()
		if len(in.buf) < size || len(in.buf) > 16*size {
			in.buf = make([]byte, size)
		}
		in.n = copy(in.buf, old)
		in.start = 0
	}
	for range 100 { // a reader may give nothing, but not for ever
		var n int
		n, in.end = in.r.Read(in.buf[in.n : in.start+size])
		in.n += n
		if n > 0 || in.end != nil {
			return
		}
	}
	in.end = io.ErrNoProgress
}

// drop moves the view past k bytes.
func (in *input) drop(k int) {
	if k == 0 {
		return
	}
	gone := in.buf[in.start : in.start+k]
	in.line += bytes.Count(gone, []byte{'\n'})
	in.lineStarts = gone[k-1] == '\n'
	in.offset += int64(k)
	in.start += k
}
