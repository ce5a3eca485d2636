//go:build linux && (amd64 || arm64)

package jsontape_test

import (
	"math"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// TestSize offers a document of 4 GiB, in memory that is only reserved: it must be refused
// before it is looked at.
func TestSize(t *testing.T) {
	data, err := syscall.Mmap(-1, 0, math.MaxUint32+1, syscall.PROT_NONE, syscall.MAP_PRIVATE|syscall.MAP_ANON|syscall.MAP_NORESERVE)
	require.NoError(t, err)
	defer func() { require.NoError(t, syscall.Munmap(data)) }()
	want := &jsontape.SyntaxError{
		Reason: jsontape.ReasonSize,
		Msg:    "the document has 4294967296 bytes, at most 4294967295 can be read",
	}
	require.Equal(t, error(want), jsontape.Valid(data))
	var tape jsontape.Tape
	require.Equal(t, error(want), tape.Parse(data, jsontape.Options{}))
}
