//go:build unix

package cli

import (
	"io/fs"
	"os"
	"syscall"
)

// readableBy is the permissions that nobody but this process should have: those of the
// file's group only where the file is the process's own, which otherwise may need them.
func readableBy(info fs.FileInfo) fs.FileMode {
	if stat, ok := info.Sys().(*syscall.Stat_t); ok && int64(stat.Uid) != int64(os.Geteuid()) {
		return 0o007
	}
	return 0o077
}
