package toolkit

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// TestRecursiveChoices: no schema makes a small value cost much, and schemas that contain
// themselves once on each way go as deep as values may.
func TestRecursiveChoices(t *testing.T) {
	t.Parallel()
	choice := func(keyword string) string {
		return `{"$defs":{"n":{"` + keyword + `":[{"type":"object","properties":{"c":{"$ref":"#/$defs/n"}},"required":["x"]},` +
			`{"type":"object","properties":{"c":{"$ref":"#/$defs/n"}},"required":["y"]},{"type":"string"}]}},"$ref":"#/$defs/n"}`
	}
	tree := `{"type":"object","properties":{"name":{"type":"string"},"c":{"$ref":"#"},"all":{"type":"array","items":{"$ref":"#"}}},"additionalProperties":false}`
	anything := `{"anyOf":[{"type":["null","boolean","number","string"]},{"type":"array","items":{"$ref":"#"}},{"type":"object","additionalProperties":{"$ref":"#"}}]}`
	nested := func(depth int, leaf string) string {
		return strings.Repeat(`{"c":`, depth) + leaf + strings.Repeat("}", depth)
	}
	const valid, invalid, undecided = "valid", "invalid", "undecided"
	for name, tt := range map[string]struct{ schema, value, want string }{
		"anyOf, few levels":     {choice("anyOf"), nested(5, `5`), invalid},
		"anyOf, many levels":    {choice("anyOf"), nested(100, `5`), undecided},
		"oneOf, few levels":     {choice("oneOf"), nested(5, `5`), invalid},
		"oneOf, many levels":    {choice("oneOf"), nested(100, `5`), undecided},
		"a tree":                {tree, nested(2000, `{"name":"x"}`), valid},
		"a tree with a fault":   {tree, nested(2000, `{"name":1}`), invalid},
		"anything":              {anything, nested(2000, `[[1]]`), valid},
		"patterns beside names": {`{"properties":{"c":{"$ref":"#"}},"patternProperties":{"c":{"$ref":"#"}},"type":"object"}`, nested(100, `5`), undecided},
		"if and then":           {`{"if":{"properties":{"c":{"$ref":"#"}}},"then":{"properties":{"c":{"$ref":"#"}}},"type":"object"}`, nested(100, `5`), undecided},
		"wide, not deep":        {choice("oneOf"), `{"x":1,"c":"` + strings.Repeat("y", 1<<20) + `"}`, valid},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s, err := compile(&definition{name: "t"}, sideInput, []byte(tt.schema))
			require.NoError(t, err)
			got := valid
			if err := s.Validate([]byte(tt.value)); err != nil {
				var faults *jsonrt.ValidationError
				var none *jsonrt.UndecidedError
				switch {
				case errors.As(err, &faults):
					got = invalid
				case errors.As(err, &none):
					got = undecided
				}
			}
			require.Equal(t, tt.want, got)
		})
	}
}
