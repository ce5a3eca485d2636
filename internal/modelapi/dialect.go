package modelapi

import (
	"bytes"
	"errors"
	"fmt"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// dialect2020 is the dialect of tools' schemas.
const dialect2020 = "https://json-schema.org/draft/2020-12/schema"

// metaSchemas are the schemas of schemas that clients check output schemas with, by the dialect
// without its scheme and "#". The library has them built in.
var metaSchemas = sync.OnceValue(func() map[string]*jsonschema.Schema {
	c := jsonschema.NewCompiler()
	// What is a pattern or a URI is left to those who read it: Go's patterns are not theirs.
	c.UseRegexpEngine(func(text string) (jsonschema.Regexp, error) {
		if re, err := regexp.Compile(text); err == nil {
			return re, nil
		}
		return anyText(text), nil
	})
	for _, name := range []string{"uri", "uri-reference"} {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: func(any) error { return nil }})
	}
	metas := map[string]*jsonschema.Schema{}
	for _, uri := range []string{dialect2020, "https://json-schema.org/draft/2019-09/schema", "http://json-schema.org/draft-07/schema", "http://json-schema.org/draft-06/schema"} {
		metas[bare(uri)] = c.MustCompile(uri)
	}
	return metas
})

// anyText is a pattern that Go has not.
type anyText string

func (p anyText) String() string          { return string(p) }
func (p anyText) MatchString(string) bool { return true }

// dialectNames are what people call the dialects.
var dialectNames = map[string]string{
	"json-schema.org/draft/2020-12/schema": "draft 2020-12", "json-schema.org/draft/2019-09/schema": "draft 2019-09",
	"json-schema.org/draft-07/schema": "draft 7", "json-schema.org/draft-06/schema": "draft 6",
}

// bare is a dialect's URI without its scheme and "#".
func bare(uri string) string {
	_, rest, _ := strings.Cut(uri, "://")
	return strings.TrimSuffix(rest, "#")
}

// outputDialect is the meta-schema of the schema's dialect. It is known where the MCP TypeScript
// SDK knows it.
func (s *schema) outputDialect() (meta *jsonschema.Schema, known bool) {
	uri := dialect2020
	if s.isObject() && s.is(0, "$schema", jsontape.String) {
		uri = s.Str(s.has(0, "$schema"))
	}
	meta, known = metaSchemas()[bare(uri)]
	return meta, known
}

func dialect(c *checker) {
	if c.schema.isObject() {
		c.schema.invalid(metaSchemas()[bare(dialect2020)], c.say)
	}
}

// invalid reports where a text is no valid schema by a meta-schema.
func (s *schema) invalid(meta *jsonschema.Schema, say func(int, string)) {
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(s.Data))
	if err != nil {
		return // a text that the tape takes and encoding/json doesn't: nested more than 10,000 deep
	}
	var fault *jsonschema.ValidationError
	if !errors.As(meta.Validate(value), &fault) {
		return
	}
	var places []string
	leaves(fault, &places)
	tokens := make([]int, len(places))
	for i, pointer := range places {
		tokens[i] = max(0, s.find(pointer))
	}
	slices.Sort(tokens)
	for _, token := range slices.Compact(tokens) {
		text := string(s.Bytes(token))
		if len(text) > 40 {
			text = text[:1] + "…" + text[len(text)-1:]
		}
		pointer := s.pointer(token)
		name := pointer[strings.LastIndexByte(pointer, '/')+1:]
		say(token, fmt.Sprintf("%q: %s is not valid in %s", name, text, dialectNames[bare(meta.Location)]))
	}
}

// leaves collects the pointers of the faults that have no cause in another.
func leaves(fault *jsonschema.ValidationError, places *[]string) {
	if len(fault.Causes) > 0 {
		for _, cause := range fault.Causes {
			leaves(cause, places)
		}
		return
	}
	var pointer []byte
	for _, name := range fault.InstanceLocation {
		pointer = jsontape.AppendPointerToken(pointer, name)
	}
	*places = append(*places, string(pointer))
}

// unescape decodes the escapes of a URI's fragment, or gives it as it stands.
func unescape(fragment string) string {
	text, err := url.PathUnescape(fragment)
	if err != nil {
		return fragment
	}
	return text
}
