package modelapi

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// metaSchema is the schema of schemas of draft 2020-12. The library has it built in.
var metaSchema = sync.OnceValues(func() (*jsonschema.Schema, error) {
	return jsonschema.NewCompiler().Compile(dialect2020)
})

func dialect(c *checker) {
	if c.schema.isObject() {
		c.schema.invalid(c.say)
	}
}

// invalid reports where a text is no valid schema of draft 2020-12.
func (s *schema) invalid(say func(int, string)) {
	meta, err := metaSchema()
	if err != nil {
		panic("the meta-schema of draft 2020-12: " + err.Error()) //nolint:forbidigo // it is built into the library
	}
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
	slices.SortFunc(places, func(a, b string) int { return cmp.Compare(s.Lookup(a), s.Lookup(b)) })
	for _, pointer := range slices.Compact(places) {
		token := max(0, s.Lookup(pointer))
		text := string(s.Bytes(token))
		if len(text) > 40 {
			text = text[:1] + "…" + text[len(text)-1:]
		}
		name := pointer[strings.LastIndexByte(pointer, '/')+1:]
		say(token, fmt.Sprintf("%q: %s is not valid in draft 2020-12", name, text))
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
