package load_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// TestOtherForms: a value that only another draft has for a keyword is read as there, with a warning
// that says so, what to write instead, and how to say which draft is meant.
func TestOtherForms(t *testing.T) {
	t.Parallel()
	const of7 = `-dialect-of 'm.json=draft7', or with "$schema": "http://json-schema.org/draft-07/schema#" in the file`
	for _, c := range []struct {
		draft  load.Draft // the default; 0 is 2020-12
		schema string
		check  load.Check // that the root has
		want   []string   // of the warnings, all of them
	}{
		{0, `{"items": [{"type": "string"}]}`, load.CheckItems, []string{"warning: a list under items is a form up to 2019-09, and is read so here, though the schema is of 2020-12; write prefixItems, or say which draft is meant with " + of7}},
		{0, `{"items": [{}], "additionalItems": false}`, load.CheckAdditionalItems, []string{"a list under items"}},
		{0, `{"items": [{"items": [{}]}]}`, load.CheckItems, []string{"a list under items", "a list under items"}},
		{0, `{"minimum": 1, "exclusiveMinimum": true}`, load.CheckExclusive, []string{"true or false under exclusiveMinimum is a form up to draft4, and is read so here, though the schema is of 2020-12; write the limit itself there, or"}},
		{0, `{"exclusiveMaximum": true}`, load.CheckExclusive, []string{"has no effect without maximum", "true or false under exclusiveMaximum"}},
		{load.Draft4, `{"exclusiveMinimum": 1}`, load.CheckBound, []string{"a number under exclusiveMinimum is a form since draft6"}},
		{0, `{"required": true}`, load.CheckSelfRequired, []string{"true or false under required is a form of draft3 only"}},
		{load.Draft4, `{"required": false}`, load.CheckSelfRequired, []string{"true or false under required is a form of draft3 only"}},
		{load.Draft3, `{"required": ["a"]}`, load.CheckRequired, []string{"a list under required is a form since draft4"}},
		{0, `{"type": ["string", {"type": "null"}]}`, load.CheckAny, []string{"a schema under type is a form of draft3 only, and is read so here, though the schema is of 2020-12; write anyOf, or"}},
		{0, `{"dependencies": {"a": "b"}}`, load.CheckDependency, []string{"a single name under dependencies is a form of draft3 only"}},
	} {
		graph, faults := loadOne(t, c.schema, c.draft)
		require.Empty(t, faults, c.schema)
		require.NotNil(t, graph.Messages[0].Schema.Checks(c.check), c.schema)
		require.Len(t, graph.Warnings, len(c.want), c.schema)
		for i, want := range c.want {
			require.Contains(t, graph.Warnings[i].Message, want)
		}
	}
}

// TestOtherFormsAreChecked: what stands in such a value is checked, and so is what stands beside it.
func TestOtherFormsAreChecked(t *testing.T) {
	t.Parallel()
	for schema, want := range map[string]string{
		`{"items": [{"minLength": "1"}]}`:      "/items/0/minLength: must be integer, not string",
		`{"items": [{"prefixItems": {}}]}`:     "/items/0/prefixItems: must be array, not object",
		`{"items": [5]}`:                       "/items/0: must be boolean or object, not number",
		`{"items": [{}], "minItems": -1}`:      "/minItems: must be at least 0",
		`{"items": [{}], "prefixItems": [{}]}`: "/items: must be boolean or object, not array; a list under items is a form up to 2019-09: write prefixItems, or say",
		`{"type": [5]}`:                        "/type/0: value must be one of",
		`{"required": 5}`:                      "/required: must be array, not number",
		`{"dependencies": {"a": 5}}`:           "/dependencies/a: must be",
		`{"exclusiveMinimum": "1"}`:            "/exclusiveMinimum: must be number, not string",
		`{"$schema": "https://json-schema.org/draft/2020-12/schema", "items": [{}]}`:                                  `/items: must be boolean or object, not array; a list under items is a form up to 2019-09: write prefixItems, or say which draft is meant with "$schema": "http://json-schema.org/draft-07/schema#"`,
		`{"$schema": "https://json-schema.org/draft/2020-12/schema", "$defs": {"a": {"$id": "a", "required": true}}}`: `/$defs/a/required: must be array, not boolean; true or false under required is a form of draft3 only: write`,
		`{"$schema": "http://json-schema.org/draft-04/schema#", "dependencies": {"a": "b"}}`:                          "/dependencies/a: must be",
		`{"$id": "#a"}`:         "stands under $anchor, without the #",
		`{"$schema": "Draft7"}`: `/$schema: $schema takes the URI of a dialect; for draft7 write "http://json-schema.org/draft-07/schema#"`,
		`{"type": "any"}`:       "to allow any value, leave type out",
		`{"$schema": "http://json-schema.org/draft-04/schema#", "properties": {"a": true}}`: `write {} for true and {"not": {}} for false`,
	} {
		_, faults := loadOne(t, schema, 0)
		require.NotEmpty(t, faults, schema)
		var texts string
		for _, d := range faults {
			texts += d.String() + "\n"
		}
		require.Contains(t, texts, want, schema)
	}
}

// TestOtherDrafts walks the table: a keyword that checks something or identifies a schema gets one
// warning in each draft that does not have it, which leads to one that does; and none where it has
// a meaning.
func TestOtherDrafts(t *testing.T) {
	t.Parallel()
	values := map[load.Shape]string{
		load.Anything: `1`, load.Boolean: `true`, load.Number: `1`, load.Text: `"a"`, load.Values: `["a"]`, load.Members: `{}`, load.TextOrValues: `"string"`,
		load.Reference: `"#"`, load.One: `{}`, load.List: `[{}]`, load.Map: `{}`, load.OneOrList: `{}`, load.Dependencies: `{}`, load.DependenciesOrName: `{}`, load.Types: `"string"`, load.MapOfMaps: `{}`,
	}
	seen := 0
	for _, name := range load.DraftNames() {
		draft, _ := load.ParseDraft(name)
		for _, spec := range load.Keywords() {
			anywhere := false
			for _, row := range load.Rows(spec.Name) {
				anywhere = anywhere || row.From <= draft && (row.To == 0 || draft <= row.To)
			}
			if anywhere || spec.Vocab == load.Annotations && !spec.Shape.HoldsSchemas() {
				continue
			}
			seen++
			schema := `{"` + spec.Name + `": ` + values[spec.Shape] + `}`
			dir := t.TempDir()
			require.NoError(t, os.WriteFile(filepath.Join(dir, "m.json"), []byte(schema), 0o600))
			graph, faults := load.Load(load.Options{Dir: dir, Default: draft})
			require.Empty(t, faults, "%s %s", name, schema)
			var about []string
			for _, d := range graph.Warnings {
				about = append(about, d.Message)
			}
			require.NotEmpty(t, about, "%s %s", name, schema)
			require.Contains(t, about[len(about)-1], " nothing here, in "+name+"; ", schema)
			require.Contains(t, about[len(about)-1], "-dialect-of 'm.json=", schema)
		}
	}
	require.Greater(t, seen, 50)
}

// loadOne loads a folder with one file, m.json. Faults are told as the file m.json's.
func loadOne(t *testing.T, schema string, draft load.Draft) (*load.Graph, load.Diagnostics) {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "m.json"), []byte(schema), 0o600))
	return load.Load(load.Options{Dir: dir, Default: draft})
}
