//go:build !race

package catalog_test

import (
	"fmt"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/zenlix/echo-mcp/mcpkit/catalog"
)

// TestThousandTools: a server with 1,000 tools takes under a second beyond its own time. The time is
// that of the processor, all cores together, so that a busy machine does not count.
func TestThousandTools(t *testing.T) {
	var list strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&list, `,{"name":"tool_%d","description":"Does what it does.","inputSchema":{"type":"object","properties":{"path":{"type":"string","description":"A path.","minLength":1},"mode":{"enum":["a","b","c"]},"options":{"type":"object","properties":{"depth":{"type":"integer","minimum":0},"tags":{"type":"array","items":{"type":"string"}}}}},"required":["path"]},"outputSchema":{"type":"object","properties":{"lines":{"type":"array","items":{"type":"string"}},"next":{"anyOf":[{"type":"string"},{"type":"null"}]}},"required":["lines"]}}`, i)
	}
	session, _ := fake(t, `{"tools":{}}`, answers{"tools/list": `{"tools":[` + list.String()[1:] + `]}`})
	var best time.Duration
	for n := range 3 {
		start := processorTime(t)
		_, err := session.List(t.Context(), "tools/list")
		require.NoError(t, err)
		own := processorTime(t) - start
		start = processorTime(t)
		c, err := catalog.Extract(t.Context(), session)
		require.NoError(t, err)
		require.Len(t, c.Items, 1000)
		require.NotEmpty(t, c.AppendJSON(nil))
		if took := processorTime(t) - start - own; n == 0 || took < best {
			best = took
		}
	}
	t.Logf("1,000 tools with 2,000 schemas: %v beyond the server's own time", best)
	require.Less(t, best, time.Second)
}

// TestManyLargeSchemas: what the schemas of one server may cost together is bounded, too.
func TestManyLargeSchemas(t *testing.T) {
	schema := `{"type":"object","properties":{"a":{}`
	for i := range 3000 {
		schema += `,"p` + strconv.Itoa(i) + `":{}`
	}
	tools := `{"name":"t","inputSchema":` + schema + `}}}`
	c, doc := compose(t, `{"tools":[`+tools+strings.Repeat(","+tools, 99)+`,{"name":"small","inputSchema":{"type":"object"}}]}`)
	require.Equal(t, 100-27, strings.Count(doc, `"error":"the schemas before this one cost as much as is checked of one server"`))
	require.Empty(t, c.Items[26].Detail.Input.Error)
	require.NotEmpty(t, c.Items[27].Detail.Input.Error)
	require.Empty(t, c.Items[100].Detail.Input.Error, "what costs little is still checked")
}

// processorTime is the time that this process has worked.
func processorTime(t *testing.T) time.Duration {
	t.Helper()
	var used unix.Rusage
	require.NoError(t, unix.Getrusage(unix.RUSAGE_SELF, &used))
	return time.Duration(used.Utime.Nano() + used.Stime.Nano())
}
