//go:build suite

package bundle_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/bundle"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/internal/modelapi"
)

const suites = "../../../../shared/suites"

// meant is a set of schemas with documents that are valid.
type meant struct {
	name    string
	dir     string
	options load.Options
	// valid are the documents by the id of their schema.
	valid map[string][]string
	// tools and documents are how many of each the set has at least, so that an empty set fails.
	tools, documents int
}

func readFile(t *testing.T, path ...string) string {
	t.Helper()
	data, err := os.ReadFile(filepath.Join(path...))
	require.NoError(t, err)
	return string(data)
}

func (m *meant) write(t *testing.T, id, schema string) {
	t.Helper()
	require.NoError(t, os.WriteFile(filepath.Join(m.dir, id+".json"), []byte(schema), 0o600))
}

// verdicts is a set with its documents in a table: schema, document, valid or invalid.
func verdicts(t *testing.T, suite string, of func(id string) *meant) {
	t.Helper()
	root := filepath.Join(suites, suite)
	seen := map[string]bool{}
	for line := range strings.Lines(readFile(t, root, "verdicts.tsv")) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		id := strings.TrimSuffix(filepath.Base(cells[0]), ".json")
		m := of(id)
		if !seen[id] {
			seen[id] = true
			m.write(t, id, readFile(t, root, "schemas", id+".json"))
		}
		if cells[2] == "valid" {
			m.valid[id] = append(m.valid[id], readFile(t, root, filepath.FromSlash(cells[1])))
		}
	}
	require.NotEmpty(t, seen)
}

// official is the official suite of one draft. Few of its schemas are about objects alone, so
// each comes twice more: with "type": "object" at its root, and as that of a property where
// nothing in it says where it stands.
func official(t *testing.T, folder string, draft load.Draft) *meant {
	t.Helper()
	m := &meant{name: folder, dir: t.TempDir(), valid: map[string][]string{}, tools: 250, documents: 350}
	m.options = load.Options{Default: draft, Maps: []load.Mapping{{Prefix: "http://localhost:1234/", Dir: filepath.Join(suites, "json-schema-test-suite", "remotes")}}}
	paths, err := filepath.Glob(filepath.Join(suites, "json-schema-test-suite", "tests", folder, "*.json"))
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		var groups []struct {
			Schema json.RawMessage
			Tests  []struct {
				Data  json.RawMessage
				Valid bool
			}
		}
		require.NoError(t, json.Unmarshal([]byte(readFile(t, path)), &groups))
		for i, g := range groups {
			id := fmt.Sprintf("%s %d", strings.TrimSuffix(filepath.Base(path), ".json"), i)
			schema := string(g.Schema)
			m.write(t, id, schema)
			var root map[string]json.RawMessage
			isObject := json.Unmarshal(g.Schema, &root) == nil && root != nil
			_, typed := root["type"]
			if isObject && !typed {
				m.write(t, id+" object", strings.Replace(schema, "{", `{"type":"object",`, 1))
				if len(root) == 0 {
					m.write(t, id+" object", `{"type":"object"}`)
				}
			}
			dialect, placed := root["$schema"], false
			for _, keyword := range []string{`"$ref"`, `"$id"`, `"id"`, `"$anchor"`, `"$dynamicRef"`, `"$dynamicAnchor"`, `"$recursiveRef"`} {
				placed = placed || strings.Contains(schema, keyword)
			}
			if !placed {
				head := ""
				if dialect != nil {
					delete(root, "$schema")
					inner, err := json.Marshal(root)
					require.NoError(t, err)
					head, schema = `"$schema":`+string(dialect)+`,`, string(inner)
				}
				m.write(t, id+" property", `{`+head+`"type":"object","properties":{"p":`+schema+`}}`)
			}
			for _, test := range g.Tests {
				if !test.Valid {
					continue
				}
				m.valid[id] = append(m.valid[id], string(test.Data))
				if bytes.HasPrefix(bytes.TrimSpace(test.Data), []byte("{")) && (!placed || stays(t, draft, m.dir, id+" object", string(test.Data))) {
					m.valid[id+" object"] = append(m.valid[id+" object"], string(test.Data))
				}
				m.valid[id+" property"] = append(m.valid[id+" property"], `{"p":`+string(test.Data)+`}`)
			}
		}
	}
	return m
}

// stays reports whether a document still satisfies the schema now that it says "type":
// "object", which a reference to the root may carry to other places. The other implementation
// judges; where that would have to load other files, it says no.
func stays(t *testing.T, draft load.Draft, dir, id, document string) bool {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, id+".json"))
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	require.NoError(t, err)
	schema, err := unmarshal(string(text))
	require.NoError(t, err)
	compiler := jsonschema.NewCompiler()
	compiler.UseLoader(nothing{})
	compiler.DefaultDraft(map[load.Draft]*jsonschema.Draft{
		load.Draft4: jsonschema.Draft4, load.Draft6: jsonschema.Draft6, load.Draft7: jsonschema.Draft7, load.Draft2019: jsonschema.Draft2019, load.Draft2020: jsonschema.Draft2020,
	}[draft])
	require.NoError(t, compiler.AddResource("mem:a", schema))
	s, err := compiler.Compile("mem:a")
	if err != nil {
		return false
	}
	value, err := unmarshal(document)
	require.NoError(t, err)
	return s.Validate(value) == nil
}

// TestToolMeaningOfSuites: whatever satisfies a schema satisfies the input schema of its tool,
// too, as another implementation reads it, and APIs of models take every such input schema.
func TestToolMeaningOfSuites(t *testing.T) {
	t.Parallel()
	var sets []*meant
	for folder, draft := range map[string]load.Draft{"draft4": load.Draft4, "draft6": load.Draft6, "draft7": load.Draft7, "draft2019-09": load.Draft2019, "draft2020-12": load.Draft2020} {
		sets = append(sets, official(t, folder, draft))
	}
	authors := &meant{name: "authors", dir: t.TempDir(), options: load.Options{Default: load.Draft2020}, valid: map[string][]string{}, tools: 78, documents: 480}
	older := &meant{name: "authors, draft 7", dir: t.TempDir(), options: load.Options{Default: load.Draft7}, valid: map[string][]string{}, tools: 2, documents: 10}
	draft7 := strings.Fields(readFile(t, suites, "authors", "draft7.txt"))
	verdicts(t, "authors", func(id string) *meant {
		if slices.Contains(draft7, id) {
			return older
		}
		return authors
	})
	store := &meant{name: "schemastore", dir: t.TempDir(), options: load.Options{Default: load.Draft7}, valid: map[string][]string{}, tools: 200, documents: 600}
	for _, prefix := range []string{"https://json.schemastore.org/", "http://json.schemastore.org/", "https://www.schemastore.org/", "http://www.schemastore.org/"} {
		store.options.Maps = append(store.options.Maps, load.Mapping{Prefix: prefix, Dir: filepath.Join(suites, "schemastore", "schemas")})
	}
	verdicts(t, "schemastore", func(string) *meant { return store })
	for _, m := range append(sets, authors, older, store) {
		t.Run(m.name, func(t *testing.T) {
			t.Parallel()
			m.options.Dir = m.dir
			graph, _ := load.Load(m.options) // what has faults has no tool
			entries, _, warnings := bundle.All(graph)
			tools, documents := 0, 0
			for _, message := range graph.Messages {
				e := entries[message.ID]
				if e.Tool == "" {
					continue
				}
				tools++
				text := e.Text
				if text == "" {
					text = string(message.Schema.File.Tape.Data)
				}
				require.Empty(t, modelapi.Check(e.Tool, []byte(text)), "%s: %s", message.ID, text)
				compiled := compileText(t, text)
				for _, document := range m.valid[message.ID] {
					documents++
					value, err := unmarshal(document)
					require.NoError(t, err)
					if err := compiled.Validate(value); err != nil {
						t.Errorf("%s: %.300s is valid, and is refused by the input schema\n%.2000s\n%v", message.ID, document, text, err)
					}
				}
			}
			for _, w := range warnings {
				t.Log(w.Path, w.Message)
			}
			t.Logf("%d tools of %d schemas, %d documents, %d schemas without a tool", tools, len(graph.Messages), documents, len(warnings))
			require.GreaterOrEqual(t, tools, m.tools)
			require.GreaterOrEqual(t, documents, m.documents)
		})
	}
}
