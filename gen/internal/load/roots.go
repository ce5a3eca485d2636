package load

import (
	"bytes"
	"net/url"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// Root names definitions that are message types: a file of the schema folder and a pointer to one
// of its schemas, or to all schemas of an object where the pointer ends in "/*". The id is the last
// step of the pointer.
type Root struct{ File, Pointer string }

// roots gives every definition that is a message type a file that refers to it, as a person would
// write it. The schema folder has no such file, so its path is that of the definition.
func (l *loader) roots(files []*File) []*File {
	var made []*File
	for _, r := range l.Roots {
		at := slices.IndexFunc(files, func(f *File) bool { return f.Name == r.File })
		if at < 0 {
			l.fault(Diagnostic{Path: path.Join(filepath.ToSlash(l.Dir), r.File), Message: "cannot be a root: there is no such file in the schema folder"})
			continue
		}
		f := files[at]
		pointer, all := strings.CutSuffix(r.Pointer, "/*")
		tok := -1
		if len(f.Tape.Tokens) > 0 {
			tok = lookup(&f.Tape, pointer)
		}
		switch {
		case tok < 0:
			l.fault(Diagnostic{Path: f.Path, Message: "cannot have the root " + r.Pointer + ": there is nothing at " + pointer})
		case !all:
			made = append(made, l.root(f, pointer))
		case f.Tape.Tokens[tok].Kind == jsontape.Object:
			for key := tok + 1; key < f.Tape.Next(tok); key = f.Tape.Next(key + 1) {
				made = append(made, l.root(f, pointer+string(jsontape.AppendPointerToken(nil, f.Tape.Str(key)))))
			}
		}
	}
	return slices.DeleteFunc(made, func(f *File) bool { return f == nil })
}

// root makes the file for one definition.
func (l *loader) root(f *File, pointer string) *File {
	step := pointer[strings.LastIndexByte(pointer, '/')+1:]
	id := strings.NewReplacer("~1", "/", "~0", "~").Replace(step)
	shown := f.Path + "#" + pointer
	name, err := schemafile.Name(id)
	if err == nil && id == ReservedID {
		name = ""
	}
	if err != nil || name == "" {
		l.fault(Diagnostic{Path: shown, Message: "the name of the definition cannot be the id of a message type; give it another name"})
		return nil
	}
	uri := folderURI(name)
	if other := l.files[uri.String()]; other != nil {
		l.fault(Diagnostic{Path: shown, Message: "gives the id " + id + ", as " + other.Path + " does; rename one of the two"})
		return nil
	}
	dialect := l.draftFor(f).metaURI()
	if tok := f.Tape.Member(0, "$schema"); isString(&f.Tape, tok) {
		dialect = f.Tape.Str(tok)
	}
	var text bytes.Buffer
	text.WriteString(`{"$schema": `)
	text.Write(jsontape.AppendQuoted(nil, dialect))
	text.WriteString(`, "$ref": `)
	text.Write(jsontape.AppendQuoted(nil, (&url.URL{Path: f.Name, Fragment: pointer}).String()))
	text.WriteString("}")
	made := l.parse(shown, name, uri, text.Bytes())
	made.folder = true
	return made
}

// lookup follows a pointer from the root, -1 where it leads nowhere.
func lookup(t *jsontape.Tape, pointer string) int {
	if pointer != "" && lookupFrom(t, 0, pointer) == 0 {
		return -1
	}
	return lookupFrom(t, 0, pointer)
}
