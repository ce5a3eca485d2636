// Package typecheck proves that generated Go compiles before it is put in anybody's way.
//
// The files are checked in memory by go/types. What they import is not compiled again: the go
// command, which runs the compiler anyway, names the export data of its build cache.
package typecheck

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/importer"
	"go/parser"
	"go/scanner"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	// Generated code may import this package, which needs more modules than the rest of the run
	// time. A module that has echo-gen as its tool then lists them from the beginning, and not
	// only after another go mod tidy.
	_ "github.com/zenlix/echo-mcp/gen/jsonrt/idn"
)

// Fault is a place of the generated source that the Go compiler would refuse.
type Fault struct {
	File         string
	Line, Column int
	Decl         string // the name of the declaration around it, "" outside of one
	Message      string
}

// String renders the fault as the go command would: file:line:column: message.
func (f Fault) String() string {
	return fmt.Sprintf("%s:%d:%d: %s", f.File, f.Line, f.Column, f.Message)
}

// most is how many faults are listed: the first one of a file explains the others.
const most = 10

// Check type-checks files, by name, as one package, and lists at most ten faults in the order
// of the names. The error says why the imports were not found, which is no fault of the files.
func Check(files map[string][]byte) ([]Fault, error) {
	c := checker{fset: token.NewFileSet()}
	paths := map[string]bool{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		f, err := parser.ParseFile(c.fset, name, files[name], parser.SkipObjectResolution)
		if err != nil {
			c.noteSyntax(err)
			continue
		}
		c.files = append(c.files, f)
		for _, spec := range f.Imports {
			if path, err := strconv.Unquote(spec.Path.Value); err == nil {
				paths[path] = true
			}
		}
	}
	if len(c.faults) > 0 {
		return c.faults, nil
	}
	exports, err := exportData(slices.Sorted(maps.Keys(paths)))
	if err != nil {
		return nil, err
	}
	config := types.Config{Importer: importer.ForCompiler(c.fset, "gc", func(path string) (io.ReadCloser, error) {
		return os.Open(exports[path])
	}), Error: c.note}
	_, err = config.Check("generated", c.fset, c.files, nil)
	if err != nil && len(c.faults) == 0 {
		return nil, err // cannot happen while note is told of every error
	}
	return c.faults, nil
}

// checker gathers the faults of one package.
type checker struct {
	fset   *token.FileSet
	files  []*ast.File
	faults []Fault
}

func (c *checker) note(err error) {
	var fault types.Error
	if len(c.faults) == most || !errors.As(err, &fault) {
		return
	}
	at := c.fset.Position(fault.Pos)
	c.faults = append(c.faults, Fault{File: at.Filename, Line: at.Line, Column: at.Column, Decl: c.around(fault.Pos), Message: fault.Msg})
}

// noteSyntax notes the first error of a file that is not Go at all.
func (c *checker) noteSyntax(err error) {
	var list scanner.ErrorList
	if errors.As(err, &list) && len(c.faults) < most {
		c.faults = append(c.faults, Fault{File: list[0].Pos.Filename, Line: list[0].Pos.Line, Column: list[0].Pos.Column, Message: list[0].Msg})
	}
}

// around names the top-level declaration in which a position lies.
func (c *checker) around(pos token.Pos) string {
	for _, f := range c.files {
		for _, d := range f.Decls {
			if pos < d.Pos() || d.End() < pos {
				continue
			}
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Recv != nil && len(d.Recv.List) == 1 {
					return strings.TrimPrefix(types.ExprString(d.Recv.List[0].Type), "*") + "." + d.Name.Name
				}
				return d.Name.Name
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					if t, ok := spec.(*ast.TypeSpec); ok && spec.Pos() <= pos && pos <= spec.End() {
						return t.Name.Name
					}
				}
			}
		}
	}
	return ""
}

// exportData finds the export data of packages and of all that they import, by import path.
// It asks for them where the compiler was started, for that is the run time which the output will
// be compiled with. Started outside of a module that has it, it takes the one beside its own
// source. Nothing is fetched.
func exportData(paths []string) (map[string]string, error) {
	var reasons []string
	dirs := []string{"."}
	if _, file, _, ok := runtime.Caller(0); ok && filepath.IsAbs(file) {
		dirs = append(dirs, filepath.Dir(file))
	}
	for _, dir := range dirs {
		cmd := exec.Command("go", append([]string{"list", "-export", "-deps", "-f", "{{.ImportPath}}\t{{.Export}}", "--"}, paths...)...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOPROXY=off")
		var stderr bytes.Buffer
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		if errors.Is(err, exec.ErrNotFound) {
			return nil, errors.New("the go command is needed, which is not in the PATH: install Go, or put it there")
		}
		if err != nil {
			reasons = append(reasons, strings.Join(strings.Fields(stderr.String()), " "))
			continue
		}
		exports := map[string]string{}
		for line := range strings.Lines(string(out)) {
			path, file, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			exports[path] = file
		}
		return exports, nil
	}
	return nil, fmt.Errorf("what generated code imports was not found; run this in a module that requires it (go get github.com/zenlix/echo-mcp). The go command says: %s", strings.Join(reasons, " "))
}
