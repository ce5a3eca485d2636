package install

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
)

// PlanRemoval works out how to take the server of a name out of the file of a client: the
// Status is Removed, or Absent where there is nothing to take out. It writes nothing.
// Where a backup of Plan's edit is what the file would be without the entry, the text is
// that backup, byte for byte; else the entry is cut out and all else is copied.
//
// An entry that starts another program is a *ForeignError unless o.Force is set. One that
// leads to an address is taken out: nothing in it says whose it is. Other errors are those
// of Plan.
func PlanRemoval(name string, env Env, server string, o Options) (*Change, error) {
	c, err := find(name, env)
	if err != nil {
		return nil, err
	}
	if err := c.checkReserved(server); err != nil {
		return nil, err
	}
	change, err := c.read(env, o)
	if err != nil {
		return nil, err
	}
	change.Text = change.old
	if change.Status == Created {
		change.Status = Absent
		return change, nil
	}
	body := bytes.TrimPrefix(change.old, []byte(bom))
	root, at, has, err := c.find(body, server)
	if err != nil {
		return nil, &FileError{change.Path, err}
	}
	if has == nil {
		change.Status = Absent
		return change, nil
	}
	if other := c.form.foreign(has, o); other != "" && c.form.read(has).URL == "" && !o.Force {
		return nil, &ForeignError{change.Path, server, other, true}
	}
	change.Status = Removed
	if text, ok := c.fromBackup(change, server, has); ok {
		change.Text = text
		return change, nil
	}
	edited, err := c.cut(body, root, at)
	if errors.As(err, new(*unsafeError)) {
		err = fmt.Errorf("%w; delete %s from it by hand", err, strings.Join(at, "."))
	}
	if err != nil {
		return nil, &FileError{change.Path, err}
	}
	change.Text = slices.Concat(change.old[:len(change.old)-len(body)], edited)
	return change, nil
}

// cut takes the entry at a path out, and nothing else.
func (c client) cut(body []byte, root map[string]any, at []string) ([]byte, error) {
	edited, err := c.format.cut(bytes.Clone(body), at)
	if err != nil {
		return nil, err
	}
	section := at[:len(at)-1]
	servers, _, err := c.within(root, section)
	if err != nil {
		return nil, err
	}
	delete(servers, at[len(at)-1])
	return edited, c.check(edited, root, section)
}

// fromBackup gives the youngest backup without the entry from which an installation makes
// the file as it is now.
func (c client) fromBackup(change *Change, server string, has map[string]any) ([]byte, bool) {
	s := c.form.read(has)
	s.Name = server
	var found []byte
	ok := false
	for n := 1; ; n++ {
		text, err := os.ReadFile(backupName(change.target, n))
		if err != nil {
			return found, ok
		}
		_, _, had, err := c.find(bytes.TrimPrefix(text, []byte(bom)), server)
		if err != nil || had != nil {
			continue
		}
		if edited, err := c.edit(text, change.Path, s, Options{Force: true}); err == nil && bytes.Equal(edited, change.old) {
			found, ok = text, true
		}
	}
}
