// Package printable makes text of others fit for a person's terminal and for error messages.
package printable

import (
	"strconv"
	"strings"
	"sync"
	"unicode"
)

// Text escapes what a terminal would not print but obey, such as line breaks and colours.
func Text(text string) string {
	text = strings.ToValidUTF8(text, "�")
	if strings.IndexFunc(text, odd) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if odd(r) {
			quoted := strconv.QuoteRuneToASCII(r)
			b.WriteString(quoted[1 : len(quoted)-1])
			continue
		}
		b.WriteRune(r)
	}
	return b.String()
}

func odd(r rune) bool { return !unicode.IsPrint(r) }

// Start is the beginning of a text, of at most this many bytes before they are escaped as Text
// does; "…" stands for the rest.
func Start(text string, most int) string {
	if len(text) <= most {
		return Text(text)
	}
	return Text(strings.ToValidUTF8(text[:most], "")) + "…"
}

// tailBytes is how much a Tail keeps.
const tailBytes = 2000

// Tail keeps the last 2,000 bytes of what is written to it. Its methods may be called at the same
// time.
type Tail struct {
	mu   sync.Mutex
	text []byte
}

// Write keeps the end of p.
func (t *Tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.text = append(t.text, p[max(0, len(p)-tailBytes):]...)
	if extra := len(t.text) - tailBytes; extra > 0 {
		t.text = append(t.text[:0], t.text[extra:]...)
	}
	return len(p), nil
}

// String is what is kept, by lines, each as Text gives it, without a line break at the end.
func (t *Tail) String() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var lines []string
	for line := range strings.Lines(string(t.text)) {
		lines = append(lines, Text(strings.TrimRight(line, "\r\n")))
	}
	return strings.Join(lines, "\n")
}
