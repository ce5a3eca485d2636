// Package builtin reads the configuration file of the original Echo MCP, one JSON document
// that holds all message types, and splits it into the files of a schema folder.
package builtin

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// reservedID is the id under which the server echoes payloads without a schema.
const reservedID = "__schemaless__"

// File is one schema's file.
type File struct {
	ID   string
	Name string // below the schema folder
	Text []byte
	Note string // what of the entry the file doesn't hold, if anything
}

// Fault is one thing that is wrong with the configuration, with the words of the original.
type Fault struct {
	Line, Column int
	Pointer      string
	Msg          string
}

// String is "line:column: /pointer: what is wrong", without the pointer for the whole document.
func (f Fault) String() string {
	if f.Pointer == "" {
		return fmt.Sprintf("%d:%d: %s", f.Line, f.Column, f.Msg)
	}
	return fmt.Sprintf("%d:%d: %s: %s", f.Line, f.Column, f.Pointer, f.Msg)
}

// Faults is an error that lists all that is wrong with a configuration.
type Faults []Fault //nolint:errname // the list; one of them is no error by itself

func (fs Faults) Error() string {
	lines := make([]string, len(fs))
	for i, f := range fs {
		lines[i] = f.String()
	}
	return strings.Join(lines, "\n")
}

// Split gives the files for a configuration: {"schemas": [{"schema_id", "description"?,
// "schema"}…]}. Each holds the schema's own bytes. A description of the entry becomes the
// schema's first member where the schema is an object without one.
//
// The error is a *jsontape.SyntaxError or Faults.
func Split(config []byte) ([]File, error) {
	s := splitter{ids: map[string]bool{}, names: map[string]string{}}
	if err := s.tape.Parse(config, jsontape.Options{}); err != nil {
		return nil, err
	}
	list := -1
	if s.tape.Tokens[0].Kind == jsontape.Object {
		list = s.tape.Member(0, "schemas")
	}
	if list < 0 || s.tape.Tokens[list].Kind != jsontape.Array {
		s.fault(max(list, 0), "'schemas' must be an array.")
		return nil, s.faults
	}
	// A repeated name would make two readers see two configurations.
	if again := s.tape.RepeatedName(0); again >= 0 {
		s.fault(again, "the member name %s is repeated; keep one of the two.", s.tape.Bytes(again))
		return nil, s.faults
	}
	for i, n := list+1, 0; i < s.tape.Next(list); i, n = s.tape.Next(i), n+1 {
		s.entry(i, n)
	}
	if len(s.faults) > 0 {
		return nil, s.faults
	}
	return s.files, nil
}

type splitter struct {
	tape   jsontape.Tape
	faults Faults
	files  []File
	ids    map[string]bool
	names  map[string]string // ids by file name in lower case
}

func (s *splitter) fault(at int, format string, args ...any) {
	line, column := jsontape.Position(s.tape.Data, int(s.tape.Tokens[at].Start))
	s.faults = append(s.faults, Fault{line, column, s.tape.Pointer(at), fmt.Sprintf(format, args...)})
}

// entry reads the entry at token i, the n-th of the list.
func (s *splitter) entry(i, n int) {
	id, description, schema := -1, -1, -1
	if s.tape.Tokens[i].Kind == jsontape.Object {
		id, description, schema = s.tape.Member(i, "schema_id"), s.tape.Member(i, "description"), s.tape.Member(i, "schema")
	}
	before := len(s.faults)
	f := File{}
	if id < 0 || s.tape.Tokens[id].Kind != jsontape.String || s.tape.Str(id) == "" {
		s.fault(or(id, i), "schemas[%d].schema_id must be a non-empty string.", n)
	} else {
		f.ID = s.tape.Str(id)
		f.Name = s.name(f.ID, id)
	}
	if description >= 0 && s.tape.Tokens[description].Kind != jsontape.String {
		s.fault(description, "schemas[%d].description must be a string when provided.", n)
	}
	if schema < 0 || !isSchema(s.tape.Tokens[schema].Kind) {
		s.fault(or(schema, i), "schemas[%d].schema must be a JSON Schema object or boolean.", n)
	}
	if len(s.faults) > before {
		return
	}
	f.Text, f.Note = s.text(schema, description)
	s.files = append(s.files, f)
}

// or gives the token of what is wrong, or that of the entry in which it is missing.
func or(at, entry int) int {
	if at < 0 {
		return entry
	}
	return at
}

func isSchema(k jsontape.Kind) bool {
	return k == jsontape.Object || k == jsontape.True || k == jsontape.False
}

// name gives the file name for an id that nobody else has.
func (s *splitter) name(id string, at int) string {
	switch {
	case id == reservedID:
		s.fault(at, "Schema id '%s' is reserved.", id)
		return ""
	case s.ids[id]:
		s.fault(at, "Duplicate built-in schema id '%s'.", id)
		return ""
	}
	s.ids[id] = true
	name, err := schemafile.Name(id)
	if err != nil {
		s.fault(at, "Schema id %q can't be a file: %v.", id, err)
		return ""
	}
	if other, ok := s.names[strings.ToLower(name)]; ok {
		s.fault(at, "Schema ids '%s' and '%s' differ in case only, which not every file system can tell apart.", other, id)
		return ""
	}
	s.names[strings.ToLower(name)] = id
	return name
}

// text is the text of a schema's file.
func (s *splitter) text(schema, description int) (text []byte, note string) {
	source := s.tape.Bytes(schema)
	out := make([]byte, 0, len(source)+64)
	if description < 0 || s.tape.Str(description) == "" {
		return append(append(out, source...), '\n'), ""
	}
	if s.tape.Tokens[schema].Kind != jsontape.Object {
		return append(append(out, source...), '\n'), "a boolean schema has no place for the description"
	}
	if own := s.tape.Member(schema, "description"); own >= 0 {
		if !bytes.Equal(s.tape.Bytes(own), s.tape.Bytes(description)) {
			note = "the schema's own description stays, the entry's is dropped"
		}
		return append(append(out, source...), '\n'), note
	}
	// The new member takes the white space that stands before the first one.
	rest := source[1:]
	space := rest[:len(rest)-len(bytes.TrimLeft(rest, " \t\r\n"))]
	out = append(append(out, '{'), space...)
	out = append(append(out, `"description": `...), s.tape.Bytes(description)...)
	if s.tape.Len(schema) == 0 {
		return append(append(out, rest...), '\n'), ""
	}
	out = append(out, ',')
	if len(space) == 0 {
		out = append(out, ' ')
	}
	return append(append(out, rest...), '\n'), ""
}

// ExistsError lists files that are there already and hold something else.
type ExistsError struct{ Paths []string }

func (e *ExistsError) Error() string {
	return "there already, and different: " + strings.Join(e.Paths, ", ") + "; --force overwrites them (a changed schema should be a new id)"
}

// Write writes the files into the folder, which it makes where it is missing. Files that
// are there with other contents are left alone, and then nothing is written, unless force
// is set.
func Write(dir string, files []File, force bool) error {
	var exist ExistsError
	for _, f := range files {
		path := filepath.Join(dir, f.Name)
		have, err := os.ReadFile(path)
		switch {
		case os.IsNotExist(err):
		case err != nil:
			return err
		case !force && !bytes.Equal(have, f.Text):
			exist.Paths = append(exist.Paths, path)
		}
	}
	if len(exist.Paths) > 0 {
		return &exist
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	for _, f := range files {
		if err := os.WriteFile(filepath.Join(dir, f.Name), f.Text, 0o644); err != nil {
			return err
		}
	}
	return nil
}
