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
	{"divisibleBy", "a multiple of %s"},
	{"minItems", "at least %s items"},
	{"maxItems", "at most %s items"},
	{"minProperties", "at least %s members"},
	{"maxProperties", "at most %s members"},
	{"default", "default %s"},
}

// limits puts the limits that the places set into words: "at least 1 character", "pattern
// ^[a-z]+$". A limit that is long to tell is left out.
func limits(places []*load.Schema) []string {
	const longest = 80
	var facts []string
	for _, limit := range limitWords {
		for _, s := range places {
			value := limitText(s, limit.keyword)
			if value == "" || len(value) > longest || value == "0" && strings.HasPrefix(limit.keyword, "min") && limit.keyword != "minimum" {
				continue
			}
			fact := fmt.Sprintf(limit.words, value)
			if value == "1" {
				fact = strings.NewReplacer("characters", "character", "items", "item", "members", "member").Replace(fact)
			}
			facts = append(facts, fact)
			break
		}
	}
	for _, s := range places {
		if isTrue(s, load.GoUnique) {
			return append(facts, "no two items are equal")
		}
	}
	return facts
}

// limitText is the value of a keyword as it reads in a comment; "" where it is absent.
func limitText(s *load.Schema, keyword string) string {
	t := &s.File.Tape
	if t.Tokens[s.Tok].Kind != jsontape.Object {
		return ""
	}
	v := t.Member(s.Tok, keyword)
	if v < 0 {
		return ""
	}
	if t.Tokens[v].Kind == jsontape.String && keyword != "const" && keyword != "default" {
		return oneLine(t.Str(v))
	}
	return oneLine(string(t.Bytes(v)))
}

// fieldComment is the comment of a field: what the schema says about it, then the facts and
// the place, then whether it is deprecated.
func fieldComment(f *field, from *load.File) string {
	var paragraphs []string
	if text := describe(f.said); text != "" {
		paragraphs = append(paragraphs, text)
	}
	var facts []string
	if !plainTag(f.json) {
		facts = append(facts, "member "+strconv.Quote(f.json))
	}
	facts = append(facts, limits(f.said)...)
	if f.typ.form == formRaw {
		facts = append(facts, "raw JSON: "+f.typ.note)
	}
	if f.soft {
		facts = append(facts, "other values are in AdditionalProperties")
	}
	where := "(" + oneLine(f.said[0].Location(from)) + ")"
	if len(facts) > 0 {
		text := strings.Join(facts, ", ")
		where = strings.ToUpper(text[:1]) + text[1:] + ". " + where
	}
	paragraphs = append(paragraphs, where)
	if deprecated(f.said) {
		paragraphs = append(paragraphs, "Deprecated: the schema says so.")
	}
	return strings.Join(paragraphs, "\n\n")
}
