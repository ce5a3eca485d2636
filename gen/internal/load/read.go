package load

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/schemafile"
)

// ReservedID is the id under which the server echoes payloads without a schema.
const ReservedID = "__schemaless__"

// Options say what to load.
type Options struct {
	// Dir is the schema folder.
	Dir string
	// Default is the draft of a schema without $schema; zero means 2020-12.
	Default Draft
	// Dialects are the drafts of $schema values that nobody else knows.
	Dialects map[string]Draft
	// DialectOf says how files without $schema are read; the first pattern that matches counts.
	DialectOf []FileDialect
	// Roots are definitions that are message types beside the files of Dir.
	Roots []Root
	// Maps answer references that lead out of Dir.
	Maps []Mapping
}

// FileDialect is the draft of the files whose names in the schema folder, with or without .json,
// match a pattern of path.Match.
type FileDialect struct {
	Pattern string
	Draft   Draft
}

// draftFor is how a file is read that has no $schema.
func (o Options) draftFor(f *File) Draft {
	for _, d := range o.DialectOf {
		for _, name := range []string{f.Name, strings.TrimSuffix(f.Name, ".json")} {
			if ok, err := path.Match(d.Pattern, name); ok && err == nil && f.folder {
				return d.Draft
			}
		}
	}
	return o.Default
}

// Mapping answers any reference to a URI below Prefix from the folder Dir; ".json" may be
// missing from the URI.
type Mapping struct {
	Prefix, Dir string
}

// Load reads every schema of the folder. Files of the folder itself are message types, those
// of its sub-folders hold shared definitions. Faults are all listed; the graph then holds only
// the message types without a fault, so that later passes can find theirs.
func Load(o Options) (*Graph, Diagnostics) {
	l := newLoader(o)
	g := l.load()
	g.Warnings = l.warnings.Sorted()
	return g, l.faults.Sorted()
}

type loader struct {
	Options
	faults   Diagnostics
	warnings Diagnostics
	files    map[string]*File   // by URI
	owners   map[string][]*File // by the URI of a resource in the schema folder
	metas    map[Draft]*metaSchema
	dialects map[string]Dialect // of custom meta-schemas, by URI; a zero one is being worked out
}

func newLoader(o Options) *loader {
	if o.Default == 0 {
		o.Default = Draft2020
	}
	slices.SortStableFunc(o.Maps, func(a, b Mapping) int { return len(b.Prefix) - len(a.Prefix) })
	return &loader{Options: o, files: map[string]*File{}, owners: map[string][]*File{}, metas: map[Draft]*metaSchema{}, dialects: map[string]Dialect{}}
}

func (l *loader) fault(d Diagnostic) { l.faults = append(l.faults, d) }

func (l *loader) load() *Graph {
	root, err := os.OpenRoot(l.Dir)
	if err != nil {
		l.fault(Diagnostic{Path: l.Dir, Message: "cannot open the schema folder: " + reason(err)})
		return &Graph{}
	}
	defer root.Close()
	var files []*File
	err = fs.WalkDir(root.FS(), ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			l.fault(Diagnostic{Path: filepath.Join(l.Dir, name), Message: "cannot be read: " + reason(err)})
			return nil
		}
		if entry.IsDir() || path.Ext(name) != ".json" {
			return nil
		}
		if f := l.readFolderFile(root, name); f != nil {
			files = append(files, f)
		}
		return nil
	})
	if err != nil {
		l.fault(Diagnostic{Path: l.Dir, Message: reason(err)})
	}
	files = append(files, l.roots(files)...)
	for _, f := range files {
		l.walkFile(f)
	}
	g := &Graph{}
	for _, f := range files {
		if isMessage(f.Name) && !f.faulty {
			id, _ := schemafile.ID(f.Name) // readFolderFile has seen to faults
			g.Messages = append(g.Messages, &Message{ID: id, Schema: f.at[0]})
		}
	}
	l.refuseTwins(g)
	slices.SortFunc(g.Messages, func(a, b *Message) int { return strings.Compare(a.ID, b.ID) })
	g.Messages = slices.DeleteFunc(g.Messages, func(m *Message) bool {
		before := len(l.faults)
		l.reach(m.Schema)
		l.faults = append(l.faults, Blame(m, l.faults[before:])...)
		return len(l.faults) > before
	})
	return g
}

// Blame adds, to faults met on behalf of m, one that names m's own file where all of them lie
// in other files that m refers to.
func Blame(m *Message, faults Diagnostics) Diagnostics {
	for _, d := range faults {
		if d.Path == m.Schema.File.Path {
			return nil
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return Diagnostics{m.Schema.File.At(m.Schema.Tok, "refers to %s, which has faults: %s", faults[0].Path, faults[0].Message)}
}

// isMessage says whether a file is a message type: whether it stands in the folder itself.
func isMessage(name string) bool { return !strings.Contains(name, "/") }

// refuseTwins finds files whose names are two ways to write one id, with and without escapes.
func (l *loader) refuseTwins(g *Graph) {
	first := map[string]*Message{}
	for _, m := range g.Messages {
		if other := first[m.ID]; other != nil {
			l.fault(Diagnostic{Path: m.Schema.File.Path, Message: fmt.Sprintf("gives the id %q, as %s does; rename one of the two", m.ID, other.Schema.File.Path)})
		} else {
			first[m.ID] = m
		}
	}
}

// reason strips the operation and path from a file system error: the diagnostic names the
// file already.
func reason(err error) string {
	var pathErr *fs.PathError
	if errors.As(err, &pathErr) {
		return pathErr.Err.Error()
	}
	return err.Error()
}

// folderURI is the base of the files in the schema folder. The path segment lets a reference
// that climbs out of the folder be told from one that stays inside.
func folderURI(name string) *url.URL { return &url.URL{Scheme: "schemas", Path: "/schemas/" + name} }

func (l *loader) readFolderFile(root *os.Root, name string) *File {
	shown := filepath.Join(l.Dir, filepath.FromSlash(name))
	if !utf8.ValidString(name) {
		l.fault(Diagnostic{Path: fmt.Sprintf("%+q", shown), Message: "the file name is not UTF-8; rename the file"})
		return nil
	}
	if isMessage(name) {
		switch id, err := schemafile.ID(name); {
		case err != nil:
			l.fault(Diagnostic{Path: shown, Message: err.Error() + "; rename the file"})
			return nil
		case id == "":
			l.fault(Diagnostic{Path: shown, Message: "the schema id, the file name without .json, is empty; rename the file"})
			return nil
		case id == ReservedID:
			l.fault(Diagnostic{Path: shown, Message: "the id " + ReservedID + " is reserved for payloads without a schema; rename the file"})
			return nil
		}
	}
	data, err := schemafile.Read(root.FS(), name, schemafile.MaxBytes)
	if err != nil {
		l.fault(Diagnostic{Path: shown, Message: "cannot be read: " + reason(err)})
		return nil
	}
	f := l.parse(shown, name, folderURI(name), data)
	f.folder = true
	return f
}

// parse reads a document. The file comes back also when it has faults; it is then marked.
func (l *loader) parse(shown, name string, uri *url.URL, data []byte) *File {
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // a byte order mark, which some editors write
	f := &File{Path: filepath.ToSlash(shown), Name: name, uri: uri, at: map[int]*Schema{}, byPointer: map[string]*Schema{}, resources: map[string]*Resource{}}
	l.files[uri.String()] = f
	if err := f.Tape.Parse(data, jsontape.Options{MaxDepth: len(data) + 1}); err != nil {
		f.Tape.Data = data
		f.faulty = true
		var syntax *jsontape.SyntaxError
		if errors.As(err, &syntax) {
			l.fault(f.atOffset(syntax.Offset, "not JSON: %s", syntax.Msg))
		} else {
			l.fault(f.atOffset(0, "not JSON: %v", err))
		}
		return f
	}
	if tok := tooDeep(&f.Tape); tok >= 0 {
		f.faulty = true
		l.fault(f.At(tok, "arrays and objects nest more than %d deep here; give the inner schema a name in $defs and refer to it", maxDepth))
		return f
	}
	if again := f.Tape.RepeatedName(0); again >= 0 {
		f.faulty = true
		l.fault(f.At(again, "the member name %s is repeated; keep one of the two", f.Tape.Bytes(again)))
	}
	return f
}

// open finds the file for a URI without fragment, outside the document that refers to it:
// in the schema folder, behind a mapping, or among the published meta-schemas.
func (l *loader) open(uri *url.URL) (*File, string) {
	key := uri.String()
	if f := l.files[key]; f != nil {
		return f, ""
	}
	if uri.Scheme == "schemas" {
		if f := l.files[key+".json"]; f != nil {
			return f, ""
		}
		if !strings.HasPrefix(uri.Path, "/schemas/") {
			return nil, "leads out of the schema folder"
		}
		return nil, fmt.Sprintf("there is no file %s", path.Join(filepath.ToSlash(l.Dir), strings.TrimPrefix(uri.Path, "/schemas/")))
	}
	for _, m := range l.Maps {
		if rest, ok := strings.CutPrefix(key, m.Prefix); ok {
			return l.openMapped(m, rest, uri)
		}
	}
	if f := l.openMeta(uri); f != nil {
		return f, ""
	}
	return nil, ""
}

func (l *loader) openMapped(m Mapping, rest string, uri *url.URL) (*File, string) {
	name, err := url.PathUnescape(rest)
	if err != nil {
		return nil, err.Error()
	}
	root, err := os.OpenRoot(m.Dir)
	if err != nil {
		return nil, fmt.Sprintf("cannot open %s, to which -map leads: %s", m.Dir, reason(err))
	}
	defer root.Close()
	name = strings.TrimPrefix(name, "/")
	for _, candidate := range []string{name, name + ".json"} {
		data, err := schemafile.Read(root.FS(), candidate, schemafile.MaxBytes)
		if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrInvalid) {
			continue // not there, or a name that leads out of the folder
		}
		if err != nil {
			return nil, fmt.Sprintf("%s, to which -map leads, cannot be read: %s", path.Join(filepath.ToSlash(m.Dir), candidate), reason(err))
		}
		f := l.parse(filepath.Join(m.Dir, filepath.FromSlash(candidate)), uri.String(), uri, data)
		l.walkFile(f)
		return f, ""
	}
	return nil, fmt.Sprintf("there is no file %s, to which -map leads", path.Join(filepath.ToSlash(m.Dir), name))
}
