package dev

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/term"
)

// terminal tells a person, or with JSON a program, what happens.
type terminal struct {
	w       io.Writer
	program string
	json    bool
	colour  bool
	mu      sync.Mutex
}

// event is one line of JSON. Members that say nothing are left out.
type event struct {
	Event    string   `json:"event"`
	Message  string   `json:"message,omitempty"`
	Files    []string `json:"files,omitempty"`
	URL      string   `json:"url,omitempty"`
	Faults   []string `json:"faults,omitempty"`
	Generate int64    `json:"generate_ms,omitempty"`
	Build    int64    `json:"build_ms,omitempty"`
	Total    int64    `json:"total_ms,omitempty"`
	Whole    bool     `json:"whole,omitempty"`
}

// newTerminal writes to w. Colours are for a terminal, and not where NO_COLOR is set
// (https://no-color.org).
func newTerminal(w io.Writer, program string, asJSON bool) *terminal {
	t := &terminal{w: w, program: program, json: asJSON}
	if f, ok := w.(*os.File); ok && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" {
		t.colour = term.IsTerminal(int(f.Fd()))
	}
	return t
}

const (
	red    = "\x1b[31m"
	green  = "\x1b[32m"
	yellow = "\x1b[33m"
	plain  = ""
)

// say tells of an event. The lines of e.Faults come first, as they are, and then the message.
func (t *terminal) say(colour string, e event) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.json {
		line, _ := json.Marshal(e) // strings and numbers
		_, _ = t.w.Write(append(line, '\n'))
		return
	}
	var b strings.Builder
	for _, fault := range e.Faults {
		b.WriteString(t.paint(colour, fault) + "\n")
	}
	if e.Message != "" {
		b.WriteString(t.program + ": " + t.paint(colour, e.Message) + "\n")
	}
	_, _ = io.WriteString(t.w, b.String())
}

func (t *terminal) paint(colour, text string) string {
	if !t.colour || colour == plain {
		return text
	}
	return colour + text + "\x1b[0m"
}

func (t *terminal) changed(files []string) {
	text := strings.Join(files, ", ")
	if len(files) > 3 {
		text = fmt.Sprintf("%s and %d more", strings.Join(files[:3], ", "), len(files)-3)
	}
	t.say(plain, event{Event: "changed", Message: "changed: " + text, Files: files})
}

func (t *terminal) ready(b *built, total time.Duration) {
	what := "built"
	if !b.whole {
		what = "built what changed"
	}
	if len(b.warnings) > 0 {
		t.say(yellow, event{Event: "warnings", Faults: b.warnings})
	}
	t.say(green, event{
		Event: "ready", Generate: b.generating.Milliseconds(), Build: b.building.Milliseconds(), Total: total.Milliseconds(), Whole: b.whole,
		Message: fmt.Sprintf("ready after %s: generated in %s, %s in %s", seconds(total), seconds(b.generating), what, seconds(b.building)),
	})
}

func (t *terminal) faults(f FaultsError) {
	shown := f
	if len(f) > mostFaults {
		shown = append(f[:mostFaults:mostFaults], fmt.Sprintf("and %d more", len(f)-mostFaults))
	}
	t.say(red, event{Event: "faults", Faults: shown, Message: "every tool call is answered with this until it is mended"})
}

func seconds(d time.Duration) string { return fmt.Sprintf("%.1fs", d.Seconds()) }
