package stdio

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"syscall"
)

// find finds the program. The error is a *StartError.
func (t *Transport) find() (*exec.Cmd, error) {
	if len(t.command) == 0 || t.command[0] == "" {
		return nil, t.cantStart("no command was given", nil)
	}
	if dir := t.options.Dir; dir != "" {
		switch info, err := os.Stat(dir); {
		case err != nil:
			return nil, t.cantStart("there is no folder "+dir+" to run it in", err)
		case !info.IsDir():
			return nil, t.cantStart(dir+" is no folder to run it in", nil)
		}
	}
	path, err := t.lookPath(t.command[0])
	if err != nil {
		return nil, t.cantStart(t.reason(err), err)
	}
	cmd := exec.Command(path, t.command[1:]...) //nolint:gosec,noctx // what the caller asked for; Close ends it
	cmd.Args[0] = t.command[0]
	cmd.Env, cmd.Dir = t.options.Env, t.options.Dir
	return cmd, nil
}

// lookPath is where the program is: exec.LookPath, but for the folder and the PATH that it gets.
func (t *Transport) lookPath(program string) (string, error) {
	if filepath.Base(program) != program {
		if t.options.Dir == "" || filepath.IsAbs(program) {
			return exec.LookPath(program)
		}
		path, err := filepath.Abs(filepath.Join(t.options.Dir, program))
		if err != nil {
			return "", err
		}
		return exec.LookPath(path)
	}
	path, set := "", false
	for _, entry := range t.options.Env {
		name, value, _ := strings.Cut(entry, "=")
		if name == "PATH" || runtime.GOOS == "windows" && strings.EqualFold(name, "PATH") {
			path, set = value, true
		}
	}
	if !set {
		return exec.LookPath(program)
	}
	result := error(&exec.Error{Name: program, Err: exec.ErrNotFound})
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) {
			continue // as exec.LookPath: nothing from the current folder
		}
		found, err := exec.LookPath(filepath.Join(dir, program))
		if err == nil {
			return found, nil
		}
		if !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, exec.ErrNotFound) {
			result = err
		}
	}
	return "", result
}

// startError says why a program that was found can't be started. The error is a *StartError.
func (t *Transport) startError(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return t.cantStart("the program in the first line of the script (#!) is not there; check that it is installed", err)
	}
	return t.cantStart(t.reason(err), err)
}

// reason says in a person's words why a program can't be run.
func (t *Transport) reason(err error) string {
	var errno syscall.Errno
	switch {
	case errors.Is(err, exec.ErrNotFound), errors.Is(err, fs.ErrNotExist):
		if filepath.Base(t.command[0]) == t.command[0] {
			return "there is no such program in the folders of PATH; check its name, and that it is installed"
		}
		return "there is no such file; check its path"
	case errors.Is(err, fs.ErrPermission):
		return "the file is not executable; make it so (chmod +x), or give the program that runs it first"
	case errors.Is(err, exec.ErrDot):
		return "it is in the current folder; write ./" + t.command[0] + " to run it from there"
	case errors.Is(err, syscall.ENOEXEC):
		return "the file is no program for this system; a script needs a first line such as #!/usr/bin/env node, or give the program that runs it first"
	case errors.As(err, &errno):
		return errno.Error()
	}
	return err.Error()
}

func (t *Transport) cantStart(reason string, err error) error {
	return &StartError{Command: t.command, Reason: reason, Err: err}
}
