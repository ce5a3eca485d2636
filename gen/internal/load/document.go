package load

import (
	"net/url"

	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// Document is a schema that is no file of a folder but part of something larger, such as a
// catalogue of tools that somebody else's server has written. It is a message type.
type Document struct {
	// ID is the id of the message type, and GoName the name of its Go type: an exported identifier.
	// No other document has either.
	ID, GoName string
	// Path is what diagnostics call the document: "the input schema of create_issue".
	Path string
	// Role is what the comment of the Go type says that it is: "what the tool create_issue takes".
	Role string
	// Received says that its values come from elsewhere; else they go there.
	Received bool
	Data     []byte
}

// LoadDocuments reads schemas each of which stands alone: a reference that leads out of a document
// finds nothing but the published meta-schemas and what lies behind o.Maps, whatever $id the other
// documents claim. o.Dir is not used. The graph has the documents without a fault; the faults of
// the others come by the index of the document.
func LoadDocuments(o Options, documents []Document) (*Graph, map[int]Diagnostics) {
	o.Dir = ""
	l := newLoader(o)
	g, faults := &Graph{}, map[int]Diagnostics{}
	for i := range documents {
		l.faults = nil
		if m := l.alone(&documents[i]); len(l.faults) > 0 {
			faults[i] = l.faults.Sorted()
		} else {
			g.Messages = append(g.Messages, m)
		}
	}
	g.Warnings = l.warnings.Sorted()
	return g, faults
}

// alone reads one document.
func (l *loader) alone(d *Document) *Message {
	uri := &url.URL{Scheme: "document", Path: "/" + d.GoName}
	f := l.parse(d.Path, d.GoName, uri, d.Data)
	f.Document = d
	delete(l.files, uri.String()) // for no other document to find
	l.walkFile(f)
	m := &Message{ID: d.ID, Schema: f.at[0]}
	if !f.faulty {
		l.reach(m.Schema)
		l.faults = append(l.faults, Blame(m, l.faults)...)
	}
	return m
}

// Origin is what the header of a generated file says that it was made from.
func (f *File) Origin() string {
	if f.Document != nil {
		return f.Path
	}
	return f.Name
}

// GoPrefix is the word before the names of everything that is generated from the file, as
// names.File has it.
func (f *File) GoPrefix() string {
	if f.Document != nil {
		return f.Document.GoName
	}
	return names.File(f.Name)
}

// GoName is the name of the message's Go type.
func (m *Message) GoName() string {
	if d := m.Schema.File.Document; d != nil {
		return d.GoName
	}
	return names.Message(m.ID)
}
