// Package load turns schema files into a graph of schemas: files are read strictly and
// checked against their meta-schema, every subschema is found by the rules of its dialect,
// and every reference is resolved. Nothing is fetched from the network, and nothing is read
// from outside the schema folder except where the caller maps a URI prefix to a folder.
//
// References are resolved here and not by github.com/santhosh-tekuri/jsonschema, which stops at
// the first one that dangles without saying where it stands, does not export dynamic anchors,
// drops limits that it cannot hold and loses the order of members. It checks the schemas
// against their meta-schema, and in tests it is the oracle.
//
// The graph keeps to what stands in the files: keywords in file order, values as tokens of
// the file's tape, so that later passes can read numbers as written and point at the exact
// place of a fault.
package load

import (
	"net/url"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// Graph is what Load makes of a schema folder.
type Graph struct {
	// Messages are the message types: the files of the folder itself, sorted by id.
	Messages []*Message
	// Warnings are about members of schemas that are no keywords and look like slips.
	Warnings Diagnostics
}

// Message is one message type.
type Message struct {
	ID     string
	Schema *Schema
}

// File is one schema document.
type File struct {
	Path string // as shown to people: the folder as the user gave it, then the name
	Name string // relative to the schema folder, with slashes; for a mapped file its URI
	Tape jsontape.Tape
	// Document is set for a schema that is no file of a folder; Path and Name are then as it says.
	Document *Document

	uri       *url.URL
	folder    bool            // stands in the schema folder (and not behind a -map)
	at        map[int]*Schema // by token
	byPointer map[string]*Schema
	resources map[string]*Resource
	faulty    bool
	pointers  int // the length of the pointers of all schemas found so far
}

// Root is the schema that the document is.
func (f *File) Root() *Schema { return f.at[0] }

// Resource is a schema with a URI of its own and everything inside it that has none
// (JSON Schema core 2020-12, section 4.3.5).
type Resource struct {
	URI     *url.URL
	Root    *Schema
	Anchors map[string]*Schema // $anchor and $dynamicAnchor; plain-name ids before 2019-09
	Dynamic map[string]*Schema // $dynamicAnchor alone
}

// Schema is one schema: a place in a file, read by a dialect.
type Schema struct {
	File     *File
	Tok      int
	Pointer  string // RFC 6901, from the root of the file
	Dialect  Dialect
	Resource *Resource
	// Bool is set for the schemas true and false.
	Bool *bool
	// Keywords are those that count in the dialect, in file order. Beside a $ref of drafts up
	// to 7 only that $ref counts.
	Keywords []Keyword
	// Hidden are the subschemas of keywords that do not count but still hold definitions.
	Hidden []Keyword
}

// Keyword is one keyword of a schema.
type Keyword struct {
	Spec
	Key, Value int // tokens of the member's name and value
	// Form is set where the value has a form that the schema's own draft does not have: to a draft
	// that has it. Spec is then the row of that draft.
	Form Draft
	// Schemas are the subschemas in file order. For Map and Dependencies Names holds their
	// member names; a list of names in Dependencies has a nil schema.
	Schemas []*Schema
	Names   []string
	// Target is what a Reference resolves to. For $dynamicRef and $recursiveRef it is the
	// schema that the reference names before the dynamic scope is looked at.
	Target *Schema
}

// Keyword finds a keyword by name. It returns nil where the schema does not have it.
func (s *Schema) Keyword(name string) *Keyword {
	for i := range s.Keywords {
		if s.Keywords[i].Name == name {
			return &s.Keywords[i]
		}
	}
	return nil
}

// Location is the URI fragment of the schema, behind its file's name if that is not a
// message's own: "#/properties/stage", "common/money.json#/$defs/amount".
func (s *Schema) Location(from *File) string {
	fragment := (&url.URL{Fragment: s.Pointer}).String()
	if fragment == "" {
		fragment = "#"
	}
	if s.File == from {
		return fragment
	}
	return s.File.Name + fragment
}

// Text reads a string-valued keyword, also one that the dialect takes for an annotation. It
// returns "" where the keyword is absent or not a string.
func (s *Schema) Text(name string) string {
	t := &s.File.Tape
	if t.Tokens[s.Tok].Kind != jsontape.Object {
		return ""
	}
	v := t.Member(s.Tok, name)
	if v < 0 || t.Tokens[v].Kind != jsontape.String {
		return ""
	}
	return t.Str(v)
}

// Files are the names of the files that the message type is made of: its own, and those it
// refers to, at whatever distance.
func (m *Message) Files() map[string]bool {
	files := map[string]bool{}
	seen := map[*Schema]bool{}
	var visit func(s *Schema)
	visit = func(s *Schema) {
		if s == nil || seen[s] {
			return
		}
		seen[s] = true
		files[s.File.Name] = true
		for _, dynamic := range s.Resource.Dynamic {
			visit(dynamic)
		}
		for _, keywords := range [][]Keyword{s.Keywords, s.Hidden} {
			for _, k := range keywords {
				visit(k.Target)
				for _, sub := range k.Schemas {
					visit(sub)
				}
			}
		}
	}
	visit(m.Schema)
	return files
}
