//go:build suite

package modelapi_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/modelapi"
)

// nothing loads no schema.
type nothing struct{}

func (nothing) Load(string) (any, error) { return nil, os.ErrNotExist }

// compile compiles a schema that needs no other file; nil where it does, or is none.
func compile(t *testing.T, draft *jsonschema.Draft, text string) *jsonschema.Schema {
	t.Helper()
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(text))
	require.NoError(t, err)
	c := jsonschema.NewCompiler()
	c.UseLoader(nothing{})
	c.DefaultDraft(draft)
	require.NoError(t, c.AddResource("mem:a", value))
	s, err := c.Compile("mem:a")
	if err != nil {
		return nil
	}
	return s
}

// TestFixKeepsTheMeaning: a schema that is mended gives every document of the official suite the
// verdict that it gave before, in each draft: as it stands, and as that of a parameter, of which
// more is mended.
func TestFixKeepsTheMeaning(t *testing.T) {
	t.Parallel()
	root := "../../../shared/suites/json-schema-test-suite/tests"
	for folder, draft := range map[string]*jsonschema.Draft{
		"draft4": jsonschema.Draft4, "draft6": jsonschema.Draft6, "draft7": jsonschema.Draft7, "draft2019-09": jsonschema.Draft2019, "draft2020-12": jsonschema.Draft2020,
	} {
		paths, err := filepath.Glob(filepath.Join(root, folder, "*.json"))
		require.NoError(t, err)
		require.NotEmpty(t, paths)
		mended, verdicts := 0, 0
		for _, path := range paths {
			var groups []struct {
				Schema json.RawMessage
				Tests  []struct{ Data json.RawMessage }
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			require.NoError(t, json.Unmarshal(text, &groups))
			for _, g := range groups {
				for _, frame := range [][2]string{{"", ""}, {`{"type":["object"],"properties":{"p":`, `}}`}} {
					schema := frame[0] + string(g.Schema) + frame[1]
					after := mend(t, schema)
					if after == schema {
						continue
					}
					was, is := compile(t, draft, schema), compile(t, draft, after)
					if was == nil {
						continue
					}
					require.NotNil(t, is, after)
					mended++
					for _, test := range g.Tests {
						document := string(test.Data)
						if frame[0] != "" {
							document = `{"p":` + document + `}`
						}
						value, err := jsonschema.UnmarshalJSON(strings.NewReader(document))
						require.NoError(t, err)
						require.Equal(t, was.Validate(value) == nil, is.Validate(value) == nil, "%s by\n%s\nand\n%s", document, schema, after)
						verdicts++
					}
				}
			}
		}
		t.Logf("%s: %d schemas mended, %d verdicts", folder, mended, verdicts)
		require.Greater(t, mended, 50, folder)
		require.Greater(t, verdicts, 200, folder)
	}
}

// TestLintTakesEverySchema: what people and tools publish is read without trouble, and the
// places are there.
func TestLintTakesEverySchema(t *testing.T) {
	t.Parallel()
	paths, err := filepath.Glob("../../../shared/suites/*/schemas/*.json")
	require.NoError(t, err)
	require.Greater(t, len(paths), 300)
	for _, path := range paths {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, f := range modelapi.Lint(tool(string(text)), modelapi.Options{Schema: true, Strict: true}) {
			require.Less(t, f.Offset, len(text), path)
		}
	}
}
