package trial

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestTags: a member with string, boolean or integer constants tells the branches of a union apart;
// of several, the one declared first, or the one that a discriminator names.
func TestTags(t *testing.T) {
	form := func(properties string) string {
		return `{"type": "object", "properties": {` + properties + `}, "required": ["type", "kind"], "additionalProperties": false}`
	}
	first := form(`"type": {"const": "a"}, "kind": {"const": "x"}, "id": {"type": "string"}`)
	second := form(`"type": {"const": "b"}, "kind": {"const": "y"}, "n": {"type": "integer"}`)
	version := func(n, member string) string {
		return fmt.Sprintf(`{"type": "object", "properties": {"version": {"const": %s}, "%s": {"type": "string"}}, "required": ["version", "%s"], "additionalProperties": false}`, n, member, member)
	}
	compiled := Compile(t, map[string]string{
		"two":      `{"oneOf": [` + first + `, ` + second + `]}`,
		"hint":     `{"oneOf": [` + first + `, ` + second + `], "discriminator": {"propertyName": "kind"}}`,
		"nullable": `{"anyOf": [` + first + `, {"type": "null"}, ` + second + `]}`,
		"integer":  `{"type": "object", "required": ["version"], "oneOf": [` + version("1", "id") + `, ` + version("100", "name") + `, ` + version("-2e1", "old") + `]}`,
		"boolean":  `{"oneOf": [{"properties": {"ok": {"const": true}, "value": {"type": "string"}}, "required": ["ok", "value"]}, {"properties": {"ok": {"const": false}}, "required": ["ok"], "additionalProperties": false}]}`,
	}, Options{Types: true})
	require.Empty(t, compiled.Refused)
	for _, c := range []struct{ id, document, path, message string }{
		{"two", `{"type": "a", "kind": "x", "idd": "1"}`, "/idd", `is not allowed here; did you mean "id"?`},
		{"two", `{"type": "a", "kind": "y"}`, "/kind", `must be "x"`}, // declared second
		{"two", `{"type": "c", "kind": "y"}`, "/type", `must be one of "a", "b"`},
		{"hint", `{"type": "a", "kind": "y"}`, "/type", `must be "b"`},
		{"nullable", `null`, "", ""},
		{"nullable", `{"type": "b", "kind": "y", "n": 1}`, "", ""},
		{"nullable", `{"type": "b", "kind": "y", "n": "1"}`, "/n", "must be integer"},
		{"nullable", `[]`, "", "must be null or object"},
		{"integer", `{"version": 1.0, "id": "a"}`, "", ""},
		{"integer", `{"version": 10e1, "name": "a"}`, "", ""},
		{"integer", `{"version": -20, "old": "a"}`, "", ""},
		{"integer", `{"version": 100, "name": 1}`, "/name", "must be string"},
		{"integer", `{"version": 3, "name": "a"}`, "/version", "must be one of 1, 100, -20"},
		{"integer", `{"version": "1", "id": "a"}`, "/version", "must be one of 1, 100, -20"},
		{"integer", `{"id": "a"}`, "/version", "is required"},
		{"boolean", `{"ok": false}`, "", ""},
		{"boolean", `{"ok": true}`, "/value", "is required"},
		{"boolean", `{"ok": 1}`, "/ok", "must be one of true, false"},
		{"boolean", `{}`, "/ok", "is required: it says which form the object has"},
	} {
		result := compiled.Validate(t, c.id, c.document)[0]
		require.Empty(t, result.Error, c.document)
		if c.message == "" {
			require.True(t, result.Valid, "%s %s: %v", c.id, c.document, result.Details)
			continue
		}
		require.Len(t, result.Details, 1, "%s %s: %v", c.id, c.document, result.Details)
		require.Equal(t, c.path, result.Details[0].Path)
		require.Contains(t, result.Details[0].Message, c.message)
	}
}
