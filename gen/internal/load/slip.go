package load

import (
	"slices"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
)

// An unknown keyword is an annotation, as the specification says, and checks nothing. That is
// right for what an author means as one, and a hole in the schema where a keyword was meant:
// minLenght, or dependentRequired in a schema of draft 7. Such slips get a warning. A false alarm
// is worse than a slip that nobody notices, since it teaches people to overlook warnings; so a
// name counts only where its value is what the keyword takes.

// annotations are words of other vocabularies that resemble a keyword: OpenAPI's.
var annotations = []string{"example"}

// slip warns of the member at token key, whose name is no keyword in the dialect of s, where it
// seems to be meant as one. Files behind a -map are not the caller's to mend.
func (l *loader) slip(s *Schema, key int) {
	name := s.File.Tape.Str(key)
	if !s.File.folder || slices.Contains(annotations, name) || strings.HasPrefix(strings.ToLower(name), "x-") {
		return
	}
	kind := s.File.Tape.Tokens[key+1].Kind
	if rows := Rows(name); len(rows) > 0 {
		l.otherDraft(s, key, rows)
		return
	}
	best, edits := "", 0
	for _, spec := range specs {
		if _, known := s.Dialect.Spec(spec.Name); !known || !spec.Shape.takes(kind) || variant(name, spec.Name) {
			continue
		}
		if n, ok := near.Misspelling(name, spec.Name); ok && (best == "" || n < edits) {
			best, edits = spec.Name, n
		}
	}
	switch {
	case best != "":
		l.warn(s.File.At(key, "warning: %s is no keyword and checks nothing; did you mean %s?", name, best))
	case s.Dialect.Draft >= V1:
		l.warn(s.File.At(key, "warning: %s is no keyword, and v1 wants the names of what is none to begin with x-", name))
	}
}

// variant reports whether a name sets itself apart from the keyword on purpose, as
// description_old and title-2 do.
func variant(name, keyword string) bool {
	rest, ok := strings.CutPrefix(name, keyword)
	return ok && rest != "" && strings.ContainsAny(rest[:1], "_-0123456789")
}

func (l *loader) warn(d Diagnostic) { l.warnings = append(l.warnings, d) }
