package server_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/server"
	"github.com/zenlix/echo-mcp/internal/transport"
)

// TestTextOfOneCall: a call may do without the text block, or ask for it, whatever the process
// was started with; failures have it always.
func TestTextOfOneCall(t *testing.T) {
	ask := func(t *testing.T, c client, text, payload string) answer {
		t.Helper()
		m := call("1", "echo", `{"schema_id":"`+stageID+`","payload":`+payload+`}`)
		return read(t, c.ask(t, strings.Replace(m, `"params":{`, `"params":{"_meta":{"io.github.zenlix.echo-mcp/text":`+text+`},`, 1)))
	}
	for _, started := range []bool{false, true} {
		overBothWith(t, transport.Options{}, server.Tools{NoText: started}, func(t *testing.T, c client) {
			const good, bad = `{"stage":"a"}`, `{"stage":1}`
			require.Empty(t, ask(t, c, `"none"`, good).Result.Content)
			require.Contains(t, string(ask(t, c, `"none"`, good).Result.StructuredContent), good)
			require.Empty(t, ask(t, c, `"n\u006fne"`, good).Result.Content)
			require.Len(t, ask(t, c, `"full"`, good).Result.Content, 1)
			for _, other := range []string{`"off"`, `7`, `null`} {
				a := ask(t, c, other, good)
				require.True(t, a.Result.IsError)
				require.Contains(t, a.Result.Content[0].Text, `must be \"full\" or \"none\"`)
			}
			require.Len(t, ask(t, c, `"none"`, bad).Result.Content, 1, "failures keep the text")
		})
	}
}
