package trial

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestDifferences keeps what the comparison with an interpreter brought to light.
func TestDifferences(t *testing.T) {
	tests := []struct {
		name, schema, document string
		valid                  bool
	}{
		{
			"a frame inside not marked members for the schema around it",
			`{"properties":{"a":true},"if":{},"then":{"not":{"properties":{"a":{"const":0}},"unevaluatedProperties":{"type":"null"}},"unevaluatedProperties":{"minimum":0.5}},"unevaluatedProperties":false}`,
			`{"a":-1}`,
			false,
		},
		{
			"the same for items",
			`{"prefixItems":[true],"allOf":[{"not":{"prefixItems":[{"const":0}],"unevaluatedItems":{"type":"null"}},"unevaluatedItems":{"minimum":0.5}}],"unevaluatedItems":false}`,
			`[-1]`,
			false,
		},
	}
	schemas := map[string]string{}
	for _, tt := range tests {
		schemas[tt.name] = tt.schema
	}
	compiled := Compile(t, schemas, Options{})
	require.Empty(t, compiled.Refused)
	for _, tt := range tests {
		r := compiled.Validate(t, tt.name, tt.document)[0]
		require.Equal(t, tt.valid, r.Valid, "%s: %v %s", tt.name, r.Details, r.Error)
	}
}
