package lint

import (
	"encoding/json"
	"io"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// The parts of a SARIF log that PrintSARIF writes. (SARIF 2.1.0, OASIS standard)
type (
	sarifLog struct {
		Schema  string     `json:"$schema"`
		Version string     `json:"version"`
		Runs    []sarifRun `json:"runs"`
	}
	sarifRun struct {
		Tool       sarifTool     `json:"tool"`
		ColumnKind string        `json:"columnKind"`
		Results    []sarifResult `json:"results"`
	}
	sarifTool struct {
		Driver sarifDriver `json:"driver"`
	}
	sarifDriver struct {
		Name    string      `json:"name"`
		Version string      `json:"version,omitempty"`
		URI     string      `json:"informationUri"`
		Rules   []sarifRule `json:"rules"`
	}
	sarifRule struct {
		ID      string    `json:"id"`
		Short   sarifText `json:"shortDescription"`
		Help    sarifText `json:"help"`
		HelpURI string    `json:"helpUri"`
		Default struct {
			Level modelapi.Level `json:"level"`
		} `json:"defaultConfiguration"`
	}
	sarifText struct {
		Text string `json:"text"`
	}
	sarifResult struct {
		RuleID    string          `json:"ruleId"`
		RuleIndex int             `json:"ruleIndex"`
		Level     modelapi.Level  `json:"level"`
		Message   sarifText       `json:"message"`
		Locations []sarifLocation `json:"locations"`
	}
	sarifLocation struct {
		Physical *sarifPhysical `json:"physicalLocation,omitempty"`
		Logical  []sarifLogical `json:"logicalLocations,omitempty"`
	}
	sarifPhysical struct {
		Artifact struct {
			URI string `json:"uri"`
		} `json:"artifactLocation"`
		Region struct {
			Line   int `json:"startLine"`
			Column int `json:"startColumn"`
		} `json:"region"`
	}
	sarifLogical struct {
		FullyQualifiedName string `json:"fullyQualifiedName"`
	}
)

// PrintSARIF prints a SARIF 2.1.0 log of one run. The rules in it are those that the findings
// break. program and version are what made it; the version "" is unknown.
func PrintSARIF(w io.Writer, found []Finding, program, version string) error {
	run := sarifRun{ColumnKind: "unicodeCodePoints", Results: []sarifResult{}}
	run.Tool.Driver = sarifDriver{Name: program, Version: version, URI: "https://github.com/zenlix/echo-mcp", Rules: []sarifRule{}}
	index := map[string]int{}
	for _, f := range found {
		r := f.Rule
		if _, known := index[r.ID]; !known {
			index[r.ID] = len(run.Tool.Driver.Rules)
			rule := sarifRule{ID: r.ID, Short: sarifText{r.Effect}, Help: sarifText{r.Remedy}, HelpURI: r.Sources[0]}
			rule.Default.Level = r.Level
			run.Tool.Driver.Rules = append(run.Tool.Driver.Rules, rule)
		}
		run.Results = append(run.Results, sarifResult{
			RuleID: r.ID, RuleIndex: index[r.ID], Level: r.Level,
			Message:   sarifText{f.What + ". " + strings.Join(r.Clients, ", ") + ": " + r.Effect + " " + r.Remedy},
			Locations: []sarifLocation{f.location()},
		})
	}
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(sarifLog{"https://json.schemastore.org/sarif-2.1.0.json", "2.1.0", []sarifRun{run}})
}

// location is a place in a file, and for a server the tool with the pointer into its schema.
func (f Finding) location() sarifLocation {
	if f.File == "" {
		name := "tools/list"
		if f.Tool >= 0 {
			name = f.ToolName + f.Pointer
			if f.Rule.Subject == modelapi.OfOutput {
				name = f.ToolName + " output" + f.Pointer
			}
		}
		return sarifLocation{Logical: []sarifLogical{{name}}}
	}
	p := &sarifPhysical{}
	p.Artifact.URI = (&url.URL{Path: filepath.ToSlash(f.File)}).String()
	p.Region.Line, p.Region.Column = f.Line, f.Column
	return sarifLocation{Physical: p, Logical: []sarifLogical{{"#" + f.Pointer}}}
}
