package extract

import (
	"errors"
	"io"
	"iter"
	"os"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// maxZstdWindow bounds how far back a compressed file may refer, and with that the memory that
// it takes: 128 MiB, what zstd itself allows with --long.
const maxZstdWindow = 128 << 20

// Decompress gives the content of a file, by the extension of its name: .gz (RFC 1952), .zst
// (RFC 8878), or any other for what is not compressed. r is the file. Close frees the
// decompressor; it does not close r. The error is one of the beginning of r: it is no such file.
func Decompress(name string, r io.Reader) (io.ReadCloser, error) {
	switch strings.ToLower(filepath.Ext(name)) {
	case ".gz":
		d, err := gzip.NewReader(r)
		if err != nil {
			return nil, compressedFault("gzip", err)
		}
		return compressed{d, "gzip"}, nil
	case ".zst":
		// More than one block at a time takes more memory than it saves time: what is read here
		// is looked through by the other cores.
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(maxZstdWindow))
		if err != nil {
			return nil, err
		}
		return compressed{d.IOReadCloser(), "zstd"}, nil
	}
	return io.NopCloser(r), nil
}

// compressed words the faults of a decompressor.
type compressed struct {
	io.ReadCloser
	format string
}

func (c compressed) Read(b []byte) (int, error) {
	n, err := c.ReadCloser.Read(b)
	if err != nil && err != io.EOF { //nolint:errorlint // a reader ends with io.EOF itself
		err = compressedFault(c.format, err)
	}
	return n, err
}

// compressedError is a fault in words for people; what the decompressor said is its cause.
type compressedError struct {
	text  string
	cause error
}

func (e *compressedError) Error() string { return e.text }
func (e *compressedError) Unwrap() error { return e.cause }

func compressedFault(format string, err error) error {
	var path *os.PathError
	switch {
	case errors.As(err, &path): // of the file itself
		return err
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return &compressedError{"the " + format + " data ends too early: the file is empty or was cut off; get a complete copy", err}
	}
	return &compressedError{"it is not intact " + format + " data; rename the file if it is not compressed, or get a new copy", err}
}

// File is Messages over the file of that name, decompressed by its extension (see [Decompress]).
// o.File is the name if it is empty. A file that can't be opened is an error after which nothing
// follows.
func File(name string, o Options) iter.Seq2[Message, error] {
	return func(yield func(Message, error) bool) {
		f, err := os.Open(name)
		if err != nil {
			yield(Message{}, err)
			return
		}
		defer f.Close()
		content, err := Decompress(name, f)
		if err != nil {
			yield(Message{}, err)
			return
		}
		defer content.Close()
		if o.File == "" {
			o.File = name
		}
		Messages(content, o)(yield)
	}
}
