package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/wire"
)

// TestTapeOfWholeArguments: the tape of arguments that are a payload, of any length, is kept where they
// nest as deep as they may, and not where they nest deeper.
func TestTapeOfWholeArguments(t *testing.T) {
	t.Parallel()
	const limit = 5
	p := wire.Parser{MaxDepth: limit, WholeArguments: func(string) bool { return true }}
	for depth := 1; depth <= limit+1; depth++ {
		deep := strings.Repeat(`[`, depth-1) + strings.Repeat(`]`, depth-1)
		if depth == 1 {
			deep = "1"
		}
		for _, arguments := range []string{`{"a":` + deep + `}`, `{"wide":[` + strings.Repeat(`[],`, 50) + `1],"a":` + deep + `,"b":{}}`} {
			m, refusal := p.Parse([]byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"t","arguments":` + arguments + `}}`))
			require.Nil(t, refusal, arguments)
			tape, at := m.Call.Tape()
			if depth > limit {
				require.Nil(t, tape, arguments)
				continue
			}
			require.NotNil(t, tape, arguments)
			require.Equal(t, arguments, string(tape.Bytes(at)))
			m.Call.Release()
		}
	}
}
