package wire_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
	"github.com/zenlix/echo-mcp/internal/wire"
)

// TestNeed: what a message is said to need is enough for its tape, a copy of that where
// there are escapes, its names and its nesting, and never more than the largest message may.
func TestNeed(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	fill := func(piece string) string { return strings.Repeat(piece, size/len(piece)) }
	for name, payload := range map[string]string{
		"numbers":          `[` + fill(`0,`) + `0]`,
		"strings":          `[` + fill(`"",`) + `0]`,
		"arrays":           `[` + fill(`[],`) + `0]`,
		"objects":          `[` + fill(`{"a":0},`) + `0]`,
		"members":          `{` + fill(`"":0,`) + `"":0}`,
		"escapes":          `[` + fill(`"\n",0,0,`) + `0]`,
		"one escape":       `[` + fill(`0,`) + `"\n"]`,
		"commas in text":   `"` + fill(`,`) + `"`,
		"colons in text":   `["` + strings.Repeat(`:`, size/2) + `",` + strings.Repeat(`0,`, size/4) + `0]`,
		"all in text":      `"` + fill(`[{,:`) + `"`,
		"deep":             strings.Repeat(`[`, 9000) + strings.Repeat(`]`, 9000),
		"deep in objects":  strings.Repeat(`{"a":`, 9000) + `0` + strings.Repeat(`}`, 9000),
		"white space":      `[` + fill(" ") + `0]`,
		"small":            `{"a":[1,2,{"b":null}]}`,
		"nothing":          `0`,
		"JSON in a string": `"[` + fill(`0,`) + `0]"`,
		"\\u in a string":  `"[` + fill(`0\u002c`) + `0]"`,
	} {
		message := []byte(call("echo", `{"schema_id":"any","payload":`+payload+`}`))
		need := wire.Need(message, jsontape.DefaultMaxDepth)
		require.LessOrEqual(t, need, wire.MaxNeed(int64(len(message)), jsontape.DefaultMaxDepth), name)

		var tape jsontape.Tape
		require.NoError(t, tape.Parse(message, jsontape.Options{}), name)
		tokens := len(tape.Tokens)
		if k := payload[0]; k == '"' {
			var inner jsontape.Tape
			if inner.Parse(jsontape.AppendUnquoted(nil, []byte(payload)), jsontape.Options{}) == nil {
				tokens += len(inner.Tokens)
			}
		}
		least := 28 * tokens // 16 of the tape, 12 of a check
		if tape.HasEscapes() {
			least += 16 * tokens
		}
		if name == "members" {
			least += 24 * tokens / 2
		}
		require.GreaterOrEqual(t, need, int64(least), name)
	}
	require.Less(t, wire.Need([]byte(call("echo", `{"schema_id":"zenlix-agent-stage-v1","payload":{"stage":"a","status":"running"}}`)), jsontape.DefaultMaxDepth),
		int64(64<<10), "an ordinary message")
}
