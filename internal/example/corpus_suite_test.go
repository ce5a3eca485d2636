//go:build suite

package example_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/example"
)

// TestRealSchemas: of the real schemas that stand alone nearly every one gets an example.
func TestRealSchemas(t *testing.T) {
	files, err := filepath.Glob(filepath.FromSlash("../../../shared/suites/schemastore/schemas/*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, files, "the corpus is missing")
	alone, made := 0, 0
	for _, name := range files {
		text, err := os.ReadFile(name)
		require.NoError(t, err)
		value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
		if err != nil {
			continue
		}
		compiler := jsonschema.NewCompiler()
		if compiler.AddResource("mem:x", value) != nil {
			continue
		}
		if _, err := compiler.Compile("mem:x"); err != nil {
			continue // it refers to other files
		}
		alone++
		if _, ok := example.Of(interpreted(t, string(text))); ok {
			made++
		} else {
			t.Log("no example: ", filepath.Base(name))
		}
	}
	require.Greater(t, alone, 200)
	require.GreaterOrEqual(t, made*100, alone*98, "%d of %d", made, alone)
}
