package house_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestSourceRules keeps the rules of Go code that golangci-lint keeps for people's editors
// but that CI, which doesn't build golangci-lint, would miss: no init functions, no panic
// but in functions called Must… or must…, no printing to the process's own stdout and no
// package log outside the programs.
func TestSourceRules(t *testing.T) {
	files := 0
	err := filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := d.Name()
		if d.IsDir() {
			if name == "testdata" || name == "node_modules" || (strings.HasPrefix(name, ".") && path != root) {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		files++
		fset := token.NewFileSet()
		file, err := parser.ParseFile(fset, path, nil, 0)
		if err != nil {
			return err
		}
		for _, broken := range brokenRules(file) {
			t.Errorf("%s: %s", fset.Position(broken.pos), broken.what)
		}
		return nil
	})
	require.NoError(t, err)
	require.Greater(t, files, 10, "looked at too few files: is the root of the module elsewhere?")
}

type broken struct {
	pos  token.Pos
	what string
}

func brokenRules(file *ast.File) []broken {
	var all []broken
	for _, decl := range file.Decls {
		fn, isFunc := decl.(*ast.FuncDecl)
		mayPanic := isFunc && strings.HasPrefix(strings.ToLower(fn.Name.Name), "must")
		if isFunc && fn.Recv == nil && fn.Name.Name == "init" {
			all = append(all, broken{fn.Pos(), "init function: state belongs to a value that somebody makes"})
		}
		ast.Inspect(decl, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			switch callee := call.Fun.(type) {
			case *ast.Ident:
				if callee.Name == "panic" && !mayPanic {
					all = append(all, broken{call.Pos(), "panic outside a function called Must…: return an error"})
				}
			case *ast.SelectorExpr:
				pkg, ok := callee.X.(*ast.Ident)
				switch {
				case !ok:
				case pkg.Name == "fmt" && (callee.Sel.Name == "Print" || callee.Sel.Name == "Printf" || callee.Sel.Name == "Println"):
					all = append(all, broken{call.Pos(), "fmt." + callee.Sel.Name + ": write to the writer you were given"})
				case pkg.Name == "log" && imports(file, "log"):
					all = append(all, broken{call.Pos(), "package log: use log/slog, on stderr"})
				}
			}
			return true
		})
	}
	return all
}

func imports(file *ast.File, path string) bool {
	for _, spec := range file.Imports {
		if spec.Path.Value == `"`+path+`"` && spec.Name == nil {
			return true
		}
	}
	return false
}

// TestSourceRulesSee: the rules do find what they forbid.
func TestSourceRulesSee(t *testing.T) {
	const text = `package p
import ("fmt"; "log")
func init() {}
func f() { panic(1) }
func MustF() { panic(1) }
func g() { fmt.Println(); log.Print() }
`
	file, err := parser.ParseFile(token.NewFileSet(), "p.go", text, 0)
	require.NoError(t, err)
	require.Len(t, brokenRules(file), 4)
}
