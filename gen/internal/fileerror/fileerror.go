// Package fileerror says what the file system refused in the words of a person who is to mend it.
package fileerror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// Word says what is wrong with the file or folder name, and what to do. The error of the system
// stays within it.
func Word(name string, err error) error {
	var (
		pathErr *fs.PathError
		linkErr *os.LinkError
		system  syscall.Errno
	)
	switch {
	case errors.As(err, &pathErr):
		err = pathErr.Err
	case errors.As(err, &linkErr):
		err = linkErr.Err
	}
	switch {
	case errors.Is(err, fs.ErrPermission):
		return &worded{name + ": you may not write or read there; change its permissions, or choose another folder", err}
	case errors.Is(err, syscall.ENOTDIR):
		return &worded{name + ": a file stands where a folder must be; move it away, or choose another folder", err}
	case errors.As(err, &system) && !errors.Is(err, fs.ErrExist):
		return fmt.Errorf("%s: %w; choose another folder", name, err)
	}
	return fmt.Errorf("%s: %w; move it away, or choose another folder", name, err)
}

// worded is an error in other words.
type worded struct {
	text string
	err  error
}

func (w *worded) Error() string { return w.text }
func (w *worded) Unwrap() error { return w.err }
