package runtimeschema

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/url"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/pattern"
)

// here is the URL of a schema while it is compiled; nothing is ever loaded from it.
const here = "tool:///schema"

// SchemaError says why a schema can't be compiled.
type SchemaError struct {
	// Pointer leads to the place in the schema, as far as that is known; "" is its root.
	Pointer string
	// Message says what is wrong there.
	Message string
}

// Error gives the pointer and the message.
func (e *SchemaError) Error() string {
	if e.Pointer == "" {
		return e.Message
	}
	return e.Pointer + ": " + e.Message
}

// fault makes a *SchemaError.
func fault(pointer, format string, args ...any) error {
	return &SchemaError{Pointer: pointer, Message: fmt.Sprintf(format, args...)}
}

// Compile makes the check of a schema. The dialect is that of $schema, else 2020-12. Formats are
// checked, as they are in generated types of this module. The text must not change afterwards. The
// error is a *SchemaError.
func Compile(text []byte) (*Check, error) {
	var t jsontape.Tape
	if err := t.Parse(text, jsontape.Options{}); err != nil {
		if syntax := new(jsontape.SyntaxError); errors.As(err, &syntax) && syntax.Reason == jsontape.ReasonDepth {
			return nil, fault("", "the schema nests too deep to be checked: more than %d levels", jsontape.DefaultMaxDepth)
		}
		return nil, fault("", "the schema is not JSON: %v", err)
	}
	if i := t.RepeatedName(0); i >= 0 {
		return nil, fault(t.Pointer(i), "this member is there twice: keep one of the two")
	}
	if err := checkSize(&t); err != nil {
		return nil, err
	}
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fault("", "the schema can't be read: %v", err)
	}
	c := jsonschema.NewCompiler()
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compileRegexp)
	registerFormats(c)
	if err := c.AddResource(here, doc); err != nil {
		return nil, schemaFault(err)
	}
	compiled, err := c.Compile(here)
	if err != nil {
		return nil, schemaFault(err)
	}
	k := &Check{schema: compiled, tape: &t, looks: looksOf(compiled)}
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

// schemaFault words why the library can't compile a schema.
func schemaFault(err error) error {
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
		why := &jsonschema.ValidationError{}
		if !errors.As(invalid.Err, &why) {
			break
		}
		why = deepest(why)
		return fault(at(invalid.URL)+pointerOf(why.InstanceLocation), "this is not how JSON Schema has it: %s", wordsOf(why))
	case errors.As(err, &regex):
		return fault(at(regex.URL), "the regular expression %s can't be run: %v", quoted(regex.Regex), regex.Err)
	case errors.As(err, &missing):
		return fault("", "a reference leads to #%s, where there is nothing", at(missing.URL))
	case errors.As(err, &anchor):
		return fault("", "a reference leads to the anchor of %s, which is not there", quoted(anchor.Reference))
	case errors.As(err, &load):
		return fault("", "a reference or $schema leads to %s, and nothing is loaded: put what it means into $defs", quoted(strings.TrimPrefix(load.URL, "tool:///")))
	case errors.As(err, &draft):
		return fault("/$schema", "the dialect is not known: take one of draft-04, draft-06, draft-07, 2019-09 and 2020-12")
	case errors.As(err, &duplicate):
		return fault(duplicate.Ptr1, "another part of the schema has the same $id: give each its own")
	case errors.As(err, &twice):
		return fault(twice.Ptr1, "another part of the schema has the same anchor: give each its own")
	case errors.As(err, &id):
		return fault("", "an $id is no URL")
	}
	return fault("", "the schema can't be used: %s", strings.ReplaceAll(err.Error(), here, ""))
}

// Check is a schema that came at run time.
type Check struct {
	schema *jsonschema.Schema
	plain  *plain         // nil where the schema has other keywords
	tape   *jsontape.Tape // of the schema's text
	looks  int            // see looksOf
}

// Run is the check, on the value at token v: a jsonrt.CheckFunc.
func (k *Check) Run(c *jsonrt.Checker, v int) bool {
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
	found := &jsonschema.ValidationError{}
	if !errors.As(err, &found) {
		return c.Fail(v, "#", "", "can't be checked")
	}
	report := report{Check: k, c: c, root: v, names: map[int]map[string]int{}, items: map[int][]int{}}
	return report.tell(found, v)
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
		if !Comparable(text) {
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

// Comparable reports whether a number, whose text is given, can be compared at little cost.
func Comparable(text []byte) bool {
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
func quoted(s string) string { return string(jsontape.AppendQuoted(nil, s)) }
