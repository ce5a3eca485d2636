package install

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// The outcomes of an installation and of a removal.
const (
	Created   = "created"   // there was no file
	Updated   = "updated"   // the file has been changed; a backup holds what it was
	Unchanged = "unchanged" // the file had the entry already
	Removed   = "removed"   // the entry is taken out; a backup holds what the file was
	Absent    = "absent"    // there was no such entry, or no file
)

// Change is a change of one file that has been worked out but not made.
type Change struct {
	Client string
	Path   string // as the client names it; a symbolic link stays one
	Status string
	Text   []byte // the file's new text
	// Warnings are what a person should know before the client is used.
	Warnings []string

	old    []byte
	target string // what Path leads to
}

// Options are what a person may choose beside the server.
type Options struct {
	// Project is a project's folder: its file is edited instead of the user's.
	Project string
	// Force also replaces or removes a server of the same name that is not this one, and
	// takes an address that is questioned otherwise.
	Force bool
	// Programs are the names or paths by which this program is started, none being echo-mcp:
	// an entry that starts a file of such a name is its own.
	Programs []string
}

// own says whether a command starts this program.
func (o Options) own(command string) bool {
	if len(o.Programs) == 0 {
		o.Programs = []string{"echo-mcp"}
	}
	return slices.ContainsFunc(o.Programs, func(program string) bool { return fileName(program) == fileName(command) })
}

// fileName is the last element of a path of any system, without the ending of programs.
func fileName(path string) string {
	return strings.TrimSuffix(path[strings.LastIndexAny(path, `/\`)+1:], ".exe")
}

// Plan works out what to do to the file of a client. It reads the file and writes nothing.
//
// Errors are a *UsageError, a *ForeignError, a *FileError for a file that can't be edited,
// or one of the file system.
func Plan(name string, env Env, s Server, o Options) (*Change, error) {
	c, err := find(name, env)
	if err != nil {
		return nil, err
	}
	if err := errors.Join(checkName(s.Name), c.checkReserved(s.Name)); err != nil {
		return nil, err
	}
	warning := ""
	if s.URL != "" {
		if warning, err = checkURL(s.URL, o.Force); err != nil {
			return nil, err
		}
	}
	change, err := c.read(env, o)
	if err != nil {
		return nil, err
	}
	if change.Text, err = c.edit(change.old, change.Path, s, o); err != nil {
		return nil, err
	}
	off, err := c.turnedOff(change.Text, s.Name)
	if err != nil {
		return nil, err
	}
	trust := ""
	if o.Project != "" {
		trust = c.trust
	}
	for _, warning := range []string{warning, trust, off} {
		if warning != "" {
			change.Warnings = append(change.Warnings, warning)
		}
	}
	if change.Status == Updated && bytes.Equal(change.Text, change.old) {
		change.Status = Unchanged
	}
	return change, nil
}

// read finds the client's file and reads it where it is there.
func (c client) read(env Env, o Options) (*Change, error) {
	if env.Home == "" && o.Project == "" {
		return nil, &UsageError{"the home folder is not known: set HOME"}
	}
	change := &Change{Client: c.name, Path: c.path(env), Status: Updated}
	if o.Project != "" {
		if c.project == "" {
			return nil, &UsageError{c.name + " has no file for a project that is known here; leave --project out"}
		}
		if info, err := os.Stat(o.Project); err != nil || !info.IsDir() {
			return nil, &UsageError{fmt.Sprintf("--project: %q is no folder", o.Project)}
		}
		change.Path = filepath.Join(o.Project, filepath.FromSlash(c.project))
	}
	if c.beside != "" && !exists(change.Path) {
		if other := filepath.Join(filepath.Dir(change.Path), c.beside); exists(other) {
			change.Path = other
		}
	}
	var err error
	if change.target, err = follow(change.Path); err != nil {
		return nil, err
	}
	change.old, err = readFile(change.target, change.Path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		change.Status = Created
	case err != nil:
		return nil, err
	}
	return change, nil
}

func exists(path string) bool {
	_, err := os.Lstat(path)
	return err == nil
}

// maxFile bounds the time and memory that an edit takes: 16 MB.
const maxFile = 16 << 20

// readFile reads a file of settings, whose name for people is path. What is no file, a pipe
// say, has no end to wait for.
func readFile(name, path string) ([]byte, error) {
	info, err := os.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, &FileError{path, errors.New("it is not a file, nor does it lead to one; move it away, then try again")}
	case info.Size() > maxFile:
		return nil, &FileError{path, fmt.Errorf("it has %d MB, and a file of up to %d MB can be edited; edit it by hand", info.Size()>>20, maxFile>>20)}
	}
	return os.ReadFile(name)
}

// follow resolves the symbolic links of a file that need not be there yet: dotfiles are
// often links into a repository, and a rename must not put a file in a link's place.
func follow(path string) (string, error) {
	for range 40 {
		to, err := os.Readlink(path)
		if err != nil {
			return path, nil //nolint:nilerr // no link, or nothing at all: the path is the target
		}
		if !filepath.IsAbs(to) {
			// Not filepath.Join: where a folder is a link, ".." is not the folder before it.
			to = filepath.Dir(path) + string(filepath.Separator) + to
		}
		folder, name := filepath.Split(to)
		if resolved, err := filepath.EvalSymlinks(folder); err == nil {
			folder = resolved
		}
		path = filepath.Join(folder, name)
	}
	return "", fmt.Errorf("%s: too many symbolic links", path)
}

// Apply makes the change and gives the path of the backup, or "" where there was nothing to
// back up. The file is replaced as a whole or not at all; missing folders are made.
func (c *Change) Apply() (backup string, err error) {
	if c.Status == Unchanged || c.Status == Absent {
		return "", nil
	}
	mode := fs.FileMode(0o600) // such files hold tokens of other servers
	if c.Status == Created {
		if err := os.MkdirAll(filepath.Dir(c.target), 0o755); err != nil {
			return "", err
		}
	} else {
		info, err := os.Stat(c.target)
		if err != nil {
			return "", err
		}
		mode = info.Mode().Perm()
		if backup, err = keep(c.target, c.old, mode); err != nil {
			return "", err
		}
	}
	return backup, c.replace(mode)
}

// keep writes a backup beside the file, and never over an older one.
func keep(path string, text []byte, mode fs.FileMode) (string, error) {
	for n := 1; ; n++ {
		name := backupName(path, n)
		f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return "", err
		}
		_, err = f.Write(text)
		return name, errors.Join(err, f.Close())
	}
}

// backupName is the name of the nth backup of a file, from 1.
func backupName(path string, n int) string {
	name := path + ".echo-mcp.bak"
	if n > 1 {
		name += strconv.Itoa(n)
	}
	return name
}

// replace writes the new text beside the file and renames it, unless the client has changed
// the file meanwhile.
func (c *Change) replace(mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(c.target), ".echo-mcp-*")
	if err != nil {
		return err
	}
	defer os.Remove(f.Name())
	_, err = f.Write(c.Text)
	if err := errors.Join(err, f.Chmod(mode), f.Sync(), f.Close()); err != nil {
		return err
	}
	now, err := os.ReadFile(c.target)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if !bytes.Equal(now, c.old) {
		return fmt.Errorf("%s was changed by another program just now; nothing is done, try again", c.Path)
	}
	return os.Rename(f.Name(), c.target)
}
