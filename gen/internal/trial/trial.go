// Package trial is for tests: it compiles schemas with the real compiler, builds the generated
// code, and asks it for verdicts in a process of its own.
package trial

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/emit"
	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
	"github.com/zenlix/echo-mcp/gen/internal/plan"
	"github.com/zenlix/echo-mcp/gen/internal/program"
	"github.com/zenlix/echo-mcp/gen/internal/types"
	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// Options say how to compile.
type Options struct {
	Default      load.Draft
	Maps         []load.Mapping
	AssertFormat bool
	// Shared are files of sub-folders, by their path below the schema folder.
	Shared map[string]string
	// Types has every valid document decoded into its Go type and encoded again, with exact
	// numbers; what does not come back as it was is an Error of the Result. The code is vetted.
	Types bool
}

// Trial is a set of compiled schemas.
type Trial struct {
	// Refused are the faults of the schemas that the compiler refused, by id.
	Refused map[string]load.Diagnostics
	// Warned are the schemas with a place that leads back to itself.
	Warned map[string]bool
	// SourceBytes counts the generated Go.
	SourceBytes int
	program     string
}

// Result is what the generated code says of one document.
type Result struct {
	Valid   bool
	Details []jsonrt.Detail
	// Peak is how many KiB the program took at most so far, 0 where the system does not tell.
	Peak int
	// Undecided: there is no verdict, because of what stands at Path and SchemaPath.
	Undecided        bool
	Path, SchemaPath string
	Error            string // of a document that no schema was asked about, or that does not come back
}

// Root is the folder of the project.
func Root(tb testing.TB) string {
	tb.Helper()
	_, file, _, ok := runtime.Caller(0)
	require.True(tb, ok)
	return filepath.Join(filepath.Dir(file), "..", "..", "..")
}

// Compile compiles schemas, by id. Those that the compiler refuses are left out and listed.
func Compile(tb testing.TB, schemas map[string]string, o Options) *Trial {
	tb.Helper()
	return CompileWith(tb, schemas, o, driver)
}

// CompileWith is Compile with a program of the caller's around the generated code.
func CompileWith(tb testing.TB, schemas map[string]string, o Options, driver string) *Trial {
	tb.Helper()
	t := &Trial{Refused: map[string]load.Diagnostics{}, Warned: map[string]bool{}}
	dir := tb.TempDir()
	write := func(name, text string) {
		path := filepath.Join(dir, filepath.FromSlash(name))
		require.NoError(tb, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(tb, os.WriteFile(path, []byte(text), 0o644))
	}
	for id, text := range schemas {
		write(id+".json", text)
	}
	for name, text := range o.Shared {
		write(name, text)
	}
	var p *plan.Plan
	var graph *load.Graph
	for {
		var faults load.Diagnostics
		graph, faults = load.Load(load.Options{Dir: dir, Default: o.Default, Maps: o.Maps})
		var more load.Diagnostics
		p, more = plan.Build(facts.Of(graph), plan.Options{AssertFormat: o.AssertFormat})
		if faults = append(faults, more...); len(faults) == 0 {
			break
		}
		left := len(t.Refused)
		for _, d := range faults {
			id := strings.TrimSuffix(filepath.Base(d.Path), ".json")
			if _, known := schemas[id]; known && filepath.Dir(d.Path) == filepath.ToSlash(dir) {
				t.Refused[id] = append(t.Refused[id], d)
				require.NoError(tb, ignoreMissing(os.Remove(filepath.Join(dir, id+".json"))))
			}
		}
		require.Greater(tb, len(t.Refused), left, "faults that name no schema: %v", faults)
	}
	for _, d := range p.Warnings {
		t.Warned[strings.TrimSuffix(filepath.Base(d.Path), ".json")] = true
	}
	files, err := emit.Files(p, program.Build(p, nil), emit.Options{Package: "main"})
	require.NoError(tb, err)
	roots := map[string]string{}
	if o.Types {
		models, names, faults := types.Render(facts.Of(graph), types.Options{Package: "main", ExactNumbers: true})
		require.Empty(tb, faults)
		maps.Copy(files, models)
		roots = names
	}
	files["driver.go"] = []byte(driver)
	files["again.go"] = again(roots)
	t.build(tb, files, o.Types)
	return t
}

// again lists the types of the messages for the driver.
func again(roots map[string]string) []byte {
	var b strings.Builder
	b.WriteString(`package main

import (
	"encoding/json"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// again decodes a document and encodes it, by the id of its schema. It gives what is wrong
// with the result, or "".
var again = map[string]func([]byte) string{
`)
	for _, id := range slices.Sorted(maps.Keys(roots)) {
		fmt.Fprintf(&b, "\t%q: comesBack(Decode%s),\n", id, roots[id])
	}
	b.WriteString(`}

func comesBack[T any](decode func([]byte) (T, error)) func([]byte) string {
	return func(document []byte) string {
		v, err := decode(document)
		if err != nil {
			return "valid, but does not decode: " + err.Error()
		}
		data, err := json.Marshal(v)
		if err != nil {
			return "decoded, but does not encode: " + err.Error()
		}
		var a, b jsontape.Tape
		if a.Parse(document, jsontape.Options{}) != nil || b.Parse(data, jsontape.Options{}) != nil || !jsonrt.Equal(&a, 0, &b, 0) {
			return "comes back as " + string(data)
		}
		return ""
	}
}
`)
	return []byte(b.String())
}

func ignoreMissing(err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return nil
	}
	return err
}

// driver answers lines of "id TAB document" with lines of JSON.
const driver = `package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
)

// peak is the most memory that the process has taken so far, in KiB (Linux).
func peak() (kib int) {
	status, _ := os.ReadFile("/proc/self/status")
	_, rest, _ := bytes.Cut(status, []byte("VmHWM:"))
	fmt.Sscan(string(rest), &kib)
	return kib
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	out := bufio.NewWriter(os.Stdout)
	defer out.Flush()
	encode := json.NewEncoder(out)
	for {
		line, err := in.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return
		}
		id, document, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"))
		schema, ok := Registry.Lookup(string(id))
		if !ok {
			encode.Encode(map[string]any{"Error": "no schema " + string(id)})
			continue
		}
		err = schema.Validate(document)
		var invalid *jsonrt.ValidationError
		var undecided *jsonrt.UndecidedError
		switch {
		case err == nil:
			wrong := ""
			if comesBack := again[string(id)]; comesBack != nil {
				wrong = comesBack(document)
			}
			encode.Encode(map[string]any{"Valid": true, "Error": wrong, "Peak": peak()})
		case errors.As(err, &undecided):
			encode.Encode(map[string]any{"Undecided": true, "Path": undecided.Path, "SchemaPath": undecided.SchemaPath, "Peak": peak()})
		case errors.As(err, &invalid):
			encode.Encode(map[string]any{"Details": invalid.Details, "Peak": peak()})
		default:
			encode.Encode(map[string]any{"Error": err.Error()})
		}
	}
}
`

// build compiles the generated code to a program. It has to stand inside the module to import
// the run time; testdata is where the go command does not look by itself. With vet, go vet has
// to find nothing in it either.
func (t *Trial) build(tb testing.TB, files map[string][]byte, vet bool) {
	tb.Helper()
	parent := filepath.Join(Root(tb), "gen", "internal", "trial", "testdata", "build")
	require.NoError(tb, os.MkdirAll(parent, 0o755))
	dir, err := os.MkdirTemp(parent, "trial") //nolint:usetesting // it has to stand inside the module
	require.NoError(tb, err)
	defer os.RemoveAll(dir)
	for name, text := range files {
		require.NoError(tb, os.WriteFile(filepath.Join(dir, name), text, 0o644))
		t.SourceBytes += len(text)
	}
	t.program = filepath.Join(tb.TempDir(), "trial")
	cmd := exec.Command("go", "build", "-o", t.program, ".")
	cmd.Dir = dir
	output, err := cmd.CombinedOutput()
	require.NoError(tb, err, "the generated code does not build:\n%.4000s", output)
	if vet {
		cmd := exec.Command("go", "vet", ".")
		cmd.Dir = dir
		output, err := cmd.CombinedOutput()
		require.NoError(tb, err, "go vet finds faults in the generated code:\n%.4000s", output)
	}
}

// Validate asks about documents. They must hold no raw line breaks.
func (t *Trial) Validate(tb testing.TB, id string, documents ...string) []Result {
	tb.Helper()
	var in bytes.Buffer
	for _, d := range documents {
		fmt.Fprintf(&in, "%s\t%s\n", id, strings.NewReplacer("\n", " ", "\r", " ").Replace(d))
	}
	cmd := exec.Command(t.program)
	cmd.Stdin = &in
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	require.NoError(tb, err)
	var results []Result
	lines := bufio.NewReaderSize(bytes.NewReader(out), 1<<16)
	for {
		line, err := lines.ReadBytes('\n')
		if err != nil {
			break
		}
		var r Result
		require.NoError(tb, json.Unmarshal(line, &r))
		results = append(results, r)
	}
	require.Len(tb, results, len(documents), "answers for schema %s", id)
	return results
}
