package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/zenlix/echo-mcp/internal/printable"
)

// output is standard output for what a server sent. On a terminal it escapes what that would obey
// instead of printing it; elsewhere every byte goes through.
type output struct {
	*bufio.Writer
	terminal bool
	// width is how many columns a line of a table may take, 0 for any number.
	width int
}

func newOutput(cmd *cobra.Command) *output {
	o := &output{Writer: bufio.NewWriter(cmd.OutOrStdout())}
	if f, ok := cmd.OutOrStdout().(*os.File); ok && term.IsTerminal(int(f.Fd())) {
		o.terminal = true
		o.width, _, _ = term.GetSize(int(f.Fd())) // 0 where it is not known
	}
	return o
}

// Flush writes what is left. The error decides the exit code: a reader that has gone away, such as
// head, is no news.
func (o *output) Flush() error {
	err := o.Writer.Flush()
	switch {
	case err == nil:
		return nil
	case errors.Is(err, syscall.EPIPE):
		return &exitError{code: exitPipe}
	}
	return &exitError{exitNo, fmt.Errorf("can't write the output: %w", err)}
}

// text writes a text and ends its last line.
func (o *output) text(text string) {
	if o.terminal {
		text = visible(text)
	}
	_, _ = o.WriteString(text) // Flush says what went wrong
	if !strings.HasSuffix(text, "\n") {
		_ = o.WriteByte('\n')
	}
}

// json writes a JSON text as it came, on a line of its own.
func (o *output) json(text []byte) { o.text(string(text)) }

// item writes one JSON text of several, on one line: JSON has line breaks between its tokens only,
// where a space means the same.
func (o *output) item(text []byte) {
	o.json(bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("\n"), []byte(" ")), []byte("\r"), []byte(" ")))
}

// table writes rows in columns, after an indent. Lines may be cut at the edge of a terminal.
func (o *output) table(indent string, rows [][]string) {
	var widths []int
	for _, row := range rows {
		for i := range row {
			row[i] = printable.Text(row[i])
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], utf8.RuneCountInString(row[i]))
		}
	}
	for _, row := range rows {
		var line strings.Builder
		line.WriteString(indent)
		for i, cell := range row {
			line.WriteString(cell)
			if i < len(row)-1 {
				line.WriteString(strings.Repeat(" ", widths[i]-utf8.RuneCountInString(cell)+2))
			}
		}
		text := []rune(strings.TrimRight(line.String(), " "))
		if o.width > 0 && len(text) > o.width {
			text = append(text[:o.width-1], '…')
		}
		fmt.Fprintln(o, string(text))
	}
}

// visible escapes what a terminal would obey, as JSON does, so that JSON stays what it is.
func visible(text string) string {
	if strings.IndexFunc(text, obeyed) < 0 && utf8.ValidString(text) {
		return text
	}
	var b strings.Builder
	for _, r := range strings.ReplaceAll(text, "\r\n", "\n") {
		switch {
		case !obeyed(r):
			b.WriteRune(r)
		case r <= 0xFFFF:
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			high, low := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, high, low)
		}
	}
	return b.String()
}

// obeyed says whether a terminal may do something else with a character than print it. Spaces of
// all scripts and the joiner of emoji are no such characters.
func obeyed(r rune) bool {
	const joiner = '\u200d'
	return r != '\n' && r != '\t' && r != joiner && !unicode.IsPrint(r) && !unicode.Is(unicode.Zs, r)
}
