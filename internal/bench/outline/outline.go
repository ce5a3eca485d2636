// Package outline has the Go type of what the typed tools of the benchmark take and give. The
// schema report_outline_v1 says the same.
package outline

// Outline is the outline of a report.
type Outline struct {
	Title string `json:"title" jsonschema:"minLength=1,maxLength=200"`
	Items []Item `json:"items" jsonschema:"minItems=1"`
}

// Item is one section.
type Item struct {
	Index   int    `json:"index" jsonschema:"minimum=1"`
	Heading string `json:"heading" jsonschema:"minLength=1"`
	Notes   string `json:"notes,omitempty"`
}
