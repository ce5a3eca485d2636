package validate_test

import (
	"bytes"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/validate"
)

// screen runs f on a terminal and gives what f wrote to it.
func screen(t *testing.T, f func(terminal *os.File)) string {
	t.Helper()
	display, terminal, err := pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(terminal, &pty.Winsize{Rows: 24, Cols: 80}))
	shown := make(chan string)
	go func() {
		all, _ := io.ReadAll(display) // ends with an error when the terminal closes
		shown <- string(all)
	}()
	f(terminal)
	require.NoError(t, terminal.Close())
	return <-shown
}

func env(set map[string]string) func(string) string {
	return func(name string) string { return set[name] }
}

func TestProgressOnATerminal(t *testing.T) {
	for _, c := range []struct {
		name  string
		env   map[string]string
		color bool
	}{
		{"colours", nil, true},
		{"an empty NO_COLOR is none", map[string]string{"NO_COLOR": ""}, true},
		{"NO_COLOR", map[string]string{"NO_COLOR": "1"}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, size := range []int64{1000, -1} {
				shown := screen(t, func(terminal *os.File) {
					p := validate.NewProgress(terminal, size, env(c.env))
					require.NotNil(t, p)
					in := p.Reader(strings.NewReader(strings.Repeat("x", 400)))
					for range 3 {
						_, err := io.CopyN(io.Discard, in, 100)
						require.NoError(t, err)
						time.Sleep(150 * time.Millisecond) // longer than the bar stays the same
					}
					_, err := io.WriteString(p.Writer(terminal), "a fault\n")
					require.NoError(t, err)
				})
				require.Contains(t, shown, "B/s")
				require.Equal(t, c.color && size > 0, strings.Contains(shown, "\x1b[32m"), "%q", shown)
				// The bar is taken away before a line is written, which begins at the left.
				before, _, found := strings.Cut(shown, "a fault")
				require.True(t, found)
				require.True(t, strings.HasSuffix(before, "\r"), "%q", shown)
			}
		})
	}
}

func TestNoProgressElsewhere(t *testing.T) {
	file, err := os.Create(t.TempDir() + "/stderr")
	require.NoError(t, err)
	defer file.Close()
	require.Nil(t, validate.NewProgress(file, 10, env(nil)))
	require.Nil(t, validate.NewProgress(new(bytes.Buffer), 10, env(nil)))
	screen(t, func(terminal *os.File) {
		require.Nil(t, validate.NewProgress(terminal, 10, env(map[string]string{"TERM": "dumb"})))
	})

	var none *validate.Progress
	in, out := strings.NewReader(""), new(bytes.Buffer)
	require.Same(t, in, none.Reader(in))
	require.Same(t, out, none.Writer(out))
}
