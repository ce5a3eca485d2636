package wire_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// readers are ways in which the same bytes can come in.
var readers = map[string]func(io.Reader) io.Reader{
	"at once":      func(r io.Reader) io.Reader { return r },
	"one by one":   iotest.OneByteReader,
	"half":         iotest.HalfReader,
	"data and EOF": iotest.DataErrReader,
}

// lines reads all messages; of one beyond the limit it gives "too long" and the id.
func lines(t *testing.T, r io.Reader, limit int) []string {
	t.Helper()
	var all []string
	l := wire.NewLineReader(r, limit)
	for {
		in, err := l.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		if in.TooLong != nil {
			all = append(all, "too long "+string(in.TooLong.ID()))
		} else {
			all = append(all, string(in.Data))
		}
		in.Release()
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	big := `{"x":"` + strings.Repeat("x", 200_000) + `","id":5}`
	for _, c := range []struct {
		name, input string
		limit       int
		want        []string
	}{
		{"nothing", "", 0, nil},
		{"blank lines", "\n\r\n \t\n\n", 0, nil},
		{"one", "a\n", 0, []string{"a"}},
		{"no line feed at the end", "a\nb", 0, []string{"a", "b"}},
		{"blank between", "a\n\n\nb\n", 0, []string{"a", "b"}},
		{"CR LF", "a\r\nb\r\n", 0, []string{"a\r", "b\r"}},
		{"CR alone is no line break", "a\rb\n", 0, []string{"a\rb"}},
		{"NUL", "\x00\n", 0, []string{"\x00"}},
		{"large", big + "\n" + big, 0, []string{big, big}},
		{"at the limit", big + "\n" + big, len(big), []string{big, big}},
		{"beyond", "a\n" + big + "\nb\n", len(big) - 1, []string{"a", "too long 5", "b"}},
		{"beyond, at the end", "a\n" + big, len(big) - 1, []string{"a", "too long 5"}},
		{"beyond, blank", strings.Repeat(" ", 100) + "\na\n", 10, []string{"too long null", "a"}},
		{"small limit", `{"id":"abc"}` + "\n" + `{"id":1}`, 8, []string{`too long "abc"`, `{"id":1}`}},
	} {
		for how, reader := range readers {
			require.Equal(t, c.want, lines(t, reader(strings.NewReader(c.input)), c.limit), "%s, %s", c.name, how)
		}
	}
}

func TestLinesFail(t *testing.T) {
	t.Parallel()
	l := wire.NewLineReader(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(errGone)), 0)
	in, err := l.Next()
	require.NoError(t, err)
	require.Equal(t, "a", string(in.Data))
	_, err = l.Next()
	require.ErrorIs(t, err, errGone, "half a message is none")
}

func TestBody(t *testing.T) {
	t.Parallel()
	body := `{"id":5,"x":"` + strings.Repeat("x", 100_000) + `"}`
	for how, reader := range readers {
		for _, size := range []int64{-1, 0, 1, 50_000, int64(len(body)), 1 << 40} {
			in, err := wire.ReadBody(reader(strings.NewReader(body)), size, wire.Limits{Message: len(body)})
			require.NoError(t, err, how)
			require.Equal(t, body, string(in.Data), how)
			in.Release()
		}
		in, err := wire.ReadBody(reader(strings.NewReader(body)), int64(len(body)), wire.Limits{Message: len(body) - 1, Discard: 1 << 20})
		require.NoError(t, err, how)
		require.Nil(t, in.Data, how)
		require.Equal(t, `5`, string(in.TooLong.ID()), how)
	}
	_, err := wire.ReadBody(io.MultiReader(strings.NewReader(body), iotest.ErrReader(errGone)), -1, wire.Limits{})
	require.ErrorIs(t, err, errGone)
}

// TestBodyDiscardsLittle: of a body without end only so much is read.
func TestBodyDiscardsLittle(t *testing.T) {
	t.Parallel()
	endless := &counted{r: io.MultiReader(strings.NewReader(`{"id":5,"x":"`), zeros{})}
	in, err := wire.ReadBody(endless, -1, wire.Limits{Message: 1 << 20, Discard: 1 << 20})
	require.NoError(t, err)
	require.Equal(t, `5`, string(in.TooLong.ID()))
	require.Less(t, endless.n, 3<<20)
}

// TestRoom: large messages have so much room together; small ones need none, and what is
// refused, breaks off or is done with takes none.
func TestRoom(t *testing.T) {
	t.Parallel()
	room := wire.NewRoom(250_000)
	read := func(body string) *wire.Input {
		in, err := wire.ReadBody(iotest.HalfReader(strings.NewReader(body)), int64(len(body)), wire.Limits{Message: 150_000, Discard: 1 << 20, Room: room})
		require.NoError(t, err)
		return in
	}
	large := `{"id":5,"x":"` + strings.Repeat("x", 100_000) + `"}`
	first, second := read(large), read(large)
	require.Equal(t, large, string(first.Data))
	require.EqualValues(t, 2*len(large), room.Used())

	third := read(large)
	require.True(t, third.NoRoom)
	require.Nil(t, third.Data)
	require.Equal(t, `5`, string(third.TooLong.ID()))
	small := read(`{}`)
	require.Equal(t, `{}`, string(small.Data))
	require.EqualValues(t, 2*len(large), room.Used())
	for _, in := range []*wire.Input{first, third, small} {
		in.Release()
		in.Release() // once more gives nothing back
	}
	require.EqualValues(t, len(large), room.Used())
	second.Release()

	tooLong := read(large + large)
	require.False(t, tooLong.NoRoom)
	require.NotNil(t, tooLong.TooLong)
	_, err := wire.ReadBody(io.MultiReader(strings.NewReader(large), iotest.ErrReader(errGone)), -1, wire.Limits{Room: room})
	require.ErrorIs(t, err, errGone)
	require.Zero(t, room.Used())
}

type zeros struct{}

func (zeros) Read(b []byte) (int, error) { return copy(b, bytes.Repeat([]byte("0"), len(b))), nil }

type counted struct {
	r io.Reader
	n int
}

func (c *counted) Read(b []byte) (int, error) {
	n, err := c.r.Read(b)
	c.n += n
	return n, err
}
