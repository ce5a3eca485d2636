package fileerror_test

import (
	"io/fs"
	"os"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/fileerror"
)

// TestWord: what the system refused is told with what to do, without the name of a system call,
// and is still the same error.
func TestWord(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{syscall.EACCES, "msgs: you may not write or read there; change its permissions, or choose another folder"},
		{syscall.EPERM, "msgs: you may not write or read there; change its permissions, or choose another folder"},
		{syscall.ENOTDIR, "msgs: a file stands where a folder must be; move it away, or choose another folder"},
		{syscall.EROFS, "msgs: read-only file system; choose another folder"},
		{syscall.ENOSPC, "msgs: no space left on device; choose another folder"},
		{syscall.EEXIST, "msgs: file exists; move it away, or choose another folder"},
	} {
		for _, err := range []error{
			&fs.PathError{Op: "mkdirat", Path: "/x", Err: c.err},
			&os.LinkError{Op: "renameat", Old: "/x", New: "/y", Err: c.err},
		} {
			got := fileerror.Word("msgs", err)
			require.EqualError(t, got, c.want)
			require.ErrorIs(t, got, c.err)
		}
	}
}
