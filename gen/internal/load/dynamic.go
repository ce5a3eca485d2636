package load

import (
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

// DynamicName gives the anchor whose outermost place the reference k of s means, or "" where k
// is no dynamic reference or acts as a plain one: a $dynamicRef that does not at first lead to
// a dynamic anchor of the same name, a $recursiveRef to a schema without $recursiveAnchor.
func (s *Schema) DynamicName(k *Keyword) string {
	switch {
	case k.Target == nil || k.Check != CheckDynamicRef:
	case k.Name == "$recursiveRef":
		if k.Target.IsRecursive() {
			return RecursiveAnchor
		}
	default:
		if _, anchor, ok := strings.Cut(s.File.Tape.Str(k.Value), "#"); ok && anchor != "" && k.Target.Resource.Dynamic[anchor] == k.Target {
			return anchor
		}
	}
	return ""
}
