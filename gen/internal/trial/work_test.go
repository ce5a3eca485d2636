package trial

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// A pattern that no search decides within the work of one call, as a schema text, and a string.
const (
	hardPattern = `^(?:(\\w+\\s?)+,\\1|(a*)*\\2b!)$`
	hardLength  = 3000
)

// TestUndecidedIsNoVerdict: what a search can't decide is no match and no mismatch, and nothing
// around it makes a verdict of it.
func TestUndecidedIsNoVerdict(t *testing.T) {
	hard := `{"pattern":"` + hardPattern + `"}`
	schemas := map[string]string{
		"plain":       hard,
		"not":         `{"not":` + hard + `}`,
		"notnot":      `{"not":{"not":` + hard + `}}`,
		"if":          `{"if":` + hard + `,"then":{"type":"integer"},"else":{"type":"integer"}}`,
		"anyof":       `{"anyOf":[` + hard + `,{"type":"string"}]}`,
		"oneof":       `{"oneOf":[` + hard + `,{"type":"string"}]}`,
		"allof":       `{"allOf":[{"not":` + hard + `},` + hard + `]}`,
		"items":       `{"items":` + hard + `}`,
		"contains":    `{"contains":` + hard + `,"minContains":0,"maxContains":1}`,
		"names":       `{"propertyNames":` + hard + `}`,
		"members":     `{"patternProperties":{"` + hardPattern + `":false}}`,
		"rest":        `{"patternProperties":{"` + hardPattern + `":true},"additionalProperties":false}`,
		"unevaluated": `{"anyOf":[{"patternProperties":{"` + hardPattern + `":true}},true],"unevaluatedProperties":false}`,
		"dependent":   `{"dependentSchemas":{"x":{"properties":{"x":{"not":` + hard + `}}}}}`,
		"later":       `{"items":{"anyOf":[{"not":` + hard + `},{"not":{"const":1}}]}}`,
	}
	compiled := Compile(t, schemas, Options{})
	require.Empty(t, compiled.Refused)
	text := `"` + strings.Repeat("a", hardLength) + `!"`
	for id := range schemas {
		document, path := text, ""
		switch id {
		case "items", "contains", "later":
			document, path = "["+text+",1]", "/0"
		case "names", "members", "rest", "unevaluated":
			document, path = "{"+text+":1}", "/"+strings.Trim(text, `"`)
		case "dependent":
			document, path = `{"x":`+text+"}", "/x"
		}
		for range 2 {
			r := compiled.Validate(t, id, document)[0]
			require.True(t, r.Undecided, "%s: %+v", id, r)
			require.Equal(t, path, r.Path, id)
			require.Contains(t, r.SchemaPath, "pattern", id)
		}
	}
	// The same patterns decide what is not hard.
	for id, document := range map[string]string{"plain": `"aa,aa"`, "not": `"x!"`, "rest": `{"a,a":1}`} {
		require.True(t, compiled.Validate(t, id, document)[0].Valid, id)
	}
}

// TestSearchesThatTookTooLong: patterns and strings on which a backtracking engine gave up, with
// an answer that depended on the machine, are decided.
func TestSearchesThatTookTooLong(t *testing.T) {
	const p = `^(?:(a+)+c\\1|a+!)$`
	schemas := map[string]string{
		"plain":   `{"pattern":"` + p + `"}`,
		"not":     `{"not":{"pattern":"` + p + `"}}`,
		"members": `{"patternProperties":{"` + p + `":false}}`,
		"items":   `{"items":{"pattern":"^(a+)+(?=b)\\1$"}}`,
	}
	compiled := Compile(t, schemas, Options{})
	for n := range 60 {
		text := `"` + strings.Repeat("a", n+1) + `!"`
		require.True(t, compiled.Validate(t, "plain", text)[0].Valid, text)
		require.False(t, compiled.Validate(t, "not", text)[0].Valid, text)
		require.False(t, compiled.Validate(t, "members", "{"+text+":1}")[0].Valid, text)
	}
	many := "[" + strings.Repeat(`"`+strings.Repeat("a", 41)+`",`, 399) + `"a"]`
	r := compiled.Validate(t, "items", many)[0]
	require.False(t, r.Undecided)
	require.Len(t, r.Details, 100)
}
