//go:build !race

package generated_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/gen/jsonrt"
	"github.com/zenlix/echo-mcp/generated"
)

// A valid message costs no allocation once the memory is warm: neither as a document, also with
// escapes, numbers in several forms, and a recursive schema, nor as a Go value. To encode it
// costs the result. To decode it as a Message costs what its own Decode function does, and the
// place that an interface's value has.
func TestValidMessagesDoNotAllocate(t *testing.T) {
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
