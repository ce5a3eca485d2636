package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// alike is how many places of one rule in one tool or file are printed each; the others are
// counted.
const alike = 3

// PrintText prints findings for people: where and what, then once for each rule in a tool or
// file who objects, what to do and where that is written.
func PrintText(w io.Writer, found []Finding) error {
	for i := 0; i < len(found); {
		n := i + 1
		for n < len(found) && sameKind(found[i], found[n]) {
			n++
		}
		if err := printKind(w, found[i:n]); err != nil {
			return err
		}
		i = n
	}
	return nil
}

func sameKind(a, b Finding) bool {
	return a.Rule.ID == b.Rule.ID && a.ToolName == b.ToolName && a.File == b.File
}

func printKind(w io.Writer, found []Finding) error {
	var b strings.Builder
	for i, f := range found {
		if i == alike && len(found) > alike+1 {
			fmt.Fprintf(&b, "%s: and %d more places\n", f.where(), len(found)-alike)
			break
		}
		fmt.Fprintf(&b, "%s: %s: %s [%s]\n", f.where(), f.Rule.Level, f.message(), f.Rule.ID)
	}
	r := found[0].Rule
	fmt.Fprintf(&b, "    %s: %s\n    %s\n    %s\n", strings.Join(r.Clients, ", "), r.Effect, remedy(r, found), r.Sources[0])
	_, err := io.WriteString(w, b.String())
	return err
}

// where is the place that stands first on a line.
func (f Finding) where() string {
	switch {
	case f.File != "":
		return fmt.Sprintf("%s:%d:%d", printable(f.File), f.Line, f.Column)
	case f.Tool < 0:
		return "tools/list"
	}
	return printable(f.ToolName)
}

// message is what is there, with the pointer into the schema.
func (f Finding) message() string {
	text := f.String()
	if f.Rule.Subject == modelapi.OfOutput && f.Pointer != "" {
		text = "output schema " + text
	}
	return printable(text)
}

// remedy is what to do about findings of one rule.
func remedy(r *modelapi.Rule, found []Finding) string {
	for _, f := range found {
		if len(f.Fix) > 0 {
			return r.Remedy + " --fix does it."
		}
	}
	return r.Remedy
}

// printable escapes what a terminal would not print but obey: names and schemas are those of a
// server that nobody may know.
func printable(text string) string {
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

// row is a finding for machines.
type row struct {
	Rule    string         `json:"rule"`
	Level   modelapi.Level `json:"level"`
	Strict  bool           `json:"strict,omitempty"`
	Tool    string         `json:"tool,omitempty"`
	File    string         `json:"file,omitempty"`
	Line    int            `json:"line,omitempty"`
	Column  int            `json:"column,omitempty"`
	Subject string         `json:"subject"`
	Pointer string         `json:"pointer"`
	Message string         `json:"message"`
	Clients []string       `json:"clients"`
	Effect  string         `json:"effect"`
	Remedy  string         `json:"remedy"`
	Fixable bool           `json:"fixable"`
	Sources []string       `json:"sources"`
}

// PrintJSON prints one JSON object a line for each finding.
func PrintJSON(w io.Writer, found []Finding) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	for _, f := range found {
		r := f.Rule
		err := enc.Encode(row{
			r.ID, r.Level, r.Strict, f.ToolName, f.File, f.Line, f.Column, string(r.Subject), f.Pointer, f.What,
			r.Clients, r.Effect, r.Remedy, len(f.Fix) > 0, r.Sources,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
