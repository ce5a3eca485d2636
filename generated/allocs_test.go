//go:build !race

package generated_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/generated"
)

// A valid message costs no allocation once the checker's memory is warm, also with escapes,
// numbers in several forms, and a recursive schema.
func TestValidMessagesDoNotAllocate(t *testing.T) {
	for id, message := range map[string]string{
		"zenlix-agent-stage-v1": `{"stage":"bu\u0069ld \ud83d\ude00","stage_status":"running","extra":{"a":[1,2.50,{"b":null}]}}`,
		"report_outline_v1":     `{"title":"é","items":[{"index":1,"heading":"a"},{"index":2.0,"heading":"b","notes":"\n"}]}`,
		"workflow_stage_v1":     `{"event_type":"stage_started","stage":"a","sequence":1e2}`,
		"tool_run_report_v1": `{"run_id":"6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11","started_at":"2026-08-01T09:30:00Z","agent":{"name":"b","version":"1.2.3","homepage":"https://example.com/"},
			"cost":{"currency":"EUR","amount":19.9900},"labels":{"a":"b"},
			"steps":[{"tool":"t","duration_ms":1.5,"confidence":null,"outcome":{"status":"success","artifacts":["a","b"]},"steps":[{"tool":"u","duration_ms":2,"outcome":{"status":"skipped","reason":"r"}}]}]}`,
	} {
		schema, ok := generated.Registry.Lookup(id)
		require.True(t, ok)
		data := []byte(message)
		require.NoError(t, schema.Validate(data), id)
		require.Zero(t, testing.AllocsPerRun(200, func() { _ = schema.Validate(data) }), id)
	}
}
