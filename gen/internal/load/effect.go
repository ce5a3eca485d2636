package load

import (
	"regexp"
	"strings"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// A keyword may be known and say nothing all the same: for want of another one, or because a $ref
// is beside it. And a pattern may mean something else than its author meant, who knows another
// engine. Both are holes in a schema, and both get a warning. Files behind a -map are not the
// caller's to mend.

// effects warns of what stands in the schema without effect.
func (l *loader) effects(s *Schema) {
	if !s.File.folder {
		return
	}
	t := &s.File.Tape
	for _, k := range s.Hidden {
		if k.Applies() {
			l.warn(s.File.At(k.Key, "warning: %s has no effect beside $ref, in %s; put both into an allOf", k.Name, s.Dialect.Draft))
		}
	}
	for i := range s.Keywords {
		k := &s.Keywords[i]
		beside := s.Keyword(k.Beside)
		switch {
		case k.Check == CheckPattern:
			l.foreign(s, k.Value)
		case k.Check == CheckPatterns && t.Tokens[k.Value].Kind == jsontape.Object:
			for key := k.Value + 1; key < t.Next(k.Value); key = t.Next(key + 1) {
				l.foreign(s, key)
			}
		case k.Beside == "" || !k.Applies() || t.Tokens[k.Value].Kind == jsontape.True && k.Shape == One:
		case beside == nil:
			l.warn(s.File.At(k.Key, "warning: %s has no effect without %s beside it", k.Name, k.Beside))
		case k.Check == CheckAdditionalItems && t.Tokens[beside.Value].Kind != jsontape.Array:
			l.warn(s.File.At(k.Key, "warning: %s has no effect beside this items, which is for all items; it is for those behind a list in items", k.Name))
		}
	}
}

// otherEngines finds what means something in other engines of regular expressions and, in
// ECMA-262 without its flag u, only the characters as they stand.
var otherEngines = []struct {
	find    *regexp.Regexp
	instead string
}{
	{regexp.MustCompile(`\\A`), "write ^"},
	{regexp.MustCompile(`\\[Zz]`), "write $"},
	{regexp.MustCompile(`\\[QEG]`), "write out what is meant"},
	{regexp.MustCompile(`\\x\{`), `write \u with four digits`},
	{regexp.MustCompile(`\[:(?:alnum|alpha|ascii|blank|cntrl|digit|graph|lower|print|punct|space|upper|word|xdigit):\]`), "write the characters, such as a-zA-Z for [:alpha:]"},
	{regexp.MustCompile(`\{,[0-9]+\}`), "write the lower bound, such as {0,3}"},
}

// foreign warns of a pattern, at token tok, that was written for another engine.
func (l *loader) foreign(s *Schema, tok int) {
	if !isString(&s.File.Tape, tok) {
		return
	}
	// A backslash that is itself escaped begins nothing.
	source := strings.ReplaceAll(s.File.Tape.Str(tok), `\\`, "\x00\x00")
	for _, other := range otherEngines {
		at := other.find.FindStringIndex(source)
		if at == nil || source[at[0]] != '\\' && strings.HasSuffix(source[:at[0]], `\`) {
			continue
		}
		l.warn(s.File.At(tok, "warning: %s means nothing special in a pattern, which is a regular expression of ECMA-262; %s", source[at[0]:at[1]], other.instead))
	}
}

// wrappers are the members under which files about tools hold the schema.
var wrappers = []string{"input_schema", "inputSchema", "parameters", "schema", "json_schema", "outputSchema"}

// idle warns of a message type that allows everything, though its file is not written as if it did.
func (l *loader) idle(f *File) {
	root := f.Root()
	t := &f.Tape
	if !f.folder || !isMessage(f.Name) || t.Tokens[0].Kind != jsontape.Object {
		return
	}
	definitions := false
	for _, k := range root.Keywords {
		if k.Applies() && k.Check != CheckAnchor {
			return
		}
		definitions = definitions || k.Go == GoDefinitions && t.Len(k.Value) > 0
	}
	for _, name := range wrappers {
		if inside := t.Member(0, name); inside >= 0 && t.Tokens[inside].Kind == jsontape.Object {
			l.warn(f.At(0, "warning: this schema checks nothing; the schema seems to be what stands under %s: save that alone", name))
			return
		}
	}
	if definitions {
		l.warn(f.At(0, "warning: this schema checks nothing: it has definitions, but uses none; refer to the one that is meant with $ref, or move the file into a sub-folder"))
	}
}
