// Package bundle makes of every message's schema what a reader needs who has no other file:
// one text without references to other files, and for schemas whose values are objects the
// name and the input schema of a tool that takes such a value as its arguments.
//
// A bundle is the schema's own text with edits. What other files are referred to for is
// copied into $defs (definitions before 2019-09), and every reference that would lead
// elsewhere from its new place leads there by a pointer from the root. Schemas inside that
// have a URI of their own lose it: a pointer from the root needs one resource. (JSON Schema
// core 2020-12, section 9.3, bundles by URI instead; few of the programs that read a tool's
// input schema resolve URIs.)
package bundle

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"net/url"
	"path"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// Entry is what belongs to one message.
type Entry struct {
	// Tool is the name of the typed tool, "" where values need not be objects.
	Tool string
	// Text is the bundle, "" where the schema's file is one as it stands.
	Text string
}

// All makes the entries of a graph, by id. The faults are names of tools that two schemas
// would have; the warnings are schemas that get no tool since no API of a model takes it.
func All(g *load.Graph) (entries map[string]Entry, faults, warnings load.Diagnostics) {
	entries = make(map[string]Entry, len(g.Messages))
	owners := map[string]string{}
	left := maxTotal
	for _, m := range g.Messages {
		var e Entry
		if (objects{}).only(m.Schema) {
			e.Tool = ToolName(m.ID)
			if other, taken := owners[e.Tool]; taken {
				faults = append(faults, m.Schema.File.At(0,
					"the typed tool of this schema would be called %s, as that of %s is: rename one of the two", e.Tool, other))
			}
			owners[e.Tool] = m.Schema.File.Path
		}
		e.Text = text(m.Schema, e.Tool != "")
		if e.Tool != "" {
			source := cmp.Or(e.Text, string(m.Schema.File.Tape.Data))
			if reasons := modelapi.Check(e.Tool, []byte(source)); len(reasons) > 0 {
				warnings = append(warnings, m.Schema.File.At(0, "this schema gets no typed tool, as APIs of models would refuse it and all others with it: %s", strings.Join(reasons, "; ")))
				e = Entry{Text: text(m.Schema, false)}
			}
		}
		if left -= len(e.Text); left < 0 {
			return nil, append(faults, m.Schema.File.At(0, "the schemas with all that they refer to in other files have more than %d bytes in all; refer to smaller files, or compile the schemas in several packages", maxTotal)), nil
		}
		entries[m.ID] = e
	}
	return entries, faults, warnings
}

// maxTotal is how many bytes the bundles of a folder may have: each holds a copy of what it
// refers to in other files.
const maxTotal = 64 << 20

// ToolName is the name of the typed tool of a schema: emit_ and the id, with _ for what stands
// outside [A-Za-z0-9_-]. A name that is longer than modelapi.SafeName is cut, and ends in _ and
// eight digits of the id's SHA-256, so that it stays its own and the same in every run.
func ToolName(id string) string {
	name := "emit_" + fit(id)
	if len(name) <= modelapi.SafeName {
		return name
	}
	sum := sha256.Sum256([]byte(id))
	tail := "_" + hex.EncodeToString(sum[:4])
	return name[:modelapi.SafeName-len(tail)] + tail
}

// fit replaces each character outside [A-Za-z0-9_-] by _.
func fit(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z', 'A' <= r && r <= 'Z', '0' <= r && r <= '9', r == '_', r == '-':
			return r
		}
		return '_'
	}, s)
}

// objects are the answers of only.
type objects map[*load.Schema]bool

// only reports whether it can be seen that only objects satisfy the schema: by its
// type, by what it refers to, or by a part of which it is so. A schema that is being looked at
// says no; each is looked at once, for there may be 2^n ways to it.
func (o objects) only(s *load.Schema) bool {
	if s == nil || s.Bool != nil {
		return false
	}
	if answer, known := o[s]; known {
		return answer
	}
	o[s] = false
	o[s] = o.see(s)
	return o[s]
}

func (o objects) see(s *load.Schema) bool {
	t := &s.File.Tape
	for _, k := range s.Keywords {
		one := o.only
		switch k.Go {
		case load.GoKind:
			v := k.Value
			if t.Tokens[v].Kind == jsontape.Array && t.Len(v) == 1 {
				v++
			}
			if t.Tokens[v].Kind == jsontape.String && t.Str(v) == "object" {
				return true
			}
		case load.GoRef:
			if one(k.Target) {
				return true
			}
		case load.GoAll:
			if slices.ContainsFunc(k.Schemas, one) {
				return true
			}
		case load.GoUnion:
			if !slices.ContainsFunc(k.Schemas, func(s *load.Schema) bool { return !one(s) }) {
				return true
			}
		default: // the others do not say of which kind a value is
		}
	}
	return false
}

// bundler makes one bundle.
type bundler struct {
	root     *load.Schema
	pointers bool // every reference becomes a pointer from the root
	seen     map[*load.Schema]bool
	order    []*load.Schema        // seen, as they were found
	foreign  []*load.Schema        // in other files and referred to, as they were found
	listed   map[*load.Schema]bool // the schemas in foreign
	dynamic  bool                  // some reference depends on the way by which it is reached
	moved    bool                  // some schema is not in the root's resource
	mixed    bool                  // some schema has another dialect than the root
}

// text is the bundle of a message, "" where its file is one. Where object is set it has at
// its root, as tools' input schemas must, "type": "object" and "properties".
//
// There is no bundle where files of several dialects meet, or where dynamic references
// meet several resources. Then a tool takes any object, and the server's check says the rest.
func text(root *load.Schema, object bool) string {
	b := &bundler{pointers: object, root: root, seen: map[*load.Schema]bool{}, listed: map[*load.Schema]bool{}}
	b.visit(root)
	if b.moved && (b.dynamic || b.mixed) {
		if object {
			return anyObject
		}
		return ""
	}
	t := &root.File.Tape
	edits := map[*load.File][]edit{}
	names := b.names()
	for _, s := range b.order {
		edits[s.File] = append(edits[s.File], b.edits(s, names)...)
	}
	for _, list := range edits {
		slices.SortStableFunc(list, inOrder)
	}
	own := slices.Clone(edits[root.File])
	if len(b.foreign) > 0 {
		var defs strings.Builder
		for i, s := range b.foreign {
			if i > 0 {
				defs.WriteByte(',')
			}
			k := &s.File.Tape.Tokens[s.Tok]
			defs.Write(jsontape.AppendQuoted(nil, names[s]))
			defs.WriteString(": ")
			defs.WriteString(apply(s.File.Tape.Data, int(k.Start), int(k.End), edits[s.File]))
		}
		own = append(own, b.definitions(defs.String()))
	}
	slices.SortStableFunc(own, inOrder)
	k := &t.Tokens[0]
	bundle := apply(t.Data, int(k.Start), int(k.End), own)
	if object {
		if tool := toolText(bundle, root.Dialect.Draft); tool != "" {
			return tool
		}
	}
	if len(own) == 0 {
		return ""
	}
	return bundle
}

// visit finds every schema that the bundle has to hold.
func (b *bundler) visit(s *load.Schema) {
	if b.seen[s] {
		return
	}
	b.seen[s] = true
	b.order = append(b.order, s)
	b.moved = b.moved || b.isMoved(s)
	b.mixed = b.mixed || s.Dialect != b.root.Dialect
	for _, list := range [][]load.Keyword{s.Keywords, s.Hidden} {
		for _, k := range list {
			for _, inner := range k.Schemas {
				if inner != nil {
					b.visit(inner)
				}
			}
			if k.Target == nil {
				continue
			}
			b.dynamic = b.dynamic || k.Name != "$ref"
			if k.Target.File != b.root.File && !b.listed[k.Target] {
				b.listed[k.Target] = true
				b.foreign = append(b.foreign, k.Target)
			}
			b.visit(k.Target)
		}
	}
}

// isMoved reports whether the schema comes to stand in another resource than in its file.
func (b *bundler) isMoved(s *load.Schema) bool { return s.Resource != b.root.Resource }

// definitionsKeyword is where definitions stand in the root's dialect.
func (b *bundler) definitionsKeyword() string {
	if b.root.Dialect.Draft < load.Draft2019 {
		return "definitions"
	}
	return "$defs"
}

// names gives every schema of another file its name among the definitions: the last words
// of its file and pointer, or the whole location where that word is taken.
func (b *bundler) names() map[*load.Schema]string {
	taken := map[string]int{}
	t := &b.root.File.Tape
	if defs := t.Member(0, b.definitionsKeyword()); defs > 0 {
		for i := defs + 1; i < t.Next(defs); i = t.Next(i + 1) {
			taken[t.Str(i)]++
		}
	}
	short := func(s *load.Schema) string {
		name := fit(strings.TrimSuffix(path.Base(s.File.Name), ".json"))
		if s.Pointer != "" {
			name += "_" + fit(path.Base(s.Pointer))
		}
		return name
	}
	for _, s := range b.foreign {
		taken[short(s)]++
	}
	names := make(map[*load.Schema]string, len(b.foreign))
	for _, s := range b.foreign {
		if names[s] = short(s); taken[short(s)] > 1 {
			names[s] = s.Location(nil)
		}
	}
	return names
}

// edits are what has to change in the text of one schema, without those inside it.
func (b *bundler) edits(s *load.Schema, names map[*load.Schema]string) []edit {
	var edits []edit
	t := &s.File.Tape
	for _, k := range s.Keywords {
		if k.Target == nil || k.Name != "$ref" && !(b.pointers && k.Name == "$recursiveRef") || !b.pointers && !b.isMoved(s) && !b.isMoved(k.Target) {
			continue
		}
		pointer := k.Target.Pointer
		if name, foreign := names[k.Target]; foreign {
			pointer = "/" + b.definitionsKeyword() + string(jsontape.AppendPointerToken(nil, name))
		}
		v := &t.Tokens[k.Value]
		ref := "#" + (&url.URL{Fragment: pointer}).EscapedFragment()
		if text := string(jsontape.AppendQuoted(nil, ref)); text != string(t.Bytes(k.Value)) {
			edits = append(edits, edit{int(v.Start), int(v.End), text})
		}
	}
	if b.isMoved(s) && t.Tokens[s.Tok].Kind == jsontape.Object {
		edits = append(edits, removed(t, s.Tok, "$id", "id", "$schema", "$anchor", "$dynamicAnchor", "$recursiveAnchor")...)
	}
	return edits
}

// definitions is the edit that adds members to the root's definitions.
func (b *bundler) definitions(members string) edit {
	t := &b.root.File.Tape
	keyword := b.definitionsKeyword()
	in := t.Member(0, keyword)
	if in < 0 {
		in = 0
		members = `"` + keyword + `": {` + members + `}`
	}
	if t.Len(in) > 0 {
		members = ", " + members
	}
	end := int(t.Tokens[in].End) - 1
	return edit{end, end, members}
}
