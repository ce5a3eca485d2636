package gen

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// gitPrefix starts a value of -diff that is a revision and not a folder.
const gitPrefix = "git:"

// revision is a folder of schemas, or a catalogue, as it was at a revision of its git repository.
type revision struct {
	temp string // a temporary folder, for the caller to remove; "" where there is none
	path string // the folder of the schemas or the catalogue, in temp
	name string // as git writes it: REVISION:PATH
	none bool   // it was not there
	top  string // the folder of the repository
}

// checkOut gets a folder as it was at a revision. Its errors say what to do about them.
func checkOut(folder, name string) (revision, error) {
	r, err := revisionOf(folder, "", name)
	if err != nil {
		return r, err
	}
	if err := os.Mkdir(r.path, 0o755); err != nil || r.none {
		return r, err
	}
	// An index of its own leaves that of the repository alone.
	index := []string{"GIT_INDEX_FILE=" + filepath.Join(r.temp, "index")}
	if _, err := git(index, "-C", r.top, "read-tree", r.name); err != nil {
		return r, err
	}
	_, err = git(index, "-C", r.top, "checkout-index", "--all", "--prefix="+filepath.ToSlash(r.path)+"/")
	return r, err
}

// checkOutCatalog gets a catalogue as it was at a revision: an empty one where it was not there.
func checkOutCatalog(file, name string) (revision, error) {
	r, err := revisionOf(filepath.Dir(file), filepath.Base(file), name)
	if err != nil {
		return r, err
	}
	text := `{"items":[]}`
	if !r.none {
		if text, err = git(nil, "-C", r.top, "cat-file", "blob", r.name); err != nil {
			return r, err
		}
	}
	return r, os.WriteFile(r.path, []byte(text), 0o600)
}

// revisionOf finds a folder, or a file in it, at a revision, and makes the temporary folder for it.
func revisionOf(folder, file, name string) (revision, error) {
	kind := "folder"
	if file != "" {
		kind = "file"
	}
	if _, err := exec.LookPath("git"); err != nil {
		return revision{}, errors.New("-diff git:REV needs git, which is not installed here: install it, or give -diff a " + kind)
	}
	place, err := git(nil, "-C", folder, "rev-parse", "--show-toplevel", "--show-prefix")
	switch {
	case err != nil && strings.Contains(err.Error(), "not a git repository"):
		return revision{}, fmt.Errorf("%s is in no git repository, so there is nothing to compare with; give -diff a %s", folder, kind)
	case err != nil:
		return revision{}, err
	}
	top, inside, _ := strings.Cut(place, "\n")
	inside = strings.TrimSuffix(inside, "/")
	commit := !strings.HasPrefix(name, "-") // no flag for git
	if commit {
		_, err := git(nil, "-C", top, "rev-parse", "--verify", "--quiet", name+"^{commit}")
		commit = err == nil
	}
	if !commit {
		return revision{}, fmt.Errorf("git knows no revision %q here: fetch it (git fetch origin; in a CI job, check out the whole history), or choose one that git branch -a or git tag lists", name)
	}
	r := revision{name: name + ":" + path.Join(inside, file), top: top}
	if r.temp, err = os.MkdirTemp("", "echo-gen-"); err != nil {
		return r, err
	}
	r.path = filepath.Join(r.temp, cmp.Or(file, "schemas"))
	_, err = git(nil, "-C", top, "rev-parse", "--verify", "--quiet", r.name)
	r.none = err != nil
	return r, nil
}

// git runs git and gives what it prints, without the last line break.
func git(env []string, args ...string) (string, error) {
	cmd := exec.Command("git", args...)
	// In a hook of git's these name the repository that the hook runs for, from its top folder.
	cmd.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool {
		name, _, _ := strings.Cut(variable, "=")
		return slices.Contains([]string{"GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"}, name)
	})
	cmd.Env = append(append(cmd.Env, "LC_ALL=C"), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return "", fmt.Errorf("git %s failed: %s", args[2], strings.Join(strings.Fields(stderr.String()), " "))
	}
	return strings.TrimSuffix(string(out), "\n"), nil
}
