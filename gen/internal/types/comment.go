package types

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/zenlix/echo-mcp/gen/internal/comment"
	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// describe is the first description that the places have, as comment text.
func describe(places []*load.Schema) string {
	for _, key := range []string{"description", "title"} {
		for _, s := range places {
			if text := comment.Text(s.Text(key)); text != "" {
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
	var said []string
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
			said = append(said, fact)
			break
		}
	}
	for _, s := range places {
		if facts.IsTrue(s, load.GoUnique) {
			return append(said, "no two items are equal")
		}
	}
	return said
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
		return comment.OneLine(t.Str(v))
	}
	return comment.OneLine(string(t.Bytes(v)))
}

// fieldComment is the comment of a field: what the schema says about it, then the limits and
// the place, then whether it is deprecated.
func fieldComment(f *field, from *load.File) string {
	var paragraphs []string
	if text := describe(f.said); text != "" {
		paragraphs = append(paragraphs, text)
	}
	var said []string
	if !plainTag(f.json) {
		said = append(said, "member "+strconv.Quote(f.json))
	}
	said = append(said, limits(f.said)...)
	if f.typ.form == formRaw {
		said = append(said, "raw JSON: "+f.typ.note)
	}
	if f.soft {
		said = append(said, "other values are in AdditionalProperties")
	}
	where := "(" + comment.OneLine(f.said[0].Location(from)) + ")"
	if len(said) > 0 {
		text := strings.Join(said, ", ")
		where = strings.ToUpper(text[:1]) + text[1:] + ". " + where
	}
	paragraphs = append(paragraphs, where)
	if deprecated(f.said) {
		paragraphs = append(paragraphs, "Deprecated: the schema says so.")
	}
	return strings.Join(paragraphs, "\n\n")
}
