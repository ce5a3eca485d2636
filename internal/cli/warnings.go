package cli

import (
	"fmt"
	"io"
	"sync"

	"github.com/zenlix/echo-mcp/internal/printable"
)

// warnings tell of what a server did beside answering. Its methods may be called at the same time.
type warnings struct {
	mu      sync.Mutex
	w       io.Writer
	program string
	said    int
	ended   bool
}

// mostWarnings is how many warnings are printed; the others are counted.
const mostWarnings = 10

func (w *warnings) to(out io.Writer, program string) { w.w, w.program = out, program }

func (w *warnings) stray(err error) { w.say(err.Error()) }

func (w *warnings) say(text string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.said++; w.said <= mostWarnings && !w.ended {
		fmt.Fprintf(w.w, "%s: warning: %s\n", w.program, printable.Text(text))
	}
}

// end says how many warnings were left out. There are none after it.
func (w *warnings) end() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if more := w.said - mostWarnings; more > 0 && !w.ended {
		fmt.Fprintf(w.w, "%s: %s\n", w.program, counts(more, "more warning"))
	}
	w.ended = true
}
