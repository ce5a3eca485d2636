package types

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// commentText makes text from a schema fit for a // comment: nothing in it can end the
// comment, act as a directive or deceive the reader. It is the only way for such text into
// the comments of generated code.
func commentText(s string) string {
	var b strings.Builder
	for _, r := range strings.ReplaceAll(s, "\r\n", "\n") {
		switch {
		case r == '\n' || r == '\u2028' || r == '\u2029' || r == '\r' || r == '\v' || r == '\f':
			b.WriteByte('\n')
		case r == '\t':
			b.WriteByte(' ')
		case unicode.IsControl(r), unicode.Is(unicode.Cf, r), r == '\uFEFF':
			// Invisible: control characters, byte order marks, characters that turn the
			// direction of writing.
		default:
			b.WriteRune(r)
		}
	}
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "go:") || strings.HasPrefix(line, "+build") || strings.HasPrefix(line, "line ") {
			// Inert behind "// " already; quoted so that no tool takes it for a mistake.
			line = "“" + line + "”"
		}
		lines = append(lines, line)
	}
	return strings.TrimSpace(strings.Join(lines, "\n"))
}

// describe is the first description that the places have, as comment text.
func describe(places []*load.Schema) string {
	for _, key := range []string{"description", "title"} {
		for _, s := range places {
			if text := commentText(s.Text(key)); text != "" {
				return text
			}
		}
	}
	return ""
}

// deprecated reports whether one of the places is marked so.
func deprecated(places []*load.Schema) bool {
	for _, s := range places {
		t := &s.File.Tape
		if t.Tokens[s.Tok].Kind != jsontape.Object {
			continue
		}
		if v := t.Member(s.Tok, "deprecated"); v >= 0 && t.Tokens[v].Kind == jsontape.True {
			return true
		}
	}
	return false
}

// limitWords says in words what each keyword asks for. The order is that of the comment.
var limitWords = []struct{ keyword, words string }{
	{"const", "always %s"},
	{"minLength", "at least %s characters"},
	{"maxLength", "at most %s characters"},
	{"pattern", "pattern %s"},
	{"format", "format %s"},
	{"minimum", "at least %s"},
	{"exclusiveMinimum", "more than %s"},
	{"maximum", "at most %s"},
	{"exclusiveMaximum", "less than %s"},
	{"multipleOf", "a multiple of %s"},
	{"minItems", "at least %s items"},
	{"maxItems", "at most %s items"},
	{"minProperties", "at least %s members"},
	{"maxProperties", "at most %s members"},
	{"default", "default %s"},
}

// limits puts the limits that the places set into words: "at least 1 character, pattern
// ^[a-z]+$".
func limits(places []*load.Schema) string {
	const longest = 80
	var parts []string
	for _, limit := range limitWords {
		for _, s := range places {
			t := &s.File.Tape
			if t.Tokens[s.Tok].Kind != jsontape.Object {
				continue
			}
			v := t.Member(s.Tok, limit.keyword)
			if v < 0 {
				continue
			}
			value := string(t.Bytes(v))
			if limit.keyword == "pattern" || limit.keyword == "format" {
				value = t.Str(v)
			}
			value = oneLine(value)
			if value == "" || len(value) > longest {
				continue
			}
			part := fmt.Sprintf(limit.words, value)
			if value == "1" {
				part = strings.NewReplacer("characters", "character", "items", "item", "members", "member").Replace(part)
			}
			parts = append(parts, part)
			break
		}
	}
	for _, s := range places {
		if k := s.Keyword("uniqueItems"); k != nil && s.File.Tape.Tokens[k.Value].Kind == jsontape.True {
			parts = append(parts, "no two items are equal")
			break
		}
	}
	return strings.Join(parts, ", ")
}

// fieldComment is the comment of a field.
func fieldComment(f *field, from *load.File) string {
	all := f.said
	var b strings.Builder
	b.WriteString(describe(all))
	line := func(s string) {
		if b.Len() > 0 {
			b.WriteString("\n\n")
		}
		b.WriteString(s)
	}
	facts := limits(all)
	if !plainTag(f.json) {
		facts = "member " + strconv.Quote(f.json) + prefixed(", ", facts)
	}
	if f.typ.form == formRaw {
		facts += prefixed2(facts, ", ") + "raw JSON: " + f.typ.note
	}
	if f.soft {
		facts += prefixed2(facts, ", ") + "other values are in AdditionalProperties"
	}
	where := all[0].Location(from)
	line(capitalize(facts) + prefixed2(facts, " ") + "(" + oneLine(where) + ")")
	if deprecated(all) {
		line("Deprecated: the schema says so.")
	}
	return b.String()
}

// prefixed is s with a prefix, unless s is empty.
func prefixed(prefix, s string) string {
	if s == "" {
		return ""
	}
	return prefix + s
}

// prefixed2 is the separator, unless s before it is empty.
func prefixed2(s, separator string) string {
	if s == "" {
		return ""
	}
	return separator
}

func capitalize(s string) string {
	if s == "" {
		return ""
	}
	return strings.ToUpper(s[:1]) + s[1:] + "."
}
