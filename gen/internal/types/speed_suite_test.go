//go:build suite

package types

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/facts"
	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// BenchmarkDecode compares decoding with encoding/json on the same structs, without their
// methods. It runs as a program of its own, once, and prints a table: per set the time and the
// allocations of both, for those documents of the set that encoding/json can decode into these
// structs without loss.
func BenchmarkDecode(b *testing.B) {
	c := benchCorpus(b)
	c.options.Dir = c.dir
	g, faults := load.Load(c.options)
	require.Empty(b, faults)
	files, roots, faults := Render(facts.Of(g), Options{Package: "main"})
	require.Empty(b, faults)
	sources := map[string][]byte{"stubs.go": stubs(roots), "driver.go": speedDriver(roots)}
	for name, text := range files {
		sources[name] = text
		sources["plain_"+name] = withoutMethods(b, text)
	}
	program := build(b, sources)
	var in bytes.Buffer
	for _, d := range c.documents {
		fmt.Fprintf(&in, "%s\t%s\n", d.id, d.text)
	}
	b.ResetTimer()
	run(b, program, &in) // prints the table on standard error, which testing does not cut
}

// stubs declares the schemas that the types rely on, with checks that let everything pass.
func stubs(roots map[string]string) []byte {
	b := "package main\n\nimport \"github.com/zenlix/echo-mcp/gen/jsonrt\"\n\nvar Registry = jsonrt.NewRegistry("
	for _, name := range roots {
		b += "schema" + name + ", "
	}
	b += ")\n"
	for id, name := range roots {
		b += fmt.Sprintf("\nvar schema%s = &jsonrt.Schema{ID: %q, Message: message%[1]s, Check: func(*jsonrt.Checker, int) bool { return true }}\n", name, id)
	}
	return []byte(b)
}

// withoutMethods leaves the types of a file, each with the prefix Plain_, and drops the rest.
func withoutMethods(tb testing.TB, source []byte) []byte {
	tb.Helper()
	set := token.NewFileSet()
	file, err := parser.ParseFile(set, "", source, parser.SkipObjectResolution)
	require.NoError(tb, err)
	declared := map[string]bool{}
	var decls []ast.Decl
	for _, d := range file.Decls {
		if gen, ok := d.(*ast.GenDecl); ok && gen.Tok == token.TYPE {
			declared[gen.Specs[0].(*ast.TypeSpec).Name.Name] = true
			decls = append(decls, gen)
		}
	}
	prefix := strings.SplitN(string(source), "\n", 2)[0]
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (declared[id.Name] || strings.Contains(id.Name, "_") && ast.IsExported(id.Name)) {
				id.Name = "Plain_" + id.Name
			}
			if i, ok := n.(*ast.InterfaceType); ok {
				i.Methods.List = nil
			}
			return true
		})
	}
	var b bytes.Buffer
	b.WriteString(prefix + "\n\npackage main\n\nimport (\n\"encoding/json\"\n\"github.com/zenlix/echo-mcp/gen/jsonrt\"\n)\n\nvar _ json.Number\nvar _ jsonrt.NullValue\n\n")
	for _, d := range decls {
		require.NoError(tb, format.Node(&b, set, d))
		b.WriteString("\n\n")
	}
	return b.Bytes()
}

func speedDriver(roots map[string]string) []byte {
	var b strings.Builder
	b.WriteString(`package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"slices"
	"sort"
	"syscall"
	"testing"
	"time"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/gen/jsontape"
)

type set struct {
	decode func([]byte) error
	plain  func([]byte) error
	again  func([]byte) ([]byte, error) // decodes and encodes with encoding/json
	documents [][]byte
}

func setOf[T, P any](decode func([]byte) (T, error)) *set {
	return &set{
		decode: func(data []byte) error { _, err := decode(data); return err },
		plain:  func(data []byte) error { var v P; return json.Unmarshal(data, &v) },
		again: func(data []byte) ([]byte, error) {
			var v P
			if err := json.Unmarshal(data, &v); err != nil {
				return nil, err
			}
			return json.Marshal(v)
		},
	}
}

var sets = map[string]*set{
`)
	for _, id := range slices.Sorted(maps.Keys(roots)) {
		fmt.Fprintf(&b, "\t%q: setOf[%s, Plain_%s](Decode%s),\n", id, roots[id], roots[id], roots[id])
	}
	b.WriteString(`}

// measure gives the least time for one document of several rounds that take turns, and the
// allocations.
func measure(s *set, decoders ...func([]byte) error) (ns, allocs []float64) {
	ns, allocs = make([]float64, len(decoders)), make([]float64, len(decoders))
	once := func(decode func([]byte) error) {
		for _, d := range s.documents {
			if err := decode(d); err != nil {
				panic(err)
			}
		}
	}
	n := float64(len(s.documents))
	for i, decode := range decoders {
		ns[i] = math.Inf(1)
		allocs[i] = testing.AllocsPerRun(2, func() { once(decode) }) / n
	}
	for range 7 {
		for i, decode := range decoders {
			start, used, rounds := time.Now(), cpu(), 0
			for time.Since(start) < 30*time.Millisecond {
				once(decode)
				rounds++
			}
			ns[i] = min(ns[i], float64((cpu()-used).Nanoseconds())/float64(rounds)/n)
		}
	}
	return ns, allocs
}

// cpu is the processor time of the process, garbage collection included: it does not depend
// on what else the machine does.
func cpu() time.Duration {
	var r syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &r); err != nil {
		panic(err)
	}
	return time.Duration(r.Utime.Nano() + r.Stime.Nano())
}

// givesBack reports whether encoding/json decodes the document into the structs without loss.
func (s *set) givesBack(document []byte) bool {
	out, err := s.again(document)
	if err != nil {
		return false
	}
	var t, u jsontape.Tape
	return t.Parse(document, jsontape.Options{}) == nil && u.Parse(out, jsontape.Options{}) == nil && jsonrt.Equal(&t, 0, &u, 0)
}

func main() {
	in := bufio.NewReaderSize(os.Stdin, 1<<20)
	for {
		line, err := in.ReadBytes('\n')
		if err != nil {
			break
		}
		id, document, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte("\t"))
		if s := sets[string(id)]; len(s.documents) < 200 {
			s.documents = append(s.documents, bytes.Clone(document))
		}
	}
	var ids []string
	for id, s := range sets {
		if len(s.documents) > 0 {
			ids = append(ids, id)
		}
	}
	sort.Strings(ids)
	logs, n := 0.0, 0
	for _, id := range ids {
		s := sets[id]
		all := len(s.documents)
		s.documents = slices.DeleteFunc(s.documents, func(d []byte) bool { return !s.givesBack(d) })
		if len(s.documents) == 0 {
			continue
		}
		ns, allocs := measure(s, s.decode, s.plain)
		fmt.Fprintf(os.Stderr, "%-24s %3d of %3d documents %8.0f ns %6.1f allocs   encoding/json %8.0f ns %6.1f allocs   %.1f times\n", id, len(s.documents), all, ns[0], allocs[0], ns[1], allocs[1], ns[1]/ns[0])
		logs += math.Log(ns[1] / ns[0])
		n++
	}
	fmt.Fprintf(os.Stderr, "geometric mean over %d sets: %.2f times\n", n, math.Exp(logs/float64(n)))
}
`)
	return []byte(b.String())
}
