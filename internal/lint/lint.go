// Package lint says which well-known client or model API refuses which tool or schema, and why.
// The rules are those of package modelapi; here is where tools come from (a server, files), and
// how findings are printed and mended.
package lint

import (
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// Finding is a place that a rule objects to, where a person finds it.
type Finding struct {
	modelapi.Finding
	// ToolName is the name of the tool, "" where the rule objects to the list or to a file.
	ToolName string
	// File is the file that holds the schema, as it was named, "" where a server gave it. Line
	// and Column are where in it, both from 1; columns count code points.
	File         string
	Line, Column int
}

// Tools looks at the tools of one server.
func Tools(tools []modelapi.Tool, o modelapi.Options) []Finding {
	found := make([]Finding, 0)
	for _, f := range modelapi.Lint(tools, o) {
		f.Fix = nil // there is no text of a person's to edit
		name := ""
		if f.Tool >= 0 {
			name = tools[f.Tool].Name
		}
		found = append(found, Finding{Finding: f, ToolName: name})
	}
	return found
}

// File is a schema in a file.
type File struct {
	// Name is the file, as it was named or found in a named folder.
	Name string
	Text []byte
}

// check is what the rules say of the file's schema as the input schema of a tool. What it
// refers to in files that are there counts as copied in, as the compiler does.
func (f File) check(o modelapi.Options) []modelapi.Finding {
	o.Schema = true
	o.Knows = func(ref string) bool {
		u, err := url.Parse(ref)
		if err != nil || u.IsAbs() || u.Host != "" || u.Path == "" {
			return false
		}
		info, err := os.Stat(filepath.Join(filepath.Dir(f.Name), filepath.FromSlash(u.Path)))
		return err == nil && info.Mode().IsRegular()
	}
	return modelapi.Lint([]modelapi.Tool{{Input: f.Text}}, o)
}

// Lint looks at the file's schema as the input schema of a tool.
func (f File) Lint(o modelapi.Options) []Finding {
	var found []Finding
	for _, m := range f.check(o) {
		found = append(found, Finding{Finding: m, File: f.Name})
	}
	slices.SortStableFunc(found, func(a, b Finding) int { return cmp.Compare(a.Offset, b.Offset) })
	line, column, done := 1, 1, 0
	for i := range found {
		// From one place to the next, as there may be many in a long text.
		l, c := jsontape.Position(f.Text[done:], found[i].Offset-done)
		if line += l - 1; l > 1 {
			column = 1
		}
		column += c - 1
		done = found[i].Offset
		found[i].Line, found[i].Column = line, column
	}
	return found
}

// Mend edits the file's text until no rule objects to a place that can be edited without
// changing what the schema means, and says how many places that were.
func (f *File) Mend(o modelapi.Options) (places int) {
	// One round may make room for another: "properties" are added once the type is a string.
	for range 10 {
		text, count := modelapi.Apply(f.Text, f.check(o))
		if count == 0 {
			break
		}
		f.Text = text
		places += count
	}
	return places
}

// InputError says what is in the way of looking at a file.
type InputError struct {
	// Name is the file or folder.
	Name string
	// Line and Column are where its text is no JSON; 0 where it could not be read.
	Line, Column int
	Text         string
}

func (e *InputError) Error() string {
	if e.Line > 0 {
		return fmt.Sprintf("%s:%d:%d: %s", e.Name, e.Line, e.Column, e.Text)
	}
	return e.Name + ": " + e.Text
}

// Files reads files, and the files *.json of folders without those of their sub-folders, which
// hold shared definitions. Each has one JSON value. The error, an *InputError, is the first file
// that can't be read, or a folder without such files.
func Files(paths []string) ([]File, error) {
	var files []File
	for _, path := range paths {
		names := []string{path}
		if info, err := os.Stat(path); err == nil && info.IsDir() {
			entries, err := os.ReadDir(path)
			if err != nil {
				return nil, unreadable(path, err)
			}
			names = nil
			for _, e := range entries {
				if !e.IsDir() && strings.HasSuffix(e.Name(), ".json") {
					names = append(names, filepath.Join(path, e.Name()))
				}
			}
			if len(names) == 0 {
				return nil, &InputError{Name: path, Text: "there are no files *.json in this folder; name one with schemas"}
			}
		}
		for _, name := range names {
			text, err := os.ReadFile(name)
			if err != nil {
				return nil, unreadable(name, err)
			}
			var fault *jsontape.SyntaxError
			if errors.As(jsontape.Valid(text), &fault) {
				line, column := jsontape.Position(text, fault.Offset)
				return nil, &InputError{name, line, column, "this is not JSON: " + fault.Msg}
			}
			files = append(files, File{name, text})
		}
	}
	return files, nil
}

func unreadable(name string, err error) error {
	var path *os.PathError
	if errors.As(err, &path) {
		err = path.Err
	}
	return &InputError{Name: name, Text: "can't be read: " + err.Error()}
}

// Write writes the file's text to where it came from, with the permissions that it has.
func (f File) Write() error {
	info, err := os.Stat(f.Name)
	if err == nil {
		err = os.WriteFile(f.Name, f.Text, info.Mode().Perm())
	}
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err
		}
		return &InputError{Name: f.Name, Text: "can't be written: " + err.Error()}
	}
	return nil
}
