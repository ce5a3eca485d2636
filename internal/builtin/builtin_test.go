package builtin_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/builtin"
)

func TestSplit(t *testing.T) {
	files, err := builtin.Split([]byte(`{ "other": 1, "schemas": [
  {"schema_id": "plain", "schema": { "type" : "object" }},
  {"schema_id": "a/b", "description": "With \u0022 marks", "schema": {
    "const": 1.0
  }},
  {"schema_id": "empty", "description": "E", "schema": {}},
  {"schema_id": "tight", "description": "T", "schema": {"a":1}},
  {"schema_id": "own", "description": "outer", "schema": {"description":"inner"}},
  {"schema_id": "same", "description": "d", "schema": {"description":"d"}},
  {"schema_id": "no", "description": "never", "schema": false},
  {"schema_id": "__proto__", "description": "", "schema": true}
] }`))
	require.NoError(t, err)
	var got []string
	for _, f := range files {
		got = append(got, f.Name+" "+string(f.Text)+f.Note)
		require.True(t, json.Valid(f.Text), f.ID)
	}
	require.Equal(t, []string{
		"plain.json { \"type\" : \"object\" }\n",
		"a%2Fb.json {\n    \"description\": \"With \\u0022 marks\",\n    \"const\": 1.0\n  }\n",
		"empty.json {\"description\": \"E\"}\n",
		"tight.json {\"description\": \"T\", \"a\":1}\n",
		"own.json {\"description\":\"inner\"}\nthe schema's own description stays, the entry's is dropped",
		"same.json {\"description\":\"d\"}\n",
		"no.json false\na boolean schema has no place for the description",
		"__proto__.json true\n",
	}, got)
	require.Equal(t, "a/b", files[1].ID)
}

// TestFaults: each check of the original, with its words, and those that files add.
func TestFaults(t *testing.T) {
	for config, want := range map[string]string{
		`[]`:                                    "1:1: 'schemas' must be an array.",
		`{}`:                                    "1:1: 'schemas' must be an array.",
		`{"schemas":{}}`:                        "1:12: /schemas: 'schemas' must be an array.",
		`{"schemas":[7]}`:                       "1:13: /schemas/0: schemas[0].schema_id must be a non-empty string.\n1:13: /schemas/0: schemas[0].schema must be a JSON Schema object or boolean.",
		`{"a":{"b":1,"\u0062":2},"schemas":[]}`: "1:13: /a/b: the member name \"\\u0062\" is repeated; keep one of the two.",
		entry(`"schema_id":"","schema":true`):   "1:26: /schemas/0/schema_id: schemas[0].schema_id must be a non-empty string.",
		entry(`"schema_id":1,"schema":true`):    "1:26: /schemas/0/schema_id: schemas[0].schema_id must be a non-empty string.",
		entry(`"schema_id":"a","description":null,"schema":true`):                    "1:44: /schemas/0/description: schemas[0].description must be a string when provided.",
		entry(`"schema_id":"a"`):                                                     "1:13: /schemas/0: schemas[0].schema must be a JSON Schema object or boolean.",
		entry(`"schema_id":"a","schema":[]`):                                         "1:39: /schemas/0/schema: schemas[0].schema must be a JSON Schema object or boolean.",
		entry(`"schema_id":"a","schema":"x"`):                                        "1:39: /schemas/0/schema: schemas[0].schema must be a JSON Schema object or boolean.",
		entry(`"schema_id":"__schemaless__","schema":true`):                          "1:26: /schemas/0/schema_id: Schema id '__schemaless__' is reserved.",
		entry(`"schema_id":"a","schema":true},{"schema_id":"\u0061","schema":false`): "1:58: /schemas/1/schema_id: Duplicate built-in schema id 'a'.",
		entry(`"schema_id":"a","schema":true},{"schema_id":"A","schema":false`):      "1:58: /schemas/1/schema_id: Schema ids 'a' and 'A' differ in case only, which not every file system can tell apart.",
		entry(`"schema_id":"\ud800","schema":true`):                                  "1:26: /schemas/0/schema_id: Schema id \"\\xed\\xa0\\x80\" can't be a file: the id is not UTF-8.",
	} {
		_, err := builtin.Split([]byte(config))
		var faults builtin.Faults
		require.ErrorAs(t, err, &faults, config)
		require.Equal(t, want, faults.Error(), config)
	}
	_, err := builtin.Split([]byte(`{"schemas":[}`))
	var syntax *jsontape.SyntaxError
	require.ErrorAs(t, err, &syntax)
}

func entry(members string) string { return `{"schemas":[{` + members + `}]}` }

// TestWrite: all files or none.
func TestWrite(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "made", "schemas")
	files := []builtin.File{{Name: "a.json", Text: []byte("true\n")}, {Name: "b.json", Text: []byte("{}\n")}}
	require.NoError(t, builtin.Write(dir, files, false))
	require.NoError(t, builtin.Write(dir, files, false), "what is there already is no obstacle")

	require.NoError(t, os.Remove(filepath.Join(dir, "a.json")))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "b.json"), []byte("false"), 0o644))
	var exist *builtin.ExistsError
	require.ErrorAs(t, builtin.Write(dir, files, false), &exist)
	require.Equal(t, []string{filepath.Join(dir, "b.json")}, exist.Paths)
	require.NoFileExists(t, filepath.Join(dir, "a.json"))

	require.NoError(t, builtin.Write(dir, files, true))
	text, err := os.ReadFile(filepath.Join(dir, "b.json"))
	require.NoError(t, err)
	require.Equal(t, "{}\n", string(text))
}
