package streamable

import (
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"
	"time"

	"github.com/stretchr/testify/require"
)

// TestEvents: the examples of the specification, and what else a stream may hold. Each is read as
// it comes from a network, and byte by byte.
func TestEvents(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		text   string
		want   []string
		lastID string
		retry  time.Duration
	}{
		"nothing":                     {"", nil, "", -1},
		"one":                         {"data: {\"a\":1}\n\n", []string{`{"a":1}`}, "", -1},
		"CR":                          {"data: 1\r\rdata:2\r\r", []string{"1", "2"}, "", -1},
		"CRLF":                        {"data: 1\r\n\r\ndata: 2\r\n\r\n", []string{"1", "2"}, "", -1},
		"mixed ends":                  {"data: 1\n\r\ndata: 2\r\n\ndata: 3\r\r\n", []string{"1", "2", "3"}, "", -1},
		"lines":                       {"data: YHOO\ndata: +2\ndata: 10\n\n", []string{"YHOO\n+2\n10"}, "", -1},
		"comments":                    {": test stream\n\ndata: first event\nid: 1\n\n:\n\ndata:second event\nid\n\ndata:  third event\n\n", []string{"first event", "second event", " third event"}, "", -1},
		"no data":                     {"data\n\ndata\ndata\n\ndata:", []string{"\n"}, "", -1},
		"one space is no part of it":  {"data:test\n\ndata: test\n\ndata:  test\n\n", []string{"test", "test", " test"}, "", -1},
		"an event that is cut off":    {"id: 1\ndata: 1\n\nid: 2\ndata: 2\n", []string{"1"}, "1", -1},
		"an id without data":          {"id: 1\ndata: 1\n\nid: 2\n\n", []string{"1"}, "2", -1},
		"an id stays":                 {"id: 1\ndata: 1\n\ndata: 2\n\n", []string{"1", "2"}, "1", -1},
		"an id with a NUL":            {"id: 1\n\nid: 2\x003\ndata: 2\n\n", []string{"2"}, "1", -1},
		"retry":                       {"retry: 250\nretry: 1.5\nretry: -1\nretry:\n\n", nil, "", 250 * time.Millisecond},
		"other kinds":                 {"event: endpoint\ndata: /x\nid: 9\n\nevent: message\ndata: 1\n\nevent:\ndata: 2\n\n", []string{"1", "2"}, "9", -1},
		"a byte order mark":           {"\uFEFFdata: 1\n\n\uFEFFdata: 2\n\n", []string{"1"}, "", -1},
		"unknown fields, upper case":  {"DATA: 1\nfoo: bar\nfoo\ndata : 2\ndata: 3\n\n", []string{"3"}, "", -1},
		"a colon in the value":        {"data: a: b\n\n", []string{"a: b"}, "", -1},
		"larger than what is read at": {"data: " + strings.Repeat("x", 100_000) + "\ndata: y\n\n", []string{strings.Repeat("x", 100_000) + "\ny"}, "", -1},
	} {
		for _, r := range []io.Reader{strings.NewReader(c.text), iotest.OneByteReader(strings.NewReader(c.text))} {
			e := newEvents(io.NopCloser(r), 1<<20)
			var got []string
			for {
				data, err := e.next()
				if err != nil {
					require.ErrorIs(t, err, io.EOF, name)
					break
				}
				got = append(got, string(data))
			}
			require.Equal(t, c.want, got, name)
			require.Equal(t, c.lastID, e.lastID, name)
			require.Equal(t, c.retry, e.retry, name)
		}
	}
}

// TestEventsDoNotWait: an event counts as soon as the blank line's first byte is there.
func TestEventsDoNotWait(t *testing.T) {
	t.Parallel()
	r, w := io.Pipe()
	e := newEvents(r, 100)
	go func() { _, _ = io.WriteString(w, "data: 1\r\n\r") }()
	data, err := e.next()
	require.NoError(t, err)
	require.Equal(t, "1", string(data))
	go func() { _, _ = io.WriteString(w, "\ndata: 2\n\n") }()
	data, err = e.next()
	require.NoError(t, err)
	require.Equal(t, "2", string(data))
	e.close()
}

func TestEventsLimit(t *testing.T) {
	t.Parallel()
	const limit = 10
	for text, fits := range map[string]bool{
		"data: 0123456789\n\n":             true,
		"data: 0123456789x\n\n":            false,
		"data: 0123\ndata: 56789\n\n":      true,
		"data: 0123\ndata: 5678901\n\n":    false,
		": a comment\ndata: 012345678\n\n": true,
		":" + strings.Repeat("x", 1000):    false,
		strings.Repeat("data:\n", 1000):    false,
	} {
		_, err := newEvents(io.NopCloser(strings.NewReader(text)), limit).next()
		require.Equal(t, fits, !errors.Is(err, errTooLarge), text)
	}
}

func FuzzEvents(f *testing.F) {
	f.Add("data: 1\r\n\rid: 2\ndata: 3\n\n")
	f.Add("\uFEFF: x\nretry: 5\n\n")
	f.Fuzz(func(t *testing.T, text string) {
		read := func(r io.Reader) (all []string, last string) {
			e := newEvents(io.NopCloser(r), 1<<20)
			for {
				data, err := e.next()
				if err != nil {
					return all, e.lastID
				}
				all = append(all, string(data))
			}
		}
		whole, lastWhole := read(strings.NewReader(text))
		pieces, lastPieces := read(iotest.OneByteReader(strings.NewReader(text)))
		require.Equal(t, whole, pieces)
		require.Equal(t, lastWhole, lastPieces)
		// With all line ends alike it is the same stream.
		same, lastSame := read(strings.NewReader(strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")))
		require.Equal(t, whole, same)
		require.Equal(t, lastWhole, lastSame)
	})
}
