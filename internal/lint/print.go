package lint

import (
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/internal/modelapi"
	"github.com/zenlix/echo-mcp/internal/printable"
)

// alike is how many places of one rule in one tool or file are printed each; the others are
// counted.
const alike = 3

// PrintText prints findings for people: a line for each, with where and what, and then for
// each rule who objects, what to do and where that is written.
func PrintText(w io.Writer, found []Finding) error {
	var (
		b     strings.Builder
		count = map[string]int{} // of the places of a rule in a tool or file
		rules []*modelapi.Rule
		fixes = map[string]bool{}
	)
	kind := func(f Finding) string {
		return fmt.Sprint(f.Rule.ID, "\x00", f.File, "\x00", f.Tool, "\x00", f.ToolName)
	}
	for _, f := range found {
		count[kind(f)]++
		if !slices.ContainsFunc(rules, func(r *modelapi.Rule) bool { return r.ID == f.Rule.ID }) {
			rules = append(rules, f.Rule)
		}
		fixes[f.Rule.ID] = fixes[f.Rule.ID] || f.Fix != nil
	}
	printed := map[string]int{}
	for _, f := range found {
		k := kind(f)
		more := count[k] - alike
		switch printed[k]++; {
		case printed[k] == alike+1 && more > 1:
			fmt.Fprintf(&b, "%s: %s: and %d more such places [%s]\n", f.where(), f.Rule.Level, more, f.Rule.ID)
		case printed[k] <= alike || more == 1:
			fmt.Fprintf(&b, "%s: %s: %s [%s]\n", f.where(), f.Rule.Level, f.message(), f.Rule.ID)
		}
	}
	for _, r := range rules {
		remedy := r.Remedy
		if fixes[r.ID] {
			remedy += " --fix does it where that is safe."
		}
		fmt.Fprintf(&b, "\n%s (%s)\n  %s\n  %s\n  %s\n", r.ID, strings.Join(r.Clients, ", "), r.Effect, remedy, r.Sources[0])
	}
	_, err := io.WriteString(w, b.String())
	return err
}

// where is the place that stands first on a line.
func (f Finding) where() string {
	switch {
	case f.File != "":
		return fmt.Sprintf("%s:%d:%d", printable.Text(f.File), f.Line, f.Column)
	case f.Tool < 0:
		return "tools/list"
	}
	return printable.Text(f.ToolName)
}

// message is what is there, with the pointer into the schema.
func (f Finding) message() string {
	text := f.String()
	if f.Rule.Subject == modelapi.OfOutput && f.Pointer != "" {
		text = "output schema " + text
	}
	return printable.Text(text)
}

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
			r.Clients, r.Effect, r.Remedy, f.Fix != nil, r.Sources,
		})
		if err != nil {
			return err
		}
	}
	return nil
}
