//go:build unix

package transport

import (
	"math"
	"syscall"
)

// fileLimit is how many files and connections the system lets this process have.
func fileLimit() int {
	var limit syscall.Rlimit
	if syscall.Getrlimit(syscall.RLIMIT_NOFILE, &limit) != nil {
		return math.MaxInt
	}
	return int(min(uint64(limit.Cur), math.MaxInt)) //nolint:unconvert // Cur is signed on some systems
}
