package extract

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsontape"
)

// collect reads text by each way there is, which must not differ, and gives what it found, a line
// each: "LINE@OFFSET ID PAYLOAD" or "LINE:COLUMN REASON".
func collect(t *testing.T, text string, o Options) []string {
	t.Helper()
	var first []string
	for i, workers := range []int{1, 3} {
		o.Workers = workers
		got := []string{}
		r := iotest.HalfReader(strings.NewReader(text))
		for m, err := range Messages(r, o) {
			var broken *BrokenError
			switch {
			case errors.As(err, &broken):
				got = append(got, fmt.Sprintf("%d:%d %s", broken.Line, broken.Column, broken.Reason))
			case err != nil:
				got = append(got, err.Error())
			case m.Failure != nil:
				got = append(got, fmt.Sprintf("%d@%d failed %s %s", m.Line, m.Offset, m.SchemaID, m.Failure.Code))
			default:
				got = append(got, fmt.Sprintf("%d@%d %s %s", m.Line, m.Offset, m.SchemaID, m.Payload))
			}
		}
		if i == 0 {
			first = got
		}
		require.Equal(t, first, got, "%d workers", workers)
	}
	return first
}

func TestSmoke(t *testing.T) {
	env := `{"ok":true,"schema_id":"a","payload":{"x":1}}`
	text := `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":` + q(env) + `}],"structuredContent":` + env + "}}\n" +
		"broken\n" + q(q(env)) + "\n\n[" + env + "," + env + "]\n" +
		q("Wall time: 1 s\nOutput:\n"+env) + "\n"
	for _, g := range collect(t, text, Options{}) {
		fmt.Println(g)
	}
	big := "[\n" + strings.Repeat("  "+env+",\n  {\"a\": [1,2, \"\\u00e9\\n\"]},\n", 3) + "{\"content\":[{\"text\":" + q(`{"ok":true,"schema_id":"b","payload":"`+strings.Repeat("x", 500)+`"}`) + "}]},\n" + `{"big":{"ok":true,"schema_id":"c","payload":"` + strings.Repeat("y", 500) + `"}, "s":"` + strings.Repeat("zé\\n", 300) + `"}` + "\n]\n"
	for _, w := range []int{64, 128, 1000, 1 << 16} {
		fmt.Println(w)
		for _, g := range collect(t, big, Options{window: w}) {
			fmt.Println(g[:min(len(g), 70)])
		}
		for _, g := range collect(t, strings.ReplaceAll(big, "\n", "")+"\n"+env+"\n", Options{window: w}) {
			fmt.Println("L", g[:min(len(g), 70)])
		}
	}
}

// q is a JSON string that says s.
func q(s string) string {
	return string(jsontape.AppendQuoted(nil, s))
}
