package envelope_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/zenlix/echo-mcp/internal/envelope"
)

// TestParse: what is an envelope, and what only looks like one.
func TestParse(t *testing.T) {
	deep := strings.Repeat("[", 100_000) + strings.Repeat("]", 100_000)
	for text, payload := range map[string]string{
		`{"ok":true,"schema_id":"a","payload":{ "n" : 1e400 }}`:  `{ "n" : 1e400 }`,
		` {"payload":null,"schema_id":"\u0061","ok":true,"x":1}`: `null`,
		`{"ok":true,"schema_id":"a","payload":` + deep + `}`:     deep,
	} {
		e, ok := envelope.Parse([]byte(text))
		require.True(t, ok)
		require.Equal(t, "a", e.SchemaID)
		require.True(t, string(e.Payload) == payload)
		require.Nil(t, e.Refusal)
	}
	e, ok := envelope.Parse([]byte(`{"ok":false,"error":{"code":"C","message":"m","schema_id":"a","details":[{"path":"/n","message":"no"}]}}`))
	require.True(t, ok)
	require.Equal(t, "C", e.Refusal.Code)
	require.Equal(t, "/n", e.Refusal.Details[0].Path)
	for _, text := range []string{
		``, `7`, `[]`, `{}`, `{"ok":true}`, `{"ok":true,"schema_id":7,"payload":1}`, `{"ok":true,"schema_id":"a"}`, `{"ok":"true","schema_id":"a","payload":1}`,
		`{"ok":false}`, `{"ok":false,"error":"no"}`, `{"ok":false,"error":{}}`, `{"ok":false,"error":{"code":7}}`, `{"OK":true,"schema_id":"a","payload":1}`,
	} {
		_, ok := envelope.Parse([]byte(text))
		require.False(t, ok, text)
	}
}

// TestFromResult looks into the texts first, and then into the structured content.
func TestFromResult(t *testing.T) {
	inside := `{"ok":true,"schema_id":"a","payload":{"from":"text"}}`
	quoted, err := json.Marshal(inside)
	require.NoError(t, err)
	structured := `"structuredContent":{"ok":true,"schema_id":"a","payload":{"from":"structure"}}`
	for result, payload := range map[string]string{
		`{"content":[{"type":"text","text":` + string(quoted) + `}],` + structured + `}`:     `{"from":"text"}`,
		`{"content":[7,{"type":"image"},{"type":"text","text":"prose"}],` + structured + `}`: `{"from":"structure"}`,
		`{` + structured + `}`: `{"from":"structure"}`,
	} {
		e, err := envelope.FromResult([]byte(result))
		require.NoError(t, err)
		require.Equal(t, payload, string(e.Payload))
	}
	for result, reason := range map[string]string{
		`{`: "it is not JSON", `[]`: "it is not an object", `{"structuredContent":{}}`: "it holds no envelope", `{"content":{}}`: "it has neither structured content nor a text that is an envelope",
	} {
		_, err := envelope.FromResult([]byte(result))
		require.ErrorIs(t, err, envelope.ErrNone)
		require.ErrorContains(t, err, reason)
	}
}
