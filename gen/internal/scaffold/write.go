package scaffold

import (
	"errors"
	"io/fs"
	"os"
	"path"
)

// create writes a new file and the folders above it. It never replaces one.
func create(root *os.Root, name string, text []byte) error {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	f, err := root.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	_, err = f.Write(text)
	return errors.Join(err, f.Close())
}

// replace puts a file in place as a whole, with the permissions of the one that was there.
func replace(root *os.Root, name string, text []byte) error {
	mode := fs.FileMode(0o644)
	if info, err := root.Stat(name); err == nil {
		mode = info.Mode().Perm()
	}
	temp := name + ".echo-gen"
	if err := create(root, temp, text); err != nil {
		return err
	}
	err := root.Chmod(temp, mode)
	if err == nil {
		err = root.Rename(temp, name)
	}
	if err != nil {
		return errors.Join(err, root.Remove(temp))
	}
	return nil
}
