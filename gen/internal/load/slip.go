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

// draft3 holds the keywords that ended with draft 3, and what came instead.
var draft3 = map[string]string{"disallow": "not", "divisibleBy": "multipleOf", "extends": "allOf"}

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
	if now, ok := draft3[name]; ok {
		if spec, known := s.Dialect.Spec(now); known && (name != "divisibleBy" || spec.Shape.takes(kind)) {
			l.warn(s.File.At(key, "warning: %s is a keyword of draft 3 only and checks nothing here; use %s", name, now))
		}
		return
	}
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

// otherDraft warns of a keyword that checks something in other drafts only.
func (l *loader) otherDraft(s *Schema, key int, rows []Spec) {
	draft := s.Dialect.Draft
	first, last := rows[0], rows[len(rows)-1]
	checks := Applicators | Unevaluated | Validation
	if last.Vocab&checks == 0 && last.Shape != Reference {
		return
	}
	switch {
	case draft < first.From:
		l.warn(s.File.At(key, "warning: %s is a keyword since %s and checks nothing here, in %s; say which draft is meant with $schema or -dialect-of", first.Name, first.From, draft))
	case last.To != open && draft > last.To:
		l.warn(s.File.At(key, "warning: %s is a keyword up to %s and checks nothing here, in %s; say which draft is meant with $schema or -dialect-of", last.Name, last.To, draft))
	}
}

func (l *loader) warn(d Diagnostic) { l.warnings = append(l.warnings, d) }
