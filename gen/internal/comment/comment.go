// Package comment makes text of a schema fit for comments in Go source: nothing in it can end the
// comment, act as a directive or deceive the reader. It is the only way for such text into comments.
package comment

import (
	"strings"
	"unicode"
)

// Text keeps the lines of a text, each without space around it.
func Text(s string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case r == '\n' || r == '\u2028' || r == '\u2029' || r == '\r' || r == '\v' || r == '\f':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\uFEFF':
			// Invisible: control characters, byte order marks, characters that turn the
			// direction of writing.
		default:
			b.WriteRune(r)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "go:") || strings.HasPrefix(line, "+build") || strings.HasPrefix(line, "line ") {
			// Inert behind "// " already; quoted so that no tool takes it for a mistake.
			line = "“" + line + "”"
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// OneLine is a text fit for a place within a line of a comment.
func OneLine(s string) string { return strings.ReplaceAll(Text(s), "\n", " ") }

// Lines are the lines of a comment that holds what Text gave, each with its // and broken at a space
// after 90 characters.
func Lines(text string) []string {
	lines := strings.Split(wrap(text), "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRight("// "+line, " ")
	}
	return lines
}

func wrap(text string) string {
	const width = 90
	var lines []string
	for line := range strings.SplitSeq(text, "\n") {
		for len(line) > width {
			at := strings.LastIndexByte(line[:width], ' ')
			if at <= 0 {
				if at = strings.IndexByte(line, ' '); at <= 0 {
					break
				}
			}
			lines = append(lines, line[:at])
			line = line[at+1:]
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n")
}
