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

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// BenchmarkDecode compares decoding with encoding/json on the same structs, without their
// methods. It runs as a program of its own, once, and prints a table: per set the time and the
// allocations of both, for all documents of the set; a dash where encoding/json cannot decode
// them into these structs at all.
func BenchmarkDecode(b *testing.B) {
	c := benchCorpus(b)
	c.options.Dir = c.dir
	g, faults := load.Load(c.options)
	require.Empty(b, faults)
	files, roots, faults := Render(g, Options{Package: "main"})
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
	out := run(b, program, &in)
	b.Log("\n" + string(out))
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
	uses := false
	for _, d := range decls {
		ast.Inspect(d, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (declared[id.Name] || strings.Contains(id.Name, "_") && ast.IsExported(id.Name)) {
				id.Name = "Plain_" + id.Name
			}
			if s, ok := n.(*ast.SelectorExpr); ok {
				uses = uses || s.X.(*ast.Ident).Name == "jsonrt"
			}
			if i, ok := n.(*ast.InterfaceType); ok {
				i.Methods.List = nil
			}
			return true
		})
	}
	var b bytes.Buffer
	b.WriteString(prefix + "\n\npackage main\n\nimport (\n\"encoding/json\"\n\"github.com/zenlix/echo-mcp/gen/jsonrt\"\n)\n\nvar _ json.Number\nvar _ jsonrt.Null\n\n")
	for _, d := range decls {
		require.NoError(tb, format.Node(&b, set, d))
		b.WriteString("\n\n")
	}
	_ = uses
	return bytes.ReplaceAll(b.Bytes(), []byte("var _ jsonrt.Null\n"), []byte("var _ jsonrt.NullValue\n"))
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
	"sort"
	"testing"
)

type set struct {
	decode func([]byte) error
	plain  func([]byte) error
	documents [][]byte
}

func setOf[T, P any](decode func([]byte) (T, error)) *set {
	return &set{
		decode: func(data []byte) error { _, err := decode(data); return err },
		plain:  func(data []byte) error { var v P; return json.Unmarshal(data, &v) },
	}
}

var sets = map[string]*set{
`)
	for _, id := range slices.Sorted(maps.Keys(roots)) {
		fmt.Fprintf(&b, "\t%q: setOf[%s, Plain_%s](Decode%s),\n", id, roots[id], roots[id], roots[id])
	}
	b.WriteString(`}

func measure(s *set, decode func([]byte) error) (ns, allocs float64) {
	r := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			for _, d := range s.documents {
				if err := decode(d); err != nil {
					b.Fatal(err)
				}
			}
		}
	})
	n := float64(len(s.documents))
	return float64(r.NsPerOp()) / n, float64(r.AllocsPerOp()) / n
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
		able := true
		for _, d := range s.documents {
			able = able && s.plain(d) == nil
		}
		ns, allocs := measure(s, s.decode)
		fmt.Printf("%-24s %8.0f ns %6.1f allocs", id, ns, allocs)
		if able {
			plainNs, plainAllocs := measure(s, s.plain)
			fmt.Printf("   encoding/json %8.0f ns %6.1f allocs   %.1f times\n", plainNs, plainAllocs, plainNs/ns)
			logs += math.Log(plainNs / ns)
			n++
		} else {
			fmt.Println("   -")
		}
	}
	fmt.Printf("geometric mean over %d sets: %.2f times\n", n, math.Exp(logs/float64(n)))
}
`)
	return []byte(b.String())
}
