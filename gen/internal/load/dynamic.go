package load

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// RecursiveAnchor is the name under which $recursiveAnchor is known: it cannot be an anchor's.
const RecursiveAnchor = "$recursiveAnchor"

// IsRecursive reports whether the schema has a $recursiveAnchor that is true.
func (s *Schema) IsRecursive() bool {
	k := s.Keyword(RecursiveAnchor)
	return k != nil && s.File.Tape.Tokens[k.Value].Kind == jsontape.True
}

// v1Anchor is the anchor that a $dynamicRef of v1 names: it is no URI there, and whatever carries
// the anchor outermost is meant.
func v1Anchor(s *Schema, k *Keyword) string {
	return strings.TrimPrefix(s.File.Tape.Str(k.Value), "#")
}

// anyDynamic finds a schema with a dynamic anchor for a reference of v1: that of the resource, of
// the file, or of the first file that has one. It is not what the reference leads to (its way
// decides), but shows that there is something. Nil where nothing has the anchor.
func (l *loader) anyDynamic(s *Schema, anchor string) *Schema {
	if found := s.Resource.Dynamic[anchor]; found != nil {
		return found
	}
	files := slices.SortedFunc(maps.Values(l.files), func(a, b *File) int {
		if (a == s.File) != (b == s.File) {
			if a == s.File {
				return -1
			}
			return 1
		}
		return cmp.Compare(a.Name, b.Name)
	})
	for _, f := range files {
		var first *Schema
		for _, r := range f.resources {
			if found := r.Dynamic[anchor]; found != nil && (first == nil || found.Tok < first.Tok) {
				first = found
			}
		}
		if first != nil {
			return first
		}
	}
	return nil
}

// DynamicName gives the anchor whose outermost place the reference k of s means, or "" where k
// is no dynamic reference or acts as a plain one: a $dynamicRef that does not at first lead to
// a dynamic anchor of the same name (in v1 it need not), a $recursiveRef to a schema without
// $recursiveAnchor.
func (s *Schema) DynamicName(k *Keyword) string {
	switch {
	case k.Target == nil || k.Check != CheckDynamicRef:
	case k.Name == "$recursiveRef":
		if k.Target.IsRecursive() {
			return RecursiveAnchor
		}
	case s.Dialect.Draft >= V1:
		return v1Anchor(s, k)
	default:
		if _, anchor, ok := strings.Cut(s.File.Tape.Str(k.Value), "#"); ok && anchor != "" && k.Target.Resource.Dynamic[anchor] == k.Target {
			return anchor
		}
	}
	return ""
}
