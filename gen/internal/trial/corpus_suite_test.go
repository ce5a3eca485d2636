//go:build suite

package trial

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// bytesPerByte is how many bytes of generated Go a byte of schema may cost, schema text that
// the generated code carries included.
const bytesPerByte = 6

func lines(t *testing.T, path string) []string {
	data, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil
	}
	require.NoError(t, err)
	return slices.DeleteFunc(strings.Split(string(data), "\n"), func(s string) bool { return s == "" })
}

// TestValidationBench: every instance of the benchmark's schemas is valid, and every damaged
// one gets the verdict on which three other implementations agree.
func TestValidationBench(t *testing.T) {
	root := filepath.Join(suites(t), "validation-bench")
	paths, err := filepath.Glob(filepath.Join(root, "*", "schema.json"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	schemas, size := map[string]string{}, 0
	for _, path := range paths {
		data, err := os.ReadFile(path)
		require.NoError(t, err)
		schemas[filepath.Base(filepath.Dir(path))] = string(data)
		size += len(data)
	}
	compiled := Compile(t, schemas, Options{Default: load.Draft7})
	require.Empty(t, compiled.Refused)
	require.Less(t, compiled.SourceBytes, bytesPerByte*size)
	total, wrong := 0, 0
	for id := range schemas {
		dir := filepath.Join(root, id)
		documents, mutants := lines(t, filepath.Join(dir, "instances.jsonl")), lines(t, filepath.Join(dir, "mutants.jsonl"))
		verdicts := strings.Repeat("1", len(documents))
		if len(mutants) > 0 {
			data, err := os.ReadFile(filepath.Join(dir, "mutants.verdicts"))
			require.NoError(t, err)
			verdicts += strings.TrimSpace(string(data))
		}
		documents = append(documents, mutants...)
		require.Len(t, verdicts, len(documents))
		total += len(documents)
		first := true
		for i, r := range compiled.Validate(t, id, documents...) {
			if r.Valid != (verdicts[i] == '1') {
				wrong++
				if first {
					t.Errorf("%s, document %d: said %v %v %s", id, i+1, r.Valid, r.Details, r.Error)
				}
				first = false
			}
		}
	}
	t.Logf("%d of %d verdicts right; %d bytes of Go for %d bytes of schema", total-wrong, total, compiled.SourceBytes, size)
}

// document is one of a corpus, with its verdict.
type document struct {
	path  string
	valid bool
}

// verdicts reads the list of a corpus: schema, document and verdict in each line.
func verdicts(t *testing.T, root string) map[string][]document {
	documents := map[string][]document{}
	for _, line := range lines(t, filepath.Join(root, "verdicts.tsv")) {
		parts := strings.Split(line, "\t")
		require.Len(t, parts, 3)
		require.Contains(t, []string{"valid", "invalid"}, parts[2])
		documents[parts[0]] = append(documents[parts[0]], document{parts[1], parts[2] == "valid"})
	}
	require.NotEmpty(t, documents)
	return documents
}

// read reads the schemas of a corpus that has documents for them, and says how long they are.
func read(t *testing.T, root string, documents map[string][]document) (schemas map[string]string, size int) {
	schemas = map[string]string{}
	for id := range documents {
		data, err := os.ReadFile(filepath.Join(root, "schemas", id+".json"))
		require.NoError(t, err)
		schemas[id] = string(data)
		size += len(data)
	}
	return schemas, size
}

// judge asks for the verdict of every document and counts them.
func judge(t *testing.T, compiled *Trial, root string, documents map[string][]document) (total, wrong int) {
	for id, list := range documents {
		var texts []string
		for _, d := range list {
			data, err := os.ReadFile(filepath.Join(root, d.path))
			require.NoError(t, err)
			texts = append(texts, string(data))
		}
		for i, r := range compiled.Validate(t, id, texts...) {
			total++
			if r.Valid != list[i].valid {
				wrong++
				t.Errorf("%s: said %v %v %s", list[i].path, r.Valid, r.Details, r.Error)
			}
		}
	}
	return total, wrong
}

// TestSchemaStore: real schemas of public tools compile, and their documents get the verdict
// on which two other implementations agree.
func TestSchemaStore(t *testing.T) {
	root := filepath.Join(suites(t), "schemastore")
	documents := verdicts(t, root)
	var mappings []load.Mapping
	for _, prefix := range []string{"https://json.schemastore.org/", "http://json.schemastore.org/", "https://www.schemastore.org/", "http://www.schemastore.org/"} {
		mappings = append(mappings, load.Mapping{Prefix: prefix, Dir: filepath.Join(root, "schemas")})
	}
	schemas, size := read(t, root, documents)
	compiled := Compile(t, schemas, Options{Default: load.Draft7, Maps: mappings})
	require.Empty(t, compiled.Refused)
	require.Less(t, compiled.SourceBytes, bytesPerByte*size)
	total, wrong := judge(t, compiled, root, documents)
	t.Logf("%d of %d verdicts right over %d schemas; %d bytes of Go for %d bytes of schema", total-wrong, total, len(schemas), compiled.SourceBytes, size)
}

// TestAuthors: what people's libraries print compiles, with Go types, and its documents get the
// verdict of the library and of other implementations. Every valid one comes back from its type.
func TestAuthors(t *testing.T) {
	root := filepath.Join(suites(t), "authors")
	all := verdicts(t, root)
	old := lines(t, filepath.Join(root, "draft7.txt"))
	require.NotEmpty(t, old)
	for _, draft := range []load.Draft{load.Draft7, load.Draft2020} {
		documents := maps.Clone(all)
		maps.DeleteFunc(documents, func(id string, _ []document) bool { return slices.Contains(old, id) != (draft == load.Draft7) })
		require.NotEmpty(t, documents)
		schemas, _ := read(t, root, documents)
		compiled := Compile(t, schemas, Options{Default: draft, Types: true})
		require.Empty(t, compiled.Refused)
		total, wrong := judge(t, compiled, root, documents)
		t.Logf("%s: %d of %d verdicts right over %d schemas", draft, total-wrong, total, len(schemas))
	}
}

// TestCases runs the small trials from the field: verdict and path.
func TestCases(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(suites(t), "cases.json"))
	require.NoError(t, err)
	var cases []struct {
		ID     string
		Schema string
		Fmt    bool
		Tests  []struct {
			Payload string
			Valid   bool
			Paths   []string
		}
	}
	require.NoError(t, json.Unmarshal(data, &cases))
	require.NotEmpty(t, cases)
	for _, format := range []bool{false, true} {
		schemas := map[string]string{}
		for _, c := range cases {
			if c.Fmt == format {
				schemas[c.ID] = c.Schema
			}
		}
		compiled := Compile(t, schemas, Options{AssertFormat: format})
		for _, c := range cases {
			if c.Fmt != format {
				continue
			}
			if len(c.Tests) == 0 {
				require.NotEmpty(t, compiled.Refused[c.ID], "%s must be refused", c.ID)
				continue
			}
			require.Empty(t, compiled.Refused[c.ID], c.ID)
			for _, test := range c.Tests {
				r := compiled.Validate(t, c.ID, test.Payload)[0]
				require.Equal(t, test.Valid, r.Valid, "%s %s: %v %s", c.ID, test.Payload, r.Details, r.Error)
				for _, path := range test.Paths {
					require.True(t, hasPath(r, path), "%s %s: no fault at %q: %v", c.ID, test.Payload, path, r.Details)
				}
			}
		}
	}
}

// hasPath reports whether some fault lies at path or below: this project names the member
// itself where validators name its parent.
func hasPath(r Result, path string) bool {
	for _, d := range r.Details {
		if d.Path == path || strings.HasPrefix(d.Path, path+"/") {
			return true
		}
	}
	return false
}
