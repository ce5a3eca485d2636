package scaffold

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/zenlix/echo-mcp/gen/internal/fileerror"
	"github.com/zenlix/echo-mcp/gen/internal/names"
)

// survey is what is known about a module, and where things go in it.
type survey struct {
	Options
	root *os.Root

	Server, Main string        // the server's folder, as the go command takes it, and its file
	goMod        *modfile.File // nil where there is none yet
	hasSchemas   bool          // there are message types already
	generates    bool          // the package has a go:generate line
	serves       bool          // there is a server
	vendors      bool          // dependencies are kept in the module
	workspace    bool          // a go.work stands in the folder or above
	repository   string        // the top folder of a git repository that the module is only a part of
	left         []Line        // what stands for things that are not written
}

// look finds out what is in a module's folder.
func look(root *os.Root, o Options) (*survey, error) {
	s := &survey{Options: o, root: root}
	for _, step := range []func() error{s.lookAtModule, s.lookForSchemas, s.lookForPackage, s.lookForServer, s.lookAbove} {
		if err := step(); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// lookForSchemas finds message types, which make an example useless.
func (s *survey) lookForSchemas() error {
	entries, err := s.entries("schemas")
	for _, e := range entries {
		if path.Ext(e.Name()) == ".json" && !s.hasSchemas {
			s.hasSchemas = true
			s.left = append(s.left, Line{"schemas", "has message types already"})
		}
	}
	return err
}

// lookForPackage finds the package that is to be generated. A package of the same name that
// nobody generates is in the way.
func (s *survey) lookForPackage() error {
	sources, err := s.sources(s.Package, true)
	if err != nil {
		return err
	}
	for _, f := range sources {
		if f.generates() {
			s.generates = true
			s.left = append(s.left, Line{f.name, "has a go:generate line already"})
			return nil
		}
	}
	for _, f := range sources {
		if !names.Ours(f.text) && !isTest(f.name) {
			return fmt.Errorf("%s is Go code of your own, in the folder for generated code; choose another name with -package NAME", filepath.Join(s.Dir, f.name))
		}
	}
	return nil
}

// lookForServer finds the package main that serves the messages. Beside other Go files it gets
// a folder of its own.
func (s *survey) lookForServer() error {
	own := path.Join("cmd", s.Package+"-server")
	dirs := []string{".", own}
	commands, err := s.entries("cmd")
	if err != nil {
		return err
	}
	for _, e := range commands {
		if e.IsDir() {
			dirs = append(dirs, path.Join("cmd", e.Name()))
		}
	}
	taken := map[string]bool{}
	for _, dir := range dirs {
		sources, err := s.sources(dir, false)
		if err != nil {
			return err
		}
		taken[dir] = len(sources) > 0
		for _, f := range sources {
			if f.imports(Module) {
				s.serves = true
				s.setServer(dir, path.Base(f.name))
				s.left = append(s.left, Line{f.name, "is a server already"})
				return nil
			}
		}
	}
	s.setServer(".", "main.go")
	if taken["."] {
		s.setServer(own, "main.go")
	}
	if taken[own] {
		return fmt.Errorf("%s holds Go code already, but no server; choose another name with -package NAME", filepath.Join(s.Dir, own))
	}
	return nil
}

func (s *survey) setServer(dir, file string) {
	s.Server, s.Main = dir, path.Join(dir, file)
	if dir != "." {
		s.Server = "./" + dir
	}
}

// lookAbove finds what surrounds the module and wants to know of it.
func (s *survey) lookAbove() error {
	modules, err := s.first([]string{"vendor/modules.txt"})
	if err != nil {
		return err
	}
	s.vendors = modules != ""
	dir, err := filepath.Abs(s.Dir)
	if err != nil {
		return err
	}
	for above := dir; ; above = filepath.Dir(above) {
		if _, err := os.Stat(filepath.Join(above, "go.work")); err == nil {
			s.workspace = true
		}
		if _, err := os.Stat(filepath.Join(above, ".git")); err == nil {
			if above != dir {
				s.repository = above
			}
			return nil
		}
		if above == filepath.Dir(above) {
			return nil
		}
	}
}

// first gives the first of several files that is there, "" where none is. What can't be a file,
// or is something else, is an error.
func (s *survey) first(candidates []string) (string, error) {
	for _, name := range candidates {
		info, err := s.root.Lstat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return "", fileerror.Word(filepath.Join(s.Dir, name), err)
		case info.IsDir():
			return "", fmt.Errorf("%s is a folder, and a file is to stand there; move it away", filepath.Join(s.Dir, name))
		default:
			return name, nil
		}
	}
	return "", nil
}

// entries lists a folder. One that is not there is empty.
func (s *survey) entries(dir string) ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.root.FS(), dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fileerror.Word(filepath.Join(s.Dir, dir), err)
	}
	return entries, nil
}

// source is a Go file.
type source struct {
	name string // from the module's folder
	text []byte
	file *ast.File // nil where it is no Go
}

func isTest(name string) bool { return strings.HasSuffix(name, "_test.go") }

// sources reads the Go files of a folder, with or without tests.
func (s *survey) sources(dir string, tests bool) ([]source, error) {
	entries, err := s.entries(dir)
	if err != nil {
		return nil, err
	}
	var list []source
	for _, e := range entries {
		if path.Ext(e.Name()) != ".go" || isTest(e.Name()) && !tests || !e.Type().IsRegular() {
			continue
		}
		f := source{name: path.Join(dir, e.Name())}
		if f.text, err = s.root.ReadFile(f.name); err != nil {
			return nil, fileerror.Word(filepath.Join(s.Dir, f.name), err)
		}
		if f.file, err = parser.ParseFile(token.NewFileSet(), f.name, f.text, parser.ParseComments); err != nil {
			f.file = nil
		}
		list = append(list, f)
	}
	return list, nil
}

// generates says whether a line of the file runs echo-gen.
func (f source) generates() bool {
	if f.file == nil {
		return false
	}
	for _, group := range f.file.Comments {
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:generate ") && strings.Contains(c.Text, "echo-gen") {
				return true
			}
		}
	}
	return false
}

// imports says whether the file imports a package.
func (f source) imports(wanted string) bool {
	if f.file == nil {
		return false
	}
	return slices.ContainsFunc(f.file.Imports, func(spec *ast.ImportSpec) bool {
		p, err := strconv.Unquote(spec.Path.Value)
		return err == nil && p == wanted
	})
}
