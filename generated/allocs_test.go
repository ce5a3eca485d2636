//go:build !race

package generated_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
)

var samples = map[string]string{
	"zenlix-agent-stage-v1": `{"stage":"bu\u0069ld \ud83d\ude00","stage_status":"running","extra":{"a":[1,2.50,{"b":null}]}}`,
	"report_outline_v1":     `{"title":"é","items":[{"index":1,"heading":"a"},{"index":2.0,"heading":"b","notes":"\n"}]}`,
	"workflow_stage_v1":     `{"event_type":"stage_started","stage":"a","sequence":1e2}`,
	"tool_run_report_v1": `{"run_id":"6f1a6c0e-58e5-4d0c-9d8b-0a6a3f6f3c11","started_at":"2026-08-01T09:30:00Z","agent":{"name":"b","version":"1.2.3","homepage":"https://example.com/"},
		"cost":{"currency":"EUR","amount":19.9900},"labels":{"a":"b"},
		"steps":[{"tool":"t","duration_ms":1.5,"confidence":null,"outcome":{"status":"success","artifacts":["a","b"]},"steps":[{"tool":"u","duration_ms":2,"outcome":{"status":"skipped","reason":"r"}}]}]}`,
}

// A valid message costs no allocation once the memory is warm: neither as a document, also with
// escapes, numbers in several forms, and a recursive schema, nor as a Go value. To encode it
// costs the result. To decode it as a Message costs what its own Decode function does, and the
// place that an interface's value has.
func TestValidMessagesDoNotAllocate(t *testing.T) {
	require.Len(t, samples, generated.Registry.Len())
	for id, sample := range samples {
		schema, ok := generated.Registry.Lookup(id)
		require.True(t, ok)
		data := []byte(sample)
		m, err := schema.Decode(data)
		require.NoError(t, err)
		require.NoError(t, m.Validate())
		buffer, err := m.AppendJSON(nil)
		require.NoError(t, err)

		var kept jsonrt.Message
		decode := decoders[id]
		most := testing.AllocsPerRun(200, func() { kept, _ = decode(data) })
		require.LessOrEqual(t, testing.AllocsPerRun(200, func() { kept, _ = schema.Decode(data) }), most, id)
		require.Equal(t, m, kept)
		require.Zero(t, testing.AllocsPerRun(200, func() { _ = schema.Validate(data) }), id)
		require.Zero(t, testing.AllocsPerRun(200, func() { _ = m.Validate() }), id)
		require.Zero(t, testing.AllocsPerRun(200, func() { buffer, _ = m.AppendJSON(buffer[:0]) }), id)
		require.EqualValues(t, 1, testing.AllocsPerRun(200, func() { buffer, _ = m.MarshalJSON() }), id)
	}
}
