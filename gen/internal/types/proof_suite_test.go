//go:build suite

package types

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// corpus is a set of schemas with documents that are valid.
type corpus struct {
	name      string
	dir       string // with the schemas as files
	options   load.Options
	documents []document
	invalid   []document // nearly valid ones
	perBatch  int
}

func suites(tb testing.TB) string {
	tb.Helper()
	dir, err := filepath.Abs(filepath.Join("..", "..", "..", "..", "shared", "suites"))
	require.NoError(tb, err)
	_, err = os.Stat(dir)
	require.NoError(tb, err, "the suites are missing; they belong beside the project")
	return dir
}

func write(tb testing.TB, dir, name, text string) {
	tb.Helper()
	path := filepath.Join(dir, filepath.FromSlash(name))
	require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
	require.NoError(tb, os.WriteFile(path, []byte(text), 0o644))
}

func read(tb testing.TB, path string) string {
	tb.Helper()
	data, err := os.ReadFile(path)
	require.NoError(tb, err)
	return string(data)
}

func benchCorpus(tb testing.TB) corpus {
	c := corpus{name: "validation-bench", dir: tb.TempDir(), options: load.Options{Default: load.Draft7}, perBatch: 37}
	root := filepath.Join(suites(tb), "validation-bench")
	paths, err := filepath.Glob(filepath.Join(root, "*", "schema.json"))
	require.NoError(tb, err)
	require.NotEmpty(tb, paths)
	for _, path := range paths {
		id := filepath.Base(filepath.Dir(path))
		write(tb, c.dir, id+".json", read(tb, path))
		instances, err := os.ReadFile(filepath.Join(filepath.Dir(path), "instances.jsonl"))
		if os.IsNotExist(err) {
			continue // three of the sets have none
		}
		require.NoError(tb, err)
		for line := range bytes.Lines(instances) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				c.documents = append(c.documents, document{id, string(line)})
			}
		}
		c.addMutants(tb, filepath.Dir(path), id)
	}
	return c
}

// addMutants adds the damaged documents of a set: valid is what mutants.verdicts marks 1.
func (c *corpus) addMutants(tb testing.TB, dir, id string) {
	tb.Helper()
	mutants, err := os.ReadFile(filepath.Join(dir, "mutants.jsonl"))
	if os.IsNotExist(err) {
		return
	}
	require.NoError(tb, err)
	verdicts := strings.TrimSpace(read(tb, filepath.Join(dir, "mutants.verdicts")))
	i := 0
	for line := range bytes.Lines(mutants) {
		if line = bytes.TrimSpace(line); len(line) == 0 {
			continue
		}
		d := document{id, string(line)}
		if verdicts[i] == '1' {
			c.documents = append(c.documents, d)
		} else {
			c.invalid = append(c.invalid, d)
		}
		i++
	}
	require.Len(tb, verdicts, i)
}

func storeCorpus(tb testing.TB) corpus {
	root := filepath.Join(suites(tb), "schemastore")
	c := corpus{name: "schemastore", dir: filepath.Join(root, "schemas"), perBatch: 60}
	c.options = load.Options{Default: load.Draft7, Maps: []load.Mapping{{Prefix: "https://json.schemastore.org/", Dir: c.dir}, {Prefix: "http://json.schemastore.org/", Dir: c.dir}}}
	for line := range strings.Lines(read(tb, filepath.Join(root, "verdicts.tsv"))) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		if len(cells) == 3 && cells[2] == "valid" {
			c.documents = append(c.documents, document{cells[0], read(tb, filepath.Join(root, filepath.FromSlash(cells[1])))})
		}
	}
	return c
}

// authorsCorpora are the schemas as libraries print them: those that mean 2020-12 where they
// do not say, and those that mean draft 7.
func authorsCorpora(tb testing.TB) []corpus {
	root := filepath.Join(suites(tb), "authors")
	list := []corpus{
		{name: "authors", dir: tb.TempDir(), options: load.Options{Default: load.Draft2020}, perBatch: 100},
		{name: "authors, draft 7", dir: tb.TempDir(), options: load.Options{Default: load.Draft7}, perBatch: 100},
	}
	older := strings.Fields(read(tb, filepath.Join(root, "draft7.txt")))
	of := func(id string) *corpus {
		if slices.Contains(older, id) {
			return &list[1]
		}
		return &list[0]
	}
	paths, err := filepath.Glob(filepath.Join(root, "schemas", "*.json"))
	require.NoError(tb, err)
	require.NotEmpty(tb, paths)
	for _, path := range paths {
		id := strings.TrimSuffix(filepath.Base(path), ".json")
		write(tb, of(id).dir, id+".json", read(tb, path))
	}
	for line := range strings.Lines(read(tb, filepath.Join(root, "verdicts.tsv"))) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		require.Len(tb, cells, 3, line)
		c, d := of(cells[0]), document{cells[0], read(tb, filepath.Join(root, filepath.FromSlash(cells[1])))}
		if cells[2] == "valid" {
			c.documents = append(c.documents, d)
		} else {
			c.invalid = append(c.invalid, d)
		}
	}
	return list
}

// suiteCorpus is the official suite of one draft: every schema, all in one package.
func suiteCorpus(tb testing.TB, folder string, draft load.Draft) corpus {
	root := filepath.Join(suites(tb), "json-schema-test-suite")
	c := corpus{name: folder, dir: tb.TempDir(), perBatch: 1000}
	c.options = load.Options{Default: draft, Maps: []load.Mapping{{Prefix: "http://localhost:1234/", Dir: filepath.Join(root, "remotes")}}}
	var paths []string
	for _, pattern := range []string{"*.json", "optional/*.json", "optional/format/*.json"} {
		some, err := filepath.Glob(filepath.Join(root, "tests", folder, pattern))
		require.NoError(tb, err)
		require.NotEmpty(tb, some)
		paths = append(paths, some...)
	}
	for _, path := range paths {
		var groups []struct {
			Schema json.RawMessage
			Tests  []struct {
				Data  json.RawMessage
				Valid bool
			}
		}
		require.NoError(tb, json.Unmarshal([]byte(read(tb, path)), &groups))
		for i, g := range groups {
			id := fmt.Sprintf("%s %s %d", filepath.Base(filepath.Dir(path)), strings.TrimSuffix(filepath.Base(path), ".json"), i)
			write(tb, c.dir, id+".json", string(g.Schema))
			for _, t := range g.Tests {
				if t.Valid {
					c.documents = append(c.documents, document{id, string(t.Data)})
				}
			}
		}
	}
	return c
}

// figures are what the proof prints for a corpus.
type figures struct {
	schemas, generated, compiled, documents, decoded, equal, refused int
	structs, fields, raw, rawInside, unions, soft                    int
	lines, bytes                                                     int
	building                                                         time.Duration
}

func (f figures) String() string {
	share := func(n int) string { return fmt.Sprintf("%d (%.1f %%)", n, 100*float64(n)/float64(max(1, f.fields))) }
	return fmt.Sprintf("schemas %d, generated %d, compiled %d; documents %d, decoded %d, given back equal %d; invalid ones refused %d; structs %d, fields %d: raw %s, lists and maps of raw %s, unions %s, soft %s; %d lines, %d KB, built in %.1f s",
		f.schemas, f.generated, f.compiled, f.documents, f.decoded, f.equal, f.refused, f.structs, f.fields, share(f.raw), share(f.rawInside), share(f.unions), share(f.soft), f.lines, f.bytes/1000, f.building.Seconds())
}

// count adds up how many fields are how well typed.
func (f *figures) count(b *builder) {
	for _, n := range b.named {
		if n.shape != shapeStruct {
			continue
		}
		f.structs++
		for _, field := range n.fields {
			f.fields++
			t := field.typ
			if field.soft {
				f.soft++
			}
			switch {
			case t.form == formRaw:
				f.raw++
				continue
			case t.form == formNamed && t.named.shape == shapeUnion:
				f.unions++
			}
			for t.form == formSlice || t.form == formMap {
				t = t.elem
			}
			if t.form == formRaw {
				f.rawInside++
			}
		}
	}
}

// prove renders, compiles and runs a corpus, batch by batch.
func (c corpus) prove(tb testing.TB, o Options) figures {
	tb.Helper()
	var f figures
	c.options.Dir = c.dir
	graph, faults := load.Load(c.options)
	bad := map[string]bool{}
	for _, d := range faults {
		id := strings.TrimSuffix(filepath.Base(d.Path), ".json")
		if !bad[id] {
			tb.Logf("not loaded: %v", d)
		}
		bad[id] = true
	}
	messages := slices.DeleteFunc(slices.Clone(graph.Messages), func(m *load.Message) bool { return bad[m.ID] })
	f.schemas = len(graph.Messages)
	byID := map[string][]document{}
	for _, d := range c.documents {
		byID[d.id] = append(byID[d.id], d)
	}
	invalidByID := map[string][]document{}
	for _, d := range c.invalid {
		invalidByID[d.id] = append(invalidByID[d.id], d)
	}
	o.Package = "main"
	for batch := range slices.Chunk(messages, c.perBatch) {
		g := &load.Graph{Messages: batch}
		b, _ := derive(facts.Of(g), o)
		f.count(b)
		files, roots := generate(tb, g, o)
		f.generated += len(roots)
		for name, text := range files {
			if !strings.HasSuffix(name, "_types.go") {
				continue
			}
			f.lines += bytes.Count(text, []byte("\n"))
			f.bytes += len(text)
		}
		files["driver.go"] = driver(roots)
		require.Empty(tb, typeCheck(files))
		start := time.Now()
		program := build(tb, files)
		f.building += time.Since(start)
		f.compiled += len(roots)
		var documents, invalid []document
		for _, m := range batch {
			documents = append(documents, byID[m.ID]...)
			invalid = append(invalid, invalidByID[m.ID]...)
		}
		for i, a := range ask(tb, program, invalid) {
			if a.Error != "" && !a.Misfit && !strings.HasPrefix(a.Error, "encoding") {
				f.refused++
				continue
			}
			tb.Errorf("%s: invalid, but decodes: %s\n%.600s", invalid[i].id, a.Error, invalid[i].text)
		}
		f.documents += len(documents)
		shown := 0
		for i, a := range ask(tb, program, documents) {
			d := documents[i]
			if a.Error == "" {
				f.decoded++
				if equalJSON(tb, d.text, a.Encoded) {
					f.equal++
					continue
				}
			}
			if shown++; shown <= 10 {
				tb.Errorf("%s: %s\n%.600s\n%.600s", d.id, a.Error, d.text, a.Encoded)
			}
		}
	}
	return f
}

// TestProof renders, compiles and runs every corpus: everything must compile, every valid
// document must decode, and encode to an equal value that Validate of the Go value accepts, and
// every invalid one must be refused. In the official suite numbers are exact,
// because it tests some that float64 and int64 cannot hold.
func TestProof(t *testing.T) {
	exact := Options{ExactNumbers: true}
	type test struct {
		corpus  corpus
		options Options
	}
	tests := []test{
		{benchCorpus(t), Options{}},
		{storeCorpus(t), Options{}},
		{suiteCorpus(t, "draft4", load.Draft4), exact},
		{suiteCorpus(t, "draft6", load.Draft6), exact},
		{suiteCorpus(t, "draft7", load.Draft7), exact},
		{suiteCorpus(t, "draft2019-09", load.Draft2019), exact},
		{suiteCorpus(t, "draft2020-12", load.Draft2020), exact},
	}
	for _, c := range authorsCorpora(t) {
		tests = append(tests, test{c, Options{}})
	}
	for _, test := range tests {
		t.Run(test.corpus.name, func(t *testing.T) {
			f := test.corpus.prove(t, test.options)
			t.Log(f)
			require.Equal(t, f.generated, f.compiled)
			require.Equal(t, f.documents, f.equal)
			require.Equal(t, len(test.corpus.invalid), f.refused)
		})
	}
}

// TestUnchecked decodes without any check, as the UnmarshalJSON methods of types inside a
// message may: whatever the document, valid or not, it is refused or comes back as it was.
func TestUnchecked(t *testing.T) {
	c := benchCorpus(t)
	c.options.Dir = c.dir
	graph, faults := load.Load(c.options)
	require.Empty(t, faults)
	files, roots, faults := Render(facts.Of(graph), Options{Package: "main"})
	require.Empty(t, faults)
	files["stubs.go"] = stubs(roots)
	files["driver.go"] = driver(roots)
	require.NotEmpty(t, c.invalid)
	refused := 0
	for i, a := range ask(t, build(t, files), c.invalid) {
		d := c.invalid[i]
		if a.Error != "" {
			require.NotRegexp(t, "^(encoding|decoding again)", a.Error, "%s: %s", d.id, d.text)
			refused++
			continue
		}
		require.True(t, equalJSON(t, d.text, a.Encoded), "%s: %s comes back as %s", d.id, d.text, a.Encoded)
	}
	t.Logf("%d invalid documents, %d refused by the types alone", len(c.invalid), refused)
}
