//go:build suite

package lint_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/lint"
	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// TestSARIFIsValid: the logs satisfy the schema of SARIF 2.1.0.
func TestSARIFIsValid(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../../shared/suites/schemastore/schemas/sarif.json")
	require.NoError(t, err)
	schema, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	require.NoError(t, compiler.AddResource("mem:sarif", schema))
	compiled, err := compiler.Compile("mem:sarif")
	require.NoError(t, err)
	dir := write(t, map[string]string{"a b.json": `{"type":["object"],"anyOf":[{"type":"array"}]}`})
	files, err := lint.Files([]string{dir})
	require.NoError(t, err)
	for _, found := range [][]lint.Finding{nil, hostile(), files[0].Lint(modelapi.Options{Strict: true})} {
		var out bytes.Buffer
		require.NoError(t, lint.PrintSARIF(&out, found, "echo-mcp", ""))
		log, err := jsonschema.UnmarshalJSON(&out)
		require.NoError(t, err)
		require.NoError(t, compiled.Validate(log))
	}
	require.Error(t, compiled.Validate(map[string]any{"version": "2.1.0"}), "the schema asks for runs")
}
