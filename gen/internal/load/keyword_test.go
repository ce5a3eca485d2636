package load

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestKeywordTable walks the published meta-schemas: every keyword that they define for a
// draft must be in the table, in that draft, with its subschemas where the meta-schema has
// them.
func TestKeywordTable(t *testing.T) {
	require.True(t, slices.IsSortedFunc(specs, func(a, b Spec) int { return cmp.Or(strings.Compare(a.Name, b.Name), int(a.From-b.From)) }))
	files := map[Draft][]string{
		Draft3:    {"draft-03/schema"},
		Draft4:    {"draft-04/schema"},
		Draft6:    {"draft-06/schema"},
		Draft7:    {"draft-07/schema"},
		Draft2019: {"draft/2019-09/schema"},
		Draft2020: {"draft/2020-12/schema"},
		V1:        {"v1"},
	}
	for _, draft := range []Draft{Draft2019, Draft2020} {
		dir := path.Dir(files[draft][0]) + "/meta"
		entries, err := published.ReadDir("metaschemas/" + dir)
		require.NoError(t, err)
		require.NotEmpty(t, entries)
		for _, e := range entries {
			files[draft] = append(files[draft], dir+"/"+strings.TrimSuffix(e.Name(), ".json"))
		}
	}
	for draft, list := range files {
		defined := map[string]json.RawMessage{}
		for _, name := range list {
			data, err := published.ReadFile("metaschemas/" + name + ".json")
			require.NoError(t, err)
			var meta struct {
				Properties map[string]json.RawMessage
			}
			require.NoError(t, json.Unmarshal(data, &meta))
			for keyword, schema := range meta.Properties {
				defined[keyword] = schema
			}
		}
		for keyword, schema := range defined {
			spec, known := draft.dialect().Spec(keyword)
			// Draft 2019-09 and later keep the names of keywords that they dropped, to refuse
			// old values. $recursiveRef and its anchor mean nothing any more in 2020-12.
			if draft == Draft2020 && (keyword == "$recursiveRef" || keyword == "$recursiveAnchor") {
				require.False(t, known, keyword)
				continue
			}
			require.True(t, known, "draft %s defines %s", draft, keyword)
			refers := strings.Contains(string(schema), `"$ref":"#"`) || strings.Contains(string(schema), "schemaArray") || strings.Contains(string(schema), "#meta") || strings.Contains(string(schema), `"$recursiveRef"`) || strings.Contains(string(schema), `"$ref" : "#"`)
			if refers || strings.Contains(string(schema), `"$ref": "#"`) {
				require.True(t, spec.Shape.HoldsSchemas(), "draft %s: %s holds schemas", draft, keyword)
			}
		}
	}
}

func TestDrafts(t *testing.T) {
	for _, name := range DraftNames() {
		draft, ok := ParseDraft(name)
		require.True(t, ok)
		require.Equal(t, name, draft.String())
		again, ok := draftOf(draft.metaURI())
		require.True(t, ok)
		require.Equal(t, draft, again)
		again, ok = draftOf(strings.Replace(draft.metaURI(), "https://", "http://", 1) + "#")
		require.True(t, ok)
		require.Equal(t, draft, again)
	}
	year, ok := draftOf("https://json-schema.org/v1/2026")
	require.True(t, ok)
	require.Equal(t, V1, year)
	_, ok = ParseDraft("draft5")
	require.False(t, ok)
	for _, uri := range []string{"", "json-schema.org/draft-07/schema", "http://json-schema.org/draft-05/schema", "https://json-schema.org/v1/next", "https://json-schema.org/draft-07/schema/2026", "http://json-schema.org/draft-07/schema#/definitions"} {
		_, ok := draftOf(uri)
		require.False(t, ok, uri)
	}
}

func TestBoundedNumber(t *testing.T) {
	for text, want := range map[string]json.Number{
		"1": "1", "-0.5": "-0.5", "1e400": "1e400", "1e401": "1e400", "-2.5e99999999999999999999": "-2.5e400", "3e-10000000": "3e-400", "1E+5": "1E+5",
	} {
		require.Equal(t, want, boundedNumber(text), text)
	}
}
