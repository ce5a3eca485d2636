package trial

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTagsWithoutTypes: a member tells the branches of a union apart also where they do not say
// that they want objects, as FHIR's schema does. What is no object satisfies several of them, and
// is judged as ever.
func TestTagsWithoutTypes(t *testing.T) {
	t.Parallel()
	const branches = `[
		{"required": ["k"], "properties": {"k": {"const": "a"}, "id": {"type": "string"}}, "additionalProperties": false},
		{"required": ["k"], "properties": {"k": {"const": "b"}}, "additionalProperties": false}`
	compiled := Compile(t, map[string]string{
		"one":  `{"oneOf": ` + branches + `]}`,
		"any":  `{"anyOf": ` + branches + `]}`,
		"some": `{"oneOf": ` + branches + `, {"type": ["object", "string"], "required": ["k"], "properties": {"k": {"const": "c"}}}]}`,
	}, Options{})
	for _, c := range []struct{ id, document, path, message string }{
		{"one", `{"k": "a", "idd": "x"}`, "/idd", `is not allowed here; did you mean "id"?`},
		{"one", `{"k": "a", "id": "x"}`, "", ""},
		{"one", `{"k": "c"}`, "/k", `must be one of "a", "b"`},
		{"one", `{}`, "/k", "is required: it says which form the object has"},
		{"one", `1`, "", "matches more than one of the 2 forms allowed here; exactly one is wanted"},
		{"any", `{"k": "a", "idd": "x"}`, "/idd", `is not allowed here; did you mean "id"?`},
		{"any", `1`, "", ""},
		{"some", `{"k": "c", "x": 1}`, "", ""},
		{"some", `null`, "", "matches more than one of the 3 forms allowed here; exactly one is wanted"},
	} {
		result := compiled.Validate(t, c.id, c.document)[0]
		require.Equal(t, c.message == "", result.Valid, "%s %s", c.id, c.document)
		if c.message != "" {
			require.Len(t, result.Details, 1, "%s %s", c.id, c.document)
			require.Equal(t, c.path, result.Details[0].Path)
			require.Contains(t, result.Details[0].Message, c.message)
		}
	}
	compiled = Compile(t, map[string]string{"v1": `{"$schema": "https://json-schema.org/v1", "propertyDependencies": {"k": {"": {"required": ["a"]}, "b": false}}}`}, Options{})
	for document, want := range map[string]bool{`{}`: true, `{"k": null}`: true, `{"k": ""}`: false, `{"k": "", "a": 1}`: true, `{"k": "b"}`: false, `{"k": ["b"]}`: true, `"b"`: true} {
		require.Equal(t, want, compiled.Validate(t, "v1", document)[0].Valid, document)
	}
}
