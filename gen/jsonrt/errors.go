// Package jsonrt is the run time of generated code. Programs that use generated code find here
// what messages of all types have in common, the registry of compiled schemas and the errors.
// Generated code calls the rest: the checker that walks a tape, exact numbers and equality, the
// decoder and the encoder.
package jsonrt

import (
	"strconv"
	"strings"
)

// Detail is one fault of a payload, worded for a reader who has to repair it.
type Detail struct {
	// Path is the RFC 6901 pointer to the member concerned, also where that member is
	// missing or unknown. The root is "".
	Path string `json:"path"`
	// Message says what is wrong in plain English: "must be string", "is required".
	Message string `json:"message"`
	// Keyword is the JSON Schema keyword that was not met. It is empty for faults that
	// belong to no keyword.
	Keyword string `json:"keyword"`
	// SchemaPath is the location of the keyword: a URI fragment such as
	// "#/properties/stage/type", behind the other file's name if it stands in another file.
	SchemaPath string `json:"schema_path"`
}

// ValidationError says why a document does not satisfy its schema. Details are in document
// order and never empty.
type ValidationError struct {
	Details []Detail
	// More counts the faults that are not listed, beyond MaxDetails or MaxDetailBytes.
	More int
	// Incomplete says that there may be faults which are neither listed nor counted: finding
	// them all would have cost more work than one call may.
	Incomplete bool
}

// Error lists every detail, one a line.
func (e *ValidationError) Error() string {
	var b strings.Builder
	for i, d := range e.Details {
		if i > 0 {
			b.WriteByte('\n')
		}
		if d.Path != "" {
			b.WriteString(d.Path)
			b.WriteString(": ")
		}
		b.WriteString(d.Message)
	}
	if e.More > 0 {
		b.WriteString("\nand ")
		b.WriteString(strconv.Itoa(e.More))
		b.WriteString(" more")
	}
	if e.Incomplete {
		b.WriteString("\nand perhaps others: looking for all of them would cost too much")
	}
	return b.String()
}

// RepeatedNameError says that an object has two members of one name (compared after
// unescaping). Such a document is refused before any schema sees it: two readers of it
// could see two different messages.
type RepeatedNameError struct {
	// Path is the RFC 6901 pointer to the second of the two members.
	Path string
}

func (e *RepeatedNameError) Error() string {
	return e.Path + ": this member name is repeated; keep one of the two"
}
