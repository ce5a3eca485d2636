// Package install adds the server to the configuration files of MCP clients, and reads the servers
// that they hold. What else a file holds stays as it is, comments included: the text is edited, never
// written anew, and an edit that would change any other value is refused.
package install

import (
	"bytes"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
)

// Server is what a client is told: a program to start, or where a running server is.
type Server struct {
	// Name is the server's name in the file.
	Name string
	// Command and Args start the server on stdio.
	Command string
	Args    []string
	// URL leads to a running server; then Command and Args are not used.
	URL string
}

// Env is what decides where a client's file is.
type Env struct {
	GOOS   string // as runtime.GOOS
	Home   string // the user's home folder
	Getenv func(string) string
}

// UsageError is a wish that can't be granted whatever the file holds.
type UsageError struct{ Msg string }

func (e *UsageError) Error() string { return e.Msg }

// ForeignError says that the name belongs to another server. Removal says that it was to be
// taken out, not replaced.
type ForeignError struct {
	Path, Name, Other string
	Removal           bool
}

func (e *ForeignError) Error() string {
	if e.Removal {
		return fmt.Sprintf("%s has a server %q that is not this one, %s; --force removes it, --name chooses another name", e.Path, e.Name, e.Other)
	}
	return fmt.Sprintf("%s has a server %q already, %s; --force replaces it, --name chooses another name", e.Path, e.Name, e.Other)
}

// FileError says that a file can't be edited, and where the trouble is.
type FileError struct {
	Path string
	Err  error
}

func (e *FileError) Error() string { return e.Path + ": " + e.Err.Error() }
func (e *FileError) Unwrap() error { return e.Err }

// bom is the byte order mark that some editors put before the text: it stays.
const bom = "\uFEFF"

// format is how a file is written: how it is read, and how its text is edited. What an edit
// may not change it copies.
type format interface {
	// decode reads the file. One that is empty or holds only comments has no members.
	decode(text []byte) (map[string]any, error)
	// empty says whether a value stands for an object without members.
	empty(value any) bool
	// change gives the text with the members of the entry at path as wanted; has are those
	// that are there.
	change(text []byte, path []string, has map[string]any, want []member, drop []string) ([]byte, error)
	// cut gives the text without the entry at path, which is there.
	cut(text []byte, path []string) ([]byte, error)
}

// edit gives the text of the file with the server in it. Without a change it is the text
// itself. What comes out is compared as data with what went in: nothing but the entry may be
// different.
func (c client) edit(text []byte, path string, s Server, o Options) ([]byte, error) {
	if s.URL != "" && c.noURL != "" {
		return nil, &UsageError{c.noURL}
	}
	body := bytes.TrimPrefix(text, []byte(bom))
	edited, err := c.editBody(body, path, s, o)
	if err == nil {
		return slices.Concat(text[:len(text)-len(body)], edited), nil
	}
	if errors.As(err, new(*ForeignError)) {
		return nil, err
	}
	if errors.As(err, new(*unsafeError)) {
		fresh, fault := c.editBody(nil, path, s, Options{})
		err = errors.Join(fmt.Errorf("%w; write this into it by hand:\n%s", err, bytes.TrimSpace(fresh)), fault)
	}
	return nil, &FileError{path, err}
}

// editBody is edit without the byte order mark.
func (c client) editBody(body []byte, path string, s Server, o Options) ([]byte, error) {
	root, at, has, err := c.find(body, s.Name)
	if err != nil {
		return nil, err
	}
	same := s.URL != "" && c.form.read(has).URL == s.URL
	if other := c.form.foreign(has, o); other != "" && !o.Force && !same {
		return nil, &ForeignError{path, s.Name, other, false}
	}
	want, drop := c.form.entry(s)
	want = slices.DeleteFunc(want, func(m member) bool { return m.keep && has[m.name] != nil })
	goal := merged(has, want, drop)
	if reflect.DeepEqual(has, goal) {
		return body, nil
	}
	edited, err := c.format.change(bytes.Clone(body), at, has, want, drop)
	if err != nil {
		return nil, err
	}
	put(root, at, goal)
	return edited, c.check(edited, root, at[:len(at)-1])
}

// turnedOff is a warning where the client will not use the server: an edit leaves a switch
// as the person has set it.
func (c client) turnedOff(text []byte, name string) (warning string, err error) {
	_, _, has, err := c.find(bytes.TrimPrefix(text, []byte(bom)), name)
	for member, off := range map[string]bool{"enabled": false, "disabled": true} {
		if has[member] == off {
			warning = fmt.Sprintf("the server %q is turned off in this file, by %q; turn it on to use it", name, member)
		}
	}
	return warning, err
}

// check compares what an edit made of a file with what it should hold. A section without
// servers may be missing.
func (c client) check(edited []byte, goal map[string]any, section []string) error {
	after, err := c.format.decode(edited)
	if err != nil {
		return errUnsafe
	}
	for _, root := range []map[string]any{goal, after} {
		if servers, _, err := c.within(root, section); err == nil && len(servers) == 0 {
			put(root, section, nil)
		}
	}
	if !reflect.DeepEqual(goal, after) {
		return errUnsafe
	}
	return nil
}

// find reads a file and finds the entry of a server: where it is or belongs, and what it
// holds, nil where it is missing.
func (c client) find(body []byte, name string) (root map[string]any, at []string, has map[string]any, err error) {
	if root, err = c.format.decode(body); err != nil {
		return nil, nil, nil, err
	}
	if c.key != nil {
		name = c.key(name)
	}
	for _, section := range c.sections {
		servers, there, err := c.within(root, section)
		if err != nil {
			return nil, nil, nil, err
		}
		if at != nil && !there {
			continue
		}
		entry, found, err := c.within(servers, []string{name})
		if err != nil {
			return nil, nil, nil, fmt.Errorf("%s: %w", strings.Join(section, "."), err)
		}
		if has == nil || found {
			at, has = append(slices.Clone(section), name), nil
			if found {
				has = entry
			}
		}
	}
	return root, at, has, nil
}

// within follows a path of members that must be objects where they are there.
func (c client) within(root map[string]any, path []string) (object map[string]any, there bool, err error) {
	object = root
	for _, name := range path {
		value, ok := object[name]
		if !ok {
			return nil, false, nil
		}
		if c.format.empty(value) {
			value = map[string]any{}
		}
		if object, ok = value.(map[string]any); !ok {
			return nil, false, fmt.Errorf("its member %q is not an object%s", name, correct)
		}
	}
	return object, true, nil
}

// put sets a member below objects, which are made where they are missing.
func put(root map[string]any, path []string, value any) {
	for _, name := range path[:len(path)-1] {
		inner, ok := root[name].(map[string]any)
		if !ok {
			inner = map[string]any{}
			root[name] = inner
		}
		root = inner
	}
	root[path[len(path)-1]] = value
}

// correct ends an error about a file that the client can't read either.
const correct = "; correct that, then try again"

// unsafeError is returned where an edit would change more than the entry: better none then.
type unsafeError struct{ reason string }

func (e *unsafeError) Error() string {
	return e.reason + ", which this command can't edit safely"
}

var errUnsafe = &unsafeError{"it is written in an unusual way"}
