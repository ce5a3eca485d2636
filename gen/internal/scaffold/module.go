package scaffold

import (
	"errors"
	"fmt"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"

	"github.com/zenlix/echo-mcp/gen/internal/fileerror"
)

// goVersion is the oldest version of Go that builds what is written: that of this module.
const goVersion = "1.26.0"

// Check says what is wrong with the options, as a person gave them, if anything: they are wrong
// usage. It completes the module's path from a go.mod that is there.
func (o *Options) Check() error {
	if !packageName.MatchString(o.Package) || token.IsKeyword(o.Package) || slices.Contains(taken, o.Package) {
		return fmt.Errorf("-package %q: must be a name for a new Go package: lower-case letters and digits, such as messages", o.Package)
	}
	text, err := os.ReadFile(filepath.Join(o.Dir, "go.mod"))
	if errors.Is(err, fs.ErrNotExist) {
		return o.checkNew()
	}
	path := modfile.ModulePath(text)
	switch {
	case path == Module:
		return fmt.Errorf("%s is Echo MCP itself; its message types go into its folder schemas", o.Dir)
	case path == "":
		return nil // Write says what is wrong with the file
	case o.Module != "" && path != o.Module:
		return fmt.Errorf("-module %s: %s is the module %s already; leave -module out, or choose another folder", o.Module, o.Dir, path)
	}
	o.Module = path
	return nil
}

// checkNew checks the path of a module that is not there yet.
func (o *Options) checkNew() error {
	if o.Module == "" {
		text := fmt.Sprintf("%s holds no module yet; give the new one a path: -module example.com/msgs", o.Dir)
		if above := moduleAbove(o.Dir); above != "" {
			text += fmt.Sprintf(", or add to the module around it: init %s", above)
		}
		return errors.New(text)
	}
	var invalid *module.InvalidPathError
	if err := module.CheckImportPath(o.Module); errors.As(err, &invalid) {
		return fmt.Errorf("-module %q: %w; a module's path looks like example.com/msgs", o.Module, invalid.Err)
	} else if err != nil {
		return err
	}
	if _, _, ok := module.SplitPathVersion(o.Module); !ok {
		return fmt.Errorf("-module %s: a major version at its end must be /v2 or higher; leave it out", o.Module)
	}
	if o.Module == Module {
		return fmt.Errorf("-module %s: this is Echo MCP itself; choose a path of your own, such as example.com/msgs", o.Module)
	}
	return nil
}

var packageName = regexp.MustCompile(`^[a-z][a-z0-9]*$`)

// taken are words that are no names for the generated package: the go command sees something
// else in them, or the files around the package use them.
var taken = []string{"cmd", "echomcp", "errors", "init", "internal", "jsonrt", "main", "schemas", "testdata", "testing", "vendor"}

// moduleAbove finds the folder of the module that a folder is in, "" where there is none.
func moduleAbove(dir string) string {
	dir, err := filepath.Abs(dir)
	for err == nil && dir != filepath.Dir(dir) {
		dir = filepath.Dir(dir)
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
	}
	return ""
}

// lookAtModule reads the go.mod, if there is one.
func (s *survey) lookAtModule() error {
	there, err := s.first([]string{"go.mod"})
	if err != nil || there == "" {
		return err
	}
	text, err := s.root.ReadFile(there)
	if err != nil {
		return fileerror.Word(filepath.Join(s.Dir, there), err)
	}
	s.goMod, err = modfile.Parse(filepath.Join(s.Dir, there), text, nil)
	if err != nil {
		return fmt.Errorf("go.mod can't be read; repair it first: %w", err)
	}
	if s.goMod.Module == nil {
		return fmt.Errorf("%s names no module; repair it first: go mod edit -module example.com/msgs", filepath.Join(s.Dir, there))
	}
	return nil
}

// module gives the text for go.mod, nil where nothing has to change.
func (s *survey) module() ([]byte, error) {
	f, changed := s.goMod, false
	if f == nil {
		f, changed = &modfile.File{}, true
		if err := errors.Join(f.AddModuleStmt(s.Module), f.AddGoStmt(goVersion)); err != nil {
			return nil, err
		}
	}
	if !slices.ContainsFunc(f.Require, func(r *modfile.Require) bool { return r.Mod.Path == Module }) && s.Version != "" {
		if err := f.AddRequire(Module, s.Version); err != nil {
			return nil, err
		}
		changed = true
	}
	if !slices.ContainsFunc(f.Tool, func(t *modfile.Tool) bool { return t.Path == Tool }) {
		if err := f.AddTool(Tool); err != nil {
			return nil, err
		}
		changed = true
	}
	if !changed {
		return nil, nil
	}
	f.Cleanup()
	return f.Format()
}
