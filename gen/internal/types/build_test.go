package types

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/emit"
	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// compile runs schemas, by file name, through the whole compiler. The files are a package
// main without func main.
func compile(tb testing.TB, schemas map[string]string, o Options) (files map[string][]byte, roots map[string]string) {
	tb.Helper()
	return generate(tb, loaded(tb, schemas), o)
}

// written is a folder with the schemas, by file name.
func written(tb testing.TB, schemas map[string]string) (dir string) {
	tb.Helper()
	dir = tb.TempDir()
	for name, text := range schemas {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(tb, os.WriteFile(path, []byte(text), 0o644))
	}
	return dir
}

// loaded is the graph of schemas, by file name.
func loaded(tb testing.TB, schemas map[string]string) *load.Graph {
	tb.Helper()
	graph, faults := load.Load(load.Options{Dir: written(tb, schemas)})
	require.Empty(tb, faults)
	return graph
}

// factsOf are the facts about schemas, by file name.
func factsOf(tb testing.TB, schemas map[string]string) *facts.Facts {
	tb.Helper()
	return facts.Of(loaded(tb, schemas))
}

// generate is compile for a graph.
func generate(tb testing.TB, graph *load.Graph, o Options) (files map[string][]byte, roots map[string]string) {
	tb.Helper()
	p, faults := plan.Build(facts.Of(graph), plan.Options{})
	require.Empty(tb, faults)
	checks := map[*load.Schema]string{}
	for _, f := range p.Funcs {
		if f.Collect == 0 {
			checks[f.Schema] = f.Name
		}
	}
	o.Package = "main"
	keep := map[*load.Schema]bool{}
	o.Check = func(s *load.Schema) string {
		keep[s] = true
		return checks[s]
	}
	models, roots, faults := Render(facts.Of(graph), o)
	require.Empty(tb, faults)
	again, _, _ := Render(facts.Of(graph), o)
	require.Equal(tb, models, again, "the output must be deterministic")
	files, err := emit.Files(p, program.Build(p, keep), emit.Options{Package: "main", Types: roots})
	require.NoError(tb, err)
	maps.Copy(files, models)
	return files, roots
}

// build compiles the files, with a func main, to a program. The files stand inside the module
// only by way of an overlay, so the project's folders stay clean.
func build(tb testing.TB, files map[string][]byte) (program string) {
	tb.Helper()
	dir := tb.TempDir()
	here, err := os.Getwd()
	require.NoError(tb, err)
	overlay := map[string]string{}
	for name, text := range files {
		path := filepath.Join(dir, name)
		require.NoError(tb, os.WriteFile(path, text, 0o644))
		overlay[filepath.Join(here, "overlay", name)] = path
	}
	spec, err := json.Marshal(map[string]any{"Replace": overlay})
	require.NoError(tb, err)
	require.NoError(tb, os.WriteFile(filepath.Join(dir, "overlay.json"), spec, 0o644))
	program = filepath.Join(dir, "program")
	out, err := exec.Command("go", "build", "-overlay", filepath.Join(dir, "overlay.json"), "-o", program, "./overlay").CombinedOutput()
	require.NoError(tb, err, "the generated code does not build:\n%.4000s", out)
	return program
}

// driver decodes and encodes: a line "id TAB document" gives a line of JSON.
func driver(roots map[string]string) []byte {
	var b strings.Builder
	b.WriteString(`package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"reflect"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

type answer struct {
	Error   string
	Misfit  bool
	Encoded string
}

// again decodes a document, by the function of its type and by that of its schema, and encodes
// it in every way there is.
func again[T jsonrt.Message](id string, decode func([]byte) (T, error)) func([]byte) answer {
	return func(document []byte) answer {
		v, err := decode(document)
		m, errOfSchema := Registry.Decode(id, document)
		if !reflect.DeepEqual(err, errOfSchema) {
			return answer{Error: fmt.Sprintf("encoding: one Decode says %v, the other %v", err, errOfSchema)}
		}
		if err != nil {
			var misfit *jsonrt.DecodeError
			return answer{Error: err.Error(), Misfit: errors.As(err, &misfit)}
		}
		clear(document) // what was decoded must not share its memory
		if got, ok := m.(T); !ok || !reflect.DeepEqual(got, v) || m.SchemaID() != id {
			return answer{Error: fmt.Sprintf("encoding: %T of the schema %s is not the value of Decode", m, m.SchemaID())}
		}
		data, err := json.Marshal(m)
		if err != nil {
			return answer{Error: "encoding: " + err.Error()}
		}
		if err := m.Validate(); err != nil {
			return answer{Error: "encoding: Validate refuses what was decoded: " + err.Error()}
		}
		if byPointer, err := json.Marshal(&v); err != nil || !bytes.Equal(data, byPointer) {
			return answer{Error: "encoding by pointer differs: " + string(byPointer)}
		}
		plain, err := m.MarshalJSON()
		if appended, errOfAppend := m.AppendJSON([]byte("{")); err != nil || errOfAppend != nil || string(appended) != "{"+string(plain) {
			return answer{Error: "encoding by AppendJSON differs: " + string(appended)}
		}
		var w T
		if err := json.Unmarshal(data, &w); err != nil {
			return answer{Error: "decoding again: " + err.Error()}
		}
		return answer{Encoded: string(data)}
	}
}

var types = map[string]func([]byte) answer{
`)
	for _, id := range slices.Sorted(maps.Keys(roots)) {
		fmt.Fprintf(&b, "\t%[1]q: again(%[1]q, Decode%[2]s),\n", id, roots[id])
	}
	b.WriteString(`}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encode := json.NewEncoder(out)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			return
		}
		id, document, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"))
		encode.Encode(types[string(id)](document))
	}
}
`)
	return []byte(b.String())
}

type document struct{ id, text string }

// answer is what the driver says of a document: why it does not decode, or how it encodes.
type answer struct {
	Error   string
	Misfit  bool // the document is valid, but does not fit the Go type
	Encoded string
}

// ask sends documents through a program that has the driver for its main.
func ask(tb testing.TB, program string, documents []document) []answer {
	tb.Helper()
	var in bytes.Buffer
	for _, d := range documents {
		fmt.Fprintf(&in, "%s\t%s\n", d.id, strings.NewReplacer("\n", " ", "\r", " ").Replace(d.text))
	}
	out := run(tb, program, &in)
	var answers []answer
	lines := bufio.NewReaderSize(bytes.NewReader(out), 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var a answer
		require.NoError(tb, json.Unmarshal(line, &a))
		answers = append(answers, a)
	}
	require.Len(tb, answers, len(documents))
	return answers
}

func run(tb testing.TB, program string, in *bytes.Buffer) []byte {
	tb.Helper()
	cmd := exec.Command(program)
	cmd.Stdin = in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(tb, err)
	return out
}

// equalJSON reports whether two documents are one JSON value.
func equalJSON(tb testing.TB, a, b string) bool {
	tb.Helper()
	var s, t jsontape.Tape
	require.NoError(tb, s.Parse([]byte(a), jsontape.Options{}), a)
	require.NoError(tb, t.Parse([]byte(b), jsontape.Options{}), b)
	return jsonrt.Equal(&s, 0, &t, 0)
}
