package bundle

import (
	"cmp"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// edit puts text in the place of a piece of a file.
type edit struct {
	start, end int
	text       string
}

// inOrder sorts edits by where they start, the longer ones first.
func inOrder(a, b edit) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(b.end, a.end)) }

// apply returns the piece of data from start to end with the edits inside it made. Edits
// are in order and don't overlap, save that one may stand inside a piece that another removes.
func apply(data []byte, start, end int, edits []edit) string {
	var out strings.Builder
	at := start
	first, _ := slices.BinarySearchFunc(edits, start, func(e edit, start int) int { return cmp.Compare(e.start, start) })
	for _, e := range edits[first:] {
		if e.start >= end {
			break
		}
		if e.start < at || e.end > end {
			continue
		}
		out.Write(data[at:e.start])
		out.WriteString(e.text)
		at = e.end
	}
	out.Write(data[at:end])
	return out.String()
}

// removed are the edits that take the string members of these names out of the object at
// token obj.
func removed(t *jsontape.Tape, obj int, names ...string) []edit {
	type member struct {
		start, end int
		goes       bool
	}
	var members []member
	kept := -1
	for i := obj + 1; i < t.Next(obj); i = t.Next(i + 1) {
		kind := t.Tokens[i+1].Kind
		scalar := kind != jsontape.Object && kind != jsontape.Array
		m := member{int(t.Tokens[i].Start), int(t.Tokens[i+1].End), scalar && slices.Contains(names, t.Str(i))}
		if !m.goes {
			kept = len(members)
		}
		members = append(members, m)
	}
	var edits []edit
	for i, m := range members[:kept+1] {
		if m.goes {
			edits = append(edits, edit{start: m.start, end: members[i+1].start})
		}
	}
	// What follows the last one kept goes with the comma before it.
	if rest := members[kept+1:]; len(rest) > 0 {
		start := rest[0].start
		if kept >= 0 {
			start = members[kept].end
		}
		edits = append(edits, edit{start: start, end: rest[len(rest)-1].end})
	}
	return edits
}
