package lines_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/lines"
)

// read gives the lines of r, which must stay what they were when they were handed out.
func read(r io.Reader, limit int) (all []string, err error) {
	var kept [][]byte
	err = lines.Read(r, limit, func(line []byte) {
		kept = append(kept, line)
		all = append(all, string(line))
	})
	for i, line := range kept {
		if string(line) != all[i] {
			return nil, errors.New("a line has changed after it was handed out")
		}
	}
	return all, err
}

// TestRead gives lines of any length, however they come in.
func TestRead(t *testing.T) {
	long, longer := strings.Repeat("a", 64<<10), strings.Repeat("b", 300_001)
	for name, tt := range map[string]struct {
		in   string
		want []string
	}{
		"nothing":          {"", nil},
		"one":              {"a\n", []string{"a"}},
		"the last is open": {"a\nb", []string{"a", "b"}},
		"blank lines":      {"\n \t\r\na\n\n\n", []string{"a"}},
		"CR LF":            {"a\r\n b \r\n", []string{"a", " b "}},
		"long":             {long + "\n" + longer + "\nc\n" + long + "x\n" + longer, []string{long, longer, "c", long + "x", longer}},
		"many":             {strings.Repeat("abc\n", 50_000), strings.Split(strings.TrimSuffix(strings.Repeat("abc\n", 50_000), "\n"), "\n")},
	} {
		t.Run(name, func(t *testing.T) {
			for _, r := range []io.Reader{strings.NewReader(tt.in), iotest.HalfReader(strings.NewReader(tt.in)), iotest.OneByteReader(strings.NewReader(tt.in)), iotest.DataErrReader(strings.NewReader(tt.in))} {
				got, err := read(r, 1<<20)
				require.NoError(t, err)
				require.True(t, strings.Join(got, "\n") == strings.Join(tt.want, "\n"))
			}
		})
	}
}

// TestReadFails tells a line that is too long, and what the reader says.
func TestReadFails(t *testing.T) {
	for _, in := range []string{"ok\n" + strings.Repeat("x", 101) + "\n", "ok\n" + strings.Repeat("x", 101), "ok\n" + strings.Repeat(" ", 1<<20)} {
		got, err := read(strings.NewReader(in), 100)
		require.Equal(t, []string{"ok"}, got)
		var long *lines.TooLongError
		require.ErrorAs(t, err, &long)
		require.Equal(t, 100, long.Limit)
	}
	got, err := read(strings.NewReader(strings.Repeat("x", 100)+"\n"), 100)
	require.NoError(t, err)
	require.Len(t, got, 1)

	broken := errors.New("broken pipe")
	got, err = read(io.MultiReader(strings.NewReader("a\nb"), iotest.ErrReader(broken)), 100)
	require.ErrorIs(t, err, broken)
	require.Equal(t, []string{"a", "b"}, got)
}

// TestFrame: what is between tokens may become a space, and the caller's bytes stay.
func TestFrame(t *testing.T) {
	message := []byte("{\"a\":\r\n1}")
	require.Equal(t, "{\"a\":  1}\n", string(lines.Frame(message)))
	require.Equal(t, "{\"a\":\r\n1}", string(message))
	room := append(make([]byte, 0, 10), "{}"...)
	require.Equal(t, "{}\n", string(lines.Frame(room)))
	require.True(t, bytes.Equal(room[:3], []byte("{}\n")), "no copy where there is room")
}
