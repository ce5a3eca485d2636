package dev

import (
	"bytes"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestEveryAnswerCounts: an answer is noticed whatever it holds, or its request would get another
// one when the server goes.
func TestEveryAnswerCounts(t *testing.T) {
	t.Parallel()
	for name, result := range map[string]string{
		"small":  `{"ok":true}`,
		"large":  `{"text":"` + strings.Repeat("x", 1<<20) + `"}`,
		"values": `[` + strings.Repeat("1,", 5000) + `1]`,
		"deep":   strings.Repeat("[", 200_000) + strings.Repeat("]", 200_000),
		"method": `{"method":"tools/list","id":8}`,
	} {
		for _, member := range []string{"result", "error"} {
			t.Run(name+" "+member, func(t *testing.T) {
				t.Parallel()
				var out bytes.Buffer
				f := newStdioFront(&out, nil)
				s := &stdioServer{pending: map[string]*pending{}, swallow: map[string]int{}}
				call := []byte(`{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"t","arguments":{}}}`)
				m, refusal := f.parser.Parse(call)
				require.Nil(t, refusal)
				f.note(s, m, call)
				m.Call.Release()
				require.Len(t, s.pending, 1)
				require.True(t, f.isForClient(s, []byte(`{"jsonrpc":"2.0","id":7,"`+member+`":`+result+`}`)))
				require.Empty(t, s.pending)
			})
		}
	}
}
