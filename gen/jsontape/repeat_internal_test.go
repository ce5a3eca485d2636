package jsontape

import (
	"strconv"
	"strings"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"
)

// TestTable: the hash table of an object takes at most 24 bytes for each name, and what an
// earlier object left in it is not taken for one of the next object's names.
func TestTable(t *testing.T) {
	var tape Tape
	for _, names := range []int{40_000, 1000, 33, 1000, 43_691, 5} {
		var text strings.Builder
		for i := range names {
			text.WriteString(`"\u0061` + strconv.Itoa(i) + `":0,`)
		}
		require.NoError(t, tape.Parse([]byte(`{`+text.String()+`"b":0}`), Options{}))
		require.Equal(t, -1, tape.RepeatedName(0), "%d names", names)
		require.LessOrEqual(t, len(tape.names.table)*int(unsafe.Sizeof(slot{})), 24*(names+1))

		require.NoError(t, tape.Parse([]byte(`{`+text.String()+`"a`+strconv.Itoa(names-1)+`":0}`), Options{}))
		require.Equal(t, 2*names+1, tape.RepeatedName(0), "%d names", names)
	}
}
