package near_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt/near"
)

func TestMisspelling(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, candidate string
		near            bool
	}{
		{"schemaId", "schema_id", true},
		{"stage_staus", "stage_status", true},
		{"STAGE", "stage", true},
		{"sateg", "stage", false},
		{"satge", "stage", true},
		{"toString", "..", false},
		{"toString", "", false},
		{"", "a", false},
		{"..", "--", false},
		{"a", "b", false},
		{"a", "ab", true},
		{"ab", "cd", false},
		{"toString", "a", false},
		{"zenlix-agent-stage", "zenlix-agent-stage-v1", true},
		{"completely-different", "workflow-stage-v1", false},
		{strings.Repeat("x", 257), strings.Repeat("x", 257), false},
	} {
		_, ok := near.Misspelling(c.name, c.candidate)
		require.Equal(t, c.near, ok, "%q %q", c.name, c.candidate)
	}
}

func TestPart(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, candidate string
		part            bool
	}{
		{"stage", "workflow-stage-v1", true},
		{"my-workflow-stage-v1-draft", "workflow-stage-v1", true},
		{"toString", "..", false},
		{"toString", "to", false},
		{"ab", "abc", false},
		{"stage", "report", false},
	} {
		_, ok := near.Part(c.name, c.candidate)
		require.Equal(t, c.part, ok, "%q %q", c.name, c.candidate)
	}
}

// TestNames: misspellings come before parts, the nearest first, and at most three.
func TestNames(t *testing.T) {
	t.Parallel()
	ids := []string{"order_v1", "order_v2", "my_order_v1_draft", "order_v3", "invoice"}
	for name, want := range map[string][]string{
		"order-v2": {"order_v2", "order_v1", "order_v3"},
		"Invoice":  {"invoice"},
		"voice":    {"invoice"},
		"zzz":      nil,
		"":         nil,
	} {
		require.Equal(t, want, near.Names(name, ids), name)
	}
}
