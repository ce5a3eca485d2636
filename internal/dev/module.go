package dev

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// UsageError says why there is nothing to watch here, and what to do about it.
type UsageError struct{ Reason string }

func (e *UsageError) Error() string { return e.Reason }

// usagef makes a UsageError.
func usagef(format string, args ...any) error { return &UsageError{fmt.Sprintf(format, args...)} }

// module is a Go module that has message types and a server for them.
type module struct {
	dir  string // of go.mod
	path string
	main string // the folder of the main package
	sets []schemaSet
}

// schemaSet is one folder of schemas and the package that is generated from it, as a
// //go:generate line says.
type schemaSet struct {
	file    string   // the Go file with the line
	from    string   // its folder, where the command runs
	env     []string // what go generate has in the environment of the command
	command []string // the words of the line
	schemas string   // the folder of the schemas
	shown   string   // that folder as the command shows it in its messages
	out     string   // the folder of the package
	pkg     string   // the name of the package
	maps    []string // folders of -map
}

// equal reports whether two lines say the same.
func (s schemaSet) equal(other schemaSet) bool {
	return s.from == other.from && slices.Equal(s.command, other.command)
}

// findModule finds the module around dir. main is the folder or the import path of the main
// package, "" for the one that there is: in dir, or the only one in a folder of dir/cmd. The
// error is a *UsageError, unless something can't be read.
func findModule(ctx context.Context, dir, main string) (*module, error) {
	if _, err := exec.LookPath("go"); err != nil {
		return nil, usagef("the go command is not there: dev builds the server with it; install Go, see https://go.dev/doc/install, or put it on the PATH")
	}
	cmd := exec.CommandContext(ctx, "go", "env", "GOMOD")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("asking the go command for the module: %w", err)
	}
	file := strings.TrimSpace(string(out))
	if file == "" || file == os.DevNull {
		return nil, usagef("this folder is in no Go module: run dev in a module that has schemas; %s makes one", initCommand)
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	m := &module{dir: filepath.Dir(file), path: modfile.ModulePath(text)}
	if m.path == "" {
		return nil, usagef("%s names no module: its first line must be such as: module example.com/messages", file)
	}
	if m.sets, err = findSets(m.dir); err != nil {
		return nil, err
	}
	if len(m.sets) == 0 {
		return nil, usagef("no Go file of the module %s has a line //go:generate go tool echo-gen …, which says where the schemas are; %s adds what is missing", m.path, initCommand)
	}
	m.main, err = m.findMain(dir, main)
	return m, err
}

// initCommand makes a module, or adds to one what is missing.
const initCommand = "go run github.com/zenlix/echo-mcp/cmd/echo-gen@latest init DIR"

// findMain finds the folder of the main package.
func (m *module) findMain(dir, main string) (string, error) {
	if main != "" {
		folder := filepath.Join(dir, main)
		if rest, ok := strings.CutPrefix(main, m.path); ok && (rest == "" || rest[0] == '/') {
			folder = filepath.Join(m.dir, filepath.FromSlash(rest))
		} else if filepath.IsAbs(main) {
			folder = main
		}
		if !isMain(folder) {
			return "", usagef("--main %s: there is no Go package main in %s; name the folder of the program that serves the schemas", main, folder)
		}
		if !within(folder, m.dir) {
			return "", usagef("--main %s: the program must be in the module %s, in %s", main, m.path, m.dir)
		}
		return folder, nil
	}
	if isMain(dir) {
		return dir, nil
	}
	var found []string
	entries, err := os.ReadDir(filepath.Join(dir, "cmd"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	for _, e := range entries {
		if folder := filepath.Join(dir, "cmd", e.Name()); e.IsDir() && isMain(folder) {
			found = append(found, folder)
		}
	}
	switch len(found) {
	case 0:
		return "", usagef("there is no package main here, nor in a folder of cmd: name the program that serves the schemas with --main, such as --main ./cmd/server; if there is none yet, %s makes one", initCommand)
	case 1:
		return found[0], nil
	}
	var names []string
	for _, f := range found {
		names = append(names, "--main ./cmd/"+filepath.Base(f))
	}
	return "", usagef("there are several programs here: choose one with %s", strings.Join(names, " or "))
}

// isMain reports whether a folder has a package main for this system.
func isMain(dir string) bool {
	p, err := build.ImportDir(dir, 0)
	return err == nil && p.Name == "main"
}

// importPath is the import path of a folder of the module.
func (m *module) importPath(dir string) string {
	rel, err := filepath.Rel(m.dir, dir)
	if err != nil || rel == "." {
		return m.path
	}
	return path.Join(m.path, filepath.ToSlash(rel))
}

// within reports whether a path is dir or below it.
func within(path, dir string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && rel != ".." && !strings.HasPrefix(rel, ".."+string(filepath.Separator))
}

// findSets reads the //go:generate lines of all Go files of the module.
func findSets(dir string) ([]schemaSet, error) {
	var sets []schemaSet
	err := walkModule(dir, func(path string, entry fs.DirEntry) error {
		if filepath.Ext(path) != ".go" {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		number := 0
		for line := range bytes.Lines(text) {
			number++
			command, ok := bytes.CutPrefix(line, []byte("//go:generate "))
			if !ok {
				continue
			}
			env := lineEnvironment(path, text, number)
			if set, ok := parseLine(filepath.Dir(path), expand(words(string(command)), env)); ok {
				set.file, set.env = path, env
				sets = append(sets, set)
			}
		}
		return nil
	})
	return sets, err
}

// lineEnvironment is what go generate sets for the command on a line of a file (go help generate).
func lineEnvironment(path string, text []byte, line int) []string {
	env := []string{"GOARCH=" + runtime.GOARCH, "GOOS=" + runtime.GOOS, "GOFILE=" + filepath.Base(path), "GOLINE=" + strconv.Itoa(line), "DOLLAR=$"}
	if file, err := parser.ParseFile(token.NewFileSet(), path, text, parser.PackageClauseOnly); err == nil {
		env = append(env, "GOPACKAGE="+file.Name.Name)
	}
	return env
}

// expand puts the values of variables into the words of a command.
func expand(words, env []string) []string {
	for i, word := range words {
		words[i] = os.Expand(word, func(name string) string {
			for _, v := range env {
				if value, ok := strings.CutPrefix(v, name+"="); ok {
					return value
				}
			}
			return os.Getenv(name)
		})
	}
	return words
}

// words splits a command as go generate does: at blanks, but for what stands in double quotes.
func words(line string) []string {
	var all []string
	for line = strings.TrimSpace(line); line != ""; line = strings.TrimLeft(line, " \t") {
		if quoted, err := strconv.QuotedPrefix(line); err == nil && line[0] == '"' {
			word, _ := strconv.Unquote(quoted)
			all, line = append(all, word), line[len(quoted):]
			continue
		}
		end := strings.IndexAny(line, " \t")
		if end < 0 {
			end = len(line)
		}
		all, line = append(all, line[:end]), line[end:]
	}
	return all
}

// parseLine reads the words of a line in a file of the folder from, if they run echo-gen to
// generate code.
func parseLine(from string, command []string) (schemaSet, bool) {
	tool := slices.IndexFunc(command, func(word string) bool {
		word, _, _ = strings.Cut(word, "@")
		return path.Base(filepath.ToSlash(word)) == "echo-gen"
	})
	if tool < 0 || tool+1 < len(command) && command[tool+1] == "init" {
		return schemaSet{}, false
	}
	set := schemaSet{from: from, command: command, shown: "schemas", out: "generated", pkg: "generated"}
	args := command[tool+1:]
	for i := 0; i < len(args); i++ {
		name, value, hasValue := strings.Cut(strings.TrimLeft(args[i], "-"), "=")
		if args[i][0] != '-' {
			continue
		}
		if !hasValue && i+1 < len(args) {
			value = args[i+1]
		}
		switch name {
		case "schemas":
			set.shown = value
		case "out":
			set.out = value
		case "package":
			set.pkg = value
		case "map":
			_, folder, _ := strings.Cut(value, "=")
			set.maps = append(set.maps, absolute(from, folder))
		case "check", "diff", "dump":
			return schemaSet{}, false // writes nothing
		}
	}
	set.schemas, set.out = absolute(from, set.shown), absolute(from, set.out)
	return set, true
}

// absolute is a path as seen from a folder.
func absolute(from, path string) string {
	if filepath.IsAbs(path) {
		return filepath.Clean(path)
	}
	return filepath.Join(from, filepath.FromSlash(path))
}

// walkModule visits the files of a module, without those that the go command leaves out, and
// without other modules inside.
func walkModule(dir string, visit func(path string, entry fs.DirEntry) error) error {
	return filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil // removed a moment ago
		case err != nil:
			return err
		case !entry.IsDir():
			return visit(path, entry)
		case path != dir && isForeign(path, entry.Name()):
			return fs.SkipDir
		}
		return nil
	})
}

// isForeign reports whether a folder has nothing of the module around it.
func isForeign(path, name string) bool {
	if name[0] == '.' || name[0] == '_' || name == "vendor" || name == "node_modules" || name == "testdata" {
		return true
	}
	_, err := os.Stat(filepath.Join(path, "go.mod"))
	return err == nil
}
