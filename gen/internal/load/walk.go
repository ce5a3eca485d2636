package load

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// walkFile finds all schemas of a file and checks the file against its meta-schema.
func (l *loader) walkFile(f *File) {
	if f.faulty || f.at[0] != nil {
		return
	}
	before := len(l.faults)
	res := &Resource{URI: f.uri, Anchors: map[string]*Schema{}, Dynamic: map[string]*Schema{}}
	l.register(f, res, 0, 0)
	s := l.schema(f, 0, "", res, l.draftFor(f).dialect())
	if res.Root == nil {
		// The root has an $id of its own: the file's URI still leads to it.
		res.Root, res.Anchors, res.Dynamic = s, s.Resource.Anchors, s.Resource.Dynamic
	}
	if len(l.faults) == before {
		l.checkMeta(s)
	}
	f.faulty = len(l.faults) > before
	l.idle(f)
}

// register notes the URI of a resource, which is that of the schema at token around; tok is where
// it says so.
func (l *loader) register(f *File, res *Resource, tok, around int) {
	key := res.URI.String()
	if other := f.resources[key]; other != nil && other != res {
		if other.Root != nil && tok > 0 && sameText(f, other.Root.Tok, around) {
			return // one schema, printed wherever it is used
		}
		l.twice(f, tok, other.Root)
		return
	}
	f.resources[key] = res
	if f.folder {
		l.owners[key] = append(l.owners[key], f)
	}
}

// twice notes that the schema whose URI stands at token tok has the one that other has. Without
// other the file is meant.
func (l *loader) twice(f *File, tok int, other *Schema) {
	where, line := "the file", ""
	if other != nil && other.Tok != 0 {
		where = other.Pointer
		at, _ := jsontape.Position(f.Tape.Data, int(f.Tape.Tokens[other.Tok].Start))
		line = fmt.Sprintf(", in line %d", at)
	}
	l.fault(f.At(tok, "two different schemas of this file have the URI %q: this one and %s%s; give one of them another, or write the second as {\"$ref\": …}", f.Tape.Str(tok), where, line))
}

// sameText reports whether two values of a file are equal.
func sameText(f *File, a, b int) bool { return jsonrt.Equal(&f.Tape, a, &f.Tape, b) }

// schema reads the schema at token tok, and everything inside it, once.
func (l *loader) schema(f *File, tok int, pointer string, res *Resource, d Dialect) *Schema {
	if s := f.at[tok]; s != nil {
		return s
	}
	s := &Schema{File: f, Tok: tok, Pointer: pointer, Dialect: d, Resource: res}
	f.at[tok], f.byPointer[pointer] = s, s
	if l.pointersTooLong(s) {
		return s
	}
	t := &f.Tape
	switch t.Tokens[tok].Kind {
	case jsontape.True, jsontape.False:
		b := t.Tokens[tok].Kind == jsontape.True
		s.Bool = &b
	case jsontape.Object:
		l.identify(s)
		l.keywords(s)
		l.effects(s)
	case jsontape.Invalid, jsontape.Null, jsontape.Number, jsontape.String, jsontape.Array:
		l.fault(f.At(tok, "a schema must be an object, true or false, not %s", t.Tokens[tok].Kind))
	}
	if s.Resource.Root == nil && (tok == 0 || s.Resource != res) {
		s.Resource.Root = s
	}
	return s
}

// identify works out the dialect and the resource of an object schema and notes its anchors.
func (l *loader) identify(s *Schema) {
	f, t := s.File, &s.File.Tape
	if tok := t.Member(s.Tok, "$schema"); tok >= 0 && t.Tokens[tok].Kind == jsontape.String {
		// $schema counts at the root of a resource only, and the draft that it names decides
		// which keyword makes this schema one.
		if d, ok := l.dialectOf(f, tok); ok && (s.Pointer == "" || l.idOf(s, d) >= 0) {
			s.Dialect = d
		}
	}
	d := s.Dialect
	if tok := l.idOf(s, d); tok >= 0 {
		ref, err := url.Parse(t.Str(tok))
		if err != nil {
			l.fault(f.At(tok, "not a URI reference: %v", unwrapURL(err)))
			return
		}
		uri := s.Resource.URI.ResolveReference(ref)
		anchor := uri.Fragment
		uri.Fragment, uri.RawFragment = "", ""
		if bare := *ref; bare.Fragment == "" || bare.Path != "" || bare.Opaque != "" || bare.Host != "" || bare.Scheme != "" {
			if uri.String() == s.Resource.URI.String() {
				if ref.String() != "" && s.Tok != 0 && bare.Fragment == "" {
					l.twice(f, tok, s.Resource.Root)
				}
			} else {
				s.Resource = &Resource{URI: uri, Root: s, Anchors: map[string]*Schema{}, Dynamic: map[string]*Schema{}}
				l.register(f, s.Resource, tok, s.Tok)
			}
		}
		if anchor != "" && d.Draft < Draft2019 && !strings.HasPrefix(anchor, "/") {
			l.anchor(s, tok, anchor)
		}
	}
	for _, name := range []string{"$anchor", "$dynamicAnchor"} {
		if _, known := d.Spec(name); !known {
			continue
		}
		if tok := t.Member(s.Tok, name); tok >= 0 && t.Tokens[tok].Kind == jsontape.String {
			l.anchor(s, tok, t.Str(tok))
			if name == "$dynamicAnchor" {
				s.Resource.Dynamic[t.Str(tok)] = s
			}
		}
	}
}

// idOf finds the token of the schema's id, or -1. Beside $ref an id does not count in drafts
// up to 7.
func (l *loader) idOf(s *Schema, d Dialect) int {
	t := &s.File.Tape
	if d.Draft < Draft2019 && isString(t, t.Member(s.Tok, "$ref")) {
		return -1
	}
	for _, name := range d.Draft.idKeywords() {
		if tok := t.Member(s.Tok, name); isString(t, tok) {
			return tok
		}
	}
	return -1
}

func isString(t *jsontape.Tape, tok int) bool {
	return tok >= 0 && t.Tokens[tok].Kind == jsontape.String
}

func (l *loader) anchor(s *Schema, tok int, name string) {
	if other := s.Resource.Anchors[name]; other != nil && other != s {
		l.fault(s.File.At(tok, "the anchor %q is defined twice; the other is at %s", name, other.Location(s.File)))
		return
	}
	s.Resource.Anchors[name] = s
}

// keywords reads the members of an object schema.
func (l *loader) keywords(s *Schema) {
	t := &s.File.Tape
	refOnly := s.Dialect.Draft < Draft2019 && isString(t, t.Member(s.Tok, "$ref"))
	end := t.Next(s.Tok)
	for key := s.Tok + 1; key < end; key = t.Next(key + 1) {
		name := t.Str(key)
		spec, form, known := s.row(key)
		if !known {
			l.slip(s, key)
			continue
		}
		k := Keyword{Spec: spec, Key: key, Value: key + 1, Form: form}
		l.otherForm(s, &k)
		l.subschemas(s, &k)
		if refOnly && name != "$ref" {
			s.Hidden = append(s.Hidden, k)
			continue
		}
		s.Keywords = append(s.Keywords, k)
	}
}
