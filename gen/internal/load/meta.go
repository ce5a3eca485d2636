package load

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

//go:embed metaschemas
var published embed.FS

// openMeta gives the published meta-schema with this URI, or nil.
func (l *loader) openMeta(uri *url.URL) *File {
	if uri.Host != "json-schema.org" {
		return nil
	}
	data, err := published.ReadFile("metaschemas" + strings.TrimSuffix(uri.Path, ".json") + ".json")
	if err != nil {
		return nil
	}
	f := l.parse(uri.String(), uri.String(), uri, data)
	l.walkFile(f)
	return f
}

// dialectOf reads the $schema at token tok of f: a published draft, or a meta-schema whose
// own $schema and $vocabulary say what counts.
func (l *loader) dialectOf(f *File, tok int) (Dialect, bool) {
	name := f.Tape.Str(tok)
	if d, ok := draftOf(name); ok {
		return d.dialect(), true
	}
	if d, ok := l.Dialects[strings.TrimSuffix(name, "#")]; ok {
		return d.dialect(), true
	}
	uri, err := url.Parse(name)
	if err != nil {
		l.fault(f.At(tok, "not a URI: %v", unwrapURL(err)))
		return Dialect{}, false
	}
	uri = f.uri.ResolveReference(uri)
	uri.Fragment, uri.RawFragment = "", ""
	key := uri.String()
	if d, known := l.dialects[key]; known {
		if d.Draft == 0 {
			l.fault(f.At(tok, "the meta-schemas refer to each other in a circle by $schema"))
		}
		return d, d.Draft != 0
	}
	l.dialects[key] = Dialect{}
	d, why := l.customDialect(uri)
	if why != "" {
		if meant, ok := ParseDraft(strings.ToLower(name)); ok {
			l.fault(f.At(tok, "$schema takes the URI of a dialect; for %s write %q", meant, meant.schemaURI()))
			return Dialect{}, false
		}
		l.fault(f.At(tok, "the dialect %q cannot be read: %s; known are the drafts 3, 4, 6, 7, 2019-09, 2020-12 and v1; say which of them it is like with -dialect %[1]s=draft7, or the like", name, why))
	}
	if l.dialects[key] = d; d.Draft == 0 {
		delete(l.dialects, key) // the next to ask is told the reason, too
	}
	return d, d.Draft != 0
}

func (l *loader) customDialect(uri *url.URL) (Dialect, string) {
	meta, why := l.openRaw(uri)
	if meta == nil {
		if why == "" {
			why = "there is no such schema in " + l.Dir + " or behind a -map"
			if l.Dir == "" {
				why = "nothing is fetched, and there is no such schema behind a -map"
			}
		}
		return Dialect{}, why
	}
	t := &meta.Tape
	if len(t.Tokens) == 0 || meta.faulty && meta.at[0] == nil {
		return Dialect{}, meta.Path + " has faults"
	}
	d := l.draftFor(meta).dialect()
	if tok := t.Member(0, "$schema"); isString(t, tok) {
		base, ok := l.dialectOf(meta, tok)
		if !ok {
			return Dialect{}, "its own $schema is not known"
		}
		d = base
	}
	tok := t.Member(0, "$vocabulary")
	if _, known := d.Spec("$vocabulary"); !known || tok < 0 || t.Tokens[tok].Kind != jsontape.Object {
		return d, ""
	}
	d.Vocab = Core
	end := t.Next(tok)
	for key := tok + 1; key < end; key = t.Next(key + 1) {
		vocabulary, known := d.Draft.vocabulary(t.Str(key))
		required := t.Tokens[key+1].Kind == jsontape.True
		switch {
		case known && (required || vocabulary != FormatAssertion || d.Draft > Draft2019):
			d.Vocab |= vocabulary
		case known:
			// In 2019-09 the value says whether format asserts; since 2020-12 a dialect that names
			// format-assertion at all wants it from those who know it (validation, section 7.2).
		case required:
			return Dialect{}, fmt.Sprintf("it requires the vocabulary %q, which this compiler does not know", t.Str(key))
		}
	}
	return d, ""
}

// openRaw finds the document of a meta-schema. It may stand in the schema folder under its
// $id, where other files have not been walked yet: so the $id of every root is looked at.
func (l *loader) openRaw(uri *url.URL) (*File, string) {
	if f, why := l.open(uri); f != nil || why != "" {
		return f, why
	}
	key := uri.String()
	for _, f := range l.files {
		t := &f.Tape
		if !f.folder || len(t.Tokens) == 0 {
			continue
		}
		if tok := t.Member(0, "$id"); isString(t, tok) && strings.TrimSuffix(t.Str(tok), "#") == key {
			return f, ""
		}
	}
	return nil, ""
}

// metaSchema checks schemas of one draft.
type metaSchema struct {
	schema *jsonschema.Schema
	err    error
}

func (l *loader) meta(d Draft) *metaSchema {
	if m := l.metas[d]; m != nil {
		return m
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(refuseAll{})
	// A pattern that cannot run is reported with the place inside the pattern when it is
	// compiled, and URIs when they are resolved; here only the shape of keywords matters.
	c.UseRegexpEngine(func(pattern string) (jsonschema.Regexp, error) {
		if re, err := regexp.Compile(pattern); err == nil {
			return re, nil
		}
		return anyText(pattern), nil
	})
	for _, name := range []string{"uri", "uri-reference"} {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	m := &metaSchema{}
	if m.err = addCheck(c, d); m.err == nil {
		m.schema, m.err = c.Compile(d.metaURI())
	}
	l.metas[d] = m
	return m
}

// addCheck adds the meta-schema of a draft that the library does not know, as one of a draft that
// it knows.
func addCheck(c *jsonschema.Compiler, d Draft) error {
	for _, known := range drafts {
		if known.draft != d || known.check == "" {
			continue
		}
		data, err := published.ReadFile("metaschemas/" + known.check + ".json")
		if err != nil {
			return err
		}
		var document map[string]any
		if err := json.Unmarshal(data, &document); err != nil {
			return err
		}
		document["$schema"] = known.by.metaURI()
		return c.AddResource(d.metaURI(), document)
	}
	return nil
}

// refuseAll keeps the meta-schema compiler from opening files.
type refuseAll struct{}

func (refuseAll) Load(uri string) (any, error) { return nil, fmt.Errorf("%s is not loaded", uri) }

// anyText stands in for a pattern of a user's schema that Go's engine does not take.
type anyText string

func (p anyText) String() string          { return string(p) }
func (p anyText) MatchString(string) bool { return true }

// checkMeta checks the schema s, and what is inside it, against the meta-schema of its draft.
func (l *loader) checkMeta(s *Schema) {
	l.against(s.Dialect.Draft, s.File, s.Tok, l.document(s.File, s.Tok, s.Dialect.Draft))
}

// against checks a document, which was made of what stands at token at of f, against the
// meta-schema of a draft.
func (l *loader) against(d Draft, f *File, at int, document any) {
	m := l.meta(d)
	if m.err != nil {
		l.fault(f.At(at, "the meta-schema of draft %s does not compile: %v", d, m.err))
		return
	}
	err := m.schema.Validate(document)
	var invalid *jsonschema.ValidationError
	if err == nil || !errors.As(err, &invalid) {
		return
	}
	found := map[string][]string{}
	var order []string
	var collect func(e *jsonschema.ValidationError)
	collect = func(e *jsonschema.ValidationError) {
		for _, cause := range e.Causes {
			collect(cause)
		}
		if len(e.Causes) > 0 {
			return
		}
		var pointer []byte
		for _, name := range e.InstanceLocation {
			pointer = jsontape.AppendPointerToken(pointer, name)
		}
		key := string(pointer)
		if found[key] == nil {
			order = append(order, key)
		}
		if text := explain(e.ErrorKind); !slices.Contains(found[key], text) {
			found[key] = append(found[key], text)
		}
	}
	collect(invalid)
	for _, pointer := range order {
		if l.full() {
			return
		}
		tok := lookupFrom(&f.Tape, at, pointer)
		text := strings.Join(found[pointer], ", or ")
		if special := explainType(&f.Tape, tok, pointer, d); special != "" {
			text = special
		}
		switch kind := f.Tape.Tokens[tok].Kind; {
		case d < Draft6 && (kind == jsontape.True || kind == jsontape.False) && text == "must be object, not boolean":
			text += "; true and false are schemas since draft6: write {} for true and {\"not\": {}} for false"
		case d >= Draft2019 && strings.HasSuffix(pointer, "/$id") && kind == jsontape.String && strings.HasPrefix(f.Tape.Str(tok), "#"):
			text = "must be a URI without a fragment; since 2019-09 the name of a place in the file stands under $anchor, without the #"
		case pointer != "":
			if s := f.at[lookupFrom(&f.Tape, at, pointer[:strings.LastIndexByte(pointer, '/')])]; s != nil && s.Dialect.Draft == d && f.Tape.Tokens[s.Tok].Kind == jsontape.Object {
				text += l.otherwise(s, tok-1)
			}
		}
		l.fault(f.At(tok, "%s", text))
	}
}

// lookupFrom follows a pointer from a token; where it leads nowhere the start is meant.
func lookupFrom(t *jsontape.Tape, tok int, pointer string) int {
	at := tok
	if pointer == "" {
		return at
	}
	for _, step := range strings.Split(pointer[1:], "/") {
		if at = child(t, at, step); at < 0 {
			return tok
		}
	}
	return at
}

var english = message.NewPrinter(language.English)

// explain words a fault as what the value must be.
func explain(e jsonschema.ErrorKind) string {
	switch e := e.(type) {
	case *kind.Type:
		return "must be " + strings.Join(e.Want, " or ") + ", not " + e.Got
	case *kind.FalseSchema:
		return "is not allowed here"
	case *kind.Minimum:
		return "must be at least " + e.Want.RatString()
	case *kind.ExclusiveMinimum:
		return "must be greater than " + e.Want.RatString()
	case *kind.MinItems:
		return "must not be empty"
	case *kind.UniqueItems:
		return fmt.Sprintf("must not hold equal items, but items %d and %d are equal", e.Duplicates[0], e.Duplicates[1])
	case *kind.Pattern:
		return "must match the pattern " + e.Want
	}
	return e.LocalizedString(english)
}

// explainType words the most frequent fault, a type that JSON Schema does not have.
func explainType(t *jsontape.Tape, tok int, pointer string, d Draft) string {
	names := []string{"array", "boolean", "integer", "null", "number", "object", "string"}
	if d == Draft3 {
		names = append([]string{"any"}, names...)
	}
	parts := strings.Split(pointer, "/")
	holdsTypes := func(name string) bool { return name == "type" || d == Draft3 && name == "disallow" }
	inList := len(parts) > 1 && holdsTypes(parts[len(parts)-2])
	if !inList && !holdsTypes(parts[len(parts)-1]) || !isString(t, tok) {
		return ""
	}
	got := t.Str(tok)
	if slices.Contains(names, got) {
		return ""
	}
	hint := ""
	if alternatives := strings.FieldsFunc(got, func(r rune) bool { return r == '|' || r == ',' || r == ' ' }); len(alternatives) > 1 && !inList {
		if text, err := json.Marshal(alternatives); err == nil {
			hint = "; for alternatives write an array: " + string(text)
		}
	} else if known := map[string]string{"int": "integer", "long": "integer", "float": "number", "double": "number", "str": "string", "text": "string", "bool": "boolean", "list": "array", "map": "object", "dict": "object", "nil": "null", "none": "null"}; known[strings.ToLower(got)] != "" {
		hint = fmt.Sprintf("; did you mean %q?", known[strings.ToLower(got)])
	}
	if got == "any" {
		hint = "; to allow any value, leave type out"
	}
	return fmt.Sprintf("%q is not a JSON Schema type; the types are %s%s", got, strings.Join(names, ", "), hint)
}

// document turns the value at tok into what the meta-schema check takes. Parts that are read
// by another draft than the one checked are left out: they are checked on their own.
func (l *loader) document(f *File, tok int, d Draft) any {
	t := &f.Tape
	s := f.at[tok]
	if s != nil && s.Dialect.Draft != d {
		l.checkMeta(s)
		return map[string]any{}
	}
	if s != nil {
		l.checkForms(s)
	}
	switch t.Tokens[tok].Kind {
	case jsontape.Object:
		m := map[string]any{}
		end := t.Next(tok)
		for key := tok + 1; key < end; key = t.Next(key + 1) {
			if s == nil || !s.isOther(key) {
				m[t.Str(key)] = l.document(f, key+1, d)
			}
		}
		return m
	case jsontape.Array:
		a := []any{}
		end := t.Next(tok)
		for v := tok + 1; v < end; v = t.Next(v) {
			a = append(a, l.document(f, v, d))
		}
		return a
	case jsontape.String:
		return t.Str(tok)
	case jsontape.Number:
		return boundedNumber(string(t.Bytes(tok)))
	case jsontape.True:
		return true
	case jsontape.False:
		return false
	case jsontape.Null, jsontape.Invalid:
	}
	return nil
}

// boundedNumber keeps a number's sign, its being zero and its being an integer, but not an
// exponent that the meta-schema check cannot hold: it works in fractions of big integers.
func boundedNumber(text string) json.Number {
	e := strings.IndexAny(text, "eE")
	if e < 0 {
		return json.Number(text)
	}
	const largest = 400
	exponent, err := strconv.Atoi(text[e+1:])
	switch {
	case err == nil && -largest <= exponent && exponent <= largest:
		return json.Number(text)
	case text[e+1] == '-':
		return json.Number(text[:e] + "e-400")
	}
	return json.Number(text[:e] + "e400")
}
