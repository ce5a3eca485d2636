package modelapi_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	const good = `{"type":"object","properties":{"a.b-c_1":{}},"if":{},"$defs":{"x":{"oneOf":[{}]}}}`
	for _, c := range []struct{ name, schema, says string }{
		{"emit_a-1", good, ""},
		{strings.Repeat("x", 53), good, ""},
		{strings.Repeat("x", 54), good, "more than 64"},
		{"a.b", good, "only letters"},
		{"1a", good, "begins with a letter"},
		{"a", `[]`, "not a JSON object"},
		{"a", `{"properties":{}}`, `has not "type"`},
		{"a", `{"type":["object"],"properties":{}}`, `has not "type"`},
		{"a", `{"type":"object"}`, "no properties"},
		{"a", `{"type":"object","properties":{},"oneOf":[{}]}`, "oneOf at its root"},
		{"a", `{"type":"object","properties":{},"const":{}}`, "const at its root"},
		{"a", `{"type":"object","properties":{},"$ref":"#/$defs/x"}`, "$ref at its root"},
		{"a", `{"type":"object","properties":{},"$schema":"x"}`, "$schema at its root"},
		{"a", `{"type":"object","properties":{"Account Number":{}}}`, `"Account Number"`},
	} {
		faults := modelapi.Check(c.name, []byte(c.schema))
		if c.says == "" {
			require.Empty(t, faults, c.schema)
			continue
		}
		require.Len(t, faults, 1, c.schema)
		require.Contains(t, faults[0], c.says)
	}
	require.LessOrEqual(t, modelapi.SafeName+len(modelapi.Prefix), modelapi.MaxName)
}
