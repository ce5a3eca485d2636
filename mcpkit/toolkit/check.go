package toolkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"math"
	"net/url"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/pattern"
)

// Schemas that come at run time are checked by santhosh-tekuri/jsonschema. What it finds is
// reported through jsonrt's checker, so that faults read and are ordered as those of compiled
// schemas.

// here is the URL of a schema while it is compiled; nothing is ever loaded from it.
const here = "tool:///schema"

// compile makes a schema that checks.
func compile(d *definition, name string, schema []byte) (*jsonrt.Schema, error) {
	k, err := newCheck(d, name, schema)
	if err != nil {
		return nil, err
	}
	return &jsonrt.Schema{ID: d.name + " " + name, Source: string(schema), Check: k.run}, nil
}

// newCheck makes the check of a schema. Formats are checked, as they are in generated types of this
// module.
func newCheck(d *definition, name string, schema []byte) (*check, error) {
	var t jsontape.Tape
	if err := t.Parse(schema, jsontape.Options{}); err != nil {
		return nil, d.errorAt(name, "", "the schema is not JSON: %v", err)
	}
	if i := t.RepeatedName(0); i >= 0 {
		return nil, d.errorAt(name, t.Pointer(i), "this member is there twice: keep one of the two")
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return nil, d.errorAt(name, "", "the schema can't be read: %v", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compileRegexp)
	registerFormats(c)
	if err := c.AddResource(here, doc); err != nil {
		return nil, schemaError(d, name, err)
	}
	compiled, err := c.Compile(here)
	if err != nil {
		return nil, schemaError(d, name, err)
	}
	k := &check{schema: compiled, tape: &t, looks: looksOf(compiled)}
	if p, ok := plainOf(compiled); ok {
		k.plain = p
	}
	return k, nil
}

var errOutside = errors.New("it is outside of this schema")

// noLoader keeps references inside.
type noLoader struct{}

// Load implements jsonschema.URLLoader.
func (noLoader) Load(string) (any, error) { return nil, errOutside }

// expression is a regular expression of ECMA-262, which means what it does in compiled schemas.
type expression struct {
	source  string
	program *pattern.Program
}

// MatchString implements jsonschema.Regexp. A string that would cost too much does not match.
func (e expression) MatchString(s string) bool { return e.program.Match(s) }

// String implements jsonschema.Regexp.
func (e expression) String() string { return e.source }

func compileRegexp(source string) (jsonschema.Regexp, error) {
	program, err := pattern.Compile(source)
	if err != nil {
		return nil, err
	}
	return expression{source, program}, nil
}

// schemaError words why a schema can't be compiled.
func schemaError(d *definition, name string, err error) error {
	var (
		invalid   *jsonschema.SchemaValidationError
		regex     *jsonschema.InvalidRegexError
		missing   *jsonschema.JSONPointerNotFoundError
		anchor    *jsonschema.AnchorNotFoundError
		load      *jsonschema.LoadURLError
		draft     *jsonschema.UnsupportedDraftError
		duplicate *jsonschema.DuplicateIDError
		twice     *jsonschema.DuplicateAnchorError
		id        *jsonschema.ParseIDError
	)
	at := func(location string) string {
		_, fragment, _ := strings.Cut(location, "#")
		if pointer, err := url.PathUnescape(fragment); err == nil {
			return pointer
		}
		return fragment
	}
	switch {
	case errors.As(err, &invalid):
		fault := &jsonschema.ValidationError{}
		if !errors.As(invalid.Err, &fault) {
			break
		}
		fault = deepest(fault)
		return d.errorAt(name, at(invalid.URL)+pointerOf(fault.InstanceLocation), "this is not how JSON Schema has it: %s", wordsOf(fault))
	case errors.As(err, &regex):
		return d.errorAt(name, at(regex.URL), "the regular expression %s can't be run: %v", quoted(regex.Regex), regex.Err)
	case errors.As(err, &missing):
		return d.errorAt(name, "", "a reference leads to #%s, where there is nothing", at(missing.URL))
	case errors.As(err, &anchor):
		return d.errorAt(name, "", "a reference leads to the anchor of %s, which is not there", quoted(anchor.Reference))
	case errors.As(err, &load):
		return d.errorAt(name, "", "a reference or $schema leads to %s, and nothing is loaded: put what it means into $defs", quoted(strings.TrimPrefix(load.URL, "tool:///")))
	case errors.As(err, &draft):
		return d.errorAt(name, "/$schema", "the dialect is not known: take one of draft-04, draft-06, draft-07, 2019-09 and 2020-12")
	case errors.As(err, &duplicate):
		return d.errorAt(name, duplicate.Ptr1, "another part of the schema has the same $id: give each its own")
	case errors.As(err, &twice):
		return d.errorAt(name, twice.Ptr1, "another part of the schema has the same anchor: give each its own")
	case errors.As(err, &id):
		return d.errorAt(name, "", "an $id is no URL")
	}
	return d.errorAt(name, "", "the schema can't be used: %s", strings.ReplaceAll(err.Error(), here, ""))
}

// check is a schema that came at run time.
type check struct {
	schema *jsonschema.Schema
	plain  *plain         // nil where the schema has other keywords
	tape   *jsontape.Tape // of the schema's text
	looks  int            // see looksOf
}

// run is the check, on the value at token v.
func (k *check) run(c *jsonrt.Checker, v int) bool {
	if k.plain != nil && k.plain.accepts(c, v) {
		return true
	}
	if !k.affordable(c, v) {
		c.Spend(math.MaxInt) // all that there is, so that it ends without a verdict
	}
	if !c.Step(v, "#") {
		return false
	}
	r := reader{c: c}
	value := r.read(v)
	if r.fault != 0 {
		return c.Fail(r.fault, "#", "", "must be a number with at most 1,000 digits and an exponent of at most 1,000")
	}
	err := k.schema.Validate(value)
	if err == nil {
		return true
	}
	fault := &jsonschema.ValidationError{}
	if !errors.As(err, &fault) {
		return c.Fail(v, "#", "", "can't be checked")
	}
	report := report{check: k, c: c, root: v}
	return report.tell(fault, v)
}

// reader makes the values that the library checks.
type reader struct {
	c     *jsonrt.Checker
	fault int // the token of a number that can't be compared, 0 for none
}

// maxDigits bounds numbers that are compared with: the library does so in rational numbers, of
// which 1e999999999 takes all memory.
const maxDigits = 1000

func (r *reader) read(v int) any {
	c := r.c
	switch c.Kind(v) {
	case jsontape.Null, jsontape.Invalid:
		return nil
	case jsontape.False:
		return false
	case jsontape.True:
		return true
	case jsontape.Number:
		text := c.Text(v)
		if !comparable(text) {
			r.fault = v
			return json.Number("0")
		}
		return json.Number(text)
	case jsontape.String:
		return c.Name(v)
	case jsontape.Array:
		items := make([]any, 0, c.Len(v))
		for i, end := v+1, c.Next(v); i < end; i = c.Next(i) {
			items = append(items, r.read(i))
		}
		return items
	case jsontape.Object:
		members := make(map[string]any, c.Len(v))
		for i, end := v+1, c.Next(v); i < end; i = c.Next(i + 1) {
			members[c.Name(i)] = r.read(i + 1)
		}
		return members
	}
	return nil
}

// comparable reports whether a number, whose text is given, can be compared at little cost.
func comparable(text []byte) bool {
	if len(text) <= 8 && !bytes.ContainsAny(text, "eE") {
		return true
	}
	digits := text
	if i := bytes.IndexAny(text, "eE"); i >= 0 {
		exponent := bytes.TrimLeft(text[i+1:], "+-0")
		if len(exponent) > 4 || len(exponent) == 4 && string(exponent) > "1000" {
			return false
		}
		digits = text[:i]
	}
	return len(digits) <= maxDigits
}

// quoted quotes text of an author for a message.
func quoted[T string | []byte](s T) string {
	if !utf8.ValidString(string(s)) {
		s = T(strings.ToValidUTF8(string(s), "�"))
	}
	return string(jsontape.AppendQuoted(nil, string(s)))
}
