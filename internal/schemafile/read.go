package schemafile

import (
	"fmt"
	"io"
	"io/fs"
)

// MaxBytes is how long a schema may be. The largest schemas in use have some 4 MB.
const MaxBytes = 16 << 20

// Read reads a file of a folder that has at most so many bytes. What is no regular file, such as a named pipe, a socket or a
// device, would have no end or never begin: it is an error, as is a file of more bytes.
// A link is followed as far as fsys allows.
func Read(fsys fs.FS, name string, most int) ([]byte, error) {
	info, err := fs.Stat(fsys, name)
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, fmt.Errorf("it is not a regular file but %s; move it away", kind(info.Mode()))
	}
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, int64(most)+1))
	if err == nil && len(data) > most {
		err = fmt.Errorf("it has more than %d bytes; move shared definitions to files in a sub-folder and refer to them", most)
	}
	return data, err
}

func kind(mode fs.FileMode) string {
	switch {
	case mode.IsDir():
		return "a folder"
	case mode&fs.ModeNamedPipe != 0:
		return "a named pipe"
	case mode&fs.ModeSocket != 0:
		return "a socket"
	case mode&fs.ModeDevice != 0:
		return "a device"
	}
	return "of another kind"
}
