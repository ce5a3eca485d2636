// Package scaffold writes what a module for message types of one's own begins with: a schema,
// the package that it is compiled into, a server, a test, and the files around them. What is
// there already is never changed, but for go.mod, which gets what it lacks.
package scaffold

import (
	"bytes"
	"embed"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"text/template"

	"github.com/zenlix/echo-mcp/gen/internal/fileerror"
)

// The module that holds the compiler, and the package of its command.
const (
	Module = "github.com/zenlix/echo-mcp"
	Tool   = Module + "/cmd/echo-gen"
)

// Options say what to write. Check tells whether they can be used.
type Options struct {
	// Dir is the folder of the module. It is made if it isn't there.
	Dir string
	// Module is the path of the module, as in go.mod.
	Module string
	// Package names the generated package and its folder.
	Package string
	// Version is the version of Echo MCP to require; "" leaves the choice to go mod tidy.
	Version string
}

// Line is a file of the report, by its path from the module's folder, and what is to be known
// about it, if anything.
type Line struct {
	File, Note string
}

// Report says what was done.
type Report struct {
	Added, Left []Line
	// Next are the commands to type next, in the module's folder.
	Next []string
}

//go:embed files
var files embed.FS

// planned is a file to write, unless one of those that take its place is there.
type planned struct {
	name     string
	template string
	instead  []string
	ifAdded  string // what to say where the file is written
	ifLeft   string // what to say where one is there that knows nothing of echo-gen
}

// Write writes the files that are not there. Whatever can be known to be in the way is an error
// before anything is written; where one comes up later, the report says what was written.
func Write(o Options) (Report, error) {
	var report Report
	if err := os.MkdirAll(o.Dir, 0o755); err != nil {
		return report, fileerror.Word(o.Dir, err)
	}
	root, err := os.OpenRoot(o.Dir)
	if err != nil {
		return report, fileerror.Word(o.Dir, err)
	}
	defer root.Close()
	s, err := look(root, o)
	if err != nil {
		return report, err
	}
	goMod, err := s.module()
	if err != nil {
		return report, err
	}
	missing, left, err := s.missing()
	if err != nil {
		return report, err
	}
	report = Report{Left: append(s.left, left...), Next: s.next()}
	if goMod == nil {
		report.Left = append([]Line{{"go.mod", "has all it needs"}}, report.Left...)
	} else {
		if err := replace(root, "go.mod", goMod); err != nil {
			return report, fileerror.Word(filepath.Join(o.Dir, "go.mod"), err)
		}
		line := Line{File: "go.mod"}
		if s.goMod != nil {
			line.Note = "only what it lacked"
		}
		report.Added = append(report.Added, line)
	}
	for _, p := range missing {
		text, err := s.fill(p.template)
		if err != nil {
			return report, err
		}
		if err := create(root, p.name, text); err != nil {
			return report, fileerror.Word(filepath.Join(o.Dir, p.name), err)
		}
		report.Added = append(report.Added, Line{p.name, p.ifAdded})
	}
	return report, nil
}

// missing tells the files that are to be written from those that are there.
func (s *survey) missing() (wanted []planned, left []Line, err error) {
	for _, p := range s.files() {
		there, err := s.first(append([]string{p.name}, p.instead...))
		if err != nil {
			return nil, nil, err
		}
		if there == "" {
			wanted = append(wanted, p)
			continue
		}
		line := Line{File: there}
		if text, err := s.root.ReadFile(there); err != nil || !bytes.Contains(text, []byte("echo-gen")) {
			line.Note = p.ifLeft
		}
		left = append(left, line)
	}
	return wanted, left, nil
}

// files lists what a module begins with, apart from go.mod.
func (s *survey) files() []planned {
	var list []planned
	if !s.hasSchemas {
		list = append(list, planned{name: "schemas/hello_v1.json", template: "hello_v1.json"})
	}
	if !s.generates {
		list = append(list,
			planned{name: path.Join(s.Package, "doc.go"), template: "doc.go.tmpl"},
			planned{name: path.Join(s.Package, "generate_test.go"), template: "generate_test.go.tmpl"})
	}
	if !s.hasSchemas {
		list = append(list, planned{name: path.Join(s.Package, "hello_test.go"), template: "hello_test.go.tmpl"})
	}
	if !s.serves {
		list = append(list, planned{name: s.Main, template: "main.go.tmpl"})
	}
	ci := planned{
		name: ".github/workflows/ci.yml", template: "ci.yml.tmpl", instead: []string{".github/workflows/ci.yaml"},
		ifLeft: fmt.Sprintf("let it run go tool echo-gen -check -schemas schemas -out %s, and the same with -diff git:origin/main instead of -check", s.Package),
	}
	if s.repository != "" {
		ci.ifAdded = "GitHub reads workflows only at the top of a repository: move it to " + s.repository + ", and give its steps this folder as working-directory"
	}
	return append(
		list,
		planned{name: "Makefile", template: "Makefile.tmpl", instead: []string{"makefile", "GNUmakefile"}},
		planned{name: "AGENTS.md", template: "AGENTS.md.tmpl"},
		ci,
	)
}

// fill gives the text of a file.
func (s *survey) fill(name string) ([]byte, error) {
	text, err := files.ReadFile("files/" + name)
	if err != nil || path.Ext(name) != ".tmpl" {
		return text, err
	}
	t, err := template.New(name).Parse(string(text))
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	err = t.Execute(&out, s)
	return out.Bytes(), err
}

// next lists what to do with the files that were written.
func (s *survey) next() []string {
	list := []string{"go mod tidy"}
	if s.workspace {
		list = []string{"go work use .", "go mod tidy"}
	}
	if s.vendors {
		list = append(list, "go mod vendor")
	}
	return append(list, "go generate ./"+s.Package, "go test ./...", "go run "+s.Server+" schemas")
}
