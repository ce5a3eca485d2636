package plan

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/internal/load"
)

// TestV1Refuses: v1 refuses formats that nobody knows, and a dynamic reference that leads nowhere
// on any way to it, though the anchor is somewhere.
func TestV1Refuses(t *testing.T) {
	_, faults := build(t, `{"format": "colour"}`, load.V1)
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].Message, `the format "colour" is not known, and in v1 format has to be checked; the formats are date, date-time, `)

	_, faults = build(t, `{"$dynamicRef": "#a", "$defs": {"b": {"$id": "b", "$dynamicAnchor": "a"}}}`, load.V1)
	require.Len(t, faults, 1)
	require.Contains(t, faults[0].Message, `the reference "#a" leads nowhere: none of the schemas on the way here has this $dynamicAnchor`)

	p, faults := build(t, `{"$dynamicRef": "a", "$defs": {"b": {"$dynamicAnchor": "a", "type": "null"}}}`, load.V1)
	require.Empty(t, faults)
	require.Contains(t, dump(t, p), "type null")
}
