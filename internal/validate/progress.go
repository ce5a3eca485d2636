package validate

import (
	"io"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// redrawEvery is how often the bar changes, and how long an input must take to show one.
const redrawEvery = 100 * time.Millisecond

// Progress shows on a terminal how much of the input has been read. Everywhere else, and
// when it is nil, it does nothing.
type Progress struct {
	bar *progressbar.ProgressBar
}

// NewProgress makes the progress bar for size bytes of input, or an unbounded one where
// size is negative. It is nil unless w is a terminal that can redraw a line. The bar has
// colours unless the environment variable NO_COLOR is set and not empty (no-color.org).
func NewProgress(w io.Writer, size int64, getenv func(string) string) *Progress {
	f, ok := w.(*os.File)
	if !ok || !term.IsTerminal(int(f.Fd())) || getenv("TERM") == "dumb" {
		return nil
	}
	theme := progressbar.Theme{Saucer: "=", SaucerHead: ">", SaucerPadding: " ", BarStart: "[", BarEnd: "]"}
	color := getenv("NO_COLOR") == ""
	if color {
		theme.Saucer, theme.SaucerHead = "[green]=[reset]", "[green]>[reset]"
	}
	return &Progress{progressbar.NewOptions64(size,
		progressbar.OptionSetWriter(w),
		progressbar.OptionSetTheme(theme),
		progressbar.OptionEnableColorCodes(color),
		progressbar.OptionShowBytes(true),
		progressbar.OptionSetWidth(30),
		progressbar.OptionThrottle(redrawEvery),
		progressbar.OptionClearOnFinish(),
		// Without this, a bar of unknown length is redrawn by a goroutine of its own, also
		// into the lines that are written in between.
		progressbar.OptionSetSpinnerChangeInterval(0),
	)}
}

// Reader counts what is read from in.
func (p *Progress) Reader(in io.Reader) io.Reader {
	if p == nil {
		return in
	}
	r := progressbar.NewReader(in, p.bar)
	return &r
}

// Writer takes the bar away before something is written to out, which may be the same
// terminal. The bar comes back with the next read.
func (p *Progress) Writer(out io.Writer) io.Writer {
	if p == nil {
		return out
	}
	return clearing{p.bar, out}
}

type clearing struct {
	bar *progressbar.ProgressBar
	out io.Writer
}

func (c clearing) Write(b []byte) (int, error) {
	if err := c.bar.Clear(); err != nil {
		return 0, err
	}
	return c.out.Write(b)
}
